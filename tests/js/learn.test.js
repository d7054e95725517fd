/** Learning from saved games: the rating as the command line has it, when positions are asked again, what is kept and what is damaged. */

import "./page.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

const { fit, measure, studentT, tally } = await import("../../rollwise/web/static/learn/rating.js");
const { addDays, isDue, isOpen, newDrill, noteAnswer } = await import("../../rollwise/web/static/learn/schedule.js");
const { dueItems, groupGames, keepDrill, keepGraded, listGraded, makeGraded, openItems, readGraded } = await import("../../rollwise/web/static/learn/graded.js");
const { takeAway } = await import("../../rollwise/web/static/saved/games.js");

/** @type {any[]} */
const CASES = JSON.parse(readFileSync(new URL("../data/rated_games.json", import.meta.url), "utf8"));

/** @param {number | null} found @param {number | null} wanted */
const near = (found, wanted) => (wanted === null || found === null ? assert.equal(found, wanted) : assert.ok(Math.abs(found - wanted) < 1e-9 * Math.max(1, Math.abs(wanted)), `${found}, not ${wanted}`));

for (const { about, games, rating, rated, standard_error: error, trend, kinds } of CASES) {
  test(`rated as the command line does: ${about}`, () => {
    const found = measure(games.map((/** @type {any} */ { over, decisions }) => ({ over, kinds: tally(decisions) })));
    near(found.rating, rating);
    near(found.standardError, error);
    assert.equal(found.decisions, rated);
    assert.equal(found.trend === null, trend === null);
    if (found.trend) [found.trend.slope, found.trend.low, found.trend.high].forEach((number, i) => near(number, trend[i]));
    assert.deepEqual(found.kinds.map(({ name, decisions, leak }) => [name, decisions, leak]), kinds.map((/** @type {any} */ [name, decisions, , leak]) => [name, decisions, leak]));
    found.kinds.forEach(({ loss }, i) => near(loss, kinds[i][2]));
  });
}

test("Student's t by its table", () => {
  const table = { 1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 9: 2.2622, 10: 2.2281, 30: 2.0423, 200: 1.9719 };
  for (const [degrees, wanted] of Object.entries(table)) assert.ok(Math.abs(studentT(Number(degrees)) - wanted) < 1e-4, degrees);
  assert.equal(fit([1, 2]), null);
});

test("a position comes after 1, 3, 7, 14 and 30 days, until it was right twice in a row", () => {
  let drill = newDrill(new Date(2026, 1, 27, 23, 59).getTime());
  assert.deepEqual(drill, { due: "2026-02-28", tries: 0, right: 0 });
  assert.deepEqual([isDue(drill, "2026-02-27"), isDue(drill, "2026-02-28")], [false, true]);
  const days = [];
  for (let i = 0; i < 6; i += 1) {
    const today = drill.due;
    drill = noteAnswer(drill, i % 2 === 1, today);
    days.push([3, 7, 14, 30].find((delay) => addDays(today, delay) === drill.due));
    assert.ok(isOpen(drill));
  }
  assert.deepEqual(days, [3, 7, 14, 30, 30, 30]);
  assert.equal(isOpen(noteAnswer(drill, true, drill.due)), false);
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
});

/** @param {string | null} decision @param {number | null} loss @param {object} [more] @returns {any} */
const step = (decision, loss, more = {}) => ({ roll: `11${loss}`, move: "ones", best: "twos", decision, loss, obvious: !loss, mover: 0, ...more });
/** @param {any[]} steps @returns {any} */
const graded = (steps) => ({ steps, over: true, severities: { inaccuracy: 0.5, mistake: 1, blunder: 3 } });
/** @param {string} id @param {number} when @param {any[]} steps @returns {any} */
const kept = (id, when, steps, game = "yazy") =>
  makeGraded(graded(steps), 0, { id, when, coach: false, asked: { game, file: null, parameters: {}, objective: null }, title: "Yazy", more: "", board: "sheet", valueName: "expected total" });

beforeEach(() => {
  /** @type {any} */
  const held = {};
  const functions = { getItem: (/** @type {string} */ name) => held[name] ?? null, setItem: (/** @type {string} */ name, /** @type {string} */ text) => void (held[name] = text), removeItem: (/** @type {string} */ name) => void delete held[name] };
  for (const [name, value] of Object.entries(functions)) Object.defineProperty(held, name, { value });
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: held });
});

const NOON = new Date(2026, 10, 16, 12).getTime();

test("only own decisions with a choice count, and only what is wrong is asked", () => {
  const game = kept("a", NOON, [step("which", 0.2), step("which", 2), step("which", 0), step(null, null), step("which", 5, { mover: 1 })]);
  assert.deepEqual(game.kinds, { which: [3, 2, 2.2] });
  assert.deepEqual(game.slips.map((/** @type {any} */ { loss }) => loss), [2, 0.2]);
  assert.deepEqual([openItems([game], "close").length, openItems([game], "best").length], [1, 2]);
  assert.deepEqual([dueItems([game], "close", "2026-11-16").length, dueItems([game], "close", "2026-11-17").length], [0, 1]);
  assert.equal(kept("b", NOON, [step("which", /** @type {any} */ ("impossible"))]), null, "what has no number is not rated");
});

test("an answer is kept, and goes with its game", () => {
  keepGraded(kept("a", NOON, [step("which", 2)]));
  const [item] = dueItems(listGraded(), "close", "2026-11-17");
  keepDrill(item, noteAnswer(item.slip.drill, true, "2026-11-17"));
  assert.deepEqual(readGraded("a")?.slips[0].drill, { due: "2026-11-20", tries: 1, right: 1 });
  const back = takeAway("a");
  assert.deepEqual(listGraded(), []);
  keepDrill(item, noteAnswer(item.slip.drill, true, "2026-11-20"));
  assert.deepEqual(listGraded(), [], "an answer does not bring a deleted game back");
  back();
  assert.equal(listGraded().length, 1);
});

test("what is damaged is left out without the others, and a game with many errors takes little room", () => {
  keepGraded(kept("a", NOON, Array.from({ length: 1000 }, (_, i) => step("which", i))));
  keepGraded(kept("b", NOON - 1, [step("which", 2)]));
  localStorage.setItem("rollwise.graded.c", "{");
  for (const change of [{ kinds: null }, { kinds: { which: [1] } }, { slips: [{}] }, { slips: 3 }, { asked: null }, { version: 9 }, { when: null }, { severities: null }]) {
    localStorage.setItem(`rollwise.graded.${Object.keys(change)}`, JSON.stringify({ ...readGraded("b"), ...change }));
  }
  assert.deepEqual(listGraded().map(({ id }) => id), ["b", "a"]);
  assert.ok(String(localStorage.getItem("rollwise.graded.a")).length < 8000);
  assert.equal(readGraded("a")?.kinds.which[2], 499500, "sums are of all decisions");
});

test("ratings are by rules and aim", () => {
  const games = [kept("a", 1, [step("which", 2)]), kept("b", 2, [step("which", 2)], "yatzy"), kept("c", 3, [step("which", 2)], "yatzy")];
  assert.deepEqual(groupGames(games).map((group) => group.map(({ id }) => id)), [["b", "c"], ["a"]]);
});
