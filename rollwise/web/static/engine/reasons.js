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
const LIKELY = 0.005;
const FOR = ["well", "more", "saving", "rest-more"];
const AGAINST = ["passing", "giving", "less", "spending", "rest-less"];
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
 * Name the largest parts of the difference of two moves, the side that weighs more first; null where all are too small
 * (rollwise/games/sheets/reasons.py). `points` says what a box pays, `mayFail` that it asks for dice that do not always come.
 *
 * @param {Reason[]} reasons
 * @param {{ action: string, rival: string, points: (box: string) => number, mayFail: (box: string) => boolean }} move
 * @returns {{ message: Message, bonus: boolean } | null} `bonus`: it names the upper bonus
 */
export function nameDifferences(reasons, move) {
  const known = [...reasons].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const largest = Math.abs(known[0]?.value ?? 0);
  const places = largest >= 1 ? 1 : 2;
  const least = Math.max(SMALL * largest, 0.5 * 10 ** -places);
  const named = known.slice(0, NAMED).filter(({ value }) => Math.abs(value) >= least);
  if (!named.length) return null;
  const edge = (/** @type {number} */ value) => message(places === 1 ? "edge.points" : "edge.points-fine", { n: round(value, places) });
  const ahead = sum(known) >= 0;
  const roles = named.map((reason) => roleOf(reason, move));
  const leader = roles.indexOf(ahead ? "more" : "less");
  /** @type {Map<string, Message[]>} */
  const parts = new Map();
  const add = (/** @type {string} */ role, /** @type {Message} */ part) => parts.set(role, [...(parts.get(role) ?? []), part]);
  for (const [i, reason] of named.entries()) {
    const [key, more] = itemOf(reason, roles[i], move, i === leader);
    add(roles[i], message(key, { what: reason.what, edge: edge(reason.value), ...more }));
  }
  const rest = sum(known.slice(named.length));
  if (Math.abs(rest) >= least) {
    const role = rest > 0 ? "more" : "less";
    add(parts.has(role) ? role : `rest-${role}`, message("reason.part", { what: message("reason.rest"), edge: edge(rest) }));
  }
  const sides = [FOR, AGAINST].map((side) => side.flatMap((role) => {
    const found = parts.get(role);
    return found ? [message(`reason.${role.replace("rest-", "")}`, { parts: found })] : [];
  }));
  const [first, others] = ahead ? sides : sides.reverse();
  const told = first.length && others.length ? message("reason.but", { reasons: first, others }) : message("reason.side", { reasons: first.length ? first : others });
  return { message: told, bonus: named.some(({ kind }) => kind === "bonus") };
}

/** @param {Reason[]} reasons */
const sum = (reasons) => reasons.reduce((total, { value }) => total + value, 0);

/**
 * What a move does to a part: it fills a box now, leaves it open for later, uses it up, or gets more or less from it.
 *
 * @type {(reason: Reason, move: Parameters<typeof nameDifferences>[1]) => string}
 */
function roleOf({ kind, what, value, mine, other }, { action, rival, points }) {
  const better = value > 0;
  const [chance, others] = [mine?.chance ?? 0, other?.chance ?? 0];
  if (kind === "box" && Math.abs(chance - others) > ROUNDING) {
    const pays = () => points(String(what)) > 0;
    if (what === action) return better ? "well" : pays() ? "spending" : "giving";
    if (chance < others && better && edgeOf(mine) <= -edgeOf(other)) return "saving";
    if (what === rival && !better && pays()) return "passing";
    if (chance > others && !better && edgeOf(other) <= -edgeOf(mine)) return "spending";
  }
  return better ? "more" : "less";
}

/**
 * How a part is named: by the points passed up or, where it leads and may fail, by the chances to score it.
 *
 * @type {(reason: Reason, role: string, move: Parameters<typeof nameDifferences>[1], leads: boolean) => [string, import("../texts/render.js").Args]}
 */
function itemOf({ kind, what, value, mine, other }, role, { points, mayFail }, leads) {
  if (role === "passing") return ["reason.points", { points: points(String(what)) }];
  if (leads && kind === "box" && mayFail(String(what))) {
    const [chance, others] = [mine, other].map((part) => roundChance(part?.scored ?? 0));
    if (chance && chance !== others && chance > others === value > 0) {
      return others >= LIKELY ? ["reason.chances", { chance, other: others }] : ["reason.chance", { chance }];
    }
  }
  return ["reason.part", {}];
}

/**
 * The sentence about a move: its name, the move beside it, by how much it is better or worse, and why (rollwise/model/reasons.py).
 *
 * @type {(move: Message | string, rival: Message | string | null, gain: number, because: Message | null) => Message}
 */
export function compareMoves(move, rival, gain, because) {
  const side = gain > 0 ? "better" : "worse";
  const told = rival === null ? message("reason.only", { move })
    : Math.abs(gain) < ROUNDED ? message("reason.equal", { move, rival })
      : message(`reason.${side}`, { move, rival, margin: message(`margin.points-${side}`, { n: sizeOf(Math.abs(gain)) }) });
  return because ? message("reason.because", { told, because }) : message("reason.sentence", { told });
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
