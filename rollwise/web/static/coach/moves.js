/**
 * The ranked moves, as a list box: one tab stop, arrow keys, a click selects. Bars show what a move loses against the best one.
 *
 * @import { Acts, Advice, Move, TableModel, Value } from "../../types.js"
 */

import { el, setAttribute } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, valueWords } from "../texts/numbers.js";
import { capital, t } from "../texts/texts.js";

const FIRST = 100;
const ROWS = 7;
const COMPARED = 10;

/** @param {Acts} acts @param {string} valueName @param {number} listed how many moves there are at most */
export function makeMoves(acts, valueName, listed) {
  const list = el("ul", { class: "moves", test: "moves" });
  const node = el("div", { class: "ranked" }, head(valueName), list);
  list.style.setProperty("--rows", String(Math.min(ROWS, listed)));
  /** @type {Advice | null} */
  let shown = null;
  /** @type {string | null} */
  let revealed = null;
  let count = 0;

  list.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("[role=option]") : null;
    if (row instanceof HTMLElement && row.dataset.action !== undefined) acts.select(row.dataset.action);
  });

  /** @param {Advice} advice @param {TableModel<any>} model @param {number} wanted */
  function rebuild(advice, model, wanted) {
    count = Math.min(advice.moves.length, wanted);
    const scale = fullLoss(advice.moves);
    const rows = advice.moves.slice(0, count).map((move, i) => makeRow(move, i, model, scale));
    const rest = advice.moves.length - count;
    if (rest) rows.push(el("li", { class: "hint", role: "presentation", text: t("moves.more", { n: rest }) }));
    list.replaceChildren(...rows);
    setAttribute(list, "role", "listbox");
    setAttribute(list, "tabindex", 0);
    setAttribute(list, "aria-label", t("moves.label"));
    shown = advice;
    revealed = null;
  }

  /** Take the moves of another game away. */
  function clear() {
    list.replaceChildren();
    for (const name of ["role", "tabindex", "aria-label"]) setAttribute(list, name, null);
    shown = null;
  }

  /** @param {TableModel<any>} model */
  function update(model) {
    const index = model.shown ? model.shown.moves.findIndex((move) => move.action === model.selected) : -1;
    if (!model.shown && shown) clear();
    if (model.shown && (model.shown !== shown || index >= count)) rebuild(model.shown, model, Math.max(FIRST, index + 1));
    node.classList.toggle("stale", model.stale);
    mark(model.stale ? -1 : index, model.selected);
  }

  /** @param {number} index @param {string | null} action */
  function mark(index, action) {
    const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=option]")]);
    rows.forEach((row, i) => setAttribute(row, "aria-selected", String(i === index)));
    setAttribute(list, "aria-activedescendant", rows[index]?.id);
    if (rows[index] && action !== revealed) reveal(list, rows[index]);
    revealed = action;
  }
  return { node, update };
}

/** @param {string} valueName */
function head(valueName) {
  const names = [t("moves.move"), valueWords(valueName), t("moves.loss")].map((text) => el("span", { text }));
  return el("div", { class: "move head", "aria-hidden": "true" }, ...names);
}

/** Scroll the list, never the page. @param {HTMLElement} list @param {HTMLElement} row */
function reveal(list, row) {
  const [top, left] = [row.offsetTop - list.offsetTop, row.offsetLeft - list.offsetLeft];
  const bottom = top + row.offsetHeight - list.clientHeight;
  const right = left + row.offsetWidth - list.clientWidth;
  list.scrollTop = Math.max(bottom, Math.min(top, list.scrollTop));
  list.scrollLeft = Math.max(right, Math.min(left, list.scrollLeft));
}

/**
 * What a full bar stands for: the largest loss among the first moves, since the worst ones would dwarf them all.
 *
 * @param {Move[]} moves
 */
export function fullLoss(moves) {
  const losses = moves.slice(0, COMPARED).map((move) => Number(move.loss));
  return Math.max(...losses.filter(Number.isFinite), 1e-12);
}

/** How much of its bar a loss fills: 0 for the best move, 1 for what is impossible. @param {Value} loss @param {number} full */
export const partOf = (loss, full) => (typeof loss === "number" ? Math.max(0, Math.min(1, isLoss(loss) ? loss / full : 0)) : 1);

/** @param {Move} move @param {number} i @param {TableModel<any>} model @param {number} full */
function makeRow(move, i, { write, kind, banked }, full) {
  const value = typeof move.value === "number" ? move.value + banked : move.value;
  const action = el("span", { class: "what" });
  setDrawn(action, kind, capital(kind.moveName(move.action)), move.action);
  return el(
    "li", { class: "move", role: "option", id: `move-${i}`, test: `move-${i}`, "data-action": move.action },
    action, el("span", { class: "worth", text: write.value(value) }), makeLoss(move.loss, write.loss(move.loss), full),
  );
}

/** @param {Value} loss @param {string} text @param {number} full */
function makeLoss(loss, text, full) {
  const bar = el("span", { class: "fill" });
  bar.style.width = `${100 * partOf(loss, full)}%`;
  const words = el("span", { text: isLoss(loss) ? text : t("moves.best") });
  return el("span", { class: "bar loss" }, words, el("span", { class: "track", "aria-hidden": "true" }, bar));
}
