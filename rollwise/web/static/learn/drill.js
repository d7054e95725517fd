/**
 * Positions of saved games in which something was lost, asked one after another, to be played better.
 *
 * @import { Advice, Asked, Job, Kind, LaidTable } from "../../types.js"
 * @import { GradedGame, Item, Strictness } from "./graded.js"
 */

import { packFile } from "../app/address.js";
import { button, el, setText } from "../app/dom.js";
import { solveGame } from "../app/solve-game.js";
import { loadKind } from "../boards/registry.js";
import { makeAsker } from "../lessons/requests.js";
import { fillPlace, makeTask } from "../lessons/task.js";
import { dayOf } from "../puzzles/daily.js";
import { lossOfClass, writersFor } from "../texts/numbers.js";
import { playedText } from "../texts/played.js";
import { t } from "../texts/texts.js";
import { keepDrill, wrongFrom } from "./graded.js";
import { isDue, isOpen, noteAnswer, writeDay } from "./schedule.js";

/** A game as it is asked about. @typedef {{ job: Job, kind: Kind<any, any>, advise: (state: string) => Promise<Advice> }} Asking */

/**
 * Ask positions; `leave` goes back. An answer counts where its position is due; others are practice.
 *
 * @param {Item[]} items
 * @param {{ title: string, strictness: Strictness, fail: (error: Error) => void, leave: () => void }} how
 */
export function makeDrills(items, { title, strictness, fail, leave }) {
  const head = el("h2", { tabindex: -1, test: "drill-head" });
  const place = el("div", { class: "lesson-place" });
  const note = el("p", { class: "hint", role: "status", test: "drill-note" });
  const skip = button(t("learn.skip"), () => void put(at + 1), { class: "quiet", test: "drill-skip" });
  const back = button(t("learn.back"), leave, { class: "quiet", test: "drill-back" });
  const node = el(
    "div", { class: "panel puzzle drill", test: "drill" }, el("h1", { text: title }), head, place, note, el("div", { class: "row" }, back, skip),
  );
  /** @type {Map<string, Promise<Asking>>} */
  const solved = new Map();
  let at = 0;
  let right = 0;
  let asked = 0;
  /** @type {ReturnType<typeof makeTask> | null} */
  let task = null;
  /** @type {Job | null} */
  let current = null;
  let stopped = false;

  /** Solve a game once; one that fails is tried again. @param {GradedGame} game */
  function open(game) {
    const key = JSON.stringify(game.asked);
    const found = solved.get(key) ?? prepare(game.asked);
    solved.set(key, found);
    found.catch(() => solved.delete(key));
    return found;
  }

  /** @param {number} i */
  function put(i) {
    at = i;
    task = null;
    setText(note, "");
    if (i >= items.length) return sum();
    const { game, slip } = items[i];
    setText(head, t("learn.position", { n: i + 1, of: items.length, title: game.title }));
    const ask = async () => {
      const asking = await open(game);
      return { asking, advice: await asking.advise(slip.state) };
    };
    return fillPlace(place, ask, (found) => stopped || at !== i || set(items[i], found), { fail, test: "drill-retry" });
  }

  /** @param {Item} item @param {{ asking: Asking, advice: Advice }} found */
  function set({ game, slip }, { asking: { job, kind }, advice }) {
    const { valueName, severities } = game;
    const played = { asked: game.asked, kind, board: job.board, write: writersFor(valueName), valueName, severities };
    const read = kind.read(job.board, { state: slip.state });
    const position = kind.withShown ? kind.withShown(read, advice.position) : read;
    const prompt = t("after.prompt", { done: playedText(played, slip.move), loss: lossOfClass(game, slip.loss) });
    const mentioned = [{ label: t("after.row.played"), action: slip.move, note: t("after.note.played") }];
    current = job;
    task = makeTask(played, { position, advice, prompt, mentioned }, {
      enough: wrongFrom(game, strictness),
      answered: (answer) => answered({ game, slip }, answer.right),
      next: () => void put(at + 1),
      nextLabel: t(at + 1 < items.length ? "learn.next-position" : "after.finish"),
    });
    place.replaceChildren(task.node);
    node.classList.toggle("no-total", !("standing" in job.board));
    head.focus({ preventScroll: true });
  }

  /** @param {Item} item @param {boolean} isRight */
  function answered(item, isRight) {
    const today = dayOf();
    asked += 1;
    right += Number(isRight);
    if (!isDue(item.slip.drill, today)) return setText(note, t("learn.practice"));
    const drill = noteAnswer(item.slip.drill, isRight, today);
    if (!keepDrill(item, drill)) fail(new Error(t("learn.not-kept")));
    setText(note, isOpen(drill) ? t("learn.again-on", { day: writeDay(drill.due) }) : t("learn.learnt"));
  }

  function sum() {
    setText(head, t("learn.done"));
    skip.hidden = true;
    const text = el("p", { test: "drill-sum", text: t("learn.sum", { right, n: asked }) });
    place.replaceChildren(text, el("div", { class: "row" }, button(t("learn.back"), leave, { class: "main", test: "drill-done" })));
    head.focus({ preventScroll: true });
  }

  const nothing = () => {};
  /** @type {LaidTable} */
  const laid = {
    node, mode: "roll", canStep: false, stop: () => void (stopped = true),
    get asked() { return items[Math.min(at, items.length - 1)].game.asked; },
    get board() { return /** @type {any} */ (current?.board ?? {}); },
    get position() { return task?.board.position ?? {}; },
    tapDie: (i) => task?.board.tapDie(i), playSelected: () => task?.judge(),
    roll: nothing, undo: nothing, step: nothing, enterFace: nothing,
  };
  void put(0);
  return { node, laid, focus: () => head.focus({ preventScroll: true }) };
}

/** Solve a game and load its board. @param {Asked} asked @returns {Promise<Asking>} */
async function prepare(asked) {
  if (asked.file !== null) await packFile(asked.file);
  const job = await solveGame(asked);
  if (!job) throw new Error(t("page.cancelled"));
  return { job, kind: await loadKind(job.board), advise: makeAsker(asked).advise };
}
