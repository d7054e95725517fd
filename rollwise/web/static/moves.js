/** The ranked moves, as a list box: one tab stop, arrow keys, a click selects. */

import { el, setAttribute } from "./dom.js";
import { isLoss } from "./format.js";

const FIRST = 100;
const ROWS = 7;
const COMPARED = 10;
const UNSET = Symbol("nothing shown");

export function makeMoves(acts, valueName, listed) {
  const list = el("ul", { class: "moves", role: "listbox", tabindex: 0, "aria-label": "Moves, best first", test: "moves" });
  const node = el("div", { class: "ranked" }, head(valueName), list);
  list.style.setProperty("--rows", Math.min(ROWS, listed));
  let shown = UNSET;
  let count = 0;

  list.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) acts.select(row.dataset.action);
  });

  function rebuild(model, wanted) {
    count = Math.min(model.shown.moves.length, wanted);
    const scale = scales(model.shown.moves, model.banked);
    const rows = model.shown.moves.slice(0, count).map((move, i) => makeRow(move, i, model, scale));
    const rest = model.shown.moves.length - count;
    if (rest) rows.push(el("li", { class: "hint", role: "presentation", text: `and ${rest} more` }));
    list.replaceChildren(...rows);
    shown = model.shown;
  }

  function update(model) {
    const index = model.shown ? model.shown.moves.findIndex((move) => move.action === model.selected) : -1;
    if (model.shown && (model.shown !== shown || index >= count)) rebuild(model, Math.max(FIRST, index + 1));
    node.classList.toggle("stale", model.stale);
    let active = null;
    list.querySelectorAll("[role=option]").forEach((row, i) => {
      const selected = !model.stale && i === index;
      setAttribute(row, "aria-selected", String(selected));
      if (selected) active = row;
    });
    setAttribute(list, "aria-activedescendant", active?.id);
    if (active) reveal(list, active);
  }
  return { node, update };
}

function head(valueName) {
  const names = ["move", valueName, "loss"].map((text) => el("span", { text }));
  return el("div", { class: "move head", "aria-hidden": "true" }, ...names);
}

/** Scroll the list, never the page. */
function reveal(list, row) {
  const top = row.offsetTop - list.offsetTop;
  const bottom = top + row.offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(bottom, Math.min(top, list.scrollTop));
}

const most = (numbers) => Math.max(...numbers.filter(Number.isFinite), 1e-12);

/** What a full bar stands for. Losses are compared among the first moves: the worst ones would dwarf them all. */
function scales(moves, banked) {
  const losses = moves.slice(0, COMPARED).map((move) => move.loss);
  return { value: most(moves.map((move) => move.value + banked)), loss: most(losses) };
}

function makeRow(move, i, { write, kind, banked }, scale) {
  const value = typeof move.value === "number" ? move.value + banked : move.value;
  return el(
    "li", { class: "move", role: "option", id: `move-${i}`, test: `move-${i}`, "data-action": move.action },
    el("span", { class: "action", text: kind.moveName(move.action) }),
    makeBar(write.value(value), value / scale.value, "value"),
    isLoss(move.loss) ? makeBar(write.loss(move.loss), move.loss / scale.loss, "loss") : makeBar("best", 0, "loss"),
  );
}

function makeBar(text, part, name) {
  const bar = el("span", { class: "fill" });
  bar.style.width = `${100 * (Number.isFinite(part) ? Math.max(0, Math.min(1, part)) : 1)}%`;
  return el("span", { class: `bar ${name}` }, el("span", { text }), el("span", { class: "track", "aria-hidden": "true" }, bar));
}
