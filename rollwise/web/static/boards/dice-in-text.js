/**
 * Small dice in a line of text, for those who see them; the text itself for all others.
 *
 * @import { Face, Kind } from "../../types.js"
 */

import { el, svg } from "../app/dom.js";
import { drawFace } from "./die-face.js";

/**
 * Draw dice in the size of the text around them.
 *
 * @param {Face[]} faces
 */
export function smallDice(faces) {
  const pictures = faces.map((face) => {
    const picture = svg("svg", { viewBox: "0 0 100 100" });
    drawFace(picture, face);
    return picture;
  });
  const text = faces.some((face) => String(face).length > 1) ? faces.join(",") : faces.join("");
  return el("span", { class: "mini" }, el("span", { class: "unseen", text }), el("span", { "aria-hidden": "true" }, ...pictures));
}

/**
 * Fill a node with a text whose dice are drawn; where it says that already, it is left alone, so that live regions speak once.
 *
 * @param {HTMLElement} node
 * @param {string} text
 * @param {Kind} kind
 */
export function setDrawn(node, text, kind) {
  if (node.dataset.said === text) return;
  node.dataset.said = text;
  const parts = kind.drawn?.(text) ?? [text];
  const word = (/** @type {string} */ part) => (parts.length > 1 ? el("span", { class: "word", text: part }) : part);
  node.replaceChildren(...parts.map((part) => (typeof part === "string" ? word(part) : smallDice(part))));
}
