/**
 * Asking how the players stand: how each one's game may end, from which follows who wins; of two, the solved duel where there is one.
 *
 * @import { PartyTable } from "./table.js"
 * @import { Seat } from "./party.js"
 * @import { Spread } from "./win-chances.js"
 */

import * as api from "../app/api.js";
import { onceSolved } from "../app/solve-game.js";
import { untilPrepared } from "../coach/outlook-requests.js";
import { writeDuel } from "../boards/duel-sheet.js";
import { alone } from "./party.js";
import { certain, decided, spreadOf, winChances } from "./win-chances.js";

/** Who plays fast asks for less. */
const DELAY_MS = 200;
/** A server that has too much to do is left alone. */
const QUIET_MS = 10_000;
const KEPT = 400;

/** What an outlook is asked for with. @typedef {{ state: string, action: string } | null} Question null: the whole game */

/** Make what computes the chances of a table. @param {PartyTable} table */
export function makeOdds(table) {
  const known = new Map();
  let quietUntil = 0;
  const patient = new AbortController().signal;
  /** @type {Promise<any> | null} */
  let whole = null;
  /** The chances that were computed last. @type {{ chances: (number | null)[], exact: boolean }} */
  let last = { chances: [], exact: false };

  /** @param {AbortSignal} signal */
  async function estimate(signal) {
    if (!table.party.odds || table.over) return;
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    if (signal.aborted) return;
    const exact = isExact() ? await duelChance(signal) : null;
    /** @type {(number | null)[] | null} */
    const chances = exact === null ? await independent(signal) : [exact, 1 - exact];
    const isBusy = Date.now() < quietUntil && chances?.includes(null);
    if (signal.aborted || !chances || (isBusy && last.chances.length)) return;
    last = { chances, exact: exact !== null };
    table.render();
  }

  /** @param {AbortSignal} signal */
  async function independent(signal) {
    const spreads = [];
    for (const [i, seat] of table.seats.entries()) spreads.push(await spreadAt(i, seat, signal));
    if (signal.aborted) return null;
    if (spreads.some((spread) => spread === null)) return spreads.map(() => null);
    return winChances(/** @type {Spread[]} */ (spreads), table.result.better);
  }

  /**
   * How the game of a player may end; null where that is not known.
   *
   * @type {(i: number, seat: Seat, signal: AbortSignal) => Promise<Spread | null>}
   */
  async function spreadAt(i, seat, signal) {
    if (seat.over) return seat.result === null ? null : certain(seat.result);
    const moves = i === table.mover;
    if (isDecided(table)) return decided(Number(moves && table.fresh ? table.shown?.value : table.result.value));
    const now = moves && nowAt(table);
    // With the coach the chart asks for the same, and `take` hears of it.
    if (now && (!table.coach || known.has(keyOf(now)))) return asked(now, table.kind.banked(table.position), signal);
    if (seat.last) return asked(seat.last, seat.last.banked ?? (await bankedBefore(seat.last, signal)), signal);
    const untouched = isFresh(table, i === table.mover ? null : seat.position);
    return untouched || !isSheet(table) ? asked(null, 0, signal) : null;
  }

  /** @param {Question} question @param {number | null} banked @param {AbortSignal} signal */
  async function asked(question, banked, signal) {
    if (banked === null) return null;
    const key = keyOf(question);
    const found = known.has(key) ? known.get(key) : await sought(key, question, signal);
    return found && spreadOf(found, banked);
  }

  /**
   * What was banked before points were written by hand, as if the roll that stands in for them had been played.
   *
   * @type {(last: import("./party.js").Last, signal: AbortSignal) => Promise<number | null>}
   */
  async function bankedBefore({ state, action, after = 0 }, signal) {
    const key = `gain|${state}|${action}`;
    try {
      const request = { ...api.sent({ ...table.asked, objective: null }), state, top: 1000, reasons: 0 };
      const gain = known.get(key) ?? (await api.advise(request, signal)).moves.find((move) => move.action === action)?.gain;
      known.set(key, gain);
      return typeof gain === "number" ? after - gain : null;
    } catch {
      return null;
    }
  }

  /**
   * Ask the server, and remember what it said, a refusal as well. How a whole game may end takes the longest, and is asked for once.
   *
   * @param {string} key
   * @param {Question} question
   * @param {AbortSignal} signal
   */
  async function sought(key, question, signal) {
    if (Date.now() < quietUntil) return null;
    if (!question) whole ??= prepared(null, patient).catch(() => (whole = null));
    try {
      const found = await (question ? prepared(question, signal) : whole);
      if (known.size > KEPT) known.clear();
      if (found) known.set(key, found);
      return found;
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if ([409, 413, 422].includes(status)) known.set(key, null);
      if (status === 429) quietUntil = Date.now() + QUIET_MS;
      return null;
    }
  }

  /**
   * Hear of an outlook that the chart asked for; null: of the whole game.
   *
   * @param {Question} question
   * @param {import("../../types.js").Outlook} outlook
   */
  function take(question, outlook) {
    known.set(keyOf(question), outlook);
    void estimate(table.abort.signal);
  }

  /** Ask until what makes answers quick is prepared. @param {Question} question @param {AbortSignal} signal */
  async function prepared(question, signal) {
    const request = { ...api.sent({ ...table.asked, objective: null }), exact: false };
    const call = () => (question ? api.outlook({ ...request, ...plain(question) }, signal) : api.distribution(request, signal));
    const found = await untilPrepared(call, signal);
    // An answer that was given up in the middle is empty.
    signal.throwIfAborted();
    return found;
  }

  const isExact = () => table.party.exact === true && mayDuel(table);

  /** The first player's chance in the solved duel; null where it is not known. @param {AbortSignal} signal */
  async function duelChance(signal) {
    const question = duelQuestion(table);
    try {
      if (!question) return numberOrNull((await solved())?.result?.value);
      const request = { ...api.sent(duelOf(table)), state: question.state, top: 1000, reasons: 0 };
      const advice = await onceSolved(() => api.advise(request, signal), solved);
      return numberOrNull(question.action === null ? advice.value : advice.moves.find((move) => move.action === question.action)?.value);
    } catch {
      return null;
    }
  }

  /** Solve the duel; `show` puts the progress on the page. @param {(node: HTMLElement) => void} [show] */
  const solved = (show = undefined) => table.shell.solve(duelOf(table), { title: table.title, show });

  /** Solve the duel, and show exact chances from now on. @param {(node: HTMLElement) => void} show */
  async function solveDuel(show) {
    if (!(await solved(show))) return;
    table.setParty({ exact: true });
    table.save();
    await estimate(table.abort.signal);
  }

  return { estimate, solveDuel, take, found: () => ({ ...last, canSolve: mayDuel(table) && !isExact() }) };
}

/** @param {Question} question */
const keyOf = (question) => (question ? `${question.state}|${question.action}` : "");

/** @param {unknown} value @returns {number | null} */
const numberOrNull = (value) => (typeof value === "number" ? value : null);

/** What is asked for with two sheets against each other. @param {PartyTable} table */
const duelOf = ({ asked }) => ({ ...asked, objective: "duel" });

/** @param {{ state: string, action: string }} question */
const plain = ({ state, action }) => ({ state, action });

/** Whether a game has turns on a sheet or slots, so that players are in the middle of it together. @param {PartyTable} table */
const isSheet = ({ position }) => "open" in position || "free" in position;

/** Whether a game is only won or lost, and nothing is counted. @param {PartyTable} table */
const isDecided = (table) => table.result.share && table.asked.objective === null && !isSheet(table);

/** Whether nothing was done on a seat. @param {PartyTable} table @param {any} position null: on the mover's */
const isFresh = ({ kind, board, position: now }, position) => {
  const first = kind.fresh(board);
  const own = position ?? now;
  return (first.open ?? first.free)?.length === (own.open ?? own.free)?.length;
};

/** What the player at it will have with the best move; null before the roll, or where the aim is another. @param {PartyTable} table */
const nowAt = (table) =>
  table.fresh && table.shown && table.asked.objective === null && isSheet(table) ? { state: table.shown.state, action: table.shown.moves[0].action } : null;

/** Whether the game of two on this sheet can be solved as a duel. @param {PartyTable} table */
const mayDuel = ({ job, party, asked }) => party.names.length === 2 && asked.objective === null && /** @type {any} */ (job).mayDuel === true;

/**
 * What to ask the solved duel: the position on the table, or before a roll the move that led to it; null at the start.
 *
 * @type {(table: PartyTable) => { state: string, action: string | null } | null}
 */
function duelQuestion(table) {
  const { kind, position, mover, seats } = table;
  const board = /** @type {any} */ (table.board);
  const other = seats[1 - mover];
  if (kind.ready(position)) return { state: writeDuel(board, kind.text(board, alone(position)), other.position, position.total), action: null };
  const { last } = other;
  return last?.banked === null || !last ? null : { state: writeDuel(board, last.state, alone(position), last.banked), action: last.action };
}
