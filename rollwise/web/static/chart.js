/** The distribution of the final score, or of the rolls to come, as bars. */

import { button, el, setText, svg } from "./dom.js";
import { percent } from "./format.js";

const WIDTH = 360;
const HEIGHT = 150;
const FLOOR = 126;
const MOST_BARS = 72;
const TAIL = 0.002;

/** `showExactly` is called where what is shown is quick, and the exact one is wanted. */
export function makeChart(showExactly) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" });
  const caption = el("figcaption");
  const exactly = button("Show exactly", showExactly, { class: "quiet", test: "show-exactly", hidden: true });
  const node = el("figure", { class: "outlook", test: "outlook" }, picture, caption, exactly);

  function clear(text) {
    picture.replaceChildren();
    picture.setAttribute("aria-label", text);
    setText(caption, text);
    exactly.hidden = true;
  }

  /** Dim what is shown until the next answer; say so where nothing is. */
  function wait() {
    node.classList.add("stale");
    if (!picture.firstChild) clear("Following all games to their end …");
  }

  /** Draw an outlook; `shift` is what is banked already, from `target` on bars are wins. */
  function draw(outlook, { shift, target }) {
    const bars = binned(outlook, shift);
    const words = describe(outlook, shift, target);
    picture.setAttribute("aria-label", words);
    picture.replaceChildren(...shapes(bars, target));
    setText(caption, words);
    exactly.hidden = !outlook.error;
    node.classList.remove("stale");
  }
  const refuse = (reason) => {
    clear(`Not available for this position: ${reason}`);
    node.classList.remove("stale");
  };
  return { node, clear, draw, wait, refuse, stale: (isStale) => node.classList.toggle("stale", isStale) };
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** The number that a chance belongs to: one of a list where they lie far apart, else counted from the lowest. */
const numberAt = ({ lowest, values }, i) => (values ? values[i] : lowest + i);

/** Leave out a thin tail and put neighbours together until the bars fit. */
function binned(outlook, shift) {
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

function shapes({ bars, of }, target) {
  const tallest = Math.max(...bars.map((bar) => bar.chance));
  const step = Math.min(WIDTH / bars.length, 48);
  const start = (WIDTH - step * bars.length) / 2;
  const size = bars[0].high - bars[0].low + 1;
  const x = (value) => start + ((value - bars[0].low + (size === 1 ? 0.5 : 0)) / size) * step;
  const columns = bars.map((bar, i) => {
    const height = Math.max(0.75, (bar.chance / tallest) * (FLOOR - 8));
    const label = `${bar.low}${bar.high > bar.low ? ` to ${bar.high}` : ""}: ${percent(bar.chance)}`;
    const kind = target === undefined || bar.low >= target ? "in" : "out";
    const box = { x: start + i * step + 0.4, y: FLOOR - height, width: Math.max(0.8, step - 0.8), height, class: kind };
    return svg("rect", box, svg("title", { text: label }));
  });
  const axis = svg("line", { x1: 0, x2: WIDTH, y1: FLOOR, y2: FLOOR, class: "axis" });
  const marks = ticks(bars[0].low, bars.at(-1).high).map((value) => tick(value, x(value)));
  return [...columns, axis, ...marks, unit(of)];
}

const unit = (of) => svg("text", { x: WIDTH - 2, y: 12, class: "unit", text: of });

const tick = (value, x) => svg("text", { x: Math.max(8, Math.min(WIDTH - 12, x)), y: HEIGHT - 6, class: "tick", text: value });

function ticks(low, high) {
  const rough = Math.max(1, (high - low) / 6);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => first + i * step);
}

function describe(outlook, shift, target) {
  const { of, chance, mean, quantiles, error } = outlook;
  const at = (part) => quantiles[part] + shift;
  const parts = `5 % have at most ${at("0.05")}, half at most ${at("0.5")}, 95 % at most ${at("0.95")}`;
  const bound = error ? ` Chances within ${Math.ceil(error * 10000) / 100} percentage points.` : "";
  const text = `Mean ${(mean + shift).toFixed(2)} ${of}; ${parts}.${bound}`;
  if (target === undefined) return text;
  const wins = sum(chance.filter((_, i) => numberAt(outlook, i) + shift >= target));
  return `Reaches ${target} with ${percent(wins)}. ${text}`;
}
