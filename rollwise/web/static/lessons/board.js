/**
 * A position on the board of its game, on which one move is chosen, or shown. It looks as it does on the table; nothing is played.
 *
 * @import { Acts, Advice, Asked, Kind, Move, TableModel, Writers } from "../../types.js"
 * @typedef {{ asked: Asked, kind: Kind<any, any>, board: any, write: Writers, valueName: string,
 *   severities: Record<string, number>, rival?: string | null }} Played what is played, and by whom; from which loss on a move is called what
 * @typedef {{ position: any, advice: Advice, selected?: string | null, best?: string | null, open?: boolean }} Shown
 *   `best`: what is marked as best; `open`: whether a move can be chosen
 */

import { button, el, setAttribute, setPressed } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { heldMove } from "../table/game.js";
import { capital } from "../texts/texts.js";

/**
 * Make a board; `chosen` is called with a move that is selected (null: the dice that are held are none).
 *
 * @param {Played} played
 * @param {(action: string | null) => void} [chosen]
 */
export function makeBoard(played, chosen = () => {}) {
  const { kind, board } = played;
  /** @type {Required<Shown> & { held: boolean[], moves: Map<string, Move> }} */
  let now;
  const view = kind.makeView(board, makeActs({ select, tapDie }));
  const list = makeList(kind, select);
  const dice = el("div", { class: "learn-dice" }, ...view.play, list.node);
  const node = el("div", { class: `learn-board kind-${board.kind}` }, dice, el("div", { class: "learn-sheet" }, ...view.board));

  /** Put a position on the board. @param {Shown} shown */
  function show({ position, advice, selected = null, best = null, open = false }) {
    const moves = new Map(advice.moves.map((move) => [move.action, move]));
    now = { position, advice, selected, best, open, moves, held: holdOf(position, selected) };
    draw();
  }

  /** @param {any} position @param {string | null} action */
  const holdOf = (position, action) => (action === null ? position.dice?.map(() => false) ?? [] : kind.hold(board, position, action));

  /** @param {string | null} action */
  function select(action) {
    if (!now.open || (action !== null && !now.moves.has(action))) return;
    now = { ...now, selected: action, held: holdOf(now.position, action) };
    draw();
    chosen(action);
  }

  /** @param {number} i */
  function tapDie(i) {
    if (!now.open || !kind.canHold(now.position)) return;
    const held = now.held.map((die, k) => (k === i ? !die : die));
    const selected = heldMove({ kind, board }, /** @type {any} */ ({ position: now.position, held }), now.moves);
    now = { ...now, held, selected };
    draw();
    chosen(selected);
  }

  function draw() {
    node.classList.toggle("open", now.open);
    lock(node, false);
    view.update(modelOf(played, now));
    list.update(now);
    if (!now.open) lock(node, true);
  }
  return { node, show, select, tapDie, get selected() { return now?.selected ?? null; }, get position() { return now?.position ?? {}; } };
}

/**
 * Take what does nothing out of the way of the keyboard; it can still be read.
 *
 * @param {HTMLElement} node
 * @param {boolean} locked
 */
function lock(node, locked) {
  for (const child of node.querySelectorAll("button")) {
    setAttribute(child, "tabindex", locked ? -1 : null);
    setAttribute(child, "aria-disabled", locked ? "true" : null);
  }
}

/**
 * What a board may do here: choose a move. Whatever else it offers does nothing.
 *
 * @type {(acts: { select: (action: string | null) => void, tapDie: (i: number) => void }) => Acts<any>}
 */
function makeActs({ select, tapDie }) {
  const nothing = () => {};
  return {
    tapDie, select, choose: select, playAction: select,
    enter: nothing, clear: nothing, target: nothing, edit: nothing, play: nothing, roll: nothing, undo: nothing, mode: nothing,
    coach: nothing, toggleEdit: nothing, share: nothing, shareGame: nothing, again: nothing, rival: nothing, seat: nothing, aim: async () => false,
  };
}

/**
 * The position as the views of the table see one.
 *
 * @type {(played: Played, now: Required<Shown> & { held: boolean[], moves: Map<string, Move> }) => TableModel<any>}
 */
function modelOf({ asked, kind, board, write, valueName, rival = null }, { position, advice, selected, best, open, held, moves }) {
  return {
    asked, kind, board, write, valueName, position, moves, selected, held, best,
    shown: advice, coach: best !== null, canHold: open && kind.canHold(position), rivalMoves: !open, mode: "roll", ready: true,
    edit: false, over: false, stale: false, canUndo: false, banked: 0, target: null, lines: null, grade: null, gradeFault: null,
    verdict: null, note: null, rolls: null, final: null, rival, slow: false, stuck: false, connection: null, atStart: false, opponents: [],
  };
}

/**
 * The moves by their names, for boards that cannot show each of many.
 *
 * @param {Kind<any, any>} kind
 * @param {(action: string) => void} select
 */
function makeList(kind, select) {
  const node = el("div", { class: "learn-moves", role: "group", hidden: true });
  let names = "";

  /** @param {Required<Shown>} now */
  function update({ advice, selected, best }) {
    node.hidden = !kind.lists?.(advice.moves.length);
    if (node.hidden) return;
    const actions = advice.moves.map((move) => move.action).sort();
    if (names !== actions.join("\n")) {
      node.replaceChildren(...actions.map((action) => makeMove(action, kind, select)));
      names = actions.join("\n");
    }
    [...node.children].forEach((child, i) => {
      setPressed(child, actions[i] === selected);
      child.classList.toggle("best", actions[i] === best);
    });
  }
  return { node, update };
}

/** @param {string} action @param {Kind<any, any>} kind @param {(action: string) => void} select */
function makeMove(action, kind, select) {
  const node = button("", () => select(action), { test: `pick-${action}` });
  setDrawn(node, kind, capital(kind.moveName(action)), action);
  return node;
}
