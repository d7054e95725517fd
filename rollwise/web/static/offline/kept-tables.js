/**
 * Tables of games that are kept on this device, for when there is no connection: those that a player chose, or, on a site of plain files,
 * all that were loaded once.
 *
 * They lie in a cache of the browser's, each under a name that changes with its content, beside a list of them. That needs a secure
 * address: https, or this machine.
 *
 * @import { Asked, TableEntry, TableSource } from "../../types.js"
 */

import * as api from "../app/api.js";
import { hex, sha256 } from "../app/sha256.js";
import { tenths } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { isSite, loadLocal, openLocal, SHELF } from "./connection.js";

const LIST = "tables/kept.json";
const TABLES = "tables.json";

/** Whether tables can be kept here. */
export const canKeep = () => !isSite && globalThis.isSecureContext && "caches" in globalThis;

/** The tables that are kept. @returns {Promise<TableEntry[]>} */
export async function listKept() {
  if (!(await caches.has(SHELF))) return [];
  const list = await (await caches.open(SHELF)).match(LIST);
  return list ? list.json() : [];
}

/** The tables that a player chose to keep. @type {TableSource} */
export const kept = {
  manifest: async () => ({ version: 1, games: catalogue(), tables: await listKept() }),
  async load({ file }) {
    const found = await (await caches.open(SHELF)).match(file);
    if (!found) throw new api.ApiError(0, t("offline.lost"));
    return found.arrayBuffer();
  },
};

/** The tables of a site of plain files. @type {TableSource} */
export const beside = {
  async manifest() {
    const shelf = await openShelf();
    const fresh = await fetch(TABLES).catch(() => null);
    if (fresh?.ok) await shelf?.put(TABLES, fresh.clone());
    const found = fresh?.ok ? fresh : await shelf?.match(TABLES);
    if (!found) throw new api.ApiError(0, t("offline.site.lost"));
    const manifest = await found.json();
    if (fresh?.ok) await tidy(shelf, manifest.tables);
    return manifest;
  },
  async load({ file }) {
    const shelf = await openShelf();
    const found = (await shelf?.match(file)) ?? (await fetch(file).catch(() => null));
    if (!found?.ok) throw new api.ApiError(0, t("offline.site.lost"));
    const bytes = await found.arrayBuffer();
    await shelf?.put(file, new Response(bytes)).catch(() => {});
    return bytes;
  },
};

/** The place for tables, where the browser has one for this address. @returns {Promise<Cache | null>} */
const openShelf = async () => globalThis.caches?.open(SHELF).catch(() => null) ?? null;

/** Drop the tables that the site has no more. @param {Cache | null} shelf @param {TableEntry[]} tables */
async function tidy(shelf, tables) {
  const names = new Set([TABLES, ...tables.map(({ file }) => file)].map((file) => new URL(file, document.baseURI).href));
  for (const { url } of (await shelf?.keys()) ?? []) if (!names.has(url)) await shelf?.delete(url);
}

/** The games that came with the page. */
const catalogue = () => JSON.parse(document.getElementById("data")?.textContent ?? "{}").games ?? [];

/** Find the table of a game that is kept; null: there is none. @param {Asked} asked */
export async function findKept(asked) {
  if (!canKeep() || !(await caches.has(SHELF))) return null;
  const local = await loadLocal();
  return local.find(api.sent(asked));
}

/**
 * Fetch the table of a solved game and keep it. Raises `ApiError` where it is too large, or there is no room for it.
 *
 * @type {(asked: Asked, title: string) => Promise<TableEntry>}
 */
export async function keep(asked, title) {
  const content = await api.table(asked);
  const sha = hex([...new Uint8Array(await crypto.subtle.digest("SHA-256", content))]);
  const { game, file: text, parameters, objective } = asked;
  /** @type {TableEntry} */
  const entry = { game, source: text === null ? null : hex(sha256(text)), parameters, objective, title, file: `tables/${sha.slice(0, 16)}`, bytes: content.byteLength, sha };
  await put(entry, content);
  await navigator.storage?.persist?.().catch(() => false);
  return entry;
}

/** @param {TableEntry} entry @param {ArrayBuffer} content */
async function put(entry, content) {
  try {
    const shelf = await caches.open(SHELF);
    await shelf.put(entry.file, new Response(content));
    await write([...(await listKept()).filter(({ file }) => file !== entry.file), entry]);
  } catch {
    throw new api.ApiError(507, t("offline.full", { size: sizeOf(entry) }));
  }
}

/** @param {TableEntry[]} list */
async function write(list) {
  const headers = { "content-type": "application/json" };
  await (await caches.open(SHELF)).put(LIST, new Response(JSON.stringify(list), { headers }));
  await openLocal();
}

/** Keep a table no more. @param {TableEntry} entry @returns {Promise<null>} */
export async function drop(entry) {
  const left = (await listKept()).filter(({ file }) => file !== entry.file);
  await (await caches.open(SHELF)).delete(entry.file);
  await write(left);
  if (!left.length) await caches.delete(SHELF);
  return null;
}

/** Write how large a table is: "1.9 MB", "12 kB". @param {{ bytes: number }} entry */
export function sizeOf({ bytes }) {
  return bytes < 1e5 ? t("offline.kilobytes", { n: Math.ceil(bytes / 1000) }) : t("offline.megabytes", { size: tenths(bytes / 1e6) });
}
