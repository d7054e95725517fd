/**
 * The columns of Can't Stop: steps, camps and runners; the dice in pairs, of which a tap chooses some to move; and roll or stop.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "track" }>} Track
 */

import { button, el, setAttribute, setPressed, setText } from "../app/dom.js";
import { isLoss } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { makeDie, makeParts, stepClass } from "./generic-parts.js";
import { movesNow, partsNow, sidesOf } from "./generic.js";

const ENDS = ["roll", "stop"];

/** The sums that a move climbs, as text: `4,4` of `4,4 roll`; "" where it climbs nothing. @param {string} action */
const sumsOf = (action) => (action.includes(" ") ? action.split(" ")[0] : "");

/** Name the columns of some sums: 3 and 5, twice 4. @param {string} sums */
function columnsOf(sums) {
  const [first, second] = sums.split(",");
  if (second === undefined) return first;
  return t(first === second ? "columns.twice" : "columns.both", { first, second });
}

/** Name a move. @param {string} action */
function moveName(action) {
  const [sums, end] = action.split(" ");
  return end ? t(`columns.move-${end}`, { columns: columnsOf(sums) }) : t("columns.bust");
}

/** Moves are chosen on the board. */
export const kind = { moveName, lists: () => false };

/**
 * Make two pairs of four dice, in which some sums are those of pairs.
 *
 * @type {(dice: string[], sums: string) => [string, string][]}
 */
export function pairsOf(dice, sums) {
  const [a, b, c, d] = dice;
  const ways = /** @type {[string, string][][]} */ ([[[a, b], [c, d]], [[a, c], [b, d]], [[a, d], [b, c]]]);
  const [first, second] = sums.split(",").map(Number);
  const holds = (/** @type {[string, string][]} */ way) => {
    const [one, other] = way.map(total);
    return second === undefined ? one === first || other === first : (one === first && other === second) || (one === second && other === first);
  };
  return ways.find(holds) ?? ways[0];
}

/** @param {[string, string]} pair */
const total = ([one, other]) => Number(one) + Number(other);

/** Build the stage. @type {MakeStage} */
export function makeStage(board, acts) {
  const rest = makeParts(board.players ?? 1);
  const columns = el("ol", { class: "columns" });
  const node = el("div", { class: "any-stage columns-stage", test: "stage" }, columns, rest.node);
  const pairs = el("div", { class: "pairs", role: "group", "aria-label": t("columns.pairs"), test: "pairs" });
  const ends = el("div", { class: "ends" }, ...ENDS.map(makeEnd));
  const play = el("div", { class: "columns-play" }, pairs, ends);
  let sums = "";
  let drawn = "";
  /** @type {TableModel<AnyPosition>} */
  let now;

  /** The move that climbs these columns, and goes on as the one that is selected, or as is best with advice. @param {string} chosen */
  function choose(chosen) {
    const wanted = now.coach ? now.shown?.moves.find(({ action }) => sumsOf(action) === chosen)?.action : null;
    acts.select(wanted ?? movesNow(now).filter((action) => sumsOf(action) === chosen).sort()[0] ?? null);
  }

  /** @param {string} end */
  function makeEnd(end) {
    const child = button("", () => acts.playAction(sums ? `${sums} ${end}` : "bust"), { class: `big end ${end}`, test: `end-${end}` });
    child.append(el("span", { class: "name", text: t(`columns.${end}`) }), el("span", { class: "cost" }));
    return child;
  }

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    now = model;
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    const actions = movesNow(model);
    play.hidden = !actions.length && !(model.ready && model.shown && !model.over);
    if (!parts) return;
    const ways = [...new Set(actions.map(sumsOf))].sort((one, other) => Number(one.split(",")[0]) - Number(other.split(",")[0]));
    sums = model.selected === null ? (ways.length === 1 ? ways[0] : "") : sumsOf(model.selected);
    const dice = parts.find((part) => part.kind === "dice");
    if (actions.length && dice?.kind === "dice") drawPairs(ways, dice.faces, model);
    drawEnds(actions, model);
    const tracks = /** @type {Track[]} */ (parts.filter((part) => part.kind === "track"));
    const key = JSON.stringify([tracks, sums]);
    if (key !== drawn) columns.replaceChildren(...tracks.map((track) => drawColumn(track, model.stale ? [] : sums.split(","))));
    columns.style.setProperty("--steps", String(Math.max(...tracks.map(({ high }) => high))));
    drawn = key;
    rest.draw(parts.filter((part) => part.kind !== "track" && !(part.kind === "dice" && actions.length)), sidesOf(model));
  }

  /** @param {string[]} ways @param {string[]} dice @param {TableModel<AnyPosition>} model */
  function drawPairs(ways, dice, { coach, stale, best, rivalMoves }) {
    const key = JSON.stringify([ways, dice]);
    if (pairs.dataset.key !== key) {
      pairs.dataset.key = key;
      pairs.replaceChildren(...ways.map((way) => (way ? makePairs(way, dice, choose) : makeLost(dice))));
    }
    ways.forEach((way, i) => {
      const child = pairs.children[i];
      setPressed(child, way === sums && !stale);
      child.classList.toggle("best", coach && !stale && sumsOf(best ?? "") === way);
      setAttribute(child, "aria-disabled", rivalMoves || !way ? "true" : null);
    });
  }

  /** @param {string[]} actions @param {TableModel<AnyPosition>} model */
  function drawEnds(actions, { coach, stale, best, selected, rivalMoves, moves, write }) {
    const isBust = actions.length === 1 && actions[0] === "bust";
    ENDS.forEach((end, i) => {
      const child = /** @type {HTMLButtonElement} */ (ends.children[i]);
      const action = isBust ? "bust" : `${sums} ${end}`;
      const move = coach && !stale ? moves?.get(action) : null;
      child.hidden = isBust && end === "roll";
      child.disabled = !stale && !actions.includes(action);
      child.classList.toggle("best", coach && !stale && best === action);
      setPressed(child, !stale && selected === action);
      setAttribute(child, "aria-disabled", stale || rivalMoves ? "true" : null);
      setText(/** @type {Node} */ (child.firstChild), t(isBust ? "columns.bust" : `columns.${end}`));
      setText(/** @type {Node} */ (child.lastChild), move ? (isLoss(move.loss) ? t("after.costs", { loss: write.loss(move.loss) }) : t("moves.best")) : " ");
    });
  }
  return { node, play: [play], update, covers: () => true };
}

/** A way to make pairs, with the sums that move. @param {string} way @param {string[]} dice @param {(way: string) => void} choose */
function makePairs(way, dice, choose) {
  const left = way.split(",");
  const drawn = pairsOf(dice, way).map((pair) => {
    const at = left.indexOf(String(total(pair)));
    if (at >= 0) left.splice(at, 1);
    return el("span", { class: at >= 0 ? "pair-dice" : "pair-dice out" }, ...pair.map(makeDie));
  });
  const node = button("", () => choose(way), { class: "pair-way", test: `pair-${way}` });
  node.append(el("span", { class: "name", text: columnsOf(way) }), el("span", { class: "pair-row", "aria-hidden": "true" }, ...drawn));
  return node;
}

/** A throw of which nothing can move. @param {string[]} dice */
function makeLost(dice) {
  const node = button("", () => {}, { class: "pair-way", test: "pair-none" });
  node.append(el("span", { class: "name", text: t("columns.none") }), el("span", { class: "pair-row", "aria-hidden": "true" }, el("span", { class: "pair-dice" }, ...dice.map(makeDie))));
  return node;
}

/** A column, from the top down, with the steps that the chosen pairs would climb. @param {Track} track @param {string[]} sums */
function drawColumn(track, sums) {
  const { name, label, value, high, base } = track;
  const number = name.replace(/^\D*/, "");
  const ahead = Math.min(sums.filter((sum) => sum === number).length, high - value);
  const steps = Array.from({ length: high }, (_, i) => high - i).map((step) => el("span", { class: cellClass(step, track, ahead) }));
  const state = (base ?? value) === high ? "column done" : value === high ? "column top" : ahead ? "column next" : "column";
  const cells = el("span", { class: "cells", role: "img", "aria-label": t("columns.at", { label, value }) }, ...steps);
  return el("li", { class: state, test: `column-${number}` }, cells, el("span", { class: "number", "aria-hidden": "true", text: number }));
}

/** @param {number} step @param {Track} track @param {number} ahead */
function cellClass(step, track, ahead) {
  const { value, base } = track;
  const marks = [stepClass(step, track)];
  if (step === base) marks.push("camp");
  if (step === value && value > (base ?? 0)) marks.push("runner");
  if (step === value + ahead && ahead) marks.push("ahead");
  return marks.join(" ");
}
