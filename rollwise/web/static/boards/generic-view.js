/**
 * The board of any game: what lies on the table, a button for each of a few moves, and what may be rolled.
 *
 * @import { Acts, AnyPosition, MakeStage, Part, Stage, TableModel, View } from "../../types.js"
 */

import { button, el, setAttribute, setText } from "../app/dom.js";
import { isLoss } from "../texts/numbers.js";
import { capital, moveName, t } from "../texts/texts.js";
import { makeParts, namesOf } from "./generic-parts.js";
import { makeRolls } from "./generic-rolls.js";
import { isFew, partsNow } from "./generic.js";
import { makeRivalChoice } from "./rival-choice.js";

/** Build the board. @param {{ players?: number }} board @param {Acts} acts @param {MakeStage} [makeLook] a drawing of its own @returns {View<AnyPosition>} */
export function makeView(board, acts, makeLook) {
  const stage = makeLook ? makeLook(board, acts) : makeStage(board);
  const moves = makeFewMoves(acts, (model) => stage.covers?.(model) ?? false);
  const rolls = makeRolls(acts);
  const typed = makeTyped(acts);
  const rivals = (board.players ?? 1) > 1 ? [makeRivals(acts)] : [];
  const all = [stage, moves, rolls, typed, ...rivals];
  return {
    title: t("any.position"),
    play: [...(stage.play ?? []), moves.node, rolls.node],
    board: [...rivals.map((part) => part.node), stage.node, typed.node],
    key: rolls.key,
    update: (model) => all.forEach((part) => part.update(model)),
  };
}

/**
 * What lies on the table: that of the position, or before a roll that of the roll to come.
 *
 * @type {(board: { players?: number }) => Stage}
 */
function makeStage(board) {
  const parts = makeParts(board.players ?? 1);
  const node = el("div", { class: "any-stage", test: "stage" }, parts.node);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const now = partsNow(model);
    if (now) parts.draw(now, namesOf(model));
    node.classList.toggle("stale", !now);
  }
  return { node, update };
}

/**
 * A large button for each move, where there are few that the board does not cover.
 *
 * @type {(acts: Acts, covers: (model: TableModel<AnyPosition>) => boolean) => Part<AnyPosition>}
 */
function makeFewMoves(acts, covers) {
  const node = el("div", { class: "any-few", role: "group", "aria-label": t("table.moves") });
  /** @type {string[]} */
  let names = [];

  /** @param {string[]} next */
  function rebuild(next) {
    names = next;
    const focused = [...node.children].indexOf(/** @type {Element} */ (document.activeElement));
    node.replaceChildren(...names.map((name) => makeMove(name, acts)));
    if (focused >= 0) /** @type {HTMLElement | undefined} */ (node.children[Math.min(focused, names.length - 1)])?.focus();
  }

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const { shown, stale, coach, best, selected, rivalMoves, moves, write } = model;
    node.hidden = model.over || !model.ready || !isFew(model) || covers(model);
    if (node.hidden || !shown) return;
    const next = shown.moves.map((move) => move.action).sort();
    if (next.join("\n") !== names.join("\n")) rebuild(next);
    [...node.children].forEach((child, i) => {
      const isBest = coach && !stale && best === names[i];
      child.classList.toggle("best", isBest);
      setAttribute(child, "aria-pressed", String(!stale && selected === names[i]));
      setAttribute(child, "aria-disabled", stale || rivalMoves ? "true" : null);
      const move = coach && !stale ? moves?.get(names[i]) : null;
      setText(/** @type {Node} */ (child.lastChild), move ? (isLoss(move.loss) ? t("after.costs", { loss: write.loss(move.loss) }) : t("moves.best")) : " ");
    });
  }
  return { node, update };
}

/** @param {string} name @param {Acts} acts */
function makeMove(name, acts) {
  const node = button("", () => acts.playAction(name), { class: "big", test: `act-${name}` });
  node.append(el("span", { class: "name", text: capital(moveName(name)) }), el("span", { class: "cost" }));
  return node;
}

/** The position as a text, which can be read aloud, kept and typed in. @type {(acts: Acts) => Part<AnyPosition>} */
function makeTyped(acts) {
  const input = el("input", { type: "text", autocomplete: "off", spellcheck: "false", test: "state", on: { change: put } });
  const after = el("p", { class: "hint", test: "after" });
  const field = el("label", { class: "field" }, el("span", { text: t("any.position") }), input);
  const node = el("details", { class: "any-typed" }, el("summary", { text: t("any.text") }), field, after);

  /** @type {TableModel<AnyPosition>["rolls"]} */
  let rolls = null;

  function put() {
    const state = input.value.trim().replace(/\s+/g, " ");
    const found = rolls?.rolls.find((roll) => roll.state === state);
    if (found) acts.enter(/** @type {any} */ (found));
    else acts.edit((position) => (state ? { ...position, state, shown: null } : null));
  }

  /** @param {TableModel<AnyPosition>} model */
  function update({ position, rolls: listed }) {
    rolls = listed;
    if (document.activeElement !== input || position.state) input.value = position.state;
    setText(after, position.state ? t("any.change") : t("any.to-roll", { after: listed?.after ?? "…" }));
  }
  return { node, update };
}

/** @type {Record<string, string>} */
const RIVALS = { "": t("rival.person"), optimal: t("rival.best"), greedy: t("rival.grabs") };

/** Who plays the second player. @type {(acts: Acts) => Part<AnyPosition>} */
function makeRivals(acts) {
  const choice = makeRivalChoice(acts, (way) => RIVALS[way] ?? t("rival.named", { name: way }));
  return { node: el("label", { class: "field any-rivals" }, el("span", { text: t("bar.second") }), choice.node), update: choice.update };
}
