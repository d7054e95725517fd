/**
 * The ranked moves, as a list box: one tab stop, arrow keys, a click selects. Bars show what a move loses against the best one: a full bar is
 * a blunder, in every position, and the colour is that of the class of the mistake.
 *
 * @import { Acts, Advice, Move, TableModel, Value } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, valueWords } from "../texts/numbers.js";
import { capital, t } from "../texts/texts.js";

const FIRST = 100;
const ROWS = 7;

/** From which loss on a move is a mistake of each class, mildest first. @typedef {Record<string, number>} Severities */

/** @param {Acts} acts @param {string} valueName @param {number} listed how many moves there are at most */
export function makeMoves(acts, valueName, listed) {
  const list = el("ul", { class: "moves", test: "moves" });
  const worth = el("span");
  const head = el("div", { class: "move head", "aria-hidden": "true" }, el("span", { text: t("moves.move") }), worth, el("span", { text: t("moves.loss") }));
  const node = el("div", { class: "ranked" }, head, list);
  list.style.setProperty("--rows", String(Math.min(ROWS, listed)));
  /** @type {Advice | null} */
  let shown = null;
  /** @type {Severities | null} */
  let scale = null;
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
    const rows = advice.moves.slice(0, count).map((move, i) => makeRow(move, i, model));
    const rest = advice.moves.length - count;
    if (rest) rows.push(el("li", { class: "hint", role: "presentation", text: t("moves.more", { n: rest }) }));
    list.replaceChildren(...rows);
    setAttribute(list, "role", "listbox");
    setAttribute(list, "tabindex", 0);
    setAttribute(list, "aria-label", t("moves.label"));
    setText(worth, model.winner ? t(`moves.wins.${model.winner}`) : valueWords(valueName));
    shown = advice;
    scale = model.severities ?? null;
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
    const isNew = model.shown !== shown || (model.severities ?? null) !== scale || index >= count;
    if (!model.shown && shown) clear();
    if (model.shown && isNew) rebuild(model.shown, model, Math.max(FIRST, index + 1));
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

/** Scroll the list, never the page. @param {HTMLElement} list @param {HTMLElement} row */
function reveal(list, row) {
  const [top, left] = [row.offsetTop - list.offsetTop, row.offsetLeft - list.offsetLeft];
  const bottom = top + row.offsetHeight - list.clientHeight;
  const right = left + row.offsetWidth - list.clientWidth;
  list.scrollTop = Math.max(bottom, Math.min(top, list.scrollTop));
  list.scrollLeft = Math.max(right, Math.min(left, list.scrollLeft));
}

/**
 * Name the class of a loss; "" where it has none, or the classes are not known yet.
 *
 * @param {Severities | null | undefined} severities
 * @param {Value} loss
 */
export function severityOf(severities, loss) {
  const size = loss === "impossible" ? Infinity : loss;
  return Object.entries(severities ?? {}).findLast(([, least]) => size >= least)?.[0] ?? "";
}

/**
 * How much of its bar a loss fills: 0 for the best move, 1 from a blunder on.
 *
 * @param {Severities | null | undefined} severities
 * @param {Value} loss
 */
export function partOf(severities, loss) {
  const full = Math.max(0, ...Object.values(severities ?? {}));
  if (!full || !isLoss(loss)) return 0;
  return loss === "impossible" ? 1 : Math.min(1, loss / full);
}

/** Name a class of mistakes; an objective of one's own may have others. @param {string} severity */
export const severityName = (severity) => (["inaccuracy", "mistake", "blunder"].includes(severity) ? t(`after.${severity}`) : severity);

/** @param {Move} move @param {number} i @param {TableModel<any>} model */
function makeRow(move, i, { write, kind, banked, severities }) {
  const value = typeof move.value === "number" ? move.value + banked : move.value;
  const action = el("span", { class: "what" });
  setDrawn(action, kind, capital(kind.moveName(move.action)), move.action);
  const title = t("moves.precise", { value: write.precise(value), loss: write.precise(move.loss) });
  return el(
    "li", { class: "move", role: "option", id: `move-${i}`, test: `move-${i}`, "data-action": move.action, title },
    action, el("span", { class: "worth", text: write.value(value) }), makeLoss(move.loss, write.loss(move.loss), severities),
  );
}

/** @param {Value} loss @param {string} text @param {Severities | null | undefined} severities */
function makeLoss(loss, text, severities) {
  const severity = severityOf(severities, loss);
  const bar = el("span", { class: `fill ${severity}` });
  bar.style.width = `${100 * partOf(severities, loss)}%`;
  const words = el("span", { text: isLoss(loss) ? text : t("moves.best") });
  const spoken = severity ? el("span", { class: "unseen", text: ` ${severityName(severity)}` }) : null;
  return el("span", { class: "bar loss" }, words, spoken, el("span", { class: "track", "aria-hidden": "true" }, bar));
}
