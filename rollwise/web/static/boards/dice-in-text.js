/**
 * Small dice in a line of text, for those who see them; the text itself for all others.
 *
 * @import { Face, Kind } from "../../types.js"
 */

import { el } from "../app/dom.js";
import { drawDie } from "./die-face.js";

/** Draw dice in the size of the text around them. @param {Face[]} faces */
export function smallDice(faces) {
  const text = faces.some((face) => String(face).length > 1) ? faces.join(",") : faces.join("");
  return el("span", { class: "mini" }, el("span", { class: "unseen", text }), el("span", { "aria-hidden": "true" }, ...faces.map(drawDie)));
}

/**
 * Fill a node with a text that speaks of moves, in this order, whose dice are drawn; where it says that already, it is left alone, so
 * that live regions speak once.
 *
 * @param {HTMLElement} node
 * @param {Kind} kind
 * @param {string} text
 * @param {...string} actions
 */
export function setDrawn(node, kind, text, ...actions) {
  if (node.dataset.said === text) return;
  node.dataset.said = text;
  const parts = cut(text, kind, actions);
  const word = (/** @type {string} */ part) => (parts.length > 1 ? el("span", { class: "word", text: part }) : part);
  node.replaceChildren(...parts.map((part) => (typeof part === "string" ? word(part) : smallDice(part))));
}

/**
 * Cut a text into words and dice: a move is shown by its name, or its dice are the first numbers of a sentence about it.
 *
 * @type {(text: string, kind: Kind, actions: string[]) => (string | Face[])[]}
 */
export function cut(text, kind, actions) {
  const parts = [];
  let rest = text;
  for (const action of actions) {
    const dice = kind.diceIn?.(action);
    const from = Math.max(0, rest.toLowerCase().indexOf(kind.moveName(action).toLowerCase()));
    const found = dice && [dice.faces.join(" "), dice.text].find((dots) => rest.includes(dots, from));
    if (!dice || !found) continue;
    const at = rest.indexOf(found, from);
    parts.push(rest.slice(0, at), dice.faces);
    rest = rest.slice(at + found.length);
  }
  return [...parts, rest];
}
