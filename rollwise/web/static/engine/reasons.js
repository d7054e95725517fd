/**
 * What a move's value is made of, and the largest of it in words (rollwise/model/reasons.py, rollwise/playing/explain.py).
 *
 * The parts of a move add up to its value, so those of two moves, place by place, add up to the difference: the reasons.
 */

import { signed } from "./numbers.js";

/**
 * @typedef {{ kind: string, what: string, value: number, chance?: number, later?: number }} Part
 * @typedef {{ kind: string, what: string, value: number, mine: Part | null, other: Part | null }} Reason
 * @typedef {{ action: string, value: number, loss: number }} Ranked
 */

const MOST_FOR = 3;
const MOST_AGAINST = 2;
const SMALL = 0.1;
/** More than values in tables are rounded by. */
const ROUNDED = 1e-5;
/** The next best moves among which something in hand is looked for. */
const NEAR = 5;

/** What comes of a part now: its value over what it is worth when it does not come to it. @param {Part | null} part */
export const edge = (part) => (part ? part.value - (part.later ?? 0) : 0);

/**
 * Compare two moves part by part.
 *
 * @param {Part[]} mine
 * @param {Part[]} other
 * @returns {Reason[]}
 */
export function differences(mine, other) {
  const [ours, theirs] = [mine, other].map((parts) => new Map(parts.map((part) => [`${part.kind} ${part.what}`, part])));
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((key) => {
    const [one, two] = [ours.get(key) ?? null, theirs.get(key) ?? null];
    const { kind, what } = /** @type {Part} */ (one ?? two);
    return { kind, what, value: (one?.value ?? 0) - (two?.value ?? 0), mine: one, other: two };
  });
}

/**
 * The move to compare with: the best other one; for a best move that plays on, what is in hand, where that has more than it is worth when left.
 *
 * @param {Ranked[]} ranked
 * @param {string} action
 * @param {(action: string) => boolean} ends whether a move ends the turn
 * @param {(action: string) => Part[]} parts
 */
export function rivalOf(ranked, action, ends, parts) {
  const others = ranked.filter((row) => row.action !== action);
  if (ranked[0].action === action && !ends(action)) {
    const end = others.slice(0, NEAR).find((row) => ends(row.action));
    const pays = (/** @type {Part} */ part) => part.kind === "box" && (part.chance ?? 0) > 1 - 1e-9 && edge(part) > ROUNDED;
    if (end && parts(end.action).some(pays)) return end.action;
  }
  return others[0]?.action ?? null;
}

/**
 * Name the largest reasons, the weightier side first; "" where there are none. `share`: values are chances.
 *
 * @param {Reason[]} reasons
 * @param {(reason: Reason) => string} say
 * @param {boolean} share
 */
export function nameReasons(reasons, say, share) {
  const scaled = reasons.filter(({ kind }) => kind !== "stands").map((reason) => ({ value: reason.value * (share ? 100 : 1), reason }));
  const largest = Math.max(0, ...scaled.map(({ value }) => Math.abs(value)));
  const places = largest >= 1 ? 1 : 2;
  const least = Math.max(SMALL * largest, 0.5 * 10 ** -places);
  const told = scaled.filter(({ value }) => Math.abs(value) >= least).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const sides = [told.filter(({ value }) => value > 0).slice(0, MOST_FOR), told.filter(({ value }) => value < 0).slice(0, MOST_AGAINST)];
  if (scaled.reduce((sum, { value }) => sum + value, 0) < 0) sides.reverse();
  const unit = share ? " %" : "";
  const texts = sides.map((side) => side.map(({ value, reason }) => putNumber(say(reason), `${signed(value, places)}${unit}`)).join(", "));
  return texts.filter(Boolean).join("; ");
}

/**
 * Put a number after a name, before what the name has in brackets.
 *
 * @param {string} name
 * @param {string} number
 */
function putNumber(name, number) {
  const at = name.indexOf(" (");
  return at < 0 ? `${name} ${number}` : `${name.slice(0, at)} ${number}${name.slice(at)}`;
}
