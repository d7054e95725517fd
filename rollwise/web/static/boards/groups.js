/**
 * Groups: keep or reroll one die after another until the groups have the sizes of the goal.
 *
 * @import { GroupsBoard as Board, GroupsPosition as Position, Kind } from "../../types.js"
 */

import { LinkError, readNumber } from "../app/address.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** @typedef {Required<Kind<Board, Position>>} Groups */

/** @type {() => Position} */
const fresh = () => ({ held: [], hit: null, faces: [], die: null, rolls: 0 });
/** @param {Position} position */
export const isReady = ({ hit }) => hit !== null;
/** @param {Position} position */
export const rollsSoFar = (position) => position.rolls + (isReady(position) ? 1 : 0);
/** @param {number[]} sizes */
const descending = (sizes) => [...sizes].sort((a, b) => b - a);
/** @type {(board: Board, held: number[]) => boolean} */
const fits = (board, held) => held.length <= board.goal.length && held.every((size, i) => size <= board.goal[i]);
/** A face that no group shows: the highest. @type {(faces: number[], highest: number) => number} */
export const freeFace = (faces, highest) => (faces.includes(highest) ? freeFace(faces, highest - 1) : highest);
/** Faces for groups of which only the sizes are known. @type {(board: Board, count: number) => number[]} */
const anyFaces = (board, count) => Array.from({ length: count }, (_, i) => board.faces - i);
/** The place of the group that the die joins; that after the last one for a new face. @param {Position} position */
export const groupOf = ({ faces, die }) => (faces.includes(/** @type {number} */ (die)) ? faces.indexOf(/** @type {number} */ (die)) : faces.length);

/** The groups with the die, largest first. @param {Position} position */
export function withDie(position) {
  const at = groupOf(position);
  const groups = [...position.faces, ...(at === position.faces.length ? [position.die ?? 0] : [])].map((face, i) => ({ face, size: (position.held[i] ?? 0) + Number(i === at) }));
  groups.sort((a, b) => b.size - a.size);
  return { held: groups.map(({ size }) => size), faces: groups.map(({ face }) => face) };
}

/** Put a face on the die. @type {(position: Position, face: number) => Position} */
const showing = (position, face) => ({ ...position, die: face, hit: position.held[position.faces.indexOf(face)] ?? 0 });

/** @type {(board: Board, position: Position) => string} */
const text = (board, { held, hit }) => `${held.join(",") || "-"}${hit === null ? "" : ` ${hit}`}`;

/** @type {Groups["read"]} */
function read(board, { state = "-", rolls = "0", faces = "" }) {
  const [first = "-", second, ...rest] = state.trim().split(/\s+/);
  const held = descending(first === "-" ? [] : first.split(",").map((size) => readNumber(size, "group", { lowest: 1 })));
  const hit = second === undefined ? null : readNumber(second, "die");
  if (rest.length || !fits(board, held) || (hit && !held.includes(hit)) || (hit === 0 && held.length === board.faces)) {
    throw new LinkError(t("groups.no-position", { state, sizes: board.goal.join(",") }));
  }
  return { ...namedGroups(board, { held, hit }, faces), rolls: readNumber(rolls, "rolls") };
}

/** Say what the groups and the die show, where a link has only their sizes. @type {(board: Board, sizes: Pick<Position, "held" | "hit">, given: string) => Omit<Position, "rolls">} */
function namedGroups(board, { held, hit }, given) {
  const named = given.split(",").map(Number).filter((face) => face >= 1 && face <= board.faces);
  const faces = new Set(named).size === held.length ? named : anyFaces(board, held.length);
  const die = hit === null ? null : hit ? faces[held.indexOf(hit)] : freeFace(faces, board.faces);
  return { held, hit, faces, die };
}

/** @type {Groups["play"]} */
function play(board, position, move) {
  const { held, faces } = move.action === "keep" ? withDie(position) : position;
  return { held, faces, hit: null, die: null, rolls: position.rolls + 1 };
}

/**
 * Make group i one larger or smaller by hand; null where the goal does not allow it.
 *
 * @type {(board: Board, position: Position, i: number, step: number) => Position | null}
 */
export function resize(board, position, i, step) {
  const held = [...position.held];
  held[i] = (held[i] ?? 0) + step;
  const next = descending(held.filter((size) => size > 0));
  const gap = i > position.held.length;
  if (gap || (held[i] ?? 0) < 0 || !fits(board, next)) return null;
  return { ...position, held: next, faces: anyFaces(board, next.length), hit: null, die: null };
}

/** @type {Groups["score"]} */
function score(board, position) {
  return { head: plural(rollsSoFar(position), "roll"), text: t("groups.over", { sizes: board.goal.join(", ") }) };
}

/** Name what the die shows. @param {number | null} hit */
export const hitName = (hit) => (hit === 0 ? t("groups.new") : t("groups.joins", { n: String(hit) }));

/** @type {Omit<Kind<Board, Position>, "makeView">} */
export const groups = {
  fresh, read, text, play, score,
  write: (board, position) => ({ state: text(board, position), rolls: position.rolls, ...(position.faces.length ? { faces: position.faces.join(",") } : {}) }),
  recall: (board, line, before) => {
    const faces = before ? play(board, before.position, /** @type {any} */ ({ action: before.action }), []).faces.join(",") : "";
    return { ...read(board, { state: line.text, faces }), rolls: before ? before.position.rolls + 1 : 0 };
  },
  roll: (board, position, draw) => showing(position, draw(board.faces) + 1),
  ready: isReady,
  over: () => false,
  canHold: () => false,
  hold: () => [],
  action: () => null,
  enter: (position, target, face) => showing(position, Number(face)),
  clear: (position) => ({ ...position, hit: null, die: null }),
  rollsOn: () => true,
  banked: () => 0,
  moveName: (action) => (action === "keep" || action === "reroll" ? t(`groups.move.${action}`) : action),
  prompt: (board, position, mode) => (mode === "roll" ? t("tray.roll") : t("groups.tap")),
  canSetUp: true,
  brief: (state) => state.replace(/^(\S+) (\d+)$/, (_, held, hit) => `${held}; ${hitName(Number(hit))}`),
  listed: () => 2,
  ask: t("groups.ask"),
};
