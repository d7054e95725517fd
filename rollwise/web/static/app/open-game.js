/**
 * A game of the address or of a form: solve it, and lay it on the table.
 *
 * @import { Asked, Game, Kind, Link, Page, Parameter } from "../../types.js"
 */

import { readParty, writeParty } from "../party/party.js";
import { keepGame, MOST_GAMES, readKept } from "../saved/games.js";
import { makeDevice } from "../table/print-and-keep.js";
import { boxNames, choiceName, t } from "../texts/texts.js";
import { LinkError, makeAsked, packFile, readLink, unpackMoves, writeLink } from "./address.js";
import * as api from "./api.js";
import { button } from "./dom.js";
import { solveGame } from "./solve-game.js";

const KEPT = "#kept?";

/**
 * What was played before: the record (null: the game did not begin at its start), and what a reload brought back.
 *
 * @typedef {{ lines: object[] | null, kept: any }} Before
 */

/** @type {(page: Page, asked: Asked) => Game | undefined} */
const entryOf = ({ games }, { game }) => games.find((item) => item.name === game);

/** Name what is asked for as people do. @param {Page} page @param {Asked} asked */
const titleOf = (page, asked) => (asked.file === null ? (entryOf(page, asked) ?? tableOf(page, asked))?.title ?? asked.game ?? "" : t("page.your-game"));

/** A game on a site of plain files, by whatever rules. @type {(page: Page, asked: Asked) => { title: string } | undefined} */
const tableOf = ({ site }, { game }) => site?.tables.find((table) => table.game === game);

/**
 * Say in a line what differs from the standard rules. What is played for stands on the table itself.
 *
 * @param {{ known: Parameter[] }} job
 * @param {Asked} asked
 */
export const differs = ({ known }, asked) =>
  known.map((parameter) => tell(parameter, asked.parameters[parameter.name])).filter(Boolean).join(", ");

/**
 * Tell what a parameter is: "3 rerolls", "forced jokers", "boxes in order"; "" where it is as always.
 *
 * @param {Parameter} parameter
 * @param {string | undefined} value
 */
function tell({ name, kind, label, default: standard }, value) {
  if (value === undefined || value === standard || name === "words") return "";
  if (kind.type === "flag") return t(value === "yes" ? "differs.yes" : "differs.not", { words: label });
  if (kind.type === "integer" || kind.type === "choice") return t("differs.one", { value: choiceName(value), words: label });
  return t("differs.list", { words: label, value: boxNames(value) });
}

/**
 * Start a game from its card, its form or its file.
 *
 * @param {Page} page
 * @param {Partial<Asked>} given
 */
export async function open(page, given) {
  const asked = makeAsked(given);
  if (asked.file !== null) await packFile(asked.file);
  await openParty(page, asked, null, "mine");
}

/**
 * Begin a game with several players; null: alone.
 *
 * @param {Page} page
 * @param {Asked} asked
 * @param {import("../party/party.js").Party | null} party
 * @param {import("../../types.js").Mode} mode
 */
async function openParty(page, asked, party, mode) {
  const fields = party ? writeParty(party) : {};
  const { fragment } = writeLink({ asked, mode, fields });
  history.pushState({ file: asked.file, fragment }, "", fragment);
  await lay(page, { asked, fields, mode }, { lines: [], kept: null });
}

/**
 * Ask who plays a game, and begin it.
 *
 * @param {Page} page
 * @param {Asked} asked
 * @param {string} title
 * @param {{ party?: import("../party/party.js").Party | null, mode?: import("../../types.js").Mode, begun?: boolean }} [now] what is on the table
 */
export async function askParty(page, asked, title, { party = null, mode = "mine", begun = false } = {}) {
  const [{ askPlayers }, { styled }] = await Promise.all([import("../party/players-dialog.js"), import("../boards/registry.js")]);
  await styled("party.css");
  askPlayers({ title, party, begun, begin: (chosen) => void openParty(page, asked, chosen, mode) });
}

/**
 * Show what the address says; the signal ends when the player goes elsewhere.
 *
 * @param {Page} page
 * @param {AbortSignal} signal
 */
export async function route(page, signal) {
  try {
    const kept = location.hash.startsWith(KEPT) ? new URLSearchParams(location.hash.slice(KEPT.length)).get("id") : null;
    if (kept !== null) {
      await resume(page, kept);
      return;
    }
    const link = await readLink(location.hash);
    if (link && !signal.aborted) await arrive(page, link);
  } catch (error) {
    if (signal.aborted) return;
    page.showHome();
    page.fail(/** @type {Error} */ (error));
  }
}

/**
 * Lay a game that this browser keeps on the table.
 *
 * @param {Page} page
 * @param {string} id
 */
async function resume(page, id) {
  const kept = readKept(id);
  const link = kept && (await readLink(kept.fragment));
  if (!link) throw new LinkError(t("kept.missing"));
  if (kept.asked.file !== null) await packFile(kept.asked.file);
  await lay(page, { ...link, asked: kept.asked }, { lines: null, kept: kept.play });
}

/** @param {Page} page @param {Link} link */
async function arrive(page, { fields: { moves, ...fields }, ...rest }) {
  const link = { ...rest, fields };
  const isOwn = history.state?.fragment === location.hash;
  const isSet = Object.keys(link.fields).some((name) => /^(\d+\.)?(state|id)$/.test(name));
  const lines = moves ? await unpackMoves(moves) : null;
  const before = { lines: lines ?? (isSet ? null : []), kept: isOwn ? history.state.play : null };
  if (link.asked.file !== null) await arriveWithFile(page, link, before, isOwn);
  else if (check(page, link)) await lay(page, link, before);
}

/**
 * Lay out the game file of a link; one that was too long for the link is kept with the history of this window only.
 *
 * @param {Page} page
 * @param {Link} link
 * @param {Before} before
 * @param {boolean} isOwn
 */
async function arriveWithFile(page, link, before, isOwn) {
  const file = link.asked.file || (isOwn && history.state.file);
  if (!file) throw new LinkError(t("link.no-file"));
  await lay(page, { ...link, asked: { ...link.asked, file } }, before);
}

/**
 * Say whether a link has all that its game needs; else open the form.
 *
 * @param {Page} page
 * @param {Link} link
 */
function check(page, link) {
  const { game: name, parameters } = link.asked;
  const game = entryOf(page, link.asked);
  if (!game && tableOf(page, link.asked)) return true;
  if (!game) throw new LinkError(t("page.no-such-game", { name: name ?? "" }));
  if (game.kind === "groups" && parameters.view) throw new LinkError(t("link.view"));
  const missing = game.parameters.filter((parameter) => parameter.default === "" && !parameters[parameter.name]);
  if (!missing.length) return true;
  page.showHome(link.asked);
  page.fail(new LinkError(t("page.link-short", { names: missing.map((parameter) => parameter.name).join(t("page.and")) })));
  return false;
}

/**
 * Load what a table needs while the game is being solved. What is solved says its kind itself.
 *
 * @param {Page} page
 * @param {Asked} asked
 */
async function loadTable(page, asked) {
  const [{ Table }, { loadKind }] = await Promise.all([import("../table/table.js"), import("../boards/registry.js")]);
  await loadKind(entryOf(page, asked)?.kind ?? "any");
  return { Table, loadKind };
}

/**
 * Solve the game of a link and lay it on the table. Another visit in the meantime wins.
 *
 * @param {Page} page
 * @param {Link} link
 * @param {Before} before
 */
async function lay(page, link, before) {
  const signal = page.leave();
  const title = titleOf(page, link.asked);
  try {
    const modules = loadTable(page, link.asked);
    modules.catch(() => {});
    const show = (/** @type {HTMLElement} */ node) => void (signal.aborted || page.show(node, title));
    const job = await solveGame(link.asked, { title, signal, cancel: page.home, show });
    const { Table, loadKind } = await modules;
    const kind = job && (await loadKind(job.board.kind));
    const named = job && (await lookUp(link));
    const seated = job && (await loadParty(job, link, before, { Table, kind: /** @type {Kind} */ (kind) }));
    if (signal.aborted) return;
    if (seated) seat(page, /** @type {Link} */ (named), job, before, seated);
    else page.stopped({ title, text: t("page.cancelled"), label: t("page.solve-again"), again: () => lay(page, link, before) });
  } catch (error) {
    if (!signal.aborted) refuse(page, link, before, /** @type {api.ApiError} */ (error));
  }
}

/**
 * Load what several players need, where there are several and the game is one for one player; else give what there is.
 *
 * @param {any} job
 * @param {Link} link
 * @param {Before} before
 * @param {{ Table: any, kind: Kind }} modules
 * @returns {Promise<{ Table: any, kind: Kind, party: import("../party/party.js").Party | null }>}
 */
async function loadParty(job, link, before, { Table, kind }) {
  const party = before.kept?.party ?? readParty(link.fields);
  if (!party || job.result.two_players) return { Table, kind, party: null };
  const [{ PartyTable, seatParty }, { styled }] = await Promise.all([import("../party/table.js"), import("../boards/registry.js")]);
  await styled("party.css");
  return { Table: PartyTable, kind: seatParty(kind, party), party };
}

/**
 * A game that cannot be laid out: without an answer it is tried again, else the form or the file says what is wrong.
 *
 * @param {Page} page
 * @param {Link} link
 * @param {Before} before
 * @param {api.ApiError} error
 */
function refuse(page, link, before, error) {
  if (!error.status) {
    const title = titleOf(page, link.asked);
    page.stopped({ title, text: t("page.offline"), label: t("page.try-again"), again: () => lay(page, link, before) });
    return;
  }
  history.replaceState(null, "", link.asked.file === null ? location.pathname : "#own");
  if (link.asked.file !== null) {
    page.showOwn(link.asked.file, error);
    return;
  }
  page.showHome(link.asked);
  page.fail(error);
}

/**
 * Give a link with the position that its id stands for; one that is none of the game is told, and the game begins.
 *
 * @param {Link} link
 * @returns {Promise<Link>}
 */
async function lookUp(link) {
  const { id, ...fields } = link.fields;
  if (id === undefined) return link;
  try {
    const { state } = await api.advise({ ...api.sent(link.asked), state: `id:${id}`, top: 1 });
    return { ...link, fields: { ...fields, state } };
  } catch (error) {
    const fault = /** @type {api.ApiError} */ (error);
    if (!fault.status) throw fault;
    return { ...link, fields, fault };
  }
}

/**
 * Lay the position of a link on the table; one that is not understood gives way to the start of the game.
 *
 * @param {Page} page
 * @param {Link} link
 * @param {any} job
 * @param {Before} before
 * @param {{ Table: any, kind: Kind, party: import("../party/party.js").Party | null }} modules
 */
function seat(page, link, job, before, { Table, kind, party }) {
  const { asked, mode } = link;
  const { board } = job;
  /** @type {any} */
  let start = { position: kind.fresh(board), lines: [], kept: null };
  let { fault } = link;
  try {
    if (before.kept?.from) start = adopt(kind, board, before.kept.from);
    else if (!fault) start = { position: kind.read(board, link.fields), ...before };
  } catch (error) {
    fault = /** @type {Error} */ (error);
  }
  const title = job.title || titleOf(page, asked);
  const tools = job.result.two_players ? [] : [playersTool(page, asked, title, party, () => laid)];
  const opened = { asked, title, differs: differs(job, asked), mode, job: party ? forParty(job) : job, kind, party, ...start };
  /** @type {any} */
  const laid = new Table(opened, shellOf(page, asked, title, tools));
  laid.node.append(makeDevice(laid, asked, page.fail) ?? "");
  page.show(laid.node, title, laid);
  /** @type {HTMLElement} */ (document.getElementById("view")).focus({ preventScroll: true });
  if (fault) page.fail(fault);
}

/** A game as a party plays it: not as a duel, which has two sheets of its own. @param {any} job */
const forParty = (job) => ({ ...job, aims: job.aims.filter((/** @type {any} */ aim) => !DUELS.has(aim.name)), mayDuel: job.aims.some((/** @type {any} */ aim) => aim.name === "duel") });
const DUELS = new Set(["duel", "duel-points"]);

/**
 * The button that changes who plays.
 *
 * @param {Page} page
 * @param {Asked} asked
 * @param {string} title
 * @param {import("../party/party.js").Party | null} party
 * @param {() => any} table
 */
function playersTool(page, asked, title, party, table) {
  const ask = () => void askParty(page, asked, title, { party, mode: table().mode, begun: table().play.record.length > 0 });
  return button(t("party.players"), ask, { test: "players-open", "aria-haspopup": "dialog" });
}

/**
 * Take over what was on the table of the same game for another aim, where this one is another kind of table.
 *
 * @param {Kind<any, any>} kind
 * @param {any} board
 * @param {any} from
 */
function adopt(kind, board, from) {
  const position = kind.adopt?.(board, from) ?? null;
  return { position: position ?? kind.fresh(board), lines: position ? null : [], kept: null };
}

/**
 * What the table may do with the page.
 *
 * @param {Page} page
 * @param {Asked} asked
 * @param {string} title
 * @param {HTMLElement[]} tools
 */
function shellOf(page, asked, title, tools) {
  /** Keep the table in the address; a file that is too long for it is kept with the entry of the history.
   * @type {(fragment: string, state: object) => void} */
  const save = (fragment, state) => history.replaceState({ ...state, file: asked.file, fragment }, "", fragment);
  let isTold = false;
  /** Keep the game in this browser; say once where that is not possible. @type {import("../../types.js").Shell["keep"]} */
  const keep = (facts, laid) => {
    const fault = keepGame(facts, laid);
    if (fault && !isTold) page.fail(new Error(t(fault, { n: MOST_GAMES })));
    isTold = fault !== null;
  };
  const rules = button(t("page.rules"), () => page.rules(asked, title), { test: "rules-open", "aria-haspopup": "dialog" });
  const file = asked.file === null ? [] : [button(t("page.edit-file"), () => page.showOwn(asked.file ?? ""), { test: "edit-file" })];
  /** @type {import("../../types.js").Shell["lay"]} */
  const again = (link, before) => void lay(page, /** @type {Link} */ (link), before);
  return { fail: page.fail, clear: page.clear, solve: solveGame, save, keep, lay: again, tools: [rules, ...tools, ...file] };
}
