/**
 * Positions of a score sheet as text, both ways, and as ids: `33561 2 all upper 0` (rollwise/games/sheets/notation.py).
 *
 * @import { Form } from "./sheet-arrays.js"
 */

import { ApiError } from "../app/api.js";
import { plain, spellings, t } from "../texts/texts.js";
import { choose, fold, rank, readId, unfold, unrank, writeId } from "./position-id.js";

/**
 * A position: open boxes, upper total, whether the joker box holds points, dice, rolls left. In a state `dice` is the hand, before a roll it is
 * what was kept.
 *
 * @typedef {{ open: number, upper: number, primed: boolean, dice: number[], left: number }} Turning
 */

/** Make what reads and writes; `seed` stands for the game in its ids. @param {Form} form @param {number} seed */
export function makeNotation(form, seed) {
  const { rules } = form;
  const separator = rules.faces <= 9 ? "" : ",";
  const hasBonus = rules.steps.length > 0;
  const sizes = [form.threshold + 1, rules.joker?.bonus ? 2 : 1, choose(rules.faces + rules.count - 1, rules.count) + 1, form.rerolls + 1];

  /** @param {number[]} dice */
  const showDice = (dice) => dice.join(separator) || "-";
  /** @param {string} word */
  const readDice = (word) => (word === "-" ? [] : (separator ? word.split(/\D+/) : [...word.replace(/\D/g, "")]).map(Number).sort((a, b) => a - b));

  /** The open boxes, each with how often it may still be filled. @param {number} open @returns {[string, number][]} */
  function listOpen(open) {
    const left = (/** @type {number} */ box) => (open & form.field[box]) / form.unit[box];
    return rules.names.map((name, box) => /** @type {[string, number]} */ ([name, left(box)])).filter(([, times]) => times);
  }

  /** @param {Turning} state */
  function showRest({ open, upper, primed }) {
    const boxes = listOpen(open).map(([name, times]) => (times === 1 ? name : `${name}:${times}`)).join() || "none";
    return `${open === form.full ? "all" : boxes}${hasBonus ? ` upper ${upper}` : ""}${primed ? " primed" : ""}`;
  }

  /** @param {Turning} state */
  const showState = (state) => `${showDice(state.dice)} ${state.left} ${showRest(state)}`;

  /** @param {Turning} pending */
  function showPending(pending) {
    const rolled = pending.left ? "*".repeat(rules.count - pending.dice.length) : "";
    const kept = pending.dice.length || !rolled ? showDice(pending.dice) : "";
    return `${kept}${rolled} ${pending.left} ${showRest(pending)}`;
  }

  const die = separator ? "\\d+" : "\\d";
  const hands = ["-", `${die}(?:[\\s,-]+${die}){${rules.count - 1}}`, ...(separator ? [] : [`\\d{${rules.count}}`])];
  const begin = new RegExp(`^(${hands.join("|")})(?=[\\s,]|$)(.*)$`, "s");

  /**
   * Read what `showState` writes, in any case, spacing and language, also where the rest follows: `3 3 5 6 1`; null for anything else. The
   * library reads more (rollwise/model/reading.py).
   *
   * @param {string} text
   * @returns {Turning | null}
   */
  function readTurn(text) {
    const [, dice, others] = text.match(begin) ?? [];
    const rest = /^[\s,]*(\d{1,9})?(?:\s+rerolls?)?(?:\s+left)?[\s,]*(.*?)[\s,]*(?:upper\W+(\d{1,9}))?(\s*primed)?$/is;
    const [, left, boxes, upper, primed] = others?.match(rest) ?? [];
    const open = boxes === undefined ? null : readBoxes(boxes || "all");
    const says = open === form.full ? left !== undefined || !boxes : left !== undefined && (upper !== undefined) === hasBonus;
    if (open === null || !says || (upper !== undefined && !hasBonus)) return null;
    const faces = readDice(dice);
    return { open, upper: Math.min(Number(upper ?? 0), form.threshold), primed: primed !== undefined, dice: faces, left: open ? Number(left ?? form.rerolls) : 0 };
  }

  /** @param {string} text @returns {number | null} */
  function readBoxes(text) {
    const [every, none] = ["all", "none"].map((name) => spellings(name).includes(plain(text)));
    if (every || none) return every ? form.full : 0;
    const parts = text.split(/,|&|\band\b|\bund\b/i).map((part) => {
      const [, name, times = "1"] = part.match(/^(.*?)(?::\s*(\d+))?$/s) ?? [];
      const box = [...rules.names.keys()].filter((place) => spellings(rules.names[place]).includes(plain(name)));
      return box.length === 1 ? Number(times) * form.unit[box[0]] : NaN;
    });
    const open = parts.reduce((sum, part) => sum + part, 0);
    return Number.isNaN(open) ? null : open;
  }

  /** @param {string} text @returns {Turning | null} */
  function readPositionId(text) {
    const number = readId(text, seed);
    if (number === null) return null;
    const [filled, upper, primed, hand, left] = unfold(number, sizes);
    const open = form.full - filled;
    if (open < 0 || open > form.full) return null;
    return { open, upper, primed: primed === 1, dice: hand ? unrank(hand - 1, rules.count) : [], left };
  }

  return {
    showDice, readDice, listOpen, showState, showPending,

    /** Read a position in notation, or its id. @param {string} text @returns {Turning} */
    readState(text) {
      const given = text.trim();
      const id = given.replace(/^id:/, "");
      const found = readTurn(given) ?? readPositionId(id);
      if (found) return found;
      if (id !== given) throw new ApiError(422, t("error.id-other", { id }));
      throw new ApiError(422, t("error.unreachable", { text: `'${text}'` }));
    },

    /** @param {Turning} state */
    id({ open, upper, primed, dice, left }) {
      const parts = [upper, primed ? 1 : 0, dice.length ? rank(dice) + 1 : 0, left];
      return writeId(fold(form.full - open, parts.map((part, i) => [part, sizes[i]])), seed);
    },
  };
}
