/**
 * The board of Groups: places that dice fill, and the die to keep or to roll again.
 *
 * @import { Acts, GroupsBoard as Board, GroupsPosition as Position, Part, TableModel, View } from "../../types.js"
 * @typedef {TableModel<Position>} Model
 */

import { button, el, setText } from "../app/dom.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { makeBigButton } from "./big-button.js";
import { drawDie, drawFace } from "./die-face.js";
import { freeFace, groupOf, hitName, isReady, resize, rollsSoFar, withDie } from "./groups.js";

const MOST_DICE = 24;
/** Dice with more faces are entered by the group they join. */
const MOST_KEYS = 12;

/** Build the board. @param {Board} board @param {Acts<Position>} acts @returns {View<Position>} */
export function makeView(board, acts) {
  const die = makeDie(board, acts);
  const count = el("p", { class: "need", test: "rolls" });
  const rows = board.goal.map((size, i) => makeRow(board, i, acts));
  return {
    title: t("groups.title"),
    play: [die.node, count],
    board: [el("ol", { class: "groups" }, ...rows.map((row) => row.node))],
    update(model) {
      setText(count, t("rolls.so-far", { rolls: plural(rollsSoFar(model.position), "roll") }));
      [die, ...rows].forEach((part) => part.update(model));
    },
  };
}

/** @type {(board: Board, acts: Acts<Position>) => Part<Position>} */
function makeDie(board, acts) {
  const picture = drawDie("*");
  const shown = el("span", { test: "hit" });
  const pad = el("div", { class: board.faces > MOST_KEYS ? "keypad wide" : "keypad", role: "group", "aria-label": t("groups.shows") });
  const keep = makeBigButton("groups-keep", () => acts.playAction("keep"));
  const reroll = makeBigButton("groups-reroll", () => acts.playAction("reroll"));
  const pair = el("div", { class: "pair decides" }, keep.node, reroll.node);
  const node = el("div", { class: "tray" }, el("p", { class: "hit" }, picture, shown), pair, pad);
  let sizes = "";
  let drawn = /** @type {number | null} */ (null);

  /** A key for each face, or of a die with many for each group. @param {Position} position */
  function rebuild({ held, faces }) {
    const keys = board.faces > MOST_KEYS ? [...(held.length < board.faces ? [freeFace(faces, board.faces)] : []), ...faces.filter((_, i) => held.indexOf(held[i]) === i)] : Array.from({ length: board.faces }, (_, i) => i + 1);
    const name = (/** @type {number} */ face) => (board.faces > MOST_KEYS ? hitName(held[faces.indexOf(face)] ?? 0) : String(face));
    pad.replaceChildren(...keys.map((face) => button(name(face), () => acts.enter(face), { class: "key", test: `face-${face}` })));
    pad.style.setProperty("--keys", String(Math.min(keys.length, 6)));
  }

  /** @param {Model} model */
  function update(model) {
    const { position, mode, over, rivalMoves } = model;
    const die = over ? null : position.die;
    if (die !== drawn) drawFace(picture, die);
    drawn = die;
    setText(shown, !isReady(position) ? t("groups.unrolled") : t("groups.die", { hit: hitName(position.hit) }));
    const now = position.faces.join();
    if (!pad.children.length || sizes !== now) rebuild(position);
    sizes = now;
    pad.hidden = mode !== "mine" || rivalMoves;
    pair.hidden = over || !isReady(position);
    keep.update(model, "keep", t("groups.keep"));
    reroll.update(model, "reroll", t("groups.reroll"));
  }
  return { node, update };
}

/** A group: its dice, and places for those to come; a group of many is a bar. @type {(board: Board, i: number, acts: Acts<Position>) => Part<Position>} */
function makeRow(board, i, acts) {
  const goal = board.goal[i];
  const isLong = goal > MOST_DICE;
  const bar = el("span", { class: "fill" });
  const dice = isLong ? [] : Array.from({ length: goal }, () => drawDie("*"));
  const places = el("span", { class: isLong ? "places track" : "places", "aria-hidden": "true" }, ...(isLong ? [bar] : dice));
  const label = el("span", { class: "count" });
  const change = (/** @type {number} */ step) => () => acts.edit((position) => resize(board, position, i, step));
  const less = button("−", change(-1), { class: "step", "aria-label": t("groups.smaller", { n: i + 1 }) });
  const more = button("+", change(1), { class: "step", "aria-label": t("groups.larger", { n: i + 1 }) });
  const node = el("li", {}, places, label, less, more);
  let drawn = "";

  /** @param {Model} model */
  function update({ position, edit, over }) {
    const ends = over && isReady(position);
    const { held, faces } = ends ? withDie(position) : position;
    const size = held[i] ?? 0;
    const joins = !ends && isReady(position) && groupOf(position) === i && size < goal;
    bar.style.width = `${(100 * size) / goal}%`;
    const now = `${size} ${faces[i]} ${joins ? position.die : ""}`;
    if (now !== drawn) dice.forEach((die, k) => drawFace(die, k < size ? faces[i] : joins && k === size ? position.die : null));
    drawn = now;
    dice.forEach((die, k) => die.classList.toggle("next", joins && k === size));
    node.classList.toggle("joins", joins);
    node.classList.toggle("full", size === goal);
    setText(label, t(joins ? "groups.would-join" : "groups.of", { n: String(size), most: String(goal) }));
    less.hidden = more.hidden = !edit;
    less.disabled = !resize(board, position, i, -1);
    more.disabled = !resize(board, position, i, 1);
  }
  return { node, update };
}
