/** Groups: positions, their texts, and what a move does. */

import { groups } from "../../rollwise/web/static/boards/groups.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { GroupsBoard, Move } from "../../rollwise/web/types.js" */

/** @type {GroupsBoard} */
const board = { kind: "groups", faces: 6, goal: [3, 2], dice: 5, start: "-" };
/** @type {(action: string) => Move} */
const move = (action) => ({ action, value: 0, exact: null, loss: 0, gain: 0, points: 0, why: "", after: "" });

test("what is written is read back, largest group first", () => {
  const before = groups.read(board, { state: "1,2 1", rolls: "4" });
  assert.deepEqual(before, { held: [2, 1], hit: 1, faces: [6, 5], die: 5, rolls: 4 });
  assert.deepEqual(groups.write(board, before), { state: "2,1 1", rolls: 4, faces: "6,5" });
  assert.deepEqual(groups.read(board, { state: "2,1 1", faces: "3,4" }).die, 4);
  assert.equal(groups.text(board, groups.fresh(board)), "-");
});

test("a die that is kept joins its group or begins one", () => {
  const before = groups.read(board, { state: "2,1 1" });
  assert.deepEqual(groups.play(board, before, move("keep"), []), { held: [2, 2], faces: [6, 5], hit: null, die: null, rolls: 1 });
  assert.deepEqual(groups.play(board, before, move("reroll"), []), { held: [2, 1], faces: [6, 5], hit: null, die: null, rolls: 1 });
  const fresh = groups.read(board, { state: "2 0" });
  assert.deepEqual(groups.play(board, fresh, move("keep"), []).held, [2, 1]);
});

test("a key says what the die shows, and is taken back", () => {
  const before = groups.read(board, { state: "2,1", faces: "3,1" });
  assert.deepEqual([3, 1, 2].map((face) => groups.enter(before, null, face).hit), [2, 1, 0]);
  assert.equal(groups.clear(groups.enter(before, null, 2)).hit, null);
  assert.equal(groups.ready(before), false);
});

test("groups stay with their faces when one outgrows another", () => {
  const before = groups.enter(groups.read(board, { state: "1,1", faces: "2,4" }), null, 4);
  const after = groups.play(board, before, move("keep"), []);
  assert.deepEqual([after.held, after.faces], [[2, 1], [4, 2]]);
});

test("a state in few words", () => {
  assert.equal(groups.brief("2,1 0"), "2,1; a new face");
  assert.equal(groups.brief("2,1 2"), "2,1; joins a group of 2");
});

test("a wrong link says so", () => {
  for (const state of ["4", "3,3", "2,1 3", "2,1 1 1"]) {
    assert.throws(() => groups.read(board, { state }), /does not occur with the sizes 3,2/, state);
  }
});
