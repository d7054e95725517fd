/**
 * A game being played: the position, what was done so far, and what may be taken back. Plain data and functions on it; nothing
 * here knows of a page.
 *
 * `record` is all that was rolled and played; where the game was set up or came by a link, it begins with a line of the kind
 * "set", and cannot be graded. What the page rolls follows from `seed` and `record` alone, so that a move that was taken back and
 * made again gets the same roll.
 *
 * @import { Line as Graded, RollInfo, Value, Verdict } from "../../types.js"
 * @typedef {Graded | { kind: "set" | "end" | "written", text: string }} Line
 * @typedef {{ position: any, record: Line[], verdict: Verdict | null, held: boolean[], seed: string }} Moment
 * @typedef {Moment & { past: Moment[], mode: "mine" | "roll", coach: boolean, rival?: string | null, party?: any }} Play
 * @typedef {{ kind: any, board: any }} Game the rules of the table (a kind module) and what is on it
 */

import { drawFrom, newSeed } from "./fair-dice.js";

const PAST_KEPT = 300;
const VERSION = 1;

const noHolds = (/** @type {any} */ position) => /** @type {boolean[]} */ (position.dice?.map(() => false) ?? []);
const withoutRoll = (/** @type {Line[]} */ record) => (record.at(-1)?.kind === "roll" ? record.slice(0, -1) : record);

/**
 * Begin with a position; `lines` is the record of the whole game before it, or null where it did not begin at its start.
 * @param {Game} game
 * @param {{ position: any, lines: Line[] | null, mode?: "mine" | "roll", coach?: boolean, seed?: string }} given
 * @returns {Play}
 */
export function begin(game, { position, lines, mode = "mine", coach = true, seed = newSeed() }) {
  const record = withRoll(game, position, lines ?? setUp(game, position));
  return { position, record, verdict: null, held: heldBefore(position), seed, past: [], mode, coach };
}

/** The record of a position that was set up. @param {Game} game @param {any} position @returns {Line[]} */
const setUp = ({ kind, board }, position) => [{ kind: "set", text: JSON.stringify(kind.write(board, position)) }];

/** A roll that is complete joins the record. @param {Game} game @param {any} position @param {Line[]} record @returns {Line[]} */
function withRoll({ kind, board }, position, record) {
  if (!kind.ready(position) || record.at(-1)?.kind === "roll") return record;
  return [...record, kind.line?.(board, position) ?? { kind: "roll", text: kind.text(board, position) }];
}

/** The record as it can be graded: null where the game did not begin at its start. @param {Moment} moment */
export const linesOf = ({ record }) => (record[0]?.kind === "set" ? null : /** @type {Graded[]} */ (record));

/** Dice that were kept in the last roll stay held. @param {any} position @returns {boolean[]} */
export const heldBefore = (position) => (position.kept ? [...position.kept] : noHolds(position));

/** @param {Play} play @returns {Moment} */
const moment = ({ position, record, verdict, held, seed }) => ({ position, record, verdict, held, seed });

/**
 * Go on to another position, so that undo comes back to this one.
 *
 * @type {(game: Game, play: Play, next: { position: any, record: Line[], verdict: Verdict | null, seed?: string }) => Play}
 */
export function goOn(game, play, { position, record, verdict, seed = play.seed }) {
  const past = [...play.past, moment(play)].slice(-PAST_KEPT);
  return { ...play, past, position, verdict, seed, record: withRoll(game, position, record), held: heldBefore(position) };
}

/** Take the last step back. @param {Play} play @returns {Play} */
export function undo(play) {
  const before = play.past.at(-1);
  return before ? { ...play, ...before, past: play.past.slice(0, -1) } : play;
}

/** Take steps back until one is `wanted`, or none is left. @param {Play} play @param {(position: any) => boolean} wanted */
export function undoTo(play, wanted) {
  let now = undo(play);
  while (now.past.length && !wanted(now.position)) now = undo(now);
  return now;
}

/** Enter a face by hand, at the die `target` or the next one. @param {Game} game @param {Play} play @param {number | null} target @param {any} value */
export function enterFace(game, play, target, value) {
  const changesKept = target !== null && play.position.kept?.[target];
  const position = game.kind.enter(play.position, target, value);
  const record = changesKept ? setUp(game, position) : withoutRoll(play.record);
  return goOn(game, play, { position, record, verdict: play.verdict });
}

/** Take the last roll off the table. @param {Game} game @param {Play} play */
export const clearDice = (game, play) =>
  goOn(game, play, { position: game.kind.clear(play.position), record: withoutRoll(play.record), verdict: play.verdict });

/** Set up another position. @param {Game} game @param {Play} play @param {any} position */
export const change = (game, play, position) => goOn(game, play, { position, record: setUp(game, position), verdict: null });

/** Begin the same game again, with other luck. @param {Game} game @param {Play} play */
export const again = (game, play) =>
  goOn(game, play, { position: game.kind.fresh(game.board), record: [], verdict: null, seed: newSeed() });

/**
 * Play a move. Where the page rolls, the dice follow at once.
 * @param {Game} game
 * @param {Play} play
 * @param {{ action: string, loss: Value }} move
 * @param {{ best?: string, rolls?: boolean, drawn?: RollInfo }} [more] the best move, for the verdict (none: no verdict), whether the
 *   page rolls, and what the server drew, where the kind asks it
 */
export function playMove(game, play, move, { best, rolls = play.mode === "roll", drawn } = {}) {
  const { kind, board } = game;
  const record = recordAfter(play, move);
  const position = kind.play(board, play.position, move, play.held);
  const rolled = rolls && kind.rollsOn(move) ? kind.roll(board, position, luck(play.seed, record), drawn) : position;
  const verdict = best === undefined ? play.verdict : { action: move.action, loss: move.loss, best };
  return goOn(game, play, { position: rolled, record, verdict });
}

/** The record with a move. @param {Moment} moment @param {{ action: string }} move @returns {Line[]} */
export const recordAfter = ({ record }, { action }) => [...record, { kind: "move", text: action }];

/** Roll what is missing; `drawn`: what the server drew, where the kind asks it. @param {Game} game @param {Play} play @param {any} [drawn] */
export function rollOn(game, play, drawn) {
  const position = game.kind.roll(game.board, play.position, luck(play.seed, withoutRoll(play.record)), drawn);
  return goOn(game, play, { position, record: withoutRoll(play.record), verdict: play.verdict });
}

/** The luck that comes after a record in the game of this seed. @param {string} seed @param {Line[]} record */
export const luck = (seed, record) => drawFrom([seed, ...record.map(({ kind, text }) => `${kind} ${text}`)].join("\n"));

/** A number from 0 to 1 that follows from a record as its luck does. @param {string} seed @param {Line[]} record */
export function chanceOf(seed, record) {
  const draw = luck(seed, record);
  return (draw(2 ** 26) * 2 ** 27 + draw(2 ** 27)) / 2 ** 53;
}

/** Put the only roll there is on the table: nothing happened that could be taken back. @param {Game} game @param {Play} play @param {any} roll @returns {Play} */
export const sureRoll = (game, play, roll) => ({ ...enterFace(game, play, null, roll), past: play.past });

/** Hold these dice. @param {Play} play @param {boolean[]} held @returns {Play} */
export const hold = (play, held) => ({ ...play, held });

/** Hold or let go of die i. @param {Play} play @param {number} i */
export const toggleHold = (play, i) =>
  hold(play, play.position.dice.map((/** @type {any} */ _, /** @type {number} */ k) => Boolean(play.held[k]) !== (k === i)));

/** The move that the held dice stand for; null where there is none. @param {Game} game @param {Play} play @param {Map<string, any>} moves @returns {string | null} */
export function heldMove({ kind, board }, { position, held }, moves) {
  const action = kind.canHold(position) ? kind.action(board, position, held) : null;
  return moves.has(action) ? action : null;
}

/**
 * Select a move where advice has come: the best one; without advice the one that the held dice stand for.
 *
 * @type {(game: Game, play: Play, moves: Map<string, any>, best: string) => { play: Play, selected: string | null }}
 */
export function preselect(game, play, moves, best) {
  if (!play.coach) return { play, selected: heldMove(game, play, moves) };
  return { play: hold(play, game.kind.hold(game.board, play.position, best)), selected: best };
}

/** What a reload needs. Records of the past are beginnings of the present one for the most part, and only their ends are kept. @param {Play} play */
export function pack(play) {
  const { past, ...now } = play;
  const short = (/** @type {Moment} */ { record, ...rest }) => ({ ...rest, ...shorten(record, play.record) });
  return { version: VERSION, ...now, past: past.map(short) };
}

/** @param {Line[]} record @param {Line[]} other */
function shorten(record, other) {
  const differs = record.findIndex((line, i) => line.kind !== other[i]?.kind || line.text !== other[i]?.text);
  const same = differs < 0 ? record.length : differs;
  return { same, end: record.slice(same) };
}

/** Read what was packed; null for nothing, or for what an older page wrote. @param {any} packed @returns {Play | null} */
export function unpack(packed) {
  if (packed?.version !== VERSION) return null;
  const { version: _, past, ...now } = packed;
  const whole = (/** @type {any} */ { same, end, ...rest }) => ({ ...rest, record: [...now.record.slice(0, same), ...end] });
  return { ...now, past: past.map(whole) };
}
