/**
 * What a duel looks like: the dice of the player who moves, and both sheets in one table, yours first.
 *
 * @import { Acts, BoxInfo, DuelBoard, DuelPosition, TableModel, View } from "../types.js"
 */

import { button, el, segmented, setAttribute, setText } from "./dom.js";
import { papersOf } from "./duel-sheet.js";
import { makeView as makeSheetView } from "./sheet-view.js";

/** @type {Record<string, string>} */
const RIVALS = { "": "A person", optimal: "Computer, to win", points: "Computer, for points", greedy: "Computer, greedy" };

/**
 * @param {DuelBoard} board
 * @param {Acts} acts
 * @returns {View<DuelPosition>}
 */
export function makeView(board, acts) {
  const own = makeSheetView(board, /** @type {any} */ (acts));
  const rows = board.boxes.map((box) => makeRow(box, acts));
  const steps = board.bonus?.steps.map(({ threshold, points }) => `${points} more at ${threshold}`) ?? [];
  const sums = [...(board.bonus ? [makeSum(`Upper, ${steps.join(", ")}`, "upper")] : []), makeSum("Total", "total")];
  const names = { mine: el("th", { scope: "col" }), theirs: el("th", { scope: "col" }) };
  const lead = el("p", { class: "lead-line", role: "status", test: "lead" });
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col", text: "Box" }), names.mine, names.theirs));
  const table = el("table", { class: "duel" }, head, el("tbody", {}, ...rows.map((row) => row.node)), el("tfoot", {}, ...sums.map((sum) => sum.node)));
  const rivals = makeRivals(acts);

  /** @param {TableModel<DuelPosition>} model */
  function update(model) {
    own.update(/** @type {any} */ (model));
    for (const part of [...rows, ...sums, rivals]) part.update(model);
    const { mover, me } = model.position;
    setText(names.mine, model.rival ? "You" : "First");
    setText(names.theirs, model.rival ? "Computer" : "Second");
    names.mine.classList.toggle("now", mover === me && !model.over);
    names.theirs.classList.toggle("now", mover !== me && !model.over);
    setText(lead, leadText(model));
  }
  return { title: "Sheets", play: own.play, board: [lead, el("div", { class: "sheets", tabindex: 0, role: "region", "aria-label": "Both sheets" }, table), rivals.node], update };
}

/** @param {TableModel<DuelPosition>} model */
function leadText({ position, rival, over }) {
  const { mine, theirs } = papersOf(position);
  const lead = mine.total - theirs.total;
  const [who, other] = rival ? ["You", "The computer"] : ["The first player", "The second player"];
  const turn = over ? "" : position.mover === position.me ? (rival ? " Your turn." : " The first player's turn.") : ` ${other}'s turn.`;
  const verb = rival ? (lead < 0 ? "leads" : "lead") : "leads";
  return `${lead === 0 ? "Level." : `${lead > 0 ? who : other} ${verb} by ${Math.abs(lead)}.`}${turn}`;
}

/**
 * @param {BoxInfo} box
 * @param {Acts} acts
 */
function makeRow(box, acts) {
  const mine = makeCell(box, "mine", acts);
  const theirs = makeCell(box, "theirs", acts);
  const node = el("tr", {}, el("th", { scope: "row", text: box.name }), mine.node, theirs.node);
  return {
    node,
    /** @param {TableModel<DuelPosition>} model */
    update(model) {
      mine.update(model);
      theirs.update(model);
    },
  };
}

/**
 * A box on one of the sheets: what it holds, or, for who moves, a button that fills it.
 *
 * @param {BoxInfo} box
 * @param {"mine" | "theirs"} whose
 * @param {Acts} acts
 */
function makeCell(box, whose, acts) {
  const value = el("span", { class: "value" });
  const fill = button("", () => acts.choose(box.name), { class: "box", test: whose === "mine" ? `box-${box.name}` : `their-box-${box.name}` });

  /** @param {TableModel<DuelPosition>} model */
  function update(model) {
    const { position, moves, selected, coach, best } = model;
    const paper = papersOf(position)[whose];
    const isOpen = paper.open.includes(box.name);
    const moving = (position.mover === position.me) === (whose === "mine");
    const gain = moving ? moves?.get(box.name)?.gain : undefined;
    const points = paper.points[box.name];
    fill.hidden = gain === undefined;
    value.hidden = gain !== undefined;
    setText(value, isOpen ? "" : String(points ?? "✓"));
    setText(fill, String(gain ?? ""));
    setAttribute(fill, "aria-label", `${box.name}, gives ${gain}`);
    setAttribute(fill, "aria-pressed", String(moving && selected === box.name));
    setAttribute(fill, "aria-disabled", model.rivalMoves ? "true" : null);
    fill.classList.toggle("best", moving && coach && best === box.name && !model.rivalMoves);
  }
  return { node: el("td", {}, value, fill), update };
}

/**
 * @param {string} label
 * @param {"upper" | "total"} name
 */
function makeSum(label, name) {
  const mine = el("td", { test: `my-${name}` });
  const theirs = el("td", { test: `their-${name}` });
  return {
    node: el("tr", {}, el("th", { scope: "row", text: label }), mine, theirs),
    /** @param {TableModel<DuelPosition>} model */
    update({ position }) {
      const papers = papersOf(position);
      setText(mine, String(papers.mine[name]));
      setText(theirs, String(papers.theirs[name]));
    },
  };
}

/**
 * Who plays the other sheet, and who begins.
 *
 * @param {Acts} acts
 */
function makeRivals(acts) {
  const select = el("select", { test: "rival", on: { change: () => acts.rival(select.value || null) } });
  const seat = segmented("You move", [[0, "first", "seat-first"], [1, "second", "seat-second"]], (me) => acts.seat(/** @type {0 | 1} */ (me)));
  const node = el(
    "div", { class: "rivals" }, el("label", { class: "field" }, el("span", { text: "The other player" }), select),
    el("div", { class: "row" }, el("span", { class: "label", text: "You move" }), seat.node),
  );
  let listed = "";
  return {
    node,
    /** @param {TableModel<DuelPosition>} model */
    update({ rival, opponents, position, atBegin, board }) {
      const names = ["", ...(opponents ?? [])];
      if (names.join() !== listed) select.replaceChildren(...names.map((name) => el("option", { value: name, text: RIVALS[name] ?? name })));
      listed = names.join();
      select.value = rival ?? "";
      seat.set(position.me);
      seat.node.parentElement?.toggleAttribute("hidden", !rival || !atBegin || typeof /** @type {any} */ (board).bound === "number");
    },
  };
}
