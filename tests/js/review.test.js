/** After a game: the line adds up to the result, whoever looks at it; the sentence; mistakes; the positions of a record. */

import { duelSheet } from "../../rollwise/web/static/boards/duel-sheet.js";
import { sheet } from "../../rollwise/web/static/boards/sheet.js";
import { slots } from "../../rollwise/web/static/boards/slots.js";
import { words } from "../../rollwise/web/static/boards/words.js";
import { errorFrom, scales } from "../../rollwise/web/static/review/line-chart.js";
import { costlyOf, errorsOf, followGame, sumUp } from "../../rollwise/web/static/review/line.js";
import { replay } from "../../rollwise/web/static/review/replay.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {(luck: number, loss: number | null, severity?: string | null, mover?: number) => any} */
const step = (luck, loss, severity = null, mover = 0) => ({ roll: "x", luck, loss, move: loss === null ? null : "a", best: "b", severity, mover });
/** @type {(start: number, steps: any[], more?: object) => any} */
const game = (start, steps, more = {}) => ({ start, steps, over: true, rival_mistakes: null, ...more });

/** @type {(a: number, b: number) => void} */
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

const POINTS = game(165.8, [step(-40, 0), step(3, 2, "mistake"), step(-7.6, 10.1, "blunder"), step(-0.1, 0), step(0, null)]);

test("the line goes from the start to the end, by luck and by losses", () => {
  const course = /** @type {any} */ (followGame(POINTS));
  near(course.end, 109);
  near(course.luck, -44.7);
  near(course.own, -12.1);
  near(course.start + course.luck + course.own, course.end);
  for (const { before, rolled, value, luck, change } of course.moments) {
    near(before + luck, rolled);
    near(rolled + change, value);
  }
  near(course.moments.at(-1).dice, 165.8 - 44.7);
});

test("where less is better, luck saves and losses cost", () => {
  const course = /** @type {any} */ (followGame(game(12, [step(2, 0.5), step(-1, 0)]), { lower: true }));
  near(course.luck, -1);
  near(course.own, 0.5);
  near(course.end, 11.5);
});

test("the second player sees the same line upside down", () => {
  const grade = game(0.6, [step(0.1, 0.2, "blunder", 0), step(0.05, 0.3, "blunder", 1), step(0.15, null)]);
  const [first, second] = [0, 1].map((side) => /** @type {any} */ (followGame(grade, { share: true, side })));
  near(first.end, 1);
  near(second.end, 0);
  near(second.start, 0.4);
  near(first.own, -0.2);
  near(second.own, -0.3);
  near(second.other, 0.2);
  near(second.start + second.luck + second.own + second.other, second.end);
  assert.deepEqual(errorsOf(grade, 1).map(({ at }) => at), [1]);
  assert.deepEqual(costlyOf(grade, 0).map(({ at }) => at), [0]);
});

test("a game that could not be ended any more has no line and no sentence", () => {
  assert.equal(followGame(game(3, [step(1, /** @type {any} */ ("impossible"))])), null);
  assert.equal(sumUp(game(3, [step(1, /** @type {any} */ ("impossible"))])), "");
});

test("a sentence sums up", () => {
  assert.equal(sumUp(POINTS), "109: average 165.8, dice −44.7, decisions −12.1.");
  assert.equal(sumUp(game(12.25, [step(0.2, 0), step(-0.95, 0)]), { lower: true, rolls: true }), "13 rolls: average 12.3, dice +0.8, decisions ±0.0.");
  const won = game(0.6, [step(0.1, 0.2), step(0.2, 0.3, null, 1)], { rival_mistakes: 0.3 });
  assert.equal(sumUp(won, { share: true }), "Won: 60.0 % at first, dice +30.0 %, decisions −20.0 %, the other player's decisions +30.0 %.");
  assert.equal(sumUp(won, { share: true, side: 1 }), "Lost: 40.0 % at first, dice −30.0 %, decisions −30.0 %, the other player's decisions +20.0 %.");
  assert.match(sumUp(game(20, [step(1.5, 0.5)], { over: false })), /^So far 21 to be expected: average 20.0/);
});

test("mistakes have a name; smaller losses are only costly", () => {
  assert.deepEqual(errorsOf(POINTS).map(({ at }) => at), [1, 2]);
  const grade = game(10, [step(0, 0.01), step(0, 1e-12)]);
  assert.deepEqual([errorsOf(grade).length, costlyOf(grade).length], [0, 1]);
});

test("from mistake to mistake, there and back", () => {
  const { moments } = /** @type {any} */ (followGame(POINTS));
  assert.deepEqual([errorFrom(moments, 0, 1), errorFrom(moments, 2, 1), errorFrom(moments, 3, 1)], [2, 3, null]);
  assert.deepEqual([errorFrom(moments, 5, -1), errorFrom(moments, 3, -1), errorFrom(moments, 2, -1)], [3, 2, null]);
});

test("the picture holds all of the line, and its axis round numbers", () => {
  const course = /** @type {any} */ (followGame(POINTS));
  const { x, y, low, high } = scales(course, 400);
  assert.ok(low < 109.1 && high > 165.7);
  assert.ok(y(high) > 0 && y(low) < 230 && y(high) < y(low));
  assert.ok(x(0) > 0 && x(course.moments.length) < 400);
});

const BOARD = /** @type {any} */ ({
  kind: "sheet", dice: 5, faces: 6, rerolls: 2, bonus: null, joker: null, in_order: false, start: "***** 3 all",
  boxes: [{ name: "ones", face: 1, most: 5 }, { name: "straight", face: null, most: 30 }, { name: "chance", face: null, most: 30 }],
});
/** @type {(kind: string, text: string, total?: number) => any} */
const line = (kind, text, total) => ({ kind, text, ...(total === undefined ? {} : { total }) });

test("the positions of a record know what every box holds", () => {
  const lines = [
    line("roll", "51123 2 all", 0), line("move", "keep 11"), line("roll", "41112 1 all", 0), line("move", "ones"),
    line("roll", "23456 2 straight,chance", 3), line("move", "straight"), line("roll", "66665 2 chance", 33),
  ];
  const positions = replay(/** @type {any} */ (sheet), BOARD, lines);
  assert.deepEqual(positions.map(({ points }) => points), [{}, {}, { ones: 3 }, { ones: 3, straight: 30 }]);
  assert.deepEqual(positions.map(({ total }) => total), [0, 0, 3, 33]);
  assert.deepEqual(positions[0].dice, [5, 1, 1, 2, 3]);
});

test("a record without totals is read as far as it says", () => {
  const lines = [line("roll", "11123 2 all"), line("move", "ones"), line("roll", "23456 2 straight,chance")];
  assert.deepEqual(replay(/** @type {any} */ (sheet), BOARD, lines)[1].points, { ones: null });
});

test("both sheets of a duel are known", () => {
  const lines = [
    line("roll", "11123 0 all vs all lead 0"), line("move", "ones"), line("roll", "23456 2 all vs straight,chance lead -3"),
    line("move", "keep 2345"), line("roll", "23455 1 all vs straight,chance lead -3"), line("move", "straight"),
    line("roll", "66665 2 straight,chance vs ones,chance lead 3"),
  ];
  const positions = replay(duelSheet, BOARD, lines, 1);
  const last = /** @type {any} */ (positions.at(-1));
  assert.deepEqual([last.mover, last.me, last.total, last.other.total], [0, 1, 3, 0]);
  assert.deepEqual([last.points, last.other.points], [{ ones: 3 }, { straight: 0 }]);
});

test("slots know their dice, words their rolls", () => {
  const board = /** @type {any} */ ({ kind: "slots", target: 9, faces: 6, start: "all 0", slots: [{ name: "a", scores: [1, 2, 3, 4, 5, 6] }, { name: "b", scores: [6, 5, 4, 3, 2, 1] }] });
  const placed = replay(/** @type {any} */ (slots), board, [line("roll", "all 0 6"), line("move", "a"), line("roll", "b 6 2")]);
  assert.deepEqual(placed.map((position) => position.placed), [{}, { a: 6 }]);
  const dice = /** @type {any} */ ({ kind: "words", dice: ["AB", "CD"], words: ["AC"], word_count: 1, start: "**" });
  const rolled = replay(/** @type {any} */ (words), dice, [line("roll", "AD"), line("move", "A*"), line("roll", "AC")]);
  assert.deepEqual(rolled.map(({ rolls }) => rolls), [0, 1]);
});
