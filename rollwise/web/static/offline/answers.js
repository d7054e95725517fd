/**
 * What app/api.js asks the server, answered from tables: files of solved games (rollwise/web/tables.py), without a server.
 *
 * `use(source)` says where tables come from: `manifest()` gives what `tables.json` holds, `load(entry)` the bytes of a table. At first both are
 * fetched beside the page. Whatever is in no table is refused by an `ApiError` of status 404, what a table does not hold by 422.
 *
 * @import { RulesInfo } from "../../wire.js"
 * @import { Advice, Asked, Game, Graded, Job, Line, LocalTable, Outlook, Reply, Rolls, TableEntry, TableManifest, TableSource } from "../../types.js"
 * @import { Request } from "../app/api.js"
 */

import { ApiError } from "../app/api.js";
import { hex, sha256 } from "../app/sha256.js";
import { loadTableTexts, t } from "../texts/texts.js";

/** @type {TableSource} */
const BESIDE = { manifest: () => get("tables.json").then((response) => response.json()), load: ({ file }) => get(file).then((response) => response.arrayBuffer()) };

/** @type {TableSource} */
let source = BESIDE;
/** @type {Promise<TableManifest> | null} */
let listed = null;
/** Tables that were opened, by file and digest; the last few are kept. @type {Map<string, Promise<LocalTable>>} */
const opened = new Map();
const KEPT = 3;

/** @param {string} file */
async function get(file) {
  const response = await fetch(new URL(file, document.baseURI)).catch(() => null);
  if (!response?.ok) throw new ApiError(0, t("fault.not-loaded", { file }));
  return response;
}

/**
 * Take tables from elsewhere, or ask again what there is.
 *
 * @param {TableSource} [from]
 */
export function use(from = BESIDE) {
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
 * @param {Request} asked
 * @returns {Promise<TableEntry | null>}
 */
export async function find(asked) {
  const { games: catalogue, tables } = await manifest();
  const file = asked.file ? hex(sha256(asked.file)) : null;
  const known = catalogue.find(({ name }) => name === asked.game)?.parameters ?? [];
  const standard = Object.fromEntries(known.map((parameter) => [parameter.name, parameter.default]));
  const wanted = told(asked.parameters ?? {}, standard);
  const fits = (/** @type {TableEntry} */ entry) => entry.game === (asked.game ?? null) && entry.source === file && told(entry.parameters, standard) === wanted && entry.objective === (asked.objective ?? null);
  return tables.find(fits) ?? null;
}

/**
 * Write parameters as one text, without those that are as always.
 *
 * @param {Record<string, string>} parameters
 * @param {Record<string, string>} standard
 */
const told = (parameters, standard) => JSON.stringify(Object.entries(parameters).filter(([name, value]) => value !== standard[name]).sort());

/**
 * Open the table that answers what is asked. Raises `ApiError` where there is none.
 *
 * @param {Request} asked
 * @returns {Promise<LocalTable>}
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

/**
 * @param {TableEntry} entry
 * @returns {Promise<LocalTable>}
 */
async function read(entry) {
  const [{ readTable }, bytes] = await Promise.all([import("../engine/open-table.js"), source.load(entry), loadTableTexts()]);
  return readTable(bytes);
}

/** @type {() => Promise<Game[]>} */
export const games = async () => (await manifest()).games;
/** @type {(asked: Asked, signal?: AbortSignal) => Promise<Job>} */
export const solve = async (asked, signal) => (await open(asked)).job;
/** @type {(id: string) => Promise<void>} */
export const leave = async (id) => {};
/** @type {(job: Job, tell: (job: Job) => void, signal?: AbortSignal) => Promise<Job>} */
export const follow = async (job, tell, signal) => job;

/**
 * Ask for advice. What a move banks is its `points`, as in app/api.js.
 *
 * @param {Request & { state: string, top?: number, reasons?: number }} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<Advice>}
 */
export async function advise(request, signal) {
  const advice = (await open(request)).advise(request);
  return { ...advice, moves: advice.moves.map((move) => ({ ...move, gain: move.points })) };
}

/** @type {(request: Request & { state: string, opponent: string }, signal?: AbortSignal) => Promise<Reply>} */
export const reply = async (request, signal) => (await open(request)).reply(request);
/** @type {(request: Request & { state: string | null, action: string | null, draw?: number, top?: number }, signal?: AbortSignal) => Promise<Rolls>} */
export const rolls = async (request, signal) => (await open(request)).rolls(request);
/** @type {(request: Request & { state: string, action: string, exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const outlook = async (request, signal) => (await open(request)).outlook(request, signal);
/** @type {(request: Request & { exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const spread = async (request, signal) => (await open(request)).spread(signal);
/** @type {(asked: Asked) => Promise<RulesInfo>} */
export const rules = async (asked) => (await open(asked)).rules;
/** @type {(request: Request & { lines: Line[] }, signal?: AbortSignal) => Promise<Graded>} */
export const grade = async (request, signal) => (await open(request)).grade(request.lines);
/** @type {(request: Request & { size?: number }, signal?: AbortSignal) => Promise<any>} */
export const card = async (request, signal) => (await open(request)).card(request);
/** @type {(request: Request, signal?: AbortSignal) => Promise<any>} */
export const puzzles = async (request, signal) => (await open(request)).puzzles(request);
