/**
 * A kept game in a list: what it is, who plays, how it stands.
 *
 * @import { Entry } from "./games.js"
 */

import { el } from "../app/dom.js";
import { language, t } from "../texts/texts.js";

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** The address that lays a kept game on the table. @param {string} id */
export const addressOf = (id) => `#kept?${new URLSearchParams({ id })}`;

/**
 * Say in a line who plays and how it stands.
 *
 * @param {Entry} entry
 */
export function standingOf({ players, head, over, done, of }) {
  const named = players.filter(({ name }) => name).map(({ name, result }) => t("kept.player", { name, result }));
  const stand = named.length ? named.join(", ") : over ? head : t("kept.total", { result: players[0]?.result ?? "" });
  return over || !of ? stand : `${stand} · ${t("kept.progress", { done, of })}`;
}

/**
 * Make the card of a kept game, a link that lays it on the table.
 *
 * @param {Entry} entry
 */
export function makeKeptCard(entry) {
  const link = el("a", { class: "card", href: addressOf(entry.id), test: `kept-${entry.id}` });
  link.append(
    el("span", { class: "name", text: entry.title }),
    el("span", { class: "summary" }, ...(entry.differs ? [el("span", { text: `${entry.differs}. ` })] : []), el("b", { text: standingOf(entry) })),
    el("time", { class: "summary", text: dates.format(entry.when) }),
  );
  return link;
}
