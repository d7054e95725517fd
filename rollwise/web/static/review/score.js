/**
 * How a game that is over compares: with the games of perfect play, and with one's own; and a way to share it.
 *
 * @import { Asked, Graded, Outlook, TableModel } from "../../types.js"
 */

import * as api from "../app/api.js";
import { LONGEST_FILE, packMoves, writeLink } from "../app/address.js";
import { button, el, setText } from "../app/dom.js";
import { listKept, readKept } from "../saved/games.js";
import { isLoss, lossText, writersFor } from "../texts/numbers.js";
import { loadTexts, t } from "../texts/texts.js";
import { drawPicture } from "./picture.js";
import { shareResult, titleOf } from "./share.js";

/** Squares in a row, and moves from which on there are none. */
const ROW = 13;
const MOST_SQUARES = 80;
const WAIT_MS = 1500;
const MOST_WAITS = 40;
/** @type {Record<string, string>} */
const SQUARES = { inaccuracy: "🟨", mistake: "🟧", blunder: "🟥" };

/** Make what is said about the score, once its texts are there. @param {TableModel<any>} model @param {HTMLElement} place */
export async function showScore(model, place) {
  await loadTexts("learn");
  const score = scoreOf(model);
  const lower = model.outcome?.better === "lower";
  const compared = el("p", { class: "compared", test: "compared", hidden: true });
  const best = el("p", { class: "hint", test: "personal-best", text: score === null ? "" : bestText(ownResults(model.asked), score, lower) });
  const said = el("span", { class: "hint", role: "status", test: "shared" });
  let comparison = "";

  async function share() {
    const picture = await drawPicture(model, comparison);
    const done = await shareResult({ text: write(model, comparison), url: await linkOf(model), picture });
    setText(said, done.copied ? t("score.copied") : done.text);
  }

  /** Save the picture alone, as not every system shares one. */
  async function save() {
    const picture = await drawPicture(model, comparison);
    if (!picture) return;
    const link = el("a", { href: URL.createObjectURL(picture), download: picture.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), WAIT_MS);
  }
  const buttons = el("div", { class: "row" }, button(t("score.share"), () => void share(), { test: "share-result" }), button(t("score.picture"), () => void save(), { class: "quiet", test: "save-picture" }), said);
  place.replaceChildren(compared, best, buttons);
  best.hidden = !best.textContent;
  const outlook = score === null ? null : await wholeGame(model.asked, place).catch(() => null);
  if (!outlook || score === null) return;
  comparison = compare(outlook, score, lower);
  setText(compared, comparison);
  compared.hidden = false;
}

/** What a game of one player brought, in what its distribution counts; null where that is not known. @param {TableModel<any>} model */
function scoreOf({ grade, valueName, outcome, kind, position }) {
  if (outcome?.two_players || typeof grade?.total !== "number") return null;
  if (valueName.startsWith("expected ")) return Math.round(grade.total);
  return kind.banked(position) || null;
}

/**
 * How a whole game may end; the server may first have to follow it.
 *
 * @type {(asked: Asked, place: HTMLElement) => Promise<Outlook | null>}
 */
async function wholeGame(asked, place) {
  for (let i = 0; i < MOST_WAITS; i += 1) {
    const found = /** @type {any} */ (await api.distribution(api.sent(asked)));
    if (!found.preparing) return found;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (!place.isConnected) return null;
  }
  return null;
}

/**
 * The share of games of perfect play that a score is better than; equal ones are none of them.
 *
 * @type {(outlook: Outlook, score: number, lower: boolean) => number}
 */
export function shareBelow({ lowest, values, chance, rest }, score, lower) {
  const isWorse = (/** @type {number} */ value) => (lower ? value > score : value < score);
  const worse = chance.reduce((sum, share, i) => sum + (isWorse(values ? values[i] : lowest + i) ? share : 0), 0);
  return worse + (lower ? rest : 0);
}

/** @type {(outlook: Outlook, score: number, lower: boolean) => string} */
function compare(outlook, score, lower) {
  const share = Math.min(1, Math.max(0, shareBelow(outlook, score, lower)));
  const percent = Math.min(99, Math.floor(100 * share));
  return percent ? t("score.better", { percent }) : t("score.worse");
}

/** The results of one's own games by the same rules, this one included. @param {Asked} asked */
function ownResults(asked) {
  const rules = (/** @type {Partial<Asked>} */ { game, file, parameters }) => JSON.stringify([game, file, Object.entries(parameters ?? {}).sort()]);
  const own = listKept().filter(({ id, over, players }) => over && players.length === 1 && rules(readKept(id)?.asked ?? {}) === rules(asked));
  return own.map(({ players }) => Number(players[0].result)).filter(Number.isFinite);
}

/** Say whether this is the best of one's games, or how far away that is. @param {number[]} results @param {number} score @param {boolean} lower */
export function bestText(results, score, lower) {
  if (results.length < 2) return "";
  const best = lower ? Math.min(...results) : Math.max(...results);
  const isBest = lower ? score <= best : score >= best;
  return t(isBest ? "score.best" : "score.best-was", { best: String(best), n: results.length });
}

/** The result as text, without what was rolled or played. @param {TableModel<any>} model @param {string} comparison */
function write(model, comparison) {
  const { head } = model.kind.score(model.board, model.position, model);
  const grade = /** @type {Graded} */ (model.grade);
  const side = sideOf(model);
  const lost = (side === 1 ? grade.rival_mistakes : grade.mistakes) ?? 0;
  const mistakes = isLoss(lost) ? t("score.mistakes", { loss: lossText(writersFor(model.valueName), lost) }) : t("score.no-mistakes");
  return [`${titleOf()}: ${head}`, comparison, ...(side === null ? [] : [mistakes, ...squares(grade, side)])].filter(Boolean).join("\n");
}

/** Which player you are; null where two people play. @param {TableModel<any>} model */
const sideOf = ({ outcome, rival, kind, position }) => (rival ? kind.me?.(position) ?? 0 : outcome?.two_players ? null : 0);

/** A square for each move of a player, by how bad it was. @param {Graded} grade @param {number} side */
export function squares({ steps }, side) {
  const drawn = steps.filter(({ move, mover }) => move !== null && mover === side).map(({ severity }) => SQUARES[severity ?? ""] ?? "🟩");
  if (drawn.length > MOST_SQUARES) return [];
  return Array.from({ length: Math.ceil(drawn.length / ROW) }, (_, i) => drawn.slice(i * ROW, (i + 1) * ROW).join(""));
}

/** A link with all moves; one that would be too long leads to the game. @param {TableModel<any>} model */
async function linkOf({ asked, lines, kind, board, position, mode }) {
  const moves = await packMoves(lines ?? []);
  const whole = writeLink({ asked, mode, fields: { ...kind.write(board, position), moves } }).fragment;
  return location.href.replace(/#.*$/s, "") + (whole.length > LONGEST_FILE ? writeLink({ asked }).fragment : whole);
}
