/**
 * Making elements. Data only ever goes in as text or as an attribute value, never as markup.
 *
 * @import { Attribute, Child, Options } from "../../types.js"
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element & HTMLOrSVGElement} E
 * @param {E} node
 * @param {Options} options
 * @param {Child[]} children
 */
function fill(node, { on = {}, test, text, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, /** @type {Attribute} */ (value));
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, /** @type {EventListener} */ (listener));
  if (test) node.dataset.test = test;
  if (text !== undefined && text !== null) node.textContent = String(text);
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * Make an element: `on` has its listeners, `test` is its hook, `text` its text, and all else are attributes.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Options} [options]
 * @param {...Child} children
 */
export function el(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

/**
 * Make an element of a picture.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Options} [options]
 * @param {...Child} children
 */
export function svg(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

/**
 * Make a button that never submits a form.
 *
 * @param {string | number} label
 * @param {(event: MouseEvent) => void} click
 * @param {Options} [options]
 */
export function button(label, click, options = {}) {
  return el("button", { type: "button", text: label, ...options, on: { click } });
}

/**
 * Set an attribute where it differs; null, undefined and false take it away.
 *
 * @param {Element} node
 * @param {string} name
 * @param {Attribute} value
 */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : String(value));
}

/** Change a text only when it differs, so that live regions speak once. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Let the keyboard reach a box whose text has become longer than the box, so that it can be scrolled.
 *
 * @param {HTMLElement} node
 */
export function letScroll(node) {
  setAttribute(node, "tabindex", node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 0 ? 0 : null);
}

/** Say whether a button is pressed. @param {Element} node @param {boolean} pressed */
export function setPressed(node, pressed) {
  setAttribute(node, "aria-pressed", String(pressed));
}

/**
 * Make a text for screen readers only. It stands beside what a button shows, which its name must hold, too: those who speak to
 * their computer say what they see.
 */
export const unseen = () => el("span", { class: "unseen" });

/**
 * Make a field for a whole number; `put` gets it when it changes, or null when the field is empty.
 *
 * @param {(number: number | null) => void} put
 * @param {Options} options
 */
export function numberField(put, options) {
  const change = () => put(input.value === "" ? null : Math.trunc(Number(input.value)));
  const input = el("input", { type: "number", inputmode: "numeric", ...options, on: { change } });
  return input;
}

/**
 * Make a row of buttons of which one is pressed: `choices` are [value, label, test] and `pick` gets the value.
 *
 * @template T
 * @param {string} label
 * @param {[value: T, label: string | number, test: string][]} choices
 * @param {(value: T) => void} pick
 */
export function segmented(label, choices, pick) {
  const buttons = choices.map(([value, text, test]) => ({ value, child: button(text, () => pick(value), { test }) }));
  const node = el("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons.map(({ child }) => child));
  /** @param {T} chosen */
  const set = (chosen) => buttons.forEach(({ value, child }) => setPressed(child, value === chosen));
  return { node, set };
}
