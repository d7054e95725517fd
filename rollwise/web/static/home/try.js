/**
 * A position to try on the start page, and what each of its moves is worth once one is chosen.
 *
 * A worth is a total, as everywhere on the page: the points so far and those still to come.
 *
 * @import { Try, TryMove, Writers } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { drawDice } from "../boards/die-face.js";
import { isLoss, lossText, writersFor } from "../texts/numbers.js";
import { boxNames, capital, labelName, moveName, t } from "../texts/texts.js";

/** One position after another; the next replaces the one before. @param {Try[]} tries @param {...HTMLElement} links what stands beside its buttons */
export function makeTries(tries, ...links) {
  const node = el("section", { class: "panel try", "aria-labelledby": "try-title" });
  /** @param {number} number */
  function put(number) {
    const next = tries.length > 1 ? button(t("home.another"), () => put((number + 1) % tries.length), { class: "quiet", test: "try-next" }) : null;
    node.replaceChildren(...makeTry(tries[number]), el("div", { class: "row" }, playOn(tries[number]), next, ...links));
  }
  put(0);
  return node;
}

/** The way to the table, with the same position and the same points so far. @param {Try} tried */
function playOn({ game, state, so_far: total }) {
  const query = new URLSearchParams({ state, ...(total ? { total: String(total) } : {}) });
  return el("a", { class: "action", href: `#${game}?${query}`, text: t("after.from-here"), test: "try-on" });
}

/** @param {Try} tried */
function makeTry(tried) {
  const write = writersFor(tried.value_name);
  const answer = el("p", { class: "answer", role: "status", test: "try-answer", text: t("home.choose") });
  const moves = tried.moves.map((move, i) => makeChoice(move, i, () => choose(i)));

  /** @param {number} chosen */
  function choose(chosen) {
    moves.forEach((move, i) => move.reveal(i === chosen, isLoss(tried.moves[i].loss), write.loss(tried.moves[i].loss)));
    setText(answer, judge(tried, tried.moves[chosen], write));
  }
  const facts = Object.entries(tried.facts).map(([name, text]) => fact(name, capital(boxNames(text))));
  return [
    el("h2", { id: "try-title", text: t("home.what", { title: tried.title }) }),
    drawDice(tried.dice, "rolled"),
    el("ul", { class: "facts-line", "aria-label": t("home.facts") }, ...facts, tried.so_far ? fact("total so far", String(tried.so_far)) : null),
    el("ul", { class: "choices" }, ...moves.map((move) => move.node)),
    answer,
  ];
}

/** @param {string} name @param {string} text */
const fact = (name, text) => el("li", {}, `${capital(labelName(name))} `, el("b", { text }));

/** @param {TryMove} move */
function nameOf({ keeps, fills, action }) {
  if (keeps === null) return fills ? t("home.fill", { box: action }) : moveName(action);
  return keeps.length ? t("home.keep", { dice: keeps.join(" ") }) : t("home.roll-all");
}

/** Say what the chosen move costs, or that it is the best. @param {Try} tried @param {TryMove} move @param {Writers} write */
function judge({ moves, value_name: name, so_far: soFar }, move, write) {
  const how = name === "win probability" ? "wins" : name === "expected total" ? "brings" : "takes";
  const worth = (/** @type {TryMove} */ { value }) => write.value(typeof value === "number" ? value + soFar : value);
  if (!isLoss(move.loss)) return t(`home.right.${how}`, { move: nameOf(move), worth: worth(move) });
  const best = /** @type {TryMove} */ (moves.find(({ loss }) => !isLoss(loss)));
  return t(`home.costs.${how}`, { loss: lossText(write, move.loss), worth: worth(move), best: nameOf(best), more: worth(best) });
}

/** @param {TryMove} move @param {number} i @param {() => void} choose */
function makeChoice(move, i, choose) {
  const worth = el("span", { class: "worth" });
  const main = button("", choose, { class: "choice", test: `try-${i}`, "aria-pressed": "false" });
  const named = move.fills ? t("home.for", { move: nameOf(move), n: move.gain }) : nameOf(move);
  const [before, after] = t("home.keep", { dice: "|" }).split("|");
  const words = move.keeps?.length ? [capital(before), drawDice(move.keeps), after] : [capital(named)];
  main.append(el("span", {}, ...words), worth);
  return {
    node: el("li", {}, main),
    /** @type {(chosen: boolean, loses: boolean, loss: string) => void} */
    reveal(chosen, loses, loss) {
      const text = loses ? `−${loss}` : t("moves.best");
      setText(worth, chosen ? t("home.yours", { loss: text }) : text);
      main.setAttribute("aria-pressed", String(chosen));
      main.classList.toggle("best", !loses);
    },
  };
}
