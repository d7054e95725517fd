/**
 * Write messages and numbers in a language. The counterpart of rollwise/texts/render.py, which describes what a text may contain; both
 * are tested on tests/data/messages.json.
 *
 * @typedef {string | { one: string, other: string }} Text plain, or by the number `n`
 * @typedef {Record<string, Text>} Texts
 * @typedef {{ key: string, args: Args }} Message
 * @typedef {string | number | Message} Value
 * @typedef {Record<string, Value | Value[]>} Args
 */

const FIELD = /\{(\w+)(?:, (\w+))?\}/g;

/**
 * Make what writes a number with at most, and at least, so many decimals.
 *
 * @param {string} language
 * @returns {(value: number, most: number, least?: number, useGrouping?: boolean) => string}
 */
export function makeWriter(language) {
  /** @type {Map<string, Intl.NumberFormat>} */
  const made = new Map();
  return (value, most, least = 0, useGrouping = true) => {
    const name = `${most} ${least} ${useGrouping}`;
    const format = made.get(name) ?? new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping });
    made.set(name, format);
    return format.format(value);
  };
}

/**
 * Make what writes a message, by its key and its arguments, from the texts of a language.
 *
 * @param {string} language
 * @param {Texts} texts
 */
export function makeRenderer(language, texts, write = makeWriter(language)) {
  const plurals = new Intl.PluralRules(language);
  /** @type {Record<string, (value: number) => string>} */
  const kinds = {
    number: (value) => write(value, 6),
    whole: (value) => write(value, 0),
    percent: (value) => `${write(100 * value, 2, 2)} %`,
    points: (value) => render("n.point", { n: Math.floor(100 * value + 0.5) / 100 }),
  };

  /** @type {(value: any, kind: string) => string} */
  function show(value, kind) {
    if (kind === "list") return value.map((/** @type {Value} */ each) => show(each, "number")).join(", ");
    if (typeof value === "number") return kinds[kind](value);
    return typeof value === "string" ? value : render(value.key, value.args);
  }

  /**
   * @param {string} key
   * @param {Args} [args]
   * @returns {string}
   */
  function render(key, args = {}) {
    const text = texts[key];
    if (text === undefined) throw new Error(`there is no text ${key}: add it to rollwise/texts/${language}.json`);
    const form = typeof text === "string" ? text : text[plurals.select(Number(args.n)) === "one" ? "one" : "other"];
    return form.replaceAll(FIELD, (_, name, kind = "number") => {
      if (args[name] === undefined) throw new Error(`the text ${key} needs the argument ${name}`);
      return show(args[name], kind);
    });
  }

  return Object.assign(render, { show });
}
