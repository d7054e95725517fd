/**
 * The start page: a position to try at once, the games, and a way to one of your own.
 *
 * @import { Asked, Game, Page, Try, TryMove } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { drawDie } from "../boards/die-face.js";
import { isLoss, writersFor } from "../texts/numbers.js";
import { boxName, boxNames, moveName, labelName, t } from "../texts/texts.js";

/** Dice on the cards, by the first letter of the game: decoration. @type {[number, number][]} */
const DECORATION = [[5, 2], [1, 6], [3, 4], [6, 6], [2, 3], [4, 1]];

/**
 * Build the page. `asked` opens a game's form with the values of a link.
 *
 * @param {Page} page
 * @param {Asked | null} asked
 */
export function makeHome(page, asked) {
  const cards = inOrder(page.games).map((game, i) => makeCard(page, game, i, page.site ? null : asked, closeOthers));
  /** @param {object} own */
  function closeOthers(own) {
    cards.filter((card) => card !== own).forEach((card) => card.close());
  }
  cards.find((card) => card.isAsked)?.toggle();
  const shelves = shelve(cards.map((card) => card.game), page.families);
  return el(
    "div", { class: "home" },
    el("h1", { text: t("home.title") }),
    el("p", { class: "lead", text: t("home.lead") }),
    makeKept(page),
    page.tries.length ? makeTries(page.tries) : null,
    makePuzzles(),
    ...shelves.flatMap(({ title, games }) => [
      el("h2", { text: title }),
      el("ul", { class: "cards" }, ...cards.filter((card) => games.includes(card.game)).map((card) => card.node)),
    ]),
    ...(page.site ? [makeSite(page.site)] : [el("h2", { text: t("home.own") }), el("ul", { class: "cards" }, makeOwnCard())]),
  );
}

/** The way to the puzzles. */
function makePuzzles() {
  const link = el("a", { class: "card", href: "#puzzles", test: "puzzles" });
  link.append(drawDice(["6", "6"], "deco"), el("span", { class: "name", text: t("puzzle.card") }), el("span", { class: "summary", text: t("puzzle.card-text") }));
  link.querySelector(".deco")?.setAttribute("aria-hidden", "true");
  return el("ul", { class: "cards" }, el("li", {}, link));
}

/** Whether this browser keeps games of saved/games.js, which is loaded only then. */
function keepsGames() {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith("rollwise.kept."));
  } catch {
    return false;
  }
}

/** The place for games that this browser keeps; null where it keeps none. @param {Page} page */
function makeKept(page) {
  if (!keepsGames()) return null;
  const place = el("section", { class: "kept-place", "aria-label": t("kept.title") });
  import("../saved/lists.js").then(({ showKept }) => showKept(place), () => page.fail(new Error(t("kept.unloaded"))));
  return place;
}

/**
 * Say what is on a site of plain files, once that is loaded: nothing waits for it.
 *
 * @param {NonNullable<Page["site"]>} site
 */
function makeSite(site) {
  const node = el("section", { class: "panel site" });
  import("./site-tables.js").then(({ describeSite }) => describeSite(node, site)).catch(() => node.remove());
  return node;
}

/**
 * Put games on shelves, in their order: first those that everybody knows, then each family.
 *
 * @param {Game[]} games
 * @param {string[]} families
 */
export function shelve(games, families) {
  const shelves = families.map((family) => ({
    title: capital(family),
    games: games.filter((game) => !game.famous && game.family === family),
  }));
  return [{ title: t("home.known"), games: games.filter((game) => game.famous) }, ...shelves].filter((shelf) => shelf.games.length);
}

/** Best known first, by their place; then the others by their titles. @param {Game[]} games */
export function inOrder(games) {
  const place = (/** @type {Game} */ { famous }) => famous || Infinity;
  return [...games].sort((a, b) => (place(a) === place(b) ? a.title.localeCompare(b.title) : place(a) - place(b)));
}

// A position to try

/** Draw dice in a row; a text beside them says what they show. @param {string[]} faces @param {string} [name] */
export function drawDice(faces, name = "drawn") {
  return el("span", { class: name, role: "img", "aria-label": faces.join(" ") }, ...faces.map((face) => drawDie(Number(face) || face)));
}

/** One position after another; the next replaces the one before. @param {Try[]} tries */
function makeTries(tries) {
  const node = el("section", { class: "panel try", "aria-labelledby": "try-title" });
  /** @param {number} number */
  function put(number) {
    const next = tries.length > 1 ? () => put((number + 1) % tries.length) : null;
    node.replaceChildren(...makeTry(tries[number], next));
  }
  put(0);
  return node;
}

/**
 * A position, its moves to choose from, and what each is worth once one is chosen.
 *
 * @param {Try} tried
 * @param {(() => void) | null} next
 */
function makeTry(tried, next) {
  const write = writersFor(tried.value_name);
  const answer = el("p", { class: "answer", role: "status", test: "try-answer", text: t("home.choose") });
  const moves = tried.moves.map((move, i) => makeChoice(move, i, () => choose(i)));
  const query = new URLSearchParams({ state: tried.state });
  const on = el("a", { class: "action", href: `#${tried.game}?${query}`, text: t("after.from-here"), test: "try-on" });

  /** @param {number} chosen */
  function choose(chosen) {
    moves.forEach((move, i) => move.reveal(i === chosen, isLoss(tried.moves[i].loss), write.loss(tried.moves[i].loss)));
    setText(answer, judge(tried, tried.moves[chosen], write));
  }
  const facts = Object.entries(tried.facts).map(([name, text]) => el("li", {}, `${labelName(name)} `, el("b", { text: spaced(boxNames(text)) })));
  const more = next ? button(t("home.another"), next, { class: "quiet", test: "try-next" }) : null;
  return [
    el("h2", { id: "try-title", text: t("home.what", { title: tried.title }) }),
    drawDice(tried.dice, "rolled"),
    el("ul", { class: "facts-line", "aria-label": t("home.facts") }, ...facts),
    el("ul", { class: "choices" }, ...moves.map((move) => move.node)),
    answer,
    el("div", { class: "row" }, on, more),
  ];
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} name */
const spaced = (name) => name.replaceAll("-", " ");

/** @param {TryMove} move */
function nameOf({ keeps, fills, action }) {
  if (keeps === null) return fills ? t("home.fill", { box: spaced(boxName(action)) }) : moveName(action);
  return keeps.length ? t("home.keep", { dice: keeps.join(" ") }) : t("home.roll-all");
}

/**
 * Say what the chosen move costs, or that it is the best.
 *
 * @param {Try} tried
 * @param {TryMove} move
 * @param {import("../../types.js").Writers} write
 */
function judge(tried, move, write) {
  const unit = write.unit ? ` ${write.unit}` : "";
  const how = tried.value_name === "win probability" ? "wins" : "brings";
  const worth = (/** @type {TryMove} */ { value }) => `${write.value(value)}${unit}`;
  if (!isLoss(move.loss)) return t(`home.right.${how}`, { move: nameOf(move), worth: worth(move) });
  const best = /** @type {TryMove} */ (tried.moves.find(({ loss }) => !isLoss(loss)));
  return t(`home.costs.${how}`, { loss: `${write.loss(move.loss)}${unit}`, worth: worth(move), best: nameOf(best), more: worth(best) });
}

/** @param {TryMove} move @param {number} i @param {() => void} choose */
function makeChoice(move, i, choose) {
  const worth = el("span", { class: "worth" });
  const main = button("", choose, { class: "choice", test: `try-${i}`, "aria-pressed": "false" });
  const named = move.fills ? t("home.for", { move: nameOf(move), n: move.gain }) : nameOf(move);
  const words = move.keeps?.length ? [t("home.keep-dice"), drawDice(move.keeps)] : [capital(named)];
  main.append(el("span", {}, ...words), worth);
  return {
    node: el("li", {}, main),
    /** @type {(chosen: boolean, loses: boolean, loss: string) => void} */
    reveal(chosen, loses, loss) {
      const text = loses ? `−${loss}` : t("moves.best");
      setText(worth, chosen ? t("home.yours", { loss: text }) : text);
      main.setAttribute("aria-pressed", String(chosen));
      main.classList.toggle("best", !loses);
    },
  };
}

// The games

/** @param {Page} page @param {Game} game @param {number} i @param {Asked | null} asked @param {(own: object) => void} closeOthers */
function makeCard(page, game, i, asked, closeOthers) {
  const given = asked?.game === game.name ? asked : null;
  const needed = game.parameters.some((parameter) => parameter.default === "");
  const place = el("div", { class: "rules-form" });
  const main = button("", () => (needed ? card.toggle() : page.open({ game: game.name })), { class: "card", test: `game-${game.name}` });
  main.append(
    drawDice(DECORATION[i % DECORATION.length].map(String), "deco"),
    el("span", { class: "name", text: game.title }), el("span", { class: "summary", text: game.brief }),
  );
  main.querySelector(".deco")?.setAttribute("aria-hidden", "true");
  const how = button(t("page.rules"), () => page.rules(exampleOf(game), game.title), {
    class: "quiet", test: `how-${game.name}`, "aria-haspopup": "dialog", "aria-label": t("rules.of", { title: game.title }),
  });
  const what = t(needed ? "home.set-up" : game.parameters.length ? "home.house" : "home.aims");
  const house = button(what, () => card.toggle(), {
    class: "quiet", test: `rules-${game.name}`, "aria-expanded": "false", "aria-label": t("home.what-of", { what, title: game.title }),
  });
  const players = button(t("party.players"), () => page.players(makeAskedOf(game), game.title), {
    class: "quiet", test: `players-${game.name}`, "aria-haspopup": "dialog", "aria-label": t("party.players-of", { title: game.title }),
  });
  players.hidden = needed || game.players === "2";
  house.hidden = !game.parameters.length && game.aims.length < 2;
  const card = {
    game, isAsked: given !== null,
    node: el("li", {}, main, el("div", { class: "card-row" }, how, players, house), place),
    close: () => void fold(),
    toggle: () => void (place.firstChild ? fold() : unfold()),
  };

  function fold() {
    place.replaceChildren();
    house.setAttribute("aria-expanded", "false");
  }

  async function unfold() {
    closeOthers(card);
    house.setAttribute("aria-expanded", "true");
    const form = await loadForm(page, game, given);
    if (!form || house.getAttribute("aria-expanded") !== "true") return;
    place.replaceChildren(form);
    /** @type {HTMLElement | null} */ (form.querySelector("input, select, textarea, button"))?.focus({ preventScroll: true });
  }
  return card;
}

/**
 * Load the form of a game; without a connection, say so.
 *
 * @param {Page} page
 * @param {Game} game
 * @param {Asked | null} given
 */
async function loadForm(page, game, given) {
  try {
    const { makeForm } = await import("./house-rules.js");
    return makeForm(game, given, page.open);
  } catch {
    page.fail(new Error(t("home.no-form")));
    return null;
  }
}

/** Ask for a game with what its form holds at first. @param {Game} game @returns {Asked} */
function exampleOf(game) {
  const given = game.parameters.filter(({ example }) => example).map(({ name, example }) => [name, example]);
  return { game: game.name, file: null, parameters: Object.fromEntries(given), objective: null };
}

/** Ask for a game as it is usually played. @param {Game} game @returns {Asked} */
const makeAskedOf = (game) => ({ game: game.name, file: null, parameters: {}, objective: null });

function makeOwnCard() {
  const link = el("a", { class: "card", href: "#own", test: "own" });
  link.append(
    el("span", { class: "name", text: t("own.title") }),
    el("span", { class: "summary", text: t("home.own-text") }),
  );
  return el("li", {}, link);
}
