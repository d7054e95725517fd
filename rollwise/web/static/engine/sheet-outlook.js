/**
 * How a score sheet may end after a move.
 *
 * For turn starts of which there are few, those at the beginning of a game, the table may keep distributions of the points to come, in a few bins
 * each (rollwise/solvers/sheets/outlook.py); what comes after a move is a mixture of them. Else the best strategy is followed turn by turn, with
 * the points so far as a distribution for every turn start. Near the end of a game all turn starts are followed, and the chances are exact.
 * Where there are more of them in a layer than `MOST`, the unlikeliest are counted to the nearest likelier one, moved by what they are worth
 * more. So the mean stays, and no cumulative chance can be wrong by more than the chance that was moved: that is the `error`.
 *
 * @import { Ahead } from "./open-table.js"
 * @import { Form } from "./sheet-arrays.js"
 * @import { Node, Points, Step } from "./distribution.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { addUp, certain, describe, follow } from "./distribution.js";
import { Turn } from "./turn.js";

/** Turn starts of a layer that are followed. */
const MOST = 1000;
/** Turn starts that are followed in all, where every one is wanted. */
const MOST_EXACT = 100_000;
/** What chances of bins, errors and deviations are kept in parts of. */
const [PARTS, ERRORS, DEVIATIONS] = [1000, 100_000, 100];

/**
 * A keep in a turn, and the rolls to come; with nothing kept and all rolls to come, a turn start.
 *
 * @typedef {{ open: number, carry: number, keep: number, rolls: number }} Place
 */

/**
 * Make what looks ahead; `turns`: the least turns to come of the turn starts whose distributions the table keeps (null: it keeps none).
 *
 * @param {Form} form
 * @param {number | null} turns
 * @param {{ carryOf: (pending: any) => number, pendingValue: (pending: any) => number }} solved
 * @returns {Ahead<import("./sheet-notation.js").Turning>}
 */
export function makeAhead(form, turns, { carryOf, pendingValue }) {
  const mixBins = turns === null ? null : makeBins(form, turns);
  const turn = new Turn(form);

  /** Where a turn may end: the turn starts that come next. @param {Place} place @returns {Step<Place>[]} */
  function steps({ open, carry, keep, rolls }) {
    const chances = turn.begin(open, carry).ends(keep, rolls);
    /** @type {Step<Place>[]} */
    const found = [];
    for (let effect = 0; effect < chances.length; effect += 1) {
      if (!chances[effect]) continue;
      const target = form.target(effect, carry);
      const after = target === form.over ? 0 : form.after(open, form.boxOf[effect]);
      const chief = after && form.chief(after, target);
      const key = after ? after * form.carries + chief : null;
      found.push({ key, at: startAt(after, chief), chance: chances[effect], gain: form.gain(effect, carry) });
    }
    return found;
  }

  /** @type {(open: number, carry: number) => Place} */
  const startAt = (open, carry) => ({ open, carry, keep: 0, rolls: form.rerolls + 1 });

  return async (pending, begun, { exact, signal }) => {
    const mean = begun + pendingValue(pending);
    if (!pending.open) return describe(certain(begun), { mean });
    const place = { open: pending.open, carry: carryOf(pending), keep: form.net.find(pending.dice), rolls: pending.left };
    if (!exact && mixBins) {
      const starts = pending.left > form.rerolls ? [{ at: place, chance: 1, gain: 0 }] : steps(place);
      if (form.turnsLeft(starts[0].at.open) >= Number(turns)) return mixBins(starts, begun, mean);
    }
    if (exact && countBelow(form, pending.open) > MOST_EXACT) throw new ApiError(422, t("fault.too-early"));
    let error = 0;
    const thin = (/** @type {Node<Place>[]} */ nodes) => {
      const kept = crowd(form, nodes);
      error += kept.moved;
      return kept.nodes;
    };
    const points = await follow(place, begun, steps, { signal, ...(exact ? {} : { thin }) });
    return describe(points, { mean, error });
  };
}

/** Count the turn starts that may come of open boxes. @type {(form: Form, open: number) => number} */
function countBelow({ arrays, field }, open) {
  const within = (/** @type {number} */ mask) => field.every((bits) => (mask & bits) <= (open & bits));
  const size = (/** @type {number} */ mask) => arrays.carry_start[arrays.carry_class[mask] + 1] - arrays.carry_start[arrays.carry_class[mask]];
  return arrays.masks.reduce((sum, mask) => sum + (within(mask) ? size(mask) : 0), 0);
}

/**
 * Keep the likeliest nodes; the others go to the nearest of them.
 *
 * @type {(form: Form, nodes: Node<Place>[]) => { nodes: Node<Place>[], moved: number }}
 */
function crowd(form, nodes) {
  if (nodes.length <= MOST) return { nodes, moved: 0 };
  const order = nodes.toSorted((a, b) => b.mass - a.mass);
  const kept = order.slice(0, MOST);
  /** @type {Map<number, Node<Place>[]>} */
  const beside = new Map();
  for (const node of kept) beside.set(node.at.open, [...(beside.get(node.at.open) ?? []), node]);
  const valueOf = (/** @type {Node<Place>} */ { at }) => form.value(at.open, at.carry);
  let moved = 0;
  for (const node of order.slice(MOST)) {
    const value = valueOf(node);
    const far = (/** @type {Node<Place>} */ one) => Math.abs(valueOf(one) - value);
    const to = (beside.get(node.at.open) ?? kept.slice(0, 50)).reduce((best, one) => (far(one) < far(best) ? one : best));
    const shift = Math.round(value - valueOf(to));
    moved += node.mass;
    to.mass += node.mass;
    to.ways.push(...node.ways.map((way) => ({ ...way, gain: way.gain + shift })));
  }
  return { nodes: kept, moved };
}

/**
 * Make what mixes the distributions that are kept, of all turn starts with at least so many `turns` to come.
 *
 * @param {Form} form
 * @param {number} turns
 */
function makeBins(form, turns) {
  const { masks, carry_start: carries, carry_class: kind, outlook_count: counts, outlook_width: widths } = form.arrays;
  const { outlook_chance: chances, outlook_lowest: lowest, outlook_error: errors, outlook_deviation: deviations } = form.arrays;
  const begin = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => { begin[i + 1] = begin[i] + count; });
  /** Where the rows of each set of open boxes begin. @type {Map<number, number>} */
  const rowOf = new Map();
  let rows = 0;
  for (const mask of masks) {
    if (form.turnsLeft(mask) < turns) continue;
    rowOf.set(mask, rows);
    rows += carries[kind[mask] + 1] - carries[kind[mask]];
  }

  /** The distribution of a row. @param {number} row @returns {Points} */
  function pointsOf(row) {
    const [first, end] = [begin[row], begin[row + 1]];
    const chance = new Float64Array(widths.subarray(first, end).reduce((sum, width) => sum + width, 0));
    for (let bin = first, at = 0; bin < end; at += widths[bin], bin += 1) chance.fill(chances[bin] / (PARTS * widths[bin]), at, at + widths[bin]);
    return { low: lowest[row], chance };
  }

  return (/** @type {{ at: Place, chance: number, gain: number }[]} */ starts, /** @type {number} */ begun, /** @type {number} */ mean) => {
    let [error, variance] = [0, 0];
    const ways = starts.map(({ at: { open, carry }, chance, gain: gained }) => {
      const row = Number(rowOf.get(open)) + form.place(open, carry) - form.rowOf[open];
      const gain = begun + gained;
      error += (chance * errors[row]) / ERRORS;
      variance += chance * ((gain + form.value(open, carry) - mean) ** 2 + (deviations[row] / DEVIATIONS) ** 2);
      return { from: pointsOf(row), chance, gain };
    });
    return describe(addUp({ ways }), { mean, error: error && error + 1e-9, standard_deviation: Math.sqrt(variance) });
  };
}
