/**
 * What a list says about a game on the table: who plays, what they have, how far it is.
 *
 * @import { Entry } from "./games.js"
 */

import { readKept } from "./games.js";

/**
 * Say what a kept game is; null for one in which nothing was done yet, or that came by a link and is only looked at.
 *
 * @type {(table: import("../table/table.js").Table) => Omit<Entry, "size" | "began" | "when"> | null}
 */
export function factsOf(table) {
  const { play, title, differs, over, board, position, kind } = table;
  if (!play.past.length && !readKept(play.seed)) return null;
  if (!play.record.some(({ kind: what }) => what === "move" || what === "written")) return null;
  const model = table.model();
  const { party } = model;
  const places = party?.places ?? [];
  const first = places.filter((place) => place === 1).length === 1 ? places.indexOf(1) : -1;
  const own = { name: "", result: resultOf(position, kind.banked(position)) };
  return {
    id: play.seed, title, differs, over, steps: play.record.length,
    players: party ? playersOf(party, over) : [own],
    winner: over && party && first >= 0 ? party.names[first] : "",
    head: over ? kind.score(board, position, model).head : "",
    ...progressOf(board, party ? party.positions : [position]),
  };
}

/**
 * The players and what they have; at the end, the first one first.
 *
 * @param {import("../../types.js").PartyModel} party
 * @param {boolean} over
 */
function playersOf({ names, positions, results, places }, over) {
  const players = names.map((name, i) => ({ name, result: resultOf(positions[i], results[i]), place: places[i] ?? names.length }));
  return (over ? players.sort((a, b) => a.place - b.place) : players).map(({ name, result }) => ({ name, result }));
}

/** @param {any} position @param {number | null} banked */
const resultOf = ({ total, rolls }, banked) => String(banked || total || rolls || 0);

/** How many boxes are filled, of how many; nothing where there are none. @param {any} board @param {any[]} positions */
function progressOf(board, positions) {
  const all = (board.boxes ?? board.slots ?? []).reduce((/** @type {number} */ sum, /** @type {{ times?: number }} */ { times = 1 }) => sum + times, 0);
  const open = positions.reduce((sum, position) => sum + (position.open ?? position.free ?? []).length, 0);
  return { done: all * positions.length - open, of: all * positions.length };
}
