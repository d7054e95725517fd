/**
 * Solves that go on while something else is on the page: how long they take, and when they are done, above whatever view is open.
 *
 * @import { Job } from "../../types.js"
 *
 * What to call a solve, and the fragment of the address that opens its game.
 * @typedef {{ title: string, fragment: string }} Opened
 */

import { t } from "../texts/texts.js";
import * as api from "./api.js";
import { button, el, setText } from "./dom.js";

const POLL_MS = 4000;
/** From so many seconds on it is worth doing something else. */
const LONG_SECONDS = 20;
const FINAL = new Set(["solved", "failed", "cancelled"]);

/** The rows of the solves that go on or are done, by the id of the job. @type {Map<string, { node: HTMLElement, end: () => void }>} */
const rows = new Map();
/** Say whether a solve takes so long that it goes on when its view is left. @param {Job} job */
export const takesLong = ({ progress }) => (progress?.seconds_left ?? 0) > LONG_SECONDS;

/** Say how long a solve still takes; "" where that is not known. @param {Job} job */
export function timeLeft({ progress }) {
  const seconds = progress?.seconds_left;
  if (seconds === null || seconds === undefined) return "";
  return seconds < 60 ? t("solving.soon") : t("solving.minutes", { n: Math.ceil(seconds / 60) });
}

/** Let a solve go on. @param {Job} job @param {Opened} opened */
export function goOn(job, { title, fragment }) {
  forget(job.id);
  const text = el("p", {});
  const open = button(t("solving.open"), () => void (location.hash = fragment), { test: "solve-open" });
  const stop = button(t("page.cancel"), () => void leave(job.id), { class: "quiet", test: "solve-stop" });
  const node = el("div", { class: "away", test: "solve-row" }, text, el("div", { class: "row" }, open, stop));
  const watching = new AbortController();
  rows.set(job.id, { node, end: () => watching.abort() });
  listing().append(node);

  /** @param {Job} now */
  function show(now) {
    const left = timeLeft(now);
    if (left) setText(text, t("solving.goes-on", { title, left }));
    if (!FINAL.has(now.status)) return;
    if (now.status === "solved") finish(t("solving.ready", { title }));
    else finish(now.error ?? t(now.status === "cancelled" ? "solving.stopped" : "solving.failed", { title }));
  }
  /** Say how it ended, and in the title of the window, which may be behind others. @param {string} said */
  function finish(said) {
    setText(text, said);
    setText(stop, t("page.close"));
    document.title = said;
  }
  show(job);
  watch(job, show, watching.signal);
}

/** Where they are listed: above every view. */
function listing() {
  const known = document.getElementById("solves");
  if (known) return known;
  const made = el("div", { id: "solves", role: "status", test: "solves" });
  document.getElementById("away")?.after(made);
  return made;
}

/** Take a solve off the list: its game is opened, or nobody waits for it any more. @param {string} id */
export function forget(id) {
  rows.get(id)?.end();
  rows.get(id)?.node.remove();
  rows.delete(id);
}

/** @param {string} id */
async function leave(id) {
  forget(id);
  await api.leave(id).catch(() => {});
}

/** Ask for a job until it is done; where there is no answer, go on asking. @param {Job} first @param {(job: Job) => void} report @param {AbortSignal} signal */
async function watch(first, report, signal) {
  for (let job = first; !FINAL.has(job.status); ) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (signal.aborted) return;
    job = await api.status(job).catch(() => job);
    if (!signal.aborted) report(job);
  }
}
