/** Links: what is written is read back, and what is wrong is told in one line. */

import * as link from "../../rollwise/web/static/app/address.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { makeAsked, packFile, readLink, readNames, readNumber, readPairs, unpackFile, writeLink, writeNames, writePairs } = link;

test("a game, its aim, its parameters and a position", async () => {
  const asked = makeAsked({ game: "yazy", parameters: { rerolls: "2", boxes: "ones,straight" }, objective: "at-least 200" });
  const { fragment, left } = writeLink({ asked, mode: "roll", fields: { state: "33561 2 all", total: "0" } });
  assert.equal(fragment, "#yazy?aim=at-least+200&p.rerolls=2&p.boxes=ones,straight&state=33561+2+all&total=0&mode=roll");
  assert.deepEqual(left, []);
  assert.deepEqual(await readLink(fragment), { asked, mode: "roll", fields: { state: "33561 2 all", total: "0" } });
});

test("no fragment is the start page", async () => {
  assert.equal(await readLink(""), null);
  assert.equal(await readLink("#"), null);
});

test("what would make a link too long is left out and named", () => {
  const asked = makeAsked({ game: "words", parameters: { dice: "AB", words: "A".repeat(5000) } });
  assert.deepEqual(writeLink({ asked }), { fragment: "#words?p.dice=AB", left: ["words"] });
});

test("a game file travels packed, letters of any alphabet included", async () => {
  const file = '[game]\nname = "Zwölf ⚅"\n'.repeat(20);
  const packed = await packFile(file);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < file.length);
  assert.equal(await unpackFile(packed), file);
  const found = await readLink(writeLink({ asked: makeAsked({ file }) }).fragment);
  assert.equal(found?.asked.file, file);
  assert.equal(found?.asked.game, null);
});

test("a damaged file, or one that unpacks to too much, is told", async () => {
  await assert.rejects(unpackFile("AAAA"), /damaged/);
  await assert.rejects(unpackFile("A".repeat(20000)), /expected at most/);
  await assert.rejects(unpackFile(await packFile("a".repeat(100000))), /more than 65536 bytes/);
});

test("a wrong mode or name is told", async () => {
  await assert.rejects(readLink("#yazy?mode=cheat"), /mode cheat in the link: expected mine or roll/);
  await assert.rejects(readLink("#%E0%A4%A"), /names no game/);
});

test("numbers within bounds", () => {
  assert.equal(readNumber("7", "total"), 7);
  assert.equal(readNumber("-7", "total", { lowest: -9 }), -7);
  for (const text of ["", "x", "1.5", "-1", "1e3", undefined]) assert.throws(() => readNumber(text, "total"), /total .* in the link/);
});

test("names and pairs", () => {
  const known = ["ones", "twos", "chance"];
  assert.deepEqual(readNames("all", known), known);
  assert.deepEqual(readNames("none", known), []);
  assert.deepEqual(readNames("chance,ones", known), ["ones", "chance"]);
  assert.equal(writeNames(known, known), "all");
  assert.equal(writeNames([], known), "none");
  assert.throws(() => readNames("fours", known), /fours in the link is none of ones, twos, chance/);
  assert.deepEqual(readPairs("ones:3,twos:", known), { ones: 3, twos: null });
  assert.equal(writePairs({ ones: 3, twos: null }), "ones:3,twos:");
  assert.throws(() => readPairs("fours:1", known), /fours/);
});
