/**
 * Puzzles from a table: it has a pool of them, from which a seed takes some.
 *
 * @import { Puzzles } from "../wire.js"
 */

import { drawFrom } from "./chance.js";

/**
 * Take `n` of the puzzles of a pool, from easy to hard; the same for the same seed.
 *
 * @param {Omit<Puzzles, "seed">} pool
 * @param {{ seed: number, n: number }} asked
 * @returns {Puzzles}
 */
export function takePuzzles({ severities, puzzles }, { seed, n }) {
  const draw = drawFrom(`puzzles ${seed}`);
  const left = puzzles.map((_, i) => i);
  while (left.length > n) left.splice(draw(left.length), 1);
  return { seed, severities, puzzles: left.map((i) => puzzles[i]) };
}
