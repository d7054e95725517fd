/**
 * A solved score sheet from its table: what turn starts are worth is kept, and a turn is computed when it is asked for.
 *
 * @import { Ranked, Solved } from "./answers.js"
 * @import { Reader } from "./open-table.js"
 * @import { Part, Reason } from "./reasons.js"
 * @import { Turning } from "./sheet-notation.js"
 * @import { TableFile } from "./table-file.js"
 * @import { Message } from "../texts/render.js"
 */

import { compareMoves, differences, earnsMore, message, nameDifferences, rivalOf } from "./reasons.js";
import { Form } from "./sheet-arrays.js";
import { makeNotation } from "./sheet-notation.js";
import { makeAhead } from "./sheet-outlook.js";
import { Turn } from "./turn.js";
import { Cuts, effectsOf } from "./value-by-box.js";

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

  /** What filling a box earns beside its points; `bonus`: what it does for the upper bonus is a reason, `news`: a bonus now is. @type {(state: Turning, box: string, bonus: boolean, news: (bonus: number) => boolean) => Message[]} */
  function factsOf(state, box, bonus, news) {
    const [gain, points] = [solved.gain(state, box), pointsOf(state, box)];
    const { upper } = solved.play(state, box);
    const plain = rules.first_roll && state.left === form.rerolls ? pointsOf({ ...state, left: -1 }, box) : points;
    const facts = points > plain ? [message("reason.first", { n: points - plain, points })] : [];
    if (form.target(effectOf(state, box), carryOf(state)) === form.over) return [message("reason.at-once"), ...facts];
    if (gain > points && news(gain - points)) return [message("reason.earns", { points: gain - points }), ...facts];
    return bonus && upper !== state.upper ? [message("reason.upper", { n: upper, of: form.nextStep(state.upper) }), ...facts] : facts;
  }

  /** Whether a box asks for dice that do not always come. @param {string} name */
  function mayFail(name) {
    const box = rules.names.indexOf(name);
    return rules.faces_of[box] === null && effectsOf(form, box).some((effect) => !form.gain(effect, form.carry(form.threshold, false)));
  }

  /** The move to compare a move with, and how much better it is than that, part by part. @type {(state: Turning, action: string, ranked: Ranked[]) => { rival: string | null, compared: Reason[] }} */
  function compare(state, action, ranked) {
    const rival = rivalOf(ranked, action, (move) => !isKeep(move), (move) => partsOf(state, move));
    return { rival, compared: rival === null ? [] : differences(partsOf(state, action), partsOf(state, rival)) };
  }

  /** A move as an order to a player; `beside` another one, in short. @type {(state: Turning, action: string, beside: string | null) => Message | string} */
  function nameMove(state, action, beside) {
    const second = beside === null ? "" : "-beside";
    if (!isKeep(action)) {
      const points = pointsOf(state, action);
      const fills = beside !== null && !isKeep(beside);
      const crossed = fills && !pointsOf(state, beside);
      if (crossed && !points) return message("part.box", { box: action });
      return message(fills && !crossed ? "reason.in" : `reason.${points ? "put" : "cross-out"}${second}`, { box: action, points });
    }
    const dice = keptBy(action).join(" ");
    if (beside === null || !isKeep(beside)) return dice ? message(`reason.keep-dice${second}`, { dice }) : message(`reason.roll-all${second}`);
    return dice || message("reason.nothing");
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
        return { state, weight: ways(keep, rules.weights), label: notation.showState(state), dice: dice.map(String) };
      });
    },
    /** What lies on the table before a roll. */
    before: (pending) => ({ kind: "any", parts: [{ kind: "text", name: "roll", label: message("part.label", { name: "roll" }), text: notation.showPending(pending) }] }),
    decision: ({ left }) => JSON.stringify({ key: left ? "sheet.keep-or-fill" : "sheet.which-box", args: {} }),
    /** The move that makes most of this turn alone. */
    obvious({ open, dice, left, ...carry }) {
      const found = new Turn(form, () => 0).begin(open, carryOf({ open, dice, left, ...carry })).choose(handOf(dice), left);
      return found < 0 ? rules.names[~found] : KEEP + showDice(net.keeps[found]);
    },
    /** How much better a move is than another, part by part. */
    reasons: (state, action, ranked) => compare(state, action, ranked).compared.filter(({ value }) => value)
      .map(({ kind, what, value }) => ({ kind, what: typeof what === "string" ? message("part.box", { box: what }) : what, value, exact: null })),
    /** Say which move, rather than which other one, by how much, and why. */
    why(state, action, ranked) {
      const { rival, compared } = compare(state, action, ranked);
      const valueOf = (/** @type {string} */ move) => /** @type {Ranked} */ (ranked.find((row) => row.action === move)).value;
      const gain = rival === null ? 0 : valueOf(action) - valueOf(rival);
      const [points, gains] = [(/** @type {string} */ box) => pointsOf(state, box), (/** @type {string} */ box) => solved.gain(state, box)];
      const pair = rival === null ? null : { action, rival, gain, fills: !isKeep(action) && !isKeep(rival), points, gains, mayFail };
      const named = pair && nameDifferences(compared, pair);
      const bonus = Boolean(named?.named.some(({ kind }) => kind === "bonus"));
      const facts = isKeep(action) ? [] : factsOf(state, action, bonus, (more) => earnsMore(more, compared, pair));
      const clauses = [...(named ? [named.message] : []), ...facts];
      const because = clauses.length ? clauses.reduce((does, stands) => message("stand.after", { does, stands })) : null;
      return compareMoves(nameMove(state, action, null), rival === null ? null : nameMove(state, rival, action), gain, because);
    },
  };
  return { solved, ahead: makeAhead(form, header.outlook?.turns ?? null, { carryOf, pendingValue: solved.pendingValue }) };
}

/** How many ways there are to roll dice, whose faces may have weights. @param {number[]} dice @param {number[]} [weights] */
function ways(dice, weights) {
  let found = dice.reduce((product, face) => product * (weights?.[face - 1] ?? 1), 1);
  let run = 0;
  dice.forEach((face, i) => {
    run = face === dice[i - 1] ? run + 1 : 1;
    found = (found * (i + 1)) / run;
  });
  return found;
}
