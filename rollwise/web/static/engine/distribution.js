/**
 * Distributions: added up from others, and described as the server does.
 *
 * @import { Outlook } from "../../types.js"
 */

/**
 * The chance of `low`, `low + 1`, ...; and a way to such numbers, from others, with a chance and what it adds.
 *
 * @typedef {{ low: number, chance: Float64Array }} Points
 * @typedef {{ from: Points, chance: number, gain: number }} Way
 */

const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Chances below this are left out. */
export const TINY = 1e-16;

/**
 * The distribution that some ways lead to together.
 *
 * @param {{ ways: Way[] }} node
 * @returns {Points}
 */
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

/**
 * Cut chances of 0 off both ends.
 *
 * @param {Points} points
 * @returns {Points}
 */
function trim({ low, chance }) {
  let [first, end] = [0, chance.length];
  while (first < end - 1 && !chance[first]) first += 1;
  while (end > first + 1 && !chance[end - 1]) end -= 1;
  return { low: low + first, chance: chance.slice(first, end) };
}

/**
 * Describe a distribution whose mean is known, as the server does.
 *
 * @param {Points} points
 * @param {number} mean
 * @param {number} error
 * @param {number} [known] its standard deviation, where that is known, too
 * @param {string} [of] what is counted
 * @returns {Outlook}
 */
export function describe({ low, chance }, mean, error, known, of = "points") {
  const total = chance.reduce((sum, share) => sum + share, 0);
  const shares = Array.from(chance, (share) => share / total);
  const deviation = known ?? Math.sqrt(shares.reduce((sum, share, i) => sum + share * (low + i - mean) ** 2, 0));
  return {
    of, lowest: low, values: null, chance: shares, rest: 0, mean, deviation,
    quantiles: Object.fromEntries(QUANTILES.map((share) => [String(share), low + quantile(shares, share)])), error, bonus: null, bonus_steps: {}, boxes: {},
  };
}

/**
 * @param {number[]} shares
 * @param {number} upto
 */
function quantile(shares, upto) {
  let sum = 0;
  const place = shares.findIndex((share) => (sum += share) >= upto * (1 - 1e-12));
  return place < 0 ? shares.length - 1 : place;
}
