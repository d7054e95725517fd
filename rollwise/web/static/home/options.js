/**
 * More about a game of the start page, in a dialog: its rules, players, house rules and aims. The page behind it does not move; what is
 * wrong with what was typed stands at its field.
 *
 * @import { Asked, Game, Page } from "../../types.js"
 * @import { ApiError } from "../app/api.js"
 */

import { button, el } from "../app/dom.js";
import { showDialog } from "../app/window.js";
import { t } from "../texts/texts.js";
import { makeForm } from "./house-rules.js";

/** The form that is open, to which a fault belongs. @type {{ name: string, showFault: (fault: Error) => void } | null} */
let open = null;

/**
 * Show the options of a game. `given` are the values of its form, `fault` is what is wrong with them; a dialog that is open is left as it is.
 *
 * @param {Page} page
 * @param {string} name
 * @param {Asked | null} [given]
 * @param {Error | ApiError | null} [fault]
 */
export function showOptions(page, name, given = null, fault = null) {
  const game = page.games.find((one) => one.name === name);
  if (game && open?.name !== name) show(page, game, page.site ? null : given);
  if (fault && open) open.showFault(fault);
  else if (fault) page.fail(fault);
}

/** @param {Page} page @param {Game} game @param {Asked | null} given */
function show(page, game, given) {
  const { name, title, parameters, aims } = game;
  const isPlain = !parameters.length && aims.length < 2;
  const needed = parameters.some((parameter) => parameter.default === "");
  const form = isPlain ? null : makeForm(game, given, (asked) => void page.open(asked));
  /** @type {(label: string, act: () => void, test: string) => HTMLElement} */
  const link = (label, act, test) => button(label, () => (dialog.close(), act()), { test: `${test}-${name}`, "aria-haspopup": "dialog" });
  const rules = link(t("page.rules"), () => page.rules(exampleOf(game), title), "how");
  const players = link(t("party.players"), () => page.players({ game: name, file: null, parameters: {}, objective: null }, title), "players");
  players.hidden = needed || game.players === "2";
  const close = button("×", () => dialog.close(), { class: "quiet", test: "options-close", "aria-label": t("page.close") });
  const dialog = showDialog(
    { class: "options", "aria-labelledby": "options-title", test: "options" },
    el("div", { class: "row spread" }, el("h2", { id: "options-title", tabindex: "-1", autofocus: true, text: title }), close),
    el("p", { class: "summary", text: game.brief }), el("div", { class: "row" }, rules, players),
    ...(form ? [el("h3", { text: t(needed ? "home.set-up" : parameters.length ? "home.house" : "home.aims") }), el("div", { class: "rules-form" }, form)] : []),
  );
  dialog.addEventListener("close", () => { open = null; });
  open = form && { name, showFault: form.showFault };
}

/** Ask for a game with what its form holds at first. @param {Game} game @returns {Asked} */
function exampleOf(game) {
  const given = game.parameters.filter(({ example }) => example).map(({ name, example }) => [name, example]);
  return { game: game.name, file: null, parameters: Object.fromEntries(given), objective: null };
}
