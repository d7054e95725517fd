/**
 * What a move's value is made of, and the largest of it as messages (rollwise/model/reasons.py, rollwise/playing/explain.py).
 *
 * The parts of a move add up to its value, so those of two moves, place by place, add up to the difference: the reasons.
 *
 * @import { Message } from "../texts/render.js"
 * @import { Ranked } from "./answers.js"
 */

/**
 * @typedef {{ kind: string, what: string | Message, value: number, chance?: number, later?: number }} Part
 * @typedef {{ kind: string, what: string | Message, value: number, mine: Part | null, other: Part | null }} Reason
 */

const MOST_FOR = 3;
const MOST_AGAINST = 2;
const SMALL = 0.1;
/** More than values in tables are rounded by. */
const ROUNDED = 1e-5;
/** The next best moves among which something in hand is looked for. */
const NEAR = 5;

/** What comes of a part now: its value over what it is worth when it does not come to it. @param {Part | null} part */
export const edgeOf = (part) => (part ? part.value - (part.later ?? 0) : 0);

/** Compare two moves part by part. @param {Part[]} mine @param {Part[]} other @returns {Reason[]} */
export function differences(mine, other) {
  const [ours, theirs] = [mine, other].map((parts) => new Map(parts.map((part) => [`${part.kind} ${JSON.stringify(part.what)}`, part])));
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
    const pays = (/** @type {Part} */ part) => part.kind === "box" && (part.chance ?? 0) > 1 - 1e-9 && edgeOf(part) > ROUNDED;
    if (end && parts(end.action).some(pays)) return end.action;
  }
  return others[0]?.action ?? null;
}

/**
 * Name the largest reasons, the weightier side first; null where there are none. `say` names a reason with its edge, how much it is worth.
 *
 * @type {(reasons: Reason[], say: (reason: Reason, edge: Message) => Message) => Message | null}
 */
export function nameReasons(reasons, say) {
  const counted = reasons.filter(({ kind }) => kind !== "stands");
  const largest = Math.max(0, ...counted.map(({ value }) => Math.abs(value)));
  const places = largest >= 1 ? 1 : 2;
  const least = Math.max(SMALL * largest, 0.5 * 10 ** -places);
  const told = counted.filter(({ value }) => Math.abs(value) >= least).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const sides = [told.filter(({ value }) => value > 0).slice(0, MOST_FOR), told.filter(({ value }) => value < 0).slice(0, MOST_AGAINST)];
  if (counted.reduce((sum, { value }) => sum + value, 0) < 0) sides.reverse();
  const edge = (/** @type {number} */ value) => message(places === 1 ? "edge.points" : "edge.points-fine", { n: round(value, places) });
  const [first, others] = sides.filter((side) => side.length).map((side) => side.map((reason) => say(reason, edge(reason.value))));
  if (!first) return null;
  return others ? message("reason.both", { reasons: first, others }) : message("reason.all", { reasons: first });
}

/** @param {string} key @param {import("../texts/render.js").Args} [args] @returns {Message} */
export const message = (key, args = {}) => ({ key, args });

/** Round as the library does: ties go to the even digit. @param {number} number @param {number} places */
export function round(number, places) {
  const scaled = Math.abs(number) * 10 ** places;
  const down = Math.floor(scaled);
  const isTie = scaled - down === 0.5 && Number.isInteger(8 * number);
  return isTie ? (Math.sign(number) * (down + (down % 2))) / 10 ** places : Number(number.toFixed(places));
}

/** Round a chance to what is written of it (rollwise/model/message.py). @param {number} chance */
export function roundChance(chance) {
  if (chance > 0.995 && chance < 1 - 1e-9) return 0.999;
  return chance >= 0.005 || !chance ? round(100 * chance, 0) / 100 : Number(chance.toPrecision(2));
}
