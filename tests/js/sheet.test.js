/** Score sheets: positions as text, jokers and bonuses, and rows that add up. */

import { cut } from "../../rollwise/web/static/boards/dice-in-text.js";
import { gainParts, partsOf, setBox, setJokers, setUpper, sheet } from "../../rollwise/web/static/boards/sheet.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"];
const LOWER = ["full-house", "yahtzee", "chance"];
/** @type {import("../../rollwise/web/types.js").SheetBoard} */
const board = {
  kind: "sheet", dice: 5, faces: 6, rerolls: 2, in_order: false, start: "***** 3 all upper 0",
  bonus: { threshold: 63, points: 35, steps: [{ threshold: 63, points: 35 }] }, joker: { box: "yahtzee", rule: "forced", bonus: 100 },
  boxes: [...UPPER.map((name, i) => ({ name, face: i + 1, most: 5 * i + 5 })), ...LOWER.map((name) => ({ name, face: null, most: 50 }))],
};
const addUp = (/** @type {ReturnType<typeof sheet.fresh>} */ position) => {
  const { boxes, bonus, jokers, rest } = partsOf(board, position);
  return boxes + bonus + jokers + rest;
};
const move = (/** @type {string} */ action, /** @type {number} */ gain, /** @type {string} */ after) =>
  ({ action, gain, points: gain, after, value: 0, exact: null, loss: 0, why: "" });

test("a joker of 125 is 25 in its box and 100 among the jokers", () => {
  const position = sheet.read(board, { state: "66666 0 sixes,full-house,chance upper 40 primed", points: "yahtzee:50", total: "130" });
  const played = move("full-house", 125, "***** 3 sixes,chance upper 40 primed");
  assert.deepEqual(gainParts(board, position, played), { points: 25, bonus: 0, joker: 100 });
  const next = sheet.play(board, position, played, []);
  assert.equal(next.points["full-house"], 25);
  assert.equal(next.jokers, 100);
  assert.equal(next.total, 255);
  assert.equal(partsOf(board, next).rest, partsOf(board, position).rest);
  assert.deepEqual(sheet.read(board, asText(sheet.write(board, next))), { ...next, kept: next.kept });
});

/** @param {Record<string, string | number>} fields */
const asText = (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

test("the box that reaches the threshold brings the bonus, once", () => {
  const position = sheet.read(board, { state: "66662 0 sixes,chance upper 45", total: "60" });
  const next = sheet.play(board, position, move("sixes", 59, "***** 3 chance upper 63"), []);
  assert.equal(next.points.sixes, 24);
  assert.equal(partsOf(board, next).bonus, 35);
  assert.equal(addUp(next), next.total);
  assert.equal(next.total, 119);
});

test("a bonus in steps is earned step by step", () => {
  const steps = [[63, 35], [71, 55], [78, 75]].map(([threshold = 0, points = 0]) => ({ threshold, points }));
  const stepped = { ...board, bonus: { threshold: 78, points: 75, steps } };
  const position = sheet.read(stepped, { state: "66662 0 sixes,chance upper 50", total: "60" });
  const played = move("sixes", 24 + 55, "***** 3 chance upper 74");
  assert.deepEqual(gainParts(stepped, position, played), { points: 24, bonus: 55, joker: 0 });
  const next = sheet.play(stepped, position, played, []);
  assert.equal(partsOf(stepped, next).bonus, 55);
  assert.equal(setUpper(stepped, next, 80).total, next.total + 20);
  assert.equal(setUpper(stepped, next, 62).total, next.total - 55);
});

test("a link without a total counts what is known", () => {
  const position = sheet.read(board, { state: "66662 0 sixes,chance upper 63", points: "full-house:25", jokers: "100" });
  assert.equal(position.total, 63 + 35 + 25 + 100);
  assert.equal(addUp(position), position.total);
});

test("what is set up by hand adds up", () => {
  let position = setBox(board, sheet.fresh(board), "sixes", 24);
  position = setBox(board, position, "chance", null);
  position = setUpper(board, position, 70);
  position = setJokers(position, 200);
  assert.equal(position.total, 24 + 35 + 200);
  assert.equal(addUp(position), position.total);
  assert.equal(setBox(board, position, "sixes", undefined).points.sixes, undefined);
});

test("kept dice are drawn, and nothing else", () => {
  const kind = /** @type {any} */ (sheet);
  assert.deepEqual(cut("keep 33", kind, ["keep 33"]), ["keep ", [3, 3], ""]);
  assert.deepEqual(cut("keeps 33: straight +0.56 (20 %)", kind, ["keep 33"]), ["keeps ", [3, 3], ": straight +0.56 (20 %)"]);
  assert.deepEqual(cut("keep 10,12 cost 2", kind, ["keep 10,12"]), ["keep ", [10, 12], " cost 2"]);
  assert.deepEqual(cut("2 lost: keep 2, not keep 3", kind, ["keep 2", "keep 3"]), ["2 lost: keep ", [2], ", not keep ", [3], ""]);
  assert.deepEqual(cut("roll all – 163.44 points", kind, ["keep -"]), ["roll all – 163.44 points"]);
  assert.deepEqual(cut("gives up sixes", kind, ["sixes"]), ["gives up sixes"]);
});

test("rolls that are saved are there on the next turn", () => {
  const saving = { ...board, joker: null, saved_rolls: true };
  const position = sheet.read(saving, { state: "66662 4 sixes,chance upper 45", total: "60" });
  assert.equal(position.left, 4);
  const next = sheet.play(saving, position, move("sixes", 59, "***** 7 chance upper 63"), []);
  assert.equal(next.left, 6);
  assert.equal(sheet.write(saving, next).state, "***** 7 chance upper 69");
  assert.throws(() => sheet.read(saving, { state: "66662 3 all upper 0" }), /rolls left/);
  assert.equal(setBox(saving, { ...sheet.fresh(saving), left: 2 }, "chance", 20).left, 2);
});
