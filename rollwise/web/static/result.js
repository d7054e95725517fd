/**
 * The end of a game: the score, and how much of it was luck.
 *
 * @import { Acts, Graded, Step, TableModel } from "../types.js"
 */

import { button, el, setText } from "./dom.js";
import { isLoss } from "./format.js";
import { setDrawn } from "./small.js";

const UNGRADED = "No luck and mistakes: they need a whole game, and this one was set up by hand or begun from a link.";

/**
 * Make the panel that shows when a game is over.
 *
 * @param {Acts} acts
 */
export function makeResult(acts) {
  const title = el("h2", { id: "result-title", tabindex: -1 });
  const end = el("p");
  const details = el("div", { class: "judged" });
  const again = button("Play again", acts.again, { class: "main", test: "again" });
  const undo = button("Undo", acts.undo, { test: "undo-end" });
  const buttons = el("div", { class: "row" }, again, undo);
  const node = el(
    "section", { class: "panel result", "aria-labelledby": "result-title", test: "result", hidden: true }, title, end, details, buttons,
  );
  /** @type {unknown[]} */
  let judgedBy = [];

  /** @param {TableModel<any>} model */
  function update(model) {
    node.hidden = !model.over;
    if (!model.over) return;
    const { head, text } = model.kind.score(model.board, model.position, model);
    setText(title, head);
    setText(end, text);
    undo.disabled = !model.canUndo;
    const by = [model.lines, model.grade, model.gradeFault];
    if (by.some((part, i) => part !== judgedBy[i]) || !details.firstChild) details.replaceChildren(...judged(model));
    judgedBy = by;
  }
  return { node, update, focus: () => title.focus() };
}

/** @param {TableModel} model */
function judged(model) {
  if (!model.lines) return [el("p", { class: "hint", test: "ungraded", text: UNGRADED })];
  if (!model.grade) return [el("div", { class: "waiting", text: model.gradeFault ?? "Grading …" })];
  return [sums(model.grade, model), ...mistakes(model.grade, model)];
}

/**
 * @param {Graded} grade
 * @param {TableModel} model
 */
function sums(grade, { write, valueName }) {
  const luck = valueName === "expected rolls" ? "Luck, rolls saved" : "Luck";
  /** @type {[name: string, text: string, test: string][]} */
  const pairs = [
    ["Start", write.value(grade.start), "before"],
    [luck, write.signed(grade.luck), "luck"],
    ["Mistakes", isLoss(grade.mistakes) ? write.loss(grade.mistakes) : "none", "mistakes"],
  ];
  const facts = pairs.map(([name, text, test]) => el("div", {}, el("dt", { text: name }), el("dd", { text, test })));
  return el("dl", { class: "facts" }, ...facts);
}

/**
 * @param {Graded} grade
 * @param {TableModel} model
 */
function mistakes(grade, model) {
  const steps = grade.steps.filter((step) => isLoss(step.loss ?? 0));
  if (!steps.length) return [el("p", { text: "Every move was a best one." })];
  const head = el("tr", {}, ...["position", "yours", "best", "cost"].map((text) => el("th", { scope: "col", text })));
  const body = el("tbody", {}, ...steps.map((step) => row(step, model)));
  const table = el("table", { class: "steps" }, el("caption", { text: "Costly moves" }), el("thead", {}, head), body);
  return [el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Costly moves" }, table)];
}

/**
 * @param {Step} step
 * @param {TableModel} model
 */
function row({ roll, move, best, loss }, { kind, write }) {
  const name = (/** @type {string | null} */ action) => {
    const cell = el("td");
    setDrawn(cell, action === null ? "" : kind.moveName(action), kind);
    return cell;
  };
  return el("tr", {}, el("td", { text: kind.brief(roll), title: roll }), name(move), name(best), el("td", { text: write.loss(loss ?? 0) }));
}
