import assert from "node:assert/strict";
import { test } from "node:test";

import { takePuzzles } from "../../rollwise/web/static/engine-puzzles.js";

const pool = { severities: { mistake: 1 }, puzzles: /** @type {any[]} */ (Array.from({ length: 60 }, (_, id) => ({ id }))) };
const ids = (/** @type {number} */ seed, /** @type {number} */ n) => takePuzzles(pool, { seed, n }).puzzles.map(({ id }) => Number(id));

test("a seed always takes the same puzzles, in their order, and another takes others", () => {
  assert.deepEqual(ids(7, 10), ids(7, 10));
  assert.deepEqual(ids(7, 10), ids(7, 10).toSorted((a, b) => a - b));
  assert.notDeepEqual(ids(7, 10), ids(8, 10));
  assert.equal(new Set(ids(7, 10)).size, 10);
});

test("a pool that is smaller is given whole", () => {
  assert.equal(ids(1, 100).length, 60);
});
