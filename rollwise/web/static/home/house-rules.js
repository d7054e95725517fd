/**
 * The form of a game: its house rules as switches, choices and numbers, and what it is played for.
 *
 * @import { Asked, Game, Parameter, ParameterKind } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { choiceName, t } from "../texts/texts.js";
import { faultOfInteger, makeAims, makeFault, readAim } from "./aims.js";

/** The page draws groups by their sizes, so the other view of that game is not offered. */
const HIDDEN = new Set(["view"]);

/** @typedef {{ name: string, node: HTMLElement, value: () => string, check: () => HTMLElement | null, tell: (fault: string) => HTMLElement }} Field */

/**
 * Make the form; `open(asked)` starts the game. What is wrong is said at its field, and nothing is sent; `tell` says at its field what the
 * server refuses.
 *
 * @param {Game} game
 * @param {Asked | null} given
 * @param {(asked: Partial<Asked>) => void} open
 * @param {string} [label] what its button says
 */
export function makeForm(game, given, open, label = t("form.play", { title: game.title })) {
  const shown = game.parameters.filter((parameter) => !HIDDEN.has(parameter.name));
  const fields = shown.map((parameter) => makeField(game.name, parameter, given?.parameters[parameter.name] ?? parameter.example));
  const aims = game.aims.length > 1 ? makeAims(game.aims, readAim(game.aims, given?.objective ?? null)) : null;
  const start = el("button", { class: "main", test: "start", text: label });
  const rest = el("p", { class: "fault", role: "alert", test: "form-fault" });
  const form = el("form", { novalidate: true }, ...fields.map((field) => field.node), aims?.node, rest, start);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setText(rest, "");
    const wrong = [...fields, ...(aims ? [aims] : [])].map((field) => field.check()).find(Boolean);
    if (wrong) {
      wrong.focus();
      return;
    }
    const filled = fields.map((field) => [field.name, field.value()]).filter(([, value]) => value !== "");
    open({ game: game.name, parameters: Object.fromEntries(filled), objective: aims?.value() ?? null });
  });

  /** @param {Error & { parameter?: string | null }} fault */
  function tell({ message, parameter }) {
    const field = parameter === "objective" ? aims : fields.find(({ name }) => name === parameter);
    const at = field?.tell(message);
    setText(rest, at ? "" : message);
    (at ?? start).focus();
  }
  return Object.assign(form, { tell });
}

/**
 * A labelled control with its help, and a place for what is wrong with it.
 *
 * @type {(game: string, parameter: Parameter, value?: string) => Field}
 */
function makeField(game, { name, label, help, kind, default: standard }, value = "") {
  const id = `${game}-${name}`;
  const common = { id, test: id, "aria-describedby": `${id}-help ${id}-fault` };
  const input = makeControl(kind, standard, value, common);
  const note = el("span", { class: "hint", id: `${id}-help`, text: noteOf(label, help, kind, standard) });
  const read = () => tidy(kind, input instanceof HTMLInputElement && input.type === "checkbox" ? (input.checked ? "yes" : "") : input.value);
  const fault = makeFault(input, id, `fault-${id}`, () => faultOf(kind, read(), standard === ""));
  const title = el("label", { for: id, text: label });
  const control = kind.type === "integer" ? steps(input, kind, standard, id) : input;
  const isSwitch = kind.type === "flag";
  const node = el("div", { class: isSwitch ? "field switch-field" : "field" }, ...(isSwitch ? [control, title] : [title, control]), note, fault.node);
  return { name, node, value: () => (read() === standard ? "" : read()), check: fault.check, tell: fault.tell };
}

/**
 * Say what a parameter is where its label and its control do not say it already.
 *
 * @param {string} label
 * @param {string} help
 * @param {ParameterKind} kind
 * @param {string} standard
 */
function noteOf(label, help, kind, standard) {
  if (kind.type === "file") return t("form.words", { name: label });
  if (kind.type === "weights") return t("form.usually", { help: t("form.weights"), value: standard });
  if (kind.type === "flag") return help.startsWith(t("form.yes")) ? "" : help;
  if (kind.type === "choice") return kind.names.every((choice) => help.includes(choice) || help.includes(choiceName(choice))) ? "" : help;
  const text = bounded(help, kind);
  return standard ? t("form.usually", { help: text, value: standard }) : text;
}

/** Say between what a number may be. @param {string} help @param {ParameterKind} kind */
function bounded(help, kind) {
  if (kind.type !== "integer") return help;
  if (kind.low !== null && kind.high !== null) return t("form.between", { help, low: String(kind.low), high: String(kind.high) });
  return kind.low === null ? help : t("form.least", { help, low: String(kind.low) });
}

/** Write what was typed as the game reads it. @param {ParameterKind} kind @param {string} text */
const tidy = ({ type }, text) => (type === "file" ? text.trim().split(/[\s,]+/) : text.split(",").map((part) => part.trim())).join(",");

/**
 * Say in one line what is wrong with a text; "" where nothing is, as far as can be seen here.
 *
 * @param {ParameterKind} kind
 * @param {string} text
 * @param {boolean} needed
 */
export function faultOf(kind, text, needed) {
  if (!text) return needed ? t("form.needed") : "";
  if (kind.type === "integer") return faultOfInteger(kind, text);
  if (kind.type === "integers" && !/^-?\d+(,-?\d+)*$/.test(text)) return t("form.integers", { text });
  if (kind.type === "weights" && !(/^\d+(,\d+)*$/.test(text) && /[1-9]/.test(text))) return t("form.not-weights", { text });
  if (kind.type === "names" && text.split(",").includes("")) return t("form.names", { text });
  return kind.type === "file" && text.includes("@") ? t("form.no-file") : "";
}

/**
 * A control that suits the kind of a parameter: yes or no, one of a few words, many words, a number or any text.
 *
 * @param {ParameterKind} kind
 * @param {string} standard
 * @param {string} value
 * @param {import("../../types.js").Options} common
 */
function makeControl(kind, standard, value, common) {
  if (kind.type === "flag") return el("input", { type: "checkbox", role: "switch", checked: (value || standard) === "yes", ...common });
  if (kind.type === "choice") return makeChoice(kind.names, standard, value, common);
  if (kind.type === "file") {
    const area = el("textarea", { rows: 5, spellcheck: "false", ...common });
    area.value = (value || standard).replaceAll(",", " ");
    return area;
  }
  const inputmode = kind.type === "integer" && kind.low !== null && kind.low >= 0 ? "numeric" : null;
  return el("input", { type: "text", inputmode, value, placeholder: standard, autocomplete: "off", spellcheck: "false", ...common });
}

/** @param {string[]} names @param {string} standard @param {string} value @param {import("../../types.js").Options} common */
function makeChoice(names, standard, value, common) {
  const isChosen = (/** @type {string} */ name) => name === (value || standard);
  return el("select", common, ...names.map((name) => el("option", { value: name === standard ? "" : name, selected: isChosen(name), text: choiceName(name) })));
}

/**
 * A number between buttons that make it one less or more, within its bounds.
 *
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input
 * @param {{ low: number | null, high: number | null }} kind
 * @param {string} standard
 * @param {string} id
 */
function steps(input, { low, high }, standard, id) {
  /** @param {number} by */
  function step(by) {
    const now = Number.parseInt(input.value || standard, 10) || 0;
    input.value = String(Math.max(low ?? -Infinity, Math.min(high ?? Infinity, now + by)));
    input.dispatchEvent(new Event("input"));
  }
  const less = button("−", () => step(-1), { class: "step", test: `less-${id}`, "aria-label": t("form.less") });
  const more = button("+", () => step(1), { class: "step", test: `more-${id}`, "aria-label": t("form.more") });
  return el("span", { class: "steps-field" }, less, input, more);
}
