import assert from "node:assert/strict";
import { test } from "node:test";

import { duelSheet, papersOf } from "../../rollwise/web/static/boards/duel-sheet.js";

/** @import { DuelBoard } from "../../rollwise/web/types.js" */

/** @type {DuelBoard} */
const board = {
  kind: "duel-sheet", dice: 5, faces: 6, rerolls: 2, bonus: { threshold: 3, points: 10, steps: [{ threshold: 3, points: 10 }] }, joker: null, in_order: false, start: "***** 3 all upper 0 vs all upper 0 lead 0",
  boxes: [{ name: "ones", face: 1, most: 5 }, { name: "straight", face: null, most: 40 }],
};
/** @type {(action: string, gain: number, after: string) => any} */
const move = (action, gain, after) => ({ action, gain, points: gain, after, value: 0, exact: null, loss: 0, why: "" });

test("a duel begins with empty sheets, and the first player moves", () => {
  const position = duelSheet.fresh(board);
  assert.equal(duelSheet.text(board, position), board.start);
  assert.equal(duelSheet.mover(position), "own");
});

test("filling a box hands the dice over, and sums and bonus stay with their sheets", () => {
  const rolled = { ...duelSheet.fresh(board), dice: [1, 1, 1, 2, 3], left: 0 };
  const after = duelSheet.play(board, rolled, move("ones", 13, "***** 3 all upper 0 vs straight upper 3 lead -13"), []);
  assert.equal(duelSheet.mover(after), "rival");
  assert.equal(duelSheet.text(board, after), "***** 3 all upper 0 vs straight upper 3 lead -13");
  const { mine, theirs } = papersOf(after);
  assert.deepEqual([mine.total, mine.points.ones, mine.upper, theirs.total], [13, 3, 3, 0]);
});

test("keeping dice stays in the turn", () => {
  const rolled = { ...duelSheet.fresh(board), dice: [1, 1, 1, 2, 3] };
  const after = duelSheet.play(board, rolled, move("keep 111", 0, ""), [true, true, true, false, false]);
  assert.deepEqual([after.dice, after.left, after.mover], [[1, 1, 1, null, null], 1, 0]);
});

test("a link holds both sheets", () => {
  const position = duelSheet.read(board, { state: "11123 1 straight upper 3 vs straight upper 2 lead 11", "other-total": "2", "other-points": "ones:2", points: "ones:3", me: "second" });
  assert.deepEqual([position.mover, position.me, position.total, position.other.total], [0, 1, 13, 2]);
  assert.deepEqual(duelSheet.read(board, /** @type {any} */ (Object.fromEntries(Object.entries(duelSheet.write(board, position)).map(([name, value]) => [name, String(value)])))), position);
  assert.throws(() => duelSheet.read(board, { state: "11123 1 all upper 0" }), /no position of a duel/);
  assert.throws(() => duelSheet.read(board, { state: "11123 1 ones upper 0 vs all upper 0 lead 0" }), /taken turns/);
});

test("who is bound to a strategy is never you", () => {
  assert.equal(duelSheet.fresh({ ...board, bound: 0 }).me, 1);
  assert.equal(duelSheet.fresh({ ...board, bound: 1 }).me, 0);
});

test("the end says who has won", () => {
  const over = { ...duelSheet.fresh(board), open: [], total: 13, me: 1 };
  const position = { ...over, other: { ...over.other, open: [], total: 20 } };
  assert.ok(duelSheet.over(position));
  assert.equal(duelSheet.score(board, position).head, "You win by 7 points");
});
