/**
 * Asking about the positions of one game: answers are kept, and a game that the server has forgotten is solved again first.
 *
 * @import { Advice, Asked, Graded, Line } from "../../types.js"
 * @import { Puzzles } from "../../wire.js"
 */

import * as api from "../app/api.js";
import { onceSolved, solveGame } from "../app/solve-game.js";

const MOST_MOVES = 1000;

/**
 * @param {Asked} asked
 * @returns {{ advise: (state: string) => Promise<Advice>, grade: (lines: Line[], signal?: AbortSignal) => Promise<Graded>,
 *   puzzles: (seed: number, n: number, signal?: AbortSignal) => Promise<Puzzles> }}
 */
export function makeAsker(asked) {
  const request = api.sent(asked);
  /** @type {Map<string, Promise<Advice>>} */
  const known = new Map();

  /** @template Answer @param {() => Promise<Answer>} call */
  const solved = (call) => onceSolved(call, () => solveGame(asked));

  /** All moves of a position, each with why. @param {string} state */
  function advise(state) {
    const found = known.get(state) ?? solved(() => api.advise({ ...request, state, top: MOST_MOVES }));
    known.set(state, found);
    found.catch(() => known.delete(state));
    return found;
  }
  return {
    advise,
    grade: (lines, signal) => solved(() => api.grade({ ...request, lines }, signal)),
    puzzles: (seed, n, signal) => solved(() => api.puzzles({ ...request, seed, n }, signal)),
  };
}
