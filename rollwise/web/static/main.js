/**
 * The page of `rollwise serve`: the start page, a game of your own, a game being solved, or one on the table, by the address.
 *
 * The start page needs only what is imported here; the rest is loaded when it is asked for.
 *
 * Hooks for tests (`data-test`):
 *   home, error, status                       everywhere (status: on the table)
 *   install, away, look, keep-offline         install the page; no connection, and trying again; keep a game (on the table)
 *   try-0.., try-answer, try-on, try-next     start page: a position to try
 *   game-NAME, rules-NAME, how-NAME, start    start page: play, house rules, rules; fields of a form: GAME-PARAMETER (words-dice, ...)
 *   less-FIELD, more-FIELD, fault-FIELD       beside a field: steps of a number, what is wrong with it
 *   own, own-text, own-fault, own-open, own-save, own-share, own-link, own-solve, own-example, own-rules    a game of your own
 *   rules, rules-close, rule-NAME             the rules of a game, and of each box; rules-open, edit-file: on the table
 *   solve-progress, cancel                    while a game is solved
 *   stopped, again-solve                      a solve that ended elsewhere, or a server that does not answer: what to do
 *   mode-mine, mode-roll, coach, edit         who rolls, advice on or off, set up a position
 *   share, share-link, new-game               link to the position, start over
 *   die-0.., change-0.., keypad-FACE, clear   dice (aria-pressed: held), keypad
 *   left-0.., box-NAME, points-NAME, total, upper, jokers, primed   score sheets (the last five while setting up)
 *   total-shown, upper-shown, jokers-shown, rest-shown          score sheets: the rows that make them add up
 *   slot-NAME, need, total                    slots
 *   rolls                                     words and groups: rolls so far
 *   hit, hit-SIZE, groups-keep, groups-reroll                   groups
 *   state, after, stage, part-NAME            any other game: the position as text, the roll to come, what lies on the table
 *   act-MOVE, picker, roll-0.., find-roll, face-FACE, face-back   its few moves, what may be rolled
 *   rival                                     who plays the second player
 *   moves, move-0.., selected-why, best-why, last   ranked moves, why the selected and the best one, what the last one cost
 *   outlook, show-exactly, play, roll, undo   distribution, buttons
 *   connection, try-now                       the connection is lost: when it is tried again, and at once
 *   result, before, luck, mistakes, ungraded, again, undo-end   the end of a game
 *   after, summed, course, learn, no-mistakes, side-0..         after a game: the sentence, the line (a slider), lessons, whose view
 *   step, step-title, step-luck, step-moves, step-next, step-before, error-next, error-before, step-on   a move that was played
 *   lesson, lesson-title, lesson-back, lesson-sum, lesson-again, lesson-done     learn from your mistakes
 *   task, task-verdict, task-reasons, task-check, task-show, task-next, pick-MOVE  a decision to find, in lessons and puzzles
 *   puzzles, puzzle-day, puzzle-game, puzzle-facts, score-right, score-run, score-best, score-days   the page of puzzles
 *   puzzle, puzzle-head, puzzle-score, puzzle-on, puzzle-days, puzzle-another, puzzle-repeat, puzzle-copy, puzzle-all, setting, no-puzzles
 *
 *   players-NAME, players-open, party-setup, player-name-0.., player-coach-0.., player-remove-0.., player-add, party-begin   who plays
 *   players, paper, player-0.., cell-0-BOX, total-0.., chance-0.., look-0.., odds, odds-note, odds-exactly   several players
 *   pencil, pencil-POINTS, pencil-points, pencil-joker, pencil-go, pencil-fault   points that are written by hand
 *   games, kept-ID, delete-ID, kept-none, wins, share-game     games that are kept, a link to a whole game
 *
 * @import { Asked, LaidTable, Page } from "../types.js"
 */

import { button, el } from "./dom.js";
import { makeHome } from "./home.js";
import { spoken } from "./said.js";
import { LANGUAGES, language, speak, t, translate } from "./text.js";

/** @type {(id: string) => HTMLElement} */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const view = find("view");
const help = /** @type {HTMLDialogElement} */ (find("help"));
const { games, families, tries, examples, site } = spoken(JSON.parse(find("data").textContent ?? ""));

/** @type {LaidTable | null} */
let table = null;
/** Ends what the view of the moment waits for, a solve included. */
let visit = new AbortController();

/** @type {Page} */
const page = { games, families, tries, examples, site, leave, show, showHome, showOwn, home, fail, clear, stopped, open, rules, players };

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

/**
 * @param {HTMLElement} node
 * @param {string} [title]
 * @param {LaidTable | null} [laid]
 */
function show(node, title, laid = null) {
  table?.stop();
  table = laid;
  view.replaceChildren(node);
  window.scrollTo(0, 0);
  document.title = title ? `${title} · rollwise` : "rollwise";
}

/** @param {Asked | null} [asked] */
function showHome(asked = null) {
  show(makeHome(page, asked));
}

/** @param {{ title: string, text: string, label: string, again: () => void }} what */
function stopped({ title, text, label, again }) {
  const retry = button(label, again, { class: "main", test: "again-solve" });
  show(el("div", { class: "panel solving", role: "status", test: "stopped" }, el("h1", { text: title }), el("p", { text }), retry), title);
  window.addEventListener("online", again, { signal: visit.signal });
}

/**
 * Do what needs another module; where that cannot be loaded, say so and try again.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @param {(module: T) => unknown} act
 */
async function using(load, act) {
  let module;
  try {
    module = await load();
  } catch {
    stopped({ title: t("page.no-connection"), text: t("page.offline"), label: t("page.try-again"), again: () => using(load, act) });
    return;
  }
  await act(module);
}

/** @param {Partial<Asked>} given */
function open(given) {
  return using(() => import("./visit.js"), (visits) => visits.open(page, given));
}

/**
 * @param {Asked} asked
 * @param {string} title
 */
function players(asked, title) {
  return using(() => import("./visit.js"), (visits) => visits.askParty(page, asked, title));
}

/**
 * @param {Asked} asked
 * @param {string} title
 */
function rules(asked, title) {
  return using(() => import("./rules.js"), (module) => module.showRules(page, asked, title));
}

/**
 * @param {string} [text]
 * @param {Error | null} [fault]
 */
function showOwn(text, fault) {
  return using(() => import("./own.js"), (module) => module.showOwn(page, text, fault));
}

function home() {
  leave();
  history.pushState(null, "", location.pathname);
  showHome();
}

/** Show what the address says. */
async function route() {
  const signal = leave();
  if (!location.hash.replace("#", "")) showHome();
  else if (location.hash === "#own") await showOwn();
  else if (/^#puzzles(\/|$)/.test(location.hash)) await using(() => import("./puzzle.js"), (module) => signal.aborted || module.showPuzzles(page));
  else if (location.hash === "#games") await using(() => import("./history-view.js"), (module) => module.showHistory(page));
  else await using(() => import("./visit.js"), (visits) => signal.aborted || visits.route(page, signal));
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
  const { listenKeys } = await import("./keys.js");
  listenKeys(() => table, () => help.showModal());
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  (await import("./offline.js")).begin();
}

/** Speak the player's language, and offer the other one. */
function speakHere() {
  document.documentElement.lang = language;
  if (language !== "en") translate(document);
  const [other, name] = Object.entries(LANGUAGES).filter(([known]) => known !== language)[0];
  const change = find("language");
  change.textContent = name;
  change.lang = other;
  change.hidden = false;
  change.addEventListener("click", () => speak(other));
}

speakHere();
listen();
route();
listenLater().catch(() => {});
