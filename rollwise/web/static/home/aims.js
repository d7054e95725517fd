/**
 * What a game is played for: a chooser with typed fields, and the texts of objectives that they make.
 *
 * The text of an aim is a template: `against {total}, ties {ties}`. Fields with a default may be left out of a text, with the words
 * before them.
 *
 * @import { Aim, AimChoice, AimField, Job } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { choiceName, t } from "../texts/texts.js";
import { besidesDial, makeDial, middleOf } from "./dial.js";

/**
 * Write the objective that the fields of an aim make; null for the game's own, which is the first of its aims.
 *
 * @type {(aims: Aim[], chosen: AimChoice) => string | null}
 */
export function writeAim(aims, { name, values }) {
  const aim = aims.find((one) => one.name === name) ?? aims[0];
  if (aim === aims[0]) return null;
  const standard = Object.fromEntries(aim.fields.map((field) => [field.name, field.default]));
  return aim.text.replace(/\{(\w+)\}/g, (_, field) => values[field]?.trim() || standard[field]);
}

/**
 * Find the aim of an objective's text, and what stands in its fields; null for a text that is none of theirs.
 *
 * @type {(aims: Aim[], text: string | null) => AimChoice | null}
 */
export function readAim(aims, text) {
  if (text === null || text === aims[0].text) return { name: aims[0].name, values: {} };
  const longest = [...aims].sort((a, b) => headOf(b.text).length - headOf(a.text).length);
  for (const aim of longest) {
    const found = patternOf(aim).exec(text.trim());
    if (found) return { name: aim.name, values: Object.fromEntries(aim.fields.map((field, i) => [field.name, found[i + 1] ?? field.default])) };
  }
  return null;
}

/** The words that the texts of an aim begin with. @param {string} template */
const headOf = (template) => template.split(/[,{]/)[0].trimEnd();

/** @param {string} text */
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param {Aim} aim */
function patternOf({ text, fields }) {
  const head = headOf(text);
  const parts = [...text.slice(head.length).matchAll(/([^{]*)\{(\w+)\}/g)].map(([, words, name]) => {
    const field = /** @type {AimField} */ (fields.find((one) => one.name === name));
    const part = `${literal(words)}(${valuePattern(field)})`;
    return field.default === "" ? part : `(?:${part})?`;
  });
  return new RegExp(`^${literal(head)}${parts.join("")}$`);
}

/** @param {AimField} field */
function valuePattern({ kind }) {
  if (kind.type === "integer") return "-?\\d+";
  return kind.type === "choice" ? kind.names.map(literal).join("|") : ".+?";
}

/**
 * Say in one line what is wrong with a field; "" where nothing is, as far as can be seen here.
 *
 * @param {AimField} field
 * @param {string} text
 */
export function faultOf({ kind, default: standard }, text) {
  if (!text) return standard === "" ? t("form.needed") : "";
  if (kind.type === "integer") return faultOfInteger(kind, text);
  const scores = kind.type === "text" && !/^-?\d+(:\d+(\.\d+)?)?(\s*,\s*-?\d+(:\d+(\.\d+)?)?)*$/.test(text);
  return scores ? t("aim.weights", { text }) : "";
}

/** @param {{ low: number | null, high: number | null }} kind @param {string} text */
export function faultOfInteger({ low, high }, text) {
  if (!/^-?\d{1,7}$/.test(text)) return t("form.integer", { text });
  if (low !== null && Number(text) < low) return t("form.small", { text, low: String(low) });
  return high !== null && Number(text) > high ? t("form.large", { text, high: String(high) }) : "";
}

/**
 * A place for what is wrong with a field. A fault is shown when the form is sent, not when the field is left: a line that appears then
 * moves the button away from the finger.
 *
 * @template {HTMLElement} I
 * @param {I} input
 * @param {string} id
 * @param {string} test
 * @param {() => string} find
 */
export function makeFault(input, id, test, find) {
  const node = el("span", { class: "fault", id: `${id}-fault`, test });
  /** @param {string} wrong */
  function showFault(wrong) {
    setText(node, wrong);
    setAttribute(input, "aria-invalid", wrong ? "true" : null);
    return input;
  }
  function check() {
    const wrong = find();
    showFault(wrong);
    return wrong ? input : null;
  }
  input.addEventListener("input", () => void (node.textContent && check()));
  return { node, check, showFault };
}

let made = 0;

/**
 * Make the chooser: one of the aims, and its fields or the risk dial below it. `chosen` is what is marked at first; `change` is called with
 * every change, `turn` when the player has moved the dial.
 *
 * `value` gives the objective (null: the game's own), `check` says what is wrong at its field and gives that field, or null; `showFault` says at
 * the first field what the server refuses.
 *
 * @param {Aim[]} aims
 * @param {AimChoice | null} chosen
 * @param {() => void} [change]
 * @param {() => void} [turn]
 */
export function makeAims(aims, chosen, change = () => {}, turn = () => {}) {
  made += 1;
  const group = `aims-${made}`;
  const middle = middleOf(aims);
  const dial = middle && makeDial(middle, chosen, turnDial);
  const begun = dial?.side ? dial.middle : chosen?.name ?? aims[0].name;
  const options = besidesDial(aims).map((aim) => makeOption(aim, group, aim.name === begun ? chosen?.values ?? {} : {}, pick, aim === middle ? dial : null));
  const help = el("p", { class: "hint", id: `${group}-help` });
  const node = el(
    "fieldset", { class: "aims", "aria-describedby": `${group}-help`, test: "aims" },
    el("legend", { text: t("aim.for") }), el("div", { class: "aim-choices" }, ...options.map((option) => option.label)),
    help, ...options.map((option) => option.fields),
  );
  const current = () => options.find((option) => option.isChosen()) ?? options[0];

  function show() {
    for (const option of options) option.fields.hidden = option !== current() || !option.fields.childElementCount;
    setText(help, dial && current().aim === middle ? "" : current().aim.help);
  }
  function pick() {
    show();
    change();
  }
  function turnDial() {
    options.find(({ aim }) => aim === middle)?.choose();
    pick();
    turn();
  }
  (options.find((option) => option.aim.name === begun) ?? options[0]).choose();
  show();
  /** Take the dial back into the chooser. */
  function takeDial() {
    if (dial) options.find(({ aim }) => aim === middle)?.fields.append(dial.node);
    show();
  }
  return { node, dial, takeDial, value: () => writeAim(aims, current().read()), check: () => current().check(), showFault: (/** @type {string} */ fault) => current().showFault(fault) };
}

/** @type {(aim: Aim, group: string, values: Record<string, string>, pick: () => void, dial: import("./dial.js").Dial | null) => any} */
function makeOption(aim, group, values, pick, dial) {
  const input = el("input", { type: "radio", name: group, value: aim.name, test: `aim-${aim.name}`, on: { change: pick } });
  const fields = aim.fields.map((field) => makeField(field, `${group}-${aim.name}`, aim.name, values[field.name] ?? "", pick));
  return {
    aim,
    label: el("label", { class: "aim" }, input, el("span", { text: aim.label })),
    fields: el("div", { class: "aim-fields" }, dial?.node, ...fields.map((field) => field.node)),
    isChosen: () => input.checked,
    choose: () => { input.checked = true; },
    read: () => dial?.value() ?? ({ name: aim.name, values: Object.fromEntries(fields.map((field) => [field.name, field.value()])) }),
    check: () => fields.map((field) => field.check()).find((wrong) => wrong !== null) ?? null,
    showFault: (/** @type {string} */ fault) => fields[0]?.showFault(fault),
  };
}

/** @param {AimField} field @param {string} group @param {string} aim @param {string} value @param {() => void} pick */
function makeField(field, group, aim, value, pick) {
  const id = `${group}-${field.name}`;
  const input = makeControl(field, value, { id, test: `aim-${aim}-${field.name}`, "aria-describedby": `${id}-help ${id}-fault` });
  const fault = makeFault(input, id, `fault-${aim}-${field.name}`, () => faultOf(field, read()));
  const note = el("span", { class: "hint", id: `${id}-help`, text: field.help.toLowerCase() === field.label.toLowerCase() ? "" : field.help });
  const read = () => input.value.trim();
  input.addEventListener("change", pick);
  return { name: field.name, node: el("div", { class: "field" }, el("label", { for: id, text: field.label }), input, note, fault.node), value: read, check: fault.check, showFault: fault.showFault };
}

/** @param {AimField} field @param {string} value @param {import("../../types.js").Options} common */
function makeControl({ kind, default: standard }, value, common) {
  if (kind.type === "choice") {
    const option = (/** @type {string} */ name) => el("option", { value: name, selected: name === (value || standard), text: nameChoice(name) });
    return el("select", common, ...kind.names.map(option));
  }
  const inputmode = kind.type === "integer" ? "numeric" : null;
  return el("input", { type: "text", inputmode, value: value || (kind.type === "integer" ? standard : ""), autocomplete: "off", spellcheck: "false", ...common });
}

/** Choices that say more in two words than in one. @type {Record<string, string>} */
const CHOICES = { half: t("aim.half"), win: t("aim.win"), lose: t("aim.lose") };

/** @param {string} name */
const nameChoice = (name) => CHOICES[name] ?? choiceName(name);

/**
 * Say what is played for in a few words: the aim, with what stands in its fields.
 *
 * @param {Aim[]} aims
 * @param {AimChoice} chosen
 */
export function aimText(aims, { name, values }) {
  const aim = aims.find((one) => one.name === name);
  if (!aim) return name;
  const needed = aim.fields.filter((field) => field.default === "").map((field) => values[field.name] ?? "");
  const others = aim.fields.filter((field) => field.default !== "" && values[field.name] && values[field.name] !== field.default);
  const more = others.map(({ name: field, label }) => t("aim.with", { label, value: nameChoice(values[field]) }));
  return [[aim.label, ...needed].join(": "), ...more].join(", ");
}

/** Find the total whose chance a game is played for: from above or from below; null where it is another chance. @param {Job} job */
export function targetOf({ aim, board, result }) {
  const { mark } = /** @type {any} */ (board);
  if (result?.two_players) return null;
  if (aim.name === "at-least" || mark !== undefined) return { side: "at-least", n: String(aim.values.target ?? mark) };
  return aim.name === "at-most" || aim.name === "quantile" ? { side: "at-most", n: String(aim.values.target) } : null;
}

/** Name the chance that a game is played for. @param {Job} job */
export function chanceWords(job) {
  const target = targetOf(job);
  if (target) return t(`said.${target.side}`, { n: target.n });
  return job.aim.name === "total" ? t("said.beat", { n: String(job.aim.values.total) }) : t("said.chance");
}
