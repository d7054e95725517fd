/**
 * The answers of the server, from a solution in a table: advice, what may be rolled, a graded game (rollwise/wire/to_json.py,
 * rollwise/playing/grade.py).
 *
 * @import { Advice, Graded, LocalTable, Line, Move, Step, Value } from "../../types.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { TIE } from "./turn.js";

/** A move with its value, and what it loses against the best. @typedef {{ action: string, value: number, loss: number }} Ranked */

/**
 * What answers need of a solved game; S are its states, P its pending rolls, both whatever it likes. Moves are texts. `stateValue` is null
 * where there is no such state, `banks` is what a move adds to the mover's own sheet, whatever is played for.
 *
 * @template S, P
 * @typedef {{
 *   header: any, start(): P, readState(text: string): S, showState(state: S): string, showPending(pending: P): string,
 *   id(state: S): string, position(state: S): any, before(pending: P): any, mover(state: S): number, cost(pending: P): number,
 *   stateValue(state: S): number | null, pendingValue(pending: P): number, valued(state: S): { action: string, value: number }[],
 *   play(state: S, action: string): P, gain(state: S, action: string): number, banks(state: S, action: string): number,
 *   why(state: S, action: string, ranked: Ranked[]): any, reasons(state: S, action: string, ranked: Ranked[]): any[],
 *   decision(state: S): string, obvious(state: S): string,
 *   outcomes(pending: P): { state: S, weight: number, label: string, dice: string[] }[],
 * }} Solved
 */

/** @typedef {Solved<any, any>} Any */

/**
 * A roll of a graded game and the move after it; null: none was made.
 *
 * @typedef {{ state: any, value: number, luck: number, action: string | null, loss: number, best: string | null, mover: number,
 *   decision: string | null, obvious: boolean | null }} Judged
 */

const MOST_ROLLS = 500;
/** Losses below this are rounding: none. */
const ROUNDING = 1e-9;

/** A value in JSON types. @type {(value: number) => Value} */
const plain = (value) => (Math.abs(value) === Infinity ? "impossible" : value);

/** The difference; of two infinite values, none. @type {(a: number, b: number) => number} */
const minus = (a, b) => (a === b ? 0 : a - b);

/** @param {string} key @param {import("../texts/render.js").Args} [args] */
const wrong = (key, args) => new ApiError(422, t(key, args));

/** What a state is worth. Raises `ApiError` where there is no such state. @param {Any} solved @param {any} state */
function valueOf(solved, state) {
  const value = solved.stateValue(state);
  if (value === null) throw wrong("error.no-state", { what: { key: "error.state", args: { state: solved.showState(state) } } });
  return value;
}

/** All moves from best to worst, the chosen one first. @type {(solved: Any, state: any) => Ranked[]} */
export function rank(solved, state) {
  const best = valueOf(solved, state);
  const rows = solved.valued(state).map(({ action, value }, place) => ({ action, value, loss: Math.abs(minus(best, value)), place }));
  const chosen = rows.findIndex(({ loss }) => loss <= TIE * Math.abs(best));
  return rows.sort((a, b) => Number(b.place === chosen) - Number(a.place === chosen) || minus(a.loss, b.loss) || a.place - b.place);
}

/** @type {(solved: Any, request: Parameters<LocalTable["advise"]>[0]) => Advice} */
export function advise(solved, { state: text, top = Infinity, reasons = Infinity }) {
  const state = solved.readState(text);
  const value = plain(valueOf(solved, state));
  const ranked = rank(solved, state);
  const moves = ranked.slice(0, top).map((row, i) => {
    const isFull = i < reasons;
    const account = isFull ? solved.reasons(state, row.action, ranked) : [];
    return { ...describeMove(solved, state, row, isFull ? solved.why(state, row.action, ranked) : ""), reasons: account };
  });
  const { value_name, better } = solved.header.job.result;
  return {
    state: solved.showState(state), id: solved.id(state), over: !ranked.length, value, exact: null, value_name, better,
    position: solved.position(state), moves,
  };
}

/** @type {(solved: Any, state: any, row: Ranked, why: any) => Move} */
function describeMove(solved, state, { action, value, loss }, why) {
  const [gain, points] = [solved.gain(state, action), solved.banks(state, action)];
  return { action, value: plain(value), exact: null, loss: plain(loss), gain, points, why, reasons: [], after: solved.showPending(solved.play(state, action)) };
}

/** What an opponent does who plays best. @type {(solved: Any, request: { state: string, opponent: string }) => any} */
export function reply(solved, { state: text, opponent }) {
  if (opponent !== "optimal") throw wrong("fault.best-only");
  const state = solved.readState(text);
  const before = plain(valueOf(solved, state));
  const ranked = rank(solved, state);
  if (!ranked.length) throw wrong("error.over", { state: solved.showState(state) });
  const move = describeMove(solved, state, ranked[0], solved.why(state, ranked[0].action, ranked));
  return { ...move, opponent, player: solved.mover(state), state: solved.showState(state), before };
}

/**
 * The state and the roll that a move leads to. Raises `ApiError` for what is no move there.
 *
 * @param {Any} solved
 * @param {{ state: string, action: string }} request
 */
export function readMove(solved, { state: text, action }) {
  const state = solved.readState(text);
  valueOf(solved, state);
  if (!solved.valued(state).some((row) => row.action === action)) {
    throw wrong("error.move", { move: `'${action}'`, state: solved.showState(state) });
  }
  return { state, action, pending: solved.play(state, action) };
}

/**
 * What may be rolled after a move, or at the start, the likeliest first.
 *
 * @type {(solved: Any, request: Parameters<LocalTable["rolls"]>[0]) => ReturnType<LocalTable["rolls"]>}
 */
export function rolls(solved, { state, action, draw, top = MOST_ROLLS }) {
  const pending = state === null || action === null ? solved.start() : readMove(solved, { state, action }).pending;
  const found = solved.outcomes(pending);
  const total = found.reduce((sum, { weight }) => sum + weight, 0);
  const describe = (/** @type {typeof found[number]} */ roll) => ({
    state: solved.showState(roll.state), chance: roll.weight / total, label: roll.label, dice: roll.dice,
    over: !solved.valued(roll.state).length, position: solved.position(roll.state),
  });
  const order = [...found].sort((a, b) => b.weight - a.weight);
  const rest = order.slice(top).reduce((sum, { weight }) => sum + weight, 0) / total;
  const drawn = draw === undefined ? null : describe(drawFrom(found, draw * total));
  return { after: solved.showPending(pending), before: solved.before(pending), rolls: order.slice(0, top).map(describe), rest, drawn };
}

/** @template {{ weight: number }} R @param {R[]} found @param {number} place */
function drawFrom(found, place) {
  let upto = 0;
  return found.find(({ weight }) => (upto += weight) > place) ?? found[found.length - 1];
}

/** Grade a game: what each roll gave, and what each move lost. @type {(solved: Any, lines: Line[]) => Graded} */
export function grade(solved, lines) {
  const { header } = solved;
  const sign = header.job.result.better === "lower" ? -1 : 1;
  const costs = header.counts === "costs";
  /** @type {Judged[]} */
  const steps = [];
  let pending = solved.start();
  let banked = 0;
  let rolling = true;

  /** @param {any} state */
  function roll(state) {
    const text = solved.showState(state);
    if (!solved.outcomes(pending).some((outcome) => solved.showState(outcome.state) === text)) {
      throw wrong("error.follow", { state: text, roll: solved.showPending(pending) });
    }
    const value = valueOf(solved, state);
    const cost = costs ? solved.cost(pending) : 0;
    const luck = sign * minus(cost + value, solved.pendingValue(pending));
    steps.push({ state, value, luck, action: null, loss: 0, best: null, mover: 0, decision: null, obvious: null });
    banked += cost;
    rolling = false;
  }

  /** @param {string} action */
  function move(action) {
    const last = steps[steps.length - 1];
    const ranked = rank(solved, last.state);
    const made = ranked.find((row) => row.action === action);
    if (!made) throw wrong(ranked.length ? "error.forbidden" : "error.late", { action, state: solved.showState(last.state) });
    const kind = ranked.length > 1 ? { decision: solved.decision(last.state), obvious: isObvious(solved, last.state, ranked, made) } : {};
    Object.assign(last, { action, loss: made.loss, best: ranked[0].action, mover: solved.mover(last.state), ...kind });
    banked += costs || !header.adds ? 0 : solved.gain(last.state, action);
    pending = solved.play(last.state, action);
    rolling = true;
  }

  lines.forEach(({ kind, text }, i) => {
    try {
      if (kind !== (rolling ? "roll" : "move")) throw wrong(rolling ? "error.expected-roll" : "error.expected-move");
      if (kind === "roll") roll(solved.readState(text));
      else move(text);
    } catch (error) {
      throw error instanceof ApiError ? wrong("error.line", { n: i + 1, fault: error.message }) : error;
    }
  });
  // A sure roll at the end may be left out.
  const [only, ...others] = steps.length && rolling ? solved.outcomes(pending) : [];
  if (only && !others.length && !solved.valued(only.state).length) roll(only.state);

  const last = steps.at(-1);
  const add = (/** @type {number[]} */ list) => list.reduce((sum, number) => sum + number, 0);
  const lost = (/** @type {number} */ mover) => plain(add(steps.filter((step) => step.mover === mover).map(({ loss }) => loss)));
  const start = plain(solved.pendingValue(solved.start()));
  const { severities } = header;
  const judged = steps.map((step) => describeStep(solved, step, severities));
  const own = judged.filter((step) => step.mover === 0);
  return {
    start, value: start, exact: null, luck: plain(add(steps.map(({ luck }) => luck))), mistakes: lost(0),
    rival_mistakes: steps.some(({ mover }) => mover) ? lost(1) : null,
    total: plain(banked + (last && !rolling ? last.value : solved.pendingValue(pending))),
    over: last !== undefined && !rolling && !solved.valued(last.state).length, severities,
    counts: Object.fromEntries(Object.keys(severities).map((name) => [name, own.filter(({ severity }) => severity === name).length])), steps: judged,
  };
}

/** Whether the move that looks best at once is a best one, and a best one was played. @type {(solved: Any, state: any, ranked: Ranked[], made: Ranked) => boolean} */
function isObvious(solved, state, ranked, made) {
  const looks = made.loss < ROUNDING && solved.obvious(state);
  return ranked.some(({ action, loss }) => action === looks && loss < ROUNDING);
}

/** @type {(solved: Any, step: Judged, severities: Record<string, number>) => Step} */
function describeStep(solved, { state, value, luck, action, loss, best, mover, decision, obvious }, severities) {
  const roll = solved.showState(state);
  const clean = loss < ROUNDING ? 0 : loss;
  const severity = action === null ? null : Object.entries(severities).findLast(([, least]) => clean >= least)?.[0] ?? null;
  return { roll, state: roll, action, move: action, value: plain(value), luck: plain(luck), loss: action === null ? null : plain(loss), best, severity, mover, decision, obvious };
}
