/**
 * A score sheet as arrays, as rollwise/solvers/sheets/arrays.py has it: what filling a box with a hand does (its *effect*: points, and the next
 * *carry*, which is the upper total and whether a joker earns its bonus), and what turn starts are worth.
 *
 * @import { Arrays } from "./table-file.js"
 */

import { makeLattice } from "./lattice.js";

/**
 * @typedef {{
 *   names: string[], faces_of: (number | null)[], times: number[], count: number, faces: number, rerolls: number, first_roll: boolean, weights?: number[],
 *   steps: [number, number][], joker: { box: string, bonus: number } | null, primes: boolean, in_order: boolean, wins: boolean,
 * }} SheetRules
 */

export class Form {
  /** @param {SheetRules} rules @param {Arrays} arrays @param {number} quantum */
  constructor(rules, arrays, quantum) {
    this.rules = rules;
    this.arrays = arrays;
    this.net = makeLattice(rules.count, rules.weights ?? Array(rules.faces).fill(1));
    this.rerolls = rules.rerolls;
    this.boxes = rules.names.length;
    this.threshold = rules.steps.at(-1)?.[0] ?? 0;
    this.radix = this.threshold + 1;
    this.carries = this.radix * (rules.primes ? 2 : 1) + (rules.wins ? 1 : 0);
    /** The carry of a game that was won at once; -1: there is none. */
    this.over = rules.wins ? this.carries - 1 : -1;
    this.columns = this.net.hands + arrays.served.length;
    this.effects = arrays.effect_gain.length / this.carries;
    const fields = layOut(rules.times);
    this.unit = fields.unit;
    this.field = fields.field;
    this.full = rules.times.reduce((sum, times, box) => sum + times * this.unit[box], 0);
    this.boxOf = this.listBoxes();
    this.specials = this.indexSpecials();
    this.firstColumn = this.indexFirst();
    this.variants = arrays.special_hand.length;
    this.rowOf = this.indexRows();
    this.placeOf = this.indexCarries();
    this.values = Float64Array.from(arrays.values, (number) => number * quantum);
  }

  /** The box that each effect fills. */
  listBoxes() {
    const found = new Int32Array(this.effects);
    for (let box = 0; box < this.boxes; box += 1) found.fill(box, this.arrays.effect_start[box], this.arrays.effect_start[box + 1]);
    return found;
  }

  /** For each hand its number among the special ones; -1: none of them. */
  indexSpecials() {
    const found = new Int32Array(this.columns).fill(-1);
    this.arrays.special_hand.forEach((hand, i) => { found[hand] = i; });
    return found;
  }

  /** For each hand its column at the first roll of a turn, where that may count for more. */
  indexFirst() {
    const found = Int32Array.from({ length: this.net.hands }, (_, hand) => hand);
    this.arrays.served.forEach((hand, i) => { found[hand] = this.net.hands + i; });
    return found;
  }

  /** Where the values of each set of open boxes begin; -1: it does not occur. */
  indexRows() {
    const { masks, carry_class: ofMask, carry_start: start } = this.arrays;
    const found = new Int32Array(ofMask.length).fill(-1);
    let place = 0;
    for (const mask of masks) {
      found[mask] = place;
      place += start[ofMask[mask] + 1] - start[ofMask[mask]];
    }
    return found;
  }

  /** For each class of open boxes and carry the place of its value; -1: the carry does not occur. */
  indexCarries() {
    const { carry_start: start, carry_list: list, copy_start: copies, copy_to: to, copy_from: from } = this.arrays;
    const found = new Int32Array((start.length - 1) * this.carries).fill(-1);
    for (let kind = 0; kind < start.length - 1; kind += 1) {
      const row = kind * this.carries;
      for (let i = start[kind]; i < start[kind + 1]; i += 1) found[row + list[i]] = i - start[kind];
      for (let i = copies[kind]; i < copies[kind + 1]; i += 1) found[row + to[i]] = found[row + from[i]];
    }
    return found;
  }

  /** The place of a turn start among all; -1: it does not occur. @param {number} open @param {number} carry */
  place(open, carry) {
    if (!(open >= 0 && open < this.rowOf.length && carry >= 0 && carry < this.carries) || this.rowOf[open] < 0) return -1;
    const place = this.placeOf[this.arrays.carry_class[open] * this.carries + carry];
    return place < 0 ? -1 : this.rowOf[open] + place;
  }

  /** What a turn start is worth. @param {number} open @param {number} carry */
  value(open, carry) {
    return open ? this.values[this.place(open, carry)] : 0;
  }

  /** The carry that stands for others, by its place within its class. @param {number} open @param {number} carry */
  chief(open, carry) {
    const kind = this.arrays.carry_class[open];
    return this.arrays.carry_list[this.arrays.carry_start[kind] + this.placeOf[kind * this.carries + carry]];
  }

  /** The carries that can occur with these open boxes. @param {number} open */
  canCarry(open) {
    return Array.from({ length: this.carries }, (_, carry) => carry).filter((carry) => this.place(open, carry) >= 0);
  }

  /** The open boxes once a box is filled; the same where it is not open. @param {number} open @param {number} box */
  after(open, box) {
    return open & this.field[box] ? open - this.unit[box] : open;
  }

  /** Whether a box may be filled, jokers aside. @param {number} open @param {number} box */
  canFill(open, box) {
    return (open & this.field[box]) !== 0 && !(this.rules.in_order && open & (this.unit[box] - 1));
  }

  /** @param {number} open */
  turnsLeft(open) {
    return this.unit.reduce((sum, unit, box) => sum + (open & this.field[box]) / unit, 0);
  }

  /**
   * What filling a box with a hand (or served hand) does; -1: it may not be filled.
   *
   * @param {number} open
   * @param {number} box
   * @param {number} column
   */
  effect(open, box, column) {
    if (!this.canFill(open, box)) return -1;
    const special = this.specials[column];
    if (special < 0) return this.arrays.hand_effect[box * this.columns + column];
    const variant = this.arrays.special_variant[open * this.variants + special];
    return this.arrays.special_effect[(special * 4 + variant) * this.boxes + box];
  }

  /** The column of a hand with some rerolls left. @param {number} hand @param {number} left */
  column(hand, left) {
    return left === this.rerolls ? this.firstColumn[hand] : hand;
  }

  /** @param {number} effect @param {number} carry */
  gain(effect, carry) {
    return this.arrays.effect_gain[effect * this.carries + carry];
  }

  /** @param {number} effect @param {number} carry */
  target(effect, carry) {
    return this.arrays.effect_target[effect * this.carries + carry];
  }

  /** Number a carry. @param {number} upper @param {boolean} primed */
  carry(upper, primed) {
    return upper + (primed && this.rules.primes ? this.radix : 0);
  }

  /** Say what a carry stands for. @param {number} carry */
  readCarry(carry) {
    return { upper: carry % this.radix, primed: carry >= this.radix };
  }

  /** What an upper total has earned so far. @param {number} upper */
  earned(upper) {
    return this.rules.steps.findLast(([least]) => upper >= least)?.[1] ?? 0;
  }

  /** The threshold of the bonus that is next. @param {number} upper */
  nextStep(upper) {
    return this.rules.steps.find(([least]) => upper < least)?.[0] ?? this.threshold;
  }
}

/**
 * For each box one time of it, and all its bits, in the number that stands for the open boxes.
 *
 * @param {number[]} times
 */
function layOut(times) {
  const widths = times.map((number) => Math.floor(Math.log2(number)) + 1);
  const unit = widths.map((_, i) => 2 ** widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  return { unit, field: unit.map((one, i) => one * (2 ** widths[i] - 1)) };
}
