/**
 * Learn from your mistakes: the positions of a game in which you erred, one after another, to be played better.
 *
 * @import { Advice, Step } from "../../types.js"
 * @import { Played } from "./board.js"
 * @typedef {{ step: Step, at: number, position: any }} Mistake
 */

import { button, el } from "../app/dom.js";
import { lossOfClass } from "../texts/numbers.js";
import { playedText } from "../texts/played.js";
import { t } from "../texts/texts.js";
import { fillPlace, makeTask } from "./task.js";

/**
 * Make the lesson. `leave` goes back to the game.
 *
 * @param {Played} played
 * @param {Mistake[]} mistakes
 * @param {{ advise: (state: string) => Promise<Advice>, leave: () => void, fail: (error: Error) => void }} how
 */
export function makeLessons(played, mistakes, { advise, leave, fail }) {
  const title = el("h3", { tabindex: -1, test: "lesson-title" });
  const place = el("div", { class: "lesson-place" });
  const back = button(t("after.back"), leave, { class: "quiet", test: "lesson-back" });
  const node = el("section", { class: "lesson", test: "lesson", "aria-label": t("after.learn") }, el("div", { class: "row spread" }, title, back), place);
  let right = 0;

  /** @param {number} i */
  function put(i) {
    if (i === mistakes.length) return sum();
    const { step, position } = mistakes[i];
    title.textContent = t("after.lesson", { n: i + 1, of: mistakes.length });
    title.focus({ preventScroll: true });
    const show = (/** @type {Advice} */ advice) => place.replaceChildren(lesson(i, step, position, advice));
    return fillPlace(place, () => advise(step.roll), show, { fail, test: "lesson-retry" });
  }

  /** @type {(i: number, step: Step, position: any, advice: Advice) => HTMLElement} */
  function lesson(i, step, position, advice) {
    const { kind } = played;
    const move = step.move ?? "";
    const prompt = t("after.prompt", { done: playedText(played, move), loss: lossOfClass(played, step.loss ?? 0) });
    const seen = kind.withShown ? kind.withShown(position, advice.position) : position;
    const task = makeTask(played, { position: seen, advice, prompt, mentioned: [{ label: t("after.row.played"), action: move, note: t("after.note.played") }] }, {
      answered: (answer) => { right += Number(answer.right); },
      next: () => void put(i + 1),
      nextLabel: t(i + 1 < mistakes.length ? "after.next-error" : "after.finish"),
    });
    return task.node;
  }

  function sum() {
    title.textContent = t("after.learnt");
    const text = el("p", { test: "lesson-sum", text: t("after.learnt-sum", { n: mistakes.length, right }) });
    const again = button(t("after.learn-again"), () => { right = 0; void put(0); }, { test: "lesson-again" });
    const done = button(t("after.back"), leave, { class: "main", test: "lesson-done" });
    place.replaceChildren(text, el("div", { class: "row" }, again, done));
    title.focus({ preventScroll: true });
  }
  void put(0);
  return { node, focus: () => title.focus({ preventScroll: true }) };
}
