/** Dice that nobody can bend, fair or loaded. A game has a seed from the browser's cryptographic generator; what is rolled follows from the seed and the record. */

import { hex, sha256 } from "../app/sha256.js";

const RANGE = 2 ** 32;

/** @typedef {(n: number) => number} Draw a whole number from 0 to n - 1 */

/** Make the seed of a game. */
export const newSeed = () => hex([...crypto.getRandomValues(new Uint32Array(4))]);

/**
 * Draw whole numbers that follow from a text: its hash with a counter. Words at the ragged end of the range are thrown away, so
 * that all numbers are equally likely.
 *
 * @type {(text: string) => Draw}
 */
export function drawFrom(text) {
  let words = /** @type {number[]} */ ([]);
  let counter = 0;
  const next = () => {
    if (!words.length) words = sha256(`${text}\n${(counter += 1)}`);
    return /** @type {number} */ (words.shift());
  };
  return (n) => {
    const limit = RANGE - (RANGE % n);
    let word = next();
    while (word >= limit) word = next();
    return word % n;
  };
}

/**
 * Roll the dice that are missing (null); `roll(i)` rolls die i.
 * @template Face
 * @param {(Face | null)[]} dice
 * @param {(i: number) => Face} roll
 * @returns {Face[]}
 */
export const rollMissing = (dice, roll) => dice.map((die, i) => die ?? roll(i));

/** List the faces of a die of a board that come. @type {(board: { faces: number, weights?: number[] }) => number[]} */
export const listFaces = ({ faces, weights }) => Array.from({ length: faces }, (_, i) => i + 1).filter((face) => weights?.[face - 1] !== 0);

/**
 * Roll a die of a board: all faces are equally likely, or each as likely as its weight says.
 *
 * @type {(board: { faces: number, weights?: number[] }, draw: Draw) => number}
 */
export function rollFace({ faces, weights }, draw) {
  if (!weights) return draw(faces) + 1;
  let rest = draw(weights.reduce((sum, weight) => sum + weight, 0));
  return weights.findIndex((weight) => (rest -= weight) < 0) + 1;
}
