/** Slots: positions, their texts, and what a move does. */

import { slots } from "../../rollwise/web/static/boards/slots.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { Move, SlotsBoard } from "../../rollwise/web/types.js" */

/** @type {SlotsBoard} */
const board = {
  kind: "slots", target: 45, faces: 6, start: "all 0",
  slots: [{ name: "x3", scores: [3, 6, 9, 12, 15, 18] }, { name: "bin", scores: [0, 0, 0, 0, 0, 0] }, { name: "one", scores: [1, 2, 3, 4, 5, 6] }],
};
/** @type {(action: string) => Move} */
const move = (action) => ({ action, value: 0, exact: null, loss: 0, gain: 0, points: 0, why: "", after: "" });

test("a fresh game has every slot free and no die", () => {
  const position = slots.fresh(board);
  assert.equal(slots.text(board, position), "all 0");
  assert.equal(slots.ready(position), false);
  assert.equal(slots.over(position), false);
});

test("what is written is read back", () => {
  const before = slots.read(board, { state: "bin,one 18 4", placed: "x3:6" });
  assert.deepEqual(slots.write(board, before), { state: "bin,one 18 4", placed: "x3:6" });
  assert.equal(slots.ready(before), true);
});

test("a move banks the points of its slot", () => {
  const after = slots.play(board, slots.read(board, { state: "all 0 6" }), move("x3"), []);
  assert.deepEqual([after.total, after.free, after.placed, after.dice], [18, ["bin", "one"], { x3: 6 }, [null]]);
});

test("the game is over when no slot is free", () => {
  const end = slots.read(board, { state: "none 24" });
  assert.equal(slots.over(end), true);
  assert.equal(slots.score(board, end).head, "Lost with 24 points");
});

test("a wrong link says what was expected", () => {
  assert.throws(() => slots.read(board, { state: "all" }), /expected free slots, a total and a die/);
  assert.throws(() => slots.read(board, { state: "all 0 7" }), /expected a whole number from 1 to 6/);
  assert.throws(() => slots.read(board, { state: "x9 0 1" }), /none of x3, bin, one/);
});
