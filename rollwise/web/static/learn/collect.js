/**
 * Grading saved games that are over, once each, so that there is something to learn from them.
 *
 * @import { Asked, Job } from "../../types.js"
 * @import { Entry, Laid } from "../saved/games.js"
 */

import { solveGame } from "../app/solve-game.js";
import { loadKind } from "../boards/registry.js";
import { aimText } from "../home/aims.js";
import { makeAsker } from "../lessons/requests.js";
import { listKept, readKept } from "../saved/games.js";
import { linesOf } from "../table/game.js";
import { isGraded, keepGraded, keepNothing, makeGraded } from "./graded.js";

/** What grading a game takes, solved once for all games of the same rules and aim. @typedef {{ job: Job | null, ask: ReturnType<typeof makeAsker> }} Solved */

/** The games that are still to be graded: those of one player, or against the computer, from their start to their end. */
export function listUngraded() {
  const over = listKept().filter(({ id, over: ended, players }) => ended && players.length === 1 && !isGraded(id));
  const found = over.map((entry) => ({ entry, laid: /** @type {Laid} */ (readKept(entry.id)) }));
  return found.filter(({ laid }) => laid && laid.asked && !laid.play.party && linesOf(laid.play)?.length);
}

/**
 * Grade them, the latest first; `report` is called for each that is done. What cannot be graded now, as the server does not answer, is tried
 * again another time. Gives how many could not be.
 *
 * @type {(games: ReturnType<typeof listUngraded>, how: { signal: AbortSignal, report: (title: string, left: number) => void }) => Promise<number>}
 */
export async function gradeSaved(games, { signal, report }) {
  /** @type {Map<string, Promise<Solved>>} */
  const solved = new Map();
  let failed = 0;
  for (const [i, { entry, laid }] of games.entries()) {
    report(entry.title, games.length - i);
    const key = JSON.stringify(laid.asked);
    const found = solved.get(key) ?? solve(laid.asked, signal);
    solved.set(key, found);
    const done = await found.then((game) => gradeOne(entry, laid, game)).catch(() => false);
    if (signal.aborted) return failed;
    failed += Number(!done);
  }
  return failed;
}

/** @type {(asked: Asked, signal: AbortSignal) => Promise<Solved>} */
const solve = async (asked, signal) => ({ job: await solveGame(asked, { signal }), ask: makeAsker(asked) });

/** Grade a game and keep what came of it; says whether that was possible. @type {(entry: Entry, laid: Laid, solved: Solved) => Promise<boolean>} */
async function gradeOne({ id, when, title, differs }, { asked, play }, { job, ask }) {
  if (!job?.result) return false;
  const rival = play.rival ?? null;
  if (job.result.two_players && !rival) return keepNothing(id); // nobody knows which player you were
  const kind = await loadKind(job.board);
  const lines = (linesOf(play) ?? []).map((line) => kind.sent?.(job.board, line) ?? line);
  const side = rival ? kind.me?.(play.position) ?? 0 : 0;
  const more = [differs, job.aims.length > 1 && asked.objective !== null ? aimText(job.aims, job.aim) : ""].filter(Boolean).join(", ");
  const about = { id, when, title, more, asked, coach: Boolean(play.coach), board: job.board.kind, valueName: job.result.value_name };
  const graded = makeGraded(await ask.grade(lines), side, about);
  return graded ? keepGraded(graded) : keepNothing(id);
}
