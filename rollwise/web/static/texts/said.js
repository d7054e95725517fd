/**
 * What the server and its tables say, in the language of the player. English is what they speak; for German, texts/said-de.js has names and
 * sentences. Nothing that goes back to the server is changed: states, actions and names stay as they are.
 */

import { language } from "./texts.js";

/** @type {{ boxes: Record<string, string>, say: (text: string) => string, move: (action: string) => string } | null} */
const german = language === "de" ? await import("./said-de.js") : null;

/** Fields of an answer that are read by people, and never sent back. */
const SPOKEN = new Set(["title", "summary", "brief", "label", "help", "why", "tempting_why", "paragraphs", "pays", "remark", "detail", "error", "what"]);

/**
 * Name a box as it stands on the sheet.
 *
 * @param {string} name
 */
export const boxWords = (name) => german?.boxes[name] ?? name;

/**
 * Name a move of a sheet.
 *
 * @param {string} action
 */
export const moveWords = (action) => german?.move(action) ?? action;

/**
 * Say a sentence of the server.
 *
 * @param {string} text
 */
export const said = (text) => german?.say(text) ?? text;

/**
 * Write a label within a sentence: German nouns stay large.
 *
 * @param {string} label
 */
export const within = (label) => (german ? label : label.charAt(0).toLowerCase() + label.slice(1));

/**
 * Give an answer with what is spoken in it in the language of the player.
 *
 * @template T
 * @param {T} answer
 * @returns {T}
 */
export const spoken = (answer) => (german ? speakIn(answer, false) : answer);

/**
 * @param {any} value
 * @param {boolean} isSpoken
 * @returns {any}
 */
function speakIn(value, isSpoken) {
  if (typeof value === "string") return isSpoken ? said(value) : value;
  if (Array.isArray(value)) return value.map((each) => speakIn(each, isSpoken));
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, speakIn(each, SPOKEN.has(name))]));
}
