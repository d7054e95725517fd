/**
 * The board of any game: what lies on the table, a button for each of a few moves, and what may be rolled.
 *
 * @import { Acts, AnyPosition, MakeStage, Part, Stage, TableModel, View } from "../../types.js"
 */

import { el, setText } from "../app/dom.js";
import { capital, t } from "../texts/texts.js";
import { makeBigButton } from "./big-button.js";
import { makeParts } from "./generic-parts.js";
import { makeRolls } from "./generic-rolls.js";
import { isFew, partsNow, sidesOf } from "./generic.js";
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
    const found = partsNow(model);
    if (found) parts.draw(found, sidesOf(model));
    node.classList.toggle("stale", !found);
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
  /** @type {ReturnType<typeof makeBigButton>[]} */
  let buttons = [];

  /** @param {string[]} next */
  function rebuild(next) {
    names = next;
    buttons = names.map((name) => makeBigButton(`act-${name}`, () => acts.playAction(name)));
    const focused = [...node.children].indexOf(/** @type {Element} */ (document.activeElement));
    node.replaceChildren(...buttons.map((one) => one.node));
    if (focused >= 0) buttons[Math.min(focused, names.length - 1)]?.node.focus();
  }

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const { shown, kind } = model;
    node.hidden = model.over || !model.ready || !isFew(model) || covers(model);
    if (node.hidden || !shown) return;
    const next = shown.moves.map((move) => move.action).sort();
    if (next.join("\n") !== names.join("\n")) rebuild(next);
    buttons.forEach((one, i) => one.update(model, names[i], capital(kind.moveName(names[i]))));
  }
  return { node, update };
}

/** The position as a text, which can be read aloud, kept and typed in. @type {(acts: Acts) => Part<AnyPosition>} */
function makeTyped(acts) {
  const input = el("input", { type: "text", autocomplete: "off", spellcheck: "false", test: "state", on: { change: put } });
  const after = el("p", { class: "hint", test: "after" });
  const field = el("label", { class: "field" }, el("span", { text: t("any.position") }), input);
  const node = el("details", { class: "any-typed" }, el("summary", { text: t("any.text") }), field, after);

  /** @type {TableModel<AnyPosition>} */
  let model;

  function put() {
    const state = input.value.trim().replace(/\s+/g, " ");
    const found = model.rolls?.rolls.find((roll) => roll.state === state);
    if (found) acts.enter(/** @type {any} */ (found));
    else acts.edit(() => (state ? model.kind.read(model.board, { state, total: String(model.position.total) }) : null));
  }

  /** @param {TableModel<AnyPosition>} next */
  function update(next) {
    const { position, rolls } = (model = next);
    if (document.activeElement !== input || position.state) input.value = position.state;
    setText(after, position.state ? t("any.change") : t("any.to-roll", { after: rolls?.after ?? "…" }));
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
