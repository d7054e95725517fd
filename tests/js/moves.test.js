/** Bars of the ranked moves: they show what a move loses, on one scale in every position. */

import { partOf, severityOf } from "../../rollwise/web/static/coach/moves.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const classes = { inaccuracy: 0.6, mistake: 2, blunder: 6 };

test("a full bar is a blunder, whatever else can be played", () => {
  assert.deepEqual([0, 1.5, 3, 6, 60, /** @type {const} */ ("impossible")].map((loss) => partOf(classes, loss)), [0, 0.25, 0.5, 1, 1, 1]);
});

test("rounding is no loss, and there are no bars before the classes are known", () => {
  assert.equal(partOf(classes, 1e-12), 0);
  for (const unknown of [null, {}]) assert.equal(partOf(unknown, 3), 0);
});

test("a loss has the class of the highest threshold that it reaches", () => {
  const named = [0, 0.59, 0.6, 2, 5.9, 6, /** @type {const} */ ("impossible")].map((loss) => severityOf(classes, loss));
  assert.deepEqual(named, ["", "", "inaccuracy", "mistake", "mistake", "blunder", "blunder"]);
  assert.equal(severityOf(null, 9), "");
});
