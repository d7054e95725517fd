/**
 * Reads a table, and gives what answers from it.
 *
 * @import { LocalTable, Outlook } from "../../types.js"
 * @import { Solved } from "./answers.js"
 * @import { TableFile } from "./table-file.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { advise, grade, readMove, reply, rolls } from "./answers.js";
import { readFile } from "./table-file.js";

/**
 * How a game may end after a roll to come, with so many points so far.
 *
 * @template P
 * @typedef {(pending: P, begun: number, how: { exact: boolean, signal?: AbortSignal }) => Promise<Outlook>} Ahead
 */

/** @typedef {{ solved: Solved<any, any>, ahead: Ahead<any> }} Reader */

/** What reads each kind of table. @type {Record<string, (file: TableFile) => Promise<Reader>>} */
const KINDS = {
  sheet: async (file) => (await import("./sheet.js")).openSheet(file),
  graph: async (file) => (await import("./graph.js")).openGraph(file),
};

/** @type {(bytes: ArrayBuffer) => Promise<LocalTable>} */
export async function readTable(bytes) {
  const file = await readFile(bytes);
  const { header } = file;
  if (!KINDS[header.kind]) throw new ApiError(422, t("fault.table-kind"));
  const { solved, ahead } = await KINDS[header.kind](file);
  return {
    solve: () => header.job,
    rules: () => header.rules,
    advise: (request) => advise(solved, request),
    reply: (request) => reply(solved, request),
    rolls: (request) => rolls(solved, request),
    async outlook(request, signal) {
      const { state, action, pending } = readMove(solved, request);
      return ahead(pending, header.counts === "costs" ? 0 : solved.banks(state, action), { exact: request.exact ?? false, signal });
    },
    distribution: (_, signal) => header.distribution ?? ahead(solved.start(), 0, { exact: false, signal }),
    grade: ({ lines }) => grade(solved, lines),
    card: () => header.card ?? refuse("fault.table-card"),
    puzzles: () => header.puzzles ?? refuse("fault.table-puzzles"),
  };
}

/** @type {(key: string) => never} */
function refuse(key) {
  throw new ApiError(422, t(key));
}
