/** Reads tables and what is asked of each (standard input, JSON), and writes what the page answers from them, without a server. */

import "./page.js";
import { readTable } from "../../rollwise/web/static/engine/open-table.js";
import { readFileSync } from "node:fs";

/** @param {{ file: string, asks: { call: string, request: any }[] }} game */
async function answer({ file, asks }) {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  const began = process.cpuUsage();
  const table = /** @type {any} */ (await readTable(/** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength))));
  const opened = spent(began);
  const answers = [];
  for (const { call, request } of asks) {
    const begun = process.cpuUsage();
    const found = await asked(table, call, request);
    answers.push({ found, ms: spent(begun) });
  }
  return { opened, answers };
}

/**
 * @param {any} table
 * @param {string} call
 * @param {any} request
 */
async function asked(table, call, request) {
  try {
    return typeof table[call] === "function" ? await table[call](request) : table[call];
  } catch (/** @type {any} */ error) {
    return { status: error.status, fault: error.message };
  }
}

/** Milliseconds of processor time. @param {NodeJS.CpuUsage} since */
const spent = (since) => process.cpuUsage(since).user / 1000;

const games = JSON.parse(readFileSync(0, "utf8"));
/** @type {any[]} */
const all = [];
for (const game of games) {
  all.push(await answer(game).catch((error) => ({ status: error.status, fault: error.message })));
}
process.stdout.write(JSON.stringify(all));
