/**
 * The checkers of one side: points 6 to 1, each a button, and the tray for those that are off.
 *
 * @import { BoardPart } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "points" }>} Side
 * @typedef {{ head: string, turn: boolean, after: number[] | null, best: number[] | null, can: (point: number) => boolean }} How
 *   `after`: the board that is shown instead, after taps or the selected move; `best`: the one that the best move makes
 */

import { button, el, setAttribute, setText } from "../app/dom.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** Checkers of a point that are drawn; of more, their number is. */
const STACKED = 5;
const BAR = 25;
const POINTS = [6, 5, 4, 3, 2, 1];

/** Build a side. @param {number} player @param {(point: number) => void} touch */
export function makeSide(player, touch) {
  const head = el("p", { class: "side-head" });
  const points = POINTS.map((point) => makePoint(point, touch, `point-${player}-${point}`));
  const tray = el("div", { class: "off-tray", role: "img" });
  const node = el("div", { class: `side side-${player}` }, head, el("div", { class: "home-board" }, ...points, tray));

  /** @param {Side} side @param {How} how */
  function draw({ label, text, counts, off }, { head: name, turn, after, best, can }) {
    const now = after ?? counts;
    const moved = counts.reduce((sum, count) => sum + count, 0) - now.reduce((sum, count) => sum + count, 0);
    head.hidden = !name;
    head.textContent = name;
    node.classList.toggle("turn", turn);
    setAttribute(node, "role", "group");
    setAttribute(node, "aria-label", `${label}: ${text}`);
    points.forEach((child, i) => {
      const at = POINTS[i] - 1;
      drawPoint(child, { point: at + 1, count: now[at], came: Math.max(0, now[at] - counts[at]), isBest: best !== null && best[at] < counts[at], can: can(at + 1) });
    });
    tray.replaceChildren(el("span", { class: "off-count", text: off + moved }), el("span", { class: "off-label", text: t("points.off") }));
    tray.classList.toggle("came", moved > 0);
    setAttribute(tray, "aria-label", `${t("points.off")}: ${off + moved}`);
  }
  return { node, draw };
}

/** @param {number} point @param {(point: number) => void} touch @param {string} test */
export function makePoint(point, touch, test) {
  const node = button("", () => node.getAttribute("aria-disabled") || touch(point), { class: point === BAR ? "point bar" : point % 2 ? "point odd" : "point", test });
  node.append(el("span", { class: "stack", "aria-hidden": "true" }), el("span", { class: "number" }), el("span", { class: "unseen" }));
  return node;
}

/**
 * Draw a point: `side` and `who` are whose checkers are on it, where there are two sides.
 *
 * @param {HTMLElement} node
 * @param {{ point: number, count: number, side?: number, who?: string, came: number, isBest: boolean, can: boolean }} what
 */
export function drawPoint(node, { point, count, side, who = "", came, isBest, can }) {
  const [stack, number, spoken] = node.children;
  const drawn = Math.min(count, STACKED);
  const own = side === undefined ? "checker" : `checker side-${side}`;
  const checkers = Array.from({ length: drawn }, (_, i) => el("span", { class: i >= drawn - came ? `${own} came` : own }));
  if (count > STACKED) checkers[drawn - 1].textContent = String(count);
  stack.replaceChildren(...checkers);
  node.classList.toggle("best", isBest);
  setAttribute(node, "aria-disabled", can ? null : "true");
  setText(number, point === BAR ? t("points.bar") : String(point));
  const said = t(point === BAR ? "points.on-bar" : "points.point", { point, checkers: plural(count, "checker") });
  spoken.textContent = ` ${[said, ...(who ? [who] : []), ...(isBest ? [t("points.best")] : [])].join(", ")}`;
}
