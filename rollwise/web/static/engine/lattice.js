/**
 * The keeps of equal dice, joined by "one more die": they are ordered by size, then as sorted lists; the hands (all dice) come last.
 *
 * Two facts make a turn cheap: what a keep is worth is the mean over the next die, and the best of what can be kept of a hand is found by leaving
 * out one die at a time (rollwise/solvers/sheets/lattice.py).
 */

/** @typedef {ReturnType<typeof makeLattice>} Lattice */

/**
 * Link the keeps of dice whose faces from 1 on have these weights; faces that never come are left out.
 *
 * @param {number} count @param {number[]} weights
 */
export function makeLattice(count, weights) {
  const shown = weights.flatMap((weight, i) => (weight ? [i + 1] : []));
  const [faces, ways] = [shown.length, weights.reduce((sum, weight) => sum + weight, 0)];
  const keeps = listKeeps(count, shown);
  const numbers = new Map(keeps.map((keep, i) => [keep.join(), i]));
  const sizeStart = Array.from({ length: count + 2 }, (_, size) => keeps.findIndex((keep) => keep.length >= size));
  sizeStart[count + 1] = keeps.length;
  const firstHand = sizeStart[count];
  const more = new Int32Array(firstHand * faces);
  /** @type {number[][]} */
  const fewer = keeps.map((keep, i) => [...new Set(keep)].map((face) => {
    const place = keep.indexOf(face);
    const less = /** @type {number} */ (numbers.get([...keep.slice(0, place), ...keep.slice(place + 1)].join()));
    more[less * faces + shown.indexOf(face)] = i;
    return less;
  }));
  const below = listBelow(fewer);
  const kept = below.slice(firstHand).map((found) => [...found].sort((a, b) => keeps[b].length - keeps[a].length || a - b));
  const find = (/** @type {number[]} */ keep) => numbers.get(keep.join()) ?? -1;
  const [less, lessStart] = flatten(fewer);
  const [list, start] = flatten(kept);
  // Of fair dice one share for all faces: so a mean is a sum, multiplied once.
  const isFair = shown.every((face) => weights[face - 1] === weights[shown[0] - 1]);
  const shares = isFair ? null : Float64Array.from(shown, (face) => weights[face - 1] / ways);
  return { count, faces, shares, keeps, firstHand, hands: keeps.length - firstHand, more, less, lessStart, list, start, find };
}

/** @type {(count: number, faces: number[]) => number[][]} */
function listKeeps(count, faces) {
  /** @type {number[][]} */
  const found = [[]];
  for (let size = 1, begin = 0; size <= count; size += 1) {
    const end = found.length;
    for (let i = begin; i < end; i += 1) for (const face of faces) if (face >= (found[i].at(-1) ?? 0)) found.push([...found[i], face]);
    begin = end;
  }
  return found;
}

/** For each keep, all that can be kept of it with a die less or more. @param {number[][]} fewer */
function listBelow(fewer) {
  /** @type {Set<number>[]} */
  const found = [];
  for (const list of fewer) found.push(new Set(list.flatMap((less) => [less, ...found[less]])));
  return found;
}

/** Write lists one after another, and where each begins. @param {number[][]} lists */
function flatten(lists) {
  const start = new Int32Array(lists.length + 1);
  lists.forEach(({ length }, i) => { start[i + 1] = start[i] + length; });
  return [Int32Array.from(lists.flat()), start];
}

/**
 * Roll backward: write what every partial keep is worth, from the hands down, as the mean over the next die.
 *
 * @type {(net: Lattice, table: Float64Array) => void}
 */
export function rollBack({ firstHand, faces, shares, more }, table) {
  if (shares) {
    for (let keep = firstHand - 1; keep >= 0; keep -= 1) {
      table[keep] = 0;
      for (let face = 0; face < faces; face += 1) table[keep] += table[more[keep * faces + face]] * shares[face];
    }
    return;
  }
  const share = 1 / faces;
  for (let keep = firstHand - 1, face = firstHand * faces - 1; keep >= 0; keep -= 1) {
    let total = 0;
    for (const first = keep * faces; face >= first; face -= 1) total += table[more[face]];
    table[keep] = total * share;
  }
}

/**
 * Roll forward: hand the chance of every partial keep on to the hands, one die at a time.
 *
 * @type {(net: Lattice, mass: Float64Array) => void}
 */
export function rollOn({ firstHand, faces, shares, more }, mass) {
  for (let keep = 0; keep < firstHand; keep += 1) {
    const share = mass[keep] / faces;
    if (share) for (let i = 0; i < faces; i += 1) mass[more[keep * faces + i]] += shares ? mass[keep] * shares[i] : share;
  }
}

/**
 * Replace what every keep is worth by the best of what can be kept of it, small keeps first.
 *
 * @type {(net: Lattice, table: Float64Array) => void}
 */
export function takeBest({ keeps, less, lessStart }, table) {
  for (let keep = 1; keep < keeps.length; keep += 1) {
    let best = table[keep];
    for (let i = lessStart[keep]; i < lessStart[keep + 1]; i += 1) if (table[less[i]] > best) best = table[less[i]];
    table[keep] = best;
  }
}
