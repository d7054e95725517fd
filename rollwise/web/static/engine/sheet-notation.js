/**
 * Positions and moves of a score sheet as text, both ways, and as ids: `33561 2 all upper 0` (rollwise/games/sheets/notation.py).
 *
 * @import { Form } from "./sheet-arrays.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { choose, fold, rank, readId, unfold, unrank, writeId } from "./position-id.js";

/**
 * A position: open boxes, upper total, whether the joker box holds points, dice, rolls left. In a state `dice` is the hand, before a roll it is
 * what was kept.
 *
 * @typedef {{ open: number, upper: number, primed: boolean, dice: number[], left: number }} Turning
 */

const NUMBER = /^\d{1,15}$/;

export class Notation {
  /**
   * @param {Form} form
   * @param {number} seed
   */
  constructor(form, seed) {
    this.form = form;
    this.rules = form.rules;
    this.seed = seed;
  }

  /** @param {number[]} dice */
  showDice(dice) {
    return dice.join(this.rules.faces <= 9 ? "" : ",") || "-";
  }

  /** The open boxes, each with how often it may still be filled. @param {number} open @returns {[string, number][]} */
  listOpen(open) {
    const left = (/** @type {number} */ box) => (open & this.form.field[box]) / this.form.unit[box];
    return this.rules.names.map((name, box) => /** @type {[string, number]} */ ([name, left(box)])).filter(([, times]) => times);
  }

  /** @param {Turning} state */
  showRest({ open, upper, primed }) {
    const boxes = this.listOpen(open).map(([name, times]) => (times === 1 ? name : `${name}:${times}`)).join() || "none";
    return `${open === this.form.full ? "all" : boxes}${this.rules.steps.length ? ` upper ${upper}` : ""}${primed ? " primed" : ""}`;
  }

  /** @param {Turning} state */
  showState(state) {
    return `${this.showDice(state.dice)} ${state.left} ${this.showRest(state)}`;
  }

  /** @param {Turning} pending */
  showPending(pending) {
    const rolled = pending.left ? "*".repeat(this.rules.count - pending.dice.length) : "";
    const kept = pending.dice.length || !rolled ? this.showDice(pending.dice) : "";
    return `${kept}${rolled} ${pending.left} ${this.showRest(pending)}`;
  }

  /**
   * Read a position in notation, or its id.
   *
   * @param {string} text
   * @returns {Turning}
   */
  readPosition(text) {
    const given = text.trim();
    if (given.startsWith("id:")) return this.readId(given.slice(3)) ?? fail("error.id-other", { id: given.slice(3) });
    try {
      return this.readState(text);
    } catch (error) {
      const found = this.readId(given);
      if (found) return found;
      throw error;
    }
  }

  /**
   * @param {string} text
   * @returns {Turning}
   */
  readState(text) {
    const { rules, form } = this;
    const words = text.trim().split(/\s+/);
    const upper0 = rules.steps.length ? " upper 0" : "";
    if (words.length < 3 || !NUMBER.test(words[1])) {
      const example = `'${this.showDice(Array.from({ length: rules.count }, (_, i) => (i % rules.faces) + 1))} ${form.rerolls} all${upper0}'`;
      fail("error.position", { text, expected: `DICE REROLLS BOXES${upper0.replace("0", "POINTS")}`, example });
    }
    const dice = this.readDice(words[0], text);
    const left = Number(words[1]);
    const open = this.readBoxes(words[2], text);
    if (left > form.rerolls) fail("error.rerolls", { left, text, most: form.rerolls });
    const rest = words.slice(3);
    const primed = rest.includes("primed");
    const upper = this.readUpper(rest.filter((word) => word !== "primed"), text);
    const found = { open, upper, primed, dice, left: open ? left : 0 };
    if (primed && !rules.primes) fail("error.primed", { text });
    return found;
  }

  /**
   * @param {string} word
   * @param {string} text
   */
  readDice(word, text) {
    const { count, faces } = this.rules;
    if (word === "-") return [];
    const parts = word.includes(",") || faces > 9 ? word.split(",").filter(Boolean) : [...word];
    const dice = parts.map(Number);
    if (dice.length !== count || !parts.every((part) => NUMBER.test(part)) || dice.some((face) => face < 1 || face > faces)) {
      fail("error.dice", { dice: word, text, count, faces });
    }
    return dice.sort((a, b) => a - b);
  }

  /**
   * @param {string} word
   * @param {string} text
   */
  readBoxes(word, text) {
    if (word === "all") return this.form.full;
    let open = 0;
    for (const part of word === "none" ? [] : word.split(",")) {
      const [, name, times] = part.match(/^(.*?)(?::(\d+))?$/) ?? [];
      const box = this.rules.names.indexOf(this.boxNamed(this.rules.names.includes(part) ? part : name));
      const more = this.rules.names.includes(part) || !times ? 1 : Number(times);
      const left = (open & this.form.field[box]) / this.form.unit[box] + more;
      if (!more || left > this.rules.times[box]) fail("error.box-times", { box: name, left, text, most: this.rules.times[box] });
      open += more * this.form.unit[box];
    }
    return open;
  }

  /**
   * @param {string[]} words
   * @param {string} text
   */
  readUpper(words, text) {
    const bonus = this.rules.steps.length > 0;
    if (bonus && !words.length) fail("error.upper-missing", { text });
    if (words.length && !(bonus && words.length === 2 && words[0] === "upper" && NUMBER.test(words[1]))) fail("error.words", { words: words.join(" "), text });
    return words.length ? Math.min(Number(words[1]), this.form.threshold) : 0;
  }

  /** Find a box by its name or a unique beginning of it. @param {string} name */
  boxNamed(name) {
    const { names } = this.rules;
    const matches = names.includes(name) ? [name] : names.filter((full) => name && full.startsWith(name));
    if (matches.length !== 1) fail(matches.length ? "error.box-many" : "error.box-none", { box: name, boxes: (matches.length ? matches : names).join(", ") });
    return matches[0];
  }

  /** Read a move, and write it as the library does. @param {string} text */
  readAction(text) {
    const words = text.trim().split(/\s+/);
    if (words.length !== 2 || words[0] !== "keep") return this.boxNamed(text.trim());
    const keep = this.keptBy(`keep ${words[1]}`);
    if (keep.length > this.rules.count || keep.some((face) => !(face >= 1 && face <= this.rules.faces))) {
      fail("error.action", { text, count: this.rules.count });
    }
    return `keep ${this.showDice(keep)}`;
  }

  /** The dice that a move keeps. @param {string} action */
  keptBy(action) {
    const word = action.slice("keep ".length);
    if (word === "-") return [];
    return (word.includes(",") || this.rules.faces > 9 ? word.split(",") : [...word]).map(Number).sort((a, b) => a - b);
  }

  sizes() {
    const { faces, count, joker } = this.rules;
    return [this.form.threshold + 1, joker?.bonus ? 2 : 1, choose(faces + count - 1, count) + 1, this.form.rerolls + 1];
  }

  /** @param {Turning} state */
  writeId({ open, upper, primed, dice, left }) {
    const parts = [upper, primed ? 1 : 0, dice.length ? rank(dice) + 1 : 0, left];
    const sizes = this.sizes();
    return writeId(fold(this.form.full - open, parts.map((part, i) => [part, sizes[i]])), this.seed);
  }

  /**
   * @param {string} text
   * @returns {Turning | null}
   */
  readId(text) {
    const number = readId(text, this.seed);
    if (number === null) return null;
    const [filled, upper, primed, hand, left] = unfold(number, this.sizes());
    const open = this.form.full - filled;
    if (open < 0 || open > this.form.full) return null;
    return { open, upper, primed: primed === 1, dice: hand ? unrank(hand - 1, this.rules.count) : [], left };
  }
}

/** @type {(key: string, args: import("../texts/render.js").Args) => never} */
function fail(key, { text, box, dice, words, ...args }) {
  const quoted = Object.entries({ text, box, dice, words }).map(([name, word]) => [name, `'${word}'`]);
  throw new ApiError(422, t(key, { ...Object.fromEntries(quoted), ...args }));
}
