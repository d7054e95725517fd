/**
 * A throw of which a game knows only the sum. Where the page rolls, dice are drawn that add up to it, every way to throw it as likely as
 * with real dice and the same each time a position is seen; where a player throws real dice, just the sum.
 *
 * @import { AnyPosition, BoardPart, TableModel } from "../../types.js"
 */

import { el, setAttribute, svg } from "../app/dom.js";
import { drawFace } from "./die-face.js";

/**
 * Choose faces that add up to a sum: `key` decides which.
 *
 * @param {number} sum
 * @param {number} dice
 * @param {string} key
 */
export function facesOf(sum, dice, key) {
  if (dice === 1) return [sum];
  const firsts = [1, 2, 3, 4, 5, 6].filter((first) => sum - first >= 1 && sum - first <= 6);
  const first = firsts[[...key].reduce((hash, sign) => (31 * hash + sign.charCodeAt(0)) % 65521, 7) % firsts.length];
  return [first, sum - first];
}

/** Make the place for a throw: what a part with `dice` says, the numbers of dice that may have been thrown. */
export function makeThrow() {
  const number = el("strong", { class: "thrown-sum" });
  const faces = el("span", { class: "thrown-dice dice-row" });
  const node = el("div", { class: "thrown", role: "img", test: "part-rolled" }, faces, number);
  let drawn = "";

  /** @param {BoardPart} part */
  const shows = (part) => part.kind === "counter" && part.dice !== undefined;

  /** @param {BoardPart[]} parts @param {TableModel<AnyPosition>} model */
  function draw(parts, { position, mode }) {
    const part = /** @type {Extract<BoardPart, { kind: "counter" }> | undefined} */ (parts.find(shows));
    node.hidden = !part;
    if (!part) return;
    const { value, dice = [2] } = part;
    const isOne = value === 1 || (dice.includes(1) && position.from?.action === "roll one die");
    const many = isOne ? 1 : Math.max(...dice);
    const shown = mode === "mine" && value ? [] : value ? facesOf(value, many, position.state) : Array(many).fill(null);
    const key = JSON.stringify([shown, value]);
    if (key === drawn) return;
    drawn = key;
    setAttribute(node, "aria-label", value ? `${part.label}: ${value}${shown.length > 1 ? ` (${shown.join(" + ")})` : ""}` : part.label);
    number.textContent = value ? String(value) : "";
    faces.replaceChildren(...shown.map(drawOne));
  }
  return { node, draw, shows };
}

/** @param {number | null} face */
function drawOne(face) {
  const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
  drawFace(picture, face);
  return picture;
}
