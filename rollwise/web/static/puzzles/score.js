/**
 * The running score of puzzles, kept in this browser: plain data, and functions on it.
 *
 * @typedef {{ version: number, tried: number, right: number, run: number, best: number, days: Record<string, boolean[]>, dayRun: number, lastDay: string }} Score
 *   `run`: right answers in a row, `best`: the longest run, `days`: answers by day, `dayRun`: days in a row, up to `lastDay`
 */

import { readStored, writeStored } from "../app/storage.js";
import { dayBefore } from "./daily.js";

const KEY = "rollwise.puzzles";
const VERSION = 1;
const DAYS_KEPT = 60;

/** @returns {Score} */
export const noScore = () => ({ version: VERSION, tried: 0, right: 0, run: 0, best: 0, days: {}, dayRun: 0, lastDay: "" });

/** Count an answer. @param {Score} score @param {boolean} right @returns {Score} */
export function count(score, right) {
  const run = right ? score.run + 1 : 0;
  return { ...score, tried: score.tried + 1, right: score.right + Number(right), run, best: Math.max(score.best, run) };
}

/**
 * Count an answer of a day's puzzles, of which there are `of`; with the last one the day counts for the days in a row.
 *
 * @type {(score: Score, day: string, right: boolean, of: number) => Score}
 */
export function countDaily(score, day, right, of) {
  const answers = [...(score.days[day] ?? []), right];
  const kept = Object.entries({ ...score.days, [day]: answers }).sort().slice(-DAYS_KEPT);
  const next = { ...count(score, right), days: Object.fromEntries(kept) };
  if (answers.length < of || score.lastDay >= day) return next;
  return { ...next, lastDay: day, dayRun: score.lastDay === dayBefore(day) ? score.dayRun + 1 : 1 };
}

/** Days in a row up to today, or up to yesterday as today is not over. @param {Score} score @param {string} today */
export const daysInARow = ({ lastDay, dayRun }, today) => (lastDay === today || lastDay === dayBefore(today) ? dayRun : 0);

/** Read the score; what is damaged, or not there, is none. @returns {Score} */
export function readScore() {
  const found = readStored(KEY);
  return found?.version === VERSION ? { ...noScore(), ...found } : noScore();
}

/** Keep the score; says whether this browser does. @param {Score} score */
export const keepScore = (score) => writeStored(KEY, score);
