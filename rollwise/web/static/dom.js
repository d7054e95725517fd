/** Making elements. Data only ever goes in as text or as an attribute value, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, { on = {}, test, text, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  if (test) node.dataset.test = test;
  if (text !== undefined) node.textContent = text;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function el(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

export function svg(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

/** A button that never submits a form. */
export function button(label, click, options = {}) {
  return el("button", { type: "button", text: label, ...options, on: { click } });
}

export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : value);
}

/** Change a text only when it differs, so that live regions speak once. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setPressed(node, pressed) {
  setAttribute(node, "aria-pressed", String(pressed));
}

/** A field for a whole number; `put` gets it when it changes, or null when the field is empty. */
export function numberField(put, options) {
  const change = () => put(input.value === "" ? null : Math.trunc(Number(input.value)));
  const input = el("input", { type: "number", inputmode: "numeric", ...options, on: { change } });
  return input;
}

/** A row of buttons of which one is pressed: `choices` are [value, label, test] and `pick` gets the value. */
export function segmented(label, choices, pick) {
  const buttons = choices.map(([value, text, test]) => [value, button(text, () => pick(value), { test })]);
  const node = el("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons.map(([, child]) => child));
  return { node, set: (chosen) => buttons.forEach(([value, child]) => setPressed(child, value === chosen)) };
}
