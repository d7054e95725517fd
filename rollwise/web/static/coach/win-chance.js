// @ts-check
/**
 * How likely a win is at the moment, and whose chance that is.
 *
 * @import { Advice, Job } from "../../types.js"
 */

import { decimal, t } from "../texts/texts.js";

/** @param {number} chance */
export const percent = (chance) => `${decimal(100 * chance, 1)} %`;

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
 * @param {Job} job
 * @param {string | null} rival
 * @returns {[string, string]}
 */
export function sidesOf(job, rival) {
  if (job.result?.two_players) return rival === null ? [t("bar.first"), t("bar.second")] : [t("bar.you"), t("bar.computer")];
  const { name, values } = job.aim;
  if (name === "at-least") return [t("bar.at-least", { n: String(values.target) }), ""];
  if (name === "at-most") return [t("bar.at-most", { n: String(values.target) }), ""];
  return [t("bar.win"), ""];
}
