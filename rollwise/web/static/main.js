/**
 * The page of `rollwise serve`: the start page, a game being solved, or a game on the table, by the address fragment.
 *
 * Hooks for tests (`data-test`):
 *   home, error, status                       everywhere (status: on the table)
 *   game-NAME, rules-NAME, start              start page; fields of a form: GAME-PARAMETER (words-dice, words-words, ...)
 *   solve-progress, cancel                    while a game is solved
 *   stopped, again-solve                      a solve that ended elsewhere, or a server that does not answer: what to do
 *   mode-mine, mode-roll, coach, edit         who rolls, advice on or off, set up a position
 *   share, share-link, new-game               link to the position, start over
 *   die-0.., change-0.., keypad-FACE, clear   dice (aria-pressed: held), keypad
 *   left-0.., box-NAME, points-NAME, total, upper, primed       score sheets (the last four while setting up)
 *   slot-NAME, need, total                    slots
 *   rolls                                     words and groups: rolls so far
 *   hit, hit-SIZE, groups-keep, groups-reroll                   groups
 *   state, after, stage, end, part-NAME       any other game: the position as text, the roll to come, what lies on the table, and in the end
 *   act-MOVE, picker, roll-0.., find-roll, face-FACE, face-back   its few moves, what may be rolled
 *   rival-none, rival-optimal                 who plays the second player
 *   moves, move-0.., selected-why, best-why, last   ranked moves, why the selected and the best one, what the last one cost
 *   outlook, play, roll, undo                 distribution, buttons
 *   result, before, luck, mistakes, ungraded, again, undo-end   the end of a game
 */

import * as api from "./api.js";
import { makeHome } from "./home.js";
import { listenKeys } from "./keys.js";
import { LinkError, makeAsked, readLink, writeLink } from "./link.js";
import { makeStopped, solveGame } from "./solving.js";

/** @typedef {import("./link.js").Asked} Asked */
/** @typedef {import("./link.js").Link} Link */

const find = (id) => document.getElementById(id);
const view = find("view");
const help = find("help");
let games = null;
let table = null;
/** Ends what the page of the moment waits for, a solve included. */
let visit = new AbortController();

const shell = { fail, clear: clearError, solve: solveGame, save, lay };

function fail(error) {
  find("error").textContent = error.message;
  find("alert").hidden = false;
}

function clearError() {
  find("alert").hidden = true;
  find("error").textContent = "";
}

/** Keep the table in the address; a file that is too long for it is kept with the entry of the history. */
function save(fragment, state) {
  history.replaceState({ ...state, file: table?.asked.file ?? history.state?.file, fragment }, "", fragment);
}

/** Leave the page of the moment for another one: whatever it waits for ends. */
function leave() {
  visit.abort();
  visit = new AbortController();
  clearError();
  return visit.signal;
}

function show(node, title) {
  table?.stop();
  table = null;
  view.replaceChildren(node);
  window.scrollTo(0, 0);
  document.title = title ? `${title} · rollwise` : "rollwise";
}

function showHome(link = null) {
  show(makeHome(games, link?.asked ?? null, open));
}

/** Start a game from its card or form. @param {Partial<Asked>} given */
function open(given) {
  const asked = makeAsked(given);
  const { fragment } = writeLink({ asked });
  history.pushState({ file: asked.file, fragment }, "", fragment);
  lay({ asked, fields: {}, mode: "mine" }, { lines: [], kept: null });
}

const entryOf = ({ game }) => games.find((item) => item.name === game);

/** Name what is asked for as people do. @param {Asked} asked */
const titleOf = (asked) => (asked.file === null ? entryOf(asked)?.title ?? asked.game : "Your game");

/** Say in a line what differs from the standard rules. @param {Asked} asked */
function differs(asked) {
  const shown = Object.entries(asked.parameters).filter(([name]) => name !== "words").map(([name, value]) => `${name} ${value}`);
  return shown.join(", ");
}

/** Load what a table needs while the game is being solved: the start page does without. What is solved says its kind itself. */
async function loadTable(asked) {
  const [{ Table }, { loadKind }] = await Promise.all([import("./table.js"), import("./kinds.js")]);
  await loadKind(entryOf(asked)?.kind ?? "any");
  return { Table, loadKind };
}

/**
 * Solve the game of a link and lay it on the table. Another visit in the meantime wins. `before`: the record of the game (null: it
 * did not begin at its start), and what a reload brought back.
 */
async function lay(link, before) {
  const signal = leave();
  const title = titleOf(link.asked);
  try {
    const modules = loadTable(link.asked);
    modules.catch(() => {});
    const job = await solveGame(link.asked, { title, signal, cancel: home, show: (node) => signal.aborted || show(node, title) });
    const { Table, loadKind } = await modules;
    const kind = job && (await loadKind(job.board.kind));
    const named = job && (await lookUp(link));
    if (signal.aborted) return;
    if (job) seat(named, job, before, { Table, kind });
    else stopped(link, before, "It is not being solved any more: it was cancelled in another window.", "Solve it again");
  } catch (error) {
    if (!signal.aborted) refuse(link, before, error);
  }
}

/** A game that cannot be laid out: without an answer it is tried again, else the form says what is wrong. */
function refuse(link, before, error) {
  if (!error.status) {
    stopped(link, before, "The server does not answer. It may be off, or this device is offline.", "Try again");
    return;
  }
  history.replaceState(null, "", location.pathname);
  showHome(link);
  fail(error);
}

function stopped(link, before, text, label) {
  const again = () => lay(link, before);
  show(makeStopped({ title: titleOf(link.asked), text, label, again }), titleOf(link.asked));
  window.addEventListener("online", again, { signal: visit.signal });
}

/** Give a link with the position that its id stands for; one that is none of the game is told, and the game begins. */
async function lookUp(link) {
  const { id, ...fields } = link.fields;
  if (id === undefined) return link;
  try {
    const { state } = await api.advise({ ...api.sent(link.asked), state: `id:${id}`, top: 1 });
    return { ...link, fields: { ...fields, state } };
  } catch (fault) {
    if (!fault.status) throw fault;
    return { ...link, fields, fault };
  }
}

/** Lay the position of a link on the table; one that is not understood gives way to the start of the game. */
function seat(link, job, before, { Table, kind }) {
  const { asked, mode } = link;
  const { board } = job;
  let start = { position: kind.fresh(board), lines: [], kept: null };
  let { fault = null } = link;
  try {
    if (before.kept?.from) start = adopt(kind, board, before.kept.from);
    else if (!fault) start = { position: kind.read(board, link.fields), ...before };
  } catch (error) {
    fault = error;
  }
  const title = asked.file === null ? titleOf(asked) : job.title;
  const laid = new Table({ asked, title, differs: differs(asked), mode, job, kind, ...start }, shell);
  show(laid.node, title);
  view.focus({ preventScroll: true });
  table = laid;
  if (fault) fail(fault);
}

/** Take over what was on the table of the same game for another aim, where this one is another kind of table. */
function adopt(kind, board, from) {
  const position = kind.adopt?.(board, from) ?? null;
  return { position: position ?? kind.fresh(board), lines: position ? null : [], kept: null };
}

function home() {
  if (!games) return;
  leave();
  history.pushState(null, "", location.pathname);
  showHome();
}

/** Show what the address says. */
async function route() {
  const signal = leave();
  try {
    const link = await readLink(location.hash);
    if (signal.aborted) return;
    if (link) arrive(link);
    else showHome();
  } catch (error) {
    if (signal.aborted) return;
    showHome();
    fail(error);
  }
}

/** @param {Link} link */
function arrive(link) {
  const isOwn = history.state?.fragment === location.hash;
  const before = { lines: link.fields.state || link.fields.id ? null : [], kept: isOwn ? history.state.play : null };
  if (link.asked.file !== null) arriveWithFile(link, before, isOwn);
  else if (check(link)) lay(link, before);
}

/** Lay out the game file of a link; one that was too long for the link is kept with the history of this window only. */
function arriveWithFile(link, before, isOwn) {
  const file = link.asked.file || (isOwn && history.state.file);
  if (!file) throw new LinkError("The link carries no game file, as it was too long for a link: open the file itself");
  lay({ ...link, asked: { ...link.asked, file } }, before);
}

/** Say whether a link has all that its game needs; else open the form. */
function check(link) {
  const { game: name, parameters } = link.asked;
  const game = entryOf(link.asked);
  if (!game) throw new LinkError(`The link names no game of the list: ${name}`);
  if (game.kind === "groups" && parameters.view) throw new LinkError("This page shows groups by their sizes only: leave view out of the link");
  const missing = game.parameters.filter((parameter) => parameter.default === "" && !parameters[parameter.name]);
  if (!missing.length) return true;
  showHome(link);
  fail(new LinkError(`The link leaves ${missing.map((parameter) => parameter.name).join(" and ")} out: fill in the form`));
  return false;
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
  find("error-close").addEventListener("click", clearError);
  listenKeys(() => table, () => help.showModal());
  window.addEventListener("hashchange", () => games && route());
}

/** Load the games and show what the address says; offline, try again on a button. */
async function begin() {
  try {
    games = await api.games();
  } catch {
    view.replaceChildren(makeStopped({ title: "No connection", text: "The games could not be loaded.", label: "Try again", again: begin }));
    return;
  }
  route();
}

listen();
begin();
