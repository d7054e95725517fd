/**
 * One turn of a score sheet, computed in full from what turn starts are worth: every hand and keep with its value, and where the best
 * strategy ends (rollwise/solvers/sheets/turn_table.py).
 *
 * @import { Form } from "./sheet-arrays.js"
 */

import { rollOut, takeBest } from "./lattice.js";

/** Moves whose values differ by less than this share are equal, and the first listed is chosen. */
export const TIE = 1e-9;

export class Turn {
  /**
   * @param {Form} form
   * @param {number} open
   * @param {number} carry
   */
  constructor(form, open, carry) {
    const { net, rerolls, boxes, columns } = form;
    this.form = form;
    this.fill = new Float64Array(boxes * columns);
    this.effect = new Int32Array(boxes * columns);
    this.best = new Float64Array(columns);
    /** By rolls to come, what every keep is worth; nothing for 0. */
    this.kept = Array.from({ length: rerolls + 2 }, () => new Float64Array(net.firstHand));
    /** By rerolls left, what every hand is worth. */
    this.hand = Array.from({ length: rerolls + 1 }, () => new Float64Array(net.hands));
    this.table = new Float64Array(net.keeps.length);
    this.anew(open, carry);
  }

  open = 0;
  carry = 0;
  /** @type {Float64Array[] | null} */
  known = null;
  /** @type {number[] | null} */
  ending = null;

  /**
   * Work out another turn in the same place.
   *
   * @param {number} open
   * @param {number} carry
   */
  anew(open, carry) {
    this.open = open;
    this.carry = carry;
    this.known = this.ending = null;
    this.fill.fill(-Infinity);
    this.effect.fill(-1);
    this.best.fill(-Infinity);
    for (let box = 0; box < this.form.boxes; box += 1) if (this.form.canFill(this.open, box)) this.fillBox(box);
    this.rollBack();
    return this;
  }

  /** @param {number} box */
  fillBox(box) {
    const { form, open, carry, fill, effect, best } = this;
    const { columns, specials, arrays } = form;
    const [begin, end] = arrays.effect_start.subarray(box, box + 2);
    const after = form.after(open, box);
    const worth = new Float64Array(end - begin);
    for (let one = begin; one < end; one += 1) worth[one - begin] = form.gain(one, carry) + form.value(after, form.target(one, carry));
    for (let column = 0, at = box * columns; column < columns; column += 1, at += 1) {
      const one = specials[column] < 0 ? arrays.hand_effect[at] : form.effect(open, box, column);
      if (one < 0) continue;
      const value = worth[one - begin];
      effect[at] = one;
      fill[at] = value;
      if (value > best[column]) best[column] = value;
    }
  }

  rollBack() {
    const { best, table } = this;
    const { net, rerolls, firstColumn, arrays } = this.form;
    table.set(best.subarray(0, net.hands), net.firstHand);
    for (let left = 1; left <= rerolls + 1; left += 1) {
      const first = left === rerolls + 1 ? rerolls === 0 : left === rerolls;
      if (first && !rerolls) this.serve(firstColumn, arrays.served.length);
      rollOut(net, table);
      this.kept[left].set(table.subarray(0, net.firstHand));
      this.hand[left - 1].set(table.subarray(net.firstHand));
      if (left > rerolls) break;
      if (first) this.serve(firstColumn, arrays.served.length);
      takeBest(net, table);
    }
  }

  /**
   * Write what hands are worth at the first roll, when a box is filled with them, if it counts for more.
   *
   * @param {Int32Array} column
   * @param {number} served
   */
  serve(column, served) {
    const { net } = this.form;
    if (served) for (let hand = 0; hand < net.hands; hand += 1) this.table[net.firstHand + hand] = this.best[column[hand]];
  }

  /** What the turn is worth before its first roll. */
  get value() {
    return this.kept[this.form.rerolls + 1][0];
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
        const keep = this.choose(hand, left);
        if (keep < 0) rows[begin + /** @type {number} */ (place.get(this.effect[~keep * columns + this.form.column(hand, left)]))] = 1;
        else rows.set(found[left].subarray(keep * width, (keep + 1) * width), begin);
      }
      rollOut(net, rows, width);
      found.push(rows.slice(0, net.firstHand * width));
    }
    return found;
  }

  /**
   * What is done with a hand: a keep, or a box, as the complement of its number.
   *
   * @param {number} hand
   * @param {number} left
   */
  choose(hand, left) {
    const { net, boxes, columns } = this.form;
    const column = this.form.column(hand, left);
    const kept = this.kept[left];
    const best = this.hand[left][hand];
    const least = best - TIE * Math.abs(best);
    if (this.best[column] >= least || !left) {
      for (let box = 0; box < boxes; box += 1) if (this.fill[box * columns + column] >= least) return ~box;
    }
    const { list, start } = net;
    for (let i = start[hand]; i < start[hand + 1]; i += 1) if (kept[list[i]] >= least) return list[i];
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
        const keep = this.choose(hand, left);
        if (keep < 0) chance[this.effect[~keep * columns + this.form.column(hand, left)]] += share;
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
