/**
 * What app/api.js asks the server, answered from tables: files of solved games (rollwise/web/tables.py), without a server.
 *
 * `use(source)` says where tables come from: `manifest()` gives what `tables.json` holds, `load(entry)` the bytes of a table. Whatever is in no table is refused by an `ApiError` of status 404, what a table does not hold by 422.
 *
 * @import { LocalTable, TableEntry, TableManifest, TableSource } from "../../types.js"
 * @import { Request } from "../app/api.js"
 */

import { ApiError } from "../app/api.js";
import { hex, sha256 } from "../app/sha256.js";
import { loadTexts, t, written } from "../texts/texts.js";

/** @type {TableSource} */
let source;
/** @type {Promise<TableManifest> | null} */
let listed = null;
/** Tables that were opened, by file and digest; the last few are kept. @type {Map<string, Promise<LocalTable>>} */
const opened = new Map();
const KEPT = 3;

/** Take tables from somewhere, and ask again what there is. @param {TableSource} from */
export function use(from) {
  source = from;
  listed = null;
}

/** What tables there are, and the catalogue. */
export function manifest() {
  listed ??= source.manifest();
  listed.catch(() => { listed = null; });
  return listed;
}

/**
 * Find the table that answers what is asked; null: there is none.
 *
 * @type {(asked: Request) => Promise<TableEntry | null>}
 */
export async function find(asked) {
  const { games: catalogue, tables } = await manifest();
  const file = asked.file ? hex(sha256(asked.file)) : null;
  const known = catalogue.find(({ name }) => name === asked.game)?.parameters ?? [];
  const standard = Object.fromEntries(known.map((parameter) => [parameter.name, parameter.default]));
  const wanted = rulesKey(asked.parameters ?? {}, standard);
  const fits = (/** @type {TableEntry} */ entry) => entry.game === (asked.game ?? null) && entry.source === file && rulesKey(entry.parameters, standard) === wanted && entry.objective === (asked.objective ?? null);
  return tables.find(fits) ?? null;
}

/**
 * Write parameters as one text, without those that are as always.
 *
 * @param {Record<string, string>} parameters
 * @param {Record<string, string>} standard
 */
const rulesKey = (parameters, standard) => JSON.stringify(Object.entries(parameters).filter(([name, value]) => value !== standard[name]).sort());

/**
 * Open the table that answers what is asked. Raises `ApiError` where there is none.
 *
 * @type {(asked: Request) => Promise<LocalTable>}
 */
async function open(asked) {
  const entry = await find(asked);
  if (!entry) throw new ApiError(404, t("fault.not-kept"));
  const key = `${entry.file} ${entry.sha}`;
  const found = opened.get(key) ?? read(entry);
  opened.delete(key);
  opened.set(key, found);
  found.catch(() => opened.delete(key));
  for (const old of [...opened.keys()].slice(0, -KEPT)) opened.delete(old);
  return found;
}

/** @type {(entry: TableEntry) => Promise<LocalTable>} */
async function read(entry) {
  const [{ readTable }, bytes] = await Promise.all([import("../engine/open-table.js"), source.load(entry), loadTexts("tables")]);
  return readTable(bytes);
}

/** Answer what app/api.js asks. @type {(path: keyof LocalTable, request: Request, signal?: AbortSignal) => Promise<any>} */
export const answer = async (path, request, signal) => written(await (await open(request))[path](/** @type {any} */ (request), signal));
