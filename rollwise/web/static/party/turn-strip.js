/**
 * Whose turn it is, above the dice: all players with their totals, in a line.
 *
 * @import { Part, TableModel } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { percent } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** Make the line. @type {(names: string[]) => Part<any>} */
export function makeStrip(names) {
  const seats = names.map(makeSeat);
  const node = el("ol", { class: "players", "aria-label": t("party.players"), test: "players" }, ...seats.map((seat) => seat.node));

  /** @param {TableModel<any>} model */
  function update(model) {
    for (const seat of seats) seat.update(model);
    reveal(node, seats[model.party?.mover ?? 0].node);
    // What scrolls must be reached by the keyboard.
    setAttribute(node, "tabindex", node.scrollWidth > node.clientWidth + 1 ? 0 : null);
  }
  return { node, update };
}

/** @param {HTMLElement} node @param {HTMLElement} seat */
function reveal(node, seat) {
  const left = seat.offsetLeft - node.offsetLeft;
  node.scrollLeft = Math.max(left + seat.offsetWidth - node.clientWidth, Math.min(left, node.scrollLeft));
}

/** @param {string} name @param {number} i */
function makeSeat(name, i) {
  const total = el("b");
  const chance = el("span", { class: "odds" });
  const node = el("li", {}, el("span", { text: name }), " ", total, chance);
  return {
    node,
    /** @param {TableModel<any>} model */
    update({ party, over }) {
      const { total: points, rolls } = party?.positions[i] ?? {};
      setText(total, String(party?.results[i] ?? points ?? rolls ?? ""));
      const win = party?.odds && !over ? party.chances[i] : null;
      setText(chance, typeof win === "number" ? ` ${party?.exact ? "" : "≈ "}${percent(win, 0)}` : "");
      setAttribute(node, "aria-current", !over && party?.mover === i ? "true" : null);
    },
  };
}
