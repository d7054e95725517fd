/**
 * The board of Hog: two lanes, and a row of dice of which as many are rolled as are tapped.
 *
 * @import { Acts, AnyPosition, Kind, MakeStage, TableModel } from "../../types.js"
 */

import { button, el, setAttribute, setPressed, setText, unseen } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { drawDie } from "./die-face.js";
import { makeLanes, makeTurn, kind as remembers } from "./lanes.js";
import { partsNow } from "./generic.js";

const ROW = 10;

/** @type {Partial<Kind<any, AnyPosition>>} */
export const kind = { ...remembers, moveName: (action) => t("lanes.roll-dice", { n: countOf(action) }), lists: () => false };

/** How many dice a move rolls. @param {string | null} action */
const countOf = (action) => Number(/^roll (\d+)$/.exec(action ?? "")?.[1] ?? 0);

/** @type {MakeStage} */
export function makeStage(board, acts) {
  const lanes = makeLanes();
  const turn = makeTurn();
  const count = makeCount(acts);
  const node = el("div", { class: "lanes-stage", test: "stage" }, lanes.node);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (parts) lanes.update(model, parts, 0);
    turn.update(model, null);
    count.update(model);
  }
  return { node, play: [turn.node, count.node], covers: () => true, update };
}

/** A row of dice: a tap on one says how many to roll; buttons beside it go beyond the row. @param {Acts} acts */
function makeCount(acts) {
  const dice = Array.from({ length: ROW }, (_, i) => makeDie(i + 1, acts));
  const [less, more] = [-1, 1].map((by) => button(by < 0 ? "−" : "+", () => acts.select(`roll ${chosen + by}`), { class: "step", "aria-label": t(by < 0 ? "lanes.fewer" : "lanes.more"), test: by < 0 ? "fewer-dice" : "more-dice" }));
  const number = el("strong", { class: "count", test: "dice-count" });
  const row = el("ol", { class: "count-dice" }, ...dice.map((die) => die.node));
  const node = el("div", { class: "count-row", role: "group", "aria-label": t("lanes.how-many") }, row, el("div", { class: "count-steps" }, less, number, more));
  let chosen = 0;

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const { over, ready, stale, moves, selected } = model;
    node.hidden = over || !ready;
    if (node.hidden || stale || !moves) return;
    chosen = countOf(selected);
    dice.forEach((die) => die.update(model, chosen));
    setText(number, chosen ? t("lanes.roll-dice", { n: chosen }) : t("lanes.how-many"));
    less.disabled = !moves.has(`roll ${chosen - 1}`);
    more.disabled = !moves.has(`roll ${chosen + 1}`);
  }
  return { node, update };
}

/** @param {number} n @param {Acts} acts */
function makeDie(n, acts) {
  const label = unseen();
  const main = button("", () => acts.choose(`roll ${n}`), { class: "die", test: `act-roll ${n}` });
  main.append(label, drawDie(String(n)));
  setText(label, t("lanes.roll-dice", { n }));
  return {
    node: el("li", {}, main),
    /** @param {TableModel<AnyPosition>} model @param {number} chosen */
    update({ moves, coach, best, rivalMoves }, chosen) {
      main.hidden = !moves?.has(`roll ${n}`);
      main.classList.toggle("in", n <= chosen);
      main.classList.toggle("best", coach && best === `roll ${n}`);
      setPressed(main, n === chosen);
      setAttribute(main, "aria-disabled", rivalMoves ? "true" : null);
    },
  };
}
