/**
 * What is said about a move: its name with dice drawn, what it costs, and why.
 *
 * @import { Kind, Move, Writers } from "../../types.js"
 */

import { el } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, lossText } from "../texts/numbers.js";
import { capital, t } from "../texts/texts.js";

/** The classes of mistakes that have words here; an objective of one's own may have others. */
const NAMED = new Set(["inaccuracy", "mistake", "blunder"]);

/**
 * A move in a row: whose it is, its name, what it costs, and why.
 *
 * @param {{ kind: Kind<any, any>, write: Writers }} played
 * @param {{ label: string, move: Move, severity?: string | null, plain?: boolean }} said `plain`: its label says that it is best
 */
export function moveRow({ kind, write }, { label, move, severity, plain = false }) {
  const name = el("b", { class: "what" });
  setDrawn(name, kind, capital(kind.moveName(move.action)), move.action);
  const bad = severity ? ` (${NAMED.has(severity) ? t(`after.${severity}`) : severity})` : "";
  const cost = isLoss(move.loss) ? `${t("after.costs", { loss: lossText(write, move.loss) })}${bad}` : plain ? "" : t("after.none-better");
  const why = el("p", { class: "why" });
  setDrawn(why, kind, move.why, move.action);
  return el("li", { class: isLoss(move.loss) ? "" : "good" }, el("p", {}, el("span", { class: "label", text: label }), " ", name, " ", el("span", { class: "cost", text: cost })), why);
}
