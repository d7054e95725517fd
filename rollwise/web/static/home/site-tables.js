/**
 * What is on a site of plain files: its games with the sizes of their tables, and what was left out.
 *
 * @import { Asked, SiteInfo } from "../../types.js"
 */

import { makeAsked, packFile, writeLink } from "../app/address.js";
import { el } from "../app/dom.js";
import { sizeOf } from "../offline/kept-tables.js";
import { t } from "../texts/texts.js";

/** @param {HTMLElement} node @param {SiteInfo} site */
export async function describeSite(node, { tables, left }) {
  const rows = await Promise.all(tables.map(makeRow));
  const out = left.map(({ title, why }) => el("li", {}, el("b", { text: title }), `: ${why}`));
  node.append(
    el("h2", { text: t("offline.site.open") }),
    el("p", { class: "hint", text: t("offline.site.text") }),
    el("table", { test: "site-tables" }, el("tbody", {}, ...rows)),
    ...(out.length ? [el("h3", { text: t("offline.site.left") }), el("ul", { test: "site-left" }, ...out)] : []),
  );
}

/** @param {SiteInfo["tables"][number]} entry */
async function makeRow(entry) {
  const asked = makeAsked({ game: entry.game, file: entry.text, parameters: entry.parameters, objective: entry.objective });
  if (asked.file !== null) await packFile(asked.file);
  const { fragment } = writeLink({ asked });
  const link = el("a", { href: fragment, text: entry.title });
  return el("tr", {}, el("th", { scope: "row" }, link, differs(asked)), el("td", { text: sizeOf(entry) }));
}

/** Say in what a game differs from its standard rules. @param {Asked} asked */
function differs({ parameters, objective }) {
  const said = [...Object.entries(parameters).map(([name, value]) => `${name} ${value}`), ...(objective ? [objective] : [])];
  return said.length ? ` (${said.join(", ")})` : "";
}
