/**
 * The file of a table (rollwise/web/table_file.py writes it, docs/site.md describes it): gzip, whose checksum the browser tests; in it a mark, a
 * header in JSON and arrays of whole numbers.
 *
 * An array stands in planes: the lowest bytes of all numbers, then the next higher ones, and so on. A number n stands as 2n, or as -2n - 1 if
 * it is below 0. In an array of the code "delta" every number is the difference to the one before it.
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";

/**
 * @typedef {{ name: string, count: number, planes: number, code: "plain" | "delta" }} ArrayInfo
 * @typedef {Record<string, Int32Array>} Arrays
 * @typedef {{ header: any, arrays: Arrays }} TableFile
 * @typedef {{ patterns: { pieces: string[], same: number[] }[] }} TextsInfo
 */

const MARK = "rollwise table 1\n";
const PACKED = [0x1f, 0x8b];

/** Read a table. A host may have unpacked it on the way. @param {ArrayBuffer} content @returns {Promise<TableFile>} */
export async function readFile(content) {
  const bytes = await unpack(new Uint8Array(content));
  const mark = new TextDecoder().decode(bytes.subarray(0, MARK.length));
  if (mark !== MARK) throw new ApiError(422, mark.startsWith("rollwise table") ? t("fault.table-version") : t("fault.table-damaged"));
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MARK.length, true);
  const begin = MARK.length + 4 + size;
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(MARK.length + 4, begin)));
  return { header, arrays: readArrays(header.arrays, bytes, begin) };
}

/** @type {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} */
async function unpack(bytes) {
  if (PACKED.some((byte, i) => bytes[i] !== byte)) return bytes;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new ApiError(422, t("fault.table-damaged"));
  }
}

/** @type {(listed: ArrayInfo[], bytes: Uint8Array, begin: number) => Arrays} */
function readArrays(listed, bytes, begin) {
  /** @type {Arrays} */
  const found = {};
  let place = begin;
  for (const { name, count, planes, code } of listed) {
    if (place + count * planes > bytes.length) throw new ApiError(422, t("fault.table-damaged"));
    found[name] = readArray(bytes.subarray(place, place + count * planes), count, planes, code === "delta");
    place += count * planes;
  }
  return found;
}

/** @param {Uint8Array} bytes @param {number} count @param {number} planes @param {boolean} delta */
function readArray(bytes, count, planes, delta) {
  const numbers = new Int32Array(count);
  for (let plane = 0; plane < planes; plane += 1) {
    const shift = 8 * plane;
    for (let i = 0, at = plane * count; i < count; i += 1, at += 1) numbers[i] |= bytes[at] << shift;
  }
  let before = 0;
  for (let i = 0; i < count; i += 1) {
    const number = (numbers[i] >>> 1) ^ -(numbers[i] & 1);
    before = delta ? (before + number) | 0 : number;
    numbers[i] = before;
  }
  return numbers;
}

/** Texts of a table: patterns with columns of numbers. */
export class Texts {
  /** @param {TextsInfo} about @param {Arrays} arrays @param {string} name */
  constructor({ patterns }, arrays, name) {
    this.patterns = patterns;
    this.which = arrays[`${name}_pattern`];
    this.numbers = arrays[`${name}_numbers`];
    /** @type {Int32Array | null} */
    this.index = arrays[`${name}_index`] ?? null;
    const counts = new Int32Array(patterns.length);
    /** The place of each text among those of its pattern. */
    this.place = Int32Array.from(this.which, (pattern) => counts[pattern]++);
    let begin = 0;
    /** Where each column of each pattern begins. */
    this.columns = patterns.map(({ same }, pattern) => {
      /** @type {number[]} */
      const found = [];
      for (const one of same) {
        found.push(one < 0 ? begin : found[one]);
        if (one < 0) begin += counts[pattern];
      }
      return found;
    });
  }

  get length() {
    return this.index?.length ?? this.which.length;
  }

  /** @param {number} number */
  get(number) {
    const i = this.index ? this.index[number] : number;
    const { pieces } = this.patterns[this.which[i]];
    const columns = this.columns[this.which[i]];
    let text = pieces[0];
    for (let slot = 0; slot < columns.length; slot += 1) text += this.numbers[columns[slot] + this.place[i]] + pieces[slot + 1];
    return text;
  }
}
