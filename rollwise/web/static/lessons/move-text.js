/**
 * What is said about a move: its name with dice drawn, what it costs, and why.
 *
 * @import { Move } from "../../types.js"
 * @import { Played } from "./board.js"
 */

import { el } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, lossOfClass } from "../texts/numbers.js";
import { capital, t } from "../texts/texts.js";

/**
 * A move in a row: whose it is, its name, what it costs, and why.
 *
 * @param {Played} played
 * @param {{ label: string, move: Move, plain?: boolean }} said `plain`: its label says that it is best
 */
export function moveRow(played, { label, move, plain = false }) {
  const { kind } = played;
  const name = el("b", { class: "what" });
  setDrawn(name, kind, capital(kind.moveName(move.action)), move.action);
  const cost = isLoss(move.loss) ? t("after.costs", { loss: lossOfClass(played, move.loss) }) : plain ? "" : t("after.none-better");
  const why = el("p", { class: "why" });
  setDrawn(why, kind, move.why, move.action);
  return el("li", { class: isLoss(move.loss) ? "" : "good" }, el("p", {}, el("span", { class: "label", text: label }), " ", name, " ", el("span", { class: "cost", text: cost })), why);
}
