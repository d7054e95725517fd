/**
 * A graded game as a line: what was to be expected at each moment. Two things move it, and both add up:
 *
 *   value = start + luck of the rolls - losses of the moves
 *
 * so that between the start and `dice` (start + luck) lies what the dice gave, and between `dice` and `value` what decisions cost.
 * Where less is better the signs are the other way round; the second player of two sees the same line upside down.
 *
 * @import { Graded, Step } from "../../types.js"
 * @typedef {{ lower?: boolean, share?: boolean, side?: number, rolls?: boolean }} Seen how a game is counted, and by which player it is seen
 * @typedef {{ step: Step, before: number, rolled: number, dice: number, value: number, luck: number, change: number, own: boolean }} Moment
 * @typedef {{ start: number, moments: Moment[], luck: number, own: number, other: number, end: number }} Course
 */

import { isLoss, signedTenths, tenths, tenthsPercent } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/**
 * Follow a game; null where a value is not a number, as in a game that could not be ended any more.
 *
 * @type {(grade: Graded, seen?: Seen) => Course | null}
 */
export function followGame(grade, { lower = false, share = false, side = 0 } = {}) {
  if (typeof grade.start !== "number") return null;
  const as = (/** @type {number} */ value) => (side === 0 ? value : share ? 1 - value : -value);
  const sign = side === 0 ? 1 : -1;
  let dice = grade.start;
  let value = grade.start;
  /** @type {Moment[]} */
  const moments = [];
  for (const step of grade.steps) {
    const loss = step.loss ?? 0;
    if (typeof step.luck !== "number" || typeof loss !== "number") return null;
    const before = value;
    const luck = lower ? -step.luck : step.luck;
    const change = step.mover === 1 ? loss : lower ? loss : -loss;
    dice += luck;
    value += luck;
    const rolled = value;
    value += change;
    const own = (step.mover ?? 0) === side;
    moments.push({ step, before: as(before), rolled: as(rolled), dice: as(dice), value: as(value), luck: sign * luck, change: sign * change, own });
  }
  const sum = (/** @type {(moment: Moment) => number} */ of) => moments.reduce((all, moment) => all + of(moment), 0);
  return {
    start: as(grade.start), moments, end: as(value), luck: sum(({ luck }) => luck),
    own: sum(({ own, change }) => (own ? change : 0)), other: sum(({ own, change }) => (own ? 0 : change)),
  };
}

/** The steps in which a player lost anything at all, in the order of the game. @param {Graded} grade @param {number} side */
export const costlyOf = (grade, side = 0) =>
  grade.steps.map((step, at) => ({ step, at })).filter(({ step }) => isLoss(step.loss ?? 0) && (step.mover ?? 0) === side);

/** Those in which it was enough to have a name. @param {Graded} grade @param {number} side */
export const errorsOf = (grade, side = 0) => costlyOf(grade, side).filter(({ step }) => step.severity);

/**
 * Sum a game up in a sentence: "109: average 165.8, dice −44.6, decisions −12.1"; "" where it cannot be.
 *
 * @param {Graded} grade
 * @param {Seen} [seen]
 */
export function sumUp(grade, seen = {}) {
  const course = followGame(grade, seen);
  if (!course) return "";
  const write = seen.share ? tenthsPercent : tenths;
  const signed = (/** @type {number} */ value) => (seen.share ? `${signedTenths(100 * value)} %` : signedTenths(value));
  const values = { n: Math.round(course.end), total: ending(course.end, seen.share), start: write(course.start), dice: signed(course.luck), own: signed(course.own), other: signed(course.other) };
  const other = Math.abs(course.other) > 1e-9 ? t("after.sum.other", values) : "";
  return `${t(`after.sum.${headOf(grade, course, seen)}`, values)}${other}.`;
}

/** @param {Graded} grade @param {Course} course @param {Seen} seen */
function headOf({ over }, { end }, { share, rolls }) {
  if (!over) return "running";
  if (!share) return rolls ? "rolls" : "points";
  return end > 1 - 1e-6 ? "won" : end < 1e-6 ? "lost" : "even";
}

/** Write what came of a game: a whole number where it is one. @param {number} value @param {boolean} [share] */
const ending = (value, share) => (share ? tenthsPercent(value) : Math.abs(value - Math.round(value)) < 1e-6 ? String(Math.round(value)).replace("-", "−") : tenths(value));
