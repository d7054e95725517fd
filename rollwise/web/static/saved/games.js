/**
 * Games that are kept in this browser: those to go on with, and the results of those that are over.
 *
 * Each has a short entry for lists, and what is needed to lay it on the table beside it. A game is known by its seed, which no two
 * share. How much is kept is bounded, well below what browsers give a page, and what does not fit is reported.
 *
 * @import { Asked, Mode } from "../../types.js"
 * @typedef {{ name: string, result: string }} Player
 * @typedef {{ id: string, title: string, differs: string, players: Player[], winner: string, over: boolean, head: string,
 *   done: number, of: number, steps: number, began: number, when: number, size: number }} Entry
 * @typedef {{ asked: Asked, mode: Mode, fragment: string, play: any }} Laid
 */

import { readStored, storage, writeStored } from "../app/storage.js";

const ENTRY = "rollwise.kept.";
const LAID = "rollwise.laid.";
/** What learn/graded.js keeps of a game, which goes with it. */
export const GRADED = "rollwise.graded.";
const FULL_STEPS = 80;
const FEW_STEPS = 10;
export const MOST_GAMES = 200;
const MOST_CHARACTERS = 4_000_000;

/** Why a game is not kept: the key of what is said about it. @typedef {"kept.many" | "kept.full" | "kept.never"} Fault */

/** List what is kept, the latest first. @returns {Entry[]} */
export function listKept() {
  const names = Object.keys(storage() ?? {}).filter((name) => name.startsWith(ENTRY));
  const entries = names.map(readStored).filter((entry) => typeof entry?.id === "string" && Array.isArray(entry.players));
  return entries.sort((a, b) => b.when - a.when);
}

/** Give what lays a kept game on the table; null where there is none. @param {string} id @returns {Laid | null} */
export function readKept(id) {
  const found = readStored(LAID + id);
  return found?.play && typeof found.fragment === "string" ? { ...found, play: unpoolSeats(found.play) } : null;
}

/** Write each seat of a party once: steps to take back share most of them. @param {any} play */
export function poolSeats(play) {
  /** @type {Map<object, number>} */
  const places = new Map();
  const place = (/** @type {object} */ seat) => {
    if (!places.has(seat)) places.set(seat, places.size);
    return places.get(seat);
  };
  const pooled = withSeats(play, place);
  return places.size ? { ...pooled, pool: [...places.keys()] } : pooled;
}

/** @param {any} play */
export function unpoolSeats({ pool, ...play }) {
  return pool ? withSeats(play, (/** @type {number} */ at) => pool[at]) : play;
}

/** Change every seat of a game and of its past. @param {any} play @param {(seat: any) => any} change */
function withSeats(play, change) {
  const each = (/** @type {any} */ moment) =>
    moment.position?.party
      ? { ...moment, position: { ...moment.position, party: { ...moment.position.party, seats: moment.position.party.seats.map(change) } } }
      : moment;
  return { ...each(play), past: play.past.map(each) };
}

/**
 * Keep a game, or say why that is not possible. Of a game that is over, and where there is little room, fewer steps to take back
 * are kept.
 *
 * @type {(facts: Omit<Entry, "size" | "began" | "when">, laid: Laid, now?: number) => Fault | null}
 */
export function keepGame(facts, laid, now = Date.now()) {
  if (!storage()) return "kept.never";
  const before = /** @type {Entry | null} */ (readStored(ENTRY + facts.id));
  if (before && isSame(before, facts)) return null;
  const others = listKept().filter(({ id }) => id !== facts.id);
  if (!before && others.length >= MOST_GAMES) return "kept.many";
  const used = others.reduce((sum, { size }) => sum + size, 0);
  for (const steps of facts.over ? [0] : [FULL_STEPS, FEW_STEPS, 0]) {
    const play = poolSeats({ ...laid.play, past: steps ? laid.play.past.slice(-steps) : [] });
    const size = JSON.stringify({ ...laid, play }).length;
    const entry = { ...facts, began: before?.began ?? now, when: now, size };
    if (used + size <= MOST_CHARACTERS && writeStored(LAID + facts.id, { ...laid, play }) && writeStored(ENTRY + facts.id, entry)) return null;
  }
  return "kept.full";
}

/** Whether nothing was done since: to look at a game does not make it the latest. @param {any} before @param {any} facts */
const isSame = (before, facts) => Object.keys(facts).every((name) => JSON.stringify(before[name]) === JSON.stringify(facts[name]));

/**
 * Take a kept game away in a way that can be taken back: gives what puts it back.
 *
 * @type {(id: string) => () => void}
 */
export function takeAway(id) {
  const names = [ENTRY + id, LAID + id, GRADED + id];
  const values = names.map(readStored);
  for (const name of names) storage()?.removeItem(name);
  return () => names.forEach((name, i) => values[i] !== null && writeStored(name, values[i]));
}

/** Sum up the games of several players that are over: how often each played, and won. @param {Entry[]} entries */
export function sumUp(entries) {
  /** @type {Map<string, { name: string, games: number, wins: number }>} */
  const sums = new Map();
  for (const { over, players, winner } of entries) {
    if (!over || players.length < 2) continue;
    for (const { name } of players) {
      const sum = sums.get(name) ?? { name, games: 0, wins: 0 };
      sums.set(name, { name, games: sum.games + 1, wins: sum.wins + (winner === name ? 1 : 0) });
    }
  }
  return [...sums.values()].sort((a, b) => b.wins - a.wins || b.games - a.games);
}
