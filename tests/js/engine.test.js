import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";

import { addUp, describe } from "../../rollwise/web/static/engine/distribution.js";
import { makeLattice, rollBack, rollOn, takeBest } from "../../rollwise/web/static/engine/lattice.js";
import { fold, rank, readId, unfold, unrank, writeId } from "../../rollwise/web/static/engine/position-id.js";
import { message, nameDifferences, round, roundChance } from "../../rollwise/web/static/engine/reasons.js";
import { makeNotation } from "../../rollwise/web/static/engine/sheet-notation.js";
import { Texts } from "../../rollwise/web/static/engine/table-file.js";
import { find, use } from "../../rollwise/web/static/offline/answers.js";

test("numbers are rounded as the library rounds them: ties to even", () => {
  assert.deepEqual([1.25, -1.25, 1.75, 0.35, 2.5].map((number) => round(number, 1)), [1.2, -1.2, 1.8, 0.3, 2.5]);
  assert.deepEqual([round(0.5, 0), round(12.5, 0), round(0.125, 2)], [0, 12, 0.12]);
  assert.deepEqual([1 / 3, 0.0004321, 0.9997, 1, 0].map(roundChance), [0.33, 0.00043, 0.999, 1, 0]);
});

test("ids are those of the library", () => {
  assert.equal(fold(7, [[2, 3], [1, 10]]), 231n);
  assert.deepEqual(unfold(231n, [3, 10]), [7, 2, 1]);
  assert.deepEqual([[1, 1], [1, 2], [2, 2], [1, 3]].map(rank), [0, 1, 2, 3]);
  for (let number = 0; number < 252; number += 1) assert.equal(rank(unrank(number, 5)), number);
  for (const number of [0n, 1n, 12345678901234567890n]) assert.equal(readId(writeId(number, 17), 17), number);
  assert.equal(readId(writeId(99n, 17), 18), null);
  assert.equal(readId("no id", 0), null);
});

test("the keeps of five dice are joined by one more die", () => {
  const net = makeLattice(5, [1, 1, 1, 1, 1, 1]);
  assert.deepEqual([net.keeps.length, net.hands, net.find([1, 1, 2, 3, 6]) >= net.firstHand], [462, 252, true]);
  const table = new Float64Array(462);
  net.keeps.forEach((keep, i) => { table[i] = i < net.firstHand ? 0 : keep.reduce((sum, face) => sum + face, 0); });
  rollBack(net, table);
  assert.ok(Math.abs(table[0] - 17.5) < 1e-9 && Math.abs(table[net.find([6, 6])] - 22.5) < 1e-9);
  const chance = new Float64Array(462);
  chance[0] = 1;
  rollOn(net, chance);
  assert.ok(Math.abs(chance[net.find([1, 2, 3, 4, 5])] - 120 / 6 ** 5) < 1e-12);
  takeBest(net, table);
  assert.ok(Math.abs(table[net.find([1, 1, 1, 1, 1])] - 17.5) < 1e-9 && table[net.find([6, 6, 6, 6, 6])] === 30);
  const kept = [...net.list.subarray(net.start[0], net.start[1])].map((keep) => net.keeps[keep].join(""));
  assert.deepEqual(kept, ["1111", "111", "11", "1", ""]);
});

test("loaded dice are worth the mean by their weights", () => {
  const net = makeLattice(2, [1, 0, 3]);
  assert.deepEqual(net.keeps, [[], [1], [3], [1, 1], [1, 3], [3, 3]]);
  const table = Float64Array.from(net.keeps, (keep) => keep.reduce((sum, face) => sum + face, 0));
  rollBack(net, table);
  assert.deepEqual([...table.subarray(0, 3)], [5, 3.5, 5.5]);
  const chance = new Float64Array(6);
  chance[0] = 1;
  rollOn(net, chance);
  assert.deepEqual([...chance.subarray(3)], [1 / 16, 6 / 16, 9 / 16]);
});

test("the largest reasons are named, the weightier side first", () => {
  const part = (/** @type {number} */ value, chance = 0) => ({ kind: "box", what: "", value, chance });
  const reasons = [["sixes", 2], ["fives", -0.52], ["ones", 0.01]].map(([what, value]) => ({ kind: "box", what: String(what), value: Number(value), mine: part(Number(value)), other: part(0) }));
  const move = { action: "keep 66", rival: "keep 55", gain: 1.49, fills: false, points: () => 0, gains: () => 0, mayFail: () => false };
  const named = nameDifferences(reasons, move);
  const said = (/** @type {string} */ role, /** @type {string} */ what, /** @type {number} */ n) => message(`reason.${role}`, { parts: [message("reason.part", { what, edge: message("edge.points", { n }) })] });
  assert.deepEqual(named, { message: message("reason.but", { reasons: [said("more", "sixes", 2)], others: [said("less", "fives", -0.5)] }), named: reasons.slice(0, 2) });
  assert.equal(nameDifferences([], move), null);
});

test("distributions add up", () => {
  const coin = { low: 0, chance: Float64Array.of(0.5, 0.5) };
  const points = addUp({ ways: [{ from: coin, chance: 0.5, gain: 0 }, { from: coin, chance: 0.5, gain: 2 }] });
  assert.deepEqual([points.low, [...points.chance]], [0, [0.25, 0.25, 0.25, 0.25]]);
  const { mean, standard_deviation: deviation, quantiles } = describe(points);
  assert.deepEqual([mean, Math.round(1000 * deviation), quantiles["0.5"], quantiles["0.95"]], [1.5, 1118, 1, 3]);
});

test("texts are patterns with columns of numbers", () => {
  const patterns = [{ pieces: ["", " of ", ""], same: [-1, 0] }, { pieces: ["over"], same: [] }];
  const arrays = { x_pattern: Int32Array.of(0, 0, 1), x_numbers: Int32Array.of(3, 4), x_index: Int32Array.of(0, 1, 2, 0) };
  const texts = new Texts({ patterns }, arrays, "x");
  assert.deepEqual(Array.from({ length: texts.length }, (_, i) => texts.get(i)), ["3 of 3", "4 of 4", "over", "3 of 3"]);
});

test("a table is found by what is asked, whatever is as always", async () => {
  const parameters = [{ name: "target", default: "45" }];
  const entry = { game: "slots", source: null, parameters: {}, objective: null, title: "Slots", file: "x.rwt", bytes: 1, sha: "" };
  const other = { ...entry, parameters: { target: "40" }, objective: "at-least 40" };
  use({ manifest: async () => ({ version: 1, games: /** @type {any} */ ([{ name: "slots", parameters }]), tables: [entry, other] }), load: async () => new ArrayBuffer(0) });
  assert.equal(await find({ game: "slots", parameters: { target: "45" } }), entry);
  assert.equal(await find({ game: "slots", parameters: { target: "40" }, objective: "at-least 40" }), other);
  assert.equal(await find({ game: "slots", parameters: { target: "41" } }), null);
  assert.equal(await find({ file: "name = 'slots'", parameters: {} }), null);
});

test("typed positions are read as the library reads them", () => {
  const typed = JSON.parse(readFileSync(new URL("../data/typed.json", import.meta.url), "utf8"));
  const names = ["ones", "twos", "threes", "fours", "fives", "sixes", "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance"];
  const unit = names.map((_, box) => 2 ** box);
  const rules = { names, count: 5, faces: 6, steps: [[63, 35]], joker: { bonus: 100 } };
  const notation = makeNotation(/** @type {any} */ ({ rules, threshold: 63, rerolls: 2, unit, field: unit, full: 2 ** 13 - 1 }), 0);
  const rows = typed.positions.filter((/** @type {string[]} */ [game, text]) => typed.page.includes(text) && game === "yahtzee");
  for (const [, text, meant] of rows) assert.equal(notation.showState(notation.readState(text)), meant);
  for (const text of ["3356 2 all", "33561 Ones", "33561 0 3K", "33561 1 Three upper 3"]) assert.throws(() => notation.readState(text));
  assert.equal(rows.length, typed.page.length);
});
