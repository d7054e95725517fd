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
  assert.equal(percent(0.12356), "12.4 %");
  assert.equal(percent(1, 0), "100 %");
  assert.equal(percent(1), "100.0 %");
});

test("what is too small to be seen is not nothing, and what is almost sure is not sure", () => {
  const points = writersFor("expected total");
  assert.equal(percent(0.0001), "< 0.1 %");
  assert.equal(percent(0), "0.0 %");
  assert.equal(percent(0.9999), "> 99.9 %");
  assert.equal(points.loss(0.03), "0.03");
  assert.equal(points.loss(1e-12), "0.0");
});

test("places in a list", () => {
  const places = { 1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th" };
  for (const [number, text] of Object.entries(places)) assert.equal(ordinal(Number(number)), text);
});

test("each value has its unit and its digits", () => {
  const points = writersFor("expected total");
  assert.equal(points.unit, "points");
  assert.equal(points.value(163.444), "163.4");
  assert.equal(points.precise(163.444), "163.4440");
  assert.equal(points.signed(-2), "−2.0");
  assert.equal(points.signed(2), "+2.0");
  assert.equal(writersFor("win probability").value(0.5), "50.0 %");
  assert.equal(writersFor("something new").value(-1), "−1.0");
  assert.equal(points.value("impossible"), "impossible");
});
