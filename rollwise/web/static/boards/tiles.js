/**
 * Tiles that a tap tips over, as in Shut the Box: tiles that together are a move select it. For any game whose parts have `tiles`, and
 * moves that name them, such as `shut 2+3`.
 *
 * @import { AnyPosition, BoardPart, MakeStage, TableModel } from "../../types.js"
 * @typedef {Extract<BoardPart, { kind: "tiles" }>} Tiles
 */

import { button, el, setAttribute, setPressed, setText } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { makeParts } from "./generic-parts.js";
import { movesNow, partsNow, sidesOf } from "./generic.js";
import { makeThrow } from "./throw.js";

/**
 * List the tiles that a move names; null where it names anything else. A move may be the name of a tile alone.
 *
 * @param {string} action
 * @param {Set<string>} open
 */
export function tilesOf(action, open) {
  const [, ...rest] = action.split(" ");
  const names = (rest.join(" ") || action).split("+");
  return names.every((name) => open.has(name)) ? names : null;
}

/**
 * Say what a tap makes of the tiles that are tipped: one more, one fewer, or a fresh start with the one that was tapped.
 *
 * @param {string[]} tipped
 * @param {string} name
 * @param {string[][]} moves the tiles of each move
 */
export function tap(tipped, name, moves) {
  if (tipped.includes(name)) return tipped.filter((other) => other !== name);
  const more = [...tipped, name];
  return begins(more, moves) ? more : [name];
}

/** Whether some move has all of these tiles. @param {string[]} tipped @param {string[][]} moves */
const begins = (tipped, moves) => moves.some((move) => tipped.every((name) => move.includes(name)));

/** The move that has just these tiles. @param {string[]} tipped @param {Map<string, string[]>} moves */
function moveOf(tipped, moves) {
  const found = [...moves].find(([, names]) => names.length === tipped.length && begins(tipped, [names]));
  return found ? found[0] : null;
}

/** Build the stage. @type {MakeStage} */
export function makeStage(board, acts) {
  const thrown = makeThrow();
  const rest = makeParts(board.players ?? 1);
  const box = el("div", { class: "tiles-box", role: "group", test: "tiles" });
  const node = el("div", { class: "any-stage tiles-stage", test: "stage" }, el("div", { class: "tiles-head" }, thrown.node, rest.node), box);
  /** @type {{ state: string, tipped: string[] | null }} what the player has tipped since the position came; null: nothing was tapped */
  let own = { state: "", tipped: null };
  /** @type {Map<string, string[]>} */
  let moves = new Map();
  /** @type {string[]} */
  let tipped = [];

  /** @param {string} name */
  function touch(name) {
    if (!moves.size) return;
    own.tipped = tap(tipped, name, [...moves.values()]);
    acts.select(moveOf(own.tipped, moves));
  }

  /** @param {TableModel<AnyPosition>} model */
  function update(model) {
    const parts = partsNow(model);
    node.classList.toggle("stale", !parts);
    if (!parts) return;
    const sets = /** @type {Tiles[]} */ (parts.filter(({ kind }) => kind === "tiles"));
    const open = new Set(sets.flatMap(({ members }) => members.filter(({ on }) => on).map(({ name }) => name)));
    moves = namedTiles(model, open);
    if (own.state !== model.position.state) own = { state: model.position.state, tipped: null };
    if (model.selected !== null && own.tipped && moveOf(own.tipped, moves) !== model.selected) own.tipped = null;
    tipped = own.tipped ?? chosenTiles(model, moves);
    thrown.draw(parts, model);
    rest.draw(parts.filter((part) => part.kind !== "tiles" && !thrown.shows(part)), sidesOf(model));
    rebuild(box, sets, touch);
    const best = (model.coach && !model.stale && moves.get(model.best ?? "")) || [];
    sets.flatMap(({ members }) => members).forEach(({ name, on }, i) => show(box.querySelectorAll("button")[i], { name, on, isBest: best.includes(name) }, model));
  }

  /** @param {HTMLButtonElement} tile @param {{ name: string, on: boolean, isBest: boolean }} what @param {TableModel<AnyPosition>} model */
  function show(tile, { name, on, isBest }, { rivalMoves, stale }) {
    const isTipped = tipped.includes(name);
    const complete = moveOf(tipped, moves) !== null;
    const fits = begins([...tipped, name], [...moves.values()]) || (complete && begins([name], [...moves.values()]));
    setPressed(tile, isTipped);
    tile.classList.toggle("shut", !on);
    tile.classList.toggle("best", isBest);
    tile.disabled = !on;
    setAttribute(tile, "aria-disabled", on && (rivalMoves || stale || (!fits && !isTipped)) ? "true" : null);
    setText(/** @type {Node} */ (tile.lastChild), ` ${t(!on ? "tiles.shut" : isBest ? "tiles.best" : "tiles.open")}`);
  }

  /** Whether every move is made of tiles. @param {TableModel<AnyPosition>} model */
  const covers = ({ shown }) => moves.size > 0 && moves.size === shown?.moves.length;
  return { node, update, covers };
}

/** The moves that tiles make, with their tiles. @param {TableModel<AnyPosition>} model @param {Set<string>} open @returns {Map<string, string[]>} */
function namedTiles(model, open) {
  const found = movesNow(model).map((action) => /** @type {[string, string[] | null]} */ ([action, tilesOf(action, open)]));
  return new Map(/** @type {[string, string[]][]} */ (found.filter(([, names]) => names)));
}

/** The tiles of the move that is selected, unless that is only what advice suggests. @param {TableModel<AnyPosition>} model @param {Map<string, string[]>} moves */
function chosenTiles({ selected, best, coach, rivalMoves }, moves) {
  const isSuggested = coach && selected === best && !rivalMoves;
  return (selected !== null && !isSuggested && moves.get(selected)) || [];
}

/**
 * Put tiles in the box, where others were.
 *
 * @param {HTMLElement} box
 * @param {Tiles[]} sets
 * @param {(name: string) => void} touch
 */
function rebuild(box, sets, touch) {
  const names = sets.flatMap(({ members }) => members.map(({ name }) => name));
  const key = names.join("\n");
  if (box.dataset.names === key) return;
  box.dataset.names = key;
  box.style.setProperty("--tiles", String(names.length));
  box.style.setProperty("--half", String(Math.ceil(names.length / 2)));
  box.classList.toggle("many", names.length > 9);
  box.classList.toggle("wordy", names.some((name) => name.length > 2));
  setAttribute(box, "aria-label", sets.map(({ label }) => label).join(", "));
  box.replaceChildren(...names.map((name) => makeTile(name, touch)));
}

/** @param {string} name @param {(name: string) => void} touch */
function makeTile(name, touch) {
  const tile = button("", () => tile.getAttribute("aria-disabled") || touch(name), { class: "tile", test: `tile-${name}` });
  tile.append(el("span", { class: "flap", text: name }), el("span", { class: "unseen" }));
  return tile;
}
