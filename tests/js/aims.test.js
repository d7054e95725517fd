import assert from "node:assert/strict";
import { test } from "node:test";

import { chanceNow } from "../../rollwise/web/static/coach/win-bar.js";
import { faultOf, readAim, targetOf, aimText, writeAim } from "../../rollwise/web/static/home/aims.js";
import { besidesDial, middleOf, priceText } from "../../rollwise/web/static/home/dial.js";

/** @import { Aim, AimField } from "../../rollwise/web/types.js" */

/** @type {AimField} */
const ties = { name: "ties", label: "A tie is", help: "", default: "half", kind: { type: "choice", names: ["half", "win", "lose"] } };
/** @type {(name: string, label: string, kind: any, standard?: string) => AimField} */
const field = (name, label, kind, standard = "") => ({ name, label, help: "", default: standard, kind });
const integer = { type: "integer", low: null, high: null };
/** @type {(name: string, text: string, ...fields: AimField[]) => Aim} */
const aim = (name, text, ...fields) => ({ name, label: name, help: "", text, fields });
const AIMS = [
  aim("expected", "expected"),
  aim("at-least", "at-least {target}", field("target", "Points to reach", integer)),
  aim("total", "against {total}, ties {ties}", field("total", "Points to beat", integer), ties),
  aim("scores", "against {scores}, ties {ties}", field("scores", "Totals", { type: "text" }), ties),
  aim("self", "against self, best of {players}, ties {ties}", field("players", "Players", { ...integer, low: 1 }, "1"), ties),
  aim("duel", "duel, ties {ties}", ties),
  aim("duel-points", "duel points {begins}, ties {ties}", field("begins", "The other moves", { type: "choice", names: ["second", "first"] }, "second"), ties),
];

test("the game's own aim is no text at all", () => {
  assert.equal(writeAim(AIMS, { name: "expected", values: {} }), null);
  assert.deepEqual(readAim(AIMS, null), { name: "expected", values: {} });
});

test("what is written is read again", () => {
  for (const [name, values] of /** @type {[string, Record<string, string>][]} */ ([
    ["at-least", { target: "200" }], ["total", { total: "-3", ties: "win" }], ["scores", { scores: "180:2,200:5", ties: "half" }],
    ["self", { players: "3", ties: "lose" }], ["duel", { ties: "half" }], ["duel-points", { begins: "first", ties: "win" }],
  ])) assert.deepEqual(readAim(AIMS, writeAim(AIMS, { name, values })), { name, values });
});

test("what the server writes without defaults is read too", () => {
  assert.deepEqual(readAim(AIMS, "against 187"), { name: "total", values: { total: "187", ties: "half" } });
  assert.deepEqual(readAim(AIMS, "against self"), { name: "self", values: { players: "1", ties: "half" } });
  assert.deepEqual(readAim(AIMS, "duel points"), { name: "duel-points", values: { begins: "second", ties: "half" } });
  assert.deepEqual(readAim(AIMS, "duel, ties win"), { name: "duel", values: { ties: "win" } });
  assert.equal(readAim(AIMS, "exactly 7"), null);
});

test("an aim is told in a few words", () => {
  assert.equal(aimText(AIMS, { name: "total", values: { total: "187", ties: "win" } }), "total: 187, a tie is a win");
  assert.equal(aimText(AIMS, { name: "duel", values: { ties: "half" } }), "duel");
});

test("a wrong field is told in one line", () => {
  const [target, players, scores] = [AIMS[1].fields[0], AIMS[4].fields[0], AIMS[3].fields[0]];
  assert.match(faultOf(target, ""), /Fill this in/);
  assert.match(faultOf(target, "two"), /whole number/);
  assert.match(faultOf(players, "0"), /at least 1/);
  assert.match(faultOf(scores, "her"), /totals with weights/);
  assert.equal(faultOf(scores, "180:2, 200:5.5,-3"), "");
});

test("the chance is that of the position, or of what a move has led to", () => {
  const shown = /** @type {any} */ ({ value: 0.6, moves: [{ action: "ones", value: 0.5 }] });
  assert.equal(chanceNow({ shown: null, stale: true }, undefined, 0.4), 0.4);
  assert.equal(chanceNow({ shown, stale: false }, { kind: "roll", text: "11123 0 all" }, 0.4), 0.6);
  assert.equal(chanceNow({ shown, stale: true }, { kind: "move", text: "ones" }, 0.4), 0.5);
  assert.equal(chanceNow({ shown, stale: true }, { kind: "move", text: "twos" }, 0.4), null);
});

const share = field("share", "Share", { type: "text" }, "10%");
const RISKS = [...AIMS, aim("worst", "worst {share}", share), aim("quantile", "quantile {share}", share), aim("utility", "utility exp:{risk}")];

test("one dial stands for the plans of risk, where a game has them and a mean", () => {
  assert.equal(middleOf(RISKS)?.name, "expected");
  assert.deepEqual(besidesDial(RISKS), AIMS);
  for (const aims of [AIMS, RISKS.slice(1)]) {
    assert.equal(middleOf(aims), null);
    assert.equal(besidesDial(aims), aims);
  }
});

test("what a plan gives up is said by its own share, or its target", () => {
  const figures = (/** @type {any} */ value, /** @type {number | null} */ mean) => ({ value, mean, target: 48, objective: "", standard_deviation: 1, worst_tenth: 1, median: 1 });
  const middle = /** @type {Aim} */ (RISKS[0]);
  const [worst, bold] = [{ name: "worst", values: { share: "10%" } }, { name: "quantile", values: { share: "90%" } }];
  /** @type {(plan: any, value: number, mean: number | null, instead: number, better?: "higher" | "lower") => string} */
  const said = (plan, value, mean, instead, better = "higher") => priceText({ plan: figures(value, mean), most: figures(41, 41), most_value: instead, better }, plan, middle);
  assert.equal(said(worst, 34.1, 40.2, 30), "0.8 points less on average for 4.1 more in the worst 10 % of games");
  assert.match(said(worst, 10, 42, 11, "lower"), /^1 point more .* 1 fewer/);
  assert.match(said(bold, 0.13, 39, 0.09), /^2 points less .*13 %.*9 %.*at least 48/);
  assert.match(said(worst, 30.01, 40.99, 30), /expected/);
  assert.match(said(bold, 0.101, 40.99, 0.1), /expected/);
  assert.match(said(worst, 34.1, null, 30), /^4.1 more .*10 %/);
  assert.match(said(bold, 0.13, null, 0.09), /13 %.*9 %.*at least 48/);
});

test("a quantile is the chance of its target, from above or from below", () => {
  const job = (/** @type {string} */ name, /** @type {any} */ board) => /** @type {any} */ ({ aim: { name, values: { target: "7" } }, board, result: {} });
  assert.deepEqual(targetOf(job("quantile", { mark: 7 })), { side: "at-least", n: "7" });
  assert.deepEqual(targetOf(job("quantile", {})), { side: "at-most", n: "7" });
  assert.equal(targetOf(job("worst", {})), null);
});
