/**
 * Reads a table, and gives what answers from it.
 *
 * @import { LocalTable } from "../../types.js"
 * @import { Solved } from "./answers.js"
 */

import { ApiError } from "../app/api.js";
import { t } from "../texts/texts.js";
import { advise, grade, reply, rolls } from "./answers.js";
import { readFile } from "./table-file.js";

/**
 * @typedef {{
 *   solved: Solved<any, any>, outlook: LocalTable["outlook"], whole: (signal?: AbortSignal) => ReturnType<LocalTable["outlook"]>,
 * }} Reader
 */

/** What reads each kind of table. @type {Record<string, (file: import("./table-file.js").TableFile) => Promise<Reader>>} */
const KINDS = {
  sheet: async (file) => {
    const [{ SheetSolution }, { outlook, whole }] = await Promise.all([import("./sheet.js"), import("./sheet-outlook.js")]);
    const solved = new SheetSolution(file);
    return { solved, outlook: (request, signal) => outlook(solved, request, signal), whole: (signal) => whole(solved, signal) };
  },
  graph: async (file) => {
    const [{ GraphSolution }, { outlook, whole }] = await Promise.all([import("./graph.js"), import("./graph-outlook.js")]);
    const solved = new GraphSolution(file);
    return { solved, outlook: (request) => outlook(solved, request), whole: () => whole(solved) };
  },
};

/**
 * @param {ArrayBuffer} bytes
 * @returns {Promise<LocalTable>}
 */
export async function readTable(bytes) {
  const file = await readFile(bytes);
  const { header } = file;
  if (!KINDS[header.kind]) throw new ApiError(422, t("fault.table-kind"));
  const { solved, outlook, whole } = await KINDS[header.kind](file);
  return {
    solve: () => header.job,
    rules: () => header.rules,
    advise: (request) => advise(solved, request),
    reply: (request) => reply(solved, request),
    rolls: (request) => rolls(solved, request),
    outlook,
    distribution: (_, signal) => header.distribution ?? whole(signal),
    grade: ({ lines }) => grade(solved, lines),
    card: () => header.card ?? refuse("fault.table-card"),
    puzzles: () => header.puzzles ?? refuse("fault.table-puzzles"),
  };
}

/**
 * @param {string} key
 * @returns {never}
 */
function refuse(key) {
  throw new ApiError(422, t(key));
}
