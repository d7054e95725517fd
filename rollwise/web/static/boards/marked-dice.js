/**
 * Dice with marked corners, of which a throw counts those that point up: pyramids, seen from above, and what the throw counts.
 *
 * @import { AnyPosition, BoardPart, TableModel } from "../../types.js"
 */

import { el, setAttribute, svg } from "../app/dom.js";
import { partOf } from "./generic.js";

/** Put marks in an order that is the same each time a position is seen. @param {string[]} faces @param {string} key */
export function mixed(faces, key) {
  const left = [...faces];
  let hash = [...key].reduce((sum, sign) => (31 * sum + sign.charCodeAt(0)) % 65521, 7);
  return faces.map(() => {
    hash = (hash * 75 + 74) % 65537;
    return left.splice(hash % left.length, 1)[0];
  });
}

/** Make the place for a throw. */
export function makeMarkedDice() {
  const number = el("strong", { class: "thrown-sum" });
  const row = el("span", { class: "marked-dice" });
  const node = el("div", { class: "thrown marked rolled", role: "img", test: "rolled", hidden: true }, row, number);
  let drawn = "";

  /** @param {BoardPart[]} parts @param {TableModel<AnyPosition>} model */
  function update(parts, { position }) {
    const roll = partOf(parts, "counter", "roll");
    const dice = partOf(parts, "dice", "dice");
    node.hidden = !roll || !dice;
    if (!roll || !dice) return;
    const faces = mixed(dice.faces, position.state);
    const key = JSON.stringify([faces, roll.value]);
    if (key === drawn) return;
    drawn = key;
    setAttribute(node, "aria-label", `${roll.label}: ${roll.value}`);
    number.textContent = String(roll.value);
    row.replaceChildren(...faces.map((face) => drawPyramid(face === "1")));
  }
  return { node, update };
}

/** @param {boolean} isMarked */
function drawPyramid(isMarked) {
  const edges = ["50,58 50,8", "50,58 6,90", "50,58 94,90"].map((points) => svg("polyline", { points }));
  return svg("svg", { class: isMarked ? "pyramid up" : "pyramid", viewBox: "0 0 100 100" }, svg("polygon", { points: "50,8 94,90 6,90" }), ...edges, svg("circle", { cx: 50, cy: 58, r: 12 }));
}
