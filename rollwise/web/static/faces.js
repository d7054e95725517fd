// @ts-check
/** A small picture of a die: pips up to six, otherwise the symbol itself. */

import { svg } from "./dom.js";

/** @type {Record<string, [x: number, y: number][]>} */
const PIPS = {
  1: [[50, 50]],
  2: [[26, 26], [74, 74]],
  3: [[26, 26], [50, 50], [74, 74]],
  4: [[26, 26], [74, 26], [26, 74], [74, 74]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  6: [[26, 24], [74, 24], [26, 50], [74, 50], [26, 76], [74, 76]],
};

/**
 * Draw a die that shows a face.
 *
 * @param {string} face
 */
export function makeDie(face) {
  const pips = PIPS[face]?.map(([cx, cy]) => svg("circle", { cx, cy, r: 10 }));
  const body = svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 20 });
  const wide = face.length > 2 ? "face long" : "face";
  return svg("svg", { viewBox: "0 0 100 100", class: wide, "aria-hidden": "true" }, body, ...(pips ?? [svg("text", { x: 50, y: 52, text: face })]));
}
