/**
 * Dice that score together. A set is a text of faces in order, such as 155.
 *
 * @typedef {Record<string, number>} Sets points by set
 */

/** What is left of dice when others are taken from them; null where those are not among them. @param {string} dice @param {string} others */
function without(dice, others) {
  const left = [...dice];
  for (const face of others) {
    const at = left.indexOf(face);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left.join("");
}

/** The most points that some of these dice make. @param {string} dice @param {Sets} sets */
export const bestOf = (dice, sets) =>
  Math.max(0, ...Object.entries(sets).filter(([set]) => without(dice, set) !== null).map(([, points]) => points));

/**
 * Say which dice are held after a tap on die i: with it the fewest others that it needs to score, or without it what still scores.
 * Null where it cannot score.
 *
 * @type {(dice: string[], held: boolean[], i: number, sets: string[]) => boolean[] | null}
 */
export function holdWith(dice, held, i, sets) {
  const isTaken = held[i];
  const rest = dice.filter((_, k) => held[k] && k !== i).join("");
  const wanted = isTaken ? rest : [...rest, dice[i]].join("");
  const fits = isTaken ? (/** @type {string} */ set) => without(wanted, set) !== null : (/** @type {string} */ set) => without(set, wanted) !== null;
  const by = isTaken ? -1 : 1;
  const [found] = sets.filter((set) => fits(set) && without(dice.join(""), set) !== null).sort((a, b) => by * (a.length - b.length));
  if (found === undefined && !isTaken) return null;
  return choose(dice, found ?? "", held.map((is, k) => (k === i ? !is : is)), isTaken ? i : -1);
}

/** Choose dice that make up a set, those that are held already first. @param {string[]} dice @param {string} set @param {boolean[]} held @param {number} not */
function choose(dice, set, held, not) {
  const left = [...set];
  const chosen = dice.map(() => false);
  const order = dice.map((_, k) => k).filter((k) => k !== not).sort((a, b) => Number(held[b]) - Number(held[a]) || a - b);
  for (const k of order) {
    const at = left.indexOf(dice[k]);
    if (at >= 0) [chosen[k]] = [Boolean(left.splice(at, 1))];
  }
  return chosen;
}

/**
 * List the sets that are more than the sum of others, one of each shape and worth; `such`: it stands for several.
 *
 * @param {Sets} sets
 */
export function typicalSets(sets) {
  const all = Object.entries(sets);
  /** @type {Map<string, number>} */
  const known = new Map();
  const best = (/** @type {string} */ dice) => known.get(dice) ?? (known.set(dice, bestOf(dice, sets)), known.get(dice) ?? 0);
  const isSum = (/** @type {[string, number]} */ [set, points]) => all.some(([part, worth]) => {
    const rest = part.length < set.length ? without(set, part) : null;
    return rest !== null && worth + best(rest) >= points;
  });
  const whole = all.filter((entry) => !isSum(entry));
  /** @type {Map<string, { faces: string, points: number, such: boolean }>} */
  const found = new Map();
  for (const [faces, points] of whole.sort(([a, p], [b, q]) => a.length - b.length || p - q || (a < b ? -1 : 1))) {
    const shape = `${[...new Set(faces)].map((face) => faces.split(face).length - 1).sort().join("")} ${points}`;
    const first = found.get(shape);
    if (first) first.such = true;
    else found.set(shape, { faces, points, such: false });
  }
  return [...found.values()];
}
