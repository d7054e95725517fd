/**
 * A solved game from a table that lists its positions (rollwise/web/table_graph.py). States and pending rolls are numbers.
 *
 * @import { TableFile } from "./table-file.js"
 * @import { Ranked } from "./reasons.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { Texts } from "./table-texts.js";

export class GraphSolution {
  /** @param {TableFile} file */
  constructor({ header, arrays }) {
    this.header = header;
    this.arrays = arrays;
    const { better } = header.job.result;
    this.lower = better === "lower";
    this.outcomeStart = starts(arrays.outcome_count);
    this.moveStart = starts(arrays.move_count);
    const texts = (/** @type {string} */ name) => new Texts(header.texts[name], arrays, name);
    this.states = texts("state");
    this.positions = texts("position");
    this.pendings = texts("pending");
    this.befores = texts("before");
    this.actions = texts("action");
    this.ids = texts("id");
    this.labels = texts("label");
    this.whys = header.why?.patterns.length ? new Texts(header.why, arrays, "why") : null;
    this.values = Float64Array.from(arrays.values, (number) => number * header.quantum);
    for (const place of arrays.impossible) this.values[place] = this.lower ? Infinity : -Infinity;
    /** The place of each end among the ends. */
    this.ends = new Int32Array(this.states.length).fill(-1);
    for (let state = 0, end = 0; state < this.ends.length; state += 1) if (!arrays.move_count[state]) this.ends[state] = end++;
    /** @type {Map<string, number> | null} */
    this.numbers = null;
  }

  start() {
    return 0;
  }

  /**
   * Read a position in notation, or its id.
   *
   * @param {string} text
   */
  readState(text) {
    this.numbers ??= new Map(Array.from({ length: this.states.length }, (_, state) => /** @type {[string, number]} */ ([this.states.get(state), state])));
    const words = text.trim().split(/\s+/).map((word) => this.header.read_as[word] ?? word).join(" ");
    const found = this.numbers.get(words) ?? this.findId(text.trim().replace(/^id:/, ""));
    if (found === undefined || found < 0) throw new ApiError(422, t("error.unreachable", { text: `'${text}'` }));
    return found;
  }

  /** @param {string} id */
  findId(id) {
    for (let state = 0; state < this.ids.length; state += 1) if (this.ids.get(state) === id) return state;
    return -1;
  }

  /** @param {string} text */
  readAction(text) {
    return text.trim().split(/\s+/).join(" ");
  }

  /** @param {number} state */
  showState(state) {
    return this.states.get(state);
  }

  /** @param {number} pending */
  showPending(pending) {
    return this.pendings.get(pending);
  }

  /** @param {number} state */
  id(state) {
    return this.ids.get(state);
  }

  /** @param {number} state */
  position(state) {
    return JSON.parse(this.positions.get(state));
  }

  /** @param {number} pending */
  before(pending) {
    return JSON.parse(this.befores.get(pending));
  }

  /** @param {number} state */
  mover(state) {
    return this.arrays.mover.length ? this.arrays.mover[state] : 0;
  }

  /** @param {number} pending */
  cost(pending) {
    return this.arrays.cost.length ? this.arrays.cost[pending] : 0;
  }

  /** @param {number} pending */
  pendingValue(pending) {
    return this.values[pending];
  }

  /** What a move is worth. @param {number} move */
  moveValue(move) {
    const { adds, counts } = this.header;
    return this.values[this.arrays.move_pending[move]] + (adds && counts === "points" ? this.arrays.move_gain[move] : 0);
  }

  /** @param {number} state */
  stateValue(state) {
    if (this.ends[state] >= 0) return this.values[this.pendings.length + this.ends[state]];
    const wantsLow = this.lower !== Boolean(this.mover(state));
    let best = wantsLow ? Infinity : -Infinity;
    for (let move = this.moveStart[state]; move < this.moveStart[state + 1]; move += 1) {
      const value = this.moveValue(move);
      if (wantsLow ? value < best : value > best) best = value;
    }
    return best;
  }

  /** @param {number} state */
  valued(state) {
    return range(this.moveStart, state).map((move) => ({ action: this.actions.get(move), value: this.moveValue(move) }));
  }

  /**
   * The number of a move.
   *
   * @param {number} state
   * @param {string} action
   */
  move(state, action) {
    return range(this.moveStart, state).find((move) => this.actions.get(move) === action) ?? -1;
  }

  /**
   * @param {number} state
   * @param {string} action
   */
  gain(state, action) {
    return this.arrays.move_gain[this.move(state, action)];
  }

  /**
   * What a move banks on the mover's own sheet, whatever is played for.
   *
   * @param {number} state
   * @param {string} action
   */
  banks(state, action) {
    return this.arrays.move_points[this.move(state, action)];
  }

  /**
   * @param {number} state
   * @param {string} action
   */
  play(state, action) {
    return this.arrays.move_pending[this.move(state, action)];
  }

  /**
   * @param {number} state
   * @param {string} action
   * @param {Ranked[]} _ranked
   */
  why(state, action, _ranked) {
    const text = this.whys?.get(this.move(state, action)) ?? "";
    return text.startsWith('{"key":') ? JSON.parse(text) : text;
  }

  /**
   * @param {number} pending
   * @param {number} state
   */
  canFollow(pending, state) {
    return range(this.outcomeStart, pending).some((outcome) => this.arrays.outcome_state[outcome] === state);
  }

  /** @param {number} pending */
  outcomes(pending) {
    const { outcome_state: state, outcome_weight: weight } = this.arrays;
    return range(this.outcomeStart, pending).map((outcome) => {
      const [label, ...dice] = JSON.parse(this.labels.get(outcome));
      return { state: state[outcome], weight: weight[outcome], label, dice };
    });
  }
}

/** Where the parts of a list begin, by how many each has. @param {Int32Array} counts */
function starts(counts) {
  const found = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => { found[i + 1] = found[i] + count; });
  return found;
}

/**
 * The numbers from `start[i]` on, before `start[i + 1]`.
 *
 * @param {Int32Array} start
 * @param {number} i
 */
function range(start, i) {
  return Array.from({ length: start[i + 1] - start[i] }, (_, place) => start[i] + place);
}
