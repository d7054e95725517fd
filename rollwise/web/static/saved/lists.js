/**
 * Lists of the games that this browser keeps: on the start page those to go on with, and all of them with their results.
 *
 * @import { Page } from "../../types.js"
 * @import { Entry } from "./games.js"
 */

import { button, el, setText } from "../app/dom.js";
import { capital, language, t } from "../texts/texts.js";
import { listKept, sumUp, takeAway } from "./games.js";

/** Games to go on with that the start page shows. */
const SHOWN = 2;
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** Fill the place for kept games on the start page: those to go on with, and the way to all of them. @param {HTMLElement} place */
export function showKept(place) {
  const entries = listKept();
  const open = entries.filter(({ over }) => !over);
  const cards = open.slice(0, SHOWN).map((entry) => el("li", {}, makeKeptCard(entry)));
  const all = el("a", { class: "action", href: "#games", test: "games", text: t("kept.all", { n: entries.length }) });
  place.replaceChildren(
    ...(cards.length ? [el("h2", { text: t("kept.go-on") }), el("ul", { class: "cards kept" }, ...cards)] : []), el("p", { class: "row" }, all, makeLearnLink()),
  );
  place.hidden = !entries.length;
}

/** The way to what can be learnt from games. */
const makeLearnLink = () => el("a", { class: "action", href: "#learn", test: "learn-link", text: t("kept.learn") });

/** Show what is kept. @param {Page} page */
export function showHistory(page) {
  page.leave();
  const entries = listKept();
  const heading = el("h1", { text: t("kept.title"), tabindex: -1 });
  const said = el("p", { class: "unseen", role: "status" });
  const open = entries.filter(({ over }) => !over);
  const over = entries.filter((entry) => entry.over);
  const node = el(
    "div", { class: "home history" }, heading, el("p", { class: "lead", text: t("kept.lead") }), said,
    entries.length ? el("p", {}, makeLearnLink()) : el("p", { test: "kept-none", text: t("kept.none") }),
    ...section(t("kept.go-on"), open, said), ...section(t("kept.results"), over, said), makeWins(over),
  );
  page.show(node, t("kept.title"));
  heading.focus({ preventScroll: true });
}

/** @param {string} title @param {Entry[]} entries @param {HTMLElement} said */
function section(title, entries, said) {
  if (!entries.length) return [];
  return [el("h2", { text: title }), el("ul", { class: "cards kept" }, ...entries.map((entry) => makeRow(entry, said)))];
}

/** A game and the button that deletes it, which then puts it back. @param {Entry} entry @param {HTMLElement} said */
function makeRow(entry, said) {
  const card = makeKeptCard(entry);
  const gone = el("p", { class: "gone", text: t("kept.gone", { title: entry.title }), hidden: true });
  /** @type {(() => void) | null} */
  let back = null;
  const remove = button(t("kept.delete"), toggle, { class: "quiet", test: `delete-${entry.id}` });

  function toggle() {
    if (back) back();
    back = back ? null : takeAway(entry.id);
    card.hidden = back !== null;
    gone.hidden = back === null;
    setText(remove, t(back ? "kept.put-back" : "kept.delete"));
    label();
    setText(said, t(back ? "kept.gone" : "kept.is-back", { title: entry.title }));
  }
  const label = () => remove.setAttribute("aria-label", t(back ? "kept.put-back-of" : "kept.delete-of", { title: entry.title }));
  label();
  return el("li", {}, card, gone, el("div", { class: "card-row" }, remove));
}

/** Who won how often, where several played. @param {Entry[]} entries */
function makeWins(entries) {
  const sums = sumUp(entries);
  if (!sums.length) return null;
  const head = el("tr", {}, ...[t("kept.who"), t("kept.games"), t("kept.wins")].map((text) => el("th", { scope: "col", text })));
  const rows = sums.map(({ name, games, wins }) => el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text: games }), el("td", { text: wins })));
  const table = el("table", { class: "steps wins", test: "wins" }, el("caption", { text: t("kept.evening") }), el("thead", {}, head), el("tbody", {}, ...rows));
  return el("div", { class: "panel" }, table);
}

/** The address that lays a kept game on the table. @param {string} id */
const addressOf = (id) => `#kept?${new URLSearchParams({ id })}`;

/** Say in a line who plays and how it stands. @param {Entry} entry */
export function standingOf({ players, head, over, done, of }) {
  const named = players.filter(({ name }) => name).map(({ name, result }) => t("kept.player", { name, result }));
  const stand = named.length ? named.join(", ") : over ? head : t("kept.total", { result: players[0]?.result ?? "" });
  return over || !of ? stand : `${stand} · ${t("kept.progress", { done, of })}`;
}

/** Make the card of a kept game, a link that lays it on the table. @param {Entry} entry */
function makeKeptCard(entry) {
  const link = el("a", { class: "card", href: addressOf(entry.id), test: `kept-${entry.id}` });
  link.append(
    el("span", { class: "name", text: entry.title }),
    el("span", { class: "summary" }, ...(entry.differs ? [el("span", { text: `${entry.differs}. ` })] : []), el("b", { text: capital(standingOf(entry)) })),
    el("time", { class: "summary", text: dates.format(entry.when) }),
  );
  return link;
}
