/**
 * A game of your own: a game file that is pasted, opened or changed here, with its faults at their lines; then it is solved and played.
 *
 * @import { Page } from "../../types.js"
 */

import { MOST_BYTES, makeAsked, packFile, writeLink } from "../app/address.js";
import * as api from "../app/api.js";
import { button, el, setText } from "../app/dom.js";
import { copyText } from "../app/window.js";
import { t } from "../texts/texts.js";

/** What was written last, so that coming back from the table finds it. */
let last = "";

/**
 * Show the editor, with a text and what is wrong with it.
 *
 * @param {Page} page
 * @param {string} [text]
 * @param {Error | null} [fault]
 */
export function showOwn(page, text, fault = null) {
  page.leave();
  if (location.hash !== "#own") history.pushState(null, "", "#own");
  const own = makeOwn(page, text ?? last);
  page.show(own.node, t("own.title"));
  if (fault) own.showFault(fault);
  else if (!text && !last) own.begin(Object.keys(page.examples)[0]);
}

/** @param {Page} page @param {string} text */
function makeOwn(page, text) {
  const editor = makeEditor(text, () => setText(fault, ""));
  const fault = el("p", { class: "fault", role: "alert", id: "own-fault", test: "own-fault" });
  const said = el("p", { class: "hint", role: "status" });
  const link = el("input", { type: "text", readonly: true, hidden: true, class: "link", test: "own-link", "aria-label": t("own.link") });
  const picker = el("input", { type: "file", accept: ".toml,text/plain", hidden: true, test: "own-file", "aria-label": t("own.file") });
  const examples = makeExamples(page, begin);

  /** The example that was chosen last. */
  let wanted = "";

  /** Begin from one of the examples; what is typed until it arrives stays. @param {string} name */
  async function begin(name) {
    wanted = name;
    const before = editor.text();
    try {
      const example = await api.example(name);
      if (wanted === name && editor.text() === before) put(example, "");
    } catch (error) {
      showFault(/** @type {Error} */ (error));
    }
  }

  /** @type {(text: string, note: string) => void} */
  function put(written, note) {
    editor.put(written);
    setText(fault, "");
    setText(said, note);
  }

  /** @param {Error & { line?: number | null, column?: number | null }} error */
  function showFault(error) {
    const { line = null, column = null } = error;
    setText(fault, line === null ? error.message : placed(line, column, error.message));
    editor.mark(line, column);
  }

  /** Give the text, if it can be sent; else say why not. */
  function checked() {
    last = editor.text();
    const wrong = faultOf(last);
    if (wrong) showFault(new Error(wrong));
    return wrong ? null : last;
  }

  /** @param {File | undefined | null} file */
  async function take(file) {
    if (!file) return;
    const wrong = faultOfFile(file);
    if (wrong) showFault(new Error(wrong));
    else put(await file.text(), t("own.open", { name: file.name }));
  }

  const withFile = (/** @type {(file: string) => unknown} */ act) => () => {
    const file = checked();
    if (file !== null) act(file);
  };

  const share = withFile(async (file) => {
    await packFile(file);
    const { fragment, left } = writeLink({ asked: makeAsked({ file }) });
    if (left.length) {
      showFault(new Error(t("own.too-long")));
      return;
    }
    link.value = location.href.replace(/#.*/, "") + fragment;
    link.hidden = false;
    setText(said, t((await copyText(link.value, link)) ? "own.copied" : "own.copy"));
  });

  function save() {
    const url = URL.createObjectURL(new Blob([editor.text()], { type: "application/toml" }));
    el("a", { href: url, download: `${nameIn(editor.text())}.toml` }).click();
    URL.revokeObjectURL(url);
  }

  const solve = withFile((file) => page.open({ file }));
  const rules = withFile((file) => page.rules(makeAsked({ file }), nameIn(file)));
  picker.addEventListener("change", () => take(picker.files?.[0]));
  dropInto(editor.node, take);
  const node = el(
    "div", { class: "own panel" },
    el("h1", { text: t("own.title") }),
    el("p", { class: "lead", text: t("own.lead") }),
    el("div", { class: "own-tools" }, examples, button(t("own.open-file"), () => picker.click(), { test: "own-open" }), picker,
      button(t("own.save"), save, { test: "own-save" }), button(t("table.link"), share, { test: "own-share", "aria-label": t("own.share-label") })),
    link, editor.node, fault, said,
    el("div", { class: "row" }, button(t("own.solve"), solve, { class: "main", test: "own-solve" }), button(t("page.rules"), rules, { class: "quiet", test: "own-rules" })),
  );
  return { node, showFault, begin };
}

/**
 * Say what is wrong at a line, without the place that the server puts before it: the editor shows it already.
 *
 * @type {(line: number, column: number | null, message: string) => string}
 */
function placed(line, column, message) {
  const place = column === null ? `line ${line}: ` : `line ${line}, column ${column}: `;
  const text = message.includes(place) ? message.slice(message.indexOf(place) + place.length) : message;
  return column === null ? t("own.place", { line: String(line), text }) : t("own.place-column", { line: String(line), column: String(column), text });
}

/** A choice of files to begin from. @param {Page} page @param {(name: string) => void} begin */
function makeExamples(page, begin) {
  const options = Object.entries(page.examples).map(([name, title]) => el("option", { value: name, text: title }));
  const choice = el("select", { id: "own-example", test: "own-example" }, el("option", { value: "", text: t("own.choose") }), ...options);
  choice.addEventListener("change", () => {
    if (choice.value) begin(choice.value);
  });
  return el("span", { class: "row" }, el("label", { for: "own-example", text: t("own.from") }), choice);
}

/** A text with numbered lines, one of which may be marked. @param {string} text @param {() => void} changed */
function makeEditor(text, changed) {
  const area = el("textarea", {
    rows: 22, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", test: "own-text",
    "aria-label": t("own.text"), "aria-describedby": "own-fault",
  });
  const numbers = el("ol", { class: "numbers", "aria-hidden": "true" });
  const node = el("div", { class: "editor" }, numbers, area);
  /** @type {number | null} */
  let marked = null;

  function count() {
    const lines = area.value.split("\n").length;
    while (numbers.children.length > lines) numbers.lastChild?.remove();
    while (numbers.children.length < lines) numbers.append(el("li", { text: numbers.children.length + 1 }));
    [...numbers.children].forEach((item, i) => item.classList.toggle("wrong", i + 1 === marked));
  }

  /** @type {(line: number | null, column: number | null) => void} */
  function mark(line, column) {
    marked = line;
    count();
    area.setAttribute("aria-invalid", "true");
    area.focus();
    if (line === null) return;
    const [from, to] = spanOf(area.value, line, column);
    area.setSelectionRange(from, to);
    const height = area.scrollHeight / area.value.split("\n").length;
    area.scrollTop = Math.max(0, (line - 4) * height);
  }

  area.addEventListener("scroll", () => (numbers.scrollTop = area.scrollTop));
  area.addEventListener("input", () => {
    marked = null;
    area.removeAttribute("aria-invalid");
    count();
    changed();
  });
  /** @param {string} written */
  function put(written) {
    area.value = written;
    marked = null;
    area.removeAttribute("aria-invalid");
    count();
  }
  put(text);
  return { node, mark, put, text: () => area.value };
}

/**
 * Say where a fault begins and where its line ends, in characters.
 *
 * @type {(text: string, line: number, column: number | null) => [number, number]}
 */
export function spanOf(text, line, column) {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const length = lines[line - 1]?.length ?? 0;
  return [start + Math.min(length, column === null ? 0 : column - 1), start + length];
}

/** Say in one line why a text cannot be sent; "" where it can. @param {string} text */
export function faultOf(text) {
  if (!text.trim()) return t("own.nothing");
  const bytes = new TextEncoder().encode(text).length;
  return bytes > MOST_BYTES ? t("own.bytes", { bytes: String(bytes), most: String(MOST_BYTES) }) : "";
}

/** Say in one line why a file is not opened; "" where it is. @param {{ name: string, size: number }} file */
export function faultOfFile({ name, size }) {
  if (/\.pyw?$/i.test(name)) return t("own.python");
  return size > MOST_BYTES ? t("own.file-bytes", { name, bytes: String(size), most: String(MOST_BYTES) }) : "";
}

/** The name that a game file gives itself, as a file may be called. @param {string} text */
export const nameIn = (text) => text.match(/^name\s*=\s*"([^"\n]{1,40})"/m)?.[1].replace(/[^\p{L}\p{N} _-]/gu, "").trim() || "game";

/** Let files be dropped on a node. @param {HTMLElement} node @param {(file: File | undefined) => void} take */
function dropInto(node, take) {
  node.addEventListener("dragover", (event) => {
    event.preventDefault();
    node.classList.add("dropping");
  });
  node.addEventListener("dragleave", () => node.classList.remove("dropping"));
  node.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    node.classList.remove("dropping");
    take(event.dataTransfer.files[0]);
  });
}
