/** Any game: a position is typed as the game writes it, and every move is ranked. */

import { el, setText } from "./dom.js";

/** `state`: the position as text, empty until it is typed; `after`: the roll that it must come from. */
const fresh = (board) => ({ state: "", after: board.start });
const read = (board, { state = "" }) => ({ state: state.trim(), after: board.start });
const text = (board, { state }) => state;
const play = (board, position, move) => ({ state: "", after: move.after });

function makeView(board, acts) {
  const put = () => acts.edit((position) => ({ ...position, state: input.value.trim() }));
  const input = el("input", { type: "text", autocomplete: "off", spellcheck: "false", test: "state", on: { change: put } });
  const after = el("p", { class: "need", test: "after" });
  return {
    title: "Position",
    play: [el("label", { class: "field" }, el("span", { text: "What was rolled, as the game writes it" }), input)],
    board: [after, el("p", { class: "hint", text: "This page has no picture of this game: positions are texts." })],
    update({ position }) {
      if (document.activeElement !== input || !position.state) input.value = position.state;
      setText(after, `The roll: ${position.after}`);
    },
  };
}

export const any = {
  fresh, read, text, play, makeView,
  write: (board, { state }) => (state ? { state } : {}),
  score: (board, { state }) => ({ head: "The game is over", text: state }),
  ready: ({ state }) => state !== "",
  over: () => false,
  canHold: () => false,
  hold: () => [],
  action: () => null,
  enter: (position) => position,
  clear: (position) => ({ ...position, state: "" }),
  roll: (board, position) => position,
  rollsOn: () => false,
  banked: () => 0,
  moveName: (action) => action,
  prompt: () => "Type the position that was rolled.",
  canSetUp: false,
  brief: (state) => state,
  listed: () => 8,
  ask: "Your move: choose one from the list.",
};
