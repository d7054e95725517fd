/**
 * A duel on score sheets: two sheets, whose players take turns. A position is the mover's, as on one sheet, and the other's sheet beside it.
 *
 * @import { DiceKind, DuelBoard, DuelPosition, Fields } from "../../types.js"
 * @typedef {Required<DiceKind<DuelBoard, DuelPosition>>} Duel
 */

import { LinkError, readNames, readNumber, readPairs, writeNames, writePairs } from "../app/address.js";
import { t } from "../texts/texts.js";
import { sheet } from "./sheet.js";

/** What is on a sheet: all that a turn does not need. @param {any} position @returns {any} */
const paper = ({ open, points, upper, primed, total, jokers = 0 }) => ({ open, points, upper, primed, total, jokers });

/** Begin: empty sheets. A player who is bound to a strategy is never you. @type {Duel["fresh"]} */
function fresh(board) {
  const own = sheet.fresh(board);
  return { ...own, mover: 0, me: board.bound === 0 ? 1 : 0, other: paper(own) };
}

/** @param {DuelBoard} board */
const namesOf = (board) => board.boxes.map((box) => box.name);

/**
 * Write a position: the mover's own, which is a text already, the other's sheet, and the lead of the mover, who has `total`.
 *
 * @type {(board: DuelBoard, own: string, other: DuelPosition["other"], total: number) => string}
 */
export function writeDuel(board, own, other, total) {
  const upper = board.bonus ? ` upper ${other.upper}` : "";
  return `${own} vs ${writeNames(other.open, namesOf(board))}${upper}${other.primed ? " primed" : ""} lead ${total - other.total}`;
}

/** @type {Duel["text"]} */
const text = (board, position) => writeDuel(board, sheet.text(board, position), position.other, position.total);

/** @type {Duel["write"]} */
function write(board, position) {
  const { state: _, ...own } = sheet.write(board, position);
  const points = writePairs(position.other.points);
  return { state: text(board, position), ...own, "other-total": position.other.total, ...(points && { "other-points": points }), ...(position.me && { me: "second" }) };
}

/** @type {Duel["read"]} */
function read(board, fields) {
  const begin = fresh(board);
  const { state } = fields;
  if (!state) return { ...begin, me: seatOf(board, fields) };
  const [, sides = "", lead] = state.trim().match(/^(.+) lead (-?\d+)$/) ?? [];
  const own = sides.slice(0, Math.max(0, sides.lastIndexOf(" vs ")));
  const rest = sides.slice(own.length + " vs ".length);
  if (!own || !rest) throw new LinkError(t("duel.no-position", { state }));
  const other = readPaper(board, rest, fields);
  const total = fields.total ?? String(Number(lead) + other.total);
  const mover = sheet.read(board, { ...fields, state: own, total });
  const ahead = mover.open.length - other.open.length;
  if (ahead !== 0 && ahead !== 1) throw new LinkError(t("duel.no-turns"));
  return { ...mover, mover: ahead ? 1 : 0, me: seatOf(board, fields), other: { ...other, total: mover.total - Number(lead) } };
}

/** @type {(board: DuelBoard, fields: Fields) => 0 | 1} */
const seatOf = (board, { me }) => (typeof board.bound === "number" ? /** @type {0 | 1} */ (1 - board.bound) : me === "second" ? 1 : 0);

/** @param {DuelBoard} board @param {string} rest @param {Fields} fields */
function readPaper(board, rest, fields) {
  const [boxes, ...words] = rest.split(/\s+/);
  const open = readNames(boxes, namesOf(board));
  const known = readPairs(fields["other-points"], namesOf(board));
  const upper = words.includes("upper") ? readNumber(words[words.indexOf("upper") + 1], "upper total") : 0;
  const filled = namesOf(board).filter((name) => !open.includes(name));
  const points = Object.fromEntries(filled.map((name) => [name, known[name] ?? null]));
  const total = readNumber(fields["other-total"] ?? "0", "other-total", { lowest: -99999 });
  return { open, points, upper, primed: words.includes("primed"), total, jokers: 0 };
}

/** @type {Duel["play"]} */
function play(board, position, move, held) {
  if (sheet.rollsOn(move)) return /** @type {DuelPosition} */ (sheet.play(board, position, move, held));
  const { mover, me, other } = position;
  const after = move.after.match(/ vs (.+) lead /)?.[1] ?? "";
  const filled = sheet.play(board, position, { ...move, after: `- 0 ${after}` }, held);
  return { ...sheet.fresh(board), ...other, mover: mover ? 0 : 1, me, other: paper(filled) };
}

/**
 * The position of a roll in a record; what the boxes of both sheets hold follows from the position and the move before it.
 *
 * @type {Duel["recall"]}
 */
function recall(board, { text: said }, before) {
  if (!before) return read(board, /** @type {Fields} */ ({ state: said }));
  const { position, action } = before;
  const [lead, next] = [position.total - position.other.total, Number(said.match(/ lead (-?\d+)$/)?.[1] ?? 0)];
  const move = /** @type {any} */ ({ action, gain: sheet.rollsOn(/** @type {any} */ ({ action })) ? 0 : -next - lead, after: said });
  const { total, points, jokers, other, me } = play(board, position, move, sheet.hold(board, position, action));
  const found = read(board, /** @type {any} */ ({ state: said, total: String(total), "other-total": String(other.total) }));
  return { ...found, me, points, jokers, other };
}

/** Your sheet and the other's, whoever moves. @param {DuelPosition} position */
export function papersOf(position) {
  const sheets = position.mover === position.me ? [paper(position), position.other] : [position.other, paper(position)];
  return { mine: sheets[0], theirs: sheets[1] };
}

/** @type {Duel["score"]} */
function score(board, position) {
  const { mine, theirs } = papersOf(position);
  const lead = mine.total - theirs.total;
  const head = lead > 0 ? t("duel.win", { n: lead }) : lead < 0 ? t("duel.lose", { n: -lead }) : t("duel.tie");
  return { head, text: t("duel.full", { mine: String(mine.total), theirs: String(theirs.total) }) };
}

/** @param {DuelPosition} position */
const isOver = (position) => !position.open.length && !position.other.open.length;

/** Lay a sheet of one player out as yours in a duel that begins. @type {Duel["adopt"]} */
const adopt = (board, position) => (position.open?.length === board.boxes.length ? fresh(board) : null);

/** @type {any} */
export const duelSheet = {
  ...sheet,
  fresh, read, write, text, recall, play, score, adopt,
  line: undefined,
  sent: undefined,
  turn: (/** @type {DuelPosition} */ { mover }) => mover,
  ready: (/** @type {DuelPosition} */ position) => !isOver(position) && sheet.ready(position),
  over: isOver,
  banked: () => 0,
  me: (/** @type {DuelPosition} */ { me }) => me,
  mover: (/** @type {DuelPosition} */ { mover, me }) => (mover === me ? "own" : "rival"),
  roll: (/** @type {DuelBoard} */ board, /** @type {DuelPosition} */ position, /** @type {any} */ draw) => sheet.roll(board, position, draw),
  canSetUp: false,
  firstRival: (/** @type {string[]} */ names) => names[0] ?? null,
  brief: (/** @type {string} */ state) => state.replace(/^(\S+) (\d+) .* lead (-?\d+)$/, (_, dice, left, lead) => t("duel.brief", { dice, left, lead })),
};
