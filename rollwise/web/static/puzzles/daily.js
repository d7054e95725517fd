/**
 * The puzzles of a day: the same three for everybody, from easy to hard. Games take turns; each has a set of puzzles by a seed, which
 * lasts until its thirds (easy, less easy, hard) are used up, and then comes the next seed.
 */

/** Games of which a day's puzzles are. */
export const DAILY = ["yahtzee", "yatzy", "kniffel", "yazy"];
/** Puzzles in the set of a seed. */
export const POOL = 60;
export const LEVELS = ["easy", "medium", "hard"];
const LASTS = POOL / LEVELS.length;
/** Neighbours in a third are about as hard: steps of this size, which has no factor in common with its length, mix them. */
const STRIDE = 7;
const DAY_MS = 86_400_000;

/** @param {number} number */
const twoDigits = (number) => String(number).padStart(2, "0");

/** The day where the player is, as 2026-11-16. @param {Date} [now] */
export const dayOf = (now = new Date()) => `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;

/** Count days; null for what is no day. @param {string} day */
export function countDays(day) {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isNaN(time) || time < 0 ? null : time / DAY_MS;
}

/** The day before one. @param {string} day */
export const dayBefore = (day) => new Date((countDays(day) ?? 1) * DAY_MS - DAY_MS).toISOString().slice(0, 10);

/**
 * Say which game a day has, which seed, and the number of the day among those of the seed. `known` are the games that there are.
 *
 * @param {string} day
 * @param {string[]} known
 */
export function planDay(day, known) {
  const number = countDays(day);
  const games = DAILY.filter((name) => known.includes(name));
  if (number === null || !games.length) return null;
  const turn = Math.floor(number / games.length);
  return { game: games[number % games.length], seed: Math.floor(turn / LASTS), place: turn % LASTS };
}

/**
 * Choose a day's puzzles from the set of its seed, which goes from easy to hard: one of each third.
 *
 * @template T
 * @param {T[]} pool
 * @param {number} place
 * @returns {T[]}
 */
export function chooseDaily(pool, place) {
  const third = Math.floor(pool.length / LEVELS.length);
  if (third === 0) return pool;
  return LEVELS.map((_, level) => pool[level * third + ((place * STRIDE + level) % third)]);
}

/**
 * Choose a set of `n` from puzzles that go from easy to hard, by a seed. A server sends as many as it was asked for; a table has one
 * set for all.
 *
 * @template T
 * @param {T[]} pool
 * @param {number} seed
 * @param {number} n
 * @returns {T[]}
 */
export function chooseSet(pool, seed, n) {
  const left = pool.map((_, i) => i);
  const chosen = Array.from({ length: Math.min(n, pool.length) }, (_, i) => left.splice((seed + i * STRIDE) % left.length, 1)[0]);
  return pool.length <= n ? pool : chosen.sort((a, b) => a - b).map((i) => pool[i]);
}
