/**
 * The service worker: keeps the page for when there is no connection.
 *
 * The server (or `rollwise site`) writes into `PAGE` every file of the page with the SHA-256 of its content. All of them are fetched
 * and compared when the worker is installed; if one differs, as the page was changed in that moment, nothing of it is used. Scripts
 * have addresses that change with any of them, so those of two editions never meet.
 *
 * The HTML comes from the network where that answers soon, so that a new edition is seen at once; files come from what is kept.
 * What is asked of the server (`api/`), and tables of games, are none of this worker's business: offline/connection.js and offline/kept-tables.js see to them.
 */

/** @typedef {{ waitUntil(work: Promise<unknown>): void }} Event */
/** @typedef {Event & { request: Request, respondWith(answer: Promise<Response>): void }} FetchEvent */

const PAGE = { edition: "", files: {} };
const PREFIX = "rollwise-page-";
const OWN = PREFIX + PAGE.edition;
const PATIENCE_MS = 2500;
/** Editions that are kept: this one, and one that another window may still show. */
const EDITIONS = 2;

/** @type {any} */
const worker = self;
/** @type {string} */
const root = worker.registration.scope;

worker.addEventListener("install", (/** @type {Event} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {Event} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const path = request.url.slice(root.length).replace(/[?#].*/, "");
  if (path === "" || path === "index.html") event.respondWith(freshOrKept(request));
  else if (path.startsWith("static/") || Object.hasOwn(PAGE.files, path)) event.respondWith(kept(request, path));
});

/** Fetch every file, and keep all of them or none. */
async function install() {
  try {
    const cache = await caches.open(OWN);
    await Promise.all(Object.entries(PAGE.files).map(([path, digest]) => take(cache, path, digest)));
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
  await worker.skipWaiting();
}

/**
 * Fetch a file and keep it, if it is what it should be.
 *
 * @param {Cache} cache
 * @param {string} path
 * @param {unknown} digest
 */
async function take(cache, path, digest) {
  const response = await fetch(new URL(path, root), { cache: "no-cache" });
  const content = await response.arrayBuffer();
  if (!response.ok || (await hashOf(content)) !== digest) throw new Error(`${path || "the page"} is not the one that was expected`);
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  await cache.put(new URL(path, root), new Response(content, { headers }));
}

/** @param {ArrayBuffer} content */
async function hashOf(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Drop editions that nobody shows any more, and serve the windows that are open. */
async function activate() {
  const editions = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(editions.slice(0, -(EDITIONS - 1)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * Give a file that is kept, of this edition or of another; else the network's.
 *
 * @param {Request} request
 * @param {string} path
 */
async function kept(request, path) {
  const own = Object.hasOwn(PAGE.files, path) ? await (await caches.open(OWN)).match(new URL(path, root)) : undefined;
  return own ?? (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * Give the page as the network has it, if it answers soon and its server does not fail; else the one that is kept.
 *
 * @param {Request} request
 */
async function freshOrKept(request) {
  const asked = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const answer = await Promise.race([asked, late]).catch(() => null);
  if (answer && answer.status < 500 && answer.type !== "opaqueredirect") return answer;
  return (await (await caches.open(OWN)).match(new URL("", root))) ?? asked;
}
