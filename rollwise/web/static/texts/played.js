/**
 * Saying what somebody has done: a sentence needs another form of a move than its name, "kept 5 5" and not "keep 5 5".
 *
 * @import { Kind } from "../../types.js"
 */

import { t } from "./texts.js";

/** Moves with a form of their own: those of one word, and the first words of those that say more. */
const ALONE = new Set(["bank", "hold", "reroll", "roll", "stop"]);
const WITH_MORE = new Set(["keep", "move", "shut"]);

/** Say what was played, as it stands behind "you have": a box was filled, dice were kept. @param {{ kind: Kind<any, any>, board: any }} table @param {string} action */
export function playedText({ kind, board }, action) {
  if (board.boxes?.some((/** @type {{ name: string }} */ { name }) => name === action)) return t("done.box", { rest: action });
  if (action === "keep -") return t("done.keep-all");
  const [first, ...more] = action.split(" ");
  const isKnown = (more.length ? WITH_MORE : ALONE).has(first);
  return isKnown ? t(`done.${first}`, { rest: more.join(" ") }) : t("done.other", { rest: kind.moveName(action) });
}
