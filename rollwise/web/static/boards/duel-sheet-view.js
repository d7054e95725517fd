/**
 * What a duel looks like: the dice of the player who moves, and both sheets in one table, yours first.
 *
 * @import { Acts, BoxInfo, DuelBoard, DuelPosition, TableModel, View } from "../../types.js"
 */

import { button, el, segmented, setAttribute, setText } from "../app/dom.js";
import { boxName, t } from "../texts/texts.js";
import { papersOf } from "./duel-sheet.js";
import { makeRivalChoice } from "./rival-choice.js";
import { makeView as makeSheetView } from "./sheet-view.js";

/** @type {Record<string, string>} */
const RIVALS = { "": t("rival.person"), optimal: t("rival.to-win"), points: t("rival.points"), greedy: t("rival.greedy") };

/** @type {(board: DuelBoard, acts: Acts) => View<DuelPosition>} */
export function makeView(board, acts) {
  const own = makeSheetView(board, /** @type {any} */ (acts));
  const rows = board.boxes.map((box) => makeRow(box, acts));
  const steps = board.bonus?.steps.map(({ threshold, points }) => t("duel.step", { points: String(points), threshold: String(threshold) })) ?? [];
  const sums = [...(board.bonus ? [makeSum(t("duel.upper", { steps: steps.join(", ") }), "upper")] : []), makeSum(t("sheet.total"), "total")];
  const names = { mine: el("th", { scope: "col" }), theirs: el("th", { scope: "col" }) };
  const lead = el("p", { class: "lead-line", role: "status", test: "lead" });
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col", text: t("duel.box") }), names.mine, names.theirs));
  const table = el("table", { class: "duel" }, head, el("tbody", {}, ...rows.map((row) => row.node)), el("tfoot", {}, ...sums.map((sum) => sum.node)));
  const rivals = makeRivals(acts);

  /** @param {TableModel<DuelPosition>} model */
  function update(model) {
    own.update(/** @type {any} */ (model));
    for (const part of [...rows, ...sums, rivals]) part.update(model);
    const { mover, me } = model.position;
    setText(names.mine, t(model.rival ? "bar.you" : "duel.first"));
    setText(names.theirs, t(model.rival ? "bar.computer" : "duel.second"));
    names.mine.classList.toggle("now", mover === me && !model.over);
    names.theirs.classList.toggle("now", mover !== me && !model.over);
    setText(lead, leadText(model));
  }
  return { title: t("duel.sheets"), play: own.play, board: [lead, el("div", { class: "sheets", tabindex: 0, role: "region", "aria-label": t("duel.both") }, table), rivals.node], update };
}

/** @param {TableModel<DuelPosition>} model */
function leadText({ position, rival, over }) {
  const { mine, theirs } = papersOf(position);
  const lead = mine.total - theirs.total;
  const [who, other] = rival ? ["you", "computer"] : ["first", "second"];
  const turn = over ? "" : ` ${t(`duel.turn.${position.mover === position.me ? who : other}`)}`;
  return `${lead === 0 ? t("duel.level") : t(`duel.leads.${lead > 0 ? who : other}`, { n: String(Math.abs(lead)) })}${turn}`;
}

/** @param {BoxInfo} box @param {Acts} acts */
function makeRow(box, acts) {
  const mine = makeCell(box, "mine", acts);
  const theirs = makeCell(box, "theirs", acts);
  const node = el("tr", {}, el("th", { scope: "row", text: boxName(box.name) }), mine.node, theirs.node);
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
    setAttribute(fill, "aria-label", gain === undefined ? null : t("duel.gives", { box: boxName(box.name), n: String(gain) }));
    setAttribute(fill, "aria-pressed", String(moving && selected === box.name));
    setAttribute(fill, "aria-disabled", model.rivalMoves ? "true" : null);
    fill.classList.toggle("best", moving && coach && best === box.name && !model.rivalMoves);
  }
  return { node: el("td", {}, value, fill), update };
}

/** @param {string} label @param {"upper" | "total"} name */
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

/** Who plays the other sheet, and who begins. @param {Acts} acts */
function makeRivals(acts) {
  const choice = makeRivalChoice(acts, (way) => RIVALS[way] ?? way);
  const seat = segmented(t("duel.you-move"), [[0, t("duel.seat.first"), "seat-first"], [1, t("duel.seat.second"), "seat-second"]], (me) => acts.seat(/** @type {0 | 1} */ (me)));
  const node = el(
    "div", { class: "rivals" }, el("label", { class: "field" }, el("span", { text: t("table.other") }), choice.node),
    el("div", { class: "row" }, el("span", { class: "label", text: t("duel.you-move") }), seat.node),
  );
  return {
    node,
    /** @param {TableModel<DuelPosition>} model */
    update(model) {
      const { rival, position, atBegin, board } = model;
      choice.update(model);
      seat.set(position.me);
      seat.node.parentElement?.toggleAttribute("hidden", !rival || !atBegin || typeof /** @type {any} */ (board).bound === "number");
    },
  };
}
