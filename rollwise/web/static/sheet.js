/** Score sheets: dice with holds and rerolls, then one box a turn. A position keeps the dice in the player's own order. */

import { rollMissing } from "./chance.js";
import { plural } from "./format.js";
import { LinkError, readNames, readNumber, readPairs, writeNames, writePairs } from "./link.js";
import { countMissing, diceWord, isReady, noDice } from "./tray.js";

const namesOf = (board) => board.boxes.map((box) => box.name);
const facesOf = (board) => Array.from({ length: board.faces }, (_, i) => i + 1);
const boxOf = (board, name) => board.boxes.find((box) => box.name === name);
const separator = (board) => (board.faces > 9 ? "," : "");

function fresh(board) {
  return { ...noDice(board.dice), left: board.rerolls, open: namesOf(board), points: {}, upper: 0, primed: false, total: 0 };
}

/** The text of a position; dice that are missing are stars, and then the coming roll counts as one that is left. */
function text(board, position) {
  const over = !position.open.length;
  const dice = over ? "-" : position.dice.map((die) => die ?? "*").join(separator(board));
  const left = over ? 0 : position.left + (isReady(position) ? 0 : 1);
  const upper = board.bonus ? ` upper ${position.upper}` : "";
  return `${dice} ${left} ${writeNames(position.open, namesOf(board))}${upper}${position.primed ? " primed" : ""}`;
}

function write(board, position) {
  const points = writePairs(position.points);
  return { state: text(board, position), total: position.total, ...(points && { points }) };
}

function read(board, { state = board.start, total = "0", points }) {
  const [dice, left, open, ...rest] = state.trim().split(/\s+/);
  const position = {
    ...fresh(board),
    ...readRest(rest),
    dice: readDice(board, dice),
    open: readNames(open, namesOf(board)),
    points: readPairs(points, namesOf(board)),
    total: readNumber(total, "total", { lowest: -99999 }),
  };
  const waits = !isReady(position);
  const rolls = readNumber(left, "rolls left", { highest: board.rerolls + (waits ? 1 : 0) });
  for (const name of namesOf(board)) {
    if (position.open.includes(name)) delete position.points[name];
    else position.points[name] ??= null;
  }
  return { ...position, left: Math.max(0, rolls - (waits ? 1 : 0)), kept: position.dice.map((die) => waits && die !== null) };
}

function readDice(board, word = "") {
  if (word === "-") return noDice(board.dice).dice;
  const parts = word.includes(",") ? word.split(",") : [...word];
  const dice = parts.map((part) => (part === "*" ? null : Number(part)));
  if (dice.length !== board.dice || !dice.every((die) => die === null || facesOf(board).includes(die))) {
    throw new LinkError(`dice ${word || "missing"} in the link: expected ${board.dice} faces from 1 to ${board.faces}`);
  }
  return dice;
}

function readRest(words) {
  const rest = words.filter((word) => word !== "primed");
  const primed = rest.length < words.length;
  if (rest.length === 0) return { primed };
  if (rest.length === 2 && rest[0] === "upper") return { primed, upper: readNumber(rest[1], "upper total") };
  throw new LinkError(`${rest.join(" ")} in the link was not understood`);
}

/** The move that holds these dice, in the notation of the game: `keep 335`, `keep -`. */
function action(board, position, held) {
  const kept = position.dice.filter((_, i) => held[i]).sort((a, b) => a - b);
  return `keep ${kept.join(separator(board)) || "-"}`;
}

/** Which dice a move holds: of equal dice first those that were held before. */
function hold(board, position, move) {
  const held = position.dice.map(() => false);
  const kept = move.match(/^keep (.+)$/)?.[1] ?? "-";
  if (kept === "-") return held;
  const order = [...held.keys()].sort((a, b) => position.kept[b] - position.kept[a]);
  for (const face of (kept.includes(",") ? kept.split(",") : [...kept]).map(Number)) {
    held[order.find((i) => position.dice[i] === face && !held[i])] = true;
  }
  return held;
}

const rerolls = (move) => move.action.startsWith("keep ");

function play(board, position, move, held) {
  if (!rerolls(move)) return fillBox(board, position, move);
  return { ...position, dice: position.dice.map((die, i) => (held[i] ? die : null)), kept: [...held], left: position.left - 1 };
}

function fillBox(board, position, move) {
  const points = boxPoints(board, position, move);
  const upper = board.bonus && boxOf(board, move.action).face !== null ? position.upper + points : position.upper;
  return {
    ...noDice(board.dice),
    upper,
    left: board.rerolls,
    primed: / primed$/.test(move.after),
    total: position.total + move.gain,
    open: position.open.filter((name) => name !== move.action),
    points: { ...position.points, [move.action]: points },
  };
}

/** What goes in the box: the gain of the move without the bonuses that come with it. */
function boxPoints(board, position, move) {
  const { bonus, joker } = board;
  const isJoker = joker && position.primed && !position.open.includes(joker.box) && new Set(position.dice).size === 1;
  const reached = Number(move.after.match(/ upper (\d+)/)?.[1] ?? 0);
  const crosses = bonus && position.upper < bonus.threshold && reached >= bonus.threshold;
  return move.gain - (isJoker ? joker.bonus : 0) - (crosses ? bonus.points : 0);
}

/** Set the upper total by hand; the bonus comes and goes with the threshold. */
export function setUpper(board, position, upper) {
  const bonus = (points) => (points >= board.bonus.threshold ? board.bonus.points : 0);
  return { ...position, upper, total: position.total + bonus(upper) - bonus(position.upper) };
}

/** Put points in a box by hand: null if they are not known, undefined to open the box again. */
export function setBox(board, position, name, points) {
  const change = (points ?? 0) - (position.points[name] ?? 0);
  const { [name]: _, ...others } = position.points;
  const filled = points !== undefined;
  const next = {
    ...position, total: position.total + change, points: filled ? { ...others, [name]: points } : others,
    open: namesOf(board).filter((box) => (box === name ? !filled : position.open.includes(box))),
  };
  if (board.joker?.bonus && name === board.joker.box) next.primed = (points ?? 0) > 0;
  return board.bonus && boxOf(board, name).face !== null ? setUpper(board, next, position.upper + change) : next;
}

function prompt(board, position, mode) {
  const missing = countMissing(position);
  return mode === "roll" ? `Roll ${diceWord(missing)}.` : `Tap the faces you rolled: ${missing} to go.`;
}

export const sheet = {
  fresh, read, write, text, hold, action, play, prompt,
  ready: (position) => position.open.length > 0 && isReady(position),
  over: (position) => !position.open.length,
  canHold: (position) => isReady(position) && position.left > 0,
  roll: (board, position, draw) => ({ ...position, dice: rollMissing(position.dice, () => facesOf(board), draw) }),
  rollsOn: rerolls,
  banked: (position) => position.total,
  moveName: (move) => (move === "keep -" ? "roll all" : move),
  canSetUp: true,
  brief: (state) => state.replace(/^(\S+) (\d+) .*$/, (_, dice, left) => `${dice}, ${left} left`),
  listed: () => Infinity,
  ask: "Your move: hold dice or choose a box.",
  score: (board, position) => ({ head: plural(position.total, "point"), text: "The sheet is full." }),
};
