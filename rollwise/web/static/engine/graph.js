/**
 * A solved game from a table that lists its positions (rollwise/web/table_graph.py). States and pending rolls are numbers.
 *
 * @import { Reader } from "./open-table.js"
 * @import { Solved } from "./answers.js"
 * @import { Step } from "./distribution.js"
 * @import { TableFile } from "./table-file.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { rank } from "./answers.js";
import { describe, follow } from "./distribution.js";
import { Texts } from "./table-file.js";

/** @type {(file: TableFile) => Reader} */
export function openGraph({ header, arrays }) {
  const isLower = header.job.result.better === "lower";
  const costs = header.counts === "costs";
  const outcomeStart = starts(arrays.outcome_count);
  const moveStart = starts(arrays.move_count);
  const texts = (/** @type {string} */ name) => new Texts(header.texts[name], arrays, name);
  const [states, positions, ids, pendings] = ["state", "position", "id", "pending"].map(texts);
  const [befores, actions, labels, decisions] = ["before", "action", "label", "decision"].map(texts);
  const whys = header.why?.patterns.length ? new Texts(header.why, arrays, "why") : null;
  const values = Float64Array.from(arrays.values, (number) => number * header.quantum);
  for (const place of arrays.impossible) values[place] = isLower ? Infinity : -Infinity;
  /** The place of each end among the ends; -1: the game goes on. */
  const ends = new Int32Array(states.length).fill(-1);
  for (let state = 0, end = 0; state < ends.length; state += 1) if (!arrays.move_count[state]) ends[state] = end++;
  /** @type {Map<string, number>} */
  const numbers = new Map();

  /** What a move is worth. @param {number} move */
  const moveValue = (move) => values[arrays.move_pending[move]] + (header.adds && header.counts === "points" ? arrays.move_gain[move] : 0);
  /** The number of a move. @type {(state: number, action: string) => number} */
  const moveOf = (state, action) => range(moveStart, state).find((move) => actions.get(move) === action) ?? -1;

  /** @type {Solved<number, number>} */
  const solved = {
    header,
    start: () => 0,
    /** Read a position in notation, in any case, or its id. */
    readState(text) {
      if (!numbers.size) for (let state = 0; state < states.length; state += 1) numbers.set(ids.get(state), state).set(states.get(state), state);
      const words = text.trim().replace(/\s*,\s*/g, ",").split(/\s+/).map((word) => header.read_as[word] ?? word).join(" ");
      const isMeant = (/** @type {number} */ state) => states.get(state).toLowerCase() === words.toLowerCase();
      const found = numbers.get(words.replace(/^id:/, "")) ?? [...ends.keys()].find(isMeant);
      if (found === undefined) throw new ApiError(422, t("error.unreachable", { text: `'${text}'` }));
      return found;
    },
    showState: (state) => states.get(state),
    showPending: (pending) => pendings.get(pending),
    id: (state) => ids.get(state),
    position: (state) => JSON.parse(positions.get(state)),
    before: (pending) => JSON.parse(befores.get(pending)),
    mover: (state) => arrays.mover[state] ?? 0,
    cost: (pending) => arrays.cost[pending] ?? 0,
    pendingValue: (pending) => values[pending],
    stateValue(state) {
      if (ends[state] >= 0) return values[pendings.length + ends[state]];
      const best = isLower === Boolean(solved.mover(state)) ? Math.max : Math.min;
      return range(moveStart, state).map(moveValue).reduce((one, other) => best(one, other));
    },
    valued: (state) => range(moveStart, state).map((move) => ({ action: actions.get(move), value: moveValue(move) })),
    gain: (state, action) => arrays.move_gain[moveOf(state, action)],
    banks: (state, action) => arrays.move_points[moveOf(state, action)],
    play: (state, action) => arrays.move_pending[moveOf(state, action)],
    why(state, action) {
      const text = whys?.get(moveOf(state, action)) ?? "";
      return text.startsWith('{"key":') ? JSON.parse(text) : text;
    },
    decision: (state) => decisions.get(state),
    obvious: (state) => actions.get(moveStart[state] + arrays.obvious[state]),
    reasons: () => [],
    outcomes: (pending) =>
      range(outcomeStart, pending).map((outcome) => {
        const [label, ...dice] = JSON.parse(labels.get(outcome));
        return { state: arrays.outcome_state[outcome], weight: arrays.outcome_weight[outcome], label, dice };
      }),
  };

  /**
   * What the best move of each state leads to, and what it banks; null: the game is over.
   *
   * @type {Map<number, { at: number, gain: number } | null>}
   */
  const known = new Map();

  /** @param {number} state */
  function bestOf(state) {
    const [chosen] = rank(solved, state);
    return chosen ? { at: solved.play(state, chosen.action), gain: costs ? 0 : solved.banks(state, chosen.action) } : null;
  }

  /** Roll once, and play what is best. @param {number} roll @returns {Step<number>[]} */
  function steps(roll) {
    const found = range(outcomeStart, roll);
    const total = found.reduce((sum, outcome) => sum + arrays.outcome_weight[outcome], 0);
    const cost = costs ? solved.cost(roll) : 0;
    return found.map((outcome) => {
      const [state, chance] = [arrays.outcome_state[outcome], arrays.outcome_weight[outcome] / total];
      if (!known.has(state)) known.set(state, bestOf(state));
      const best = known.get(state);
      if (!best) return { key: null, at: 0, chance, gain: costs ? cost : arrays.payoff[ends[state]] };
      return { key: best.at, at: best.at, chance, gain: cost + best.gain };
    });
  }

  return { solved, ahead: async (pending, begun, { signal }) => describe(await follow(pending, begun, steps, { signal }), { of: header.of }) };
}

/** Where the parts of a list begin, by how many each has. @param {Int32Array} counts */
function starts(counts) {
  const found = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => { found[i + 1] = found[i] + count; });
  return found;
}

/** The numbers from `start[i]` on, before `start[i + 1]`. @type {(start: Int32Array, i: number) => number[]} */
const range = (start, i) => Array.from({ length: start[i + 1] - start[i] }, (_, place) => start[i] + place);
