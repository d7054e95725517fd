/**
 * A home board of backgammon, or two that race: checkers on points, a tray for those that are off, and dice.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "points" }>} Side
 */

import { el } from "../app/dom.js";
import { makePlay, playName } from "./checker-play.js";
import { makeParts } from "./generic-parts.js";
import { partOf, partsNow, sidesOf } from "./generic.js";
import { makeSide } from "./points-side.js";

/** Moves are chosen on the board, and named as backgammon players write them. */
export const kind = { moveName: playName, lists: () => false };

/** Build the stage. @type {MakeStage} */
export function makeStage(board, acts) {
  const rest = makeParts(board.players ?? 1);
  const play = makePlay(acts);
  const sides = Array.from({ length: board.players ?? 1 }, (_, player) => makeSide(player, play.touch));
  const throwRow = el("div", { class: "points-throw" }, play.dice, rest.node, play.back);
  const node = el("div", { class: `any-stage points-stage${sides.length > 1 ? " race" : ""}`, test: "stage" }, throwRow, ...sides.map((side) => side.node).reverse(), play.choices);

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const shown = /** @type {Side[]} */ (parts.filter((part) => part.kind === "points"));
    const player = partOf(parts, "mover", "mover")?.player ?? 0;
    const { preview, best, can, moves } = play.update(model, parts, { own: shown[player]?.counts ?? [], other: [] });
    const names = sidesOf(model);
    shown.forEach((side, i) => {
      const isMine = side.player === player && moves;
      const isTurn = shown.length > 1 && isMine;
      sides[i].draw(side, { head: shown.length > 1 ? names[i] : "", turn: isTurn, after: (isMine && preview?.own) || null, best: (isMine && best?.own) || null, can: isMine ? can : () => false });
    });
    rest.draw(parts.filter((part) => !["points", "dice", "mover"].includes(part.kind) && part.name !== "off"), names);
  }
  return { node, update, covers: play.covers };
}
