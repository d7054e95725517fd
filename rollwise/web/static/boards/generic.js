/**
 * Any game: a position is a text that the server writes, reads and describes part by part, and the server says what may be rolled.
 *
 * @import { AnyPosition, BoardPart, Kind, RollInfo, TableModel } from "../../types.js"
 * @typedef {Required<Omit<Kind<any, AnyPosition>, "makeView">>} Any
 */

import { readNumber } from "../app/address.js";
import { countedIn, plural } from "../texts/numbers.js";
import { capital, moveName, t } from "../texts/texts.js";

const FEW = 6;

/** Lay out the game before its first roll. @type {Any["fresh"]} */
const fresh = () => ({ state: "", from: null, shown: null, total: 0 });

/** Lay out the position of a link. @type {Any["read"]} */
const read = (board, { state = "", total = "0" }) =>
  ({ ...fresh(board), state: state.trim(), total: readNumber(total, "total", { lowest: -999999 }) });

/** Write a position for a link: before a roll it is the one that the last move was made in. @type {Any["write"]} */
function write(board, { state, from, total }) {
  const text = state || from?.state;
  return { ...(text ? { state: text } : {}), ...(total ? { total: String(total) } : {}) };
}

/** Give what a move leads to: a roll that is still to come. @type {Any["play"]} */
const play = (board, { state, total }, { action, gain }) => ({ state: "", from: { state, action }, shown: null, total: total + gain });

/**
 * Put a roll on the table.
 *
 * @type {(position: AnyPosition, target: number | null, roll: Pick<RollInfo, "state" | "position">) => AnyPosition}
 */
const enter = (position, target, { state, position: shown }) => ({ ...position, state, shown: /** @type {any} */ (shown) });

/**
 * List what lies on the table; nothing where a game describes it in its own way.
 *
 * @type {(shown: Record<string, any> | null | undefined) => BoardPart[]}
 */
export function partsOf(shown) {
  if (!shown) return [];
  if (Array.isArray(shown.parts)) return shown.parts;
  const { kind: _, ...others } = shown;
  const texts = Object.entries(others).filter(([, value]) => typeof value !== "object");
  return texts.map(([name, value]) => ({ kind: "text", name, label: name.replaceAll("_", " "), text: String(value) }));
}

/**
 * List what lies on the table now, or before a roll what that leaves; null while it is not known.
 *
 * @type {(model: TableModel<AnyPosition>) => BoardPart[] | null}
 */
export function partsNow({ position, shown, rolls, stale }) {
  const found = position.shown ?? (position.state ? (stale ? null : shown?.position) : rolls?.before);
  return found ? partsOf(found) : null;
}

/** List the moves that can be tapped now; none while advice is on its way. @type {(model: TableModel<AnyPosition>) => string[]} */
export const movesNow = ({ shown, ready, stale, over }) => (shown && ready && !stale && !over ? shown.moves.map((move) => move.action) : []);

/**
 * Find a part by its name.
 *
 * @template {BoardPart["kind"]} K
 * @param {BoardPart[]} parts
 * @param {K} kind
 * @param {string} name
 */
export const partOf = (parts, kind, name) =>
  /** @type {Extract<BoardPart, { kind: K }> | undefined} */ (parts.find((part) => part.kind === kind && part.name === name));

/** What the two players are called. @param {TableModel<any>} model */
export const sidesOf = ({ rival }) => (rival ? [t("bar.you"), t("bar.computer")] : [t("duel.first"), t("duel.second")]);

/** Say whose choice it is: 0, 1, or null where no part says. @type {(position: AnyPosition) => number | null} */
export function playerOf({ shown }) {
  for (const part of partsOf(shown)) {
    if (part.kind === "mover") return part.player;
    if (part.kind === "scores") return part.mover;
  }
  return null;
}

/** Say how a game ended, and what lies on the table then. @type {Any["score"]} */
function score(board, { total }, model) {
  const end = model?.final?.value;
  const text = standOf(partsOf(model?.final?.position));
  if (model?.valueName === "win probability" && typeof end === "number") return { head: winner(board, end, model), text };
  if (model?.outcome?.two_players && end) return { head: `${winner(board, Number(Number(end) > 0), model)}: ${plural(Math.abs(Number(end)), "point")}`, text };
  if (model?.valueName === "expected total" && typeof end === "number") return { head: plural(total + end, "point"), text };
  const [counted, unit] = [model?.grade?.total, countedIn(model?.valueName ?? "")];
  return { head: unit && typeof counted === "number" ? plural(counted, unit) : t("any.over"), text };
}

/** Say in words how a game stands: the scores of the players, and what is left. @type {(parts: BoardPart[]) => string} */
function standOf(parts) {
  const texts = parts.flatMap((part) => {
    if (part.kind === "scores") return [part.values.join(" : ")];
    const left = part.kind === "set" ? part.members.filter(({ on }) => on).map(({ name }) => name) : [];
    return left.length ? [`${capital(part.label)}: ${left.join(", ")}`] : [];
  });
  return texts.length ? `${texts.join("; ")}.` : "";
}

/** @param {{ players?: number }} board @param {number} end @param {TableModel<AnyPosition>} model */
function winner({ players = 1 }, end, { rival }) {
  if (end !== 0 && end !== 1) return t("any.over");
  if (players < 2) return t(end ? "any.won" : "any.lost");
  if (rival) return t(end ? "bar.win" : "any.computer");
  return t(end ? "any.first" : "any.second");
}

/** Name the two ends of a game that is lost or won. @type {Any["ends"]} */
const ends = () => [t("any.end.lost"), t("any.end.won")];

/** Whether a position has so few moves that each gets a button. @param {TableModel<AnyPosition>} model */
export const isFew = ({ shown }) => shown !== null && shown !== undefined && shown.moves.length <= FEW;

/**
 * Say which rolls fit what was typed or tapped: all faces are among the dice, or all words in the name.
 *
 * @type {(rolls: RollInfo[], typed: string) => RollInfo[]}
 */
export function fitting(rolls, typed) {
  const faces = facesOf(rolls);
  const text = typed.trim().toLowerCase();
  if (!text) return rolls;
  if (faces.length && [...text].every((sign) => sign === " " || sign === "," || faces.includes(sign))) {
    const wanted = [...text].filter((sign) => faces.includes(sign));
    return rolls.filter((roll) => contains(roll.dice, wanted));
  }
  const words = text.split(/[\s,]+/);
  return rolls.filter((roll) => words.every((word) => roll.label.toLowerCase().includes(word)));
}

/** @param {string[]} dice @param {string[]} wanted */
function contains(dice, wanted) {
  const left = [...dice];
  return wanted.every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/**
 * List the faces that can be tapped in one by one: where every roll is of two dice or more, each of one sign.
 *
 * @type {(rolls: RollInfo[]) => string[]}
 */
export function facesOf(rolls) {
  const faces = [...new Set(rolls.flatMap((roll) => roll.dice))].sort();
  const plain = rolls.every((roll) => roll.dice.length > 1) && faces.every((face) => face.length === 1);
  return plain ? faces : [];
}

/**
 * Give the roll that the typed faces are all dice of; null while some are missing.
 *
 * @param {RollInfo[]} rolls
 * @param {string} typed
 */
export function complete(rolls, typed) {
  const faces = facesOf(rolls);
  const given = [...typed].filter((sign) => faces.includes(sign));
  return (given.length && fitting(rolls, typed).find((roll) => roll.dice.length === given.length)) || null;
}

/** @type {Omit<Kind<any, AnyPosition>, "makeView">} */
export const any = {
  fresh, read, write, play, score, ends,
  enter: /** @type {any} */ (enter),
  asksRolls: true,
  before: ({ from }) => from ?? { state: null, action: null },
  withShown: (position, shown) => ({ ...position, shown: { ...shown } }),
  turn: playerOf,
  mover: (position) => (playerOf(position) === 1 ? "rival" : "own"),
  text: (board, { state }) => state,
  ready: ({ state }) => state !== "",
  over: () => false,
  canHold: () => false,
  hold: () => [],
  action: () => null,
  clear: (position) => ({ ...position, state: "", shown: null }),
  roll: (board, position, draw, drawn) => (drawn ? enter(position, null, drawn) : position),
  rollsOn: () => true,
  banked: ({ total }) => total,
  moveName,
  prompt: (board, position, mode) => (mode === "roll" ? t("any.roll") : t("any.rolled")),
  canSetUp: false,
  brief: (state, words) => words ?? state,
  listed: () => 8,
  lists: (count) => count > FEW,
  ask: t("any.ask"),
};
