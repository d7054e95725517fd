/**
 * Puzzles: positions in which the move that looks best at once is a mistake. Three a day for everybody, and as many as you like by
 * game and aim.
 *
 * The address says which: `#puzzles`, `#puzzles/day/2026-11-16`, `#puzzles/set/yatzy?aim=at-least+200&seed=7`.
 *
 * @import { Asked, Job, LaidTable, Page } from "../../types.js"
 * @import { PuzzleInfo } from "../../wire.js"
 * @typedef {{ asked: Asked, title: string, seed: number, n: number, day: string | null, choose: (found: PuzzleInfo[]) => PuzzleInfo[] }} Wanted
 */

import { LinkError, makeAsked, readLink, readNumber, writeLink } from "../app/address.js";
import { el } from "../app/dom.js";
import { solveGame } from "../app/solve-game.js";
import { loadKind, styled } from "../boards/registry.js";
import { aimText } from "../home/aims.js";
import { makeAsker } from "../lessons/requests.js";
import { loadTexts, t } from "../texts/texts.js";
import { chooseDaily, chooseSet, dayOf, planDay, POOL } from "./daily.js";
import { makeMenu } from "./menu.js";
import { makeRun } from "./run.js";

const SET = 10;
const MOST_SEED = 2 ** 31;

/** Show what the address says. @param {Page} page */
export async function showPuzzles(page) {
  const signal = page.leave();
  try {
    await Promise.all([loadTexts("learn"), styled("review.css")]);
    const wanted = await readWanted(page, location.hash);
    if (signal.aborted) return;
    if (wanted) await run(page, wanted, signal);
    else menu(page);
  } catch (error) {
    if (signal.aborted) return;
    menu(page);
    page.fail(/** @type {Error} */ (error));
  }
}

/** @param {Page} page */
function menu(page) {
  page.show(makeMenu(page, { today: dayOf(), start: (asked) => void (location.hash = setFragment(asked)) }), t("puzzle.title"));
  document.getElementById("view")?.focus({ preventScroll: true });
}

/** The address of a set that nobody has seen yet. @param {Partial<Asked>} given */
function setFragment(given) {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return `#puzzles/set/${writeLink({ asked: makeAsked(given), fields: { seed: seed % MOST_SEED } }).fragment.slice(1)}`;
}

/**
 * Read what is wanted from an address; null for the menu. Raises `LinkError`.
 *
 * @type {(page: Page, hash: string) => Promise<Wanted | null>}
 */
async function readWanted({ games }, hash) {
  const [, what, rest] = hash.match(/^#puzzles\/(day|set)\/(.+)$/s) ?? [];
  const titleOf = (/** @type {string | null} */ name) => games.find((game) => game.name === name)?.title;
  if (what === "day") {
    const plan = planDay(rest, games.map((game) => game.name));
    if (!plan) throw new LinkError(t("puzzle.no-day", { day: rest.slice(0, 40) }));
    const { game, seed, place } = plan;
    const choose = (/** @type {PuzzleInfo[]} */ found) => chooseDaily(found, place);
    return { asked: makeAsked({ game }), title: titleOf(game) ?? game, seed, n: POOL, day: rest, choose };
  }
  const link = what === "set" ? await readLink(`#${rest}`) : null;
  if (!link) return null;
  if (link.asked.file === null && !titleOf(link.asked.game)) throw new LinkError(t("puzzle.no-game", { game: link.asked.game ?? "" }));
  const seed = readNumber(link.fields.seed, "seed", { highest: MOST_SEED });
  return { asked: link.asked, title: titleOf(link.asked.game) ?? "", seed, n: SET, day: null, choose: (found) => chooseSet(found, seed, SET) };
}

/**
 * Solve the game, find the puzzles, and set them.
 *
 * @param {Page} page
 * @param {Wanted} wanted
 * @param {AbortSignal} signal
 */
async function run(page, wanted, signal) {
  const { asked, title } = wanted;
  const show = (/** @type {HTMLElement} */ node) => void (signal.aborted || page.show(node, t("puzzle.title")));
  const job = await solveGame(asked, { title, signal, cancel: page.home, show });
  if (signal.aborted) return;
  if (!job) throw new Error(t("page.cancelled"));
  const name = t("puzzle.of", { title: title || job.title });
  show(waiting(name, t("puzzle.setting"), el("progress", { "aria-label": t("puzzle.setting") })));
  const ask = makeAsker(asked);
  const [kind, found] = await Promise.all([loadKind(job.board), ask.puzzles(wanted.seed, wanted.n, signal)]);
  if (signal.aborted) return;
  const puzzles = wanted.choose(found.puzzles);
  if (!puzzles.length) {
    show(waiting(name, t("puzzle.none")));
    return;
  }
  const another = () => void (location.hash = setFragment(asked));
  lay(page, wanted, job, makeRun({ asked, kind, job, puzzles, severities: found.severities, advise: ask.advise, fail: page.fail, title: name, aim: aimOf(job), day: wanted.day, another }));
}

/** @param {Job} job */
const aimOf = ({ aims, aim }) => (aims.length > 1 ? aimText(aims, aim) : "");

/**
 * What is said where there are no puzzles, or not yet; with a way back.
 *
 * @param {string} name
 * @param {string} text
 * @param {HTMLElement} [more]
 */
const waiting = (name, text, more) =>
  el("div", { class: "panel solving", role: "status", test: more ? "setting" : "no-puzzles" }, el("h1", { text: name }), el("p", { text }), more, el("a", { href: "#puzzles", text: t("puzzle.all") }));

/**
 * Put puzzles on the page; the keys of the table hold dice and check.
 *
 * @param {Page} page
 * @param {Wanted} wanted
 * @param {Job} job
 * @param {ReturnType<typeof makeRun>} made
 */
function lay(page, { asked }, job, made) {
  const nothing = () => {};
  /** @type {LaidTable} */
  const laid = {
    node: made.node, asked, board: job.board, mode: "roll", canStep: false, stop: made.stop,
    get position() { return made.task?.board.position ?? {}; },
    tapDie: (i) => made.task?.board.tapDie(i), playSelected: () => made.task?.judge(),
    roll: nothing, undo: nothing, step: nothing, enterFace: nothing,
  };
  page.show(made.node, t("puzzle.title"), laid);
  document.getElementById("view")?.focus({ preventScroll: true });
}
