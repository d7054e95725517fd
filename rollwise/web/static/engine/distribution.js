/**
 * Distributions of what a game may end with: added up from others, followed through a game, and described as the server does.
 *
 * @import { Outlook } from "../../types.js"
 */

/**
 * The chance of `low`, `low + 1`, ...; and a way to such numbers, from others, with a chance and what it adds.
 *
 * @typedef {{ low: number, chance: Float64Array }} Points
 * @typedef {{ from: Points, chance: number, gain: number }} Way
 */

/**
 * A place that a game may come to: how likely that is, and the ways to it. A step leads from one to another, by its key; null: the game is over.
 *
 * @template T
 * @typedef {{ at: T, mass: number, ways: Way[] }} Node
 */

/**
 * @template T
 * @typedef {{ key: number | null, at: T, chance: number, gain: number }} Step
 */

const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Chances below this are left out. */
const TINY = 1e-16;
/** A game that goes on for ever is followed until so little of it is left, or so long. */
export const TAIL = 1e-12;
const LONGEST = 3000;
/** Milliseconds of work after which the page may breathe. */
const BREATH = 20;

/** A distribution of one number. @param {number} low @returns {Points} */
export const certain = (low) => ({ low, chance: Float64Array.of(1) });

/**
 * Follow a game to its end, layer by layer, with the points so far as a distribution for every node. `thin` may leave fewer nodes of a layer.
 *
 * @template T
 * @param {T} at where it begins
 * @param {number} begun the points so far
 * @param {(at: T) => Step<T>[]} steps where it may go on
 * @param {{ thin?: (nodes: Node<T>[]) => Node<T>[], signal?: AbortSignal }} [how]
 * @returns {Promise<Points>}
 */
export async function follow(at, begun, steps, { thin = (nodes) => nodes, signal } = {}) {
  /** @type {Way[]} */
  const ends = [];
  /** @type {Node<T>[]} */
  let layer = [{ at, mass: 1, ways: [{ from: certain(begun), chance: 1, gain: 0 }] }];
  let breath = performance.now();
  for (let depth = 0; depth < LONGEST && massOf(layer) >= TAIL; depth += 1) {
    /** @type {Map<number, Node<T>>} */
    const next = new Map();
    for (const node of thin(layer)) {
      const from = addUp(node);
      for (const step of steps(node.at)) {
        const mass = step.chance * node.mass;
        if (mass < TINY) continue;
        const way = { from, chance: step.chance, gain: step.gain };
        if (step.key === null) {
          ends.push(way);
          continue;
        }
        const found = next.get(step.key) ?? { at: step.at, mass: 0, ways: [] };
        next.set(step.key, found);
        found.mass += mass;
        found.ways.push(way);
      }
      if (performance.now() - breath > BREATH) {
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
        breath = performance.now();
      }
    }
    layer = [...next.values()];
  }
  return addUp({ ways: ends });
}

/** @param {{ mass: number }[]} nodes */
const massOf = (nodes) => nodes.reduce((sum, { mass }) => sum + mass, 0);

/** The distribution that some ways lead to together. @param {{ ways: Way[] }} node @returns {Points} */
export function addUp({ ways }) {
  const low = ways.reduce((least, { from, gain }) => Math.min(least, from.low + gain), Infinity);
  const high = ways.reduce((most, { from, gain }) => Math.max(most, from.low + gain + from.chance.length), -Infinity);
  const chance = new Float64Array(high - low);
  for (const { from, chance: share, gain } of ways) {
    const shift = from.low + gain - low;
    for (let i = 0; i < from.chance.length; i += 1) chance[shift + i] += share * from.chance[i];
  }
  return trim({ low, chance });
}

/** Cut chances of 0 off both ends. @param {Points} points @returns {Points} */
function trim({ low, chance }) {
  let [first, end] = [0, chance.length];
  while (first < end - 1 && !chance[first]) first += 1;
  while (end > first + 1 && !chance[end - 1]) end -= 1;
  return { low: low + first, chance: chance.slice(first, end) };
}

/**
 * Describe a distribution as the server does. Its mean and its standard deviation are given where they are known.
 *
 * @type {(points: Points, known?: { mean?: number, standard_deviation?: number, error?: number, of?: string }) => Outlook}
 */
export function describe({ low, chance }, { mean: expected, standard_deviation: scatter, error = 0, of = "points" } = {}) {
  const total = chance.reduce((sum, share) => sum + share, 0);
  const shares = Array.from(chance, (share) => share / total);
  const mean = expected ?? shares.reduce((sum, share, i) => sum + share * (low + i), 0);
  const standardDeviation = scatter ?? Math.sqrt(shares.reduce((sum, share, i) => sum + share * (low + i - mean) ** 2, 0));
  const rest = expected === undefined && total < 1 - TAIL ? 1 - total : 0;
  return {
    of, lowest: low, values: null, chance: shares, rest, mean, standard_deviation: standardDeviation,
    quantiles: Object.fromEntries(QUANTILES.map((share) => [String(share), low + quantile(shares, share)])), error, bonus: null, bonus_steps: {}, boxes: {},
  };
}

/** @param {number[]} shares @param {number} upto */
function quantile(shares, upto) {
  let sum = 0;
  const place = shares.findIndex((share) => (sum += share) >= upto * (1 - 1e-12));
  return place < 0 ? shares.length - 1 : place;
}
