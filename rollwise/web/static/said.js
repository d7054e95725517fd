/**
 * What the server and its tables say, in the language of the player. English is what they speak; for German, said-de.js has names and
 * sentences. Nothing that goes back to the server is changed: states, actions and names stay as they are.
 */

import { language } from "./text.js";

/** @type {{ boxes: Record<string, string>, say: (text: string) => string, move: (action: string) => string } | null} */
const german = language === "de" ? await import("./said-de.js") : null;

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
