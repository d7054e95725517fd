/** Words: positions, their texts, and what a move does. */

import { words } from "../../rollwise/web/static/boards/words.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { Move, WordsBoard } from "../../rollwise/web/types.js" */

/** @type {WordsBoard} */
const board = { kind: "words", dice: ["AB", "CD", "EF"], words: ["ACE"], word_count: 1, start: "***" };
/** @type {(action: string) => Move} */
const move = (action) => ({ action, value: 0, exact: null, loss: 0, gain: 0, points: 0, why: "", after: "" });

test("what is written is read back, dice to come as stars", () => {
  const before = words.read(board, { state: "A*E", rolls: "3" });
  assert.deepEqual(words.write(board, before), { state: "A*E", rolls: 3 });
  assert.deepEqual(before.kept, [true, false, true]);
  assert.equal(words.ready(before), false);
});

test("a move holds its dice and counts the roll", () => {
  const before = words.read(board, { state: "ADF" });
  assert.deepEqual(words.hold(board, before, "A*F"), [true, false, true]);
  assert.equal(words.action(board, before, [true, false, true]), "A*F");
  assert.deepEqual(words.play(board, before, move("A**"), []), { dice: ["A", null, null], kept: [true, false, false], rolls: 1 });
});

test("the word that was spelled is named whatever the order of the dice", () => {
  const end = words.read(board, { state: "ACE", rolls: "1" });
  assert.equal(words.score(board, end).head, "ACE in 2 rolls");
});

test("a move in words", () => {
  assert.equal(words.moveName("***"), "roll all");
  assert.equal(words.moveName("A**"), "hold A**");
});

test("a wrong link says what was expected", () => {
  assert.throws(() => words.read(board, { state: "ACZ" }), /expected one symbol of each of AB,CD,EF/);
  assert.throws(() => words.read(board, { state: "AC" }), /expected one symbol of each/);
});
