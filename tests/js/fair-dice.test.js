/** Fair dice that follow from a text. */

import { drawFrom, newSeed, rollFace, rollMissing } from "../../rollwise/web/static/table/fair-dice.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @param {string} text */
function draws(text) {
  const draw = drawFrom(text);
  return Array.from({ length: 50 }, () => draw(6));
}

test("the same text always gives the same numbers, another one others", () => {
  assert.deepEqual(draws("seed and record"), draws("seed and record"));
  assert.notDeepEqual(draws("seed and record"), draws("seed and another record"));
});

test("every number is as likely as any other", () => {
  const draw = drawFrom("a long game");
  const counts = Array(6).fill(0);
  for (let i = 0; i < 60000; i += 1) counts[draw(6)] += 1;
  const square = counts.reduce((sum, count) => sum + (count - 10000) ** 2 / 10000, 0);
  assert.ok(square < 20.5, `chi square ${square} of 5 degrees of freedom: one in a thousand is above 20.5`);
});

test("only the dice that are missing are rolled", () => {
  const rolled = rollMissing([3, null, 5, null], () => 1 + drawFrom("x")(2));
  assert.deepEqual([rolled[0], rolled[2]], [3, 5]);
  assert.ok([rolled[1], rolled[3]].every((die) => die === 1 || die === 2));
});

test("a loaded die shows each face as often as its weight says", () => {
  const draw = drawFrom("a loaded game");
  const counts = Array(4).fill(0);
  const board = { faces: 4, weights: [3, 0, 1, 2] };
  for (let i = 0; i < 60000; i += 1) counts[rollFace(board, draw) - 1] += 1;
  const expected = [30000, 0, 10000, 20000];
  assert.equal(counts[1], 0);
  const square = counts.reduce((sum, count, i) => sum + (expected[i] ? (count - expected[i]) ** 2 / expected[i] : 0), 0);
  assert.ok(square < 13.8, `chi square ${square} of 2 degrees of freedom: one in a thousand is above 13.8`);
});

test("a die with equal weights rolls as one without", () => {
  const rolls = (/** @type {{ faces: number, weights?: number[] }} */ board) => {
    const draw = drawFrom("the same seed");
    return Array.from({ length: 50 }, () => rollFace(board, draw));
  };
  assert.deepEqual(rolls({ faces: 6, weights: [1, 1, 1, 1, 1, 1] }), rolls({ faces: 6 }));
});

test("seeds differ", () => {
  assert.notEqual(newSeed(), newSeed());
  assert.match(newSeed(), /^[0-9a-f]{32}$/);
});
