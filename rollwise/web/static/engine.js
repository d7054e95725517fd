/**
 * Reads a table, and gives what answers from it.
 *
 * @import { LocalTable } from "../types.js"
 */

import { ApiError } from "./api.js";

/**
 * @param {ArrayBuffer} bytes
 * @returns {Promise<LocalTable>}
 */
export async function readTable(bytes) {
  throw new ApiError(422, `A table of ${bytes.byteLength} bytes is not read here yet`);
}
