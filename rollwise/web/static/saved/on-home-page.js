/** The games to go on with, on the start page, and the way to all of them. */

import { el } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { makeKeptCard } from "./game-card.js";
import { listKept } from "./games.js";

const SHOWN = 4;

/**
 * Fill the place for kept games on the start page.
 *
 * @param {HTMLElement} place
 */
export function showKept(place) {
  const entries = listKept();
  const open = entries.filter(({ over }) => !over);
  const cards = open.slice(0, SHOWN).map((entry) => el("li", {}, makeKeptCard(entry)));
  const all = el("a", { class: "action", href: "#games", test: "games", text: t("kept.all", { n: entries.length }) });
  place.replaceChildren(
    ...(cards.length ? [el("h2", { text: t("kept.go-on") }), el("ul", { class: "cards kept" }, ...cards)] : []), el("p", {}, all),
  );
  place.hidden = !entries.length;
}
