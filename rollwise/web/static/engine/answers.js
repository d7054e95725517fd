/**
 * The answers of the server, from a solution in a table: advice, what may be rolled, a graded game (rollwise/wire/to_json.py,
 * rollwise/playing/grade.py).
 *
 * @import { Graded, Line, Move, Rolls, Step, Value } from "../../types.js"
 * @import { Ranked } from "./reasons.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { TIE } from "./turn.js";

/**
 * What answers need of a solved game; S are its states, P its pending rolls, both whatever it likes. Moves are texts.
 *
 * @template S, P
 * @typedef {{
 *   header: any, start(): P, readState(text: string): S, readAction(text: string): string,
 *   showState(state: S): string, showPending(pending: P): string, id(state: S): string, position(state: S): any,
 *   stateValue(state: S): number | null, pendingValue(pending: P): number, valued(state: S): { action: string, value: number }[],
 *   play(state: S, action: string): P, gain(state: S, action: string): number, banks?(state: S, action: string): number, why(state: S, action: string, ranked: Ranked[]): any,
 *   canFollow(pending: P, state: S): boolean, outcomes(pending: P): { state: S, weight: number, label: string, dice: string[] }[],
 *   before(pending: P): any, mover?(state: S): number, cost?(pending: P): number,
 * }} Solved
 */

const MOST_ROLLS = 500;

/**
 * A value in JSON types.
 *
 * @param {number} value
 * @returns {Value}
 */
const plain = (value) => (Math.abs(value) === Infinity ? "impossible" : value);

/** @param {string} key @param {import("../texts/render.js").Args} [args] */
const wrong = (key, args) => new ApiError(422, t(key, args));

/**
 * What a state is worth. Raises `ApiError` where there is no such state.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {S} state
 */
export function valueOf(solved, state) {
  const value = solved.stateValue(state);
  if (value === null) throw wrong("error.no-state", { what: { key: "error.state", args: { state: solved.showState(state) } } });
  return value;
}

/**
 * All moves from best to worst, the chosen one first.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {S} state
 * @returns {Ranked[]}
 */
export function rank(solved, state) {
  const best = valueOf(solved, state);
  const rows = solved.valued(state).map(({ action, value }, place) => ({ action, value, loss: lossOf(best, value), place }));
  const chosen = rows.findIndex(({ loss }) => loss <= TIE * Math.abs(best));
  return rows.sort((a, b) => Number(b.place === chosen) - Number(a.place === chosen) || (a.loss === b.loss ? 0 : a.loss - b.loss) || a.place - b.place);
}

/**
 * @param {number} best
 * @param {number} value
 */
const lossOf = (best, value) => (best === value ? 0 : Math.abs(best - value));

/**
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {{ state: string, top?: number, reasons?: number }} request
 */
export function advise(solved, { state: text, top = Infinity, reasons = Infinity }) {
  const state = solved.readState(text);
  const value = valueOf(solved, state);
  const ranked = rank(solved, state);
  const moves = ranked.slice(0, top).map((row, i) => describeMove(solved, state, row, i < reasons ? solved.why(state, row.action, ranked) : ""));
  const { value_name: valueName, better } = solved.header.job.result;
  return {
    state: solved.showState(state), id: solved.id(state), over: !ranked.length, value: plain(value), exact: null, value_name: valueName, better,
    position: solved.position(state), moves,
  };
}

/**
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {S} state
 * @param {Ranked} row
 * @param {any} why a text or a message
 * @returns {Move}
 */
function describeMove(solved, state, { action, value, loss }, why) {
  const gain = solved.gain(state, action);
  const points = solved.banks?.(state, action) ?? gain;
  return { action, value: plain(value), exact: null, loss: plain(loss), gain, points, why, after: solved.showPending(solved.play(state, action)) };
}

/**
 * What an opponent does who plays best.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {{ state: string, opponent: string }} request
 */
export function reply(solved, { state: text, opponent }) {
  if (opponent !== "optimal") throw wrong("fault.best-only");
  const state = solved.readState(text);
  const before = valueOf(solved, state);
  const ranked = rank(solved, state);
  if (!ranked.length) throw wrong("error.over", { state: solved.showState(state) });
  const move = describeMove(solved, state, ranked[0], solved.why(state, ranked[0].action, ranked));
  return { ...move, opponent, player: /** @type {any} */ ((solved.mover?.(state) ?? 0)), state: solved.showState(state), before: plain(before) };
}

/**
 * The state and the roll that a move leads to. Raises `ApiError` for what is no move there.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {{ state: string, action: string }} request
 */
export function readMove(solved, { state: text, action: given }) {
  const state = solved.readState(text);
  const action = solved.readAction(given);
  valueOf(solved, state);
  if (!solved.valued(state).some((row) => row.action === action)) {
    throw wrong("error.move", { move: `'${action}'`, state: solved.showState(state) });
  }
  return { state, action, pending: solved.play(state, action) };
}

/**
 * What may be rolled after a move, or at the start, the likeliest first.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {{ state: string | null, action: string | null, draw?: number, top?: number }} request
 * @returns {Rolls}
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

/**
 * @template {{ weight: number }} R
 * @param {R[]} found
 * @param {number} place
 */
function drawFrom(found, place) {
  let upto = 0;
  return found.find(({ weight }) => {
    upto += weight;
    return place < upto;
  }) ?? /** @type {R} */ (found.at(-1));
}

/**
 * Grade a game: what each roll gave, and what each move lost.
 *
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {Line[]} lines
 * @returns {Graded}
 */
export function grade(solved, lines) {
  const game = new Graded_(solved);
  lines.forEach((line, i) => {
    try {
      game.take(line);
    } catch (error) {
      throw error instanceof ApiError ? wrong("error.line", { n: i + 1, fault: error.message }) : error;
    }
  });
  game.finish();
  return game.describe();
}

/** @template S, P */
class Graded_ {
  /** @param {Solved<S, P>} solved */
  constructor(solved) {
    this.solved = solved;
    const { better, two_players: two } = solved.header.job.result;
    this.sign = better === "lower" ? -1 : 1;
    this.two = Boolean(two);
    this.costs = solved.header.counts === "costs";
    this.pending = solved.start();
    /** @type {{ state: S, value: number, luck: number, action: string | null, loss: number, best: string | null, mover: number }[]} */
    this.steps = [];
    this.banked = 0;
    this.rolling = true;
  }

  /** @param {Line} line */
  take({ kind, text }) {
    if (kind !== (this.rolling ? "roll" : "move")) throw wrong(this.rolling ? "error.expected-roll" : "error.expected-move");
    if (kind === "roll") this.roll(this.solved.readState(text));
    else this.move(this.solved.readAction(text));
  }

  /** @param {S} state */
  roll(state) {
    const { solved, pending } = this;
    if (!solved.canFollow(pending, state)) throw wrong("error.follow", { state: solved.showState(state), roll: solved.showPending(pending) });
    const value = valueOf(solved, state);
    const cost = (this.costs && solved.cost?.(pending)) || 0;
    const luck = this.sign * minus(cost + value, solved.pendingValue(pending));
    this.steps.push({ state, value, luck, action: null, loss: 0, best: null, mover: 0 });
    this.banked += cost;
    this.rolling = false;
  }

  /** @param {string} action */
  move(action) {
    const { solved } = this;
    const last = this.steps[this.steps.length - 1];
    const ranked = rank(solved, last.state);
    const made = ranked.find((row) => row.action === action);
    if (!made) throw wrong(ranked.length ? "error.forbidden" : "error.late", { action, state: solved.showState(last.state) });
    Object.assign(last, { action, loss: made.loss, best: ranked[0].action, mover: solved.mover?.(last.state) ?? 0 });
    this.banked += this.costs || !solved.header.adds ? 0 : solved.gain(last.state, action);
    this.pending = solved.play(last.state, action);
    this.rolling = true;
  }

  /** A sure roll at the end may be left out. */
  finish() {
    if (!this.steps.length || !this.rolling) return;
    const [only, ...others] = this.solved.outcomes(this.pending);
    if (!others.length && !this.solved.valued(only.state).length) this.roll(only.state);
  }

  /** @returns {Graded} */
  describe() {
    const { solved, steps } = this;
    const { severities } = solved.header;
    const add = (/** @type {number[]} */ list) => list.reduce((sum, number) => sum + number, 0);
    const lost = (/** @type {number} */ mover) => add(steps.filter((step) => step.mover === mover).map(({ loss }) => loss));
    const left = this.rolling ? solved.pendingValue(this.pending) : steps[steps.length - 1].value;
    const start = plain(solved.pendingValue(solved.start()));
    const judged = steps.map((step) => describeStep(solved, step, severities));
    const own = judged.filter((_, i) => steps[i].mover === 0);
    return {
      start, value: start, exact: null, luck: plain(add(steps.map(({ luck }) => luck))), mistakes: plain(lost(0)),
      rival_mistakes: steps.some(({ mover }) => mover) ? plain(lost(1)) : null, total: plain(this.banked + left),
      over: !this.rolling && !solved.valued(steps[steps.length - 1].state).length, severities,
      counts: Object.fromEntries(Object.keys(severities).map((name) => [name, own.filter(({ severity }) => severity === name).length])), steps: judged,
    };
  }
}

/**
 * The difference; of two infinite values, none.
 *
 * @param {number} a
 * @param {number} b
 */
const minus = (a, b) => (a === b ? 0 : a - b);

/**
 * @template S, P
 * @param {Solved<S, P>} solved
 * @param {{ state: S, value: number, luck: number, action: string | null, loss: number, best: string | null, mover: number }} step
 * @param {Record<string, number>} severities
 * @returns {Step}
 */
function describeStep(solved, { state, value, luck, action, loss, best, mover }, severities) {
  const roll = solved.showState(state);
  const clean = loss < 1e-9 ? 0 : loss;
  const severity = action === null ? null : Object.entries(severities).findLast(([, least]) => clean >= least)?.[0] ?? null;
  const lost = /** @type {Value | null} */ (action === null ? null : plain(loss));
  return { roll, state: roll, action, move: action, value: plain(value), luck: plain(luck), loss: lost, best, severity, mover };
}
