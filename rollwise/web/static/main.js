/**
 * The page of `rollwise serve`: the start page, a game being solved, or a game on the table, by the address fragment.
 *
 * Hooks for tests (`data-test`):
 *   home, error, status                       everywhere (status: on the table)
 *   game-NAME, rules-NAME, start              start page; fields of a form: GAME-PARAMETER (words-dice, words-words, ...)
 *   solve-progress, cancel                    while a game is solved
 *   mode-mine, mode-roll, coach, edit         who rolls, advice on or off, set up a position
 *   share, share-link, new-game               link to the position, start over
 *   die-0.., change-0.., keypad-FACE, clear   dice (aria-pressed: held), keypad
 *   left-0.., box-NAME, points-NAME, total, upper, primed       score sheets (the last four while setting up)
 *   slot-NAME, need, total                    slots
 *   rolls                                     words and groups: rolls so far
 *   hit, hit-SIZE, groups-keep, groups-reroll                   groups
 *   state, after                              any other game: the position as text, and the roll that it comes from
 *   moves, move-0.., selected-why, best-why, last   ranked moves, why the selected and the best one, what the last one cost
 *   outlook, play, roll, undo                 distribution, buttons
 *   result, before, luck, mistakes, ungraded, again, undo-end   the end of a game
 */

import * as api from "./api.js";
import { el } from "./dom.js";
import { makeHome } from "./home.js";
import { listenKeys } from "./keys.js";
import { LinkError, readLink, writeLink } from "./link.js";
import { solveGame } from "./solving.js";

const find = (id) => document.getElementById(id);
const view = find("view");
const help = find("help");
let games = null;
let table = null;
let visit = 0;

const shell = { fail, clear: clearError, solve: solveGame, save };

function fail(error) {
  find("error").textContent = error.message;
  find("alert").hidden = false;
}

function clearError() {
  find("alert").hidden = true;
  find("error").textContent = "";
}

function save(fragment, state) {
  history.replaceState({ ...state, fragment }, "", fragment);
}

function show(node, title) {
  table?.stop();
  table = null;
  view.replaceChildren(node);
  window.scrollTo(0, 0);
  document.title = title ? `${title} · rollwise` : "rollwise";
}

function showHome(asked = null) {
  show(makeHome(games, asked, open));
}

/** Start a game from its card or form. */
function open(game, parameters) {
  const { fragment } = writeLink({ game, parameters, mode: "mine", fields: {} });
  history.pushState(null, "", fragment);
  clearError();
  lay({ game, parameters, fields: {}, mode: "mine" }, { lines: [], kept: null });
}

/** Load what a table needs while the game is being solved: the start page does without. What is solved says its kind itself. */
async function loadTable(game) {
  const { kind } = games.find((item) => item.name === game);
  const [{ Table }, { loadKind }] = await Promise.all([import("./table.js"), import("./kinds.js")]);
  await loadKind(kind);
  return { Table, loadKind };
}

/** What is asked of the server: a game or a game file, its parameters, and an objective. */
const askedOf = (link) => link.asked ?? { game: link.game, file: null, parameters: link.parameters, objective: null };

/** Solve the game of a link and lay it on the table. Another visit in the meantime wins. */
async function lay(link, { lines, kept }) {
  const own = ++visit;
  const asked = askedOf(link);
  try {
    const modules = loadTable(link.game);
    const job = await solveGame(asked, (node) => own === visit && show(node, link.game));
    const { Table, loadKind } = await modules;
    const kind = job && (await loadKind(job.board.kind));
    const named = job && (await lookUp(link));
    if (own !== visit) return;
    if (!job) home();
    else seat(named, job, { lines, kept }, { Table, kind });
  } catch (error) {
    if (own !== visit) return;
    history.replaceState(null, "", location.pathname);
    showHome(link);
    fail(error);
  }
}

/** Give a link with the position that its id stands for; one that is none of the game is told, and the game begins. */
async function lookUp(link) {
  const { id, ...fields } = link.fields;
  if (id === undefined) return link;
  try {
    const { state } = await api.advise(askedOf(link), { state: `id:${id}`, top: 1 });
    return { ...link, fields: { ...fields, state } };
  } catch (fault) {
    return { ...link, fields, fault };
  }
}

/** Lay the position of a link on the table; one that is not understood gives way to the start of the game. */
function seat(link, job, { lines, kept }, { Table, kind }) {
  const { board } = job;
  let start = { position: kind.fresh(board), lines: [], kept: null };
  let { fault = null } = link;
  try {
    if (!fault) start = { position: kind.read(board, link.fields), lines, kept };
  } catch (error) {
    fault = error;
  }
  const laid = new Table({ asked: askedOf(link), mode: link.mode, job, kind, ...start }, shell);
  show(laid.node, link.game);
  view.focus({ preventScroll: true });
  table = laid;
  if (fault) fail(fault);
}

function home() {
  if (!games) return;
  visit += 1;
  history.pushState(null, "", location.pathname);
  clearError();
  showHome();
}

/** Show what the address says. */
function route() {
  visit += 1;
  clearError();
  try {
    const link = readLink(location.hash);
    if (link) arrive(link);
    else showHome();
  } catch (error) {
    showHome();
    fail(error);
  }
}

function arrive(link) {
  const game = games.find((item) => item.name === link.game);
  if (!game) throw new LinkError(`The link names no game of the list: ${link.game}`);
  if (game.kind === "groups" && link.parameters.view) throw new LinkError("This page shows groups by their sizes only: leave view out of the link");
  const missing = game.parameters.filter((parameter) => parameter.default === "" && !link.parameters[parameter.name]);
  if (missing.length) {
    showHome(link);
    fail(new LinkError(`The link leaves ${missing.map((parameter) => parameter.name).join(" and ")} out: fill in the form`));
    return;
  }
  const isOwn = history.state?.fragment === location.hash;
  const begun = link.fields.state || link.fields.id;
  lay(link, { lines: begun ? null : [], kept: isOwn ? history.state.play : null });
}

async function begin() {
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
  try {
    games = await api.games();
  } catch (error) {
    view.replaceChildren(el("p", { class: "lead", text: "The games could not be loaded. Reload the page to try again." }));
    fail(error);
    return;
  }
  window.addEventListener("hashchange", route);
  route();
}

begin();
