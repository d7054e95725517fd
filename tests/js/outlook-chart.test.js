/** How a distribution becomes bars, marks and words. */

import { binned, describe, roundNumbers } from "../../rollwise/web/static/coach/outlook-chart.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @import { Outlook } from "../../rollwise/web/types.js" */

/** @type {(parts: Partial<Outlook>) => Outlook} */
const outlook = (parts) => ({
  of: "points", lowest: 0, values: null, chance: [1], rest: 0, mean: 0, standard_deviation: 0, error: 0, bonus: null, bonus_steps: {}, boxes: {},
  quantiles: { 0.05: 0, 0.5: 1, 0.95: 2 }, ...parts,
});
/** @param {number} count */
const even = (count) => Array(count).fill(1 / count);
/** @param {{ chance: number }[]} bars */
const total = (bars) => bars.reduce((sum, bar) => sum + bar.chance, 0);

test("few numbers have a bar each, moved by what is banked", () => {
  const { bars, of } = binned(outlook({ lowest: 5, chance: [0.25, 0.5, 0.25] }), 100);
  assert.equal(of, "points");
  assert.deepEqual(bars, [
    { low: 105, high: 105, chance: 0.25 }, { low: 106, high: 106, chance: 0.5 }, { low: 107, high: 107, chance: 0.25 },
  ]);
});

test("many numbers share bars, and no chance is lost or counted twice", () => {
  const { bars } = binned(outlook({ chance: even(400) }), 0);
  assert.ok(bars.length <= 72);
  assert.ok(Math.abs(total(bars) - 1) < 0.01);
  for (const [i, bar] of bars.entries()) if (i) assert.equal(bar.low, (bars[i - 1]?.high ?? NaN) + 1);
});

test("thin tails are left out", () => {
  const { bars } = binned(outlook({ chance: [...Array(50).fill(1e-6), 0.5, 0.4999, ...Array(50).fill(1e-6)] }), 0);
  assert.equal(bars[0]?.low, 50);
  assert.ok(bars.length <= 3);
});

test("numbers that lie far apart fall in the bar of their place", () => {
  const { bars } = binned(outlook({ values: [0, 1000, 7200], chance: [0.5, 0.25, 0.25] }), 0);
  assert.deepEqual(bars.filter((bar) => bar.chance).map((bar) => bar.chance), [0.5, 0.25, 0.25]);
});

test("marks are round numbers within the bars", () => {
  assert.deepEqual(roundNumbers(0, 6, 6, 1), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(roundNumbers(103, 347, 6, 1), [150, 200, 250, 300]);
  assert.deepEqual(roundNumbers(7, 7, 6, 1), [7]);
  assert.deepEqual(roundNumbers(103, 168), [120, 140, 160]);
  assert.deepEqual(roundNumbers(0.2, 1.1), [0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(roundNumbers(-4, 12), [0, 5, 10]);
});

test("the words say the target, the mean and how close it is", () => {
  const chance = outlook({ chance: [0.25, 0.5, 0.25], mean: 1, error: 0.00012 });
  assert.match(describe(chance, 10, 11), /^Reaches 11 with 75\.0 %\. Mean 11\.0 points; 5 % have at most 10/);
  assert.match(describe(chance, 10), /Chances within 0\.02 percentage points\.$/);
});
