/**
 * The games of the start page: those that everybody knows, a field to find any other one, and the families, folded.
 *
 * @import { Game, Page } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { drawDice } from "../boards/die-face.js";
import { capital, plain, t } from "../texts/texts.js";

/** Dice on the cards, by the place of the game: decoration. @type {string[]} */
const DECORATION = ["52", "16", "34", "66", "23", "41"];

/** Best known first, by their place; then the others by their titles. @param {Game[]} games */
export function inOrder(games) {
  const place = (/** @type {Game} */ { famous }) => famous || Infinity;
  return [...games].sort((a, b) => (place(a) === place(b) ? a.title.localeCompare(b.title) : place(a) - place(b)));
}

/** Put the games that are less known on shelves, one for each family. @param {Game[]} games @param {string[]} families */
export function shelve(games, families) {
  const shelves = families.map((title) => ({ title, games: games.filter(({ famous, family }) => !famous && family === title) }));
  return shelves.filter((shelf) => shelf.games.length);
}

/** Find games by their titles, in whatever language. @param {Game[]} games @param {string} text */
export const findGames = (games, text) => games.filter(({ name, title, titles }) => [name, title, ...(titles ?? [])].some((one) => plain(one).includes(plain(text))));

/** @param {Page} page */
export function makeGames(page) {
  const games = inOrder(page.games);
  const cards = (/** @type {Game[]} */ some) => el("ul", { class: "cards" }, ...some.map((game) => makeCard(page, game, games.indexOf(game))));
  const famous = games.filter((game) => game.famous);
  const families = shelve(games, page.families).map(({ title, games: own }, i) => makeFamily(title, cards(own), own.length, i));
  return [
    ...(famous.length ? [el("h2", { text: t("home.known") }), cards(famous)] : []),
    ...(families.length ? makeFinder((text) => (text ? findGames(games, text) : []), cards, families) : []), ...families,
  ];
}

/** Keep what is open, or looked for, with the page's entry of the history: who comes back finds it as it was. @param {object} state */
const keep = (state) => history.replaceState({ ...history.state, ...state }, "");

/** @param {string} title @param {HTMLElement} cards @param {number} count @param {number} i */
function makeFamily(title, cards, count, i) {
  const head = el("summary", {}, el("h2", { text: capital(title) }), el("span", { class: "hint", text: String(count) }));
  const node = el("details", { class: "family", test: `family-${i}`, on: { toggle: () => keep({ [`family-${i}`]: node.open }) } }, head, cards);
  node.open = history.state?.[`family-${i}`] ?? false;
  return node;
}

/**
 * A field for a title: the games that it finds stand below it, in the place of the families.
 *
 * @param {(text: string) => Game[]} find
 * @param {(games: Game[]) => HTMLElement} draw
 * @param {HTMLElement[]} families
 */
function makeFinder(find, draw, families) {
  const said = el("p", { class: "hint", role: "status", test: "found" });
  const place = el("div", { class: "found" });
  const field = el("input", { type: "search", class: "find", test: "find", placeholder: t("home.find"), "aria-label": t("home.find"), autocomplete: "off", spellcheck: "false", on: { input: look } });

  function show() {
    const text = plain(field.value);
    const found = find(text);
    for (const family of families) family.hidden = text !== "";
    place.replaceChildren(...(found.length ? [draw(found)] : []));
    setText(said, !text ? "" : found.length ? t("home.found", { n: found.length }) : t("home.found-none"));
  }

  function look() {
    keep({ find: field.value });
    show();
  }
  field.value = history.state?.find ?? "";
  show();
  return [el("div", { class: "finder", role: "search" }, field, said, place)];
}

/** A game: one button plays it, a small one says more about it. @param {Page} page @param {Game} game @param {number} i its place */
function makeCard(page, game, i) {
  const needed = game.parameters.some((parameter) => parameter.default === "");
  const more = () => void page.options(game.name);
  const main = button("", needed ? more : () => page.open({ game: game.name }), { class: "card", test: `game-${game.name}` });
  main.append(makeDecoration(i), el("span", { class: "name", text: game.title }), el("span", { class: "summary", text: game.brief }));
  const dots = button("⋯", more, { class: "quiet more", test: `more-${game.name}`, "aria-haspopup": "dialog", "aria-label": t("home.more", { title: game.title }) });
  return el("li", {}, main, dots);
}

/** @param {number} i */
function makeDecoration(i) {
  const dice = drawDice([...DECORATION[i % DECORATION.length]], "deco");
  dice.setAttribute("aria-hidden", "true");
  return dice;
}
