/** A game being played: records, rolls that follow from them, holds, and what a reload brings back. */

import { hex, sha256 } from "../../rollwise/web/static/app/sha256.js";
import { clearDice, enterDie } from "../../rollwise/web/static/boards/dice-tray.js";
import { sheet } from "../../rollwise/web/static/boards/sheet.js";
import { drawFrom, newSeed } from "../../rollwise/web/static/table/fair-dice.js";
import * as plays from "../../rollwise/web/static/table/game.js";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

const BOXES = ["ones", "twos", "chance"];
/** @type {import("../../rollwise/web/types.js").SheetBoard} */
const board = {
  kind: "sheet", dice: 5, faces: 6, rerolls: 2, bonus: null, joker: null, in_order: false, start: "***** 3 all",
  boxes: BOXES.map((name, i) => ({ name, face: i < 2 ? i + 1 : null, most: 30 })),
};
const game = { kind: { ...sheet, enter: enterDie, clear: clearDice }, board };
const keep = (/** @type {string} */ dice) => ({ action: `keep ${dice}`, loss: 0, gain: 0, after: "" });
const fill = (/** @type {string} */ box) => ({ action: box, loss: 0, gain: 3, after: "" });

/** @param {Partial<Parameters<typeof plays.begin>[1]>} [given] */
const begin = (given) => plays.begin(game, { position: game.kind.fresh(board), lines: [], mode: "roll", seed: "a seed", ...given });
const holding = (/** @type {plays.Play} */ play, /** @type {string} */ dice) =>
  plays.hold(play, game.kind.hold(board, play.position, `keep ${dice}`));

test("SHA-256 is that of everybody else", () => {
  assert.equal(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  for (let n = 0; n < 200; n += 1) {
    const text = "aß√🎲".repeat(n).slice(0, 2 * n);
    assert.equal(hex(sha256(text)), createHash("sha256").update(text).digest("hex"));
  }
});

test("draws are fair: every face comes within five standard errors, and none is out of range", () => {
  for (const n of [2, 3, 6, 20, 3_000_000_000]) {
    const draw = drawFrom(`fair ${n}`);
    const drawn = Array.from({ length: 6000 }, () => draw(n));
    assert.ok(drawn.every((value) => Number.isInteger(value) && value >= 0 && value < n));
    const groups = Math.min(n, 20);
    const counts = Array(groups).fill(0);
    for (const value of drawn) counts[Math.floor((value / n) * groups)] += 1;
    const mean = drawn.length / groups;
    for (const count of counts) assert.ok(Math.abs(count - mean) < 5 * Math.sqrt(mean), `${n}: ${counts}`);
  }
});

test("every game has its own seed", () => {
  assert.match(newSeed(), /^[0-9a-f]{32}$/);
  assert.notEqual(newSeed(), newSeed());
});

test("the same move in the same position gets the same roll, after undo and after a reload", () => {
  const rolled = plays.rollOn(game, begin());
  assert.deepEqual(plays.rollOn(game, plays.undo(rolled)).position, rolled.position);
  const reloaded = /** @type {plays.Play} */ (plays.unpack(JSON.parse(JSON.stringify(plays.pack(rolled)))));
  const face = String(rolled.position.dice[0]);
  const once = plays.playMove(game, holding(rolled, face), keep(face));
  assert.deepEqual(plays.playMove(game, holding(plays.undo(once), face), keep(face)).position, once.position);
  assert.deepEqual(plays.playMove(game, holding(reloaded, face), keep(face)).position, once.position);
});

test("another move, another game or a later turn gets another roll", () => {
  const seen = new Set();
  for (const seed of ["a", "b", "c", "d"]) {
    const first = plays.rollOn(game, begin({ seed }));
    const again = plays.playMove(game, plays.hold(first, first.held.map(() => false)), keep("-"));
    const next = plays.rollOn(game, plays.playMove(game, again, fill("ones")));
    for (const { position } of [first, again, next]) seen.add(position.dice.join());
  }
  assert.equal(seen.size, 12);
  const now = begin();
  assert.notEqual(plays.again(game, now).seed, now.seed);
  assert.equal(plays.undo(plays.again(game, now)).seed, now.seed);
});

test("positions that were set up roll by where they come from, and their record is not graded", () => {
  const set = begin({ lines: null });
  assert.equal(plays.linesOf(set), null);
  const rolled = plays.rollOn(game, set);
  assert.equal(plays.linesOf(rolled), null);
  assert.deepEqual(plays.rollOn(game, plays.undo(rolled)).position, rolled.position);
  const moved = plays.playMove(game, plays.hold(rolled, rolled.held.map(() => false)), keep("-"));
  assert.notDeepEqual(moved.position.dice, rolled.position.dice);
});

test("a record is rolls and moves in turn, whichever way dice were entered", () => {
  let play = begin({ mode: "mine" });
  for (const face of [3, 3, 5, 6, 2]) play = plays.enterFace(game, play, null, face);
  play = plays.enterFace(game, play, 4, 1);
  assert.deepEqual(plays.linesOf(play), [{ kind: "roll", text: "33561 2 all", total: 0 }]);
  play = plays.playMove(game, holding(play, "33"), keep("33"), { best: "keep 33" });
  assert.deepEqual(play.verdict, { action: "keep 33", loss: 0, best: "keep 33" });
  for (const face of [1, 2, 4]) play = plays.enterFace(game, play, null, face);
  assert.deepEqual(plays.linesOf(play)?.map((line) => line.kind), ["roll", "move", "roll"]);
  assert.equal(plays.linesOf(plays.enterFace(game, play, 0, 6)), null, "a die that was kept cannot have been another one");
  assert.equal(plays.linesOf(plays.change(game, play, { ...play.position, left: 0 })), null);
});

test("without advice held dice stay held after a roll; with it the best move is selected", () => {
  const rolled = plays.rollOn(game, { ...begin(), coach: false });
  const two = rolled.position.dice.map((/** @type {number} */ _, /** @type {number} */ i) => i < 2);
  const action = String(game.kind.action(board, rolled.position, two));
  const next = plays.playMove(game, plays.hold(rolled, two), { ...keep("-"), action });
  assert.deepEqual(next.held, two);
  const moves = new Map([action, "keep -", "chance"].map((name) => [name, {}]));
  assert.equal(plays.preselect(game, next, moves, "chance").selected, action);
  const advised = plays.preselect(game, { ...next, coach: true }, moves, "chance");
  assert.equal(advised.selected, "chance");
  assert.ok(!advised.play.held.some(Boolean));
  assert.deepEqual(plays.undo(next).held, two, "undo brings the holds of the move back");
});

test("a reload keeps the past, the seed and the switches, and a long past is bounded", () => {
  let play = { ...begin({ mode: "mine" }), coach: false };
  for (let i = 0; i < 400; i += 1) play = plays.enterFace(game, play, null, 1 + (i % 6));
  const text = JSON.stringify(plays.pack(play));
  const back = /** @type {plays.Play} */ (plays.unpack(JSON.parse(text)));
  assert.deepEqual(back, play);
  assert.equal(back.past.length, 300);
  assert.ok(text.length < 200_000);
  assert.deepEqual(plays.undo(back), plays.undo(play));
  assert.equal(plays.unpack(null), null);
  assert.equal(plays.unpack({ version: 0 }), null);
});

test("undo steps over a rival's turns", () => {
  const play = { ...begin(), past: [1, 2, 3].map((left) => ({ ...begin(), position: { left } })) };
  assert.equal(plays.undoTo(play, ({ left }) => left < 3).position.left, 2);
  assert.equal(plays.undoTo(play, () => false).position.left, 1);
});
