/**
 * The end of a game: the score, and how much of it was luck.
 *
 * @import { Acts, Graded, TableModel } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { countedIn, isLoss } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** Make the panel that shows when a game is over. @param {Acts} acts */
export function makeResult(acts) {
  const title = el("h2", { id: "result-title", tabindex: -1 });
  const end = el("p");
  const details = el("div", { class: "judged" });
  const again = button(t("result.again"), acts.again, { class: "main", test: "again" });
  const undo = button(t("table.undo"), acts.undo, { test: "undo-end" });
  const buttons = el("div", { class: "row" }, again, undo);
  const node = el(
    "section", { class: "panel result", "aria-labelledby": "result-title", test: "result", hidden: true }, title, end, buttons, details,
  );
  /** @type {unknown[]} */
  let judgedBy = [];

  /** @param {TableModel<any>} model */
  function update(model) {
    node.hidden = !model.over;
    if (!model.over) {
      details.replaceChildren();
      return;
    }
    const { head, text } = model.kind.score(model.board, model.position, model);
    setText(title, head);
    setText(end, text);
    undo.disabled = !model.canUndo;
    const by = [model.lines === null, model.grade, model.gradeFault];
    if (by.some((part, i) => part !== judgedBy[i]) || !details.firstChild) details.replaceChildren(...judged(model));
    judgedBy = by;
  }
  return { node, update, focus: () => title.focus() };
}

/** @param {TableModel} model */
function judged(model) {
  if (!model.lines) return [el("p", { class: "hint", test: "ungraded", text: t("result.ungraded") })];
  if (!model.grade) return [el("div", { class: "waiting", text: model.gradeFault ?? t("result.grading") })];
  const [score, place] = [el("div", { class: "outcome" }), el("div")];
  if (!model.party) import("./score.js").then(({ showScore }) => showScore(model, score)).catch(() => score.remove());
  void look(place, model);
  return [score, sums(model.grade, model), place];
}

/**
 * Look at the game move by move, as soon as what that needs is loaded.
 *
 * @param {HTMLElement} place
 * @param {TableModel<any>} model
 */
async function look(place, { asked, lines, grade, kind, board, position, outcome, rival }) {
  if (!grade || !lines || !outcome) return;
  try {
    const [{ makeAfter }, { loadKind, styled }] = await Promise.all([import("./review.js"), import("../boards/registry.js")]);
    const [plain] = await Promise.all([loadKind(board), styled("review.css")]);
    const side = rival ? kind.me?.(position) ?? 0 : 0;
    place.replaceChildren(makeAfter({ asked, kind: plain, board, outcome }, { lines, grade, rival, side }, faultShower(place)).node);
  } catch {
    place.replaceChildren(el("p", { class: "hint", text: t("after.unloaded") }));
  }
}

/** Say what could not be shown, once. @param {HTMLElement} place @returns {(error: Error) => void} */
function faultShower(place) {
  const said = el("p", { role: "alert", class: "fault" });
  return ({ message }) => {
    setText(said, message);
    place.append(said);
  };
}

/** @param {Graded} grade @param {TableModel} model */
function sums(grade, { write, valueName }) {
  const unit = countedIn(valueName);
  const luck = unit ? t(`result.luck-${unit}s`) : t("result.luck");
  /** @type {[name: string, text: string, test: string][]} */
  const pairs = [
    [t("result.start"), write.value(grade.start), "before"], [luck, write.signed(grade.luck), "luck"],
    [t("result.mistakes"), isLoss(grade.mistakes) ? write.loss(grade.mistakes) : t("result.none"), "mistakes"],
  ];
  const facts = pairs.map(([name, text, test]) => el("div", {}, el("dt", { text: name }), el("dd", { text, test })));
  return el("dl", { class: "facts" }, ...facts);
}
