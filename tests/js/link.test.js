// @ts-check
/** Links: what is asked for, a position and a game file go into an address and come back. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { LinkError, makeAsked, packFile, readLink, readNames, readNumber, readPairs, unpackFile, writeLink, writeNames, writePairs } from "../../rollwise/web/static/link.js";

const FILE = 'format = 1\nname = "möwe"\n# ¡ünïcode! 🎲\n'.repeat(20);

test("a game, its aim, parameters and position come back", async () => {
  const asked = makeAsked({ game: "yazy", parameters: { rerolls: "3", boxes: "ones,straight" }, objective: "at-least 200" });
  const { fragment, left } = writeLink({ asked, mode: "roll", fields: { state: "33561 2 all", total: 12 } });
  assert.equal(fragment, "#yazy?aim=at-least+200&p.rerolls=3&p.boxes=ones,straight&state=33561+2+all&total=12&mode=roll");
  assert.deepEqual(left, []);
  assert.deepEqual(await readLink(fragment), { asked, fields: { state: "33561 2 all", total: "12" }, mode: "roll" });
});

test("a bare name is a game, and nothing is the start page", async () => {
  assert.deepEqual(await readLink("#pig"), { asked: makeAsked({ game: "pig" }), fields: {}, mode: "mine" });
  assert.equal(await readLink(""), null);
  assert.equal(await readLink("#"), null);
});

test("a file is packed small, and comes back letter by letter", async () => {
  const packed = await packFile(FILE);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < FILE.length / 5);
  assert.equal(await unpackFile(packed), FILE);
  const { fragment, left } = writeLink({ asked: makeAsked({ file: FILE }) });
  assert.deepEqual(left, []);
  assert.equal((await readLink(fragment))?.asked.file, FILE);
});

test("what is too long is left out and named", async () => {
  const noise = Array.from({ length: 40000 }, () => Math.random().toString(36)[2]).join("");
  await packFile(noise);
  const { fragment, left } = writeLink({ asked: makeAsked({ file: noise }), fields: { state: "1" } });
  assert.deepEqual([fragment, left], ["#file?state=1", ["the file"]]);
  const words = writeLink({ asked: makeAsked({ game: "words", parameters: { words: "A".repeat(5000) } }) });
  assert.deepEqual([words.fragment, words.left], ["#words", ["words"]]);
});

test("links that are damaged say so", async () => {
  const wrong = ["#%E0%A4%A", "#yazy?mode=theirs", "#file?f=!!!", "#file?f=AAAA", `#file?f=${"A".repeat(16001)}`];
  for (const link of wrong) await assert.rejects(readLink(link), LinkError, link);
});

test("names and numbers of positions come back, and strange ones are told", () => {
  assert.deepEqual(readPairs(writePairs({ ones: 3, twos: null }), ["ones", "twos"]), { ones: 3, twos: null });
  assert.deepEqual(readNames(writeNames(["b"], ["a", "b"]), ["a", "b"]), ["b"]);
  assert.equal(readNumber("12", "total"), 12);
  for (const read of [() => readPairs("x:1", ["ones"]), () => readNames("x", ["a"]), () => readNumber("1e3", "total"), () => readNumber(undefined, "total")]) {
    assert.throws(read, LinkError);
  }
});
