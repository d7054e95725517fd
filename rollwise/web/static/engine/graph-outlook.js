/**
 * How a listed game may end after a move: the best strategy is followed roll by roll, with what is counted so far as a distribution for every roll.
 *
 * @import { Outlook } from "../../types.js"
 * @import { GraphSolution } from "./graph.js"
 * @import { Points, Way } from "./distribution.js"
 */

import { rank, readMove } from "./answers.js";
import { addUp, describe, TINY } from "./distribution.js";

/** A game that goes on for ever is followed until so little of it is left, or so long. */
const TAIL = 1e-12;
const LONGEST = 3000;

/** @typedef {Map<number, Way[]>} Rolls the ways to each pending roll */

/**
 * @param {GraphSolution} solved
 * @param {{ state: string, action: string }} request
 */
export function outlook(solved, request) {
  const { state, action, pending } = readMove(solved, request);
  return follow(solved, pending, solved.header.counts === "costs" ? 0 : solved.banks(state, action));
}

/**
 * How a whole game may end.
 *
 * @param {GraphSolution} solved
 */
export const whole = (solved) => follow(solved, solved.start(), 0);

/**
 * @param {GraphSolution} solved
 * @param {number} pending
 * @param {number} begun
 * @returns {Outlook}
 */
function follow(solved, pending, begun) {
  /** @type {Way[]} */
  const ends = [];
  const here = { low: begun, chance: Float64Array.of(1) };
  /** @type {Rolls} */
  let rolls = new Map([[pending, [{ from: here, chance: 1, gain: 0 }]]]);
  /** @type {Map<number, { pending: number, gain: number } | null>} */
  const known = new Map();
  for (let step = 0; rolls.size && step < LONGEST; step += 1) {
    /** @type {Rolls} */
    const next = new Map();
    for (const [roll, ways] of rolls) rollOn(solved, roll, addUp({ ways }), { known, next, ends });
    rolls = next;
    if (massOf([...rolls.values()].flat()) < TAIL) break;
  }
  const points = addUp({ ways: ends });
  const total = points.chance.reduce((sum, share) => sum + share, 0);
  const mean = points.chance.reduce((sum, share, i) => sum + share * (points.low + i), 0) / total;
  return { ...describe(points, mean, 0, undefined, solved.header.of), rest: Math.max(0, total < 1 - TAIL ? 1 - total : 0) };
}

/** @param {Way[]} ways */
const massOf = (ways) => ways.reduce((sum, { from, chance }) => sum + chance * from.chance.reduce((all, share) => all + share, 0), 0);

/**
 * Roll once, and play what is best.
 *
 * @param {GraphSolution} solved
 * @param {number} roll
 * @param {Points} from
 * @param {{ known: Map<number, { pending: number, gain: number } | null>, next: Rolls, ends: Way[] }} where
 */
function rollOn(solved, roll, from, { known, next, ends }) {
  const { outcome_state: states, outcome_weight: weights, payoff } = solved.arrays;
  const [first, end] = solved.outcomeStart.subarray(roll, roll + 2);
  const total = weights.subarray(first, end).reduce((sum, weight) => sum + weight, 0);
  const costs = solved.header.counts === "costs";
  for (let outcome = first; outcome < end; outcome += 1) {
    const state = states[outcome];
    const chance = weights[outcome] / total;
    if (chance < TINY) continue;
    if (!known.has(state)) known.set(state, best(solved, state, costs));
    const move = known.get(state);
    const gain = costs ? solved.cost(roll) : 0;
    if (!move) {
      ends.push({ from, chance, gain: gain + (costs ? 0 : payoff[solved.ends[state]]) });
      continue;
    }
    const ways = next.get(move.pending) ?? [];
    next.set(move.pending, ways);
    ways.push({ from, chance, gain: gain + move.gain });
  }
}

/**
 * What is done in a state, and what that banks; null: the game is over.
 *
 * @param {GraphSolution} solved
 * @param {number} state
 * @param {boolean} costs
 */
function best(solved, state, costs) {
  const [chosen] = rank(solved, state);
  return chosen ? { pending: solved.play(state, chosen.action), gain: costs ? 0 : solved.banks(state, chosen.action) } : null;
}
