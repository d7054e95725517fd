/**
 * Says that there is no connection, and what can be played without one.
 *
 * @import { TableEntry } from "../../types.js"
 */

import { writeLink } from "../app/address.js";
import { button, el } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { isAway, look } from "./connection.js";
import { listKept, sizeOf } from "./kept-tables.js";

const place = /** @type {HTMLElement} */ (document.getElementById("away"));

/** Say it, or take it back. */
export async function showNotice() {
  const kept = await listKept().catch(() => []);
  const said = kept.length ? describe(kept) : [el("p", { text: t("offline.away.nothing") })];
  const again = button(t("offline.look"), () => void look(), { class: "quiet", test: "look" });
  place.hidden = !isAway();
  place.replaceChildren(...(isAway() ? [el("div", {}, ...said), again] : []));
}

/** Say what is kept here, with a link to each game. @param {TableEntry[]} kept */
function describe(kept) {
  const links = kept.map((entry) => el("li", {}, linkTo(entry), ` ${sizeOf(entry)}`));
  return [el("p", { text: `${t("offline.away")} ${t("offline.away.kept")}` }), el("ul", {}, ...links)];
}

/** @param {TableEntry} entry */
function linkTo({ game, parameters, objective, title, source }) {
  if (source !== null) return el("span", { text: title });
  const { fragment } = writeLink({ asked: { game, file: null, parameters, objective } });
  return el("a", { href: fragment, text: title });
}
