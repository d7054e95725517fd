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
 * @type {(language: string) => (value: number, most: number, least?: number, useGrouping?: boolean) => string}
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
    lower: (value) => write(value, 6),
    whole: (value) => write(value, 0),
    plain: (value) => write(value, 6, 0, false),
    percent: (value) => `${write(100 * value, 2, 2)} %`,
    chance: (value) => writeChance(value),
    tenths: (value) => (value < 0 ? "" : "+") + write(value, 1, 1, false),
    hundredths: (value) => (value < 0 ? "" : "+") + write(value, 2, 2, false),
    points: (value) => render("n.point", { n: Math.floor(100 * value + 0.5) / 100 }),
  };
  /** The texts that may write a name, the first of which counts that there is. @type {Record<string, (name: string) => [string, Args][]>} */
  const names = {
    word: (name) => [[`number.${name}`, {}]],
    label: (name) => [[`label.${slug(name)}`, {}]],
    box: (name) => [[`box.${slug(name)}`, {}]],
    move: (name) => {
      const rest = name.includes(" ") ? name.slice(name.indexOf(" ") + 1) : "";
      const more = /** @type {[string, Args][]} */ (rest ? [[`move.${name.slice(0, name.indexOf(" "))}.rest`, { rest }]] : []);
      return [[`move.${slug(name)}`, {}], ...more, [`box.${slug(name)}`, {}]];
    },
  };
  /** Write a name of several words as people do. @param {string} name */
  const spaced = (name) => name.replace(/(?<=\p{L})-(?=\p{L})/gu, " ");
  /** @param {string} name */
  const slug = (name) => name.replaceAll(" ", "-");

  /** @param {number} value */
  function writeChance(value) {
    if (value > 0.995 && value < 1 - 1e-9) return render("n.over", { n: 99 });
    const places = value >= 0.005 || value <= 0 ? 0 : Math.min(1 - Math.floor(Math.log10(100 * value)), 20);
    return `${write(100 * value, places)} %`;
  }

  /** @type {(value: any, kind: string) => string} */
  function show(value, kind) {
    if (Array.isArray(value)) {
      const shown = value.map((each) => show(each, kind === "list" || kind === "and" ? "number" : kind));
      return kind === "and" && shown.length > 1 ? render("n.and", { first: shown.slice(0, -1).join(", "), last: shown.at(-1) ?? "" }) : shown.join(", ");
    }
    if (kind === "capital") {
      const shown = show(value, "move");
      return shown.charAt(0).toUpperCase() + shown.slice(1);
    }
    if (typeof value === "object") return render(value.key, value.args);
    if (Object.hasOwn(names, kind)) {
      const named = names[kind](String(value)).find(([key]) => Object.hasOwn(texts, key));
      return named ? render(...named) : show(kind === "box" || kind === "move" ? spaced(String(value)) : value, "number");
    }
    if (typeof value === "number") return kinds[kind](value);
    return kind === "lower" ? value.charAt(0).toLowerCase() + value.slice(1) : value;
  }

  /** @type {(key: string, args?: Args) => string} */
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
