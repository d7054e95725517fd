/**
 * Score sheets: dice with holds and rerolls, then one box a turn. A position keeps the dice in the player's own order.
 *
 * What the boxes hold, the upper bonus and the joker bonuses always add up to the total; what boxes hold that were filled before
 * the page knew (`null`) is the rest of it.
 *
 * @import { DiceKind, Move, SheetBoard, SheetPosition } from "../../types.js"
 * @typedef {Required<Omit<DiceKind<SheetBoard, SheetPosition>, "makeView">>} Sheet
 */

import { LinkError, readNames, readNumber, readPairs, writePairs } from "../app/address.js";
import { listFaces, rollFace, rollMissing } from "../table/fair-dice.js";
import { plural } from "../texts/numbers.js";
import { moveName, t } from "../texts/texts.js";
import { countMissing, diceWord, isReady, noDice } from "./dice-tray.js";

/** @param {SheetBoard} board */
const namesOf = (board) => board.boxes.map((box) => box.name);
/** @param {SheetBoard} board The open boxes at the start: a name for each time that a box is filled. */
const slotsOf = (board) => board.boxes.flatMap(({ name, times = 1 }) => Array.from({ length: times }, () => name));
/** @param {string[]} open @param {string} name */
export const timesLeft = (open, name) => open.filter((box) => box === name).length;
/** @param {SheetBoard} board @param {string} name */
const isUpper = (board, name) => board.boxes.some((box) => box.name === name && box.face !== null);
/** @param {SheetBoard} board */
const separator = (board) => (board.faces > 9 ? "," : "");

/**
 * The most rerolls that may be left while so many boxes are filled: those of a turn, and all that can have been saved.
 *
 * @param {SheetBoard} board
 * @param {number} filled
 */
export const mostRerolls = (board, filled) => board.rerolls * (board.saved_rolls ? 1 + filled : 1);

/** @type {Sheet["fresh"]} */
function fresh(board) {
  return { ...noDice(board.dice), left: board.rerolls, open: slotsOf(board), points: {}, upper: 0, jokers: 0, primed: false, total: 0 };
}

/** @param {number[]} numbers */
const add = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * The parts of the total: boxes whose points are known, the upper bonus, joker bonuses, and the rest, which is in boxes that were
 * filled before the page knew.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 */
export function partsOf(board, { points, upper, jokers, total }) {
  const boxes = add(Object.values(points).map((value) => value ?? 0));
  const bonus = bonusAt(board, upper);
  return { boxes, bonus, jokers, rest: total - boxes - bonus - jokers };
}

/** The upper bonus that an upper total earns. @param {SheetBoard} board @param {number} upper */
const bonusAt = ({ bonus }, upper) => bonus?.steps.findLast((step) => upper >= step.threshold)?.points ?? 0;

/**
 * The text of a position; dice that are missing are stars, and then the coming roll counts as one that is left.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 */
function plain(board, position) {
  const over = !position.open.length;
  const dice = over ? "-" : position.dice.map((die) => die ?? "*").join(separator(board));
  const left = over ? 0 : position.left + (isReady(position) ? 0 : 1);
  const upper = board.bonus ? ` upper ${position.upper}` : "";
  return `${dice} ${left} ${writeOpen(board, position.open)}${upper}${position.primed ? " primed" : ""}`;
}

/**
 * Open boxes as the game writes them: `fours:3` for one that is filled three times more.
 *
 * @param {SheetBoard} board
 * @param {string[]} open
 */
function writeOpen(board, open) {
  if (open.length === slotsOf(board).length) return "all";
  const names = namesOf(board).filter((name) => open.includes(name));
  return names.map((name) => (timesLeft(open, name) > 1 ? `${name}:${timesLeft(open, name)}` : name)).join(",") || "none";
}

/** @param {SheetBoard} board @param {string} [text] */
function readOpen(board, text = "") {
  if (text === "all") return slotsOf(board);
  const parts = text.split(",").map((part) => part.split(/:(?=\d+$)/));
  const names = readNames(parts.map(([name]) => name).join(","), namesOf(board));
  return board.boxes.flatMap(({ name, times = 1 }) => {
    if (!names.includes(name)) return [];
    const left = readNumber(parts.find(([box]) => box === name)?.[1] ?? "1", `times of ${name}`, { lowest: 1, highest: times });
    return Array.from({ length: left }, () => name);
  });
}

/**
 * What the text of a position ends with when a target or an opponent is played for: what is needed, or the total.
 *
 * @param {SheetBoard} board
 * @param {number} total
 */
const standing = ({ standing: ends }, total) => (ends ? ` ${ends.word} ${ends.start + ends.sign * total}` : "");

/** @type {Sheet["text"]} */
const text = (board, position) => `${plain(board, position)}${standing(board, position.total)}`;

/**
 * The record holds what was rolled, whatever it is played for, and the total: what a roll is worth to an aim follows from these.
 *
 * @type {Sheet["line"]}
 */
const line = (board, position) => ({ kind: "roll", text: plain(board, position), total: position.total });

/** @type {Sheet["sent"]} */
const sent = (board, { kind, text: said, total }) => ({ kind, text: kind === "roll" ? `${said}${standing(board, total ?? 0)}` : said });

/** @type {Sheet["write"]} */
function write(board, position) {
  const points = writePairs(position.points);
  const { total, jokers } = position;
  return { state: plain(board, position), total, ...(points && { points }), ...(jokers && { jokers }) };
}

/** @type {Sheet["read"]} */
function read(board, { state = board.start, total: given, points, jokers = "0" }) {
  const [, turn, word, ends] = /** @type {string[]} */ (state.trim().match(/^(.*?)(?: (needs|has) (-?\d+))?$/s));
  const [dice, left, open, ...rest] = turn.split(/\s+/);
  const total = given ?? (word && board.standing ? String((Number(ends) - board.standing.start) * board.standing.sign) : undefined);
  const known = readPairs(points, namesOf(board));
  const position = {
    ...fresh(board),
    ...readRest(rest),
    dice: readDice(board, dice),
    open: readOpen(board, open),
    jokers: readNumber(jokers, "jokers"),
  };
  const waits = !isReady(position);
  const filled = board.boxes.filter(({ name, times = 1 }) => timesLeft(position.open, name) < times).map(({ name }) => name);
  const rolls = readNumber(left, "rolls left", { highest: mostRerolls(board, filled.length) + (waits ? 1 : 0) });
  const placed = { ...position, points: Object.fromEntries(filled.map((name) => [name, known[name] ?? null])) };
  return {
    ...placed,
    total: total === undefined ? leastTotal(board, placed) : readNumber(total, "total", { lowest: -99999 }),
    left: Math.max(0, rolls - (waits ? 1 : 0)),
    kept: position.dice.map((die) => waits && die !== null),
  };
}

/**
 * What a position without a total has at least: the points that are known, those of the upper boxes, and bonuses.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 */
function leastTotal(board, position) {
  const { boxes, bonus, jokers } = partsOf(board, position);
  const known = Object.entries(position.points).filter(([name]) => isUpper(board, name));
  return boxes + bonus + jokers + Math.max(0, position.upper - add(known.map(([, points]) => points ?? 0)));
}

/** @param {SheetBoard} board @param {string} [word] */
function readDice(board, word = "") {
  if (word === "-") return noDice(board.dice).dice;
  const parts = word.includes(",") ? word.split(",") : [...word];
  const dice = parts.map((part) => (part === "*" ? null : Number(part)));
  if (dice.length !== board.dice || !dice.every((die) => die === null || listFaces(board).includes(die))) {
    throw new LinkError(t("link.dice", { text: word || t("link.missing"), n: String(board.dice), faces: String(board.faces) }));
  }
  return dice;
}

/** @param {string[]} words */
function readRest(words) {
  const rest = words.filter((word) => word !== "primed");
  const primed = rest.length < words.length;
  if (rest.length === 0) return { primed };
  if (rest.length === 2 && rest[0] === "upper") return { primed, upper: readNumber(rest[1], "upper total") };
  throw new LinkError(t("link.unknown", { text: rest.join(" ") }));
}

/** The move that holds these dice, in the notation of the game: `keep 335`, `keep -`. @type {Sheet["action"]} */
function action(board, position, held) {
  const kept = position.dice.filter((_, i) => held[i]).sort((a, b) => Number(a) - Number(b));
  return `keep ${kept.join(separator(board)) || "-"}`;
}

/** @param {string} kept */
const readKept = (kept) => (kept === "-" ? [] : kept.includes(",") ? kept.split(",") : [...kept]).map(Number);

/** Which dice a move holds: of equal dice first those that were held before. @type {Sheet["hold"]} */
function hold(board, position, move) {
  const held = position.dice.map(() => false);
  const order = [...held.keys()].sort((a, b) => Number(position.kept[b]) - Number(position.kept[a]));
  for (const face of readKept(move.match(/^keep (.+)$/)?.[1] ?? "-")) {
    const at = order.find((i) => position.dice[i] === face && !held[i]);
    if (at !== undefined) held[at] = true;
  }
  return held;
}

/** @param {Move} move */
const rerolls = (move) => move.action.startsWith("keep ");

/** @type {Sheet["play"]} */
function play(board, position, move, held) {
  if (!rerolls(move)) return fillBox(board, position, move);
  return { ...position, dice: position.dice.map((die, i) => (held[i] ? die : null)), kept: [...held], left: position.left - 1 };
}

/** @type {(board: SheetBoard, position: SheetPosition, move: Move) => SheetPosition} */
function fillBox(board, position, move) {
  const { points, joker } = gainParts(board, position, move);
  return {
    ...noDice(board.dice),
    upper: board.bonus && isUpper(board, move.action) ? position.upper + points : position.upper,
    left: board.rerolls + (board.saved_rolls ? position.left : 0),
    primed: / primed\b/.test(move.after),
    jokers: position.jokers + joker,
    total: position.total + move.gain,
    open: isEnd(move) ? [] : without(position.open, move.action),
    points: { ...position.points, [move.action]: (position.points[move.action] ?? 0) + points },
  };
}

/** The position of a roll in a record; what its boxes hold follows from the position and the move before it. @type {Sheet["recall"]} */
function recall(board, { text: said, total }, before) {
  const next = read(board, total === undefined ? { state: said } : { state: said, total: String(total) });
  if (!before || total === undefined) return next;
  const move = /** @type {any} */ ({ action: before.action, gain: total - before.position.total, after: said });
  const { points, jokers } = play(board, before.position, move, hold(board, before.position, before.action));
  return { ...next, points, jokers };
}

/** @param {Move} move Whether it ends the game, with the last box or by a win. */
const isEnd = (move) => /^\S+ \d+ none\b/.test(move.after);

/** Open boxes when one of them is filled once. @param {string[]} open @param {string} name */
const without = (open, name) => open.filter((box, i) => box !== name || open.indexOf(name) !== i);

/**
 * What a move that fills a box brings: the points in the box, the upper bonus, and the bonus of a joker.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 * @param {Move} move
 */
export function gainParts(board, position, move) {
  const isJoker = board.joker && position.primed && !position.open.includes(board.joker.box) && new Set(position.dice).size === 1;
  const joker = isJoker && board.joker ? board.joker.bonus : 0;
  const reached = Number(move.after.match(/ upper (\d+)/)?.[1] ?? position.upper);
  const bonus = bonusAt(board, reached) - bonusAt(board, position.upper);
  return { points: move.gain - joker - bonus, bonus, joker };
}

/**
 * Set the upper total by hand; the bonus comes and goes with the threshold.
 *
 * @type {(board: SheetBoard, position: SheetPosition, upper: number) => SheetPosition}
 */
export function setUpper(board, position, upper) {
  return { ...position, upper, total: position.total + bonusAt(board, upper) - bonusAt(board, position.upper) };
}

/** Set the joker bonuses by hand. @type {(position: SheetPosition, jokers: number) => SheetPosition} */
export const setJokers = (position, jokers) => ({ ...position, jokers, total: position.total + jokers - position.jokers });

/**
 * Put points in a box by hand: null if they are not known, undefined to open the box again.
 *
 * @type {(board: SheetBoard, position: SheetPosition, name: string, points: number | null | undefined) => SheetPosition}
 */
export function setBox(board, position, name, points) {
  const change = (points ?? 0) - (position.points[name] ?? 0);
  const { [name]: _, ...others } = position.points;
  const filled = points !== undefined;
  const next = {
    ...position, total: position.total + change, points: filled ? { ...others, [name]: points } : others,
    open: board.boxes.flatMap(({ name: box, times = 1 }) => {
      const left = timesLeft(position.open, box);
      return Array.from({ length: box !== name ? left : filled ? Math.min(left, times - 1) : times }, () => box);
    }),
  };
  next.left = Math.min(next.left, mostRerolls(board, board.boxes.length - next.open.length));
  if (board.joker?.bonus && name === board.joker.box) next.primed = (points ?? 0) > 0;
  return board.bonus && isUpper(board, name) ? setUpper(board, next, position.upper + change) : next;
}

/**
 * Fill a box once more by hand, with points that are not known; open it again if it is full.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 * @param {string} name
 */
export function tapBox(board, position, name) {
  const started = position.points[name] !== undefined;
  if (!position.open.includes(name) || !started) return setBox(board, position, name, started ? undefined : null);
  return { ...position, open: without(position.open, name) };
}

/** @type {Sheet["prompt"]} */
function prompt(board, position, mode) {
  const missing = countMissing(position);
  return mode === "roll" ? t("sheet.roll", { dice: diceWord(missing) }) : t("sheet.tap", { n: missing });
}

/** @param {string} move */
function diceIn(move) {
  const kept = move.startsWith("keep ") ? move.slice("keep ".length) : "-";
  return kept === "-" ? null : { text: kept, faces: readKept(kept) };
}

/** @param {SheetBoard} board @param {number} total */
function verdict({ mark }, total) {
  if (mark === undefined) return "";
  return total >= mark ? t("sheet.reached", { mark: String(mark) }) : t("sheet.missed", { mark: String(mark), n: String(mark - total) });
}

/** @type {Omit<DiceKind<SheetBoard, SheetPosition>, "makeView">} */
export const sheet = {
  fresh, read, write, text, line, sent, recall, hold, action, play, prompt, diceIn,
  ready: (position) => position.open.length > 0 && isReady(position),
  over: (position) => !position.open.length,
  canHold: (position) => isReady(position) && position.left > 0,
  roll: (board, position, draw) => ({ ...position, dice: rollMissing(position.dice, () => rollFace(board, draw)) }),
  rollsOn: rerolls,
  banked: (position) => position.total,
  moveName: (move) => (move === "keep -" ? t("sheet.roll-all") : moveName(move)),
  canSetUp: true,
  brief: (state) => state.replace(/^(\S+) (\d+) .*$/, (_, dice, left) => t("sheet.brief", { dice, left })),
  listed: () => Infinity,
  ask: t("sheet.ask"),
  adopt: (board, { mover, me, other, ...position }) => (mover === me ? position : { ...fresh(board), ...other }),
  score: (board, { total, points }) => {
    const full = namesOf(board).every((name) => name in points);
    return { head: plural(total, "point"), text: `${t(full ? "sheet.full" : "sheet.at-once")}${verdict(board, total)}` };
  },
};
