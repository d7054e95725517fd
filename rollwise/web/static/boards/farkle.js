/**
 * The board of Farkle: tap dice to set them aside, see what they score, then roll the others or bank. In the race, two lanes.
 *
 * `board.sets` lists the dice that score together, and their points.
 *
 * @import { Acts, AnyPosition, Kind, MakeStage, TableModel } from "../../types.js"
 */

import { el, setText } from "../app/dom.js";
import { moveName, t } from "../texts/texts.js";
import { makeBigButton } from "./big-button.js";
import { partOf, partsNow } from "./generic.js";
import { makeLanes } from "./lanes.js";
import { drawAside, facesOf, makeDice, setsAside } from "./set-aside.js";
import { bestOf, holdWith, typicalSets } from "./scoring-sets.js";

/** @type {Partial<Kind<any, AnyPosition>>} */
export const kind = setsAside;

/** @type {MakeStage} */
export function makeStage(board, acts) {
  const lanes = makeLanes();
  const turn = makeTurn(board);
  const choice = makeChoice(board, acts);
  const scores = el("details", { class: "sets", test: "sets", open: matchMedia("(min-width: 47.5em)").matches }, el("summary", { text: t("aside.scores") }));
  scores.addEventListener("toggle", () => scores.append(makeSets(board.sets)), { once: true });
  const node = el("div", { class: "aside-stage", test: "stage" }, lanes.node, turn.aside, scores);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const before = partOf(parts, "number", "points")?.value ?? 0;
    const now = model.stale ? 0 : board.sets[facesOf(model.selected)] ?? 0;
    lanes.update(model, parts, before + now);
    turn.update(model, before, now);
    choice.update(model, before);
  }
  return { node, play: [turn.node, choice.dice, choice.node], covers: () => true, update };
}

/** The points of the turn, and the dice that made them. @param {{ sets: Record<string, number> }} board */
function makeTurn({ sets }) {
  const points = el("strong", { test: "turn-points" });
  const label = el("span", { class: "hint" });
  const sum = el("span", { class: "hint" });
  const node = el("p", { class: "turn-points" }, el("span", { class: "sum" }, points, label), sum);
  const aside = el("div", { class: "aside-tray", test: "aside", hidden: true });

  /** @param {TableModel<AnyPosition>} model @param {number} before @param {number} now */
  function update({ position, over }, before, now) {
    node.hidden = over;
    setText(points, String(before + now));
    setText(label, t("lanes.turn", { n: before + now }));
    setText(sum, before && now ? `${before} + ${now}` : "");
    const dice = position.aside ?? [];
    const isKnown = dice.length > 0 && dice.reduce((total, faces) => total + (sets[faces] ?? 0), 0) === before;
    const shown = isKnown ? dice : [];
    aside.hidden = over || (before > 0 && !isKnown);
    aside.replaceChildren(el("span", { class: "hint", text: t(shown.length ? "aside.title" : "aside.none") }), ...shown.map((faces) => el("span", { class: "aside-set" }, drawAside(faces), el("span", { text: sets[faces] }))));
  }
  return { node, aside, update };
}

/**
 * The dice, and below them what to do: roll the others, or bank.
 *
 * @param {{ sets: Record<string, number>, dice: number }} board
 * @param {Acts} acts
 */
function makeChoice(board, acts) {
  /** @type {TableModel<AnyPosition>} */
  let model;
  const dice = makeDice(tap);
  const roll = makeBigButton("act-keep", () => keep() && acts.playAction(keep()));
  const [bank, begin] = ["bank", "begin"].map((action) => makeBigButton(`act-${action}`, () => acts.playAction(action)));
  const node = el("div", { class: "pair decides", role: "group", "aria-label": t("table.moves"), hidden: true }, roll.node, bank.node, begin.node);

  /** The sets that may be set aside here. */
  const offered = () => [...(model.moves?.keys() ?? [])].map(facesOf).filter(Boolean);
  const keep = () => (facesOf(model.selected) ? /** @type {string} */ (model.selected) : "");

  /** Set a die aside with what it needs to score, or take it back. @param {number} i */
  function tap(i) {
    const faces = (model.position.dice ?? []).map(String);
    const wanted = holdWith(faces, faces.map((_, k) => Boolean(model.held[k])), i, offered());
    wanted?.forEach((held, k) => held !== Boolean(model.held[k]) && acts.tapDie(k));
  }

  /** @param {TableModel<AnyPosition>} next @param {number} before */
  function update(next, before) {
    model = next;
    const { position, moves, over, ready, stale, held, canHold } = model;
    const faces = (position.dice ?? []).map(String);
    const sets = stale ? [] : offered();
    dice.node.hidden = over || !faces.length;
    dice.update(faces.map(Number), stale ? [] : held, (i) => canHold && (Boolean(held[i]) || holdWith(faces, faces.map((_, k) => Boolean(held[k])), i, sets) !== null));
    node.hidden = over || !ready;
    if (node.hidden) return;
    const begins = Boolean(moves?.has("begin"));
    begin.node.hidden = !begins;
    roll.node.hidden = bank.node.hidden = begins;
    const left = faces.length - facesOf(keep()).length || board.dice;
    roll.update(model, keep() || null, keep() ? t("aside.roll", { n: left }) : t("aside.roll-none"));
    bank.update(model, "bank", t("aside.bank", { n: before + bestOf(faces.join(""), board.sets) }));
    begin.update(model, "begin", moveName("begin"));
  }
  return { dice: dice.node, node, update };
}

/** What scores, with its dice. @param {Record<string, number>} sets */
function makeSets(sets) {
  const rows = typicalSets(sets).map(({ faces, points, such }) =>
    el("li", {}, drawAside(faces), el("span", { text: such ? t("aside.such", { n: points }) : String(points) })));
  return el("ul", {}, ...rows);
}
