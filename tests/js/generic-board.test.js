import assert from "node:assert/strict";
import { test } from "node:test";

import { any, complete, facesOf, fitting, partsOf, playerOf } from "../../rollwise/web/static/boards/generic.js";

/**
 * Make a roll.
 *
 * @param {string} label
 * @param {string[]} [dice]
 */
const roll = (label, dice = []) => ({ state: label, label, dice, chance: 0.1, over: false, position: /** @type {any} */ ({ kind: "any" }) });

const hands = [roll("1 1 2", ["1", "1", "2"]), roll("1 2 3", ["1", "2", "3"]), roll("2 2 2", ["2", "2", "2"])];
const named = [roll("rolled 7"), roll("rolled 17"), roll("the turn is lost")];

test("faces that were typed narrow the rolls down", () => {
  assert.deepEqual(facesOf(hands), ["1", "2", "3"]);
  assert.deepEqual(fitting(hands, "11").map((one) => one.label), ["1 1 2"]);
  assert.deepEqual(fitting(hands, "2, 1").map((one) => one.label), ["1 1 2", "1 2 3"]);
  assert.equal(fitting(hands, "").length, 3);
  assert.equal(fitting(hands, "333").length, 0);
});

test("all faces of a roll are the roll", () => {
  assert.equal(complete(hands, "21"), null);
  assert.equal(complete(hands, "211")?.label, "1 1 2");
  assert.equal(complete(hands, ""), null);
  assert.equal(complete(named, "7"), null);
});

test("words narrow rolls without dice down", () => {
  assert.deepEqual(facesOf(named), []);
  assert.deepEqual(fitting(named, "rolled 7").map((one) => one.label), ["rolled 7", "rolled 17"]);
  assert.deepEqual(fitting(named, "LOST").map((one) => one.label), ["the turn is lost"]);
});

test("one die is a button, not a keypad", () => {
  assert.deepEqual(facesOf([roll("1", ["1"]), roll("2", ["2"])]), []);
});

test("a move leads to a roll, and the roll to a position", () => {
  const start = { ...any.fresh({}), state: "3 1" };
  const move = /** @type {any} */ ({ action: "keep", gain: 3, after: "3 0" });
  const pending = any.play({}, start, move, []);
  assert.deepEqual(any.before?.(pending), { state: "3 1", action: "keep" });
  assert.equal(any.ready(pending), false);
  assert.equal(any.banked(pending), 3);
  const next = any.roll({}, pending, () => 0, roll("5 0"));
  assert.equal(any.text({}, next), "5 0");
  assert.equal(any.roll({}, pending, () => 0), pending);
  assert.deepEqual(any.before?.(any.fresh({})), { state: null, action: null });
});

test("a link holds the position, and the points so far", () => {
  const position = any.read({}, { state: " 3 1 ", total: "12" });
  assert.deepEqual([position.state, position.total], ["3 1", 12]);
  assert.deepEqual(any.write({}, position), { state: "3 1", total: "12" });
  assert.deepEqual(any.write({}, any.fresh({})), {});
});

test("whose turn it is, is told by a part", () => {
  const told = (/** @type {any[]} */ parts) => playerOf({ ...any.fresh({}), shown: { parts } });
  assert.equal(told([{ kind: "mover", name: "m", label: "m", player: 1 }]), 1);
  assert.equal(told([{ kind: "scores", name: "s", label: "s", values: [1, 2], goal: null, mover: 0 }]), 0);
  assert.equal(told([]), null);
});

test("what a game says in its own way is shown as text", () => {
  const parts = partsOf({ kind: "pledge", left: 3, face: 2, more: [1] });
  assert.deepEqual(parts.map((part) => [part.kind, part.name]), [["text", "left"], ["text", "face"]]);
  assert.deepEqual(partsOf(null), []);
});

test("the end says who has won", () => {
  const end = (/** @type {number} */ value, /** @type {any} */ more) =>
    any.score({ players: 2, ...more.board }, any.fresh({}), /** @type {any} */ ({ valueName: "win probability", final: { value }, ...more })).head;
  assert.equal(end(1, {}), "The first player wins");
  assert.equal(end(0, {}), "The second player wins");
  assert.equal(end(0, { rival: "optimal" }), "The computer wins");
  assert.equal(end(1, { board: { players: 1 } }), "Won");
  const points = any.score({}, { ...any.fresh({}), total: 20 }, /** @type {any} */ ({ valueName: "expected total", final: { value: 4 } }));
  assert.equal(points.head, "24 points");
});
