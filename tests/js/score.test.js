/** How a result compares: with perfect play's games, and with one's own; and what is shared of it. */

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { shareBelow, squares, bestText } = await import("../../rollwise/web/static/review/score.js");
const { lossOfClass, lossText, writersFor } = await import("../../rollwise/web/static/texts/numbers.js");

/** @param {object} more @returns {any} */
const outlook = (more) => ({ lowest: 10, values: null, chance: [0.1, 0.2, 0.3, 0.3], rest: 0.1, ...more });

test("equal games are not beaten, and where less is better the longer ones are", () => {
  const near = (/** @type {number} */ found, /** @type {number} */ wanted) => assert.ok(Math.abs(found - wanted) < 1e-12, `${found}`);
  near(shareBelow(outlook({}), 12, false), 0.3);
  near(shareBelow(outlook({}), 12, true), 0.4);
  near(shareBelow(outlook({ values: [0, 5, 50, 500] }), 50, false), 0.3);
  near(shareBelow(outlook({}), 9, false), 0);
});

test("one game is no record", () => {
  assert.equal(bestText([200], 200, false), "");
  assert.match(bestText([200, 190], 200, false), /best of 2/);
  assert.match(bestText([200, 190], 190, false), /200/);
  assert.match(bestText([6, 9], 9, true), /6/);
});

test("squares say how bad the own moves were, and nothing else", () => {
  const step = (/** @type {string | null} */ severity, mover = 0) => ({ move: "ones", mover, severity });
  const steps = /** @type {any} */ ([step(null), step("blunder"), step("mistake", 1), step("inaccuracy"), { move: null, mover: 0, severity: null }]);
  assert.deepEqual(squares(/** @type {any} */ ({ steps }), 0), ["🟩🟥🟨"]);
  assert.deepEqual(squares(/** @type {any} */ ({ steps: Array(20).fill(step(null)) }), 0).map((row) => [...row].length), [13, 7]);
});

test("a loss has one decimal and the name of its class", () => {
  const severities = { inaccuracy: 0.6, mistake: 2, blunder: 6 };
  assert.equal(lossOfClass({ valueName: "expected total", severities }, 6.04), "6.0 points (blunder)");
  assert.equal(lossOfClass({ valueName: "expected total", severities }, 0.031), "0.03 points");
  assert.equal(lossText(writersFor("win probability"), 0.0123), "1.2 %");
});
