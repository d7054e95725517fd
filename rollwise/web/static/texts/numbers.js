/**
 * Numbers as a player reads them.
 *
 * @import { Value, Writers } from "../../types.js"
 */

import { decimal, language, t } from "./texts.js";

const NOTHING = 1e-9;
const PLACES = new Intl.PluralRules(language, { type: "ordinal" });
const MINUS = "−";

/** Say whether a move loses anything: losses below this are rounding, so it is as good as the best. @param {Value} loss */
export const isLoss = (loss) => loss === "impossible" || loss > NOTHING;

/** Write a chance. @param {number} chance */
export const percent = (chance, digits = 2) => `${decimal(100 * chance, digits)} %`;

/** Write a number with one decimal. @param {number} value */
export const tenths = (value) => decimal(Math.abs(value) < 0.05 ? 0 : value, 1).replace("-", MINUS);

/** Write a chance with one decimal. @param {number} chance */
export const tenthsPercent = (chance) => `${tenths(100 * chance)} %`;

/** Write a sum with its sign and one decimal. @param {number} value */
export const signedTenths = (value) => `${value >= 0.05 ? "+" : Math.abs(value) < 0.05 ? "±" : ""}${tenths(value)}`;

/** Write a count with its word. @param {number} count @param {string} word */
export const plural = (count, word) => t(`n.${word}`, { n: String(count) });

/** @type {(write: (value: number) => string) => (value: Value) => string} */
const orWord = (write) => (value) => (typeof value === "number" ? write(value).replace("-", MINUS) : String(value));

/**
 * @param {(value: number) => string} write
 * @param {(value: number) => string} finer how losses and sums are written
 * @param {string} unit
 * @param {string} [said] what stands behind a value
 * @returns {Writers}
 */
function writers(write, finer, unit, said) {
  const loss = orWord((value) => finer(value));
  return {
    unit,
    said,
    value: orWord(write),
    loss,
    signed: orWord((value) => `${value < -NOTHING ? "-" : "+"}${finer(Math.abs(value))}`),
  };
}

/** @type {(digits: number) => (value: number) => string} */
const fixed = (digits) => (value) => decimal(value, digits);

/** @type {Record<string, Writers>} */
const WRITERS = {
  "expected total": writers(fixed(2), fixed(3), t("unit.points"), t("said.points")),
  "win probability": writers(percent, percent, "", t("said.win")),
  "expected rolls": writers(fixed(3), fixed(3), t("unit.rolls"), t("said.rolls")),
  "expected turns": writers(fixed(3), fixed(3), t("unit.turns"), t("said.turns")),
};

/** What a value counts, where that is not points: "roll" or "turn"; null for others. @param {string} valueName */
export const countedIn = (valueName) => /^expected (roll|turn)s$/.exec(valueName)?.[1] ?? null;

/** Say how to write values, losses and signed sums of a game, by the name of its value. @param {string} valueName */
export const writersFor = (valueName) => WRITERS[valueName] ?? writers(fixed(3), fixed(3), "");

/** A loss with its unit. @param {Writers} write @param {Value} loss */
export const lossText = (write, loss) => (typeof loss === "number" && write.unit ? `${write.loss(loss)} ${write.unit}` : write.loss(loss));

/** Write a place in a list. @param {number} number */
export const ordinal = (number) => t(`n.place-${PLACES.select(number)}`, { n: String(number) });

/** Name the value of a game; one that is not known here keeps its own name. @param {string} valueName */
export const valueWords = (valueName) => (Object.hasOwn(WRITERS, valueName) ? t(`value.${valueName}`) : valueName);

/** Name what a chart counts. @param {string} of */
export const unitWords = (of) => (["points", "rolls", "turns"].includes(of) ? t(`unit.${of}`) : of);
