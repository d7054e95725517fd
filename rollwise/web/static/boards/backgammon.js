/**
 * A whole board of backgammon: 24 points, the bar between its halves, trays for checkers that are off. Points are numbered as the player
 * counts them who moves; the first player's home is at the lower right.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "points" }>} Side
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { capital, t } from "../texts/texts.js";
import { makePlay, playName } from "./checker-play.js";
import { partOf, partsNow, sidesOf } from "./generic.js";
import { drawPoint, makePoint } from "./points-side.js";
import { slide } from "./slide.js";

const BAR = 25;
/** The places from the left, first the upper row, as the first player numbers them; 0 is the bar, -1 a tray. */
const ROWS = [[13, 14, 15, 16, 17, 18, 0, 19, 20, 21, 22, 23, 24, -1], [12, 11, 10, 9, 8, 7, 0, 6, 5, 4, 3, 2, 1, -1]];

export const kind = { moveName: playName, lists: () => false };

/** @type {MakeStage} */
export function makeStage(board, acts) {
  const play = makePlay(acts);
  let player = 0;
  /** How the player to move counts a point, or the other way round. @param {number} place */
  const counted = (place) => (player ? BAR - place : place);
  const points = new Map(Array.from({ length: BAR - 1 }, (_, i) => [i + 1, makePoint(i + 1, () => play.touch(counted(i + 1)), `place-${i + 1}`)]));
  const bars = [0, 1].map((side) => makePoint(BAR, () => side === player && play.touch(BAR), `bar-${side}`));
  const trays = [0, 1].map((side) => el("div", { class: "off-tray", role: "img", test: `off-${side}` }));
  const heads = [0, 1].map(() => el("p", { class: "side-head" }));
  const rows = ROWS.map((places, upper) => el("div", { class: upper ? "point-row" : "point-row upper" }, ...places.map((place) => (place > 0 ? points.get(place) : place === 0 ? bars[upper ? 1 : 0] : trays[upper ? 0 : 1]))));
  const middle = el("div", { class: "points-middle" }, el("span", {}, play.back), play.dice);
  const field = el("div", { class: "home-board whole", role: "group", test: "points" }, rows[0], middle, rows[1]);
  const node = el("div", { class: "any-stage points-stage", test: "stage" }, heads[1], field, heads[0], play.choices);
  /** The checkers of both sides as they were drawn last. @type {number[][]} */
  let lay = [];

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const shown = /** @type {Side[]} */ (parts.filter((part) => part.kind === "points"));
    const mover = partOf(parts, "mover", "mover")?.player;
    player = mover ?? 0;
    const from = { own: shown[player].counts, other: shown[1 - player].counts };
    const { preview, best, can, moves } = play.update(model, parts, from);
    const now = preview ?? from;
    const names = sidesOf(model);
    setAttribute(field, "aria-label", shown.map(({ label, text }) => `${capital(label)}: ${text}`).join(". "));
    for (const [place, child] of points) {
      const at = counted(place);
      const [own, other] = [now.own[at - 1], now.other[BAR - at - 1]];
      const side = own ? player : 1 - player;
      drawPoint(child, { point: at, count: own || other, side, who: own || other ? names[side] : "", came: own ? Math.max(0, own - from.own[at - 1]) : 0, isBest: best !== null && best.own[at - 1] < from.own[at - 1], can: moves && can(at) });
    }
    [now.own, now.other].forEach((counts, i) => {
      const side = i ? 1 - player : player;
      const hit = i ? counts[BAR - 1] - from.other[BAR - 1] : 0;
      drawPoint(bars[side], { point: BAR, count: counts[BAR - 1], side, who: names[side], came: hit, isBest: !i && best !== null && best.own[BAR - 1] < counts[BAR - 1], can: !i && moves && can(BAR) });
      drawTray(trays[side], side, names[side], shown[side].off + sum(shown[side].counts) - sum(counts), sum(shown[side].counts) > sum(counts));
    });
    heads.forEach((head, side) => drawHead(head, names[side], shown[side], side, side === mover));
    const lie = player ? [now.other, now.own] : [now.own, now.other];
    lie.forEach((counts, side) => slideHere(side, lay[side] ?? counts, counts));
    lay = lie;
  }

  /** Let a checker that lies elsewhere now slide there. @param {number} side @param {number[]} then @param {number[]} now */
  function slideHere(side, then, now) {
    const [to, from] = [now.findIndex((count, i) => count > then[i]), now.findIndex((count, i) => count < then[i])];
    const placeOf = (/** @type {number} */ i) => (i === BAR - 1 ? bars[side] : points.get(side ? BAR - i - 1 : i + 1));
    if (from >= 0 && to >= 0) slide(placeOf(to)?.querySelector(".checker:last-child"), placeOf(from));
  }
  return { node, update, covers: play.covers };
}

const sum = (/** @type {number[]} */ counts) => counts.reduce((all, count) => all + count, 0);

/** @param {HTMLElement} tray @param {number} side @param {string} name @param {number} off @param {boolean} came */
function drawTray(tray, side, name, off, came) {
  const checkers = Array.from({ length: off }, () => el("span", { class: `checker side-${side}` }));
  tray.replaceChildren(el("span", { class: "off-label", text: t("points.off") }), ...checkers);
  tray.classList.toggle("came", came);
  setAttribute(tray, "aria-label", t("points.tray", { name, n: off }));
}

/** @param {HTMLElement} head @param {string} name @param {Side} part @param {number} side @param {boolean} isMoving */
function drawHead(head, name, { counts }, side, isMoving) {
  head.classList.toggle("turn", isMoving);
  const pips = counts.reduce((all, count, i) => all + count * (i + 1), 0);
  if (!head.children.length) head.append(el("span", { class: `checker side-${side}`, "aria-hidden": "true" }), el("span"), el("span", { class: "hint" }));
  setText(head.children[1], isMoving ? `${name}, ${t("any.to-move")}` : name);
  setText(head.children[2], t("points.pips", { n: pips }));
}
