import assert from "node:assert/strict";
import { test } from "node:test";

import { after, afterPlay, diceLeft, isMade, keyOf, nextDie, playsFrom } from "../../rollwise/web/static/boards/checkers.js";
import { pairsOf } from "../../rollwise/web/static/boards/columns.js";
import { mixed } from "../../rollwise/web/static/boards/marked-dice.js";
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

/** A home board without the other side. @param {number[]} own */
const home = (own) => ({ own, other: [] });

/** A whole board: the points of the checkers of each side, as it counts them. @param {number[]} own @param {number[]} other */
const whole = (own, other) => {
  const [mine, theirs] = [own, other].map((points) => Array.from({ length: 25 }, (_, i) => points.filter((point) => point === i + 1).length));
  return { own: mine, other: theirs };
};

test("a move makes a board", () => {
  assert.deepEqual(afterPlay(home([2, 0, 1, 0, 0, 3]), "move 6/2 3/off"), home([2, 1, 0, 0, 0, 2]));
  assert.deepEqual(afterPlay(home([2, 0, 0, 0, 0, 3]), "move 6/off(2) 1/off(2)"), home([0, 0, 0, 0, 0, 1]));
  assert.deepEqual(afterPlay(whole([25, 6, 3], [24, 6]), "bar/19*/18"), whole([18, 6, 3], [24, 25]));
  assert.deepEqual(afterPlay(whole([24, 23, 22], [24]), "24/20(2) 22/18"), afterPlay(whole([24, 23, 22], [24]), "24/20 24/20 22/18"));
});

test("a tap moves a checker by the first die with which a legal move can begin", () => {
  const board = home([0, 1, 1, 0, 0, 0]);
  const plays = playsFrom(board, ["move 3/2 2/off", "move 3/off 2/1"]);
  assert.equal(nextDie(board, [5, 1], [], 3, plays), 5);
  assert.equal(nextDie(board, [1, 5], [], 3, plays), 1);
  assert.equal(nextDie(board, [5, 1], [], 6, plays), null);
  const steps = [{ point: 3, die: 5 }];
  assert.equal(nextDie(board, [5, 1], steps, 2, plays), 1);
  assert.deepEqual(diceLeft([5, 1], steps), [1]);
});

test("a move is made when no die can be played", () => {
  const board = home([0, 1, 1, 1, 1, 1]);
  const plays = playsFrom(board, ["move 6/off 5/4", "move 6/5 5/off"]);
  const once = after(board, [{ point: 6, die: 6 }]);
  assert.ok(plays.has(keyOf(once)), "the 5 can go in its stead");
  assert.ok(!isMade(once, [1], plays));
  assert.ok(isMade(after(once, [{ point: 5, die: 1 }]), [], plays));
});

test("checkers enter first, hit one, and are stopped by two", () => {
  const board = whole([25, 6, 3], [24, 6]);
  const plays = playsFrom(board, ["bar/19* 3/2", "bar/19* 6/5", "bar/19*/18", "bar/18"]);
  assert.equal(nextDie(board, [6, 1], [], 6, plays), null);
  assert.equal(nextDie(board, [6, 1], [], 25, plays), 6);
  const entered = [{ point: 25, die: 6 }];
  assert.deepEqual(after(board, entered), whole([19, 6, 3], [24, 25]));
  assert.equal(nextDie(board, [6, 1], entered, 19, plays), 1);
  assert.equal(plays.get(keyOf(after(board, [...entered, { point: 6, die: 1 }]))), "bar/19* 6/5");
  const stopped = whole([24], [6, 6, 1]);
  assert.equal(nextDie(stopped, [5, 1], [], 24, playsFrom(stopped, ["24/23/18"])), 1);
});

test("a die that cannot be played is left", () => {
  const board = whole([25], [6, 6, 5]);
  const plays = playsFrom(board, ["bar/20*"]);
  assert.equal(nextDie(board, [6, 5], [], 25, plays), 5);
  assert.ok(isMade(after(board, [{ point: 25, die: 5 }]), [6], plays));
});

test("marked dice lie in any order, the same each time", () => {
  for (const state of ["4 8 first 2", "- - second 1", "7,8 3 first 4"]) {
    const faces = ["1", "1", "0", "0"];
    assert.deepEqual(mixed(faces, state).toSorted(), faces.toSorted());
    assert.deepEqual(mixed(faces, state), mixed(faces, state));
  }
});
