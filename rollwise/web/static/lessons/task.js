/**
 * A decision to find: choose a move on the board, see what it costs, try again, then the answer and the reason.
 *
 * @import { Advice, Move } from "../../types.js"
 * @import { Played } from "./board.js"
 * @typedef {{ position: any, advice: Advice, prompt: string, mentioned: { label: string, action: string, note: string }[] }} Task
 *   `mentioned`: moves that the answer mentions, too: what was played, what is tempting; `note` is said where one is tried
 * @typedef {{ action: string | null, loss: number | "impossible" | null, right: boolean }} Answer the first one; null: shown without
 */

import { button, el, setAttribute } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, lossOfClass } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { makeBoard } from "./board.js";
import { moveRow } from "./move-text.js";

/**
 * Make a task; `answered` hears of the first answer, `next` is what the button after it does, and `nextLabel` what it says.
 *
 * @param {Played} played
 * @param {Task} task
 * `enough` is the loss from which on a move is wrong: by default any.
 *
 * @param {{ answered: (answer: Answer) => void, next: () => void, nextLabel: string, enough?: number }} then
 */
export function makeTask(played, { position, advice, prompt, mentioned }, { answered, next, nextLabel, enough = 0 }) {
  const { kind } = played;
  const moves = new Map(advice.moves.map((move) => [move.action, move]));
  const best = advice.moves[0];
  /** @param {Move} move */
  const isRight = ({ loss }) => !isLoss(loss) || (loss !== "impossible" && loss < enough);
  const board = makeBoard(played, offer);
  const ask = el("p", { class: "task-ask" });
  const verdict = el("p", { class: "task-verdict", role: "status", test: "task-verdict" });
  const reasons = el("ul", { class: "task-reasons", test: "task-reasons", hidden: true });
  const check = button("", () => judge(), { class: "main", test: "task-check" });
  const reveal = button(t("after.show"), () => answer(null), { test: "task-show" });
  const go = button(nextLabel, next, { class: "main", test: "task-next", hidden: true });
  const say = el("div", { class: "task-say" }, verdict, reasons, el("div", { class: "row" }, check, reveal, go));
  const node = el("div", { class: "task to-find", test: "task" }, ask, board.node, say);
  /** What was tried, in order. @type {Move[]} */
  const tried = [];
  let done = false;

  /** @param {string | null} action */
  function offer(action) {
    setAttribute(check, "aria-disabled", action === null ? "true" : null);
    if (action === null) setDrawn(check, kind, t("table.choose"));
    else setDrawn(check, kind, t("after.check", { move: kind.moveName(action) }), action);
  }

  /** See what the chosen move is worth. */
  function judge() {
    if (done) return next();
    const move = board.selected === null ? undefined : moves.get(board.selected);
    if (!move) return setDrawn(verdict, kind, t("after.choose-first"));
    tried.push(move);
    if (tried.length === 1) answered({ action: move.action, loss: move.loss, right: isRight(move) });
    if (isRight(move)) return answer(move);
    verdict.className = "task-verdict wrong";
    const note = mentioned.find(({ action }) => action === move.action)?.note ?? "";
    const values = { move: kind.moveName(move.action), loss: lossOfClass(played, move.loss), note: note && ` ${note}` };
    return setDrawn(verdict, kind, t("after.wrong", values), move.action);
  }

  /** Show the answer, which `found` is, or which was not found. @param {Move | null} found */
  function answer(found) {
    if (done) return;
    done = true;
    if (!tried.length) answered({ action: null, loss: null, right: false });
    const shown = found ?? best;
    const isBest = !isLoss(shown.loss);
    board.show({ position, advice, selected: shown.action, best: isBest ? shown.action : best.action });
    verdict.className = found ? "task-verdict right" : "task-verdict";
    setDrawn(verdict, kind, t(!found ? "after.answer" : isBest ? "after.right" : "after.close", { move: kind.moveName(shown.action), loss: lossOfClass(played, shown.loss) }), shown.action);
    reasons.replaceChildren(...rows(shown));
    reasons.hidden = false;
    check.hidden = reveal.hidden = true;
    go.hidden = false;
    node.classList.remove("to-find");
    go.focus({ preventScroll: true });
    say.scrollIntoView({ block: "nearest" });
  }

  /** The moves that the answer speaks of, each once. @param {Move} shown */
  function rows(shown) {
    const said = [
      { label: t("after.row.best"), move: isLoss(shown.loss) ? best : shown, plain: true },
      ...tried.map((move) => ({ label: t("after.row.tried"), move })),
      ...mentioned.map(({ label, action }) => ({ label, move: moves.get(action) })),
    ];
    const seen = new Set();
    const once = said.filter(({ move }) => move && !seen.has(move.action) && seen.add(move.action));
    return once.map(({ move, ...more }) => moveRow(played, { ...more, move: /** @type {Move} */ (move) }));
  }

  setDrawn(ask, kind, prompt, ...mentioned.map(({ action }) => action));
  board.show({ position, advice, open: true });
  offer(null);
  return { node, board, judge };
}

/**
 * Ask for something that goes in a place; until it comes the place says so, and where it does not come there is a button to try again.
 *
 * @template Answer
 * @param {HTMLElement} place
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => void} show
 * @param {{ fail: (error: Error) => void, test: string }} how
 */
export async function fillPlace(place, ask, show, how) {
  place.replaceChildren(el("p", { class: "waiting", text: t("after.wait") }));
  try {
    show(await ask());
  } catch (error) {
    how.fail(/** @type {Error} */ (error));
    place.replaceChildren(button(t("page.try-again"), () => void fillPlace(place, ask, show, how), { test: how.test }));
  }
}
