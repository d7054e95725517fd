/** Several players: whose turn it is, what a link holds of them, whose lines are whose, and who wins. */

import { clearDice, enterDie } from "../../rollwise/web/static/boards/dice-tray.js";
import { any } from "../../rollwise/web/static/boards/generic.js";
import { sheet } from "../../rollwise/web/static/boards/sheet.js";
import { alone, linesOfSeat, nameAll, partyOf, placesOf, positionsOf, readParty, resultsText, tidyName, writeParty } from "../../rollwise/web/static/party/party.js";
import { standIn, written } from "../../rollwise/web/static/party/pencil.js";
import { certain, decided, spreadOf, winChances } from "../../rollwise/web/static/party/win-chances.js";
import * as plays from "../../rollwise/web/static/table/game.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {any} */
const board = {
  kind: "sheet", dice: 5, faces: 6, rerolls: 2, joker: null, in_order: false, start: "***** 3 all",
  bonus: { threshold: 9, points: 35, steps: [{ threshold: 9, points: 35 }] },
  boxes: ["ones", "twos", "chance"].map((name, i) => ({ name, face: i < 2 ? i + 1 : null, most: 30, times: 1 })),
};
/** @type {any} */
const alike = { ...sheet, enter: enterDie, clear: clearDice };
const game = { kind: /** @type {any} */ (partyOf(alike, ["Ann", "Bo", "Cy"])), board };
const fill = (/** @type {string} */ box, gain = 3) => ({ action: box, loss: 0, gain, after: "- 0 x upper 3" });
const begin = () => plays.begin(game, { position: game.kind.fresh(board), lines: [], mode: "roll", seed: "a seed" });

/** @param {plays.Play} play @param {string} box */
const turn = (play, box) => plays.playMove(game, plays.rollOn(game, play), /** @type {any} */ (fill(box)));

test("a turn ends with a box; the next one plays on a sheet of their own, and undo gives the turn back", () => {
  const rolled = plays.rollOn(game, begin());
  assert.equal(rolled.position.party.mover, 0);
  const kept = plays.playMove(game, rolled, /** @type {any} */ ({ action: "keep -", loss: 0, gain: 0, after: "" }));
  assert.equal(kept.position.party.mover, 0, "a reroll is no end of a turn");
  const after = plays.playMove(game, kept, /** @type {any} */ (fill("ones")));
  assert.equal(after.position.party.mover, 1);
  assert.deepEqual(alone(after.position), alike.fresh(board));
  assert.deepEqual(positionsOf(after.position).map((own) => own.total), [3, 0, 0]);
  assert.equal(plays.undo(after).position.party.mover, 0);
});

test("the party ends when everybody is done, and each line of the record has its player", () => {
  let play = begin();
  for (const box of ["ones", "twos", "chance"]) for (let i = 0; i < 3; i += 1) play = turn(play, box);
  assert.ok(game.kind.over(play.position));
  assert.ok(!game.kind.ready(play.position));
  const lines = plays.linesOf(play);
  for (let i = 0; i < 3; i += 1) {
    const mine = /** @type {any[]} */ (linesOfSeat(lines, i));
    assert.deepEqual(mine.filter((line) => line.kind === "move").map((line) => line.text), ["ones", "twos", "chance"]);
    assert.ok(mine.every((line) => line.kind !== "roll" || line.player === i));
    assert.deepEqual(Object.keys(game.kind.sent(board, mine[0])).sort(), ["kind", "text"]);
  }
  const again = plays.again(game, play);
  assert.deepEqual(again.position, game.kind.fresh(board));
});

test("players have luck of their own", () => {
  const first = plays.rollOn(game, begin());
  const second = plays.rollOn(game, plays.playMove(game, first, /** @type {any} */ (fill("ones"))));
  assert.notDeepEqual(first.position.dice, second.position.dice);
});

test("a link holds every player's position, whose turn it is, and who is coached", () => {
  const play = plays.rollOn(game, turn(turn(begin(), "ones"), "chance"));
  const party = { names: ["Ann", "Bo", "Cy"], coached: [true, false, true], odds: true };
  const fields = Object.fromEntries(Object.entries({ ...game.kind.write(board, play.position), ...writeParty(party) }).map(([name, value]) => [name, String(value)]));
  assert.deepEqual(readParty(fields), party);
  const read = game.kind.read(board, fields);
  assert.deepEqual(positionsOf(read), positionsOf(play.position));
  assert.deepEqual(read.party.seats.map((/** @type {any} */ seat) => seat.last), play.position.party.seats.map((/** @type {any} */ seat) => seat.last));
  assert.equal(read.party.mover, 2);
  assert.equal(readParty({ players: "Ann" }), null);
  assert.throws(() => game.kind.read(board, { ...fields, turn: "9" }), /turn 9/);
});

test("a game whose end only the server knows passes on with what the player has", () => {
  const kind = /** @type {any} */ (partyOf(/** @type {any} */ (any), ["Ann", "Bo"]));
  const begun = kind.fresh({});
  const moved = kind.play({}, { ...begun, state: "12", total: 4 }, { action: "stop", gain: 3 }, []);
  assert.equal(moved.party.mover, 0);
  const next = kind.endSeat(kind.enter(moved, null, { state: "over", position: {} }), 7);
  assert.equal(next.party.mover, 1);
  assert.equal(next.party.seats[0].result, 7);
  assert.equal(kind.over(kind.endSeat(next, 9)), true);
});

test("names are one line without commas, and nobody is without one", () => {
  assert.equal(tidyName("  Anna,\n Maria  "), "Anna Maria");
  assert.equal(tidyName("🎲".repeat(40)).length, "🎲".length * 16);
  assert.deepEqual(nameAll(["", "Bo"]), ["Player 1", "Bo"]);
});

test("places: the best first, and who has the same shares one", () => {
  assert.deepEqual(placesOf([10, 30, 30, null], "higher"), [3, 1, 1, null]);
  assert.deepEqual(placesOf([10, 30, 20], "lower"), [1, 3, 2]);
  const told = resultsText({ names: ["A", "B", "C"], results: [10, 30, 30], places: [3, 1, 1], viewed: 0 }, "expected total");
  assert.equal(told.head, "B and C share the win with 30 points");
  assert.match(told.text, /^3\. A 10 points\./);
});

// Points by hand

test("points that are written by hand add up, and a roll stands in for them", () => {
  const begun = sheet.fresh(board);
  const after = written(board, begun, "twos", 6, 0);
  assert.deepEqual([after.total, after.upper, after.open, after.left], [6, 6, ["ones", "chance"], 2]);
  assert.deepEqual(standIn(board, begun, "twos", 6, 6), { state: "13222 0 all upper 0".replace("13222", "12223"), action: "twos", banked: null, after: 6 });
  assert.equal(standIn(board, begun, "twos", 5, 5), null, "no dice make five of twos");
  assert.equal(standIn(board, begun, "chance", 17, 17)?.state, "12345 0 all upper 0");
  const past = written(board, after, "ones", 3, 0);
  assert.equal(past.total, 6 + 3 + 35, "the bonus comes with the threshold");
});

test("a player who wrote by hand has no lines to grade, the others do", () => {
  const record = [{ kind: "roll", text: "a", player: 0 }, { kind: "move", text: "x" }, { kind: "written", text: "ones 3", player: 1 }];
  assert.deepEqual(linesOfSeat(record, 0)?.length, 2);
  assert.equal(linesOfSeat(record, 1), null);
  assert.equal(linesOfSeat(null, 0), null);
});

// Chances

/** By brute force: every combination of results. @param {Map<number, number>[]} spreads @param {1 | -1} sign */
function enumerate(spreads, sign) {
  const wins = spreads.map(() => 0);
  const walk = (/** @type {number[]} */ results, /** @type {number} */ chance) => {
    if (results.length < spreads.length) {
      for (const [number, part] of spreads[results.length]) walk([...results, number], chance * part);
      return;
    }
    const best = Math.max(...results.map((number) => sign * number));
    const first = results.flatMap((number, i) => (sign * number === best ? [i] : []));
    for (const i of first) wins[i] += chance / first.length;
  };
  walk([], 1);
  return wins;
}

test("chances to win are those of all combinations, ties shared, for more and for less", () => {
  const spreads = [
    spreadOf({ lowest: 0, values: null, chance: [0.1, 0.2, 0.3, 0.4] }, 5), spreadOf({ lowest: 4, values: null, chance: [0.25, 0.25, 0, 0.5] }, 1),
    spreadOf({ lowest: 0, values: [3, 7, 100], chance: [0.5, 0.3, 0.2] }, 1), certain(8),
  ];
  for (const [better, sign] of /** @type {["higher" | "lower", 1 | -1][]} */ ([["higher", 1], ["lower", -1]])) {
    const found = winChances(spreads, better);
    enumerate(spreads, sign).forEach((wanted, i) => assert.ok(Math.abs(found[i] - wanted) < 1e-12, `${better} ${i}`));
    assert.ok(Math.abs(found.reduce((a, b) => a + b, 0) - 1) < 1e-12);
  }
});

test("chances at the ends: equals share, the certain is certain, nobody at all shares", () => {
  assert.deepEqual(winChances([certain(3), certain(3)], "higher"), [0.5, 0.5]);
  assert.deepEqual(winChances([certain(4), certain(3)], "lower"), [0, 1]);
  const [a, b] = winChances([decided(0.5), decided(0)], "higher");
  assert.ok(Math.abs(a - 0.75) < 1e-12 && Math.abs(b - 0.25) < 1e-12);
});
