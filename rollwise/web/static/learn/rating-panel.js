/**
 * What the games of one kind say about a player: the rating, its trend as a picture, and the leaks with their positions.
 *
 * @import { GradedGame, Item } from "./graded.js"
 * @import { Kind } from "./rating.js"
 */

import { writeLink } from "../app/address.js";
import { button, el } from "../app/dom.js";
import { loadKind } from "../boards/registry.js";
import { lossOfClass, lossText, writersFor } from "../texts/numbers.js";
import { moveName, t, written } from "../texts/texts.js";
import { measure } from "./rating.js";
import { drawTrend } from "./trend-chart.js";

/** Positions of a leak that are listed. */
const LISTED = 12;

/** @param {GradedGame[]} games of the same rules and aim @param {(items: Item[], title: string) => void} start */
export function makeRating(games, start) {
  const [{ title, more, valueName }] = games.slice(-1);
  const skill = measure(games);
  const coached = games.filter(({ coach }) => coach).length;
  const leaks = skill.kinds.filter(({ leak }) => leak);
  const head = el("h2", { text: more ? t("learn.game", { title, more }) : title });
  const notes = [trendText(skill.trend, skill.ratings.length, valueName), coached ? t("learn.coached", { n: coached, of: games.length }) : ""];
  return el(
    "section", { class: "panel learn-rating", "aria-label": title, test: "learn-rating" }, head,
    el("p", { class: "summed", test: "rating", text: ratingText(skill, valueName) }),
    el("p", { class: "hint", text: t("learn.out-of", { n: skill.decisions, games: t("learn.games", { n: games.length }) }) }),
    skill.ratings.length > 1 ? drawTrend(skill.ratings, skill.trend, { share: valueName === "win probability", label: t("learn.chart", { n: skill.ratings.length }) }) : null,
    ...notes.filter(Boolean).map((text) => el("p", { text })),
    el("h3", { text: t("learn.leaks") }),
    leaks.length
      ? el("ul", { class: "leaks", test: "leaks" }, ...leaks.map((kind) => makeLeak(kind, games, start)))
      : el("p", { class: "hint", test: "no-leaks", text: t("learn.no-leaks") }),
  );
}

/** @param {ReturnType<typeof measure>} skill @param {string} valueName */
function ratingText({ rating, standardError }, valueName) {
  if (rating === null) return t("learn.no-rating");
  const error = standardError === null ? "" : t("learn.within", { error: lossText(writersFor(valueName), standardError) });
  return `${t("learn.rating", { loss: lossText(writersFor(valueName), rating) })}${error}`;
}

/** @type {(trend: ReturnType<typeof measure>["trend"], games: number, valueName: string) => string} */
function trendText(trend, games, valueName) {
  if (!trend) return t("learn.trend.few", { n: games });
  return t(`learn.trend.${trend.clear ? (trend.slope < 0 ? "better" : "worse") : "unclear"}`, { loss: lossText(writersFor(valueName), Math.abs(trend.slope)) });
}

/** Name a kind of decision: it is kept as a text, or as a message in JSON. @param {string} kind */
export function nameKind(kind) {
  return kind.startsWith('{"key":') ? String(written(JSON.parse(kind))) : kind;
}

/** A leak: what it costs, its positions, and a way to practise them. @type {(kind: Kind, games: GradedGame[], start: (items: Item[], title: string) => void) => HTMLElement} */
function makeLeak({ name, loss }, games, start) {
  const [{ valueName }] = games;
  const items = games.flatMap((game) => game.slips.filter(({ kind }) => kind === name).map((slip) => ({ game, slip })));
  const worst = items.sort((a, b) => b.slip.loss - a.slip.loss).slice(0, LISTED);
  const cost = t("learn.a-game", { loss: lossText(writersFor(valueName), loss / games.length) });
  const practise = button(t("learn.practise", { n: worst.length }), () => start(worst, nameKind(name)), { test: "leak-practise" });
  const summary = el("summary", { test: "leak" }, el("b", { text: nameKind(name) }), ` ${cost}`);
  const list = el("ul", { class: "leak-positions" }, ...worst.map(makePosition));
  const node = el("details", {}, summary, list, practise);
  node.addEventListener("toggle", () => void nameStates(list, worst), { once: true });
  return el("li", {}, node);
}

/** Write positions as their board does, once that is loaded. @param {HTMLElement} list @param {Item[]} items */
async function nameStates(list, items) {
  const kind = await loadKind({ kind: items[0].game.board }).catch(() => null);
  if (kind) list.querySelectorAll("a").forEach((link, i) => void (link.textContent = kind.brief(items[i].slip.state)));
}

/** @param {Item} item */
function makePosition({ game, slip: { state, move, best, loss } }) {
  const { fragment } = writeLink({ asked: game.asked, fields: { state } });
  return el("li", {}, el("a", { href: fragment, text: state, test: "leak-position" }), el("span", { class: "hint", text: t("learn.played", { move: moveName(move), best: moveName(best), loss: lossOfClass(game, loss) }) }));
}
