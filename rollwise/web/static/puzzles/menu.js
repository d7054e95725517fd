/**
 * The page of puzzles: the score, those of the day, and a choice of game and aim.
 *
 * @import { Asked, Game, Page } from "../../types.js"
 */

import { el } from "../app/dom.js";
import { inOrder } from "../home/cards.js";
import { makeForm } from "../home/house-rules.js";
import { t } from "../texts/texts.js";
import { planDay } from "./daily.js";
import { daysInARow, readScore } from "./score.js";

/**
 * Make the page; `start(asked)` sets puzzles of a game.
 *
 * @param {Page} page
 * @param {{ today: string, start: (asked: Partial<Asked>) => void }} how
 */
export function makeMenu(page, { today, start }) {
  return el(
    "div", { class: "puzzles" },
    el("h1", { text: t("puzzle.title") }), el("p", { class: "lead", text: t("puzzle.lead") }),
    makeScore(today), makeDay(page.games, today), makeOwn(page.games, start),
  );
}

/** @param {string} today */
function makeScore(today) {
  const score = readScore();
  if (!score.tried) return null;
  const facts = [
    [t("puzzle.fact.right"), `${score.right} / ${score.tried}`, "right"], [t("puzzle.fact.run"), score.run, "run"],
    [t("puzzle.fact.best"), score.best, "best"], [t("puzzle.fact.days"), daysInARow(score, today), "days"],
  ];
  return el("dl", { class: "facts panel", test: "puzzle-facts" }, ...facts.map(([name, value, test]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value, test: `score-${test}` }))));
}

/** @param {Game[]} games @param {string} today */
function makeDay(games, today) {
  const plan = planDay(today, games.map((game) => game.name));
  if (!plan) return null;
  const answers = readScore().days[today] ?? [];
  const title = games.find((game) => game.name === plan.game)?.title ?? plan.game;
  const key = answers.length === 0 ? "puzzle.start" : answers.length < 3 ? "puzzle.go-on" : "puzzle.done";
  const link = el("a", { class: "action main", href: `#puzzles/day/${today}`, text: t(key), test: "puzzle-day" });
  return el("section", { class: "panel", "aria-labelledby": "puzzle-day-title" }, el("h2", { id: "puzzle-day-title", text: t("puzzle.today", { title }) }), el("p", { class: "hint", text: t("puzzle.today-hint") }), link);
}

/** @param {Game[]} games @param {(asked: Partial<Asked>) => void} start */
function makeOwn(games, start) {
  const ordered = inOrder(games);
  const select = el("select", { id: "puzzle-game", test: "puzzle-game", on: { change: put } }, ...ordered.map((game) => el("option", { value: game.name, text: game.title })));
  const place = el("div", { class: "rules-form" });

  function put() {
    const game = ordered.find(({ name }) => name === select.value) ?? ordered[0];
    const needed = game.parameters.some((parameter) => parameter.default === "");
    place.replaceChildren(...(needed ? [makeForm(game, null, start, labelOf(game))] : [makeChoice(game, start), makeHouse(game, start)]));
  }
  put();
  return el(
    "section", { class: "panel own-puzzles", "aria-labelledby": "puzzle-own-title" }, el("h2", { id: "puzzle-own-title", text: t("puzzle.own") }),
    el("div", { class: "field" }, el("label", { for: "puzzle-game", text: t("puzzle.game") }), select), place,
  );
}

/** @param {Game} game */
const labelOf = ({ title }) => t("puzzle.set", { title });

/** What a game is played for, by its usual rules. @param {Game} game @param {(asked: Partial<Asked>) => void} start */
const makeChoice = (game, start) => makeForm({ ...game, parameters: [] }, null, start, labelOf(game));

/**
 * The same with house rules, which are there when they are asked for.
 *
 * @param {Game} game
 * @param {(asked: Partial<Asked>) => void} start
 */
function makeHouse(game, start) {
  const node = el("details", { class: "house", hidden: !game.parameters.length }, el("summary", { text: t("puzzle.house"), test: "puzzle-house" }));
  node.addEventListener("toggle", () => {
    if (node.open && !node.querySelector("form")) node.append(makeForm(game, null, start, labelOf(game)));
  });
  return node;
}
