/** The address fragment: `#yazy?state=33561+2+all&total=0&p.rerolls=2` holds a game, its parameters and a position; `#yazy?id=HF5` names the position by its id. */

const LONGEST = 4096;
const PARAMETER = "p.";
const MODES = new Set(["mine", "roll"]);

export class LinkError extends Error {}

/** Write a fragment. Values that make it too long (a big dictionary) are left out and named in `left`. */
export function writeLink({ game, parameters, mode, fields }) {
  const query = new URLSearchParams();
  const left = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value.length > LONGEST) left.push(name);
    else query.set(PARAMETER + name, value);
  }
  for (const [name, value] of Object.entries(fields)) query.set(name, value);
  if (mode !== "mine") query.set("mode", mode);
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return { fragment: `#${encodeURIComponent(game)}${text && `?${text}`}`, left };
}

/** Read a fragment; null for the start page. Raises `LinkError`. */
export function readLink(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text) return null;
  const [, name, query = ""] = text.match(/^([^?]*)\??(.*)$/s);
  const link = { game: decode(name), parameters: {}, fields: {}, mode: "mine" };
  for (const [key, value] of new URLSearchParams(query)) {
    if (key.startsWith(PARAMETER)) link.parameters[key.slice(PARAMETER.length)] = value;
    else if (key === "mode") link.mode = value;
    else link.fields[key] = value;
  }
  if (!MODES.has(link.mode)) throw new LinkError(`mode ${link.mode} in the link: expected mine or roll`);
  return link;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new LinkError(`The link names no game: ${text}`);
  }
}

/** Read a whole number from a link. */
export function readNumber(text, what, { lowest = 0, highest = 999999 } = {}) {
  const number = Number(text);
  if (!/^-?\d+$/.test(text ?? "") || number < lowest || number > highest) {
    throw new LinkError(`${what} ${text ?? "missing"} in the link: expected a whole number from ${lowest} to ${highest}`);
  }
  return number;
}

/** Read `ones:3,twos:` into { ones: 3, twos: null }, for known names only. */
export function readPairs(text, known) {
  const pairs = (text ?? "").split(",").filter(Boolean).map((item) => item.split(":"));
  return Object.fromEntries(pairs.map(([name, value]) => {
    if (!known.includes(name)) throw new LinkError(`${name} in the link is none of ${known.join(", ")}`);
    return [name, value ? readNumber(value, name, { lowest: -9999 }) : null];
  }));
}

export const writePairs = (pairs) => Object.entries(pairs).map(([name, value]) => `${name}:${value ?? ""}`).join(",");

/** Read `all`, `none` or a list of names, in the order of `known`. */
export function readNames(text, known) {
  if (text === "all") return [...known];
  const names = text === "none" ? [] : (text ?? "").split(",");
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) throw new LinkError(`${strange || "nothing"} in the link is none of ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

export const writeNames = (names, known) => (names.length === known.length ? "all" : names.join(",") || "none");
