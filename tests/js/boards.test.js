import assert from "node:assert/strict";
import { test } from "node:test";

import { after, afterPlay, diceLeft, nextDie, playsFrom } from "../../rollwise/web/static/boards/checkers.js";
import { pairsOf } from "../../rollwise/web/static/boards/columns.js";
import { facesOf } from "../../rollwise/web/static/boards/throw.js";
import { tap, tilesOf } from "../../rollwise/web/static/boards/tiles.js";

test("a move names tiles, or anything else", () => {
  const open = new Set(["1", "2", "7", "north"]);
  assert.deepEqual(tilesOf("shut 1+7", open), ["1", "7"]);
  assert.deepEqual(tilesOf("north", open), ["north"]);
  assert.equal(tilesOf("shut 1+8", open), null);
  assert.equal(tilesOf("roll one die", open), null);
});

test("a tap tips one more tile, puts one back, or begins anew", () => {
  const moves = [["8"], ["1", "7"], ["1", "2", "5"]];
  assert.deepEqual(tap([], "1", moves), ["1"]);
  assert.deepEqual(tap(["1"], "5", moves), ["1", "5"]);
  assert.deepEqual(tap(["1", "5"], "1", moves), ["5"]);
  assert.deepEqual(tap(["1", "7"], "8", moves), ["8"]);
});

test("drawn dice add up to the sum, in every way that there is", () => {
  for (let sum = 2; sum <= 12; sum += 1) {
    const seen = new Set();
    for (let i = 0; i < 400; i += 1) {
      const faces = facesOf(sum, 2, `1,2,9 ${sum} ${i}`);
      assert.equal(faces[0] + faces[1], sum);
      assert.ok(faces.every((face) => face >= 1 && face <= 6));
      seen.add(faces.join());
    }
    assert.equal(seen.size, 6 - Math.abs(sum - 7));
  }
  assert.deepEqual(facesOf(5, 1, "x"), [5]);
  assert.deepEqual(facesOf(8, 2, "1,7 8"), facesOf(8, 2, "1,7 8"));
});

test("dice are paired so that the sums are there", () => {
  const sums = (/** @type {string[]} */ dice, /** @type {string} */ way) => pairsOf(dice, way).map(([a, b]) => Number(a) + Number(b));
  assert.deepEqual(sums(["1", "2", "2", "3"], "4,4"), [4, 4]);
  assert.deepEqual(sums(["1", "2", "2", "3"], "3,5"), [3, 5]);
  assert.ok(sums(["1", "1", "2", "4"], "6").includes(6));
});

test("a move makes a board", () => {
  assert.deepEqual(afterPlay([2, 0, 1, 0, 0, 3], "move 6/2 3/off"), [2, 1, 0, 0, 0, 2]);
  assert.deepEqual(afterPlay([2, 0, 0, 0, 0, 3], "move 6/off(2) 1/off(2)"), [0, 0, 0, 0, 0, 1]);
});

test("a tap moves a checker by the first die with which a legal move can begin", () => {
  const counts = [0, 1, 1, 0, 0, 0];
  const plays = playsFrom(counts, ["move 3/2 2/off", "move 3/off 2/1"]);
  assert.equal(nextDie(counts, [5, 1], [], 3, plays), 5);
  assert.equal(nextDie(counts, [1, 5], [], 3, plays), 1);
  assert.equal(nextDie(counts, [5, 1], [], 6, plays), null);
  const steps = [{ point: 3, die: 5 }];
  assert.equal(nextDie(counts, [5, 1], steps, 2, plays), 1);
  assert.deepEqual(diceLeft([5, 1], after(counts, steps), steps), [1]);
  assert.deepEqual(diceLeft([5, 5, 5, 5], [0, 0, 0, 0, 0, 0], steps), []);
});
