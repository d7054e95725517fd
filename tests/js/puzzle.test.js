/** Puzzles of the day are the same for everybody and differ from day to day; the score counts first answers, and days in a row. */

import { chooseDaily, chooseSet, countDays, DAILY, dayBefore, dayOf, planDay, POOL } from "../../rollwise/web/static/puzzles/daily.js";
import { count, countDaily, daysInARow, keepScore, noScore, readScore } from "../../rollwise/web/static/puzzles/score.js";
import assert from "node:assert/strict";
import { test } from "node:test";

test("a day is the player's own", () => {
  assert.equal(dayOf(new Date(2026, 10, 6, 23, 59)), "2026-11-06");
  assert.equal(countDays("1970-01-03"), 2);
  assert.equal(dayBefore("2026-03-01"), "2026-02-28");
  for (const none of ["", "today", "2026-13-01", "2026-1-1", "1969-12-31"]) assert.equal(countDays(none), null);
});

test("games take turns, and a seed lasts until its puzzles are used up", () => {
  const first = countDays("2026-11-16") ?? 0;
  const days = Array.from({ length: 400 }, (_, i) => new Date((first + i) * 86_400_000).toISOString().slice(0, 10));
  const plans = days.map((day) => /** @type {any} */ (planDay(day, DAILY)));
  assert.deepEqual(new Set(plans.slice(0, 4).map(({ game }) => game)), new Set(DAILY));
  const pool = Array.from({ length: POOL }, (_, i) => i);
  const seen = new Set();
  for (const { game, seed, place } of plans) {
    const chosen = chooseDaily(pool, place);
    assert.deepEqual(chosen.map((number) => Math.floor(number / 20)), [0, 1, 2]);
    for (const number of chosen) {
      assert.ok(!seen.has(`${game} ${seed} ${number}`), "no puzzle comes twice");
      seen.add(`${game} ${seed} ${number}`);
    }
  }
});

test("what a game does not have is no puzzle, and what there is not is no day", () => {
  assert.deepEqual(chooseDaily(["a", "b"], 5), ["a", "b"]);
  assert.deepEqual(chooseDaily(["a", "b", "c", "d"], 5), ["a", "b", "c"]);
  assert.deepEqual(chooseDaily([], 5), []);
  assert.equal(planDay("2026-11-16", ["pig"]), null);
  assert.equal(planDay("someday", DAILY), null);
  assert.equal(planDay("2026-11-16", ["yatzy", "pig"])?.game, "yatzy");
});

test("a set is what a server sends, or some of a table's, by the seed", () => {
  const pool = Array.from({ length: 30 }, (_, i) => i);
  assert.deepEqual(chooseSet(pool.slice(0, 4), 9, 10), [0, 1, 2, 3]);
  assert.deepEqual(chooseSet([], 9, 10), []);
  const sets = [1, 2, 2 ** 31 - 1].map((seed) => chooseSet(pool, seed, 10));
  for (const set of sets) {
    assert.equal(new Set(set).size, 10);
    assert.deepEqual(set, [...set].sort((a, b) => a - b));
  }
  assert.notDeepEqual(sets[0], sets[1]);
});

test("right answers in a row are counted, and the longest run", () => {
  const { tried, right, run, best } = [true, true, false, true].reduce(count, noScore());
  assert.deepEqual({ tried, right, run, best }, { tried: 4, right: 3, run: 1, best: 2 });
});

/** @type {(score: any, day: string, answers?: boolean[]) => any} */
const solve = (score, day, answers = [true, false, true]) => answers.reduce((now, right) => countDaily(now, day, right, 3), score);

test("days in a row are those on which all of the day's puzzles were answered", () => {
  let score = solve(noScore(), "2026-11-14");
  score = solve(score, "2026-11-15");
  assert.equal(daysInARow(score, "2026-11-15"), 2);
  assert.equal(daysInARow(score, "2026-11-16"), 2, "today is not over");
  assert.equal(daysInARow(score, "2026-11-17"), 0);
  assert.equal(daysInARow(solve(score, "2026-11-16", [true, true]), "2026-11-16"), 2, "two of three");
  assert.equal(daysInARow(solve(score, "2026-11-18"), "2026-11-18"), 1, "a day was left out");
  assert.equal(daysInARow(solve(score, "2026-11-10"), "2026-11-15"), 2, "an older day does not count");
});

test("answers of days are kept, not for ever", () => {
  const days = Array.from({ length: 70 }, (_, i) => new Date(i * 86_400_000).toISOString().slice(0, 10));
  const score = days.reduce((now, day) => solve(now, day), noScore());
  assert.equal(Object.keys(score.days).length, 60);
  assert.deepEqual(score.days["1970-03-11"], [true, false, true]);
  assert.equal(score.dayRun, 70);
});

/** @param {() => object} get */
const browserWith = (get) => Object.defineProperty(globalThis, "localStorage", { configurable: true, get });

test("a browser that keeps nothing, or something damaged, has no score", () => {
  browserWith(() => { throw new Error("shut"); });
  assert.equal(keepScore(noScore()), false);
  assert.deepEqual(readScore(), noScore());
  for (const text of ["{", "3", '{"version": 99}']) {
    browserWith(() => ({ getItem: () => text }));
    assert.deepEqual(readScore(), noScore());
  }
  Reflect.deleteProperty(globalThis, "localStorage");
});
