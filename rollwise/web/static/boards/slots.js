/**
 * Slots: one die a turn goes in a free slot; the total must reach the target.
 *
 * @import { Acts, DiceKind, Part, SlotInfo, SlotsBoard as Board, SlotsPosition as Position, TableModel } from "../../types.js"
 */

import { LinkError, readNames, readNumber, readPairs, writeNames, writePairs } from "../app/address.js";
import { button, el, numberField, setAttribute, setText, unseen } from "../app/dom.js";
import { listFaces, rollFace, rollMissing } from "../table/fair-dice.js";
import { t } from "../texts/texts.js";
import { isReady, makeTray, noDice } from "./dice-tray.js";

/** @typedef {Required<DiceKind<Board, Position>>} Slots */
/** @typedef {TableModel<Position>} Model */

/** @param {Board} board */
const namesOf = (board) => board.slots.map((slot) => slot.name);
/** @type {(board: Board, name: string) => number[]} */
const scoresOf = (board, name) => board.slots.find((slot) => slot.name === name)?.scores ?? [];
/** @type {(board: Board) => Position} */
const fresh = (board) => ({ ...noDice(1), free: namesOf(board), total: 0, placed: {} });

/** @type {Slots["text"]} */
function text(board, { free, total, dice }) {
  return [writeNames(free, namesOf(board)), total, ...dice.filter((die) => die !== null)].join(" ");
}

/** @type {Slots["write"]} */
function write(board, position) {
  const placed = writePairs(position.placed);
  return { state: text(board, position), ...(placed && { placed }) };
}

/** @type {Slots["read"]} */
function read(board, { state = board.start, placed }) {
  const words = state.trim().split(/\s+/);
  if (words.length < 2 || words.length > 3) throw new LinkError(t("link.slots", { text: state }));
  const free = readNames(words[0], namesOf(board));
  const known = readPairs(placed, namesOf(board));
  const filled = namesOf(board).filter((name) => !free.includes(name));
  return {
    ...noDice(1), free, total: readNumber(words[1], "total", { lowest: -99999 }),
    placed: Object.fromEntries(filled.map((name) => [name, known[name] ?? null])),
    dice: [words[2] && free.length ? readNumber(words[2], "die", { lowest: 1, highest: board.faces }) : null],
  };
}

/** @type {Slots["play"]} */
function play(board, position, move) {
  const face = position.dice[0] ?? 0;
  return {
    ...position, ...noDice(1), total: position.total + scoresOf(board, move.action)[face - 1],
    free: position.free.filter((name) => name !== move.action), placed: { ...position.placed, [move.action]: face },
  };
}

/** The position of a roll in a record; the dice in its slots follow from the position and the move before it. @type {Slots["recall"]} */
function recall(board, { text: said }, before) {
  const next = read(board, { state: said });
  if (!before) return next;
  return { ...next, placed: { ...before.position.placed, [before.action]: before.position.dice[0] } };
}

/**
 * Fill a slot by hand, with a die that is not known, or free it again and take its points back.
 *
 * @type {(board: Board, position: Position, name: string) => Position}
 */
function toggle(board, position, name) {
  const { [name]: face, ...others } = position.placed;
  if (position.free.includes(name)) {
    return { ...position, free: position.free.filter((slot) => slot !== name), placed: { ...others, [name]: null } };
  }
  const free = namesOf(board).filter((slot) => slot === name || position.free.includes(slot));
  return { ...position, free, placed: others, total: position.total - (face ? scoresOf(board, name)[face - 1] : 0) };
}

/** @type {Slots["score"]} */
function score(board, { total }) {
  return { head: t(total >= board.target ? "slots.won" : "slots.lost", { n: total }), text: t("slots.target", { n: String(board.target) }) };
}

/** @type {Slots["makeView"]} */
function makeView(board, acts) {
  const tray = makeTray({ count: 1, faces: () => listFaces(board), holds: false, acts });
  const need = el("p", { class: "need", test: "need" });
  const slots = board.slots.map((slot) => makeSlot(board, slot, acts));
  const total = makeTotal(acts);
  const list = el("ul", { class: "slots" }, ...slots.map((slot) => slot.node));
  /** @type {Omit<Part<Position>, "node">} */
  const sum = { update: ({ position }) => setText(need, needed(board, position)) };
  return {
    title: t("slots.title"),
    play: [tray.node],
    board: [need, list, total.node],
    update: (model) => [tray, sum, total, ...slots].forEach((part) => part.update(model)),
  };
}

/** @param {Board} board @param {Position} position */
function needed(board, { total }) {
  const rest = board.target - total;
  return t(rest > 0 ? "slots.to-go" : "slots.reached", { total: String(total), target: String(board.target), n: String(rest) });
}

/** @type {(acts: Acts<Position>) => Part<Position>} */
function makeTotal(acts) {
  const input = numberField((points) => acts.edit((position) => ({ ...position, total: points ?? 0 })), { test: "total" });
  const node = el("label", { class: "field" }, el("span", { text: t("slots.total") }), input);
  return {
    node,
    update({ position, edit }) {
      node.hidden = !edit;
      if (document.activeElement !== input) input.value = String(position.total);
    },
  };
}

/** @type {(board: Board, slot: SlotInfo, acts: Acts<Position>) => Part<Position>} */
function makeSlot(board, slot, acts) {
  const cells = slot.scores.map((points) => el("span", { class: "score", text: points }));
  const value = el("span", { class: "value" });
  const scores = el("span", { class: "scores" }, ...cells);
  const main = button("", () => tap(), { class: "slot", test: `slot-${slot.name}` });
  const note = unseen();
  main.append(el("span", { class: "name", text: slot.name }), scores, value, note);
  /** @type {Model} */
  let model;

  function tap() {
    if (model.edit) acts.edit((position) => toggle(board, position, slot.name));
    else acts.choose(slot.name);
  }

  /** @param {Model} next */
  function update(next) {
    model = next;
    const free = model.position.free.includes(slot.name);
    const face = free ? model.position.dice[0] : model.position.placed[slot.name];
    setText(value, face ? String(slot.scores[face - 1]) : free ? "" : "✓");
    cells.forEach((cell, i) => cell.classList.toggle("on", i + 1 === face));
    setText(note, face ? t(free ? "slots.note-free-for" : "slots.note-filled-for", { face: String(face) }) : t(free ? "slots.note-free" : "sheet.note-filled"));
    setAttribute(main, "aria-pressed", String(model.edit ? !free : model.selected === slot.name));
    main.disabled = !model.edit && !(model.moves ? model.moves.has(slot.name) : model.ready && free);
    main.classList.toggle("filled", !free);
    main.classList.toggle("best", model.coach && model.best === slot.name);
  }
  return { node: el("li", {}, main), update };
}

/** @type {DiceKind<Board, Position>} */
export const slots = {
  fresh, read, write, text, recall, play, score, makeView,
  ready: (position) => position.free.length > 0 && isReady(position),
  over: (position) => !position.free.length,
  canHold: () => false,
  hold: () => [],
  action: () => null,
  roll: (board, position, draw) => ({ ...position, dice: rollMissing(position.dice, () => rollFace(board, draw)) }),
  rollsOn: () => false,
  banked: () => 0,
  moveName: (action) => action,
  prompt: (board, position, mode) => t(mode === "roll" ? "tray.roll" : "slots.tap"),
  canSetUp: true,
  brief: (state) => state.replace(/^\S+ (\S+) (\S+)$/, (_, total, face) => t("slots.brief", { face, total })),
  listed: (board) => board.slots.length,
  ask: t("slots.ask"),
};
