/**
 * All text of the page, by key, in the language of the player: `t("dice.left", { n: 3 })`. The tables are text-en.js with text-en-table.js (texts.js), and text-de.js,
 * which is loaded only where German is spoken. What the server says is put into German by said.js.
 *
 * @typedef {string | { one?: string, other: string }} Text plain, or by the number `n`
 * @typedef {Record<string, Text>} Texts
 */

import english from "./text-en.js";

/** Languages by their own names. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const KEPT = "rollwise.language";

/** The language that the player chose, else the first of the browser's that there is. */
export const language = chosen();

/** @type {Texts} */
const table = language === "de" ? (await import("./text-de.js")).default : { ...english };

/**
 * Add texts to the table.
 *
 * @param {Texts} texts
 */
export const add = (texts) => void Object.assign(table, texts);

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });

function chosen() {
  const wanted = [kept(), ...(globalThis.navigator?.languages ?? [])].map((name) => name.slice(0, 2));
  return wanted.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en";
}

function kept() {
  try {
    return globalThis.localStorage?.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/**
 * Speak another language from now on: the page is loaded anew.
 *
 * @param {string} name
 */
export function speak(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    return;
  }
  location.reload();
}

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

/** @type {Map<number, Intl.NumberFormat>} */
const fixed = new Map();

/**
 * Write a number with so many digits behind the point, or the comma.
 *
 * @param {number} value
 * @param {number} digits
 */
export function decimal(value, digits) {
  if (!fixed.has(digits)) fixed.set(digits, new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }));
  return /** @type {Intl.NumberFormat} */ (fixed.get(digits)).format(value);
}

/**
 * Write a whole number with its thousands apart.
 *
 * @param {number} value
 */
export const whole = (value) => numbers.format(value);

/**
 * Put the text of the page's HTML into the language of the player: whatever names a key in `data-t`, or labels in `data-t-label`.
 *
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(/** @type {HTMLElement} */ (node).dataset.t ?? "");
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(/** @type {HTMLElement} */ (node).dataset.tLabel ?? ""));
}
