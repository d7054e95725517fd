/**
 * The board of Threes: the dice set aside, the dice just rolled to set aside more, and the points so far.
 *
 * @import { AnyPosition, MakeStage, TableModel } from "../../types.js"
 */

import { el, setText } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { partOf, partsNow } from "./generic.js";
import { drawAside, facesOf, makeDice, setsAside } from "./set-aside.js";

export const kind = setsAside;

/** What dice count. @param {string} faces */
const pointsOf = (faces) => [...faces].reduce((sum, face) => sum + (face === "3" ? 0 : Number(face)), 0);

/** @type {MakeStage} */
export function makeStage(board, acts) {
  const dice = makeDice((i) => acts.tapDie(i));
  const sum = el("p", { class: "sum-line", test: "points-now" });
  const tray = el("div", { class: "aside-tray", test: "aside" });
  const points = el("strong", { test: "points" });
  const label = el("span", { class: "hint" });
  const sofar = el("p", { class: "turn-points" }, el("span", { class: "sum" }, points, label));
  const node = el("div", { class: "aside-stage", test: "stage" }, el("h3", { text: t("aside.title") }), tray, sofar);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const { position, selected, held, canHold, over, stale } = model;
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const rolled = position.dice ?? [];
    const left = rolled.length || (partOf(parts, "number", "left")?.value ?? 0);
    const count = board.dice - (over ? 0 : left);
    const aside = asideOf(position, count);
    const before = aside.length === count ? pointsOf(aside) : position.total;
    tray.replaceChildren(drawAside(aside || "?".repeat(count), board.dice));
    sofar.hidden = aside.length < count && !before;
    setText(points, String(before));
    setText(label, t("threes-board.so-far", { n: before }));
    dice.node.hidden = over || !rolled.length;
    dice.update(/** @type {number[]} */ (rolled), stale ? [] : held, () => canHold);
    const now = stale ? "" : facesOf(selected);
    sum.hidden = over || !rolled.length;
    setText(sum, now ? t("threes-board.sum", { now: pointsOf(now), n: before + pointsOf(now) }) : t("threes-board.tap"));
  }
  return { node, play: [dice.node, sum], covers: () => true, update };
}

/** The dice set aside, as many as there must be; "" where a link does not say which they are. @param {AnyPosition} position @param {number} count */
function asideOf({ aside = [] }, count) {
  const faces = [...aside.join("")].sort().join("");
  return faces.length === count ? faces : "";
}
