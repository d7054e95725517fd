/**
 * Losses in short: one decimal, and the name of their class.
 *
 * @import { Value } from "../../types.js"
 */

import { writersFor } from "./numbers.js";
import { decimal, t } from "./texts.js";

/** The classes of mistakes that have words here; an objective of one's own may have others. */
const NAMED = new Set(["inaccuracy", "mistake", "blunder"]);

/** Write a value or a loss with one decimal; small ones with the digits that they need. @type {(valueName: string, value: Value) => string} */
export function shortNumber(valueName, value) {
  if (typeof value !== "number") return writersFor(valueName).loss(value);
  const isChance = valueName === "win probability";
  const number = isChance ? 100 * value : value;
  const digits = number === 0 || Math.abs(number) >= 0.095 ? 1 : Math.abs(number) >= 0.0095 ? 2 : 3;
  return `${decimal(number, digits).replace("-", "−")}${isChance ? " %" : ""}`;
}

/** The same with its unit. @type {(valueName: string, loss: Value) => string} */
export function shortLoss(valueName, loss) {
  const { unit } = writersFor(valueName);
  return `${shortNumber(valueName, loss)}${unit && typeof loss === "number" ? ` ${unit}` : ""}`;
}

/** Write a loss with the name of its class. @type {(played: { valueName: string, severities: Record<string, number> }, loss: Value) => string} */
export function tellLoss({ valueName, severities }, loss) {
  const size = typeof loss === "number" ? loss : Infinity;
  const name = Object.entries(severities).findLast(([, least]) => size >= least)?.[0];
  return `${shortLoss(valueName, loss)}${name ? ` (${NAMED.has(name) ? t(`after.${name}`) : name})` : ""}`;
}
