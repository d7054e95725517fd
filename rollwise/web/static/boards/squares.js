/**
 * A race along squares, as the Royal Game of Ur: where they lie, and both players' paths over them, are the game's `layout`; a path begins
 * where pieces wait and ends where those that are off lie. A tap on a piece shows where the roll takes it, a second one plays that.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "points" }>} Side
 * @typedef {[row: number, column: number]} Cell
 * @typedef {{ rows: number, columns: number, paths: Cell[][], rosettes: Cell[] }} Layout
 * @typedef {{ action: string, from: string, to: string }} Way a move, and the cells where it begins and ends
 */

import { button, el, setAttribute, setPressed, svg } from "../app/dom.js";
import { capital, t } from "../texts/texts.js";
import { makeMarkedDice } from "./marked-dice.js";
import { movesNow, partOf, partsNow, sidesOf } from "./generic.js";
import { slide } from "./slide.js";

const PETALS = [0, 45, 90, 135, 180, 225, 270, 315];

export const kind = { moveName, lists: () => false };

/** Moves name the square on which they begin. @param {string} action */
function moveName(action) {
  const [, square] = /^move (\d+)$/.exec(action) ?? [];
  return square ? t("squares.move", { n: square }) : t(`squares.${action}`);
}

const keyOf = (/** @type {Cell} */ cell) => cell.join();

/** @type {MakeStage} */
export function makeStage(board, acts) {
  const { rows, columns, paths, rosettes } = /** @type {Layout} */ (board.layout);
  const keys = paths.map((path) => path.map(keyOf));
  const last = keys[0].length - 1;
  const marked = new Set(rosettes.map(keyOf));
  const cells = new Map(paths.flatMap((path) => path.map((cell, i) => [keyOf(cell), makeCell(cell, i === 0 ? "waits" : i === last ? "home" : "tile", marked, touch)])));
  const course = svg("path", {});
  const lines = svg("svg", { class: "course", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" }, course);
  const dice = makeMarkedDice();
  const heads = [el("p", { class: "side-head" }), el("p", { class: "side-head" })];
  const grid = el("div", { class: "squares", role: "group", test: "squares" }, ...cells.values(), lines);
  const node = el("div", { class: "any-stage squares-stage", test: "stage" }, heads[1], grid, heads[0]);
  node.style.setProperty("--columns", String(columns));
  /** @type {Way[]} */
  let ways = [];
  /** @type {Way | undefined} */
  let chosen;
  let before = /** @type {Map<string, string>[]} */ ([]);

  /** Select the move of a piece; play it on a second tap, on its target, or where there is no other. @param {string} at */
  function touch(at) {
    const way = chosen?.to === at ? chosen : ways.find(({ from }) => from === at);
    if (!way) return;
    if (way === chosen || ways.length === 1) acts.playAction(way.action);
    else acts.select(way.action);
  }

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    dice.update(parts ?? [], model);
    if (!parts) return;
    const sides = /** @type {Side[]} */ (parts.filter((part) => part.kind === "points"));
    const mover = partOf(parts, "mover", "mover")?.player ?? null;
    const roll = partOf(parts, "counter", "roll")?.value ?? 0;
    const names = sidesOf(model);
    const path = keys[mover ?? 0];
    ways = movesNow(model).flatMap((action) => {
      const from = action === "enter" ? 0 : Number(/^move (\d+)$/.exec(action)?.[1] ?? -1);
      return from < 0 ? [] : [{ action, from: path[from], to: path[from + roll] }];
    });
    chosen = ways.find(({ action }) => action === model.selected);
    const best = model.coach ? ways.find(({ action }) => action === model.best) : undefined;
    setAttribute(grid, "aria-label", sides.map(({ label, text }) => `${capital(label)}: ${text}`).join(". "));
    heads.forEach((head, i) => drawHead(head, names[i], i, mover === i));
    setAttribute(node, "data-mover", mover);
    setAttribute(course, "d", (mover === null ? [] : paths[mover]).map(([row, column], i) => `${i ? "L" : "M"}${column + .5} ${row + .5}`).join(""));
    const lying = sides.map(({ counts, off }, i) => new Map(keys[i].map((key, at) => [key, at === last ? off : counts[last - 1 - at]])));
    for (const [key, cell] of cells) {
      const owner = lying.findIndex((side) => side.get(key));
      const count = lying[owner]?.get(key) ?? 0;
      const of = path.includes(key) ? mover ?? 0 : 1 - (mover ?? 0);
      drawCell(cell, { at: keys[of].indexOf(key), last, owner, of, count, names, rosette: marked.has(key) });
      markCell(cell, key, { way: ways.find(({ from }) => from === key), best, mover, isTheirs: model.rivalMoves, hits: owner >= 0 && owner !== mover });
    }
    move(lying);
  }

  /** @param {HTMLElement} cell @param {string} key @param {{ way: Way | undefined, best: Way | undefined, mover: number | null, isTheirs: boolean, hits: boolean }} how */
  function markCell(cell, key, { way, best, mover, isTheirs, hits }) {
    const isTarget = chosen?.to === key;
    cell.classList.toggle("best", Boolean(best && best === way));
    cell.classList.toggle("target", isTarget);
    cell.classList.toggle("hit", isTarget && hits);
    setAttribute(cell, "data-ghost", isTarget ? mover : null);
    if (way) setPressed(cell, way === chosen);
    else setAttribute(cell, "aria-pressed", null);
    const can = !isTheirs && (way || isTarget);
    setAttribute(cell, "aria-disabled", can ? null : "true");
    setAttribute(cell, "tabindex", can ? null : -1);
    const said = [way && best === way ? t("squares.best") : "", isTarget ? t(hits ? "squares.hits" : "squares.target") : ""];
    /** @type {Element} */ (cell.lastElementChild).textContent = [cell.dataset.said, ...said.filter(Boolean)].join(", ");
  }

  /** Let pieces that lie elsewhere now slide there. @param {Map<string, number>[]} lying */
  function move(lying) {
    const now = lying.map((side) => new Map([...side].map(([key, count]) => [key, String(count)])));
    now.forEach((side, i) => {
      const grown = [...side].find(([key, count]) => Number(count) > Number(before[i]?.get(key) ?? count));
      const shrunk = [...side].find(([key, count]) => Number(count) < Number(before[i]?.get(key) ?? count));
      if (grown && shrunk) slide(cells.get(grown[0])?.querySelector(".piece"), cells.get(shrunk[0]));
    });
    before = now;
  }

  /** Whether every move is one of a piece. @param {TableModel<AnyPosition>} model */
  const covers = ({ shown }) => ways.length > 0 && ways.length === shown?.moves.length;
  return { node, play: [dice.node], update, covers };
}

/** @param {Cell} cell @param {string} what @param {Set<string>} marked @param {(at: string) => void} touch */
function makeCell([row, column], what, marked, touch) {
  const key = keyOf([row, column]);
  const node = button("", () => node.getAttribute("aria-disabled") || touch(key), { class: `square ${what}`, test: `square-${row}-${column}` });
  node.style.gridArea = `${row + 1} / ${column + 1}`;
  node.append(el("span", { class: "ground", "aria-hidden": "true" }, marked.has(key) ? drawRosette() : null), el("span", { class: "lies", "aria-hidden": "true" }), el("span", { class: "unseen" }));
  return node;
}

function drawRosette() {
  const petals = PETALS.map((turn) => svg("ellipse", { cx: 50, cy: 30, rx: 9.5, ry: 18, transform: `rotate(${turn} 50 50)` }));
  return svg("svg", { class: "rosette", viewBox: "0 0 100 100" }, ...petals, svg("circle", { cx: 50, cy: 50, r: 9 }));
}

/**
 * Draw what lies on a cell, which is the one at this place of a player's path.
 *
 * @param {HTMLElement} cell
 * @param {{ at: number, last: number, owner: number, of: number, count: number, names: string[], rosette: boolean }} what
 */
function drawCell(cell, { at, last, owner, of, count, names, rosette }) {
  const [side, edge] = [names[of], at === 0 || at === last];
  const name = edge ? t(at ? "squares.home" : "squares.waits", { side, n: count }) : t(rosette ? "squares.rosette" : "squares.square", { side, n: at });
  const said = edge ? name : t("squares.on", { square: name, who: owner < 0 ? t("squares.empty") : names[owner] });
  if (cell.dataset.said === said && cell.dataset.owner === String(owner)) return;
  cell.dataset.said = said;
  cell.dataset.owner = String(owner);
  const number = edge ? (at && !count ? el("span", { class: "off-label", text: t("points.off") }) : null) : el("span", { class: "number", text: at });
  const piece = count ? el("span", { class: `piece side-${owner}`, text: edge ? count : "" }) : null;
  cell.children[1].replaceChildren(...[number, piece].filter((child) => child !== null));
}

/** @param {HTMLElement} head @param {string} name @param {number} player @param {boolean} isMoving */
function drawHead(head, name, player, isMoving) {
  head.classList.toggle("turn", isMoving);
  const told = `${name} ${isMoving}`;
  if (head.dataset.told === told) return;
  head.dataset.told = told;
  head.replaceChildren(el("span", { class: `piece side-${player}`, "aria-hidden": "true" }), el("span", { text: name }), el("span", { class: "hint", text: isMoving ? t("any.to-move") : "" }));
}
