/**
 * A position as one short text, its id (rollwise/model/ids.py): a whole number in base 59, and a check character; and how the parts of a
 * position become that number (rollwise/model/packing.py). Both are frozen.
 */

const ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = BigInt(ALPHABET.length);
const FORMATS = 2n;

/** Write parts as one number: the first, then each of the others with its size. @param {number} first @param {[number, number][]} rest */
export const fold = (first, rest) => rest.reduce((number, [part, size]) => number * BigInt(size) + BigInt(part), BigInt(first));

/** Read the parts that `fold` wrote. @param {bigint} number @param {number[]} sizes */
export function unfold(number, sizes) {
  /** @type {number[]} */
  const parts = [];
  let rest = number;
  for (const size of sizes.toReversed()) {
    parts.unshift(Number(rest % BigInt(size)));
    rest /= BigInt(size);
  }
  return [Number(rest), ...parts];
}

/** Number the hands of so many dice. @param {number[]} hand */
export const rank = (hand) => hand.reduce((sum, face, place) => sum + choose(face - 1 + place, place + 1), 0);

/** Give the hand of `count` dice with a number. @param {number} number @param {number} count */
export function unrank(number, count) {
  /** @type {number[]} */
  const faces = [];
  let rest = number;
  for (let place = count; place > 0; place -= 1) {
    let top = place - 1;
    while (choose(top + 1, place) <= rest) top += 1;
    rest -= choose(top, place);
    faces.unshift(top - place + 2);
  }
  return faces;
}

/** @param {number} n @param {number} k */
export function choose(n, k) {
  let found = 1;
  for (let i = 1; i <= k; i += 1) found = (found * (n - k + i)) / i;
  return found;
}

/**
 * Write the id of a number; `seed` stands for what the numbers of a game depend on.
 *
 * @param {bigint} number
 * @param {number} seed
 */
export function writeId(number, seed) {
  let body = "";
  let rest = number * FORMATS;
  do {
    body = ALPHABET[Number(rest % BASE)] + body;
    rest /= BASE;
  } while (rest);
  return body + ALPHABET[(2 * Number(BASE) - ((2 * checkSum(body, seed)) % Number(BASE))) % Number(BASE)];
}

/** Read the number of an id; null: it is none, or that of another game. @param {string} text @param {number} seed */
export function readId(text, seed) {
  if (text.length < 2 || text.length > 4000 || [...text].some((letter) => !ALPHABET.includes(letter)) || checkSum(text, seed)) return null;
  let number = 0n;
  for (const letter of text.slice(0, -1)) number = number * BASE + BigInt(ALPHABET.indexOf(letter));
  return number % FORMATS ? null : number / FORMATS;
}

/** @param {string} text @param {number} seed */
function checkSum(text, seed) {
  let found = seed;
  for (const letter of text) found = (2 * found + ALPHABET.indexOf(letter)) % ALPHABET.length;
  return found;
}
