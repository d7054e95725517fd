/**
 * The page of `rollwise serve`: the start page, a game of your own, a game being solved, or one on the table, by the address.
 *
 * The start page needs only what is imported here; the rest is loaded when it is asked for.
 *
 * Hooks for tests (`data-test`) are listed in ../../types.d.ts.
 *
 * @import { LaidTable, Page } from "../../types.js"
 */

import { makeHome } from "../home/home.js";
import { LANGUAGES, language, speak, t, translate, written } from "../texts/texts.js";
import { button, el } from "./dom.js";

/** @type {(id: string) => HTMLElement} */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const view = find("view");
const help = /** @type {HTMLDialogElement} */ (find("help"));
const { games, families, tries, examples, site } = written(JSON.parse(find("data").textContent ?? ""));

/** How long the page must lie still before its place is noted: browsers bound how often that may be. */
const SCROLL_MS = 150;

/** @type {LaidTable | null} */
let table = null;
/** Ends what the view of the moment waits for, a solve included. */
let visit = new AbortController();

/** What opens games, loaded when the first one is. */
const visits = async () => (await import("./open-game.js")).makeVisits(page);

/** @type {Page} */
const page = {
  games, families, tries, examples, site, leave, show, home, fail, clear, stopped,
  showHome,
  showOwn: (text, fault) => using(() => import("../home/own-game.js"), ({ showOwn }) => showOwn(page, text, fault)),
  open: (given) => using(visits, ({ open }) => open(given)),
  options: (name, given, fault) => using(() => import("../home/options.js"), ({ showOptions }) => showOptions(page, name, given, fault)),
  rules: (asked, title) => using(() => import("../home/rules-dialog.js"), ({ showRules }) => showRules(page, asked, title)),
  players: (asked, title) => using(visits, ({ askParty }) => askParty(asked, title)),
};

/** @param {Error} error */
function fail(error) {
  find("error").textContent = error.message;
  find("alert").hidden = false;
}

function clear() {
  find("alert").hidden = true;
  find("error").textContent = "";
}

function leave() {
  visit.abort();
  // A table that is left writes nothing more: the address is another one already.
  table?.stop();
  visit = new AbortController();
  clear();
  return visit.signal;
}

/** @param {HTMLElement} node @param {string} [title] @param {LaidTable | null} [laid] */
function show(node, title, laid = null) {
  table?.stop();
  table = laid;
  /** @type {HTMLDialogElement | null} */ (document.querySelector(".options"))?.close();
  view.replaceChildren(node);
  window.scrollTo(0, history.state?.scroll ?? 0);
  document.title = title ? `${title} · rollwise` : "rollwise";
}

/** Show the start page; with what was asked for, the form of that game. Where it asked and is still open, nothing else is drawn. @type {Page["showHome"]} */
function showHome(asked = null, fault = null) {
  if (!asked?.game || !document.querySelector(".options")) show(makeHome(page));
  if (asked?.game) page.options(asked.game, asked, fault);
  else if (fault) fail(fault);
}

/** @param {{ title: string, text: string, label: string, again: () => void }} what */
function stopped({ title, text, label, again }) {
  const retry = button(label, again, { class: "main", test: "again-solve" });
  show(el("div", { class: "panel solving", role: "status", test: "stopped" }, el("h1", { text: title }), el("p", { text }), retry), title);
  window.addEventListener("online", again, { signal: visit.signal });
}

/**
 * Do what needs another module, unless the player has gone elsewhere meanwhile; where it cannot be loaded, say so and try again.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @param {(module: T) => unknown} act
 */
async function using(load, act) {
  const { signal } = visit;
  let module;
  try {
    module = await load();
  } catch {
    if (signal.aborted) return;
    stopped({ title: t("page.no-connection"), text: t("page.offline"), label: t("page.try-again"), again: () => using(load, act) });
    return;
  }
  if (!signal.aborted) await act(module);
}

function home() {
  leave();
  history.pushState(null, "", location.pathname);
  page.showHome();
}

/** Show what the address says. */
async function route() {
  leave();
  if (!location.hash.replace("#", "")) page.showHome();
  else if (location.hash === "#own") await page.showOwn();
  else if (/^#puzzles(\/|$)/.test(location.hash)) await using(() => import("../puzzles/page.js"), (module) => module.showPuzzles(page));
  else if (location.hash === "#learn") await using(() => import("../learn/page.js"), (module) => module.showLearn(page));
  else if (location.hash === "#games") await using(() => import("../saved/lists.js"), (module) => module.showHistory(page));
  else await using(visits, (found) => found.route(visit.signal));
}

/** Keep how far the page is scrolled with its entry of the history: who comes back finds it there. */
function keepScroll() {
  history.scrollRestoration = "manual";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  window.addEventListener("scroll", () => {
    const { href } = location;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (href === location.href) history.replaceState({ ...history.state, scroll: window.scrollY }, "");
    }, SCROLL_MS);
  }, { passive: true });
}

function listen() {
  find("skip").addEventListener("click", (event) => {
    event.preventDefault();
    view.focus();
  });
  find("home").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    home();
  });
  find("help-open").addEventListener("click", () => help.showModal());
  find("error-close").addEventListener("click", clear);
  window.addEventListener("hashchange", route);
}

/** Listen for keys once the page stands, and keep it for when there is no connection: nothing on it waits for them. */
async function listenLater() {
  const { listenKeys } = await import("./keyboard.js");
  listenKeys(() => table, () => help.showModal());
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  (await import("../offline/install.js")).begin();
}

/** Speak the player's language, and offer the next one. */
function speakHere() {
  document.documentElement.lang = language;
  if (language !== "en") translate(document);
  const known = Object.keys(LANGUAGES);
  const other = known[(known.indexOf(language) + 1) % known.length];
  const change = find("language");
  change.textContent = LANGUAGES[other];
  change.lang = other;
  change.hidden = false;
  change.addEventListener("click", () => speak(other));
}

speakHere();
listen();
keepScroll();
route();
listenLater().catch(() => {});
