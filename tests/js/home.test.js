// @ts-check
/** The start page, its forms and the editor of game files: what can be told without a page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { differs } from "../../rollwise/web/static/app/open-game.js";
import { findGames, inOrder, shelve } from "../../rollwise/web/static/home/cards.js";
import { faultOf as faultOfField } from "../../rollwise/web/static/home/house-rules.js";
import { faultOf, faultOfFile, nameIn, spanOf } from "../../rollwise/web/static/home/own-game.js";

/** @type {any[]} */
const GAMES = [
  { title: "Slots", famous: 0, family: "placing" }, { title: "Pig", famous: 4, family: "races" }, { title: "Groups", famous: 0, family: "others" },
  { title: "Yahtzee", famous: 1, family: "sheets" },
];

test("famous games come first, then titles", () => {
  assert.deepEqual(inOrder(GAMES).map((game) => game.title), ["Yahtzee", "Pig", "Groups", "Slots"]);
});

test("games that are less known stand by families, and none twice", () => {
  const shelves = shelve(inOrder(GAMES), ["sheets", "races", "placing", "others"]);
  const shown = shelves.map(({ title, games }) => [title, ...games.map((game) => game.title)]);
  assert.deepEqual(shown, [["placing", "Slots"], ["others", "Groups"]]);
});

test("a game is found by its title in every language, and by its name", () => {
  /** @type {any[]} */
  const games = [{ name: "slots", title: "Slots", titles: ["Fächer", "Slots"] }, { name: "cant-stop", title: "Can't Stop", titles: [] }];
  const found = (/** @type {string} */ text) => findGames(games, text).map(({ name }) => name);
  assert.deepEqual(["FÄCH", "slo", "cant stop", "Can't", "s", "?"].map(found), [["slots"], ["slots"], ["cant-stop"], ["cant-stop"], ["slots", "cant-stop"], []]);
});

test("a value is checked by the kind of its parameter", () => {
  /** @type {import("../../rollwise/web/types.js").ParameterKind} */
  const number = { type: "integer", low: 0, high: 9 };
  assert.deepEqual(["0", "9", ""].map((text) => faultOfField(number, text, false)), ["", "", ""]);
  assert.match(faultOfField(number, "10", false), /too large: expected at most 9/);
  assert.match(faultOfField(number, "-1", false), /too small: expected at least 0/);
  assert.match(faultOfField(number, "3.5", false), /expected a whole number/);
  assert.match(faultOfField(number, "", true), /Fill this in/);
  assert.match(faultOfField({ type: "integers" }, "3,,2", true), /whole numbers/);
  assert.match(faultOfField({ type: "names" }, "a,,b", false), /one comma/);
  assert.match(faultOfField({ type: "file" }, "@x", true), /cannot be named/);
});

test("the title says what differs from the standard rules", () => {
  /** @type {any} */
  const job = {
    known: [
      { name: "rerolls", label: "Rerolls", kind: { type: "integer" }, default: "2" },
      { name: "joker", label: "Jokers", kind: { type: "choice" }, default: "forced" },
      { name: "in_order", label: "Boxes in order", kind: { type: "flag" }, default: "no" },
      { name: "boxes", label: "Boxes", kind: { type: "names" }, default: "all" },
    ],
    aims: [], aim: { name: "expected", values: {} },
  };
  const told = (/** @type {Record<string, string>} */ parameters) => differs(job, { game: "x", file: null, parameters, objective: null });
  assert.equal(told({ rerolls: "3", joker: "free", in_order: "yes" }), "Rerolls: 3, Jokers: free, Boxes in order");
  assert.equal(told({ rerolls: "2", boxes: "ones,twos" }), "Boxes: ones, twos");
  assert.equal(told({}), "");
});

test("a fault is found at its line and column", () => {
  assert.deepEqual(spanOf("ab\ncdef\ng", 2, 3), [5, 7]);
  assert.deepEqual(spanOf("ab\ncdef\ng", 2, null), [3, 7]);
  assert.deepEqual(spanOf("ab", 1, 99), [2, 2]);
});

test("files that are not for the server are refused by name and size", () => {
  assert.match(faultOfFile({ name: "Game.PY", size: 10 }), /Python files are not opened/);
  assert.match(faultOfFile({ name: "a.toml", size: 70000 }), /at most 65536/);
  assert.equal(faultOfFile({ name: "a.toml", size: 10 }), "");
  assert.match(faultOf("  \n"), /nothing to solve/);
  assert.match(faultOf("ü".repeat(40000)), /80000 bytes/);
});

test("a file is saved under the name of its game", () => {
  assert.equal(nameIn('format = 1\nname = "two boxes"\n'), "two boxes");
  assert.equal(nameIn('name = "../../x"'), "x");
  assert.equal(nameIn("format = 1"), "game");
});
