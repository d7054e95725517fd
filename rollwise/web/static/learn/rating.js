/**
 * What the decisions of graded games say about a player, as `rollwise rate` says it (rollwise/playing/rate.py, which has the formulas):
 * what was lost per decision that was not obvious, its trend, and the kinds of decisions that cost something again and again (leaks).
 *
 * @typedef {[decisions: number, rated: number, loss: number]} Tally how many decisions, how many that were not obvious, what was lost
 * @typedef {{ over: boolean, kinds: Record<string, Tally> }} Game
 * @typedef {{ slope: number, low: number, high: number, clear: boolean }} Trend
 * @typedef {{ name: string, decisions: number, loss: number, leak: boolean }} Kind
 */

/** Games that a trend or a leak takes at least. */
const FEWEST = 3;
const CONFIDENCE = 0.95;
const STEPS = 60;

/** Count decisions by kind. @param {[kind: string, loss: number, obvious: boolean][]} decisions */
export function tally(decisions) {
  /** @type {Record<string, Tally>} */
  const found = {};
  for (const [kind, loss, obvious] of decisions) {
    const [count, rated, sum] = found[kind] ?? [0, 0, 0];
    found[kind] = [count + 1, rated + Number(!obvious), sum + loss];
  }
  return found;
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** What was lost in a game per decision that was not obvious; null where there was none. @param {Game} game */
export function ratingOf({ kinds }) {
  const [rated, loss] = [1, 2].map((part) => sum(Object.values(kinds).map((of) => of[part])));
  return rated ? loss / rated : null;
}

/** Measure a player by games, in order. @param {Game[]} games */
export function measure(games) {
  const [rated, losses] = [1, 2].map((part) => games.map(({ kinds }) => sum(Object.values(kinds).map((of) => of[part]))));
  const decisions = sum(rated);
  const rating = decisions ? sum(losses) / decisions : null;
  const ratings = games.filter(({ over }) => over).map(ratingOf).filter((each) => each !== null);
  const names = [...new Set(games.flatMap(({ kinds }) => Object.keys(kinds)))];
  const kinds = names.map((name) => measureKind(name, games)).sort((a, b) => b.loss - a.loss);
  return { rating, decisions, ratings, standardError: rating === null ? null : ratioError(losses, rated, rating), trend: fit(ratings), kinds };
}

/** @type {(name: string, games: Game[]) => Kind} */
function measureKind(name, games) {
  const losses = games.map(({ kinds }) => kinds[name]?.[2] ?? 0);
  const n = losses.length;
  const mean = sum(losses) / n;
  const error = Math.sqrt(sum(losses.map((loss) => (loss - mean) ** 2)) / (n - 1) / n);
  const leak = n >= FEWEST && mean - studentT(n - 1) * error > 0;
  return { name, decisions: sum(games.map(({ kinds }) => kinds[name]?.[0] ?? 0)), loss: sum(losses), leak };
}

/** The standard error of a ratio of sums; null for a single game. @type {(losses: number[], counts: number[], ratio: number) => number | null} */
function ratioError(losses, counts, ratio) {
  const n = losses.length;
  if (n < 2) return null;
  return Math.sqrt((n / (n - 1)) * sum(losses.map((loss, i) => (loss - ratio * counts[i]) ** 2))) / sum(counts);
}

/** The line of least squares through numbers in order, with its 95 % interval; null for too few. @param {number[]} numbers @returns {Trend | null} */
export function fit(numbers) {
  const n = numbers.length;
  if (n < FEWEST) return null;
  const [mean, middle] = [sum(numbers) / n, (n - 1) / 2];
  const spread = sum(numbers.map((_, i) => (i - middle) ** 2));
  const slope = sum(numbers.map((number, i) => (i - middle) * (number - mean))) / spread;
  const rest = sum(numbers.map((number, i) => (number - mean - slope * (i - middle)) ** 2));
  const width = studentT(n - 2) * Math.sqrt(rest / (n - 2) / spread);
  const [low, high] = [slope - width, slope + width];
  return { slope, low, high, clear: low > 0 || high < 0 };
}

/** How far from 0 Student's t with so many degrees of freedom lies with 95 % at most. @param {number} degrees */
export function studentT(degrees) {
  // With t = sqrt(n) tan(a), P(|T| < t) is a finite sum of powers of cos(a) for whole n, and grows with a.
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (within(middle, degrees) < CONFIDENCE) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees) * Math.tan(low);
}

/** @param {number} angle @param {number} degrees */
function within(angle, degrees) {
  const [sine, cosine, odd] = [Math.sin(angle), Math.cos(angle), degrees % 2];
  let term = odd ? cosine : 1;
  let all = degrees > 1 ? term : 0;
  for (let power = odd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    all += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * all) : sine * all;
}
