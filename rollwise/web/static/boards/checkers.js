/**
 * Checkers that move by dice: which board a move makes, and which taps begin one. Whether a step is legal is not decided here: it is, where
 * it leads to what the server lists.
 *
 * The checkers of the side to move and, where it can meet them, of the other side: each on the points that it counts from its ace point on.
 * Where sides meet, the last one, 25, is the bar.
 * @typedef {{ own: number[], other: number[] }} Board
 * @typedef {{ point: number, die: number }} Step
 * @typedef {Map<string, string>} Plays moves, by the boards that they make
 */

const BAR = 25;
const PLAY = /(bar|\d+)((?:\/(?:off|\d+)\*?)+)(?:\((\d)\))?/g;

/** How many of the other side are on a point. @param {Board} board @param {number} point */
const met = ({ other }, point) => (point > 0 ? other[BAR - point - 1] ?? 0 : 0);

/** @param {Board} board */
export const keyOf = ({ own, other }) => `${own.join("/")} ${other.join("/")}`;

/** Take checkers off a point and put them on another one; 0: off the board. @param {Board} board @param {number} from @param {number} to */
function carry({ own, other }, from, to, count = 1) {
  const moved = own.with(from - 1, own[from - 1] - count);
  return { own: to > 0 ? moved.with(to - 1, moved[to - 1] + count) : moved, other };
}

/** Send a checker of the other side to its bar. @param {Board} board @param {number} point @returns {Board} */
const hit = ({ own, other }, point) => ({ own, other: other.with(BAR - point - 1, 0).with(BAR - 1, other[BAR - 1] + 1) });

/** The board after a move such as `move 6/2 5/off(2)` or `bar/19* 6/5`. @param {Board} board @param {string} action */
export function afterPlay(board, action) {
  let next = board;
  for (const [, from, way, times = "1"] of action.matchAll(PLAY)) {
    const stops = way.slice(1).split("/");
    for (const stop of stops) if (stop.endsWith("*")) next = hit(next, Number.parseInt(stop, 10));
    next = carry(next, from === "bar" ? BAR : Number(from), Number.parseInt(/** @type {string} */ (stops.at(-1)), 10) || 0, Number(times));
  }
  return next;
}

/** The board after some steps. @param {Board} board @param {Step[]} steps @returns {Board} */
export const after = (board, steps) =>
  steps.reduce((now, { point, die }) => carry(met(now, point - die) === 1 ? hit(now, point - die) : now, point, Math.max(0, point - die)), board);

/** List moves by the boards that they make. @param {Board} board @param {string[]} actions @returns {Plays} */
export const playsFrom = (board, actions) => new Map(actions.map((action) => [keyOf(afterPlay(board, action)), action]));

/** The dice that are still to be played. @param {number[]} dice @param {Step[]} steps */
export const diceLeft = (dice, steps) => steps.reduce((left, { die }) => left.toSpliced(left.indexOf(die), 1), dice);

/**
 * The first of the dice that are left that a checker on a point can move by, so that a move can come of it; null: none.
 *
 * @type {(board: Board, dice: number[], steps: Step[], point: number, plays: Plays) => number | null}
 */
export function nextDie(board, dice, steps, point, plays) {
  const now = after(board, steps);
  const left = diceLeft(dice, steps);
  return [...new Set(left)].find((die) => isOpen(now, point, die) && reaches(after(now, [{ point, die }]), diceLeft(left, [{ point, die }]), plays)) ?? null;
}

/** Whether a checker can take a step: those on the bar go first, and two of the other side hold a point. @type {(board: Board, point: number, die: number) => boolean} */
const isOpen = (board, point, die) => board.own[point - 1] > 0 && (point === BAR || !board.own[BAR - 1]) && met(board, point - die) < 2;

/** Whether a step by one of these dice leads on to one of these boards. @param {Board} now @param {number[]} dice @param {Plays} plays @returns {boolean} */
const leadsOn = (now, dice, plays) =>
  [...new Set(dice)].some((die) => now.own.some((_, i) => isOpen(now, i + 1, die) && reaches(after(now, [{ point: i + 1, die }]), diceLeft(dice, [{ point: i + 1, die }]), plays)));

/** Whether these dice, or as many as can be played, make one of these boards. @param {Board} now @param {number[]} dice @param {Plays} plays */
export const reaches = (now, dice, plays) => plays.has(keyOf(now)) || leadsOn(now, dice, plays);

/** Whether a move is made: with dice left, the same board may come of other steps. @param {Board} now @param {number[]} dice @param {Plays} plays */
export const isMade = (now, dice, plays) => plays.has(keyOf(now)) && !leadsOn(now, dice, plays);
