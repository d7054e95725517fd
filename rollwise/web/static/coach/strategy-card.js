/**
 * The strategy card of a game in a dialog: a sheet to print, as much of the best strategy as a few lines hold.
 *
 * @import { Asked } from "../../types.js"
 * @import { CardInfo } from "../../wire.js"
 */

import * as api from "../app/api.js";
import { button, el, setText } from "../app/dom.js";
import { showDialog } from "../app/window.js";
import { t } from "../texts/texts.js";

/** Sizes that are offered where none are known. */
const SIZES = [3, 6, 10, 20, 30];
/** The status of an answer about a card of this size, not about all. */
const UNFIT = 422;

/** Show the card of what is asked for. @param {Asked} asked @param {string} title */
export function showCard(asked, title) {
  const gone = new AbortController();
  const said = el("p", { class: "hint", role: "status", test: "card-status" });
  const sheet = el("div", { class: "card-sheet", test: "card-sheet", tabindex: "0", role: "group", "aria-label": t("card.sheet") });
  const choice = el("select", { id: "card-size", test: "card-size" });
  const print = button(t("card.print"), () => void printCard(sheet), { class: "main", test: "card-print", hidden: true });
  const save = el("a", { class: "button", test: "card-save", download: "strategy.card", text: t("card.save"), hidden: true });
  const sizes = el("div", { class: "row", hidden: true }, el("label", { for: "card-size", text: t("card.size") }), choice);
  const dialog = showDialog(
    { class: "telling carding", test: "card", "aria-labelledby": "card-title" },
    el("h2", { id: "card-title", tabindex: "-1", autofocus: true, text: t("card.title", { game: title }) }),
    el("p", { text: t("card.about") }),
    sizes, said, sheet,
    el("div", { class: "row" }, print, save, button(t("page.close"), () => dialog.close(), { test: "card-close" })),
  );

  /** @param {number | null} size */
  async function load(size) {
    setText(said, t("card.looking"));
    print.disabled = choice.disabled = true;
    try {
      show(await api.card({ ...api.sent(asked), ...(size === null ? {} : { size }) }, gone.signal), size);
    } catch (error) {
      if (!gone.signal.aborted) refuse(/** @type {Error} */ (error), size);
    }
    choice.disabled = false;
  }

  /** @param {CardInfo} found @param {number | null} size */
  function show(found, size) {
    offer(found.sizes.length ? found.sizes : [...SIZES, found.size], size ?? found.size);
    sheet.replaceChildren(drawn(found.svg));
    save.setAttribute("href", `data:text/plain;charset=utf-8,${encodeURIComponent(found.text)}`);
    setText(said, found.worth.join(" "));
    print.hidden = save.hidden = print.disabled = false;
  }

  /** Say why there is no card; where others may be looked for, offer their sizes. @param {Error} error @param {number | null} size */
  function refuse(error, size) {
    setText(said, error.message);
    sheet.replaceChildren();
    print.hidden = save.hidden = true;
    if (error instanceof api.ApiError && error.status === UNFIT) offer(SIZES, size);
  }

  /** @param {number[]} offered @param {number | null} chosen */
  function offer(offered, chosen) {
    const all = [...new Set(chosen === null ? offered : [...offered, chosen])].sort((one, other) => one - other);
    choice.replaceChildren(...all.map((n) => el("option", { value: String(n), text: String(n), ...(n === chosen ? { selected: true } : {}) })));
    sizes.hidden = false;
  }

  choice.addEventListener("change", () => void load(Number(choice.value)));
  dialog.addEventListener("close", () => gone.abort());
  return load(null);
}

/** Make a picture of its text. @param {string} text */
const drawn = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

/** @param {HTMLElement} sheet */
async function printCard(sheet) {
  const { printOut } = await import("../table/print.js");
  const copy = /** @type {HTMLElement} */ (sheet.cloneNode(true));
  copy.className = "paper-card";
  printOut(copy);
}
