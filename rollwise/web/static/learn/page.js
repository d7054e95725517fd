/**
 * Learn: positions to repeat, a rating with its trend, and leaks, from all games saved in this browser (`#learn`).
 *
 * @import { Page } from "../../types.js"
 * @import { GradedGame, Item, Strictness } from "./graded.js"
 */

import { button, el, segmented, setText } from "../app/dom.js";
import { styled } from "../boards/registry.js";
import { dayOf } from "../puzzles/daily.js";
import { loadTexts, t } from "../texts/texts.js";
import { gradeSaved, listUngraded } from "./collect.js";
import { makeDrills } from "./drill.js";
import { dueItems, groupGames, keepStrictness, listGraded, openItems, readStrictness } from "./graded.js";
import { makeRating } from "./rating-panel.js";
import { writeDay } from "./schedule.js";

/** Show the page; games that were not graded yet are graded meanwhile. @param {Page} page */
export async function showLearn(page) {
  const signal = page.leave();
  await Promise.all([loadTexts("learn"), loadTexts("tables"), styled("review.css")]);
  if (signal.aborted) return;
  const status = el("p", { class: "hint", role: "status", test: "learn-status" });
  const place = el("div", { class: "learn-parts" });
  const heading = el("h1", { text: t("learn.title"), tabindex: -1 });
  const node = el("div", { class: "learn" }, heading, el("p", { class: "lead", text: t("learn.lead") }), status, place);

  function draw() {
    const games = listGraded();
    const parts = games.length ? [makeQueue(games, start), ...groupGames(games).map((group) => makeRating(group, start))] : [];
    if (!games.length && !left) parts.push(el("p", { class: "panel", test: "learn-none", text: t("learn.none") }));
    place.replaceChildren(...parts);
  }

  /** Ask positions; back here when that is done. @param {Item[]} items @param {string} title */
  function start(items, title) {
    const drills = makeDrills(items, { title, strictness: readStrictness(), fail: page.fail, leave: () => void showLearn(page) });
    page.show(drills.node, t("learn.title"), drills.laid);
    drills.focus();
  }

  const games = listUngraded();
  let left = games.length;
  draw();
  page.show(node, t("learn.title"));
  heading.focus({ preventScroll: true });
  if (!left) return;
  const failed = await gradeSaved(games, { signal, report: (title, n) => setText(status, t("learn.grading", { title, n })) });
  left = 0;
  if (signal.aborted || !node.isConnected) return;
  setText(status, failed ? t("learn.ungraded", { n: failed }) : "");
  draw();
}

/** How many positions are to be repeated now, and when the next ones are. @param {GradedGame[]} games @param {(items: Item[], title: string) => void} start */
function makeQueue(games, start) {
  const head = el("h2", { id: "learn-due", test: "learn-due" });
  const next = el("p", { class: "hint", test: "learn-next" });
  const go = button(t("learn.start"), () => start(dueItems(games, readStrictness(), dayOf()), t("learn.repeat")), { class: "main", test: "learn-start" });
  const ahead = button(t("learn.ahead"), () => start(openItems(games, readStrictness()), t("learn.repeat")), { test: "learn-ahead" });
  const hint = el("p", { class: "hint" });
  /** @type {ReturnType<typeof segmented<Strictness>>} */
  const strict = segmented(t("learn.strictness"), [["close", t("learn.close"), "strict-close"], ["best", t("learn.best-only"), "strict-best"]], choose);

  /** @param {Strictness} strictness */
  function choose(strictness) {
    keepStrictness(strictness);
    show(strictness);
  }

  /** @param {Strictness} strictness */
  function show(strictness) {
    const due = dueItems(games, strictness, dayOf()).length;
    const open = openItems(games, strictness);
    const later = open[due];
    const onDay = open.filter(({ slip }) => slip.drill.due === later?.slip.drill.due).length;
    setText(head, due ? t("learn.due", { n: due }) : t("learn.due-none"));
    setText(next, later ? t("learn.next", { n: onDay, day: writeDay(later.slip.drill.due) }) : due ? "" : t("learn.nothing-open"));
    setText(hint, t(`learn.hint.${strictness}`));
    strict.set(strictness);
    go.hidden = !due;
    ahead.hidden = due > 0 || !open.length;
    next.hidden = !next.textContent;
  }
  show(readStrictness());
  const setting = el("div", { class: "row strictness" }, el("span", { class: "label", text: t("learn.strictness") }), strict.node);
  return el("section", { class: "panel learn-queue", "aria-labelledby": "learn-due", test: "learn-queue" }, head, el("div", { class: "row" }, go, ahead), next, setting, hint);
}
