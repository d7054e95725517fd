/**
 * Words: hold and reroll dice with symbols until they spell a word.
 *
 * @import { DiceKind, WordsBoard as Board, WordsPosition as Position } from "../../types.js"
 * @typedef {Required<DiceKind<Board, Position>>} Words
 */

import { LinkError, readNumber } from "../app/address.js";
import { el, setText } from "../app/dom.js";
import { rollMissing } from "../table/fair-dice.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { makeWords } from "./word-list.js";
import { countMissing, diceWord, isReady, makeTray, noDice } from "./dice-tray.js";

const STAR = "*";
/** @type {(board: Board, i: number) => string[]} */
const symbolsOf = (board, i) => [...board.dice[i]];
/** @type {(board: Board, i: number) => string[]} */
const different = (board, i) => [...new Set(symbolsOf(board, i))];
/** @param {Iterable<string | null>} symbols */
const sorted = (symbols) => [...symbols].sort().join("");
/** @type {(board: Board, position: Position) => string} */
const text = (board, { dice }) => dice.map((die) => die ?? STAR).join("");

/** @type {(board: Board) => Position} */
const fresh = (board) => ({ ...noDice(board.dice.length), rolls: 0 });
/** @param {Position} position */
const rollsSoFar = (position) => position.rolls + (isReady(position) ? 1 : 0);

/** @type {Words["read"]} */
function read(board, { state = board.start, rolls = "0" }) {
  const dice = [...state.trim()].map((symbol) => (symbol === STAR ? null : symbol));
  const fits = dice.length === board.dice.length && dice.every((die, i) => die === null || symbolsOf(board, i).includes(die));
  if (!fits) throw new LinkError(t("words.no-position", { state, dice: board.dice.join(",") }));
  const waits = dice.includes(null);
  return { dice, kept: dice.map((die) => waits && die !== null), rolls: readNumber(rolls, "rolls") };
}

/** @type {Words["play"]} */
function play(board, position, move) {
  const dice = [...move.action].map((symbol) => (symbol === STAR ? null : symbol));
  return { dice, kept: dice.map((die) => die !== null), rolls: position.rolls + 1 };
}

/** @type {Words["score"]} */
function score(board, position) {
  const word = board.words.find((item) => sorted(item) === sorted(position.dice)) ?? position.dice.join("");
  return { head: t("words.over", { word, rolls: plural(rollsSoFar(position), "roll") }), text: t("words.spelt") };
}

/** @type {Words["makeView"]} */
function makeView(board, acts) {
  const tray = makeTray({ count: board.dice.length, faces: (/** @type {number} */ i) => different(board, i), holds: true, acts });
  const count = el("p", { class: "need", test: "rolls" });
  const dice = el("ol", { class: "symbols" }, ...board.dice.map((symbols, i) => el("li", {}, ...different(board, i).map((symbol) => el("span", { text: symbol })))));
  const list = makeWords(board, acts);
  return {
    title: t("words.title"),
    play: [tray.node, count],
    board: [list.node, el("h3", { text: t("letters.dice") }), dice],
    update(model) {
      tray.update(model);
      list.update(model);
      [...dice.children].forEach((die, i) => [...die.children].forEach((face) => face.classList.toggle("on", face.textContent === model.position.dice[i])));
      setText(count, t("rolls.so-far", { rolls: plural(rollsSoFar(model.position), "roll") }));
    },
  };
}

/** @type {Words["prompt"]} */
function prompt(board, position, mode) {
  const missing = countMissing(position);
  return mode === "roll" ? t("sheet.roll", { dice: diceWord(missing) }) : t("words.tap", { n: missing });
}

/** @type {DiceKind<Board, Position>} */
export const words = {
  fresh, read, text, play, score, makeView, prompt,
  write: (board, position) => ({ state: text(board, position), rolls: position.rolls }),
  recall: (board, line, before) => ({ ...read(board, { state: line.text }), rolls: before ? before.position.rolls + 1 : 0 }),
  ready: isReady,
  over: () => false,
  canHold: isReady,
  hold: (board, position, action) => [...action].map((symbol) => symbol !== STAR),
  action: (board, position, held) => position.dice.map((die, i) => (held[i] ? die : STAR)).join(""),
  roll: (board, position, draw) => ({ ...position, dice: rollMissing(position.dice, (i) => symbolsOf(board, i)[draw(symbolsOf(board, i).length)]) }),
  rollsOn: () => true,
  banked: () => 0,
  moveName: (action) => (/^\*+$/.test(action) ? t("sheet.roll-all") : t("words.hold", { dice: action })),
  diceIn: (action) => ({ text: action, faces: [...action] }),
  canSetUp: false,
  brief: (state) => state,
  listed: (board) => 2 ** board.dice.length - 1,
  ask: t("words.ask"),
};
