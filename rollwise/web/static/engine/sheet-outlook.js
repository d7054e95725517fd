/**
 * How a score sheet may end after a move.
 *
 * For turn starts of which there are few, those at the beginning of a game, the table may keep distributions of the points to come, in a few bins
 * each (rollwise/solvers/sheets/outlook.py); what comes after a move is a mixture of them. Else the best strategy is followed turn by turn, with
 * the points so far as a distribution for every turn start. Near the end of a game all turn starts are followed, and the chances are exact.
 * Where there are more of them in a layer than `MOST`, the unlikeliest are counted to the nearest likelier one, moved by what they are worth
 * more. So the mean stays, and no cumulative chance can be wrong by more than the chance that was moved: that is the `error`.
 *
 * @import { Outlook } from "../../types.js"
 * @import { Form } from "./sheet-arrays.js"
 * @import { SheetSolution } from "./sheet.js"
 * @import { Points, Way } from "./distribution.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { readMove } from "./answers.js";
import { addUp, describe, TINY } from "./distribution.js";
import { Turn } from "./turn.js";

/** Turn starts of a layer that are followed. */
const MOST = 1000;
/** Turn starts that are followed in all, where every one is wanted. */
const MOST_EXACT = 100_000;
/** Milliseconds of work after which the page may breathe. */
const BREATH = 20;
/** What chances of bins, errors and deviations are kept in parts of. */
const [PARTS, ERRORS, DEVIATIONS] = [1000, 100_000, 100];

/**
 * A turn start to come: its likely ways, each from a node before, with a chance and the points of the turn.
 *
 * @typedef {{ open: number, carry: number, mass: number, ways: Way[] }} Node
 */

/**
 * @param {SheetSolution} solved
 * @param {{ state: string, action: string, exact?: boolean }} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<Outlook>}
 */
export async function outlook(solved, request, signal) {
  const { state, action, pending } = readMove(solved, request);
  return lookAhead(solved, pending, solved.gain(state, action), request.exact ?? false, signal);
}

/**
 * How a whole game may end.
 *
 * @param {SheetSolution} solved
 * @param {AbortSignal} [signal]
 */
export const whole = (solved, signal) => lookAhead(solved, solved.start(), 0, false, signal);

/**
 * @param {SheetSolution} solved
 * @param {import("./sheet-notation.js").Turning} pending
 * @param {number} gain
 * @param {boolean} exact
 * @param {AbortSignal} [signal]
 */
async function lookAhead(solved, pending, gain, exact, signal) {
  const mean = gain + solved.pendingValue(pending);
  const nodes = begins(solved, pending, gain);
  const { form, bins } = solved;
  if (!exact && bins && form.turnsLeft(nodes[0].open) >= bins.turns) return bins.mix(nodes, mean);
  if (exact && countBelow(form, pending.open) > MOST_EXACT) {
    throw new ApiError(422, t("fault.too-early"));
  }
  const { points, error } = await follow(solved, nodes, exact ? Infinity : MOST, signal);
  return describe(points, mean, error);
}

/**
 * Count the turn starts that may come of open boxes.
 *
 * @param {Form} form
 * @param {number} open
 */
function countBelow({ arrays, field }, open) {
  const within = (/** @type {number} */ mask) => field.every((bits) => (mask & bits) <= (open & bits));
  const size = (/** @type {number} */ mask) => arrays.carry_start[arrays.carry_class[mask] + 1] - arrays.carry_start[arrays.carry_class[mask]];
  return arrays.masks.reduce((sum, mask) => sum + (within(mask) ? size(mask) : 0), 0);
}

/** Distributions that are kept, of all turn starts with at least so many `turns` to come. */
export class Bins {
  /**
   * @param {Form} form
   * @param {number} turns
   */
  constructor(form, turns) {
    const { masks, carry_start: carries, carry_class: kind, outlook_count: counts } = form.arrays;
    this.form = form;
    this.turns = turns;
    this.begin = new Int32Array(counts.length + 1);
    counts.forEach((count, i) => { this.begin[i + 1] = this.begin[i] + count; });
    /** Where the rows of each set of open boxes begin. @type {Map<number, number>} */
    this.rowOf = new Map();
    let row = 0;
    for (const mask of masks) {
      if (form.turnsLeft(mask) < turns) continue;
      this.rowOf.set(mask, row);
      row += carries[kind[mask] + 1] - carries[kind[mask]];
    }
  }

  /**
   * The row of a turn start.
   *
   * @param {number} open
   * @param {number} carry
   */
  row(open, carry) {
    return /** @type {number} */ (this.rowOf.get(open)) + this.form.place(open, carry) - this.form.rowOf[open];
  }

  /**
   * The distribution of a row.
   *
   * @param {number} row
   * @returns {Points}
   */
  points(row) {
    const { outlook_width: widths, outlook_chance: chances, outlook_lowest: lowest } = this.form.arrays;
    const [first, end] = [this.begin[row], this.begin[row + 1]];
    const chance = new Float64Array(widths.subarray(first, end).reduce((sum, width) => sum + width, 0));
    for (let bin = first, at = 0; bin < end; at += widths[bin], bin += 1) chance.fill(chances[bin] / (PARTS * widths[bin]), at, at + widths[bin]);
    return { low: lowest[row], chance };
  }

  /**
   * Mix what is kept of some turn starts.
   *
   * @param {Node[]} nodes
   * @param {number} mean
   */
  mix(nodes, mean) {
    const { outlook_error: errors, outlook_deviation: deviations } = this.form.arrays;
    let [error, variance] = [0, 0];
    const ways = nodes.flatMap(({ open, carry, ways: own }) => {
      const row = this.row(open, carry);
      const from = this.points(row);
      return own.map(({ from: { low }, chance, gain }) => {
        error += (chance * errors[row]) / ERRORS;
        variance += chance * ((low + gain + this.form.value(open, carry) - mean) ** 2 + (deviations[row] / DEVIATIONS) ** 2);
        return { from, chance, gain: low + gain };
      });
    });
    return describe(addUp({ ways }), mean, error && error + 1e-9, Math.sqrt(variance));
  }
}

/**
 * The turn starts that come next.
 *
 * @param {SheetSolution} solved
 * @param {import("./sheet-notation.js").Turning} pending
 * @param {number} points
 * @returns {Node[]}
 */
function begins(solved, pending, points) {
  const { form } = solved;
  const here = { low: points, chance: Float64Array.of(1) };
  const carry = solved.carryOf(pending);
  if (!pending.open || pending.left > form.rerolls) return [{ open: pending.open, carry, mass: 1, ways: [{ from: here, chance: 1, gain: 0 }] }];
  const { turn } = solved.known(pending);
  const row = form.net.find(pending.dice) * turn.effects.length;
  const nodes = new Nodes(solved);
  turn.effects.forEach((effect, i) => nodes.add(pending.open, carry, effect, turn.chances[pending.left][row + i], here, 1));
  return [...nodes.found.values()];
}

/** Turn starts of the layer to come. */
class Nodes {
  /** @param {SheetSolution} solved */
  constructor({ form }) {
    this.form = form;
    /** @type {Map<number, Node>} */
    this.found = new Map();
  }

  /**
   * @param {number} open
   * @param {number} carry
   * @param {number} effect
   * @param {number} chance
   * @param {Points} from
   * @param {number} mass
   */
  add(open, carry, effect, chance, from, mass) {
    if (chance * mass < TINY) return;
    const { form } = this;
    const target = form.target(effect, carry);
    const after = target === form.over ? 0 : form.after(open, form.boxOf[effect]);
    const chief = target === form.over ? 0 : form.chief(after, target);
    const key = after * form.carries + chief;
    const node = this.found.get(key) ?? { open: after, carry: chief, mass: 0, ways: [] };
    this.found.set(key, node);
    node.mass += chance * mass;
    node.ways.push({ from, chance, gain: form.gain(effect, carry) });
  }
}

/**
 * Follow turn starts to the end.
 *
 * @param {SheetSolution} solved
 * @param {Node[]} first
 * @param {number} most
 * @param {AbortSignal} [signal]
 */
async function follow(solved, first, most, signal) {
  const { form } = solved;
  /** @type {Node[]} */
  const ends = [];
  const turn = new Turn(form, form.full, 0);
  let [layer, moved, begun] = [first, 0, performance.now()];
  while (layer.length) {
    const next = new Nodes(solved);
    const kept = crowd(solved, layer, most);
    moved += kept.moved;
    for (const node of kept.nodes) {
      if (!node.open) {
        ends.push(node);
        continue;
      }
      const points = addUp(node);
      const chances = turn.anew(node.open, node.carry).ends();
      for (let effect = 0; effect < chances.length; effect += 1) if (chances[effect]) next.add(node.open, node.carry, effect, chances[effect], points, node.mass);
      if (performance.now() - begun > BREATH) {
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
        begun = performance.now();
      }
    }
    layer = [...next.found.values()];
  }
  const ways = ends.flatMap((node) => node.ways);
  return { points: addUp({ ways }), error: moved };
}

/**
 * Keep the likeliest nodes; the others go to the nearest of them.
 *
 * @param {SheetSolution} solved
 * @param {Node[]} nodes
 * @param {number} most
 */
function crowd({ form }, nodes, most) {
  if (nodes.length <= most) return { nodes, moved: 0 };
  const order = nodes.toSorted((a, b) => b.mass - a.mass);
  const kept = order.slice(0, most);
  /** @type {Map<number, Node[]>} */
  const beside = new Map();
  for (const node of kept) beside.set(node.open, [...(beside.get(node.open) ?? []), node]);
  let moved = 0;
  for (const node of order.slice(most)) {
    const value = form.value(node.open, node.carry);
    const far = (/** @type {Node} */ one) => Math.abs(form.value(one.open, one.carry) - value);
    const to = (beside.get(node.open) ?? kept.slice(0, 50)).reduce((best, one) => (far(one) < far(best) ? one : best));
    const shift = Math.round(value - form.value(to.open, to.carry));
    moved += node.mass;
    to.mass += node.mass;
    to.ways.push(...node.ways.map((way) => ({ ...way, gain: way.gain + shift })));
  }
  return { nodes: kept, moved };
}
