/**
 * When a position is asked again: 1 day after the game, then 3, 7, 14 and 30 days after each answer, until it was answered right twice
 * in a row. Days are those where the player is, as 2026-11-16.
 *
 * @typedef {{ due: string, tries: number, right: number }} Drill `tries`: how often it was asked, `right`: right answers in a row
 */

import { countDays, dayOf } from "../puzzles/daily.js";
import { language } from "../texts/texts.js";

const DELAYS = [1, 3, 7, 14, 30];
const ENOUGH = 2;
const DAY_MS = 86_400_000;
const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });

/** Write a day as people do. @param {string} day */
export const writeDay = (day) => format.format(new Date(`${day}T00:00:00Z`));

/** The day that comes so many days after another. @param {string} day @param {number} days */
export const addDays = (day, days) => new Date(((countDays(day) ?? 0) + days) * DAY_MS).toISOString().slice(0, 10);

/** Begin with a position of a game that was played at a time. @param {number} when @returns {Drill} */
export const newDrill = (when) => ({ due: addDays(dayOf(new Date(when)), DELAYS[0]), tries: 0, right: 0 });

/** Note an answer. @param {Drill} drill @param {boolean} right @param {string} today @returns {Drill} */
export function noteAnswer({ tries, right: before }, right, today) {
  const delay = DELAYS[Math.min(tries + 1, DELAYS.length - 1)];
  return { due: addDays(today, delay), tries: tries + 1, right: right ? before + 1 : 0 };
}

/** Whether a position is still to be asked. @param {Drill} drill */
export const isOpen = ({ right }) => right < ENOUGH;

/** Whether a position is to be asked by now. @param {Drill} drill @param {string} today */
export const isDue = (drill, today) => isOpen(drill) && drill.due <= today;
