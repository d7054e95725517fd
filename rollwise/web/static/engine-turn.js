/**
 * One turn of a score sheet, worked out in full from what turn starts are worth: every hand and keep with its value, and where the best
 * strategy ends (rollwise/forms/sheets/turn_table.py).
 *
 * @import { Form } from "./engine-form.js"
 */

import { rollOut, takeBest } from "./engine-lattice.js";

/** Moves whose values differ by less than this share are equal, and the first listed is chosen. */
export const TIE = 1e-9;

export class Turn {
  /**
   * @param {Form} form
   * @param {number} open
   * @param {number} carry
   */
  constructor(form, open, carry) {
    this.form = form;
    this.open = open;
    this.carry = carry;
    this.fill = new Float64Array(form.boxes * form.columns).fill(-Infinity);
    this.effect = new Int32Array(form.boxes * form.columns).fill(-1);
    this.best = new Float64Array(form.columns).fill(-Infinity);
    /** By rolls to come, what every keep is worth; none for 0. @type {Float64Array[]} */
    this.kept = [new Float64Array(0)];
    /** By rerolls left, what every hand is worth. @type {Float64Array[]} */
    this.hand = [];
    /** @type {Float64Array[] | null} */
    this.known = null;
    /** @type {number[] | null} */
    this.ending = null;
    this.fillBoxes();
    this.rollBack();
  }

  fillBoxes() {
    const { form, open, carry } = this;
    const worth = new Float64Array(form.effects).fill(NaN);
    for (let box = 0; box < form.boxes; box += 1) {
      if (!form.canFill(open, box)) continue;
      const after = form.after(open, box);
      for (let column = 0, at = box * form.columns; column < form.columns; column += 1, at += 1) {
        const effect = form.effect(open, box, column);
        if (effect < 0) continue;
        if (Number.isNaN(worth[effect])) worth[effect] = form.gain(effect, carry) + form.value(after, form.target(effect, carry));
        this.effect[at] = effect;
        this.fill[at] = worth[effect];
        if (worth[effect] > this.best[column]) this.best[column] = worth[effect];
      }
    }
  }

  rollBack() {
    const { net, rerolls, firstColumn, arrays } = this.form;
    const table = new Float64Array(net.keeps.length);
    table.set(this.best.subarray(0, net.hands), net.firstHand);
    const serve = (/** @type {number} */ left) => {
      if (arrays.served.length && left === rerolls) for (let hand = 0; hand < net.hands; hand += 1) table[net.firstHand + hand] = this.best[firstColumn[hand]];
    };
    for (let left = 1; left <= rerolls; left += 1) {
      this.keepRow(table);
      serve(left);
      takeBest(net, table);
    }
    if (!rerolls) serve(0);
    this.keepRow(table);
  }

  /** @param {Float64Array} table */
  keepRow(table) {
    const { net } = this.form;
    rollOut(net, table);
    this.kept.push(table.slice(0, net.firstHand));
    this.hand.push(table.slice(net.firstHand));
  }

  /** What the turn is worth before its first roll. */
  get value() {
    return /** @type {Float64Array} */ (this.kept.at(-1))[0];
  }

  /** The effects that may end this turn. */
  get effects() {
    this.ending ??= [...new Set(this.effect)].filter((effect) => effect >= 0).sort((a, b) => a - b);
    return this.ending;
  }

  /** By rolls to come, the chance of each of `effects`, for every keep in turn. */
  get chances() {
    this.known ??= this.followKeeps();
    return this.known;
  }

  followKeeps() {
    const { net, rerolls, columns } = this.form;
    const width = this.effects.length;
    const place = new Map(this.effects.map((effect, i) => [effect, i]));
    const found = [new Float64Array(net.firstHand * width)];
    for (let left = 0; left < rerolls; left += 1) {
      const rows = new Float64Array(net.keeps.length * width);
      for (let hand = 0; hand < net.hands; hand += 1) {
        const begin = (net.firstHand + hand) * width;
        const { box, keep } = this.choose(hand, left);
        if (keep < 0) rows[begin + /** @type {number} */ (place.get(this.effect[box * columns + this.form.column(hand, left)]))] = 1;
        else rows.set(found[left].subarray(keep * width, (keep + 1) * width), begin);
      }
      rollOut(net, rows, width);
      found.push(rows.slice(0, net.firstHand * width));
    }
    return found;
  }

  /**
   * What is done with a hand: a box, or a keep; the other is -1.
   *
   * @param {number} hand
   * @param {number} left
   */
  choose(hand, left) {
    const { net, boxes, columns } = this.form;
    const column = this.form.column(hand, left);
    const kept = left ? this.kept[left] : null;
    let best = this.best[column];
    if (kept) for (const keep of net.kept[hand]) if (kept[keep] > best) best = kept[keep];
    const least = best - TIE * Math.abs(best);
    for (let box = 0; box < boxes; box += 1) if (this.fill[box * columns + column] >= least) return { box, keep: -1 };
    for (const keep of net.kept[hand]) if (kept && kept[keep] >= least) return { box: -1, keep };
    throw new Error("a hand without a move");
  }

  /** The chance of each effect when the turn is played well from its start: pairs, where it is not 0. */
  ends() {
    const { net, rerolls, columns } = this.form;
    const chance = new Float64Array(this.form.effects);
    let mass = new Float64Array(net.keeps.length);
    mass[0] = 1;
    for (let left = rerolls; left >= 0; left -= 1) {
      const next = new Float64Array(net.keeps.length);
      this.spreadOut(mass);
      for (let hand = 0; hand < net.hands; hand += 1) {
        const share = mass[net.firstHand + hand];
        if (!share) continue;
        const { box, keep } = this.choose(hand, left);
        if (keep < 0) chance[this.effect[box * columns + this.form.column(hand, left)]] += share;
        else next[keep] += share;
      }
      mass = next;
    }
    return chance;
  }

  /** Roll what is not kept, one die at a time. @param {Float64Array} mass */
  spreadOut(mass) {
    const { firstHand, faces, more } = this.form.net;
    for (let keep = 0; keep < firstHand; keep += 1) {
      const share = mass[keep] / faces;
      if (share) for (let face = keep * faces; face < (keep + 1) * faces; face += 1) mass[more[face]] += share;
    }
  }
}
