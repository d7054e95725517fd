/**
 * All text of the page, by key, in the language of the player: `t("n.die", { n: 3 })`. The texts are rollwise/texts/en.json and its
 * translations, which the server puts beside this file. What the server says comes in that language; what tables and files say comes as
 * messages, which are written here.
 *
 * @import { Texts } from "./render.js"
 */

import { makeRenderer, makeWriter } from "./render.js";

/** Languages by their own names, as the server lists them. @type {Record<string, string>} */
export const LANGUAGES = JSON.parse(globalThis.document?.getElementById("data")?.textContent ?? "{}").languages ?? { en: "English" };
const KEPT = "rollwise.language";

/** The language that the player chose, else the first of the browser's that there is. */
export const language = chosen();

// The HTML, which is the same for everybody, has English loaded already: it stands in for what a translation lacks.
const [english, own] = await Promise.all([load("en"), language === "en" ? {} : load(language)]);
/** @type {Texts} */
const texts = { ...english, ...own };
const write = makeWriter(language);

/** Write a text, with `{name}` replaced by what is given under that name. */
export const t = makeRenderer(language, texts, write);

/** Write a number with so many digits behind the point, or the comma. @param {number} value @param {number} digits */
export const decimal = (value, digits) => write(value, digits, digits, false);

/** Name one of a few choices of a form. @param {string} name */
export const choiceName = (name) => named(`parameter.choice.${name}`, name);

/** Name what a number or a text on the table is. @param {string} name */
export const labelName = (name) => t.show(name, "label");

/** @param {string} key @param {string} name */
const named = (key, name) => (Object.hasOwn(texts, key) ? t(key) : name);

// The names of boxes, slots and moves. Within a sentence a text writes them itself: `{box, box}`, `{move, move}`.

/** Name boxes that are listed with commas, within a sentence. @param {string} names */
export const boxNames = (names) => t.show(names.split(","), "box");

/** Name a box as it stands on the sheet: "Three of a kind". @param {string} name */
export const boxName = (name) => capital(t.show(name, "box"));

/** List what a name may be typed as: its own, that of the box, and its short forms. @param {string} name */
export const spellings = (name) => [name, boxName(name), ...String(texts[`typed.${name}`] ?? "").split(",")].map(plain).filter(Boolean);

/** What names are compared by: without case, blanks and hyphens. @param {string} text */
export const plain = (text) => text.toLowerCase().replace(/[\s_-]+/g, "");

/** Name a move within a sentence: a box, the dice that stay, or what to do. @param {string} action */
export const moveName = (action) => t.show(action, "move");

/** Begin a name that stands by itself; one that is not a word, such as x2even, stays. @param {string} text */
export const capital = (text) => (/^\p{L}{2}/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/**
 * Give an answer with its messages written out.
 *
 * @template T
 * @param {T} answer
 * @returns {T}
 */
export const written = (answer) => writeIn(answer);

/** @param {any} value @returns {any} */
function writeIn(value) {
  if (Array.isArray(value)) return value.map(writeIn);
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (typeof value.key === "string" && value.args) return t(value.key, value.args);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, writeIn(each)]));
}

/** @type {Record<string, Promise<unknown>>} */
const parts = {};

/** Load a part of the texts that the start page does without, once: what games say, what is learnt, the risk dial, or boards that are drawings of their own. @param {"tables" | "learn" | "dial" | "looks"} part */
export const loadTexts = (part) =>
  (parts[part] ??= Promise.all(["en", language].map((name) => load(`${name}-${part}`))).then((found) => Object.assign(texts, ...found)));

/** @type {(name: string) => Promise<Texts>} */
async function load(name) {
  const answer = await fetch(new URL(`./${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`the texts of the page are not there: ${answer.status} for ${name}.json`);
  return answer.json();
}

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

/** Speak another language from now on: the page is loaded anew. @param {string} name */
export function speak(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    return;
  }
  location.reload();
}

/**
 * Put the text of the page's HTML into the language of the player: whatever names a key in `data-t`, or labels in `data-t-label`.
 *
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(/** @type {HTMLElement} */ (node).dataset.t ?? "");
  for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(/** @type {HTMLElement} */ (node).dataset.tLabel ?? ""));
}
