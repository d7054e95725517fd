/**
 * Checkers that leave a home board: which board a move makes, and which taps begin one. A board is the checkers on each point, from the
 * ace on. Whether a step is legal is never decided here: it is, where it leads to what the server lists.
 *
 * @typedef {{ point: number, die: number }} Step
 * @typedef {Map<string, string>} Plays moves, by the boards that they make
 */

/** The board after a move such as `move 6/2 5/off(2)`. @param {number[]} counts @param {string} action */
export function afterPlay(counts, action) {
  const next = [...counts];
  for (const [, from, to, times = "1"] of action.matchAll(/(\d)\/(\d|off)(?:\((\d)\))?/g)) {
    next[Number(from) - 1] -= Number(times);
    if (to !== "off") next[Number(to) - 1] += Number(times);
  }
  return next;
}

/** The board after some steps. @param {number[]} counts @param {Step[]} steps */
export function after(counts, steps) {
  const next = [...counts];
  for (const { point, die } of steps) {
    next[point - 1] -= 1;
    if (point > die) next[point - die - 1] += 1;
  }
  return next;
}

/** List moves by the boards that they make. @param {number[]} counts @param {string[]} actions @returns {Plays} */
export const playsFrom = (counts, actions) => new Map(actions.map((action) => [afterPlay(counts, action).join("/"), action]));

/** The dice that are still to be played: none once every checker is off. @param {number[]} dice @param {number[]} now @param {Step[]} steps */
export function diceLeft(dice, now, steps) {
  if (now.every((count) => count === 0)) return [];
  const left = [...dice];
  for (const { die } of steps) left.splice(left.indexOf(die), 1);
  return left;
}

/**
 * The first of the dice that are left that a checker on a point can move by, so that a move can come of it; null: none.
 *
 * @type {(counts: number[], dice: number[], steps: Step[], point: number, plays: Plays) => number | null}
 */
export function nextDie(counts, dice, steps, point, plays) {
  const now = after(counts, steps);
  if (!now[point - 1]) return null;
  const left = diceLeft(dice, now, steps);
  return [...new Set(left)].find((die) => reaches(after(now, [{ point, die }]), without(left, die), plays)) ?? null;
}

/** @param {number[]} dice @param {number} die */
const without = (dice, die) => dice.toSpliced(dice.indexOf(die), 1);

/** Whether these dice can make one of these boards. @param {number[]} now @param {number[]} dice @param {Plays} plays @returns {boolean} */
export function reaches(now, dice, plays) {
  if (!dice.length || now.every((count) => count === 0)) return plays.has(now.join("/"));
  return [...new Set(dice)].some((die) => now.some((count, i) => count > 0 && reaches(after(now, [{ point: i + 1, die }]), without(dice, die), plays)));
}
