/**
 * Several players, each with a game of their own, taking turns: any kind of game for one player, played by a party.
 *
 * A position is that of the player whose turn it is, as in the game alone, and `party` beside it: whose turn it is, and a seat for
 * every player. A turn ends with a move after which nothing is rolled, or with the player's game. Lines of the record say whose they
 * are, so that each player's game can be taken out of it and graded.
 *
 * @import { Fields, Kind, Line } from "../../types.js"
 * @typedef {{ state: string, action: string, banked: number | null, after?: number }} Last what a player did last, and what was banked before
 *   it; where that is not known, the total after it
 * @typedef {{ position: any, last: Last | null, over: boolean, result: number | null }} Seat
 * @typedef {{ mover: number, seats: Seat[] }} Seats
 * @typedef {{ names: string[], coached: boolean[], odds: boolean, exact?: boolean }} Party `exact`: the duel of two is solved
 */

import { LinkError, readNumber } from "../app/address.js";
import { countedIn } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

export const MOST_PLAYERS = 8;
export const LONGEST_NAME = 16;

/** Make a name fit for a column and a link: one line without commas, not too long. @param {string} text */
export const tidyName = (text) => [...text.replaceAll(/[,\s]+/g, " ").trim()].slice(0, LONGEST_NAME).join("").trim();

/** Name the players; who has no name is called by the place at the table. @param {string[]} names */
export const nameAll = (names) => names.slice(0, MOST_PLAYERS).map((name, i) => tidyName(name) || t("party.player", { n: i + 1 }));

/** Say who plays and who is coached, in the fields of a link. @param {Party} party @returns {Record<string, string>} */
export function writeParty({ names, coached }) {
  const players = names.join(",");
  return coached.every(Boolean) ? { players } : { players, coach: coached.map((on) => (on ? "1" : "0")).join("") };
}

/** Read who plays from the fields of a link; null for a game of one. @param {Fields} fields @returns {Party | null} */
export function readParty({ players, coach = "" }) {
  const names = (players ?? "").split(",").slice(0, MOST_PLAYERS);
  if (!players || names.length < 2) return null;
  return { names: nameAll(names), coached: names.map((_, i) => coach[i] !== "0"), odds: true };
}

/**
 * The rules of a table for a party that plays games of this kind.
 *
 * @type {(kind: Kind<any, any>, names: string[]) => Kind<any, any> & { endSeat(position: any, result: number | null): any }}
 */
export function partyOf(kind, names) {
  /** Do as the kind does, and leave the party as it is. @param {(...given: any[]) => any} act @param {number} [at] where the position is given */
  const kept = (act, at = 1) => (/** @type {any[]} */ ...given) => ({ ...act(...given), party: given[at].party });
  /** @type {(board: any) => Seat} */
  const emptySeat = (board) => ({ position: kind.fresh(board), last: null, over: false, result: null });
  /** @type {(board: any, position: any) => Line} */
  const lineOf = (board, position) => kind.line?.(board, position) ?? { kind: "roll", text: kind.text(board, position) };

  /** @type {(board: any, fields: Fields) => Seat} */
  function readSeat(board, { was, did, had, then, over, ...own }) {
    if (!Object.keys(own).length && over === undefined) return emptySeat(board);
    const position = kind.read(board, own);
    const done = over !== undefined || kind.over(position);
    const last = readLast({ was, did, had, then });
    const result = over ? Number(over) : done ? resultOf(position) : null;
    if (Number.isNaN(result)) throw new LinkError(t("party.link-end", { text: over }));
    return { position, last, over: done, result };
  }

  return {
    ...kind,
    fresh: (board) => ({ ...kind.fresh(board), party: { mover: 0, seats: names.map(() => emptySeat(board)) } }),
    read(board, fields) {
      const seats = names.map((_, i) => readSeat(board, fieldsOf(fields, i)));
      const mover = readNumber(fields.turn ?? "1", "turn", { lowest: 1, highest: names.length }) - 1;
      return { ...seats[mover].position, party: { mover, seats } };
    },
    /** Write the fields of a link: each player's own, with the number of the seat before them. */
    write(board, position) {
      const { mover, seats } = position.party;
      /** @type {Record<string, string | number>} */
      const fields = mover ? { turn: mover + 1 } : {};
      positionsOf(position).forEach((own, i) => {
        const { last, over, result } = seats[i];
        const begun = last || over || i === mover;
        const end = over ? { over: result ?? "" } : {};
        const all = { ...(begun ? kind.write(board, own) : {}), ...(last ? writeLast(last) : {}), ...end };
        for (const [name, value] of Object.entries(all)) fields[`${i + 1}.${name}`] = value;
      });
      return fields;
    },
    play(board, position, move, held) {
      const own = kind.play(board, alone(position), move, held);
      if (kind.rollsOn(move)) return { ...own, party: position.party };
      const last = { state: lineOf(board, position).text, action: move.action, banked: kind.banked(position) };
      const over = kind.over(own);
      return passOn(position.party, { position: own, last, over, result: over ? resultOf(own) : null });
    },
    enter: kept(kind.enter, 0),
    clear: kept(kind.clear, 0),
    roll: kept(kind.roll),
    ...(kind.withShown ? { withShown: kept(kind.withShown, 0) } : {}),
    line: (board, position) => ({ ...lineOf(board, position), player: position.party.mover }),
    sent: (board, { player: _, ...line }) => kind.sent?.(board, line) ?? line,
    over: ({ party }) => party.seats.every((/** @type {Seat} */ seat) => seat.over),
    ready: (position) => !position.party.seats[position.party.mover].over && kind.ready(position),
    adopt: undefined,
    /** End the game of the player whose turn it is, where only the server knows that it is over. */
    endSeat: (position, result) =>
      passOn(position.party, { ...position.party.seats[position.party.mover], position: alone(position), over: true, result }),
    prompt: (board, position, mode) => `${names[position.party.mover]}: ${kind.prompt(board, position, mode)}`,
    score: (board, position, model) => resultsText(/** @type {any} */ (model).party, model?.valueName ?? ""),
    canSetUp: false,
  };
}

/** A position without the party. @param {any} position */
export const alone = ({ party: _, ...own }) => own;

/** The position of every player, the live one of the mover included. @param {any} position @returns {any[]} */
export const positionsOf = (position) =>
  position.party.seats.map((/** @type {Seat} */ seat, /** @type {number} */ i) => (i === position.party.mover && !seat.over ? alone(position) : seat.position));

/** What a player has at the end, as far as the position says it. @param {any} position @returns {number | null} */
const resultOf = ({ total }) => (typeof total === "number" ? total : null);

/** Put what a player leaves behind on their seat, and give the turn to the next who is not done. @param {Seats} party @param {Seat} left */
export function passOn({ mover, seats: before }, left) {
  const seats = before.map((seat, i) => (i === mover ? left : seat));
  const order = seats.map((_, i) => (mover + 1 + i) % seats.length);
  const next = order.find((i) => !seats[i].over) ?? mover;
  return { ...seats[next].position, party: { mover: next, seats } };
}

/** @param {Last} last @returns {Record<string, string | number>} */
const writeLast = ({ state, action, banked, after = 0 }) => ({ was: state, did: action, ...(banked === null ? { then: after } : { had: banked }) });

/** @param {Fields} fields @returns {Last | null} */
function readLast({ was, did, had, then }) {
  if (!was || !did) return null;
  const points = (/** @type {string | undefined} */ text) => readNumber(text ?? "0", "banked", { lowest: -99999 });
  return then === undefined ? { state: was, action: did, banked: points(had) } : { state: was, action: did, banked: null, after: points(then) };
}

/** The fields of one seat. @param {Fields} fields @param {number} i @returns {Fields} */
function fieldsOf(fields, i) {
  const head = `${i + 1}.`;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith(head)).map(([name, value]) => [name.slice(head.length), value]));
}

/**
 * The lines of one player's game; null where the record does not hold all of it.
 *
 * @type {(record: any[] | null, player: number) => Line[] | null}
 */
export function linesOfSeat(record, player) {
  if (!record || record.some((line) => line.kind === "written" && line.player === player)) return null;
  let mine = false;
  return record.filter((line) => {
    if (line.kind === "roll") mine = line.player === player;
    return mine && (line.kind === "roll" || line.kind === "move");
  });
}

/**
 * The places of players by what they have, best first; who has the same shares a place.
 *
 * @type {(results: (number | null)[], better: "higher" | "lower") => (number | null)[]}
 */
export function placesOf(results, better) {
  const beats = (/** @type {number} */ a, /** @type {number} */ b) => (better === "higher" ? a > b : a < b);
  return results.map((own) => (own === null ? null : 1 + results.filter((other) => other !== null && beats(other, own)).length));
}

/** Write what a player has at the end. @param {number} result @param {string} valueName @param {string} [unit] */
function writeResult(result, valueName, unit = "") {
  if (valueName === "win probability" && (result === 0 || result === 1)) return t(result ? "party.won" : "party.lost");
  if (valueName === "expected total" || valueName === "win probability") return t("n.point", { n: result });
  const counted = countedIn(valueName);
  return counted ? t(`n.${counted}`, { n: result }) : `${result} ${unit}`.trim();
}

/**
 * Say who won, and how the others did.
 *
 * @param {{ names: string[], results: (number | null)[], places: (number | null)[], viewed: number, unit?: string }} party
 * @param {string} valueName
 */
export function resultsText({ names, results, places, viewed, unit }, valueName) {
  const written = (/** @type {number} */ i) => writeResult(/** @type {number} */ (results[i]), valueName, unit);
  const order = names.map((_, i) => i).filter((i) => places[i] !== null).sort((a, b) => Number(places[a]) - Number(places[b]));
  const first = order.filter((i) => places[i] === 1);
  const nobody = first.length > 0 && results[first[0]] === 0 && valueName === "win probability" && first.length === names.length;
  const others = order.filter((i) => places[i] !== 1).map((i) => t("party.rank", { place: String(places[i]), name: names[i], result: written(i) }));
  const head = nobody ? t("party.nobody") : first.length ? firstText(first.map((i) => names[i]), written(first[0])) : t("any.over");
  return { head, text: [others.length ? `${others.join(", ")}.` : "", t("party.below", { name: names[viewed] })].filter(Boolean).join(" ") };
}

/** @param {string[]} names @param {string} result */
function firstText(names, result) {
  if (names.length === 1) return t("party.wins", { name: names[0], result });
  return t("party.tie", { names: t("party.and", { names: names.slice(0, -1).join(", "), last: names[names.length - 1] }), result });
}
