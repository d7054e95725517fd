/** Bars of the ranked moves: they show what a move loses. */

import { fullLoss, partOf } from "../../rollwise/web/static/coach/moves.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const moves = [0, 0.3, 0.6, "impossible"].map((loss) => /** @type {any} */ ({ loss }));

test("the best move has no bar, others in proportion to their loss", () => {
  const full = fullLoss(moves);
  assert.deepEqual(moves.map(({ loss }) => partOf(loss, full)), [0, 0.5, 1, 1]);
});

test("rounding is no loss, and moves that are all as good have no bars", () => {
  assert.equal(partOf(1e-12, fullLoss([{ loss: 0 }, { loss: 1e-12 }].map((move) => /** @type {any} */ (move)))), 0);
});

test("the scale comes from the first ten moves", () => {
  const many = Array.from({ length: 30 }, (_, i) => /** @type {any} */ ({ loss: i }));
  assert.equal(fullLoss(many), 9);
  assert.equal(partOf(20, fullLoss(many)), 1);
});
