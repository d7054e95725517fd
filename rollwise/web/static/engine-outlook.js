/**
 * How a score sheet may end after a move: the best strategy is followed turn by turn, with the points so far as a distribution for every turn start.
 *
 * Near the end of a game all turn starts are followed, and the chances are exact. Where there are more of them in a layer than `MOST`, the
 * unlikeliest are counted to the nearest likelier one, moved by what they are worth more. So the mean stays, and no cumulative chance
 * can be wrong by more than the chance that was moved: that is the `error`.
 *
 * @import { Outlook } from "../types.js"
 * @import { SheetSolution } from "./engine-sheet.js"
 */

import { readMove } from "./engine-answers.js";
import { Turn } from "./engine-turn.js";

/** Turn starts of a layer that are followed. */
const MOST = 600;
/** Milliseconds of work after which the page may breathe. */
const BREATH = 20;
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Chances below this are left out. */
const TINY = 1e-13;

/**
 * A turn start to come: its likely ways, each from a node before, with a chance and the points of the turn.
 *
 * @typedef {{ open: number, carry: number, mass: number, ways: { from: Points, chance: number, gain: number }[] }} Node
 * @typedef {{ low: number, chance: Float64Array }} Points
 */

/**
 * @param {SheetSolution} solved
 * @param {{ state: string, action: string, exact?: boolean }} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<Outlook>}
 */
export async function outlook(solved, request, signal) {
  const { state, action, pending } = readMove(solved, request);
  const gain = solved.gain(state, action);
  const { points, error } = await follow(solved, begins(solved, pending, gain), request.exact ? Infinity : MOST, signal);
  return describe(points, gain + solved.pendingValue(pending), error);
}

/**
 * The turn starts that come next.
 *
 * @param {SheetSolution} solved
 * @param {import("./engine-notation.js").Turning} pending
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
      const turn = new Turn(form, node.open, node.carry);
      turn.ends().forEach((chance, effect) => void (chance && next.add(node.open, node.carry, effect, chance, points, node.mass)));
      if (performance.now() - begun > BREATH) {
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
        begun = performance.now();
      }
    }
    layer = [...next.found.values()];
  }
  const ways = ends.flatMap((node) => node.ways);
  return { points: addUp({ open: 0, carry: 0, mass: 1, ways }), error: moved };
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

/**
 * The distribution of the points so far, from those of the ways to a node.
 *
 * @param {Node} node
 * @returns {Points}
 */
function addUp({ ways }) {
  const low = Math.min(...ways.map(({ from, gain }) => from.low + gain));
  const high = Math.max(...ways.map(({ from, gain }) => from.low + gain + from.chance.length));
  const chance = new Float64Array(high - low);
  for (const { from, chance: share, gain } of ways) {
    const shift = from.low + gain - low;
    for (let i = 0; i < from.chance.length; i += 1) chance[shift + i] += share * from.chance[i];
  }
  return trim({ low, chance });
}

/**
 * Cut chances of next to nothing off both ends.
 *
 * @param {Points} points
 * @returns {Points}
 */
function trim({ low, chance }) {
  let [first, end] = [0, chance.length];
  while (first < end - 1 && chance[first] < TINY) first += 1;
  while (end > first + 1 && chance[end - 1] < TINY) end -= 1;
  return { low: low + first, chance: chance.slice(first, end) };
}

/**
 * Describe a distribution whose mean is known, as the server does.
 *
 * @param {Points} points
 * @param {number} mean
 * @param {number} error
 * @returns {Outlook}
 */
export function describe({ low, chance }, mean, error) {
  const total = chance.reduce((sum, share) => sum + share, 0);
  const shares = Array.from(chance, (share) => share / total);
  const deviation = Math.sqrt(shares.reduce((sum, share, i) => sum + share * (low + i - mean) ** 2, 0));
  return {
    of: "points", lowest: low, values: null, chance: shares, rest: 0, mean, deviation,
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
