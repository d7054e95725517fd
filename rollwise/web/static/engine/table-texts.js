/**
 * Texts of a table: patterns with columns of numbers (rollwise/web/table_texts.py).
 *
 * @import { Arrays } from "./table-file.js"
 */

/** @typedef {{ patterns: { pieces: string[], same: number[] }[] }} TextsInfo */

export class Texts {
  /** @param {TextsInfo} about @param {Arrays} arrays @param {string} name */
  constructor({ patterns }, arrays, name) {
    this.patterns = patterns;
    this.which = arrays[`${name}_pattern`];
    this.numbers = arrays[`${name}_numbers`];
    /** @type {Int32Array | null} */
    this.index = arrays[`${name}_index`] ?? null;
    const counts = new Int32Array(patterns.length);
    /** The place of each text among those of its pattern. */
    this.place = Int32Array.from(this.which, (pattern) => counts[pattern]++);
    let begin = 0;
    /** Where each column of each pattern begins. */
    this.columns = patterns.map(({ same }, pattern) => {
      /** @type {number[]} */
      const found = [];
      for (const one of same) {
        found.push(one < 0 ? begin : found[one]);
        if (one < 0) begin += counts[pattern];
      }
      return found;
    });
  }

  get length() {
    return this.index?.length ?? this.which.length;
  }

  /** @param {number} number */
  get(number) {
    const i = this.index ? this.index[number] : number;
    const { pieces } = this.patterns[this.which[i]];
    const columns = this.columns[this.which[i]];
    let text = pieces[0];
    for (let slot = 0; slot < columns.length; slot += 1) text += this.numbers[columns[slot] + this.place[i]] + pieces[slot + 1];
    return text;
  }
}
