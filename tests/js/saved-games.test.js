/** Games that a browser keeps: listed, laid out again, bounded, taken away and put back. */

import { packMoves, unpackMoves } from "../../rollwise/web/static/app/address.js";
import { keepGame, listKept, MOST_GAMES, poolSeats, readKept, sumUp, takeAway, unpoolSeats } from "../../rollwise/web/static/saved/games.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** A store that holds so many characters. @param {number} room @returns {any} */
function makeStore(room) {
  /** @type {any} */
  const held = {};
  const hide = { enumerable: false };
  const size = () => Object.entries(held).reduce((sum, [name, text]) => sum + name.length + String(text).length, 0);
  return Object.defineProperties(held, {
    getItem: { ...hide, value: (/** @type {string} */ name) => held[name] ?? null },
    removeItem: { ...hide, value: (/** @type {string} */ name) => delete held[name] },
    setItem: { ...hide, value: (/** @type {string} */ name, /** @type {string} */ text) => {
      if (size() + text.length > room) throw new Error("QuotaExceededError");
      held[name] = text;
    } },
  });
}

/** @param {any} store */
const use = (store) => Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => store });

beforeEach(() => use(makeStore(5_000_000)));

/** @param {string} id @param {object} [more] @returns {any} */
const facts = (id, more = {}) => ({ id, title: "Yahtzee", differs: "", players: [{ name: "", result: "20" }], winner: "", over: false, head: "", done: 1, of: 13, steps: 2, ...more });
/** @param {number} steps @returns {any} */
const laid = (steps) => ({ asked: { game: "yahtzee" }, mode: "mine", fragment: "#yahtzee", play: { version: 1, record: [], past: Array.from({ length: steps }, (_, i) => ({ i, text: "x".repeat(100) })) } });

test("games are listed with the latest first, and laid out as they were", () => {
  assert.equal(keepGame(facts("a"), laid(3), 100), null);
  assert.equal(keepGame(facts("b", { over: true }), laid(3), 200), null);
  assert.equal(keepGame(facts("a", { done: 2 }), laid(4), 300), null);
  assert.deepEqual(listKept().map(({ id, done, began, when }) => [id, done, began, when]), [["a", 2, 100, 300], ["b", 1, 200, 200]]);
  assert.equal(readKept("a")?.play.past.length, 4);
  assert.deepEqual(readKept("b")?.play.past, [], "what is over is not taken back step by step");
  assert.equal(keepGame(facts("a", { done: 2 }), laid(0), 400), null);
  assert.deepEqual([listKept()[0].when, readKept("a")?.play.past.length], [300, 4], "to look at it changes nothing");
  takeAway("a");
  assert.equal(readKept("a"), null);
  assert.deepEqual(listKept().map(({ id }) => id), ["b"]);
});

test("seats that steps share are written once, and come back", () => {
  const [first, second, third] = ["a", "b", "c"].map((name) => ({ name, text: "x".repeat(1000) }));
  const moment = (/** @type {object[]} */ ...seats) => ({ position: { dice: [1], party: { mover: 0, seats } } });
  const play = { ...moment(first, third), past: Array.from({ length: 50 }, () => moment(first, second)) };
  const text = JSON.stringify(poolSeats(play));
  assert.ok(text.length < 8000, String(text.length));
  assert.deepEqual(unpoolSeats(JSON.parse(text)), play);
  const alone = { position: { dice: [1] }, past: [{ position: {} }] };
  assert.deepEqual(unpoolSeats(JSON.parse(JSON.stringify(poolSeats(alone)))), alone);
});

test("old steps go first when there is little room, then it is said", () => {
  use(makeStore(9_000));
  assert.equal(keepGame(facts("a"), laid(500)), null);
  assert.equal(readKept("a")?.play.past.length, 10, "the last ones stay");
  assert.equal(readKept("a")?.play.past.at(-1).i, 499);
  use(makeStore(100));
  assert.equal(keepGame(facts("a"), laid(0)), "kept.full");
  use(null);
  assert.equal(keepGame(facts("a"), laid(0)), "kept.never");
  assert.deepEqual(listKept(), []);
});

test("there is a most of games, and one that is kept already goes on", () => {
  for (let i = 0; i < MOST_GAMES; i += 1) assert.equal(keepGame(facts(`g${i}`), laid(0), i), null);
  assert.equal(keepGame(facts("one more"), laid(0)), "kept.many");
  assert.equal(keepGame(facts("g7"), laid(0)), null);
  assert.equal(listKept().length, MOST_GAMES);
});

test("what is taken away can be put back; what another wrote is passed over", () => {
  keepGame(facts("a"), laid(2), 5);
  const back = takeAway("a");
  assert.deepEqual(listKept(), []);
  back();
  assert.equal(listKept()[0].when, 5);
  assert.equal(readKept("a")?.play.past.length, 2);
  localStorage.setItem("rollwise.kept.x", "not JSON");
  localStorage.setItem("rollwise.kept.y", "{}");
  assert.equal(listKept().length, 1);
});

test("wins are counted where several played to the end", () => {
  const players = [{ name: "Ann", result: "3" }, { name: "Bo", result: "2" }];
  const entries = [facts("a", { over: true, players, winner: "Bo" }), facts("b", { over: true, players, winner: "" }), facts("c", { players }), facts("d", { over: true })];
  assert.deepEqual(sumUp(entries), [{ name: "Bo", games: 2, wins: 1 }, { name: "Ann", games: 2, wins: 0 }]);
});

test("a whole game is packed in a link and comes back; a damaged one is told", async () => {
  const lines = [
    { kind: "roll", text: "12345 2 all", total: 0, player: 1 }, { kind: "move", text: "keep -" }, { kind: "roll", text: "3 all 6" },
    { kind: "end", text: "" }, { kind: "written", text: "ones 3", player: 0 },
  ];
  const packed = await packMoves(lines);
  assert.match(packed, /^[\w-]+$/);
  assert.deepEqual(await unpackMoves(packed), lines);
  await assert.rejects(unpackMoves(packed.slice(0, -6)), /damaged/);
  await assert.rejects(unpackMoves("nonsense"), /damaged/);
  await assert.rejects(packMoves([]).then(() => unpackMoves("W3siYSI6MX1d")), /damaged/);
});
