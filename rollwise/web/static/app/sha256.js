/**
 * SHA-256 (FIPS 180-4), at once. The browser's own works only on pages from this machine or over TLS, and a phone in the same
 * room has neither.
 */

const WORD = 2 ** 32;

/** The first 32 bits of the fractional parts of a root of the first primes. */
const fractions = (/** @type {number} */ count, /** @type {(n: number) => number} */ root) => primes(count).map((n) => ((root(n) % 1) * WORD) | 0);

/** @param {number} count */
function primes(count) {
  const found = /** @type {number[]} */ ([]);
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

const START = fractions(8, Math.sqrt);
const ROUNDS = fractions(64, Math.cbrt);

const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** The message with its padding, as words. @param {Uint8Array} bytes */
function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const view = new DataView(new ArrayBuffer(length));
  bytes.forEach((byte, i) => view.setUint8(i, byte));
  view.setUint8(bytes.length, 0x80);
  view.setUint32(length - 8, Math.floor(bytes.length / (WORD / 8)));
  view.setUint32(length - 4, (bytes.length * 8) % WORD);
  return Array.from({ length: length / 4 }, (_, i) => view.getInt32(4 * i));
}

/** The 64 words of a block. @param {number[]} block */
function schedule(block) {
  const words = [...block];
  for (let i = 16; i < 64; i += 1) {
    const [a, b] = [words[i - 15], words[i - 2]];
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words[i] = (words[i - 16] + low + words[i - 7] + high) | 0;
  }
  return words;
}

/** Mix a block into the state. @param {number[]} state @param {number[]} block */
function mix(state, block) {
  let [a, b, c, d, e, f, g, h] = state;
  schedule(block).forEach((word, i) => {
    const choice = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + choice + ROUNDS[i] + word) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
}

/** Hash a text into eight words of 32 bits. @param {string} text @returns {number[]} */
export function sha256(text) {
  const words = padded(new TextEncoder().encode(text));
  let state = START;
  for (let i = 0; i < words.length; i += 16) state = mix(state, words.slice(i, i + 16));
  return state.map((word) => word >>> 0);
}

/** Write words in hexadecimal digits. @param {number[]} words */
export const hex = (words) => words.map((word) => word.toString(16).padStart(8, "0")).join("");
