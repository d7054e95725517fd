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

/**
 * Write a number; one that is too small for its digits is written as less than the smallest they can show, not as nothing.
 *
 * @param {number} value
 * @param {number} digits
 */
function rounded(value, digits) {
  const least = 10 ** -digits;
  const size = Math.abs(value);
  return size > NOTHING && size < least / 2 ? `< ${decimal(least, digits)}` : decimal(value, digits);
}

/** Write a chance; one that is almost sure is not written as sure. @param {number} chance */
export function percent(chance, digits = 1) {
  const most = 100 - 10 ** -digits;
  return digits && chance < 1 - NOTHING && 100 * chance > (100 + most) / 2 ? `> ${decimal(most, digits)} %` : `${rounded(100 * chance, digits)} %`;
}

/** Write a loss: with one decimal, small ones with up to three. @param {number} value */
function short(value) {
  const size = Math.abs(value);
  return rounded(value, size <= NOTHING || size >= 0.095 ? 1 : size >= 0.0095 ? 2 : 3);
}

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
 * How values are written, their unit, what stands behind one, and how losses are written.
 * @typedef {[write: (value: number, digits: number) => string, unit: string, said?: string, loss?: (value: number) => string]} Written
 */

/** @param {Written} written @param {number} digits @returns {Writers} */
function writers([write, unit, said, loss = short], digits) {
  return {
    unit,
    said,
    value: orWord((value) => write(value, digits)),
    signed: orWord((value) => `${value < -NOTHING ? "-" : "+"}${write(Math.abs(value), digits)}`),
    loss: orWord(loss),
    precise: orWord((value) => write(value, 4)),
  };
}

/** @type {Record<string, Written>} */
const WRITERS = {
  "expected total": [rounded, t("unit.points"), t("said.points")],
  "win probability": [percent, "", t("said.win"), (chance) => `${short(100 * chance)} %`],
  "expected rolls": [rounded, t("unit.rolls"), t("said.rolls")],
  "expected turns": [rounded, t("unit.turns"), t("said.turns")],
  "mean of the worst games": [rounded, t("unit.points")],
  "expected worth": [rounded, ""],
};
/** Decimals of the points that two players win from one another: there are few of them. */
const FEW_POINTS = 3;

/** What a value counts, where that is not points: "roll" or "turn"; null for others. @param {string} valueName */
export const countedIn = (valueName) => /^expected (roll|turn)s$/.exec(valueName)?.[1] ?? null;

/**
 * Say how to write values, losses and signed sums of a game, by the name of its value, and whether two players win points from one another.
 *
 * @param {string} valueName
 * @param {{ two_players?: boolean, share?: boolean }} [result]
 */
export const writersFor = (valueName, { two_players: isForTwo, share } = {}) => writers(WRITERS[valueName] ?? [rounded, ""], isForTwo && !share ? FEW_POINTS : 1);

/** A loss with its unit. @param {Writers} write @param {Value} loss */
export const lossText = (write, loss) => (typeof loss === "number" && write.unit ? `${write.loss(loss)} ${write.unit}` : write.loss(loss));

/** The classes of mistakes that have words here; an objective of one's own may have others. */
const NAMED = new Set(["inaccuracy", "mistake", "blunder"]);

/** Write a loss with the name of its class. @type {(played: { valueName: string, severities: Record<string, number> }, loss: Value) => string} */
export function lossOfClass({ valueName, severities }, loss) {
  const size = typeof loss === "number" ? loss : Infinity;
  const name = Object.entries(severities).findLast(([, least]) => size >= least)?.[0];
  return `${lossText(writersFor(valueName), loss)}${name ? ` (${NAMED.has(name) ? t(`after.${name}`) : name})` : ""}`;
}

/** Write a place in a list. @param {number} number */
export const ordinal = (number) => t(`n.place-${PLACES.select(number)}`, { n: String(number) });

/** Name the value of a game; one that is not known here keeps its own name. @param {string} valueName */
export const valueWords = (valueName) => (Object.hasOwn(WRITERS, valueName) ? t(`value.${valueName}`) : valueName);

/** Name what a chart counts. @param {string} of */
export const unitWords = (of) => (["points", "rolls", "turns"].includes(of) ? t(`unit.${of}`) : of);
