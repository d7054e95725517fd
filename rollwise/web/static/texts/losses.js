/**
 * Losses in short: one decimal, and the name of their class.
 *
 * @import { Value } from "../../types.js"
 */

import { writersFor } from "./numbers.js";
import { decimal, t } from "./texts.js";

const NAMED = new Set(["inaccuracy", "mistake", "blunder"]);

/** Write a loss with its unit and one decimal; small ones with the digits that they need. @type {(valueName: string, loss: Value) => string} */
export function shortLoss(valueName, loss) {
  const { unit, loss: word } = writersFor(valueName);
  if (typeof loss !== "number") return word(loss);
  const isChance = valueName === "win probability";
  const number = isChance ? 100 * loss : loss;
  const digits = number === 0 || Math.abs(number) >= 0.095 ? 1 : Math.abs(number) >= 0.0095 ? 2 : 3;
  return `${decimal(number, digits).replace("-", "−")}${isChance ? " %" : unit && ` ${unit}`}`;
}

/** Name the class of a loss; "" where it is too small for one. @type {(severities: Record<string, number>, loss: number) => string} */
export function nameLoss(severities, loss) {
  const name = Object.entries(severities).findLast(([, least]) => loss >= least)?.[0] ?? "";
  return NAMED.has(name) ? t(`after.${name}`) : name;
}
