/**
 * After a game: the line of what was to be expected, every move of it to look at, and the mistakes to learn from.
 *
 * A game is what it was asked for and the lines of its record; `makeAfter` needs it graded, `showAfter` solves and grades it first.
 *
 * @import { Asked, Graded, Kind, Line, Page, Result } from "../types.js"
 * @import { Played } from "./learn-board.js"
 * @typedef {{ asked: Asked, lines: Line[], title?: string, side?: number }} Game `side`: by which player it is seen, 0 or 1
 * @typedef {{ asked: Asked, kind: Kind<any, any>, board: any, outcome: Result }} Solved
 */

import { makeLine, errorFrom } from "./after-chart.js";
import { costlyOf, errorsOf, followGame, sumUp } from "./after-line.js";
import { replay } from "./after-replay.js";
import { headOf, makeStep } from "./after-step.js";
import { button, el, segmented } from "./dom.js";
import { isLoss, signedTenths, tenths, tenthsPercent, writersFor } from "./format.js";
import { makeAsker } from "./learn-ask.js";
import { makeLessons } from "./learn.js";
import { lossText } from "./learn-words.js";
import { setDrawn } from "./small.js";
import { t } from "./text.js";

/**
 * Make what is seen after a game.
 *
 * @param {Solved} solved
 * @param {Game} game
 * @param {Graded} grade
 * @param {(error: Error) => void} fail
 */
export function makeAfter(solved, game, grade, fail) {
  const { kind, board, outcome } = solved;
  const played = { ...solved, write: writersFor(outcome.value_name), valueName: outcome.value_name };
  const positions = replay(kind, board, game.lines);
  const ask = makeAsker(solved.asked);
  const place = el("div", { class: "after-place" });
  const sides = outcome.two_players ? segmented(t("after.seen-by"), [[0, t("after.first"), "side-0"], [1, t("after.second"), "side-1"]], look) : null;
  const node = el("section", { class: "after", test: "after", "aria-label": t("after.title") }, sides?.node, place);

  /** @param {number} side */
  function look(side) {
    sides?.set(side);
    place.replaceChildren(...makeSide(played, { outcome, positions, grade, side, advise: ask.advise, fail }));
  }
  look(game.side ?? 0);
  return { node };
}

/**
 * A game as one player sees it.
 *
 * @param {Played} played
 * @param {{ outcome: Result, positions: any[], grade: Graded, side: number, advise: ReturnType<typeof makeAsker>["advise"], fail: (error: Error) => void }} given
 */
function makeSide(played, { outcome, positions, grade, side, advise, fail }) {
  const seen = { lower: outcome.better === "lower", share: outcome.share, side };
  const course = followGame(grade, seen);
  const sentence = el("p", { class: "summed", test: "summed", text: sumUp(grade, seen) });
  if (!course || !course.moments.length) return [sentence];
  const mistakes = errorsOf(grade, side).map(({ step, at }) => ({ step, at, position: positions[at] }));
  const count = course.moments.length;
  let chosen = 0;

  const line = makeLine({
    course, share: outcome.share, label: t("after.line"), select,
    average: t("after.average", { value: outcome.share ? tenthsPercent(course.start) : tenths(course.start) }),
    told: (i) => (i ? tell(i) : t("after.choose-move")),
  });
  const step = makeStep(played, course, positions, {
    advise, fail,
    go: (by) => select(Math.max(1, Math.min(count, chosen + by))),
    jump: (by) => select(errorFrom(course.moments, chosen, by) ?? chosen),
    has: (by) => errorFrom(course.moments, chosen, by) !== null,
  });
  const learn = button(t("after.learn-n", { n: mistakes.length }), lessons, { class: "main", test: "learn", hidden: !mistakes.length });
  const none = el("p", { class: "hint", test: "no-mistakes", text: t(isLoss(grade.mistakes) ? "after.small-only" : "after.all-best"), hidden: mistakes.length > 0 });
  const list = makeList(played, grade, (i) => {
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
  function tell(i) {
    const { step: { move, loss } } = /** @type {NonNullable<typeof course>} */ (course).moments[i - 1];
    const cost = isLoss(loss ?? 0) ? t("after.costs", { loss: lossText(played.write, loss ?? 0) }) : t("after.best");
    const name = move === null ? t("after.end") : `${played.kind.moveName(move)}, ${cost}`;
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
 * @param {import("./after-line.js").Course} course
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
 * @param {Graded} grade
 * @param {(i: number) => void} look
 */
function makeList(played, grade, look) {
  const costly = costlyOf(grade);
  if (!costly.length) return null;
  const head = el("tr", {}, ...["position", "played", "best", "cost"].map((name) => el("th", { scope: "col", text: t(`after.column.${name}`) })));
  const body = el("tbody", {}, ...costly.map(({ step, at }) => makeRow(played, step, () => look(at + 1))));
  const table = el("table", { class: "steps" }, el("caption", { text: t("after.costly") }), el("thead", {}, head), body);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("after.costly") }, table);
}

/** @type {(played: Played, step: import("../types.js").Step, look: () => void) => HTMLElement} */
function makeRow({ kind, write }, { roll, move, best, loss, severity }, look) {
  const name = (/** @type {string | null} */ action) => {
    const cell = el("td");
    setDrawn(cell, action === null ? "" : kind.moveName(action), kind);
    return cell;
  };
  const open = button(kind.brief(roll), look, { class: "quiet look", title: roll, "aria-label": `${t("after.look")} ${kind.brief(roll)}` });
  return el("tr", { class: severity ?? "" }, el("td", {}, open), name(move), name(best), el("td", { text: write.loss(loss ?? 0) }));
}

/**
 * Show a game that was played, or is being played, on a page of its own: solve it, grade it, and look at it.
 *
 * @param {Page} page
 * @param {Game} game
 */
export async function showAfter(page, game) {
  const signal = page.leave();
  const { asked, title = t("after.title") } = game;
  try {
    const [{ solveGame }, { loadKind }] = await Promise.all([import("./solving.js"), import("./kinds.js")]);
    const show = (/** @type {HTMLElement} */ node) => void (signal.aborted || page.show(node, title));
    const job = await solveGame(asked, { title, signal, cancel: page.home, show });
    if (!job || signal.aborted) return;
    const kind = await loadKind(job.board.kind);
    const lines = game.lines.map((line) => kind.sent?.(job.board, line) ?? line);
    const grade = await makeAsker(asked).grade(lines, signal);
    if (signal.aborted) return;
    const made = makeAfter({ asked, kind, board: job.board, outcome: /** @type {Result} */ (job.result) }, game, grade, page.fail);
    page.show(el("div", { class: "panel after-page" }, el("h1", { text: t("after.of", { title: job.title || title }) }), made.node), title);
    document.getElementById("view")?.focus({ preventScroll: true });
  } catch (error) {
    if (!signal.aborted) page.fail(/** @type {Error} */ (error));
  }
}
