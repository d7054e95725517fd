/**
 * What this browser keeps of graded games: decisions by kind, and the positions in which something was lost, with when they are asked
 * again. An entry goes with its game (saved/games.js) and is bounded: of many errors the costliest are kept.
 *
 * @import { Asked, Graded } from "../../types.js"
 * @import { Drill } from "./schedule.js"
 * @import { Tally } from "./rating.js"
 * @typedef {{ state: string, move: string, best: string, loss: number, kind: string, drill: Drill }} Slip a move that lost something
 * @typedef {{ version: number, id: string, when: number, over: boolean, coach: boolean, asked: Asked, title: string, more: string, board: string, valueName: string,
 *   severities: Record<string, number>, kinds: Record<string, Tally>, slips: Slip[] }} GradedGame `more`: what is played for, by which rules;
 *   `board`: the kind of its board
 */

import { readStored, storage, writeStored } from "../app/storage.js";
import { GRADED } from "../saved/games.js";
import { tally } from "./rating.js";
import { isDue, isOpen, newDrill } from "./schedule.js";

const VERSION = 1;
const MOST_SLIPS = 40;
const NOTHING = 1e-9;
const SETTINGS = "rollwise.learning";

/** List what is kept, the oldest first; what is damaged is left out. @returns {GradedGame[]} */
export function listGraded() {
  const names = Object.keys(storage() ?? {}).filter((name) => name.startsWith(GRADED));
  return names.map(readStored).filter(isWhole).sort((a, b) => a.when - b.when);
}

/** @param {string} id @returns {GradedGame | null} */
export function readGraded(id) {
  const found = readStored(GRADED + id);
  return isWhole(found) ? found : null;
}

/** Keep that there is nothing to learn from a game. @param {string} id */
export const keepNothing = (id) => writeStored(GRADED + id, { none: true });

/** Whether a game was graded already. @param {string} id */
export const isGraded = (id) => readGraded(id) !== null || readStored(GRADED + id)?.none === true;

/** Keep an entry; says whether this browser does. @param {GradedGame} game */
export const keepGraded = (game) => writeStored(GRADED + game.id, game);

/** @param {any} found @returns {found is GradedGame} */
function isWhole(found) {
  const isTally = (/** @type {any} */ of) => Array.isArray(of) && of.length === 3 && of.every(Number.isFinite);
  return found?.version === VERSION && typeof found.id === "string" && Number.isFinite(found.when) && isObject(found.asked) &&
    isObject(found.severities) && isObject(found.kinds) && Object.values(found.kinds).every(isTally) &&
    Array.isArray(found.slips) && found.slips.every(isSlip);
}

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null;

/** @param {any} slip */
const isSlip = (slip) =>
  typeof slip?.state === "string" && typeof slip.move === "string" && Number.isFinite(slip.loss) && typeof slip.drill?.due === "string" && Number.isFinite(slip.drill.right);

/**
 * Give what is kept of a game; null where nothing can be, as a loss has no number, or nobody chose anything.
 *
 * @param {Graded} grade
 * @param {number} side which player is looked at
 * @param {Omit<GradedGame, "version" | "over" | "severities" | "kinds" | "slips">} about
 * @returns {GradedGame | null}
 */
export function makeGraded({ steps, over, severities }, side, about) {
  const own = steps.filter((step) => step.decision !== null && step.mover === side);
  if (!own.length || own.some(({ loss }) => typeof loss !== "number")) return null;
  const decisions = own.map(({ decision, loss, obvious }) => /** @type {[string, number, boolean]} */ ([decision, loss, obvious]));
  const costly = own.filter(({ loss }) => Number(loss) > NOTHING).sort((a, b) => Number(b.loss) - Number(a.loss)).slice(0, MOST_SLIPS);
  const slips = costly.map(({ roll, move, best, loss, decision }) =>
    /** @type {Slip} */ ({ state: roll, move, best, loss, kind: decision, drill: newDrill(about.when) }));
  return { version: VERSION, ...about, over, severities, kinds: tally(decisions), slips };
}

// What is asked again.

/** A position to be asked, and whose it is. @typedef {{ game: GradedGame, slip: Slip }} Item */

/** Whether only the best move is right, or one within an inaccuracy, too. @typedef {"best" | "close"} Strictness */

/** @returns {Strictness} */
export const readStrictness = () => (readStored(SETTINGS)?.strictness === "best" ? "best" : "close");

/** @param {Strictness} strictness */
export const keepStrictness = (strictness) => writeStored(SETTINGS, { strictness });

/** From which loss on a move is wrong. @param {GradedGame} game @param {Strictness} strictness */
export const wrongFrom = ({ severities }, strictness) => (strictness === "best" ? NOTHING : Math.max(NOTHING, Math.min(...Object.values(severities))));

/** The positions that are still to be asked, the earliest first. @param {GradedGame[]} games @param {Strictness} strictness @returns {Item[]} */
export function openItems(games, strictness) {
  const items = games.flatMap((game) => game.slips.filter(({ loss, drill }) => loss >= wrongFrom(game, strictness) && isOpen(drill)).map((slip) => ({ game, slip })));
  return items.sort((a, b) => (a.slip.drill.due < b.slip.drill.due ? -1 : a.slip.drill.due > b.slip.drill.due ? 1 : 0));
}

/** Those that are to be asked by now. @param {GradedGame[]} games @param {Strictness} strictness @param {string} today */
export const dueItems = (games, strictness, today) => openItems(games, strictness).filter(({ slip }) => isDue(slip.drill, today));

/** Keep an answer, unless the game was deleted meanwhile. @param {Item} item @param {Drill} drill */
export function keepDrill({ game, slip }, drill) {
  const kept = readGraded(game.id);
  slip.drill = drill;
  return !kept || keepGraded({ ...kept, slips: kept.slips.map((each) => (each.state === slip.state && each.move === slip.move ? { ...each, drill } : each)) });
}

/** Games by what was played, the most played first: a rating is one of the same rules and aim. @param {GradedGame[]} games */
export function groupGames(games) {
  /** @type {Map<string, GradedGame[]>} */
  const groups = new Map();
  for (const game of games) {
    const { parameters = {}, ...asked } = game.asked;
    const key = JSON.stringify([asked.game, asked.file, asked.objective, Object.entries(parameters).sort()]);
    groups.set(key, [...(groups.get(key) ?? []), game]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}
