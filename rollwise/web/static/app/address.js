/**
 * The address fragment, which browsers do not send: `#yazy?aim=at-least+200&p.rerolls=2&state=33561+2+all&total=0` holds a game, its aim,
 * its parameters and a position; `#yazy?id=HF5` names the position by its id; `#file?f=...` carries a game file, packed.
 *
 * @import { Asked, Link, Mode } from "../../types.js"
 */

import { t } from "../texts/texts.js";

const LONGEST = 4096;
/** Characters of a packed game file that a link may carry: what browsers and most letters and chats pass on unharmed. */
export const LONGEST_FILE = 16000;
/** Bytes of a game file, as the server takes them. */
export const MOST_BYTES = 65536;
const PARAMETER = "p.";
const FILE = "file";

export class LinkError extends Error {}

/**
 * Say what is asked for in full: a game of the catalogue or a file, its parameters, its aim (null: the game's own).
 *
 * @type {(given: Partial<Asked>) => Asked}
 */
export const makeAsked = ({ game = null, file = null, parameters = {}, objective = null }) => ({ game, file, parameters, objective });

/** Files by text, packed: a link is written at every move, packing takes a moment. @type {Map<string, string>} */
const packedFiles = new Map();

/** Pack a game file for links, so that `writeLink` has it at hand. @param {string} text */
export async function packFile(text) {
  const packed = packedFiles.get(text) ?? (await packText(text));
  packedFiles.set(text, packed);
  return packed;
}

/** @param {string} text */
async function packText(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Pack the record of a whole game for a link: a move is its text; a roll its text, and where they are known the total and the player;
 * the end of one player's game is null, and what was written by hand an object.
 *
 * @param {any[]} lines
 */
export const packMoves = (lines) => packText(JSON.stringify(lines.map(packLine)));

/** @param {any} line */
function packLine({ kind, text, total = null, player = null }) {
  if (kind === "roll") return [text, total, player];
  if (kind === "written") return { text, player };
  return kind === "move" ? text : null;
}

/**
 * Unpack the record of a whole game. Raises `LinkError` for one that is damaged.
 *
 * @type {(packed: string) => Promise<any[]>}
 */
export async function unpackMoves(packed) {
  const damaged = new LinkError(t("kept.damaged"));
  /** @type {unknown} */
  const found = await unpackFile(packed).then(JSON.parse).catch(() => null);
  if (!Array.isArray(found)) throw damaged;
  return found.map((line) => {
    if (typeof line === "string") return { kind: "move", text: line };
    if (line === null) return { kind: "end", text: "" };
    const { text, total, player } = Array.isArray(line) ? { text: line[0], total: line[1], player: line[2] } : line;
    if (typeof text !== "string") throw damaged;
    const kind = Array.isArray(line) ? "roll" : "written";
    return { kind, text, ...(typeof total === "number" ? { total } : {}), ...(typeof player === "number" ? { player } : {}) };
  });
}

/** Unpack the game file of a link. Raises `LinkError` for one that is damaged, or too large. @param {string} packed */
export async function unpackFile(packed) {
  if (packed.length > LONGEST_FILE) throw new LinkError(t("link.long", { n: String(packed.length), most: String(LONGEST_FILE) }));
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await readText(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(t("link.damaged"));
  }
}

/**
 * Read a stream of UTF-8 up to the largest file: a small link must not unpack to a gigabyte.
 *
 * @param {ReadableStream<Uint8Array>} stream
 */
async function readText(stream) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = stream.getReader();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new LinkError(t("link.large", { most: String(MOST_BYTES) }));
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Write a fragment. What would make it too long (a big dictionary, a long file) is left out and named in `left`.
 * A file must have been packed before (`packFile`).
 *
 * @param {{ asked: Asked, mode?: Mode, fields?: Record<string, string | number> }} link
 */
export function writeLink({ asked, mode = "mine", fields = {} }) {
  const query = new URLSearchParams();
  /** @type {string[]} */
  const left = [];
  /** @type {(name: string, value: string, longest: number, what: string) => void} */
  const put = (name, value, longest, what) => void (value.length > longest ? left.push(what) : query.set(name, value));
  if (asked.file !== null) put("f", packedFiles.get(asked.file) ?? " ".repeat(LONGEST_FILE + 1), LONGEST_FILE, t("link.the-file"));
  if (asked.objective !== null) put("aim", asked.objective, LONGEST, t("link.the-aim"));
  for (const [name, value] of Object.entries(asked.parameters)) put(PARAMETER + name, value, LONGEST, name);
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
  if (mode !== "mine") query.set("mode", mode);
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return { fragment: `#${encodeURIComponent(asked.game ?? FILE)}${text && `?${text}`}`, left };
}

/** Read a fragment; null for the start page. Raises `LinkError`. @type {(fragment: string) => Promise<Link | null>} */
export async function readLink(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text) return null;
  const [, name = "", query = ""] = text.match(/^([^?]*)\??(.*)$/s) ?? [];
  const { f, aim, mode = "mine", ...others } = Object.fromEntries(new URLSearchParams(query));
  if (mode !== "mine" && mode !== "roll") throw new LinkError(t("link.mode", { mode }));
  /** @type {(item: [string, string]) => boolean} */
  const isParameter = ([key]) => key.startsWith(PARAMETER);
  const given = Object.entries(others).filter(isParameter).map(([key, value]) => [key.slice(PARAMETER.length), value]);
  const fields = Object.fromEntries(Object.entries(others).filter((item) => !isParameter(item)));
  const what = decode(name) === FILE ? { file: await readFile(f) } : { game: decode(name) };
  return { asked: makeAsked({ ...what, parameters: Object.fromEntries(given), objective: aim ?? null }), fields, mode };
}

/** Read the file of a link; "" where it was too long to be in it. @param {string | undefined} packed */
async function readFile(packed) {
  if (!packed) return "";
  const file = await unpackFile(packed);
  packedFiles.set(file, packed);
  return file;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new LinkError(t("link.no-game", { text }));
  }
}

/** Read a whole number from a link. Raises `LinkError`. @param {string | undefined} text @param {string} what */
export function readNumber(text, what, { lowest = 0, highest = 999999 } = {}) {
  const number = Number(text);
  if (!/^-?\d+$/.test(text ?? "") || number < lowest || number > highest) {
    throw new LinkError(t("link.number", { what, text: text ?? t("link.missing"), lowest: String(lowest), highest: String(highest) }));
  }
  return number;
}

/**
 * Read `ones:3,twos:` into { ones: 3, twos: null }, for known names only. Raises `LinkError`.
 *
 * @type {(text: string | undefined, known: string[]) => Record<string, number | null>}
 */
export function readPairs(text, known) {
  const pairs = (text ?? "").split(",").filter(Boolean).map((item) => item.split(":"));
  return Object.fromEntries(pairs.map(([name, value]) => {
    if (!known.includes(name)) throw new LinkError(t("link.none-of", { text: name, names: known.join(", ") }));
    return [name, value ? readNumber(value, name, { lowest: -9999 }) : null];
  }));
}

/** @param {Record<string, number | null>} pairs */
export const writePairs = (pairs) => Object.entries(pairs).map(([name, value]) => `${name}:${value ?? ""}`).join(",");

/**
 * Read `all`, `none` or a list of names, in the order of `known`. Raises `LinkError`.
 *
 * @param {string | undefined} text
 * @param {string[]} known
 */
export function readNames(text, known) {
  if (text === "all") return [...known];
  const names = text === "none" ? [] : (text ?? "").split(",");
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) throw new LinkError(t("link.none-of", { text: strange || t("link.nothing"), names: known.join(", ") }));
  return known.filter((name) => names.includes(name));
}

/** @param {string[]} names @param {string[]} known */
export const writeNames = (names, known) => (names.length === known.length ? "all" : names.join(",") || "none");
