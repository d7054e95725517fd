// @ts-check
/**
 * The bar that shows how likely a win is, after every roll and every move.
 *
 * @import { Advice, Job, Line, TableModel } from "../types.js"
 */

import { el, setAttribute, setText } from "./dom.js";
import { registerPanel } from "./panels.js";
import { setDrawn } from "./small.js";

/** @param {number} chance */
const percent = (chance) => `${(100 * chance).toFixed(1)} %`;

/**
 * What the first player's chance is now, as far as it is known: of the position that the advice is about or, when a move was made
 * on it, of what that led to. Null before the first advice.
 *
 * @param {{ shown: Advice | null, stale: boolean }} model
 * @param {Line | { kind: string, text: string } | undefined} last the last line of the record
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
 * @param {Job} job
 * @param {string | null} rival
 * @returns {[string, string]}
 */
export function sidesOf(job, rival) {
  if (job.result?.two_players) return rival === null ? ["First player", "Second player"] : ["You", "Computer"];
  const { name, values } = job.aim;
  if (name === "at-least") return [`At least ${values.target}`, ""];
  return ["You win", ""];
}

/**
 * Make the bar of a table; null where values are not chances.
 *
 * @param {import("../types.js").TableParts} table
 * @returns {import("../types.js").Extra | null}
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
  setDrawn(node, reply ? replyText(reply, kind) : "The computer is at it.", kind);
}

/**
 * Say what the computer did and why; a sentence that names the move itself is enough.
 *
 * @param {{ action: string, why: string }} reply
 * @param {import("../types.js").Kind<any, any>} kind
 */
export function replyText({ action, why }, kind) {
  const names = action.split(" ").some((word) => why.includes(word));
  return names ? `Computer: ${why}` : `Computer: ${kind.moveName(action)} – ${why}`;
}

registerPanel(makeBar);
