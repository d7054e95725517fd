/** How the library writes numbers in its sentences (rollwise/model/formatting.py): ties go to the even digit, as there. */

/**
 * Write a number with some decimals.
 *
 * @param {number} number
 * @param {number} places
 */
export function fixed(number, places) {
  const scaled = Math.abs(number) * 10 ** places;
  const down = Math.floor(scaled);
  const tie = scaled - down === 0.5 && Number.isInteger(8 * number);
  if (tie) return ((Math.sign(number) * (down + (down % 2))) / 10 ** places).toFixed(places);
  return number.toFixed(places);
}

/**
 * Write a number with its sign.
 *
 * @param {number} number
 * @param {number} places
 */
export const signed = (number, places) => (number < 0 ? "" : "+") + fixed(number, places);

/** Write a number in some significant digits. @param {number} number @param {number} places */
export function digits(number, places) {
  const short = Number(number.toPrecision(places));
  if (short !== 0 && Math.abs(short) < 1e-4) return short.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return String(short);
}

/**
 * Write a chance for players.
 *
 * @param {number} chance
 */
export function percent(chance) {
  if (chance > 0.995 && chance < 1 - 1e-9) return "over 99 %";
  return chance >= 0.005 || !chance ? `${fixed(100 * chance, 0)} %` : `${digits(100 * chance, 2)} %`;
}

/**
 * Write a number with the word for it.
 *
 * @param {number} count
 * @param {string} one
 */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/**
 * A value in JSON types.
 *
 * @param {number} value
 * @returns {number | "impossible"}
 */
export const plain = (value) => (Math.abs(value) === Infinity ? "impossible" : value);
