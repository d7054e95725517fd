/**
 * One turn of a score sheet in both directions (rollwise/solvers/sheets/turn.py): backward, what every hand and keep is worth, from what
 * turn starts are worth; forward, how the turn ends when the best is done.
 *
 * @import { Form } from "./sheet-arrays.js"
 */

import { rollBack, rollOn, takeBest } from "./lattice.js";

/** Moves whose values differ by less than this share are equal, and the first listed is chosen. */
export const TIE = 1e-9;

export class Turn {
  /** @param {Form} form @param {(open: number, carry: number) => number} [ahead] what the turns to come are worth */
  constructor(form, ahead = (open, carry) => form.value(open, carry)) {
    const { net, rerolls, boxes, columns } = form;
    this.form = form;
    this.ahead = ahead;
    /** By box and column, what filling it is worth, and its effect; by column, the best of them. */
    this.fill = new Float64Array(boxes * columns);
    this.effect = new Int32Array(boxes * columns);
    this.best = new Float64Array(columns);
    /** By rolls to come, what every keep is worth; nothing for 0. */
    this.kept = Array.from({ length: rerolls + 2 }, () => new Float64Array(net.firstHand));
    /** By rerolls left, what every hand is worth. */
    this.hand = Array.from({ length: rerolls + 1 }, () => new Float64Array(net.hands));
    this.table = new Float64Array(net.keeps.length);
  }

  open = 0;
  carry = 0;

  /** Compute the turn that starts with these open boxes, in the place of the one before. @param {number} open @param {number} carry */
  begin(open, carry) {
    this.open = open;
    this.carry = carry;
    this.fill.fill(-Infinity);
    this.effect.fill(-1);
    this.best.fill(-Infinity);
    for (let box = 0; box < this.form.boxes; box += 1) if (this.form.canFill(open, box)) this.fillBox(box);
    this.playBack();
    return this;
  }

  /** @param {number} box */
  fillBox(box) {
    const { form, open, carry, fill, effect, best } = this;
    const { columns, specials, arrays } = form;
    const [begin, end] = arrays.effect_start.subarray(box, box + 2);
    const after = form.after(open, box);
    const worth = new Float64Array(end - begin);
    for (let one = begin; one < end; one += 1) worth[one - begin] = form.gain(one, carry) + this.ahead(after, form.target(one, carry));
    for (let column = 0, at = box * columns; column < columns; column += 1, at += 1) {
      const one = specials[column] < 0 ? arrays.hand_effect[at] : form.effect(open, box, column);
      if (one < 0) continue;
      const value = worth[one - begin];
      effect[at] = one;
      fill[at] = value;
      if (value > best[column]) best[column] = value;
    }
  }

  /** Backward: a hand is worth the best box, or with rerolls left the best keep; a keep is worth the mean of the hands it may become. */
  playBack() {
    const { form, table, best } = this;
    const { net, rerolls } = form;
    for (let left = 0; left <= rerolls; left += 1) {
      for (let hand = 0; hand < net.hands; hand += 1) table[net.firstHand + hand] = best[form.column(hand, left)];
      if (left) takeBest(net, table);
      this.hand[left].set(table.subarray(net.firstHand));
      rollBack(net, table);
      this.kept[left + 1].set(table.subarray(0, net.firstHand));
    }
  }

  /**
   * Forward: the chance of each effect when the best is done with a keep and so many rolls to come.
   *
   * @param {number} keep
   * @param {number} rolls
   */
  ends(keep, rolls) {
    const { net, columns } = this.form;
    const chance = new Float64Array(this.form.effects);
    let mass = new Float64Array(net.keeps.length);
    mass[keep] = 1;
    for (let left = rolls - 1; left >= 0; left -= 1) {
      const next = new Float64Array(net.keeps.length);
      rollOn(net, mass);
      for (let hand = 0; hand < net.hands; hand += 1) {
        const share = mass[net.firstHand + hand];
        if (!share) continue;
        const chosen = this.choose(hand, left);
        if (chosen < 0) chance[this.effect[~chosen * columns + this.form.column(hand, left)]] += share;
        else next[chosen] += share;
      }
      mass = next;
    }
    return chance;
  }

  /** What is done with a hand: a keep, or a box, as the complement of its number. @param {number} hand @param {number} left */
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
}
