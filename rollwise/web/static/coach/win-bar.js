/**
 * The bar that shows how likely a win is, after every roll and every move.
 *
 * @import { TableModel } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { registerPanel } from "../table/panels.js";
import { t } from "../texts/texts.js";
import { chanceNow, percent, sidesOf } from "./win-chance.js";

/**
 * Make the bar of a table; null where values are not chances.
 *
 * @param {import("../../types.js").TableParts} table
 * @returns {import("../../types.js").Extra | null}
 */
export function makeBar(table) {
  const { job, kind } = table;
  const { result } = job;
  if (!result?.share) return null;
  const mine = el("span", { class: "side mine" });
  const theirs = el("span", { class: "side theirs" });
  const fill = el("span", { class: "fill" });
  const track = el("div", { class: "track", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, test: "bar" }, fill);
  const said = el("p", { class: "reply", test: "reply", hidden: true });
  const node = el("div", { class: "winbar" }, el("p", { class: "sides", "aria-hidden": "true" }, mine, theirs), track, said);
  /** @type {number | null} */
  let known = null;

  /** @param {TableModel<any>} model */
  function update(model) {
    const found = chanceNow(model, table.play.record.at(-1), typeof result?.value === "number" ? result.value : null);
    known = found ?? known;
    node.hidden = known === null;
    if (known === null) return;
    const rival = table.rival === null ? null : "computer";
    const own = rival !== null && kind.me?.(model.position) === 1 ? 1 - known : known;
    const [one, other] = sidesOf(job, rival);
    setText(mine, `${one} ${percent(own)}`);
    setText(theirs, other && `${percent(1 - own)} ${other}`);
    fill.style.width = `${100 * own}%`;
    setAttribute(track, "aria-label", one);
    setAttribute(track, "aria-valuenow", (100 * own).toFixed(1));
    setAttribute(track, "aria-valuetext", `${one} ${percent(own)}${other && `, ${other} ${percent(1 - own)}`}`);
    tellReply(said, model, rival !== null);
  }
  return { slot: "bar", node, update };
}

/**
 * Tell what the computer did last, and why.
 *
 * @param {HTMLElement} node
 * @param {TableModel<any>} model
 * @param {boolean} isPlaying
 */
function tellReply(node, { reply, kind, rivalMoves }, isPlaying) {
  node.hidden = !isPlaying || (!reply && !rivalMoves);
  if (reply) setDrawn(node, kind, replyText(reply, kind), reply.action);
  else setDrawn(node, kind, t("bar.at-it"));
}

/**
 * Say what the computer did and why; a sentence that names the move itself is enough.
 *
 * @param {{ action: string, why: string }} reply
 * @param {import("../../types.js").Kind<any, any>} kind
 */
export function replyText({ action, why }, kind) {
  const names = action.split(" ").some((word) => why.includes(word));
  return names ? t("bar.says", { why }) : t("bar.moves", { move: kind.moveName(action), why });
}

registerPanel(makeBar);
