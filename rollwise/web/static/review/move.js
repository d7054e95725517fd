/**
 * A move of a game that was played: the position, what was played, what was best, and why.
 *
 * @import { Advice } from "../../types.js"
 * @import { Course, Moment } from "./line.js"
 * @import { Played } from "../lessons/board.js"
 */

import { writeLink } from "../app/address.js";
import { button, el, setText } from "../app/dom.js";
import { makeBoard } from "../lessons/board.js";
import { moveRow } from "../lessons/move-text.js";
import { lossText, writersFor } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/**
 * Make the place for a move. `go(by)` goes to another one, `jump(by)` to the next mistake.
 *
 * @param {Played} played
 * @param {Course} course
 * @param {any[]} positions
 * @param {{ advise: (state: string) => Promise<Advice>, go: (by: number) => void, jump: (by: number) => void, has: (by: number) => boolean,
 *   fail: (error: Error) => void }} how
 */
export function makeStep(played, course, positions, { advise, go, jump, has, fail }) {
  const { asked, kind, board: table } = played;
  const title = el("h3", { tabindex: -1, test: "step-title" });
  const luck = el("p", { class: "hint", test: "step-luck" });
  const rows = el("ul", { class: "task-reasons", test: "step-moves" });
  const from = el("a", { class: "action", text: t("after.from-here"), test: "step-on" });
  /** The board, made when it is first looked at. @type {ReturnType<typeof makeBoard> | null} */
  let board = null;
  const [back, on] = [[-1, "after.before"], [1, "after.next"]].map(([by, key]) => button(t(String(key)), () => go(Number(by)), { test: by === 1 ? "step-next" : "step-before" }));
  const [last, next] = [[-1, "after.last-error"], [1, "after.next-error"]].map(([by, key]) => button(t(String(key)), () => jump(Number(by)), { test: by === 1 ? "error-next" : "error-before" }));
  const say = el("div", { class: "task-say" }, title, el("div", { class: "row" }, back, on), el("div", { class: "row" }, last, next), luck, rows, from);
  const node = el("section", { class: "task step", test: "step", "aria-label": t("after.step"), hidden: true }, say);
  let current = 0;

  /** Show move number i, from 1 on. @param {number} i */
  async function show(i) {
    current = i;
    const moment = course.moments[i - 1];
    const position = positions[i - 1];
    node.hidden = false;
    node.classList.add("stale");
    setText(title, headOf(played, i, course.moments.length, moment));
    setText(luck, luckOf(played, moment));
    back.disabled = i === 1;
    on.disabled = i === course.moments.length;
    last.disabled = !has(-1);
    next.disabled = !has(1);
    from.hidden = moment.step.move === null || position === undefined;
    if (position !== undefined) from.href = writeLink({ asked, fields: kind.write(table, position) }).fragment;
    try {
      const advice = await advise(moment.step.roll);
      if (current === i) fill(moment, position, advice);
    } catch (error) {
      if (current === i) fail(/** @type {Error} */ (error));
    }
  }

  /** @type {(moment: Moment, position: any, advice: Advice) => void} */
  function fill({ step }, position, advice) {
    node.classList.remove("stale");
    if (!board) node.append((board = makeBoard(played)).node);
    board.node.hidden = position === undefined || !advice.moves.length;
    if (step.move === null || !advice.moves.length) {
      rows.replaceChildren(el("li", { text: t(advice.over ? "after.end" : "after.to-move") }));
      return;
    }
    const seen = kind.withShown ? kind.withShown(position, advice.position) : position;
    board.show({ position: seen, advice, selected: step.move, best: advice.moves[0].action });
    const made = advice.moves.find(({ action }) => action === step.move);
    const best = advice.moves[0];
    const label = (/** @type {string} */ key) => t(`after.row.${key}`);
    const said = made && made !== best ? [moveRow(played, { label: label("played"), move: made })] : [];
    rows.replaceChildren(...said, moveRow(played, { label: label(said.length ? "best" : "played"), move: best, plain: said.length > 0 }));
  }
  return { node, show, focus: () => title.focus({ preventScroll: true }) };
}

/** @type {(played: Played, i: number, count: number, moment: Moment) => string} */
export const headOf = ({ kind }, i, count, { step }) => t("after.move-of", { n: i, of: count, position: kind.brief(step.roll, step.words) });

/** What the roll before a move gave. @type {(played: Played, moment: Moment) => string} */
function luckOf({ valueName }, { luck, rolled }) {
  const sign = luck < 0 ? "−" : "+";
  return t("after.roll-gave", { luck: `${sign}${lossText(writersFor(valueName), Math.abs(luck))}`, value: lossText(writersFor(valueName), rolled) });
}
