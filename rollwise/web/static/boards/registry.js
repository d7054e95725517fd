/**
 * The kinds of games: how a position is written, read, rolled and played, and how it looks. This is their only list on the page: a
 * kind is a module that offers a `Kind` (../../types.d.ts), and a line here under the name that games give as `board_kind`.
 *
 * A game of the kind "any" may name a drawing of its own, its `look`: a module that offers `makeStage` (`MakeStage`) and, where its dice
 * or its texts differ, a part of the kind, and a line in `LOOKS`.
 *
 * @import { Kind, Looks } from "../../types.js"
 */

import { styled } from "../app/styled.js";
import { loadTexts } from "../texts/texts.js";
import { clearDice, enterDie } from "./dice-tray.js";

const dice = { enter: enterDie, clear: clearDice };

/** @type {Record<string, () => Promise<any>>} */
export const KINDS = {
  sheet: async () => ({ ...dice, ...(await import("./sheet.js")).sheet, ...(await import("./sheet-view.js")) }),
  "duel-sheet": async () => ({ ...dice, ...(await import("./duel-sheet.js")).duelSheet, ...(await import("./duel-sheet-view.js")) }),
  slots: async () => ({ ...dice, ...(await import("./slots.js")).slots }),
  words: async () => (await styled("words.css"), { ...dice, ...(await import("./words.js")).words }),
  groups: async () => (await styled("groups.css"), { ...(await import("./groups.js")).groups, ...(await import("./groups-view.js")) }),
  any: async () => (await styled("generic-board.css"), { ...(await import("./generic.js")).any, ...(await import("./generic-view.js")) }),
};

/** Drawings of boards of the kind "any", by the name that a game's view gives as `look`. @type {Record<string, () => Promise<Looks>>} */
export const LOOKS = {
  backgammon: async () => (await Promise.all([styled("points.css"), styled("backgammon.css")]), import("./backgammon.js")),
  columns: async () => (await styled("columns.css"), import("./columns.js")),
  farkle: async () => (await Promise.all([styled("lanes.css"), styled("aside.css")]), import("./farkle.js")),
  hog: async () => (await styled("lanes.css"), import("./hog.js")),
  lanes: async () => (await styled("lanes.css"), import("./lanes.js")),
  points: async () => (await styled("points.css"), import("./points.js")),
  squares: async () => (await styled("squares.css"), import("./squares.js")),
  threes: async () => (await styled("aside.css"), import("./threes.js")),
  tiles: async () => (await styled("tiles.css"), import("./tiles.js")),
};

/** The styles of all tables: those of some boards, and of what follows a game, come after them. */
const TABLE_STYLES = styled("table.css");

/** Load a kind; one that is not known here is shown like any game. @type {(board: { kind: string, look?: string }) => Promise<Kind>} */
export async function loadKind({ kind: name, look = "" }) {
  const [kind] = await Promise.all([(Object.hasOwn(KINDS, name) ? KINDS[name] : KINDS.any)(), TABLE_STYLES]);
  if (!Object.hasOwn(LOOKS, look)) return kind;
  const [{ makeStage, kind: own }] = await Promise.all([LOOKS[look](), loadTexts("looks")]);
  return { ...kind, ...own, makeView: (/** @type {any} */ board, /** @type {any} */ acts) => kind.makeView(board, acts, makeStage) };
}

// For style sheets that come after those of the tables.
export { styled };
