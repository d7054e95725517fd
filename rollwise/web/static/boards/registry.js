/**
 * The kinds of games: how a position is written, read, rolled and played, and how it looks. This is their only list on the page: a
 * kind is a module that offers a `Kind` (../../types.d.ts), and a line here under the name that games give as `board_kind`.
 *
 * @import { Kind } from "../../types.js"
 */

import { clearDice, enterDie } from "./dice-tray.js";

const dice = { enter: enterDie, clear: clearDice };

/** @type {Record<string, () => Promise<any>>} */
export const KINDS = {
  sheet: async () => ({ ...dice, ...(await import("./sheet.js")).sheet, ...(await import("./sheet-view.js")) }),
  "duel-sheet": async () => ({ ...dice, ...(await import("./duel-sheet.js")).duelSheet, ...(await import("./duel-sheet-view.js")) }),
  slots: async () => ({ ...dice, ...(await import("./slots.js")).slots }),
  words: async () => ({ ...dice, ...(await import("./words.js")).words }),
  groups: async () => (await import("./groups.js")).groups,
  any: async () => (await styled("generic-board.css"), { ...(await import("./generic.js")).any, ...(await import("./generic-view.js")) }),
};

/** Load a kind; one that is not known here is shown like any game. @type {(name: string) => Promise<Kind>} */
export const loadKind = (name) => (Object.hasOwn(KINDS, name) ? KINDS[name] : KINDS.any)();

/** Load a style sheet, once. @param {string} name @returns {Promise<unknown>} */
export function styled(name) {
  const { href } = new URL(`../styles/${name}`, import.meta.url);
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
}
