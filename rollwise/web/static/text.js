/**
 * All text of the page, by key, in the language of the player: `t("dice.left", { n: 3 })`. The tables are text-en.js and text-de.js.
 *
 * @typedef {string | { one?: string, other: string }} Text plain, or by the number `n`
 * @typedef {Record<string, Text>} Texts
 */

import english from "./text-en.js";

/** @type {Record<string, Texts>} */
const TABLES = { en: english };

export const language = "en";

const table = TABLES[language];
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/**
 * Give a text, with `{name}` replaced by what is given under that name; `n` chooses between one and several.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = table[key];
  if (found === undefined) throw new Error(`the page has no text ${key}: add it to text-en.js and text-de.js`);
  const form = typeof found === "string" ? found : (plurals.select(Number(values.n)) === "one" && found.one) || found.other;
  return form.replaceAll(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? numbers.format(values[name]) : `${values[name]}`));
}
