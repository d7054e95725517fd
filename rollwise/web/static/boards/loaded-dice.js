/** Loaded dice: a small picture of each face that comes, with its chance. */

import { el } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { drawDie } from "./die-face.js";

/** Draw the weights of loaded dice; null for fair ones. @param {{ weights?: number[] }} board */
export function makeLegend({ weights }) {
  if (!weights) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const items = weights.flatMap((weight, i) => (weight ? [drawShare(i + 1, weight / total)] : []));
  return el("ul", { class: "loaded hint", test: "loaded", "aria-label": t("tray.loaded"), title: t("tray.loaded") }, ...items);
}

/** @param {number} face @param {number} share */
function drawShare(face, share) {
  const said = t("tray.loaded-face", { face, share });
  const picture = el("span", { class: "mini", "aria-hidden": "true" }, drawDie(face), `${Math.round(100 * share)} %`);
  return el("li", { title: said }, el("span", { class: "unseen", text: said }), picture);
}
