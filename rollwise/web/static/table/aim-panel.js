/**
 * What the game on the table is played for, and how to change that without leaving it.
 *
 * @import { Acts, Job } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { makeAims, tellAim, writeAim } from "../home/aims.js";
import { t } from "../texts/texts.js";

/**
 * Make the panel; null for a game that is played for one thing only and leaves something to play for.
 *
 * @param {Job} job
 * @param {Acts} acts
 */
export function makeAimPanel(job, acts) {
  const remark = job.result?.remark ? el("p", { class: "remark", role: "status", test: "remark", text: `${capital(job.result.remark)}.` }) : null;
  if (job.aims.length < 2 && !remark) return null;
  return el("div", { class: "aim-panel" }, remark, job.aims.length < 2 ? null : makeDetails(job, acts));
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** @param {Job} job @param {Acts} acts */
function makeDetails(job, acts) {
  const chooser = makeAims(job.aims, job.aim, () => setText(fault, ""));
  const fault = el("p", { class: "fault", role: "alert", test: "aim-fault" });
  const place = el("div", { class: "aim-progress" });
  const go = button(t("aim.go"), () => void change(), { class: "main", test: "aim-go" });
  const told = el("b", { text: tellAim(job.aims, job.aim), test: "aim-now" });
  const summary = el("summary", { test: "aim-change" }, t("aim.aim"), told, el("span", { class: "do", text: t("page.change") }));
  const node = el("details", {}, summary, chooser.node, el("p", { class: "hint", text: t("aim.hint") }), place, fault, el("div", { class: "row" }, go));

  /** Say what is refused at its field, else below them. @param {Error & { parameter?: string }} error */
  function tell({ message, parameter }) {
    const field = parameter === "objective" ? chooser.tell(message) : undefined;
    if (field) field.focus();
    else setText(fault, message);
  }

  async function change() {
    const wrong = chooser.check();
    if (wrong) {
      wrong.focus();
      return;
    }
    if (chooser.value() === writeAim(job.aims, job.aim)) {
      node.open = false;
      return;
    }
    const own = new AbortController();
    go.disabled = true;
    try {
      await acts.aim(chooser.value(), { show: (shown) => place.replaceChildren(shown), cancel: () => own.abort(), signal: own.signal });
    } catch (error) {
      if (!own.signal.aborted) tell(/** @type {Error & { parameter?: string }} */ (error));
    }
    go.disabled = false;
    place.replaceChildren();
  }
  return node;
}
