/**
 * Drawing what lies on the table, part by part: dice, numbers, scores, tiles, whose turn it is, texts.
 *
 * @import { BoardPart } from "../../types.js"
 */

import { el } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { drawDie } from "./die-face.js";

/** Draw a die that shows a face. @param {string} face */
export function makeDie(face) {
  const picture = drawDie(/^\d$/.test(face) ? Number(face) : face);
  if (face.length > 2) picture.classList.add("long");
  return picture;
}

/**
 * Make a place for parts. What differs is drawn anew, in the order given; scores come first.
 *
 * @param {number} players
 */
export function makeParts(players) {
  const node = el("div", { class: "any-parts" });
  let drawn = "";

  /** @param {BoardPart[]} parts @param {string[]} names what the players are called */
  function draw(parts, names) {
    const key = JSON.stringify([parts, names]);
    if (key === drawn) return;
    drawn = key;
    const isNumber = (/** @type {BoardPart} */ { kind }) => kind === "number" || kind === "counter";
    const wide = parts.filter((part) => !isNumber(part)).map((part) => drawPart(part, names, players));
    const numbers = parts.filter(isNumber).map((part) => drawPart(part, names, players));
    const row = numbers.length ? el("dl", { class: "any-numbers" }, ...numbers) : null;
    node.replaceChildren(...wide.filter((child) => child !== null), ...(row ? [row] : []));
  }
  return { node, draw };
}

/** @param {BoardPart} part @param {string[]} names @param {number} players */
function drawPart(part, names, players) {
  if (part.kind === "dice") return drawDice(part);
  if (part.kind === "number" || part.kind === "counter") return drawNumber(part);
  if (part.kind === "track") return drawTrack(part);
  if (part.kind === "scores") return drawScores(part, names);
  if (part.kind === "set" || part.kind === "tiles") return drawTiles(part);
  if (part.kind === "mover") return players > 1 ? drawMover(part, names) : null;
  return labelled(part, "text", el("span", { text: part.text }));
}

/** @param {BoardPart} part @param {string} kind @param {...HTMLElement} children */
const labelled = (part, kind, ...children) =>
  el("div", { class: `any-part ${kind}`, test: `part-${part.name}` }, el("span", { class: "label", text: part.label }), ...children);

/** @param {Extract<BoardPart, { kind: "dice" }>} part */
function drawDice(part) {
  const dice = part.faces.map((face) => el("li", {}, makeDie(face)));
  const label = part.faces.length ? `${part.label}: ${part.faces.join(" ")}` : t("any.part-none", { label: part.label });
  const row = el("ol", { class: "dice-row", role: "img", "aria-label": label }, ...dice);
  if (!dice.length) row.append(el("li", { class: "hint", text: t("any.no-dice") }));
  return labelled(part, "dice-part", row);
}

/** @param {Extract<BoardPart, { kind: "number" | "counter" }>} part */
const drawNumber = (part) =>
  el("div", { class: part.kind, test: `part-${part.name}` }, el("dt", { text: part.label }), el("dd", { text: t.show(part.value, "plain").replace("-", "−") }));

/** Steps in a row, as many as there is room for; of more, a bar. @param {Extract<BoardPart, { kind: "track" }>} part */
function drawTrack(part) {
  const { value, low, high, base } = part;
  const steps = Array.from({ length: high - low }, (_, i) => low + i + 1);
  const cells = steps.length <= MOST_STEPS ? steps.map((step) => el("span", { class: stepClass(step, part) })) : [];
  const fill = cells.length ? null : el("span", { class: "fill" });
  if (fill) fill.style.width = `${(100 * (value - low)) / (high - low)}%`;
  const row = el("span", { class: cells.length ? "steps" : "steps bar", "aria-hidden": "true" }, ...cells, fill);
  const saved = base === null || base === value ? "" : ` (${base})`;
  return labelled(part, "track-part", el("span", { class: "at" }, el("strong", { text: `${value}${saved}` }), " ", t("any.of", { n: high })), row);
}

const MOST_STEPS = 40;

/** Whether a step is climbed, and may be lost again. @type {(step: number, part: Extract<BoardPart, { kind: "track" }>) => string} */
export const stepClass = (step, { value, base }) => (step > value ? "step-cell" : step > (base ?? value) ? "step-cell on loose" : "step-cell on");

/** @param {Extract<BoardPart, { kind: "scores" }>} part @param {string[]} names */
function drawScores({ name, label, values, goal, mover }, names) {
  const players = values.map((value, i) => {
    const bar = el("span", { class: "fill" });
    bar.style.width = `${goal ? Math.min(100, (100 * value) / goal) : 0}%`;
    const turn = mover === i ? el("span", { class: "turn", text: t("any.to-move") }) : null;
    const track = goal ? el("span", { class: "track", "aria-hidden": "true" }, bar) : null;
    const of = goal ? el("span", { class: "goal", text: t("any.of", { n: String(goal) }) }) : null;
    const points = el("span", { class: "points" }, el("strong", { text: value }), of);
    return el("li", { class: mover === i ? "now" : null }, el("span", { class: "who" }, el("span", { text: names[i] ?? t("party.player", { n: i + 1 }) }), turn), points, track);
  });
  return el("ol", { class: "any-scores", "aria-label": label, test: `part-${name}` }, ...players);
}

/** @param {Extract<BoardPart, { kind: "set" | "tiles" }>} part */
function drawTiles(part) {
  const tiles = part.members.map(({ name, on }) => {
    const tile = el("li", { class: on ? "any-tile on" : "any-tile" }, el("span", { text: name }));
    tile.setAttribute("aria-label", on ? name : t("any.no-more", { name }));
    return tile;
  });
  return labelled(part, "set-part", el("ul", { class: "any-tiles", "aria-label": part.label }, ...tiles));
}

/** @param {Extract<BoardPart, { kind: "mover" }>} part @param {string[]} names */
function drawMover(part, names) {
  const sides = names.map((name, i) => el("li", { class: i === part.player ? "now" : null, text: name, "aria-current": i === part.player ? "true" : null }));
  return labelled(part, "mover-part", el("ul", { class: "any-movers" }, ...sides));
}
