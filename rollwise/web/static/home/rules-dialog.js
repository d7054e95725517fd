/**
 * The rules of a game in a dialog: how it is played, and for each box what it pays, with dice that show it.
 *
 * @import { Asked, Page } from "../../types.js"
 * @import { BoxRuleInfo, RulesInfo } from "../../wire.js"
 */

import * as api from "../app/api.js";
import { button, el } from "../app/dom.js";
import { showDialog } from "../app/window.js";
import { drawDice } from "../boards/die-face.js";
import { boxName, t } from "../texts/texts.js";

/** Show the rules of what is asked for. @param {Page} page @param {Asked} asked @param {string} title */
export async function showRules(page, asked, title) {
  try {
    const rules = await api.rules(asked);
    open(title, rules);
  } catch (error) {
    page.fail(/** @type {Error} */ (error));
  }
}

/** @param {string} title @param {RulesInfo} rules */
function open(title, { paragraphs, boxes }) {
  const close = button(t("page.close"), () => dialog.close(), { class: "main", test: "rules-close" });
  const dialog = showDialog(
    { class: "telling", test: "rules", "aria-labelledby": "rules-title" },
    el("h2", { id: "rules-title", tabindex: "-1", autofocus: true, text: t("rules.of", { title }) }),
    ...paragraphs.map((text) => el("p", { text })),
    boxes.length ? el("ul", { class: "box-rules" }, ...boxes.map(makeBox)) : null,
    close,
  );
}

/** @param {BoxRuleInfo} box */
function makeBox({ name, pays, examples }) {
  const shown = examples.map(({ dice, points }) => el("li", {}, drawDice(dice), el("span", { text: t("rules.pays", { n: points }) })));
  return el(
    "li", { test: `rule-${name}` },
    el("h3", { text: boxName(name) }), el("p", { text: `${pays}.` }), el("ul", { class: "examples" }, ...shown),
  );
}
