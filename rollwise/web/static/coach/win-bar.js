/**
 * The bar that shows how likely a win is, after every roll and every move.
 *
 * @import { Advice, Job, Kind, Part, TableModel, TableParts } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { targetOf } from "../home/aims.js";
import { percent } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** Make the bar of a table whose values are chances. @type {(table: TableParts) => Part<any>} */
export function makeBar(table) {
  const { job, kind } = table;
  const start = typeof job.result?.value === "number" ? job.result.value : null;
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
    const found = chanceNow(model, table.play.record.at(-1), start);
    known = found ?? known;
    node.hidden = known === null;
    if (known === null) return;
    const { rival } = model;
    const own = rival !== null && kind.me?.(model.position) === 1 ? 1 - known : known;
    const [one, other] = sidesOf(job, rival);
    setText(mine, `${one} ${percent(own, 1)}`);
    setText(theirs, other && `${percent(1 - own, 1)} ${other}`);
    fill.style.width = `${100 * own}%`;
    setAttribute(track, "aria-label", one);
    setAttribute(track, "aria-valuenow", (100 * own).toFixed(1));
    setAttribute(track, "aria-valuetext", `${one} ${percent(own, 1)}${other && `, ${other} ${percent(1 - own, 1)}`}`);
    showReply(said, model, rival !== null);
  }
  return { node, update };
}

/** Show what the computer did last, and why. @param {HTMLElement} node @param {TableModel<any>} model @param {boolean} isPlaying */
function showReply(node, { reply, kind, rivalMoves }, isPlaying) {
  node.hidden = !isPlaying || (!reply && !rivalMoves);
  if (reply) setDrawn(node, kind, replyText(reply, kind), reply.action);
  else setDrawn(node, kind, t("bar.at-it"));
}

/**
 * Say what the computer did and why; a sentence that names the move itself is enough.
 *
 * @param {{ action: string, why: string }} reply
 * @param {Kind<any, any>} kind
 */
export function replyText({ action, why }, kind) {
  const names = action.split(" ").some((word) => why.includes(word));
  return names ? t("bar.says", { why }) : t("bar.moves", { move: kind.moveName(action), why });
}

/**
 * What the first player's chance is now, as far as it is known: of the position that the advice is about or, when a move was made
 * on it, of what that led to. Null before the first advice.
 *
 * @param {{ shown: Advice | null, stale: boolean }} model
 * @param {{ kind: string, text: string } | undefined} last the last line of the record
 * @param {number | null} start the chance at the start of the game
 * @returns {number | null}
 */
export function chanceNow({ shown, stale }, last, start) {
  if (!last) return start;
  if (!shown) return null;
  const value = stale && last.kind === "move" ? shown.moves.find((move) => move.action === last.text)?.value : shown.value;
  return typeof value === "number" ? value : null;
}

/**
 * Name the sides of the bar: yours, and the other one's where there is another.
 *
 * @type {(job: Job, rival: string | null) => [string, string]}
 */
export function sidesOf(job, rival) {
  if (job.result?.two_players) return rival === null ? [t("bar.first"), t("bar.second")] : [t("bar.you"), t("bar.computer")];
  const target = targetOf(job);
  return [target ? t(`bar.${target.side}`, { n: target.n }) : t("bar.win"), ""];
}
