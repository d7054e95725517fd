/**
 * The picture of a face of a die.
 *
 * @import { Face } from "../../types.js"
 */

import { el, setAttribute, svg } from "../app/dom.js";

/** @type {Record<number, string[]>} */
const PIPS = {
  1: ["50,50"],
  2: ["26,26", "74,74"],
  3: ["26,26", "50,50", "74,74"],
  4: ["26,26", "74,26", "26,74", "74,74"],
  5: ["26,26", "74,26", "50,50", "26,74", "74,74"],
  6: ["26,24", "74,24", "26,50", "74,50", "26,76", "74,76"],
};

/** Draw a die in a picture of its own. @param {Face} face */
export function drawDie(face) {
  const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
  drawFace(picture, face);
  return picture;
}

/** Draw dice in a row; a text beside them says what they show. @param {string[]} faces @param {string} [name] */
export const drawDice = (faces, name = "drawn") =>
  el("span", { class: name, role: "img", "aria-label": faces.join(" ") }, ...faces.map((face) => drawDie(Number(face) || face)));

/**
 * Draw a face in a svg: pips up to six, otherwise the symbol itself; null and * are a die that is not rolled.
 *
 * @param {SVGElement} picture
 * @param {Face | null} value
 */
export function drawFace(picture, value) {
  const missing = value === null || value === "*";
  const pips = typeof value === "number" ? PIPS[value] : undefined;
  const marks = pips
    ? pips.map((at) => svg("circle", { cx: at.split(",")[0], cy: at.split(",")[1], r: 10 }))
    : [svg("text", { x: 50, y: 52, text: missing ? "" : value })];
  const body = svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 20 });
  setAttribute(picture, "class", missing ? "face missing" : "face");
  picture.replaceChildren(body, ...marks);
}
