/**
 * The file of a table (rollwise/web/tables.py writes it, docs/site.md describes it): gzip, whose checksum the browser tests; in it a mark, a
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
