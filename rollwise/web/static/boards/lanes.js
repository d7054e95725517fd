/**
 * Two players who race to a number of points, each on a lane: where they are, and how far the points of the turn would take the one
 * who moves. The board of Pig; Hog and Farkle put their dice beside it.
 *
 * @import { AnyPosition, BoardPart, Kind, MakeStage, TableModel } from "../../types.js"
 */

import { el, setAttribute, setText, unseen } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { makeDie } from "./generic-parts.js";
import { any, partOf, partsNow, sidesOf } from "./generic.js";

/** A roll is remembered, as the position holds only what it adds up to. @type {Partial<Kind<any, AnyPosition>>} */
export const kind = {
  enter: (position, target, roll) => withRoll(any.enter(position, target, roll), /** @type {any} */ (roll)),
  roll: (board, position, draw, drawn) => (drawn ? withRoll(any.roll(board, position, draw, drawn), drawn) : position),
};

/** @param {AnyPosition} position @param {import("../../types.js").RollInfo} roll @returns {AnyPosition} */
const withRoll = (position, { label, dice }) => ({ ...position, rolled: { label, dice } });

/** Make both lanes. */
export function makeLanes() {
  const lanes = [makeLane(), makeLane()];
  const node = el("ol", { class: "lanes", test: "part-score", hidden: true }, ...lanes.map((lane) => lane.node));

  /**
   * Show where the players are; `ahead` is what the player who moves has at stake.
   *
   * @param {TableModel<AnyPosition>} model
   * @param {BoardPart[]} parts
   * @param {number} ahead
   */
  function update(model, parts, ahead) {
    const score = partOf(parts, "scores", "score");
    node.hidden = !score;
    if (!score) return;
    const names = sidesOf(model);
    setAttribute(node, "aria-label", score.label);
    lanes.forEach((lane, i) => lane.update({ name: names[i], points: score.values[i], goal: score.goal ?? 1, moves: score.mover === i, ahead: score.mover === i ? ahead : 0 }));
  }
  return { node, update };
}

function makeLane() {
  const [who, turn, points, goal, ghost] = ["who", "turn", "points", "goal", "ghost"].map((name) => el("span", { class: name }));
  const stake = unseen();
  const course = el("span", { class: "course", "aria-hidden": "true" }, el("span", { class: "run" }), el("span", { class: "ahead" }), ghost, el("span", { class: "runner" }));
  const node = el("li", { class: "lane" }, who, turn, el("span", { class: "score" }, points, goal), stake, course);

  /** @param {{ name: string, points: number, goal: number, moves: boolean, ahead: number }} lane */
  function update({ name, points: at, goal: end, moves, ahead }) {
    setText(who, name);
    setText(turn, moves ? t("any.to-move") : "");
    setText(points, String(at));
    setText(goal, t("any.of", { n: String(end) }));
    setText(ghost, ahead ? `+${ahead}` : "");
    setText(stake, ahead ? t("lanes.stake", { n: String(ahead) }) : "");
    node.classList.toggle("now", moves);
    node.classList.toggle("ahead-of", ahead > 0);
    course.style.setProperty("--at", String(Math.min(1, at / end)));
    course.style.setProperty("--to", String(Math.min(1, (at + ahead) / end)));
  }
  return { node, update };
}

/** What was rolled last, and the points of the turn, large. */
export function makeTurn() {
  const rolled = el("span", { class: "rolled", test: "rolled" });
  const points = el("strong", { test: "part-turn" });
  const label = el("span", { class: "hint" });
  const node = el("p", { class: "turn-points" }, el("span", { class: "sum" }, points, label), rolled);
  let drawn = "";

  /** @param {TableModel<AnyPosition>} model @param {number | null} turn */
  function update({ position: { rolled: roll, state }, over }, turn) {
    const now = state && roll ? `${roll.dice.join()} ${roll.label}` : "";
    if (now !== drawn) rolled.replaceChildren(...(now && roll ? drawRoll(roll) : []));
    drawn = now;
    setText(points, turn === null ? "" : String(turn));
    setText(label, turn === null ? "" : t("lanes.turn", { n: turn }));
    node.hidden = over || (turn === null && !now);
  }
  return { node, update };
}

/** Draw a roll: its dice, and its name where they do not say it. @param {NonNullable<AnyPosition["rolled"]>} roll */
function drawRoll({ dice, label }) {
  const faces = el("span", { class: "dice-row", "aria-hidden": "true" }, ...dice.map(makeDie));
  const isPlain = dice.join(" ") === label;
  return [faces, el("span", { class: isPlain ? "unseen" : "name", text: /^\d+$/.test(label) ? t("lanes.rolled", { n: label }) : label })];
}

/** @type {MakeStage} */
export function makeStage() {
  const lanes = makeLanes();
  const turn = makeTurn();
  const node = el("div", { class: "lanes-stage", test: "stage" }, lanes.node);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const points = partOf(parts, "number", "turn")?.value ?? 0;
    lanes.update(model, parts, points);
    turn.update(model, points);
  }
  return { node, play: [turn.node], update };
}
