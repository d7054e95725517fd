/**
 * The distribution of the final score, or of the rolls to come, as bars.
 *
 * @import { Outlook, Progress } from "../../types.js"
 */

import { button, el, setText, svg } from "../app/dom.js";
import { percent, unitWords } from "../texts/numbers.js";
import { decimal, t } from "../texts/texts.js";

/** @typedef {{ low: number, high: number, chance: number }} Bar */
/** @typedef {{ bars: Bar[], of: string }} Binned */

const WIDTH = 360;
const HEIGHT = 150;
const FLOOR = 126;
const MOST_BARS = 72;
const TAIL = 0.002;

/**
 * Make a chart; `showExactly` is called where what is shown is quick, and the exact one is wanted.
 *
 * @param {() => void} showExactly
 */
export function makeChart(showExactly) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart", "aria-label": t("table.ends") });
  const caption = el("figcaption");
  const exactly = button(t("chart.exactly"), showExactly, { class: "quiet", test: "show-exactly", hidden: true });
  const node = el("figure", { class: "outlook", test: "outlook" }, picture, caption, exactly);

  /**
   * Put shapes on the picture, and words on it and below it; without shapes the words are all.
   *
   * @type {(words: string, drawn?: SVGElement[], below?: string) => void}
   */
  function put(words, drawn = [], below = words) {
    picture.replaceChildren(...drawn);
    picture.setAttribute("aria-label", words);
    setText(caption, below);
    exactly.hidden = true;
    stale(false);
  }

  /** Dim what is shown until the next answer; say so where nothing is. */
  function wait() {
    if (!picture.firstChild) put(t("chart.following"));
    stale(true);
  }

  /**
   * Draw an outlook; `shift` is what is banked already, from `target` on bars are wins. Where a game is only lost (0) or won (1),
   * `ends` says so in words.
   *
   * @param {Outlook} outlook
   * @param {{ shift: number, target?: number, ends?: [string, string] | null }} how
   */
  function draw(outlook, { shift, target, ends = null }) {
    if (ends && isDecided(outlook)) {
      drawEnds(outlook, ends);
      return;
    }
    put(describe(outlook, shift, target), shapes(binned(outlook, shift), target));
    exactly.hidden = !outlook.error;
  }

  /**
   * Say how far the server is with what makes charts quick; the exact one can be had meanwhile.
   *
   * @param {Progress} progress
   */
  function prepare({ done, total }) {
    if (!picture.firstChild) put(total ? t("chart.preparing", { n: Math.floor((100 * done) / total) }) : t("chart.preparing-first"));
    exactly.hidden = false;
    stale(picture.firstChild !== null);
  }

  /** Draw how likely each of two ends is. @param {Outlook} outlook @param {[string, string]} ends */
  function drawEnds(outlook, ends) {
    const chances = [0, 1].map((value) => sum(outlook.chance.filter((_, i) => numberAt(outlook, i) === value)));
    const words = ends.map((name, i) => `${name} ${percent(chances[i])}`).reverse().join(", ");
    put(words, ends.flatMap((name, i) => endBar(name, chances[i], i)), `${words[0].toUpperCase()}${words.slice(1)}.`);
  }

  /** Say why there is nothing to draw. @param {string} reason */
  const refuse = (reason) => put(t("chart.none", { reason }));

  /** @param {boolean} isStale */
  const stale = (isStale) => node.classList.toggle("stale", isStale);
  return { node, draw, wait, prepare, refuse, stale };
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * The number that a chance belongs to: one of a list where they lie far apart, else counted from the lowest.
 *
 * @param {Outlook} outlook
 * @param {number} i
 */
const numberAt = ({ lowest, values }, i) => (values ? values[i] : lowest + i);

/**
 * Leave out a thin tail and put neighbours together until the bars fit.
 *
 * @type {(outlook: Outlook, shift: number) => Binned}
 */
export function binned(outlook, shift) {
  const { chance, of } = outlook;
  let from = 0;
  let to = chance.length;
  for (let cut = chance[from]; cut < TAIL / 2 && from < to - 1; cut += chance[from]) from += 1;
  for (let cut = chance[to - 1]; cut < TAIL && to > from + 1; cut += chance[to - 1]) to -= 1;
  const first = numberAt(outlook, from);
  const last = numberAt(outlook, to - 1);
  const width = Math.ceil((last - first + 1) / MOST_BARS);
  const bars = Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, i) => {
    const low = first + i * width;
    return { low: low + shift, high: Math.min(low + width, numberAt(outlook, chance.length - 1) + 1) - 1 + shift, chance: 0 };
  });
  const end = first + bars.length * width;
  for (let i = from; i < chance.length && numberAt(outlook, i) < end; i += 1) {
    bars[Math.floor((numberAt(outlook, i) - first) / width)].chance += chance[i];
  }
  return { bars, of };
}

/** @param {Binned} binned @param {number} [target] */
function shapes({ bars, of }, target) {
  const tallest = Math.max(...bars.map((bar) => bar.chance));
  const step = Math.min(WIDTH / bars.length, 48);
  const start = (WIDTH - step * bars.length) / 2;
  const size = bars[0].high - bars[0].low + 1;
  /** @param {number} value */
  const x = (value) => start + ((value - bars[0].low + (size === 1 ? 0.5 : 0)) / size) * step;
  const columns = bars.map((bar, i) => {
    const height = Math.max(0.75, (bar.chance / tallest) * (FLOOR - 8));
    const chance = percent(bar.chance);
    const label = bar.high > bar.low ? t("chart.bar", { low: String(bar.low), high: String(bar.high), chance }) : `${bar.low}: ${chance}`;
    const kind = target === undefined || bar.low >= target ? "in" : "out";
    const box = { x: start + i * step + 0.4, y: FLOOR - height, width: Math.max(0.8, step - 0.8), height, class: kind };
    return svg("rect", box, svg("title", { text: label }));
  });
  const axis = svg("line", { x1: 0, x2: WIDTH, y1: FLOOR, y2: FLOOR, class: "axis" });
  const marks = roundNumbers(bars[0].low, bars[bars.length - 1].high, 6, 1).map((value) => tick(value, x(value)));
  return [...columns, axis, ...marks, unit(of)];
}

/** Whether a game ends with 0 or 1 only. @param {Outlook} outlook */
const isDecided = (outlook) => outlook.chance.every((chance, i) => !chance || [0, 1].includes(numberAt(outlook, i)));

/** The bar of one of two ends, the better one above. @param {string} name @param {number} chance @param {number} i */
function endBar(name, chance, i) {
  const y = i ? 34 : 100;
  const bar = svg("rect", { x: 0, y, width: Math.max(1, chance * WIDTH), height: 26, rx: 4, class: i ? "in" : "out" });
  return [svg("text", { x: 2, y: y - 8, class: "end", text: `${name} ${percent(chance)}` }), bar];
}

/** @param {string} of */
const unit = (of) => svg("text", { x: WIDTH - 2, y: 12, class: "unit", text: unitWords(of) });

/** @type {(value: number, x: number) => SVGTextElement} */
const tick = (value, x) => svg("text", { x: Math.max(8, Math.min(WIDTH - 12, x)), y: HEIGHT - 6, class: "tick", text: value });

/**
 * Round numbers between two, a few of them, at least so far apart.
 *
 * @type {(low: number, high: number, most?: number, least?: number) => number[]}
 */
export function roundNumbers(low, high, most = 5, least = 0) {
  const rough = Math.max(least, (high - low) / most) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Say in words what is drawn. @param {Outlook} outlook @param {number} shift @param {number} [target] */
export function describe(outlook, shift, target) {
  const { of, chance, mean, quantiles, error } = outlook;
  /** @param {string} part */
  const at = (part) => quantiles[part] + shift;
  const parts = t("chart.parts", { low: String(at("0.05")), half: String(at("0.5")), high: String(at("0.95")) });
  const bound = error ? t("chart.within", { n: Math.ceil(error * 10000) / 100 }) : "";
  const text = t("chart.mean", { mean: decimal(mean + shift, 1), of: unitWords(of), parts, bound });
  if (target === undefined) return text;
  const wins = sum(chance.filter((_, i) => numberAt(outlook, i) + shift >= target));
  return t("chart.reaches", { target: String(target), chance: percent(wins), text });
}
