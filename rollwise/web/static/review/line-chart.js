/**
 * The line of a game: what was to be expected, with what the dice gave and what decisions cost as areas. It is one control: arrows,
 * a tap or a finger that slides go from move to move.
 *
 * @import { Course, Moment } from "./line.js"
 */

import { el, setAttribute, svg } from "../app/dom.js";
import { roundNumbers } from "../coach/outlook-chart.js";
import { t } from "../texts/texts.js";

const HIGH = 230;
const TOP = 14;
const FOOT = 24;
const LEFT = 46;
const RIGHT = 10;

/**
 * Make the picture. `describe(i)` says move number i (from 1) in words, `select(i)` is called when one is chosen.
 *
 * @param {{ course: Course, share: boolean, label: string, average: string, describe: (i: number) => string, select: (i: number) => void }} given
 */
export function makeLine({ course, share, label, average, describe, select }) {
  const count = course.moments.length;
  const picture = svg("svg", { "aria-hidden": "true", class: "course" });
  const node = el("div", { class: "course-box", role: "slider", tabindex: 0, test: "course", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": count }, picture);
  let chosen = 0;
  let width = 640;

  function draw() {
    setAttribute(picture, "viewBox", `0 0 ${width} ${HIGH}`);
    picture.replaceChildren(...shapes(course, { width, share, chosen, average }));
  }

  /** Show which move is chosen; 0: none. @param {number} i */
  function mark(i) {
    chosen = i;
    setAttribute(node, "aria-valuenow", i);
    setAttribute(node, "aria-valuetext", describe(i));
    draw();
  }

  /** @param {number} i */
  function pick(i) {
    const next = Math.max(1, Math.min(count, i));
    if (next !== chosen) select(next);
  }

  /** @param {MouseEvent} event */
  function point({ clientX }) {
    const box = picture.getBoundingClientRect();
    const at = ((clientX - box.left) / box.width) * width;
    pick(Math.ceil(((at - LEFT) / (width - LEFT - RIGHT)) * count));
  }
  const [nextError, lastError] = [1, -1].map((by) => () => pick(errorFrom(course.moments, chosen, by) ?? chosen));
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowRight: () => pick(chosen + 1), ArrowUp: () => pick(chosen + 1), ArrowLeft: () => pick(chosen - 1), ArrowDown: () => pick(chosen - 1),
    Home: () => pick(1), End: () => pick(count), PageDown: nextError, PageUp: lastError,
  };
  node.addEventListener("keydown", (event) => {
    const act = !event.ctrlKey && !event.altKey && !event.metaKey && keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  node.addEventListener("click", point);
  node.addEventListener("pointermove", (event) => void (event.buttons && point(event)));
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width < 1 || Math.abs(contentRect.width - width) < 1) return;
    width = Math.round(contentRect.width);
    draw();
  }).observe(node);
  mark(0);
  return { node, mark };
}

/**
 * The next move with a mistake, forwards or backwards; null where there is none.
 *
 * @param {Moment[]} moments
 * @param {number} from the number of the move that is chosen, 0: none
 * @param {number} by
 */
export function errorFrom(moments, from, by) {
  for (let i = from + by; i >= 1 && i <= moments.length; i += by) if (moments[i - 1].own && moments[i - 1].step.severity) return i;
  return null;
}

/**
 * Where things are: values from the lowest to the highest with some air, moves from left to right.
 *
 * @param {Course} course
 * @param {number} width
 */
export function scales({ start, moments }, width) {
  const values = [start, ...moments.flatMap(({ rolled, dice, value }) => [rolled, dice, value])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const air = (high - low || 1) * 0.06;
  const span = high - low + 2 * air;
  return {
    low, high,
    x: (/** @type {number} */ at) => LEFT + (at / Math.max(1, moments.length)) * (width - LEFT - RIGHT),
    y: (/** @type {number} */ value) => TOP + ((high + air - value) / span) * (HIGH - TOP - FOOT),
  };
}

/** @param {Course} course @param {{ width: number, share: boolean, chosen: number, average: string }} how */
function shapes(course, { width, share, chosen, average }) {
  const { moments, start } = course;
  const { x, y, low, high } = scales(course, width);
  const corners = (/** @type {(moment: Moment, i: number) => [number, number][]} */ of) =>
    [[0, start], ...moments.flatMap(of)].map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const dice = corners(({ dice: value }, i) => [[i + 0.5, value], [i + 1, value]]);
  const line = corners(({ rolled, value }, i) => [[i + 0.5, rolled], [i + 1, value]]);
  const base = [`${x(moments.length).toFixed(1)},${y(start).toFixed(1)}`, `${x(0).toFixed(1)},${y(start).toFixed(1)}`];
  const factor = share ? 100 : 1;
  const ticks = roundNumbers(low * factor, high * factor).map((value) => tick(value, y(value / factor), width, share));
  return [
    ...ticks,
    svg("polygon", { points: [...dice, ...base].join(" "), class: "luck" }),
    svg("polygon", { points: [...dice, ...[...line].reverse()].join(" "), class: "cost" }),
    svg("line", { x1: x(0), x2: x(moments.length), y1: y(start), y2: y(start), class: "average" }),
    svg("text", { x: width - RIGHT, y: y(start) - 5, class: "average-name", text: average }),
    svg("polyline", { points: line.join(" "), class: "value" }),
    ...moments.flatMap((moment, i) => marker(moment, x(i + 1), y(moment.value))),
    ...numbers(moments.length, x),
    ...(chosen ? cursor(moments[chosen - 1], x(chosen - 1), x(chosen), y) : []),
  ];
}

/** @type {(value: number, at: number, width: number, share: boolean) => SVGGElement} */
function tick(value, at, width, share) {
  const text = `${t.show(value, "plain").replace("-", "−")}${share ? " %" : ""}`;
  return svg("g", { class: "tick" }, svg("line", { x1: LEFT, x2: width - RIGHT, y1: at, y2: at }), svg("text", { x: LEFT - 6, y: at + 4, text }));
}

/** A mark where a mistake was made, larger for worse ones. @type {(moment: Moment, at: number, y: number) => SVGElement[]} */
function marker({ step, own }, at, y) {
  const size = step.severity ? { inaccuracy: 3, mistake: 4.5, blunder: 6 }[step.severity] ?? 4 : 0;
  return size ? [svg("circle", { cx: at, cy: y, r: size, class: own ? "error" : "error other" })] : [];
}

/** The numbers of some moves below the line. @type {(count: number, x: (at: number) => number) => SVGElement[]} */
const numbers = (count, x) =>
  roundNumbers(1, count, 6, 1)
    .map((number) => svg("text", { x: x(number - 0.5), y: HIGH - 6, class: "number", text: number }));

/** @type {(moment: Moment, from: number, to: number, y: (value: number) => number) => SVGElement[]} */
const cursor = ({ value }, from, to, y) => [
  svg("rect", { x: from, y: TOP - 8, width: Math.max(2, to - from), height: HIGH - TOP - FOOT + 12, class: "here" }),
  svg("circle", { cx: to, cy: y(value), r: 7, class: "here-dot" }),
];
