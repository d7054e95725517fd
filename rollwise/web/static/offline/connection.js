/**
 * Who answers: the server, or this device.
 *
 * Tables of games (offline/answers.js) answer where the server does not, if some are kept on this device (offline/kept-tables.js), and everything on a site
 * of plain files (`rollwise site`), which has no server. The document hears by the event `connection` when answers begin to come from
 * this device, and when the server is back.
 *
 * @import { Request } from "../app/api.js"
 * @typedef {typeof import("./answers.js")} Local
 */

import { t } from "../texts/texts.js";

/** Where tables are kept on this device: a cache of the browser's. */
export const SHELF = "rollwise-tables";
/** How long the server may take for what this device knows as well. */
const PATIENCE_MS = 4000;
/** How often it is asked whether it is back, and how long that may take. */
const LOOK_MS = 15_000;
const LOOK_PATIENCE_MS = 3000;

/** Whether this is a site of plain files, without a server. */
export const isSite = globalThis.document?.documentElement.dataset.site !== undefined;

/** Whether answers come from this device, as the server gave none. */
let away = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Whether answers come from this device, as the server gave none. */
export const isAway = () => away;

/** @param {boolean} now */
function turn(now) {
  clearTimeout(timer);
  if (now) timer = setTimeout(look, LOOK_MS);
  if (away === now) return;
  away = now;
  if (now) addEventListener("online", look);
  else removeEventListener("online", look);
  document.dispatchEvent(new CustomEvent("connection", { detail: { away } }));
}

/** Ask whether the server is back. */
export async function look() {
  clearTimeout(timer);
  const answer = await fetch("api/health", { cache: "no-store", signal: AbortSignal.timeout(LOOK_PATIENCE_MS) }).catch(() => null);
  turn(!answer?.ok);
}

/** @type {Promise<Local> | null} */
let loaded = null;

/** What answers from tables: those of the site, or those that are kept here. */
export function loadLocal() {
  loaded ??= openLocal();
  loaded.catch(() => (loaded = null));
  return loaded;
}

/** Look anew which tables are kept here. @returns {Promise<Local>} */
export async function openLocal() {
  const [local, { kept, beside }] = await Promise.all([import("./answers.js"), import("./kept-tables.js")]);
  local.use(isSite ? beside : kept);
  return local;
}

/** Give what answers from tables, if one of them knows the game; else null. @param {Request} asked */
async function findLocal(asked) {
  if (!(await globalThis.caches?.has(SHELF).catch(() => false))) return null;
  const local = await loadLocal();
  return (await local.find(asked)) && local;
}

/**
 * Ask the server; where it does not answer, this device.
 *
 * @template T
 * @param {Request} asked which game
 * @param {(signal?: AbortSignal) => Promise<T>} remote
 * @param {(local: Local) => Promise<T>} locally
 * @param {{ signal?: AbortSignal, quick?: boolean }} [how] `quick`: the server answers at once, or it is not there
 * @returns {Promise<T>}
 */
export async function ask(asked, remote, locally, { signal, quick = false } = {}) {
  if (isSite) return onSite(locally);
  const local = await findLocal(asked).catch(() => null);
  if (!local) return remote(signal);
  if (away) return fromHere(local, remote, locally, signal);
  try {
    return await remote(quick ? within(PATIENCE_MS, signal) : signal);
  } catch (error) {
    if (signal?.aborted || !isLost(error)) throw error;
    const answer = await locally(local);
    turn(true);
    return answer;
  }
}

/**
 * Ask the tables of a site; what is in none of them is said to be nowhere.
 *
 * @template T
 * @param {(local: Local) => Promise<T>} locally
 * @returns {Promise<T>}
 */
async function onSite(locally) {
  try {
    return await locally(await loadLocal());
  } catch (/** @type {any} */ error) {
    if (error.status === 404) error.message = t("offline.site.none");
    throw error;
  }
}

/**
 * Ask this device; what it does not know, the server.
 *
 * @template T
 * @param {Local} local
 * @param {(signal?: AbortSignal) => Promise<T>} remote
 * @param {(local: Local) => Promise<T>} locally
 * @param {AbortSignal} [signal]
 */
async function fromHere(local, remote, locally, signal) {
  turn(true);
  try {
    return await locally(local);
  } catch (unknown) {
    const answer = await remote(within(PATIENCE_MS, signal)).catch((error) => {
      throw isLost(error) && !signal?.aborted ? unknown : error;
    });
    turn(false);
    return answer;
  }
}

/** Whether the network is at fault. @param {any} error */
const isLost = (error) => error.status === 0 || error.name === "TimeoutError";

/** A signal that ends by itself. @param {number} ms @param {AbortSignal} [signal] */
const within = (ms, signal) => AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
