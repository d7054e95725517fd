/**
 * What the game on the table is played for, and how to change that without leaving it.
 *
 * @import { Acts, TableParts } from "../../types.js"
 * @import { Dial } from "../home/dial.js"
 */

import { button, el, setText } from "../app/dom.js";
import { makeAims, aimText, writeAim } from "../home/aims.js";
import { t } from "../texts/texts.js";

/**
 * Make the panel; null for a game that is played for one thing only and leaves something to play for.
 *
 * @param {TableParts} table
 * @param {Acts} acts
 */
export function makeAimPanel(table, acts) {
  const { job } = table;
  const remark = job.result?.remark ? el("p", { class: "remark", role: "status", test: "remark", text: `${capital(job.result.remark)}.` }) : null;
  if (job.aims.length < 2 && !remark) return null;
  return el("div", { class: "aim-panel" }, remark, ...(job.aims.length < 2 ? [] : makeChange(table, acts)));
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * What changes the aim: a chooser that opens, and the risk dial, which stands below it as long as it is used.
 *
 * @param {TableParts} table
 * @param {Acts} acts
 */
function makeChange(table, acts) {
  const { job } = table;
  const chooser = makeAims(job.aims, job.aim, () => setText(fault, ""), () => void change(true));
  const fault = el("p", { class: "fault", role: "alert", test: "aim-fault" });
  const place = el("div", { class: "aim-progress" });
  const go = button(t("aim.go"), () => void change(), { class: "main", test: "aim-go" });
  const now = el("b", { text: chooser.dial?.side || aimText(job.aims, job.aim), test: "aim-now" });
  const summary = el("summary", { test: "aim-change" }, t("aim.aim"), now, el("span", { class: "do", text: t("page.change") }));
  const node = el("details", {}, summary, chooser.node, el("p", { class: "hint", text: t("aim.hint") }), el("div", { class: "row" }, go));
  const below = el("div", { class: "dial-place" });
  let [own, isLaid] = [new AbortController(), false];

  /** Say what is refused at its field, else below them. @param {Error & { parameter?: string }} error */
  function showFault({ message, parameter }) {
    const field = parameter === "objective" ? chooser.showFault(message) : undefined;
    if (field) field.focus();
    else setText(fault, message);
  }

  /** Play for what is chosen. The last of several changes counts; once the next table is on its way, it takes over the dial. */
  async function change(byDial = false) {
    const wrong = chooser.check();
    if (wrong || isLaid) {
      wrong?.focus();
      return;
    }
    own.abort();
    place.replaceChildren();
    if (chooser.value() === writeAim(job.aims, job.aim)) {
      node.open &&= byDial;
      return;
    }
    const mine = (own = new AbortController());
    const { signal } = mine;
    const cancel = () => {
      mine.abort();
      chooser.dial?.move();
    };
    go.disabled = true;
    try {
      const dial = byDial ? chooser.dial : null;
      isLaid = await acts.aim(chooser.value(), { show: (shown) => place.replaceChildren(shown), cancel, signal, dial });
    } catch (error) {
      if (!signal.aborted) {
        chooser.dial?.move();
        showFault(/** @type {Error & { parameter?: string }} */ (error));
      }
    }
    if (mine !== own) return;
    go.disabled = false;
    place.replaceChildren();
  }

  /** Show the dial in the chooser while that is open, else below it, where it is used. @param {Dial} dial */
  function placeDial(dial) {
    if (node.open) chooser.takeDial();
    else below.replaceChildren(...(dial.side || table.dial ? [dial.node] : []));
  }

  if (chooser.dial) setUp(chooser.dial);
  /** @param {Dial} dial */
  function setUp(dial) {
    placeDial(dial);
    node.addEventListener("toggle", () => placeDial(dial));
    // An answer that is cut off or refused says nothing.
    if (dial.side) table.shell.risk(table.asked).then(dial.price).catch(() => {});
    const before = table.dial;
    if (before) queueMicrotask(() => takeOver(dial, before));
  }

  /** Go on where the dial of the table before was left. @param {Dial} dial @param {Dial} before */
  function takeOver(dial, before) {
    dial.input.focus({ preventScroll: true });
    if (dial.input.value === before.input.value) return;
    dial.move(before.input.valueAsNumber);
    void change(true);
  }
  return [node, below, place, fault];
}
