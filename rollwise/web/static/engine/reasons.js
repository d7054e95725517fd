/**
 * What a move's value is made of, and the largest of it as messages (rollwise/model/reasons.py, rollwise/playing/explain.py).
 *
 * The parts of a move add up to its value, so those of two moves, place by place, add up to the difference: the reasons.
 *
 * @import { Message } from "../texts/render.js"
 * @import { Ranked } from "./answers.js"
 */

/**
 * @typedef {{ kind: string, what: string | Message, value: number, chance?: number, scored?: number, later?: number }} Part
 * @typedef {{ kind: string, what: string | Message, value: number, mine: Part | null, other: Part | null }} Reason
 */

const ROUNDING = 1e-9;
const NAMED = 4;
const SMALL = 0.1;
const REST = 0.05;
const LIKELY = 0.005;
const FOR = ["well", "more", "sparing", "rest-more"];
const AGAINST = ["risking", "passing", "giving", "less", "spending", "needing", "rest-less"];
const SINGLE = ["well", "risking", "passing", "spending"];
/** A bonus that a move adds less to is certain, or lost, with the other move as well. */
const NEWS = 1e-4;
/** More than values in tables are rounded by. */
const ROUNDED = 1e-5;
/** The next best moves among which something in hand is looked for. */
const NEAR = 5;

/** What comes of a part now: its value over what it is worth when it does not come to it. @param {Part | null} part */
export const edgeOf = (part) => (part ? part.value - (part.later ?? 0) : 0);

/** Compare two moves part by part. @param {Part[]} mine @param {Part[]} other @returns {Reason[]} */
export function differences(mine, other) {
  const [ours, theirs] = [mine, other].map((parts) => new Map(parts.map((part) => [`${part.kind} ${JSON.stringify(part.what)}`, part])));
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((key) => {
    const [one, two] = [ours.get(key) ?? null, theirs.get(key) ?? null];
    const { kind, what } = /** @type {Part} */ (one ?? two);
    return { kind, what, value: (one?.value ?? 0) - (two?.value ?? 0), mine: one, other: two };
  });
}

/**
 * The move to compare with: the best other one; for a best move that plays on, what is in hand, where that has more than it is worth when left.
 *
 * @param {Ranked[]} ranked
 * @param {string} action
 * @param {(action: string) => boolean} ends whether a move ends the turn
 * @param {(action: string) => Part[]} parts
 */
export function rivalOf(ranked, action, ends, parts) {
  const others = ranked.filter((row) => row.action !== action);
  if (ranked[0].action === action && !ends(action)) {
    const end = others.slice(0, NEAR).find((row) => ends(row.action));
    const pays = (/** @type {Part} */ part) => part.kind === "box" && (part.chance ?? 0) > 1 - 1e-9 && edgeOf(part) > ROUNDED;
    if (end && parts(end.action).some(pays)) return end.action;
  }
  return others[0]?.action ?? null;
}

/**
 * Two moves; `points` says what a box pays, `gains` the same with bonuses, `mayFail` that it asks for dice that do not always come.
 *
 * @typedef {{ action: string, rival: string, gain: number, fills: boolean, points: (box: string) => number, gains: (box: string) => number,
 *   mayFail: (box: string) => boolean }} Pair
 */

/**
 * Name the largest parts of the difference of two moves, the side that weighs more first; null where all are too small
 * (rollwise/games/sheets/reasons.py).
 *
 * @param {Reason[]} reasons
 * @param {Pair} move `fills`: both fill a box
 * @returns {{ message: Message, named: Reason[] } | null}
 */
export function nameDifferences(reasons, move) {
  const known = [...reasons].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const largest = Math.abs(known[0]?.value ?? 0);
  const places = largest >= 1 ? 1 : 2;
  const least = Math.max(SMALL * largest, 0.5 * 10 ** -places);
  const edge = (/** @type {number} */ value) => message(places === 1 ? "edge.points" : "edge.points-fine", { n: round(value, places) });
  if (move.fills) return compareBoxes(known, move, edge, places, least);
  const named = known.slice(0, NAMED).filter(({ value }) => Math.abs(value) >= least);
  if (!named.length) return null;
  const whole = sum(known);
  const roles = named.map((reason) => roleOf(reason, move));
  const leader = named[roles.indexOf(whole >= 0 ? "more" : "less")];
  /** @type {Map<string, Message[]>} */
  const parts = new Map();
  const add = (/** @type {string} */ role, /** @type {Message} */ part) => parts.set(role, [...(parts.get(role) ?? []), part]);
  for (const [i, reason] of named.entries()) {
    const item = SINGLE.includes(roles[i]) ? singleOf(reason, roles[i], move, edge) : itemOf(reason, move, edge, reason === leader);
    add(roles[i], item);
  }
  const rest = whole - sum(named);
  if (Math.abs(rest) >= Math.max(REST * Math.abs(whole), 0.5 * 10 ** -places)) {
    const role = rest > 0 ? "more" : "less";
    add(parts.has(role) ? role : `rest-${role}`, message(parts.has(role) ? "reason.rest" : `reason.rest-${role}`, { edge: edge(rest) }));
  }
  const clause = (/** @type {string} */ role, /** @type {Message[]} */ found) => (SINGLE.includes(role) || role.startsWith("rest-") ? found[0] : message(`reason.${role}`, { parts: found }));
  const sides = [FOR, AGAINST].map((side) => side.flatMap((role) => {
    const found = parts.get(role);
    return found ? [clause(role, found)] : [];
  }));
  const [first, others] = whole >= 0 ? sides : sides.reverse();
  return { message: joinSides(first, others), named };
}

/** @type {(first: Message[], others: Message[]) => Message} */
const joinSides = (first, others) => (first.length && others.length ? message("reason.but", { reasons: first, others }) : message("reason.side", { reasons: first.length ? first : others }));

/**
 * Compare filling two boxes: the points now, the bonuses, and what the box that stays open is worth more than the other.
 *
 * @type {(known: Reason[], move: Pair, edge: (value: number) => Message, places: number, least: number) => ReturnType<typeof nameDifferences>}
 */
function compareBoxes(known, { action, rival, gain, points, gains }, edge, places, least) {
  const now = gains(action) - gains(rival);
  const plain = [action, rival].every((box) => gains(box) === points(box));
  const named = plain ? known.filter(({ kind, value }) => kind !== "box" && Math.abs(value) >= least) : [];
  const later = gain - now - sum(named);
  /** @type {Message[][]} */
  const sides = [[], []];
  const add = (/** @type {number} */ value, /** @type {Message} */ clause) => sides[value > 0 === gain >= 0 ? 0 : 1].push(clause);
  if (now) add(now, message(now > 0 ? "reason.now-more" : "reason.now-less", { n: Math.abs(now) }));
  for (const { what, value } of named) add(value, message(value > 0 ? "reason.more" : "reason.less", { parts: [message("reason.part", { what, edge: edge(value) })] }));
  const size = round(Math.abs(later), places);
  if (size && Math.abs(later) >= REST * Math.abs(gain)) {
    add(later, message(later > 0 ? "reason.open-more" : "reason.open-less", { mine: rival, rival: action, n: size }));
  }
  return sides.flat().length ? { message: joinSides(sides[0], sides[1]), named } : null;
}

/** Whether a bonus that a move earns is news: the other move does not earn it as well, now or later. @type {(bonus: number, reasons: Reason[], move: Pair | null) => boolean} */
export function earnsMore(bonus, reasons, move) {
  if (move?.fills) return move.gains(move.rival) - move.points(move.rival) < bonus;
  return !move || sum(reasons.filter(({ kind }) => kind === "bonus" || kind === "joker")) > NEWS;
}

/** @param {Reason[]} reasons */
const sum = (reasons) => reasons.reduce((total, { value }) => total + value, 0);

/**
 * What a move does to a part: it fills a box now, risks it, needs it more or less often, or gets more or less from it.
 *
 * @type {(reason: Reason, move: Pair) => string}
 */
function roleOf({ kind, what, value, mine, other }, { action, rival, points, mayFail }) {
  const better = value > 0;
  const [chance, others] = [mine?.chance ?? 0, other?.chance ?? 0];
  if (kind === "box" && Math.abs(chance - others) > ROUNDING) {
    const name = String(what);
    if (name === action) return better ? "well" : points(name) ? "spending" : "giving";
    if (name === rival && !better && points(name)) return (mine?.scored ?? 0) < LIKELY ? "passing" : mayFail(name) ? "risking" : "less";
    if (chance < others && others < 1 - ROUNDING && better && edgeOf(mine) <= -edgeOf(other)) return "sparing";
    if (chance > others && !better && edgeOf(other) <= -edgeOf(mine)) return "needing";
  }
  return better ? "more" : "less";
}

/**
 * Name a box that one of the moves fills: by its points now and, where the other may miss it, the chance to score it.
 *
 * @type {(reason: Reason, role: string, move: Pair, edge: (value: number) => Message) => Message}
 */
function singleOf({ what, value, mine, other }, role, { points, mayFail }, edge) {
  const name = String(what);
  const chance = roundChance((role === "well" ? other : mine)?.scored ?? 0);
  const known = { what: name, edge: edge(value) };
  if (role === "risking") return message("reason.risking", { ...known, chance });
  const paid = { ...known, points: points(name) };
  if (role !== "well") return message(`reason.${role}`, paid);
  return mayFail(name) && chance >= LIKELY && chance < 1 ? message("reason.well", { ...paid, chance }) : message("reason.well-open", paid);
}

/**
 * Name a part; where it leads and may fail, by the chances to score it.
 *
 * @type {(reason: Reason, move: Pair, edge: (value: number) => Message, leads: boolean) => Message}
 */
function itemOf({ kind, what, value, mine, other }, { mayFail }, edge, leads) {
  const known = { what, edge: edge(value) };
  if (leads && kind === "box" && mayFail(String(what))) {
    const [chance, others] = [mine, other].map((part) => roundChance(part?.scored ?? 0));
    if (chance && chance !== others && chance > others === value > 0) {
      return others >= LIKELY ? message("reason.chances", { ...known, chance, other: others }) : message("reason.chance", { ...known, chance });
    }
  }
  return message("reason.part", known);
}

/**
 * The sentence about a move: its name, the move beside it, by how much it is better or worse, and why (rollwise/model/reasons.py).
 *
 * @type {(move: Message | string, rival: Message | string | null, gain: number, because: Message | null) => Message}
 */
export function compareMoves(move, rival, gain, because) {
  const side = gain > 0 ? "better" : "worse";
  const even = rival !== null && Math.abs(gain) < ROUNDED;
  const sentence = rival === null ? message("reason.only", { move })
    : even ? message("reason.equal", { move, rival })
      : message("reason.rather", { move, rival, margin: message(`margin.points-${side}`, { n: sizeOf(Math.abs(gain)) }) });
  return because && !even ? message("reason.because", { told: sentence, because }) : message("reason.sentence", { told: sentence });
}

/** How much a move is better, with as many digits as people say. @param {number} size */
const sizeOf = (size) => (size >= 0.1 ? round(size, size >= 1 ? 1 : 2) : Number(size.toPrecision(1)));

/** @param {string} key @param {import("../texts/render.js").Args} [args] @returns {Message} */
export const message = (key, args = {}) => ({ key, args });

/** Round as the library does: ties go to the even digit. @param {number} number @param {number} places */
export function round(number, places) {
  const scaled = Math.abs(number) * 10 ** places;
  const down = Math.floor(scaled);
  const isTie = scaled - down === 0.5 && Number.isInteger(8 * number);
  return isTie ? (Math.sign(number) * (down + (down % 2))) / 10 ** places : Number(number.toFixed(places));
}

/** Round a chance to what is written of it (rollwise/model/message.py). @param {number} chance */
export function roundChance(chance) {
  if (chance > 0.995 && chance < 1 - 1e-9) return 0.999;
  return chance >= 0.005 || !chance ? round(100 * chance, 0) / 100 : Number(chance.toPrecision(2));
}
