/**
 * A set of puzzles, one after another, with the score.
 *
 * @import { Advice, Asked, Job, Kind, Result } from "../../types.js"
 * @import { PuzzleInfo } from "../../wire.js"
 */

import { writeLink } from "../app/address.js";
import { button, el, setText } from "../app/dom.js";
import { fillPlace, makeTask } from "../lessons/task.js";
import { shareResult } from "../review/share.js";
import { writersFor } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { dayOf, LEVELS } from "./daily.js";
import { count, countDaily, daysInARow, keepScore, readScore } from "./score.js";

/**
 * Make a set. `day`: whose puzzles they are, null for a set of one's own; those are counted as they are answered, a day's only once.
 *
 * @param {{ asked: Asked, kind: Kind<any, any>, job: Job, puzzles: PuzzleInfo[], severities: Record<string, number>, title: string, aim: string, day: string | null,
 *   advise: (state: string) => Promise<Advice>, fail: (error: Error) => void, another: () => void }} given
 */
export function makeRun({ asked, kind, job, puzzles, severities, title, aim, day, advise, fail, another }) {
  const outcome = /** @type {Result} */ (job.result);
  const played = { asked, kind, board: job.board, write: writersFor(outcome.value_name, outcome), valueName: outcome.value_name, severities };
  const head = el("h2", { class: "puzzle-head", tabindex: -1, test: "puzzle-head" });
  const marks = el("ol", { class: "puzzle-marks", "aria-label": t("puzzle.answers") });
  const score = el("p", { class: "hint", test: "puzzle-score", role: "status" });
  const place = el("div", { class: "puzzle-place" });
  const node = el(
    "div", { class: `panel puzzle${"standing" in job.board ? "" : " no-total"}`, test: "puzzle" },
    el("div", { class: "row spread" }, el("h1", { text: title }), el("a", { href: "#puzzles", text: t("puzzle.all"), test: "puzzle-all" })),
    aim && el("p", { class: "hint", text: t("puzzle.aim", { aim }) }),
    el("div", { class: "row spread" }, head, marks), place, score,
  );
  /** What was answered, right or wrong; a day's from before, too. @type {boolean[]} */
  const answers = day === null ? [] : [...(readScore().days[day] ?? [])].slice(0, puzzles.length);
  /** Whether a day's puzzles are looked at once more, without counting. */
  let repeated = false;
  let stopped = false;
  /** @type {ReturnType<typeof makeTask> | null} */
  let task = null;

  /** @param {number} i */
  function put(i) {
    task = null;
    if (i >= puzzles.length) return sum();
    announce(i);
    return fillPlace(place, () => advise(puzzles[i].state), (advice) => stopped || set(i, advice), { fail, test: "puzzle-retry" });
  }

  /** @param {number} i @param {Advice} advice */
  function set(i, advice) {
    const { state, tempting } = puzzles[i];
    const read = kind.read(job.board, { state });
    const position = kind.withShown ? kind.withShown(read, advice.position) : read;
    const mentioned = [{ label: t("after.row.tempting"), action: tempting, note: t("after.note.tempting") }];
    task = makeTask(played, { position, advice, prompt: t("home.title"), mentioned }, {
      answered: ({ right }) => note(i, right),
      next: () => {
        void put(i + 1);
        head.focus({ preventScroll: true });
      },
      nextLabel: t(i + 1 < puzzles.length ? "puzzle.next" : "after.finish"),
    });
    const on = el("a", { class: "quiet-link", text: t("after.from-here"), href: writeLink({ asked, fields: kind.write(job.board, position) }).fragment, test: "puzzle-on" });
    place.replaceChildren(task.node, on);
  }

  /** Count an answer. @param {number} i @param {boolean} right */
  function note(i, right) {
    answers[i] = right;
    if (!repeated) {
      const before = readScore();
      const after = day === null ? count(before, right) : countDaily(before, day, right, puzzles.length);
      if (!keepScore(after)) fail(new Error(t("puzzle.not-kept")));
    }
    announce(i);
  }

  /** @param {number} i */
  function announce(i) {
    const level = day === null ? "" : ` · ${t(`puzzle.${LEVELS[i] ?? "hard"}`)}`;
    setText(head, `${t("puzzle.number", { n: i + 1, of: puzzles.length })}${level}`);
    draw(i);
  }

  /** @param {number} now */
  function draw(now) {
    marks.replaceChildren(...puzzles.map((_, i) => {
      const what = answers[i] === undefined ? (i === now ? "now" : "open") : answers[i] ? "right" : "wrong";
      return el("li", { class: what }, el("span", { class: "unseen", text: t(`puzzle.mark.${what}`) }));
    }));
    const { right, tried, run } = readScore();
    setText(score, tried ? t("puzzle.score", { right, tried, run }) : "");
  }

  function sum() {
    const right = answers.filter(Boolean).length;
    setText(head, t("puzzle.sum", { right, n: puzzles.length }));
    draw(-1);
    const days = daysInARow(readScore(), dayOf());
    const run = day !== null && days ? el("p", { test: "puzzle-days", text: t("puzzle.days", { n: days }) }) : null;
    const copied = el("span", { class: "hint", role: "status" });
    const copy = button(t("puzzle.copy"), () => void share(copied), { test: "puzzle-copy" });
    const more = day === null ? button(t("puzzle.another"), another, { class: "main", test: "puzzle-another" }) : button(t("puzzle.repeat"), repeat, { test: "puzzle-repeat" });
    place.replaceChildren(...[run, el("div", { class: "row" }, more, day === null ? null : copy, copied)].filter((part) => part !== null));
    head.focus({ preventScroll: true });
  }

  function repeat() {
    repeated = true;
    answers.length = 0;
    void put(0);
  }

  /** Share the result as a line of squares, with a link to the same puzzles. @param {HTMLElement} status */
  async function share(status) {
    const text = `${title} · ${day} · ${answers.map((right) => (right ? "🟩" : "🟥")).join("")}`;
    const done = await shareResult({ text, url: `${location.href.replace(/#.*$/s, "")}#puzzles/day/${day}` });
    setText(status, done.copied ? t("puzzle.copied") : done.text);
  }

  void put(answers.length);
  return { node, get task() { return task; }, stop: () => void (stopped = true) };
}
