/** The start page: the games, and a small form for the rules of each. */

import { makeAims, readAim } from "./aims.js";
import { button, el } from "./dom.js";

/** What the forms hold at first. */
const EXAMPLES = {
  words: {
    dice: "AEIOUY,BCDLMP,AEINRS,DEKNST",
    words: "BEAT BIRD BONE CARD COIN DICE DUNE DUST LAKE LAND LINE MASK MINT PINE PORT",
  },
  groups: { faces: "6", sizes: "3,2" },
};

const LEAD = "Enter a roll, and every move is ranked exactly: what it is worth, and what your hunch would cost.";

const ORDER = ["yazy", "yatzy", "yahtzee", "kniffel", "maxi-yatzy", "slots", "words", "groups"];

/** The page draws groups by their sizes, so the other view of that game is not offered. */
const HIDDEN = new Set(["view"]);

/** Build the page. `asked` opens a game's form with the values of a link; `open(asked)` starts a game. */
export function makeHome(games, asked, open) {
  const cards = inOrder(games).map((game) => makeCard(game, asked, open, closeOthers));
  function closeOthers(own) {
    cards.filter((card) => card !== own).forEach((card) => card.close());
  }
  cards.find((card) => card.asked)?.toggle();
  return el(
    "div", { class: "home" },
    el("h1", { text: "What is the best move?" }),
    el("p", { class: "lead", text: LEAD }),
    el("ul", { class: "cards" }, ...cards.map((card) => card.node)),
  );
}

/** Best known first; games that the page does not know yet come last. */
function inOrder(games) {
  const place = ({ name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...games].sort((a, b) => place(a) - place(b));
}

function makeCard(game, asked, open, closeOthers) {
  const given = asked?.game === game.name ? asked.parameters : null;
  const fields = game.parameters.filter((parameter) => !HIDDEN.has(parameter.name));
  const needed = fields.some((parameter) => parameter.default === "");
  const place = el("div", { class: "rules-form" });
  const main = button("", () => (needed ? card.toggle() : open({ game: game.name })), { class: "card", test: `game-${game.name}` });
  main.append(el("span", { class: "name", text: game.name }), el("span", { class: "summary", text: game.summary }));
  const rules = button("Rules", () => card.toggle(), {
    class: "quiet", test: `rules-${game.name}`, hidden: !fields.length,
    "aria-expanded": "false", "aria-label": `Rules of ${game.name}`,
  });

  const card = {
    node: el("li", {}, el("div", { class: "card-row" }, main, rules), place),
    asked: given !== null,
    close: () => show(false),
    toggle: () => show(!place.firstChild),
  };

  function show(isOpen) {
    if (isOpen) closeOthers(card);
    place.replaceChildren(...(isOpen ? [makeForm(game, fields, given, asked?.objective ?? null, open)] : []));
    rules.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) place.querySelector("input, select, textarea").focus({ preventScroll: true });
  }
  return card;
}

function makeForm(game, fields, given, objective, open) {
  const values = { ...EXAMPLES[game.name], ...given };
  const controls = fields.map((parameter) => makeField(game.name, parameter, values[parameter.name]));
  const aims = game.aims.length > 1 ? makeAims(game.aims, given === null ? null : readAim(game.aims, objective)) : null;
  const start = el("button", { class: "main", test: "start", text: `Start ${game.name}` });
  const form = el("form", {}, ...controls.map((control) => control.node), aims?.node, start);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = aims?.check();
    if (wrong) {
      wrong.focus();
      return;
    }
    const filled = controls.map((control) => [control.name, control.value()]).filter(([, value]) => value !== "");
    open({ game: game.name, parameters: Object.fromEntries(filled), objective: aims?.value() ?? null });
  });
  return form;
}

function makeField(game, { name, help, kind, default: standard }, value = "") {
  const id = `${game}-${name}`;
  const common = { id, test: id, "aria-describedby": `${id}-help` };
  const input = makeControl(kind, standard, value, common);
  const words = kind.type === "file" ? `the ${name}, with spaces or commas between them` : help;
  const note = el("span", { class: "hint", id: `${id}-help`, text: words });
  const node = el("div", { class: "field" }, el("label", { for: id, text: name.replaceAll("_", " ") }), input, note);
  return { name, node, value: () => tidy(kind, input.type === "checkbox" ? (input.checked ? "yes" : "") : input.value) };
}

const tidy = ({ type }, text) => (type === "file" ? text.trim().split(/[\s,]+/).join(",") : text.trim().replace(/\s*,\s*/g, ","));

/** A control that suits the kind of a parameter: yes or no, one of a few words, many words, or any text. */
function makeControl(kind, standard, value, common) {
  if (kind.type === "flag") return el("input", { type: "checkbox", checked: value === "yes", ...common });
  if (kind.type === "choice") {
    const isChosen = (choice) => choice === (value || standard);
    const option = (choice) => el("option", { value: choice === standard ? "" : choice, selected: isChosen(choice), text: choice });
    return el("select", common, ...kind.names.map(option));
  }
  if (kind.type === "file") {
    const area = el("textarea", { rows: 5, spellcheck: "false", required: true, ...common });
    area.value = value.replaceAll(",", " ");
    return area;
  }
  const inputmode = kind.type === "integer" && kind.low >= 0 && kind.low !== null ? "numeric" : null;
  const text = { type: "text", inputmode, value, placeholder: standard, autocomplete: "off", spellcheck: "false" };
  return el("input", { ...text, required: standard === "", ...common });
}
