/**
 * After a game: the line of what was to be expected, every move of it to look at, and the mistakes to learn from.
 *
 * A game is what was asked for, the lines of its record, and its grade; it may have ended or not. Of several players, each has a game.
 *
 * @import { Asked, Graded, Kind, Line, Result } from "../../types.js"
 * @import { Played } from "../lessons/board.js"
 * @typedef {{ asked: Asked, kind: Kind<any, any>, board: any, outcome: Result }} Solved
 * @typedef {{ lines: Line[], grade: Graded, rival?: string | null, side?: number }} Game
 *   `rival`: who played the other side, null for a person; `side`: which player is looked at, 0 or 1
 */

import { button, el, segmented } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { makeLessons } from "../lessons/mistakes.js";
import { makeAsker } from "../lessons/requests.js";
import { isLoss, lossOfClass, lossText, signedTenths, tenths, tenthsPercent, writersFor } from "../texts/numbers.js";
import { capital, t } from "../texts/texts.js";
import { makeLine, errorFrom } from "./line-chart.js";
import { costlyOf, errorsOf, followGame, sumUp } from "./line.js";
import { headOf, makeStep } from "./move.js";
import { replay } from "./replay.js";

/** Make what is seen after a game. @param {Solved} solved @param {Game} game @param {(error: Error) => void} fail */
export function makeAfter(solved, { lines, grade, rival = null, side: first = 0 }, fail) {
  const { kind, board, outcome } = solved;
  const played = { ...solved, write: writersFor(outcome.value_name, outcome), valueName: outcome.value_name, severities: grade.severities, rival };
  const positions = replay(kind, board, lines, first);
  const ask = makeAsker(solved.asked);
  const place = el("div", { class: "after-place" });
  const sides = outcome.two_players && !rival ? segmented(t("after.seen-by"), [[0, t("bar.first"), "side-0"], [1, t("bar.second"), "side-1"]], look) : null;
  const node = el("section", { class: "after", test: "after", "aria-label": t("after.title") }, sides?.node, place);

  /** @param {number} side */
  function look(side) {
    sides?.set(side);
    place.replaceChildren(...makeSide(played, { outcome, positions, grade, side, advise: ask.advise, fail }));
  }
  look(first);
  return { node };
}

/**
 * A game as one player sees it.
 *
 * @param {Played} played
 * @param {{ outcome: Result, positions: any[], grade: Graded, side: number, advise: ReturnType<typeof makeAsker>["advise"], fail: (error: Error) => void }} given
 */
function makeSide(played, { outcome, positions, grade, side, advise, fail }) {
  const seen = { lower: outcome.better === "lower", share: outcome.share, side, rolls: outcome.value_name === "expected rolls" };
  const course = followGame(grade, seen);
  const sentence = el("p", { class: "summed", test: "summed", text: sumUp(grade, seen) });
  if (!course || !course.moments.length) return [sentence];
  const mistakes = errorsOf(grade, side).map(({ step, at }) => ({ step, at, position: positions[at] }));
  const count = course.moments.length;
  let chosen = 0;

  const line = makeLine({
    course, share: outcome.share, label: t("after.line"), select,
    average: outcome.share ? t("after.at-first", { value: tenthsPercent(course.start) }) : t("after.average", { value: tenths(course.start) }),
    describe: (i) => (i ? describe(i) : t("after.choose-move")),
  });
  const step = makeStep(played, course, positions, {
    advise, fail,
    go: (by) => select(Math.max(1, Math.min(count, chosen + by))),
    jump: (by) => select(errorFrom(course.moments, chosen, by) ?? chosen),
    has: (by) => errorFrom(course.moments, chosen, by) !== null,
  });
  const learn = button(t("after.learn-n", { n: mistakes.length }), lessons, { class: "main", test: "learn", hidden: !mistakes.length });
  const none = el("p", { class: "hint", test: "no-mistakes", text: t(costlyOf(grade, side).length ? "after.small-only" : "after.all-best"), hidden: mistakes.length > 0 });
  const list = makeList(played, costlyOf(grade, side), (i) => {
    select(i);
    step.node.scrollIntoView({ block: "nearest" });
    step.focus();
  });
  const hint = el("p", { class: "hint", text: t("after.choose-move") });
  const review = el("div", { class: "review" }, line.node, makeLegend(course, outcome.share), hint, step.node, list);
  const lesson = el("div", { hidden: true });

  /** @param {number} i */
  function select(i) {
    chosen = i;
    hint.hidden = true;
    line.mark(i);
    void step.show(i);
  }

  /** @param {number} i */
  function describe(i) {
    const { step: { move, loss } } = /** @type {NonNullable<typeof course>} */ (course).moments[i - 1];
    const cost = isLoss(loss ?? 0) ? t("after.costs", { loss: lossOfClass(played, loss ?? 0) }) : t("after.best");
    const name = move === null ? t(grade.over ? "after.end" : "after.to-move") : `${capital(played.kind.moveName(move))}, ${cost}`;
    return `${headOf(played, i, count, /** @type {NonNullable<typeof course>} */ (course).moments[i - 1])}: ${name}`;
  }

  function lessons() {
    const made = makeLessons(played, mistakes, { advise, fail, leave });
    lesson.replaceChildren(made.node);
    turn(true);
    made.focus();
    lesson.scrollIntoView({ block: "nearest" });
  }

  /** @param {boolean} learning */
  function turn(learning) {
    lesson.hidden = !learning;
    review.hidden = learn.hidden = learning;
  }

  function leave() {
    turn(false);
    lesson.replaceChildren();
    learn.focus();
  }
  return [sentence, none, learn, lesson, review];
}

/**
 * What the areas mean, and how much each is in all.
 *
 * @param {import("./line.js").Course} course
 * @param {boolean} share
 */
function makeLegend(course, share) {
  const signed = (/** @type {number} */ value) => `${signedTenths(share ? 100 * value : value)}${share ? " %" : ""}`;
  const rows = [["value", t("after.legend.value"), ""], ["luck", t("after.legend.dice"), signed(course.luck)], ["cost", t("after.legend.decisions"), signed(course.own + course.other)]];
  return el("ul", { class: "legend" }, ...rows.map(([name, text, sum]) => el("li", {}, el("span", { class: `swatch ${name}`, "aria-hidden": "true" }), `${text} `, el("b", { text: sum }))));
}

/**
 * The moves that cost something, each with a way to look at it.
 *
 * @param {Played} played
 * @param {ReturnType<typeof costlyOf>} costly
 * @param {(i: number) => void} look
 */
function makeList(played, costly, look) {
  if (!costly.length) return null;
  const head = el("tr", {}, ...["position", "played", "best", "cost"].map((name) => el("th", { scope: "col", text: t(`after.column.${name}`) })));
  const body = el("tbody", {}, ...costly.map(({ step, at }) => makeRow(played, step, () => look(at + 1))));
  const table = el("table", { class: "steps" }, el("caption", { text: t("after.costly") }), el("thead", {}, head), body);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("after.costly") }, table);
}

/** @type {(played: Played, step: import("../../types.js").Step, look: () => void) => HTMLElement} */
function makeRow({ kind, write }, { roll, words, move, best, loss, severity }, look) {
  const name = (/** @type {string | null} */ action) => {
    const cell = el("td");
    if (action !== null) setDrawn(cell, kind, capital(kind.moveName(action)), action);
    return cell;
  };
  const position = kind.brief(roll, words);
  const open = button(position, look, { class: "quiet look", title: roll, "aria-label": `${t("after.look")} ${position}` });
  return el("tr", { class: severity ?? "" }, el("td", {}, open), name(move), name(best), el("td", { text: lossText(write, loss ?? 0) }));
}
