/** Numbers as a player reads them. */

import { isLoss, ordinal, percent, plural, writersFor } from "../../rollwise/web/static/texts/numbers.js";
import assert from "node:assert/strict";
import { test } from "node:test";

test("a loss of rounding is none", () => {
  assert.equal(isLoss(1e-12), false);
  assert.equal(isLoss(0.001), true);
  assert.equal(isLoss("impossible"), true);
});

test("counts and chances", () => {
  assert.equal(plural(1, "roll"), "1 roll");
  assert.equal(plural(0, "roll"), "0 rolls");
  assert.equal(percent(0.12345), "12.35 %");
  assert.equal(percent(1, 0), "100 %");
});

test("places in a list", () => {
  const places = { 1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th" };
  for (const [number, text] of Object.entries(places)) assert.equal(ordinal(Number(number)), text);
});

test("each value has its unit and its digits", () => {
  const points = writersFor("expected total");
  assert.equal(points.unit, "points");
  assert.equal(points.value(163.444), "163.44");
  assert.equal(points.loss(0.1234), "0.123");
  assert.equal(points.signed(-2), "−2.000");
  assert.equal(points.signed(2), "+2.000");
  assert.equal(writersFor("win probability").value(0.5), "50.00 %");
  assert.equal(writersFor("something new").value(-1), "−1.000");
  assert.equal(points.value("impossible"), "impossible");
});
