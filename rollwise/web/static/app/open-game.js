/**
 * A game of the address or of a form: solve it, and lay it on the table.
 *
 * @import { Asked, Game, Kind, Link, Mode, Page, Parameter, Shell } from "../../types.js"
 * @import { Party } from "../party/party.js"
 *
 * What was played before: the record (null: the game did not begin at its start), and what a reload brought back.
 * @typedef {{ lines: object[] | null, kept: any, dial?: import("../home/dial.js").Dial | null }} Before
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
const DUELS = new Set(["duel", "duel-points"]);

/**
 * Say in a line what differs from the standard rules. What is played for stands on the table itself.
 *
 * @param {{ known: Parameter[] }} job
 * @param {Asked} asked
 */
export const differs = ({ known }, asked) =>
  known.map((parameter) => describe(parameter, asked.parameters[parameter.name])).filter(Boolean).join(", ");

/**
 * Say what a parameter is: "Rerolls: 3", "Boxes in order"; "" where it is as always.
 *
 * @type {(parameter: Parameter, value?: string) => string}
 */
function describe({ name, kind, label, default: standard }, value) {
  if (value === undefined || value === standard || name === "words") return "";
  if (kind.type === "flag") return t(value === "yes" ? "differs.yes" : "differs.not", { words: label });
  if (kind.type === "integer" || kind.type === "choice") return t("differs.one", { value: choiceName(value), words: label });
  return t("differs.list", { words: label, value: boxNames(value) });
}

/** Make what opens games on a page. @param {Page} page */
export function makeVisits(page) {
  /** @type {(asked: Asked) => Game | undefined} */
  const entryOf = ({ game }) => page.games.find((item) => item.name === game);
  /** A game on a site of plain files, by whatever rules. @type {(asked: Asked) => { title: string } | undefined} */
  const tableOf = ({ game }) => page.site?.tables.find((table) => table.game === game);
  /** Name what is asked for as people do. @param {Asked} asked */
  const titleOf = (asked) => (asked.file === null ? (entryOf(asked) ?? tableOf(asked))?.title ?? asked.game ?? "" : t("page.your-game"));

  /** Start a game from its card, its form or its file. @param {Partial<Asked>} given */
  async function open(given) {
    const asked = makeAsked(given);
    if (asked.file !== null) await packFile(asked.file);
    await openParty(asked, null, "mine");
  }

  /** Begin a game with several players; null: alone. @type {(asked: Asked, party: Party | null, mode: Mode) => Promise<void>} */
  async function openParty(asked, party, mode) {
    const fields = party ? writeParty(party) : {};
    const { fragment } = writeLink({ asked, mode, fields });
    history.pushState({ file: asked.file, fragment }, "", fragment);
    await lay({ asked, fields, mode }, { lines: [], kept: null });
  }

  /**
   * Ask who plays a game, and begin it; `now` is what is on the table.
   *
   * @param {Asked} asked
   * @param {string} title
   * @param {{ party?: Party | null, mode?: Mode, begun?: boolean }} [now]
   */
  async function askParty(asked, title, { party = null, mode = "mine", begun = false } = {}) {
    const [{ askPlayers }, { styled }] = await Promise.all([import("../party/players-dialog.js"), import("../boards/registry.js")]);
    await styled("party.css");
    askPlayers({ title, party, begun, begin: (chosen) => void openParty(asked, chosen, mode) });
  }

  /** Show what the address says; the signal ends when the player goes elsewhere. @param {AbortSignal} signal */
  async function route(signal) {
    try {
      const kept = location.hash.startsWith(KEPT) ? new URLSearchParams(location.hash.slice(KEPT.length)).get("id") : null;
      if (kept !== null) {
        await resume(kept);
        return;
      }
      const link = await readLink(location.hash);
      if (link && !signal.aborted) await arrive(link);
    } catch (error) {
      if (signal.aborted) return;
      page.showHome();
      page.fail(/** @type {Error} */ (error));
    }
  }

  /** Lay a game that this browser keeps on the table. @param {string} id */
  async function resume(id) {
    const kept = readKept(id);
    const link = kept && (await readLink(kept.fragment));
    if (!link) throw new LinkError(t("kept.missing"));
    if (kept.asked.file !== null) await packFile(kept.asked.file);
    await lay({ ...link, asked: kept.asked }, { lines: null, kept: kept.play });
  }

  /** Lay out the game of a link. A file that was too long for the link is kept with the history of this window only. @param {Link} link */
  async function arrive({ asked, mode, fields: { moves, ...fields } }) {
    const isOwn = history.state?.fragment === location.hash;
    const isSet = Object.keys(fields).some((name) => /^(\d+\.)?(state|id)$/.test(name));
    const lines = moves ? await unpackMoves(moves) : null;
    const before = { lines: lines ?? (isSet ? null : []), kept: isOwn ? history.state.play : null };
    const file = asked.file === "" ? isOwn && history.state.file : asked.file;
    if (file !== null && !file) throw new LinkError(t("link.no-file"));
    if (file !== null || check(asked)) await lay({ asked: { ...asked, file }, fields, mode }, before);
  }

  /** Say whether a link has all that its game needs; else open the form. @param {Asked} asked */
  function check(asked) {
    const { game: name, parameters } = asked;
    const game = entryOf(asked);
    if (!game && tableOf(asked)) return true;
    if (!game) throw new LinkError(t("page.no-such-game", { name: name ?? "" }));
    if (game.kind === "groups" && parameters.view) throw new LinkError(t("link.view"));
    const missing = game.parameters.filter((parameter) => parameter.default === "" && !parameters[parameter.name]);
    if (!missing.length) return true;
    page.showHome(asked, new LinkError(t("page.link-short", { names: missing.map((parameter) => parameter.label).join(t("page.and")) })));
    return false;
  }

  /** Load what a table needs while the game is being solved. What is solved says its kind itself. @param {Asked} asked */
  async function loadTable(asked) {
    const [{ Table }, { loadKind }] = await Promise.all([import("../table/table.js"), import("../boards/registry.js")]);
    await loadKind({ kind: entryOf(asked)?.kind ?? "any" });
    return { Table, loadKind };
  }

  /**
   * Solve the game of a link and lay it on the table. Another visit in the meantime wins.
   *
   * @type {(link: Link, before: Before) => Promise<void>}
   */
  async function lay(link, before) {
    const signal = page.leave();
    const title = titleOf(link.asked);
    try {
      const modules = loadTable(link.asked);
      modules.catch(() => {});
      const show = (/** @type {HTMLElement} */ node) => void (signal.aborted || page.show(node, title));
      const { fragment } = writeLink(link);
      const job = await solveGame(link.asked, { title, signal, cancel: page.home, show, fragment, position: positionOf(link.asked, link.fields) });
      const { Table, loadKind } = await modules;
      const kind = job && (await loadKind(job.board));
      const named = job && kind && (await lookUp(link, kind.asksRolls ? null : (fields) => void kind.read(job.board, fields)));
      const seated = kind && (await loadParty(job, link, before, { Table, kind }));
      if (signal.aborted) return;
      if (seated && named) seat(named, job, before, seated, signal);
      else page.stopped({ title, text: t("page.cancelled"), label: t("page.solve-again"), again: () => lay(link, before) });
    } catch (error) {
      if (!signal.aborted) refuse(link, before, /** @type {api.ApiError} */ (error));
    }
  }

  /**
   * A game that cannot be laid out: without an answer it is tried again, else the form or the file says what is wrong.
   *
   * @type {(link: Link, before: Before, error: api.ApiError) => void}
   */
  function refuse(link, before, error) {
    const { asked } = link;
    if (!error.status) {
      page.stopped({ title: titleOf(asked), text: t("page.offline"), label: t("page.try-again"), again: () => lay(link, before) });
      return;
    }
    history.replaceState(null, "", asked.file === null ? location.pathname : "#own");
    if (asked.file !== null) {
      page.showOwn(asked.file, error);
      return;
    }
    page.showHome(asked, error);
  }

  /**
   * Lay the position of a link on the table; one that is not understood gives way to the start of the game.
   *
   * @type {(link: Link, job: any, before: Before, modules: Seated, signal: AbortSignal) => void}
   */
  function seat(link, job, before, { Table, kind, party }, signal) {
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
    const title = job.title || titleOf(asked);
    const ask = () => void askParty(asked, title, { party, mode: laid.mode, begun: laid.play.record.length > 0 });
    const tools = job.result.two_players ? [] : [button(t("party.players"), ask, { test: "players-open", "aria-haspopup": "dialog" })];
    const opened = { asked, title, differs: differs(job, asked), mode, job: party ? forParty(job) : job, kind, party, ...start };
    /** @type {any} */
    const laid = new Table(opened, shellOf(asked, title, tools, signal));
    laid.scene.addTools(makeDevice(laid, asked, page.fail));
    page.show(laid.node, title, laid);
    /** @type {HTMLElement} */ (document.getElementById("view")).focus({ preventScroll: true });
    if (fault) page.fail(fault);
  }

  /** What the table may do with the page, until `visit` ends. @type {(asked: Asked, title: string, tools: HTMLElement[], visit: AbortSignal) => Shell} */
  function shellOf(asked, title, tools, visit) {
    let isShown = false;
    const rules = button(t("page.rules"), () => page.rules(asked, title), { test: "rules-open", "aria-haspopup": "dialog" });
    const file = asked.file === null ? [] : [button(t("page.edit-file"), () => page.showOwn(asked.file ?? ""), { test: "edit-file" })];
    return {
      fail: page.fail, clear: page.clear, tools: [rules, ...tools, ...file],
      /** Solve a game; one for another aim opens with the position on the table. */
      solve(aimed, { signal, fields, ...view } = {}) {
        const link = fields && { position: positionOf(aimed, fields), fragment: writeLink({ asked: aimed, fields }).fragment };
        return solveGame(aimed, { ...view, ...link, signal: AbortSignal.any([visit, ...(signal ? [signal] : [])]) });
      },
      lay: (link, before) => void lay(link, before),
      risk: (plan) => api.risk(api.sent(plan), visit),
      /** Keep the table in the address; a file that is too long for it is kept with the entry of the history. */
      save: (fragment, state) => history.replaceState({ ...state, file: asked.file, fragment, scroll: history.state?.scroll }, "", fragment),
      /** Keep the game in this browser; say once where that is not possible. */
      keep(facts, laid) {
        const fault = keepGame(facts, laid);
        if (fault && !isShown) page.fail(new Error(t(fault, { n: MOST_GAMES })));
        isShown = fault !== null;
      },
    };
  }

  return { open, askParty, route };
}

/**
 * The position of a link, for a solve that need not cover more: where a game is played for something else than its points.
 *
 * @type {(asked: Asked, fields: Record<string, string | number>) => { state?: string, total?: number }}
 */
function positionOf({ objective }, { state, total = 0 }) {
  return objective === null || state === undefined || !Number.isInteger(Number(total)) ? {} : { state: String(state), total: Number(total) };
}

/** What a table is made of; `party`: several players. @typedef {{ Table: any, kind: Kind, party: Party | null }} Seated */

/**
 * Load what several players need, where there are several and the game is one for one player; else give what there is.
 *
 * @type {(job: any, link: Link, before: Before, modules: { Table: any, kind: Kind }) => Promise<Seated>}
 */
async function loadParty(job, link, before, { Table, kind }) {
  const party = before.kept?.party ?? readParty(link.fields);
  if (!party || job.result.two_players) return { Table, kind, party: null };
  const [{ PartyTable, seatParty }, { styled }] = await Promise.all([import("../party/table.js"), import("../boards/registry.js")]);
  await styled("party.css");
  return { Table: PartyTable, kind: seatParty(kind, party), party };
}

/**
 * Give a link with the position that its id stands for, or that was typed in another way than `read` takes; one that is none of the game is
 * shown, and the game begins. Without `read`, only the server knows what a position is.
 *
 * @type {(link: Link, read: ((fields: Link["fields"]) => void) | null) => Promise<Link>}
 */
async function lookUp(link, read) {
  const { id, ...fields } = link.fields;
  if (id === undefined && (fields.state === undefined || (read && !faultOf(() => read(fields))))) return link;
  try {
    const { state } = await api.advise({ ...api.sent(link.asked), state: id === undefined ? fields.state : `id:${id}`, top: 1 });
    return { ...link, fields: { ...fields, state } };
  } catch (error) {
    const fault = /** @type {api.ApiError} */ (error);
    if (!fault.status) throw fault;
    return { ...link, fields, fault: id === undefined && read ? faultOf(() => read(fields)) ?? fault : fault };
  }
}

/** Give what goes wrong, if something does. @param {() => void} act @returns {Error | null} */
function faultOf(act) {
  try {
    act();
    return null;
  } catch (error) {
    return /** @type {Error} */ (error);
  }
}

/** A game as a party plays it: not as a duel, which has two sheets of its own. @param {any} job */
const forParty = (job) => ({ ...job, aims: job.aims.filter((/** @type {any} */ aim) => !DUELS.has(aim.name)), mayDuel: job.aims.some((/** @type {any} */ aim) => aim.name === "duel") });

/**
 * Take over what was on the table of the same game for another aim, where this one is another kind of table.
 *
 * @type {(kind: Kind<any, any>, board: any, from: any) => Before & { position: any }}
 */
function adopt(kind, board, from) {
  const position = kind.adopt?.(board, from) ?? null;
  return { position: position ?? kind.fresh(board), lines: position ? null : [], kept: null };
}
