/**
 * A home board of backgammon, or two that race: checkers on points, a tray for those that are off, and dice. A tap on a point moves a
 * checker by a die, as far as that begins a legal move; when all dice are played, that move is selected.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @import { Plays, Step } from "./checkers.js"
 * @typedef {Extract<BoardPart, { kind: "points" }>} Side
 */

import { button, el, setAttribute, setPressed } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { after, afterPlay, diceLeft, nextDie, playsFrom, reaches } from "./checkers.js";
import { makeDie, makeParts } from "./generic-parts.js";
import { movesNow, partsNow, sidesOf } from "./generic.js";
import { makeSide } from "./points-side.js";

const FEW = 6;

/** Moves are chosen on the board, and named as backgammon players write them. */
export const kind = { moveName, lists: () => false };

/** @param {string} action */
function moveName(action) {
  return action.replace("move ", "").replaceAll("off", t("points.off"));
}

/** Build the stage. @type {MakeStage} */
export function makeStage(board, acts) {
  const rest = makeParts(board.players ?? 1);
  const sides = Array.from({ length: board.players ?? 1 }, (_, player) => makeSide(player, touch));
  const dice = el("ol", { class: "dice-row points-dice" });
  const back = button(t("points.back"), () => go([]), { class: "quiet", test: "points-back" });
  const choices = el("div", { class: "points-choices", role: "group", "aria-label": t("table.moves") });
  const throwRow = el("div", { class: "points-throw" }, dice, rest.node, back);
  const node = el("div", { class: `any-stage points-stage${sides.length > 1 ? " race" : ""}`, test: "stage" }, throwRow, ...sides.map((side) => side.node).reverse(), choices);
  /** @type {{ state: string, steps: Step[] }} what the player has moved since the position came */
  let own = { state: "", steps: [] };
  /** The die that is played first, by its place. */
  let first = 0;
  /** @type {Plays} */
  let plays = new Map();
  /** @type {number[]} */
  let rolled = [];
  /** @type {number[]} */
  let counts = [];

  /** @param {Step[]} steps */
  function go(steps) {
    own.steps = steps;
    acts.select(steps.length && !diceLeft(rolled, after(counts, steps), steps).length ? plays.get(after(counts, steps).join("/")) ?? null : null);
  }

  /** Move a checker from a point by the die that comes first, or the other one. @param {number} point */
  function touch(point) {
    const finished = own.steps.length > 0 && !diceLeft(rolled, after(counts, own.steps), own.steps).length;
    const steps = finished ? [] : own.steps;
    const die = nextDie(counts, inOrder(), steps, point, plays);
    if (die) go([...steps, { point, die }]);
  }

  /** The dice, the one that is played first at the front. */
  const inOrder = () => [...rolled.slice(first), ...rolled.slice(0, first)];

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    if (own.state !== model.position.state) [own, first] = [{ state: model.position.state, steps: [] }, 0];
    const shown = /** @type {Side[]} */ (parts.filter((part) => part.kind === "points"));
    const mover = parts.find((part) => part.kind === "mover");
    const player = mover?.kind === "mover" ? mover.player : 0;
    const roll = parts.find((part) => part.kind === "dice");
    const faces = roll?.kind === "dice" ? roll.faces.map(Number) : [];
    rolled = faces[0] === faces[1] ? [...faces, ...faces] : faces;
    counts = shown[player]?.counts ?? [];
    plays = playsFrom(counts, movesNow(model));
    const isSuggested = model.coach && model.selected === model.best && !model.rivalMoves;
    if (model.selected !== null && own.steps.length && plays.get(after(counts, own.steps).join("/")) !== model.selected) own.steps = [];
    const preview = own.steps.length ? after(counts, own.steps) : model.selected === null || isSuggested || !plays.size ? null : afterPlay(counts, model.selected);
    const best = model.coach && !model.stale && model.best !== null && plays.size && !own.steps.length ? afterPlay(counts, model.best) : null;
    const names = sidesOf(model);
    shown.forEach((side, i) => {
      const isMine = side.player === player && plays.size > 0;
      const can = isMine && !model.rivalMoves ? (/** @type {number} */ point) => canMove(point) : () => false;
      sides[i].draw(side, { head: shown.length > 1 ? names[i] : "", turn: shown.length > 1 && i === player && plays.size > 0, after: isMine ? preview : null, best: isMine ? best : null, can });
    });
    drawDice(model);
    drawChoices(model);
    back.hidden = !own.steps.length;
    rest.draw(parts.filter((part) => !["points", "dice", "mover"].includes(part.kind) && part.name !== "off"), names);
  }

  /** Whether a checker on this point can begin, or go on with, a move. @param {number} point */
  function canMove(point) {
    const finished = !diceLeft(rolled, after(counts, own.steps), own.steps).length;
    return nextDie(counts, inOrder(), finished ? [] : own.steps, point, plays) !== null;
  }

  /** @param {TableModel<AnyPosition>} model */
  function drawDice({ rivalMoves }) {
    const left = own.steps.length ? diceLeft(inOrder(), after(counts, own.steps), own.steps) : inOrder();
    const isSwap = rolled.length === 2 && plays.size > 0 && !rivalMoves && !own.steps.length;
    const order = inOrder();
    const used = own.steps.map(({ die }) => die);
    dice.replaceChildren(...order.map((die, i) => drawDie(die, i, used, isSwap)));
    setAttribute(dice, "aria-label", t("points.dice", { dice: rolled.join(" "), left: left.join(" ") || "–" }));
  }

  /** @param {number} die @param {number} i @param {number[]} used @param {boolean} isSwap */
  function drawDie(die, i, used, isSwap) {
    const at = used.indexOf(die);
    if (at >= 0) used.splice(at, 1);
    const face = el("li", { class: at >= 0 ? "used" : null });
    if (!isSwap || i === 0) face.append(makeDie(String(die)));
    else face.append(button("", swap, { class: "swap", "aria-label": t("points.swap", { die }), test: "points-swap" }));
    if (isSwap && i > 0) face.firstElementChild?.append(makeDie(String(die)));
    return face;
  }

  function swap() {
    first = 1 - first;
    acts.select(null);
  }

  /** The moves that are still possible after the first taps, where they are few. @param {TableModel<AnyPosition>} model */
  function drawChoices({ best, coach, selected }) {
    const now = after(counts, own.steps);
    const unplayed = diceLeft(rolled, now, own.steps);
    const left = own.steps.length && unplayed.length ? [...plays].filter(([goal]) => reaches(now, unplayed, new Map([[goal, goal]]))) : [];
    choices.hidden = !left.length || left.length > FEW;
    choices.replaceChildren(...(choices.hidden ? [] : left).map(([, action]) => {
      const child = button(moveName(action), () => acts.select(action), { class: coach && best === action ? "best" : "", test: `choice-${action}` });
      setPressed(child, selected === action);
      return child;
    }));
  }

  return { node, update, covers: (/** @type {TableModel<AnyPosition>} */ { shown }) => plays.size > 0 && plays.size === shown?.moves.length };
}
