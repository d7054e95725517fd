/**
 * The start page: games to go on with, a position to try at once, the games, and a way to one of your own.
 *
 * @import { Page } from "../../types.js"
 */

import { el } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { makeGames } from "./cards.js";
import { makeTries } from "./try.js";

/** Build the page. @param {Page} page */
export function makeHome(page) {
  const puzzles = el("a", { class: "aside", href: "#puzzles", test: "puzzles", text: t("puzzle.card") });
  return el(
    "div", { class: "home" },
    el("h1", { text: t("home.title") }),
    makeKept(page),
    page.tries.length ? makeTries(page.tries, puzzles) : el("p", {}, puzzles),
    ...makeGames(page),
    ...(page.site ? [makeSite(page.site)] : [el("ul", { class: "cards" }, makeOwnCard())]),
  );
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

function makeOwnCard() {
  const link = el("a", { class: "card wide", href: "#own", test: "own" });
  link.append(el("span", { class: "name", text: t("own.title") }), el("span", { class: "summary", text: t("home.own-text") }));
  return el("li", {}, link);
}
