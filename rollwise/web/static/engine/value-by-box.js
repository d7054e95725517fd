/**
 * What a move on a score sheet is worth, box by box: the cuts of rollwise/solvers/sheets/reasons.py, for a sheet that is played for points.
 *
 * @import { Form } from "./sheet-arrays.js"
 * @import { Turn } from "./turn.js"
 * @import { Part } from "./reasons.js"
 */

import { message } from "./reasons.js";

/** @typedef {{ points: number, box: number, bonus: number, joker: number }} Cut */

export class Cuts {
  /** @param {Turn} turn */
  constructor(turn) {
    const { form, open, carry } = turn;
    this.turn = turn;
    this.stands = form.value(open, carry);
    this.before = form.readCarry(carry);
    /** A carry with which no bonus is earned, and the one with which no joker earns its bonus. */
    this.quiet = form.carry(form.threshold, false);
    this.unprimed = form.carry(this.before.upper, false);
    this.boxes = form.rules.names.map((_, box) => box).filter((box) => form.canFill(open, box));
    /** @type {Map<number, Cut>} */
    this.known = new Map();
    const givenUp = new Map(this.boxes.map((box) => [box, this.stands - /** @type {number} */ (this.atPar(box, 0))]));
    const most = (/** @type {number} */ box) => Math.max(...effectsOf(form, box).map((effect) => form.gain(effect, this.quiet)));
    /** What a turn costs, whichever box is used up. */
    this.cost = Math.max(0, ...this.boxes.map((box) => /** @type {number} */ (givenUp.get(box)) - most(box)));
    /** What boxes are worth when they are left open. */
    this.later = new Map(this.boxes.map((box) => [box, /** @type {number} */ (givenUp.get(box)) - this.cost]));
  }

  /**
   * The parts of a move after which the turn may end so: effects with their chances.
   *
   * @param {Iterable<[number, number]>} ends
   * @returns {Part[]}
   */
  parts(ends) {
    const { rules, boxOf } = this.turn.form;
    const sums = new Map(this.boxes.map((box) => [box, { chance: 0, scored: 0, value: 0 }]));
    let [bonus, joker] = [0, 0];
    for (const [effect, chance] of ends) {
      if (!chance) continue;
      const cut = this.cut(effect);
      const one = /** @type {{ chance: number, scored: number, value: number }} */ (sums.get(boxOf[effect]));
      one.chance += chance;
      one.scored += cut.points ? chance : 0;
      one.value += chance * cut.box;
      bonus += chance * cut.bonus;
      joker += chance * cut.joker;
    }
    const boxes = [...sums].map(([box, { chance, scored, value }]) => {
      const later = /** @type {number} */ (this.later.get(box));
      return { kind: "box", what: rules.names[box], value: later + value + chance * this.cost, chance, scored, later };
    });
    const more = rules.steps.length ? [{ kind: "bonus", what: message("part.bonus"), value: bonus }] : [];
    return [...boxes, ...more, ...(rules.joker && joker ? [{ kind: "joker", what: message("part.joker", { box: rules.joker.box }), value: joker }] : [])];
  }

  /** Cut what an effect makes of the worth of the turn. @param {number} effect */
  cut(effect) {
    const found = this.known.get(effect) ?? this.makeCut(effect);
    this.known.set(effect, found);
    return found;
  }

  /** @param {number} effect @returns {Cut} */
  makeCut(effect) {
    const { form, open, carry } = this.turn;
    const [points, gained, whole] = [this.quiet, this.unprimed, carry].map((one) => form.gain(effect, one));
    const [target, box] = [form.target(effect, carry), form.boxOf[effect]];
    const left = form.after(open, box);
    const last = /** @type {number} */ (this.worth(left, target, whole));
    if (target === form.over) return { points, box: last - this.stands, bonus: 0, joker: 0 };
    const grown = form.carry(form.readCarry(target).upper, this.before.primed);
    const third = (grown === target && gained === whole ? last : this.worth(left, grown, gained)) ?? last;
    const second = this.atPar(box, points) ?? third;
    return { points, box: second - this.stands, bonus: third - second, joker: last - third };
  }

  /**
   * What a turn that ends so is worth, its points included; null where such an end cannot occur.
   *
   * @param {number} open
   * @param {number} carry
   * @param {number} points
   */
  worth(open, carry, points) {
    return this.turn.form.place(open, carry) < 0 ? null : points + this.turn.form.value(open, carry);
  }

  /**
   * What it is worth to have filled a box with some points, the upper total at par.
   *
   * @param {number} box
   * @param {number} points
   */
  atPar(box, points) {
    const { form, open } = this.turn;
    const left = form.after(open, box);
    const carry = this.nearest(left, this.before.upper + par(form, box));
    const risen = Math.max(this.before.upper, form.readCarry(carry).upper);
    return this.worth(left, carry, points + form.earned(risen) - form.earned(this.before.upper));
  }

  /**
   * The carry that can occur and is closest to an upper total and to what is primed now.
   *
   * @param {number} open
   * @param {number} upper
   */
  nearest(open, upper) {
    const { form } = this.turn;
    const carry = form.carry(Math.min(upper, form.threshold), this.before.primed);
    if (form.place(open, carry) >= 0) return carry;
    const distance = (/** @type {number} */ one) => {
      const read = form.readCarry(one);
      return (read.primed !== this.before.primed ? 1e9 : 0) + Math.abs(read.upper - upper);
    };
    return form.canCarry(open).filter((one) => one !== form.over).reduce((best, one) => (distance(one) < distance(best) ? one : best));
  }
}

/** The effects of filling a box. @param {Form} form @param {number} box */
export function effectsOf(form, box) {
  const [begin, end] = form.arrays.effect_start.subarray(box, box + 2);
  return Array.from({ length: end - begin }, (_, i) => begin + i);
}

/**
 * What a box adds to the upper total when all of them just make the bonus, or its first step.
 *
 * @param {Form} form
 * @param {number} box
 */
function par({ rules }, box) {
  const face = rules.faces_of[box];
  const sum = rules.faces_of.reduce((/** @type {number} */ total, one) => total + (one ?? 0), 0);
  if (!rules.steps.length || face === null || !sum) return 0;
  const share = (rules.steps[0][0] * face) / sum;
  const down = Math.floor(share);
  return share - down === 0.5 ? down + (down % 2) : Math.round(share);
}
