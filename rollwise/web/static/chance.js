/** Fair dice from the browser's cryptographic generator. */

const RANGE = 2 ** 32;

/** A whole number from 0 to n - 1. Draws at the ragged end of the range are thrown away, so that all are equally likely. */
export function draw(n) {
  const limit = RANGE - (RANGE % n);
  const word = new Uint32Array(1);
  do crypto.getRandomValues(word);
  while (word[0] >= limit);
  return word[0] % n;
}

/** Roll the dice that are missing (null); `faces(i)` lists the faces of die i. */
export const rollMissing = (dice, faces) => dice.map((die, i) => die ?? faces(i)[draw(faces(i).length)]);
