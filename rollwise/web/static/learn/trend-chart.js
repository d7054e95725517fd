/** The rating of each game as a dot, in order, and the line of their trend: lower is better. */

import { svg } from "../app/dom.js";
import { roundNumbers } from "../coach/outlook-chart.js";

const WIDTH = 360;
const HIGH = 130;
const LEFT = 36;
const EDGE = 10;

/**
 * @param {number[]} ratings
 * @param {{ slope: number } | null} trend
 * @param {{ share: boolean, label: string }} how `share`: they are chances
 */
export function drawTrend(ratings, trend, { share, label }) {
  const factor = share ? 100 : 1;
  const values = ratings.map((rating) => rating * factor);
  const high = Math.max(...values, factor * 1e-3) * 1.1;
  const x = (/** @type {number} */ i) => LEFT + EDGE + ((WIDTH - LEFT - 2 * EDGE) * (values.length > 1 ? i : 0.5)) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ value) => HIGH - EDGE - (value / high) * (HIGH - 2 * EDGE);
  const ticks = roundNumbers(0, high, 4).filter((value) => value <= high).map((value) =>
    svg("g", { class: "tick" }, svg("line", { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }), svg("text", { x: LEFT - 6, y: y(value) + 4, text: value })));
  const dots = values.map((value, i) => svg("circle", { cx: x(i), cy: y(value), r: 4, class: "rating" }));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HIGH}`, role: "img", "aria-label": label, class: "course trend" }, ...ticks, ...(trend ? [line(values, trend.slope * factor, x, y)] : []), ...dots);
}

/** @type {(values: number[], slope: number, x: (i: number) => number, y: (value: number) => number) => SVGElement} */
function line(values, slope, x, y) {
  const last = values.length - 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = (/** @type {number} */ i) => Math.max(0, mean + slope * (i - last / 2));
  return svg("line", { x1: x(0), x2: x(last), y1: y(at(0)), y2: y(at(last)), class: "trend-line" });
}
