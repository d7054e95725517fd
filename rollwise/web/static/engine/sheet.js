/**
 * A solved score sheet from its table: what turn starts are worth is kept, and a turn is computed when it is asked for.
 *
 * @import { TableFile } from "./table-file.js"
 * @import { Turning } from "./sheet-notation.js"
 * @import { Part, Ranked, Reason } from "./reasons.js"
 * @import { Message } from "../texts/render.js"
 */

import { differences, edgeOf, message, nameReasons, rivalOf, roundChance } from "./reasons.js";
import { Form } from "./sheet-arrays.js";
import { Notation } from "./sheet-notation.js";
import { Bins } from "./sheet-outlook.js";
import { Turn } from "./turn.js";
import { Cuts } from "./value-by-box.js";

const ROUNDING = 1e-9;
/** Turns that are kept once they were computed. */
const TURNS = 64;

/** @typedef {{ action: string, value: number }} Valued */

export class SheetSolution extends Notation {
  /** @param {TableFile} file */
  constructor({ header, arrays }) {
    super(new Form(/** @type {import("./sheet-arrays.js").SheetRules} */ (header.sheet), arrays, header.quantum), header.seed);
    this.header = header;
    this.kind = header.job.board.kind;
    this.bins = header.outlook ? new Bins(this.form, header.outlook.turns) : null;
    /** @type {Map<number, { turn: Turn, cuts: Cuts | null, parts: Map<string, Part[]> }>} */
    this.turns = new Map();
  }

  /** @returns {Turning} */
  start() {
    return { open: this.form.full, upper: 0, primed: false, dice: [], left: this.form.rerolls + 1 };
  }

  /** @param {Turning} state */
  position({ open, upper, primed, dice, left }) {
    const listed = this.listOpen(open).flatMap(([name, times]) => Array.from({ length: times }, () => name));
    return { kind: this.kind, dice, left, open: listed, upper: this.rules.steps.length ? upper : null, primed };
  }

  /** The carry of a position; -1: it does not occur. @param {Turning} state */
  carryOf({ open, upper, primed }) {
    if (!open && this.rules.wins) return this.form.over;
    const carry = this.form.carry(upper, primed);
    return (primed && !this.rules.primes) || this.form.place(open, carry) < 0 ? -1 : carry;
  }

  /**
   * The turn of a position, computed.
   *
   * @param {Turning} state
   */
  known(state) {
    const carry = this.carryOf(state);
    const key = state.open * this.form.carries + carry;
    const found = this.turns.get(key) ?? { turn: new Turn(this.form, state.open, carry), cuts: null, parts: new Map() };
    this.turns.delete(key);
    this.turns.set(key, found);
    for (const old of [...this.turns.keys()].slice(0, -TURNS)) this.turns.delete(old);
    return found;
  }

  /**
   * What a state is worth; null: it does not occur.
   *
   * @param {Turning} state
   */
  stateValue(state) {
    const { open, dice, left } = state;
    if (this.carryOf(state) < 0 || left > this.form.rerolls) return null;
    if (!open) return dice.length || left ? null : 0;
    return dice.length === this.rules.count ? this.known(state).turn.hand[left][this.hand(dice)] : null;
  }

  /** @param {Turning} pending */
  pendingValue(pending) {
    const { open, dice, left } = pending;
    if (!open) return 0;
    if (left > this.form.rerolls) return this.form.value(open, this.carryOf(pending));
    return this.known(pending).turn.kept[left][this.form.net.find(dice)];
  }

  /** @param {number[]} dice */
  hand(dice) {
    return this.form.net.find(dice) - this.form.net.firstHand;
  }

  /** What filling a box with the hand does; -1: it may not be. @param {Turning} state @param {string} box */
  effect(state, box) {
    return this.form.effect(state.open, this.rules.names.indexOf(box), this.form.column(this.hand(state.dice), state.left));
  }

  /**
   * Every move with its value, as the game lists them: boxes, then keeps.
   *
   * @param {Turning} state
   * @returns {Valued[]}
   */
  valued(state) {
    if (!state.open) return [];
    const { form, rules } = this;
    const { turn } = this.known(state);
    const hand = this.hand(state.dice);
    const column = form.column(hand, state.left);
    const fills = rules.names.map((action, box) => ({ action, value: turn.fill[box * form.columns + column] })).filter(({ value }) => value > -Infinity);
    const kept = state.left ? turn.kept[state.left] : null;
    const keeps = kept ? Array.from(form.net.list.subarray(form.net.start[hand], form.net.start[hand + 1]), (keep) => ({ action: `keep ${this.showDice(form.net.keeps[keep])}`, value: kept[keep] })) : [];
    return [...fills, ...keeps];
  }

  /** @param {string} action */
  isKeep(action) {
    return action.startsWith("keep ");
  }

  /**
   * @param {Turning} state
   * @param {string} action
   */
  gain(state, action) {
    return this.isKeep(action) ? 0 : this.form.gain(this.effect(state, action), this.carryOf(state));
  }

  /**
   * What a box pays for the hand, bonuses left out.
   *
   * @param {Turning} state
   * @param {string} box
   */
  points(state, box) {
    const effect = this.effect(state, box);
    return effect < 0 ? 0 : this.form.gain(effect, this.form.carry(this.form.threshold, false));
  }

  /**
   * @param {Turning} state
   * @param {string} action
   * @returns {Turning}
   */
  play(state, action) {
    if (this.isKeep(action)) return { ...state, dice: this.keptBy(action) };
    const effect = this.effect(state, action);
    const target = this.form.target(effect, this.carryOf(state));
    if (target === this.form.over) return { open: 0, upper: state.upper, primed: state.primed, dice: [], left: 0 };
    const open = this.form.after(state.open, this.rules.names.indexOf(action));
    return { open, ...this.form.readCarry(target), dice: [], left: open ? this.form.rerolls + 1 : 0 };
  }

  /**
   * Whether a roll may give this state.
   *
   * @param {Turning} pending
   * @param {Turning} state
   */
  canFollow(pending, state) {
    const rest = [...state.dice];
    for (const face of pending.dice) {
      const place = rest.indexOf(face);
      if (place < 0) return false;
      rest.splice(place, 1);
    }
    const same = state.open === pending.open && state.upper === pending.upper && state.primed === pending.primed;
    return same && (pending.open ? state.left === pending.left - 1 && state.dice.length === this.rules.count : !state.dice.length);
  }

  /**
   * What may be rolled, in the order of the rules.
   *
   * @param {Turning} pending
   */
  outcomes(pending) {
    if (!pending.open) return [{ state: pending, weight: 1, label: this.showState(pending), dice: [] }];
    const { net } = this.form;
    const rolled = this.rules.count - pending.dice.length;
    return net.keeps.filter((keep) => keep.length === rolled).map((keep) => {
      const dice = [...pending.dice, ...keep].sort((a, b) => a - b);
      const state = { ...pending, dice, left: pending.left - 1 };
      return { state, weight: ways(keep), label: this.showState(state), dice: dice.map(String) };
    });
  }

  /** What lies on the table before a roll. @param {Turning} pending */
  before(pending) {
    return { kind: "any", parts: [{ kind: "text", name: "roll", label: message("part.label", { name: "roll" }), text: this.showPending(pending) }] };
  }

  /**
   * The parts of a move's value.
   *
   * @param {Turning} state
   * @param {string} action
   * @returns {Part[]}
   */
  parts(state, action) {
    const { parts } = this.known(state);
    const key = this.isKeep(action) ? `${state.left} ${action}` : `${this.effect(state, action)}`;
    const found = parts.get(key) ?? this.makeParts(state, action);
    parts.set(key, found);
    return found;
  }

  /**
   * @param {Turning} state
   * @param {string} action
   */
  makeParts(state, action) {
    const known = this.known(state);
    known.cuts ??= new Cuts(known.turn);
    if (!this.isKeep(action)) return known.cuts.parts([[this.effect(state, action), 1]]);
    const { effects, chances } = known.turn;
    const row = this.form.net.find(this.keptBy(action)) * effects.length;
    const list = effects.map((effect, i) => /** @type {[number, number]} */ ([effect, chances[state.left][row + i]]));
    return known.cuts.parts(list.filter(([, chance]) => chance > 0));
  }

  /**
   * Say what a move does, and what speaks for it and against it.
   *
   * @param {Turning} state
   * @param {string} action
   * @param {Ranked[]} ranked
   */
  why(state, action, ranked) {
    const does = this.isKeep(action) ? this.sayKeep(action) : this.sayFill(state, action);
    const rival = rivalOf(ranked, action, (move) => !this.isKeep(move), (move) => this.parts(state, move));
    if (rival === null) return does;
    const compared = differences(this.parts(state, action), this.parts(state, rival));
    const reasons = nameReasons(compared, (reason, edge) => this.nameReason(reason, edge, state, action));
    return reasons ? message("reason.why", { does, reasons }) : does;
  }

  /** @param {string} action */
  sayKeep(action) {
    return action === "keep -" ? message("sheet.rolls-all") : message("sheet.keeps", { dice: action.slice("keep ".length) });
  }

  /**
   * @param {Turning} state
   * @param {string} box
   */
  sayFill(state, box) {
    const [gain, points] = [this.gain(state, box), this.points(state, box)];
    if (this.form.target(this.effect(state, box), this.carryOf(state)) === this.form.over) return message("sheet.wins", { box, points });
    const { upper } = this.play(state, box);
    let does = points ? message("sheet.puts", { points, box }) : message("sheet.gives-up", { box });
    if (upper !== state.upper) does = message("sheet.upper", { does, total: upper, of: this.form.nextStep(state.upper) });
    const plain = this.rules.first_roll && state.left === this.form.rerolls ? this.points({ ...state, left: -1 }, box) : points;
    if (points > plain) does = message("sheet.first", { does, points: points - plain });
    return gain > points ? message("sheet.earns", { does, points: gain - points }) : does;
  }

  /**
   * Say what a move does to a box: what it is for, what it spares, gives up or risks; "the box" is its own.
   *
   * @param {Reason} reason
   * @param {Message} edge
   * @param {Turning} state
   * @param {string} action
   */
  nameReason({ kind, what, value, mine, other }, edge, state, action) {
    if (kind !== "box" || what === action) return kind === "box" ? message("reason.own", { edge }) : message("reason.what", { what, edge });
    const [chance, others] = [mine?.chance ?? 0, other?.chance ?? 0];
    const [own, theirs] = [edgeOf(mine), edgeOf(other)];
    const inHand = () => others >= 1 - ROUNDING && this.points(state, String(what)) > 0;
    const key = value > 0 ? gainKey(chance, others, own > -theirs) : lossKey(chance, others, theirs > -own, inHand);
    return message(key, { what, edge, ...(key === "reason.likely" ? { chance: roundChance(chance) } : {}) });
  }
}

/** How many ways there are to roll dice. @param {number[]} dice */
function ways(dice) {
  let found = 1;
  let run = 0;
  dice.forEach((face, i) => {
    run = face === dice[i - 1] ? run + 1 : 1;
    found = (found * (i + 1)) / run;
  });
  return found;
}

/**
 * How a move does better in a box: by filling it, where that is wanted, or by not filling it.
 *
 * @param {number} chance
 * @param {number} others
 * @param {boolean} wanted
 */
function gainKey(chance, others, wanted) {
  if (!wanted && chance < others - ROUNDING) return "reason.spares";
  return wanted && chance < 1 - ROUNDING ? "reason.likely" : "reason.more-in";
}

/**
 * How a move does worse in a box.
 *
 * @param {number} chance
 * @param {number} others
 * @param {boolean} wanted
 * @param {() => boolean} inHand
 */
function lossKey(chance, others, wanted, inHand) {
  if (wanted && chance < others - ROUNDING) return inHand() ? "reason.gives-up-sure" : "reason.less";
  return chance > others + ROUNDING && !wanted ? "reason.risks" : "reason.less-in";
}
