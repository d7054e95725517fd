/**
 * Every player's chance to win, from how each one's result is spread. The spreads count as independent: nobody plays differently
 * because of the others. That is an estimate, as players who are behind take risks.
 *
 * @import { Outlook } from "../../types.js"
 * @typedef {Map<number, number>} Spread the chance of each result; what is missing to 1 is worse than all of these
 */

/** The spread of a result that is known. @type {(result: number) => Spread} */
export const certain = (result) => new Map([[result, 1]]);

/** The spread of winning (1) or not (0). @type {(chance: number) => Spread} */
export const decided = (chance) => new Map([[0, 1 - chance], [1, chance]]);

/**
 * The spread that an outlook says, with what is banked already.
 *
 * @type {(outlook: Pick<Outlook, "lowest" | "values" | "chance">, banked: number) => Spread}
 */
export function spreadOf({ lowest, values, chance }, banked) {
  const numbers = chance.map((_, i) => (values ? values[i] : lowest + i) + banked);
  return new Map(numbers.map((number, i) => /** @type {[number, number]} */ ([number, chance[i]])).filter(([, part]) => part > 0));
}

/**
 * Give every player's chance to win; those who tie for the best result share the win. They add up to 1.
 *
 * For each result of a player, the others are worse, or tie with it: the chance that k of them tie is a product of polynomials
 * (worse + tie x), and a win is then worth 1 / (k + 1).
 *
 * @type {(spreads: Spread[], better: "higher" | "lower") => number[]}
 */
export function winChances(spreads, better) {
  const below = spreads.map((spread) => worseThan(spread, better));
  const wins = spreads.map((spread, i) => {
    let sum = 0;
    for (const [number, chance] of spread) sum += chance * shareAt(number, spreads, below, i);
    return sum;
  });
  const all = wins.reduce((a, b) => a + b, 0);
  return wins.map((win) => (all > 0 ? win / all : 1 / wins.length));
}

/**
 * What a win is worth to player `i` who has `number`: 0 where another is better, a share where others tie.
 *
 * @param {number} number
 * @param {Spread[]} spreads
 * @param {((number: number) => number)[]} below
 * @param {number} i
 */
function shareAt(number, spreads, below, i) {
  let ties = [1];
  for (const [j, spread] of spreads.entries()) {
    if (j === i) continue;
    const [worse, tie] = [below[j](number), spread.get(number) ?? 0];
    ties = [...ties, 0].map((part, k) => part * worse + (k ? ties[k - 1] * tie : 0));
  }
  return ties.reduce((sum, part, k) => sum + part / (k + 1), 0);
}

/**
 * Make the function that gives the chance of a result that is worse than a number.
 *
 * @param {Spread} spread
 * @param {"higher" | "lower"} better
 */
function worseThan(spread, better) {
  const sign = better === "higher" ? 1 : -1;
  const sorted = [...spread].map(([number, chance]) => ({ at: sign * number, chance })).sort((a, b) => a.at - b.at);
  const missing = Math.max(0, 1 - sorted.reduce((sum, { chance }) => sum + chance, 0));
  const sums = [missing];
  for (const { chance } of sorted) sums.push(sums[sums.length - 1] + chance);
  return (/** @type {number} */ number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle].at < sign * number) low = middle + 1;
      else high = middle;
    }
    return sums[low];
  };
}
