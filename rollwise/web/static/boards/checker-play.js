/**
 * A play of checkers, made of taps: a tap on a point moves a checker by a die, as far as that begins a legal move; when a move is made, it
 * is selected. Where only one move is legal, one tap plays it.
 *
 * @import { Acts, AnyPosition, BoardPart, TableModel } from "../../types.js"
 * @import { Board, Plays, Step } from "./checkers.js"
 */

import { button, el, setAttribute, setPressed } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { after, afterPlay, diceLeft, isMade, keyOf, nextDie, playsFrom, reaches } from "./checkers.js";
import { makeDie } from "./generic-parts.js";
import { movesNow } from "./generic.js";

const FEW = 6;

/** A move as backgammon players write it. @param {string} action */
export const playName = (action) => (action === "pass" ? t("points.pass") : action.replace("move ", "").replaceAll("off", t("points.off")).replaceAll("bar", t("points.bar")));

/** @param {Acts} acts */
export function makePlay(acts) {
  const dice = el("ol", { class: "dice-row points-dice" });
  const back = button(t("points.back"), () => go([]), { class: "quiet", test: "points-back" });
  const choices = el("div", { class: "points-choices", role: "group", "aria-label": t("table.moves") });
  /** @type {{ state: string, steps: Step[] }} what the player has moved since the position came */
  let own = { state: "", steps: [] };
  /** The die that is played first, by its place. */
  let first = 0;
  /** @type {Plays} */
  let plays = new Map();
  /** @type {number[]} */
  let rolled = [];
  /** @type {Board} */
  let begin = { own: [], other: [] };

  const now = () => after(begin, own.steps);
  const isDone = () => isMade(now(), diceLeft(rolled, own.steps), plays);
  /** The dice, the one that is played first at the front. */
  const inOrder = () => [...rolled.slice(first), ...rolled.slice(0, first)];

  /** @param {Step[]} steps */
  function go(steps) {
    own.steps = steps;
    acts.select(steps.length && isDone() ? plays.get(keyOf(now())) ?? null : null);
  }

  /** The die by which a checker on this point begins, or goes on with, a move: the one that comes first, or the other one. @param {number} point */
  const dieFor = (point) => nextDie(begin, inOrder(), isDone() ? [] : own.steps, point, plays);

  /** Move a checker from a point. @param {number} point */
  function touch(point) {
    const die = dieFor(point);
    const [only] = plays.values();
    if (die && plays.size === 1) acts.playAction(only);
    else if (die) go([...(isDone() ? [] : own.steps), { point, die }]);
  }

  /**
   * Take in a position, as the side to move sees it. Gives what is shown instead of it, what the best move makes of it (null: neither), and
   * which points can be tapped.
   *
   * @param {TableModel<AnyPosition>} model
   * @param {BoardPart[]} parts
   * @param {Board} board
   */
  function update(model, parts, board) {
    if (own.state !== model.position.state) [own, first] = [{ state: model.position.state, steps: [] }, 0];
    const roll = parts.find((part) => part.kind === "dice");
    const faces = roll?.kind === "dice" ? roll.faces.map(Number) : [];
    rolled = faces.length === 2 && faces[0] === faces[1] ? [...faces, ...faces] : faces;
    begin = board;
    plays = playsFrom(begin, movesNow(model));
    if (model.selected !== null && own.steps.length && plays.get(keyOf(now())) !== model.selected) own.steps = [];
    const isSuggested = model.coach && model.selected === model.best && !model.rivalMoves;
    const preview = own.steps.length ? now() : model.selected === null || isSuggested || !plays.size ? null : afterPlay(begin, model.selected);
    const best = model.coach && !model.stale && model.best !== null && plays.size && !own.steps.length ? afterPlay(begin, model.best) : null;
    drawDice(model);
    drawChoices(model);
    back.hidden = !own.steps.length;
    return { preview, best, can: (/** @type {number} */ point) => !model.rivalMoves && dieFor(point) !== null, moves: plays.size > 0 };
  }

  /** @param {TableModel<AnyPosition>} model */
  function drawDice({ rivalMoves }) {
    const left = diceLeft(inOrder(), own.steps);
    const isSwap = rolled.length === 2 && plays.size > 1 && !rivalMoves && !own.steps.length;
    const used = own.steps.map(({ die }) => die);
    dice.hidden = !rolled.length;
    dice.replaceChildren(...inOrder().map((die, i) => drawDie(die, i, used, isSwap)));
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
    const unplayed = diceLeft(rolled, own.steps);
    const left = own.steps.length && !isDone() ? [...plays].filter(([goal, action]) => reaches(now(), unplayed, new Map([[goal, action]]))) : [];
    choices.hidden = !left.length || left.length > FEW;
    choices.replaceChildren(...(choices.hidden ? [] : left).map(([, action]) => {
      const child = button(playName(action), () => acts.select(action), { class: coach && best === action ? "best" : "", test: `choice-${action}` });
      setPressed(child, selected === action);
      return child;
    }));
  }

  /** Whether every move can be made by taps. @param {TableModel<AnyPosition>} model */
  const covers = ({ shown }) => plays.size > 0 && plays.size === shown?.moves.length && !shown.moves.some(({ action }) => action === "pass");
  return { dice, back, choices, touch, update, covers };
}
