/** What boards compute from a position: sets that score, dice that words need, dice that lie aside. */

import { bestOf, holdWith, typicalSets } from "../../rollwise/web/static/boards/scoring-sets.js";
import { facesOf, setsAside } from "../../rollwise/web/static/boards/set-aside.js";
import { diceFor } from "../../rollwise/web/static/boards/word-list.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { Kind } from "../../rollwise/web/types.js" */

const SETS = { 1: 100, 5: 50, 11: 200, 15: 150, 115: 250, 222: 200, 1222: 300, 444: 400 };

/** @type {(dice: string, held: string, i: number, sets?: object) => string | null} */
const tapped = (dice, held, i, sets = SETS) =>
  holdWith([...dice], [...held].map((sign) => sign === "x"), i, Object.keys(sets))?.map((is) => (is ? "x" : "-")).join("") ?? null;

test("a tap takes a die with what it needs to score", () => {
  assert.equal(tapped("12225", "-----", 2), "-xxx-");
  assert.equal(tapped("12225", "x----", 3), "xxxx-");
  assert.equal(tapped("12245", "-----", 1), null);
  assert.equal(tapped("11235", "-----", 1), "-x---", "the die that was tapped, not another one like it");
});

test("a tap takes a die back with what scores no longer", () => {
  assert.equal(tapped("12225", "xxxx-", 2), "x----");
  assert.equal(tapped("12225", "-xxx-", 2), "-----");
  assert.equal(tapped("11235", "xx--x", 0), "-x--x");
});

test("the best of some dice, and the sets that are no sums", () => {
  assert.equal(bestOf("112225", SETS), 300);
  assert.deepEqual(typicalSets(SETS).map(({ faces }) => faces), ["5", "1", "222", "444"]);
  assert.deepEqual(typicalSets({ 111: 500, 222: 500 }), [{ faces: "111", points: 500, such: true }]);
});

test("the dice that show what a word needs, if the others can show the rest", () => {
  const dice = ["AB", "AC", "CD"];
  assert.deepEqual(diceFor("ACD", dice, ["A", "C", "D"]), [0, 1, 2]);
  assert.deepEqual(diceFor("ACD", dice, ["B", "A", "D"]), [2], "the A of the second die would leave the C to the first");
  assert.equal(diceFor("BBD", dice, ["B", "A", "D"]), null);
  assert.deepEqual(diceFor("ACD", dice, ["*", "*", "*"]), []);
});

test("a move names the dice that it sets aside, and they stay on the table", () => {
  const kind = /** @type {Required<Kind<any, any>>} */ (setsAside);
  assert.deepEqual(["keep 155", "bank", "keep"].map(facesOf), ["155", "", ""]);
  const shown = { parts: [{ kind: "dice", name: "dice", label: "", faces: ["1", "1", "5"] }] };
  const before = kind.withShown(kind.read({}, { state: "100 115", aside: "1" }), shown);
  assert.deepEqual(kind.hold({}, before, "keep 15"), [true, false, true]);
  assert.equal(kind.action({}, before, [false, true, true]), "keep 15");
  const move = /** @type {any} */ ({ action: "keep 15", gain: 0 });
  const after = kind.play({}, before, move, []);
  assert.deepEqual([after.aside, kind.canHold(after), kind.write({}, after).aside], [["1", "15"], false, "1,15"]);
  assert.deepEqual(kind.play({}, before, { ...move, action: "bank" }, []).aside, []);
  assert.deepEqual(kind.recall({}, { kind: "roll", text: "250 1" }, { position: before, action: "keep 15" }).aside, ["1", "15"]);
  assert.deepEqual(kind.read({}, { aside: "1,x" }).aside, []);
});
