/**
 * A solved score sheet from its table: what turn starts are worth is kept, and a turn is computed when it is asked for.
 *
 * @import { Solved } from "./answers.js"
 * @import { Reader } from "./open-table.js"
 * @import { Part, Reason } from "./reasons.js"
 * @import { Turning } from "./sheet-notation.js"
 * @import { TableFile } from "./table-file.js"
 * @import { Message } from "../texts/render.js"
 */

import { differences, edgeOf, message, nameReasons, rivalOf, roundChance } from "./reasons.js";
import { Form } from "./sheet-arrays.js";
import { makeNotation } from "./sheet-notation.js";
import { makeAhead } from "./sheet-outlook.js";
import { Turn } from "./turn.js";
import { Cuts } from "./value-by-box.js";

const ROUNDING = 1e-9;
/** Turns that are kept once they were computed. */
const TURNS = 64;
const KEEP = "keep ";

/** @param {string} action */
const isKeep = (action) => action.startsWith(KEEP);

/** @type {(file: TableFile) => Reader} */
export function openSheet({ header, arrays }) {
  const form = new Form(header.sheet, arrays, header.quantum);
  const { rules, net } = form;
  const { showDice, readDice, listOpen, ...notation } = makeNotation(form, header.seed);
  /** @type {Map<number, ReturnType<typeof makeTurn>>} */
  const turns = new Map();

  /** The carry of a position; -1: it does not occur. @param {Turning} state */
  function carryOf({ open, upper, primed }) {
    if (!open && rules.wins) return form.over;
    const carry = form.carry(upper, primed);
    return (primed && !rules.primes) || form.place(open, carry) < 0 ? -1 : carry;
  }

  /** The turn of a position, computed, and what its moves are worth box by box. @param {Turning} state */
  function turnOf(state) {
    const carry = carryOf(state);
    const key = state.open * form.carries + carry;
    const found = turns.get(key) ?? makeTurn(state.open, carry);
    turns.delete(key);
    turns.set(key, found);
    for (const old of [...turns.keys()].slice(0, -TURNS)) turns.delete(old);
    return found;
  }

  /** @param {number} open @param {number} carry */
  function makeTurn(open, carry) {
    const turn = new Turn(form).begin(open, carry);
    return { turn, cuts: new Cuts(turn), parts: /** @type {Map<string, Part[]>} */ (new Map()) };
  }

  /** @param {number[]} dice */
  const handOf = (dice) => net.find(dice) - net.firstHand;
  /** The dice that a move keeps. @param {string} action */
  const keptBy = (action) => readDice(action.slice(KEEP.length));
  /** What filling a box with the hand does; -1: it may not be. @type {(state: Turning, box: string) => number} */
  const effectOf = ({ open, dice, left }, box) => form.effect(open, rules.names.indexOf(box), form.column(handOf(dice), left));

  /** What a box pays for the hand, bonuses left out. @type {(state: Turning, box: string) => number} */
  function pointsOf(state, box) {
    const effect = effectOf(state, box);
    return effect < 0 ? 0 : form.gain(effect, form.carry(form.threshold, false));
  }

  /** The parts of a move's value. @type {(state: Turning, action: string) => Part[]} */
  function partsOf(state, action) {
    const { turn, cuts, parts } = turnOf(state);
    const effect = isKeep(action) ? -1 : effectOf(state, action);
    const key = effect < 0 ? `${state.left} ${action}` : String(effect);
    const found = parts.get(key) ?? cuts.parts(effect < 0 ? turn.ends(net.find(keptBy(action)), state.left).entries() : [[effect, 1]]);
    parts.set(key, found);
    return found;
  }

  /** @type {(state: Turning, box: string) => Message} */
  function sayFill(state, box) {
    const [gain, points] = [solved.gain(state, box), pointsOf(state, box)];
    if (form.target(effectOf(state, box), carryOf(state)) === form.over) return message("sheet.wins", { box, points });
    const { upper } = solved.play(state, box);
    let does = points ? message("sheet.puts", { points, box }) : message("sheet.gives-up", { box });
    if (upper !== state.upper) does = message("sheet.upper", { does, total: upper, of: form.nextStep(state.upper) });
    const plain = rules.first_roll && state.left === form.rerolls ? pointsOf({ ...state, left: -1 }, box) : points;
    if (points > plain) does = message("sheet.first", { does, points: points - plain });
    return gain > points ? message("sheet.earns", { does, points: gain - points }) : does;
  }

  /**
   * Say what a move does to a box: what it is for, what it spares, gives up or risks; "the box" is its own.
   *
   * @type {(reason: Reason, edge: Message, state: Turning, action: string) => Message}
   */
  function nameReason({ kind, what, value, mine, other }, edge, state, action) {
    if (kind !== "box" || what === action) return kind === "box" ? message("reason.own", { edge }) : message("reason.what", { what, edge });
    const [chance, others] = [mine?.chance ?? 0, other?.chance ?? 0];
    const [own, theirs] = [edgeOf(mine), edgeOf(other)];
    const inHand = () => others >= 1 - ROUNDING && pointsOf(state, String(what)) > 0;
    const key = value > 0 ? gainKey(chance, others, own > -theirs) : lossKey(chance, others, theirs > -own, inHand);
    return message(key, { what, edge, ...(key === "reason.likely" ? { chance: roundChance(chance) } : {}) });
  }

  /** @type {Solved<Turning, Turning>} */
  const solved = {
    header, ...notation,
    start: () => ({ open: form.full, upper: 0, primed: false, dice: [], left: form.rerolls + 1 }),
    position({ open, upper, primed, dice, left }) {
      const listed = listOpen(open).flatMap(([name, times]) => Array.from({ length: times }, () => name));
      return { kind: header.job.board.kind, dice, left, open: listed, upper: rules.steps.length ? upper : null, primed };
    },
    mover: () => 0,
    cost: () => 0,
    stateValue(state) {
      const { open, dice, left } = state;
      if (carryOf(state) < 0 || left > form.rerolls) return null;
      if (!open) return dice.length || left ? null : 0;
      return turnOf(state).turn.hand[left][handOf(dice)] ?? null;
    },
    pendingValue(pending) {
      const { open, dice, left } = pending;
      if (!open) return 0;
      return left > form.rerolls ? form.value(open, carryOf(pending)) : turnOf(pending).turn.kept[left][net.find(dice)];
    },
    /** Every move with its value, as the game lists them: boxes, then keeps. */
    valued(state) {
      if (!state.open) return [];
      const { turn } = turnOf(state);
      const hand = handOf(state.dice);
      const column = form.column(hand, state.left);
      const fills = rules.names.map((action, box) => ({ action, value: turn.fill[box * form.columns + column] })).filter(({ value }) => value > -Infinity);
      if (!state.left) return fills;
      const keeps = Array.from(net.list.subarray(net.start[hand], net.start[hand + 1]));
      return [...fills, ...keeps.map((keep) => ({ action: KEEP + showDice(net.keeps[keep]), value: turn.kept[state.left][keep] }))];
    },
    gain: (state, action) => (isKeep(action) ? 0 : form.gain(effectOf(state, action), carryOf(state))),
    banks: (state, action) => solved.gain(state, action),
    play(state, action) {
      if (isKeep(action)) return { ...state, dice: keptBy(action) };
      const target = form.target(effectOf(state, action), carryOf(state));
      if (target === form.over) return { open: 0, upper: state.upper, primed: state.primed, dice: [], left: 0 };
      const open = form.after(state.open, rules.names.indexOf(action));
      return { open, ...form.readCarry(target), dice: [], left: open ? form.rerolls + 1 : 0 };
    },
    /** What may be rolled, in the order of the rules. */
    outcomes(pending) {
      if (!pending.open) return [{ state: pending, weight: 1, label: notation.showState(pending), dice: [] }];
      const rolled = rules.count - pending.dice.length;
      return net.keeps.filter((keep) => keep.length === rolled).map((keep) => {
        const dice = [...pending.dice, ...keep].sort((a, b) => a - b);
        const state = { ...pending, dice, left: pending.left - 1 };
        return { state, weight: ways(keep), label: notation.showState(state), dice: dice.map(String) };
      });
    },
    /** What lies on the table before a roll. */
    before: (pending) => ({ kind: "any", parts: [{ kind: "text", name: "roll", label: message("part.label", { name: "roll" }), text: notation.showPending(pending) }] }),
    /** Say what a move does, and what speaks for it and against it. */
    why(state, action, ranked) {
      const does = isKeep(action) ? sayKeep(action) : sayFill(state, action);
      const rival = rivalOf(ranked, action, (move) => !isKeep(move), (move) => partsOf(state, move));
      if (rival === null) return does;
      const compared = differences(partsOf(state, action), partsOf(state, rival));
      const reasons = nameReasons(compared, (reason, edge) => nameReason(reason, edge, state, action));
      return reasons ? message("reason.why", { does, reasons }) : does;
    },
  };
  return { solved, ahead: makeAhead(form, header.outlook?.turns ?? null, { carryOf, pendingValue: solved.pendingValue }) };
}

/** @param {string} action */
const sayKeep = (action) => (action === "keep -" ? message("sheet.rolls-all") : message("sheet.keeps", { dice: action.slice(KEEP.length) }));

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
 * @type {(chance: number, others: number, wanted: boolean) => string}
 */
function gainKey(chance, others, wanted) {
  if (!wanted && chance < others - ROUNDING) return "reason.spares";
  return wanted && chance < 1 - ROUNDING ? "reason.likely" : "reason.more-in";
}

/** How a move does worse in a box. @type {(chance: number, others: number, wanted: boolean, inHand: () => boolean) => string} */
function lossKey(chance, others, wanted, inHand) {
  if (wanted && chance < others - ROUNDING) return inHand() ? "reason.gives-up-sure" : "reason.less";
  return chance > others + ROUNDING && !wanted ? "reason.risks" : "reason.less-in";
}
