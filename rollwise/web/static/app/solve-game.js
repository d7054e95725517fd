/**
 * Solving a game on the server: ask, follow the progress, leave. What takes long goes on when its view is left.
 *
 * @import { Asked, Job, Progress, SolveView } from "../../types.js"
 */

import { aimText } from "../home/aims.js";
import { t } from "../texts/texts.js";
import * as api from "./api.js";
import { forget, goOn, takesLong, timeLeft } from "./background.js";
import { button, el, setText } from "./dom.js";

const SHOW_AFTER_MS = 150;

/**
 * Solve and wait for it. Gives null when somebody else cancelled it.
 *
 * `signal`, when it is aborted, leaves the job: the server goes on only if another page wants it, or if it takes long and `fragment`
 * opens the game again.
 *
 * @param {Asked} asked
 * @param {SolveView} [view]
 */
export async function solveGame(asked, { title = asked.game ?? t("solving.game"), show = () => {}, cancel, signal, position, fragment } = {}) {
  const first = await api.solve(asked, position);
  let now = first;
  let isCancelled = false;
  const leave = () => {
    if (fragment && !isCancelled && takesLong(now)) goOn(now, { title: nameOf(title, now), fragment });
    else api.leave(first.id).catch(() => {});
  };
  if (signal?.aborted) leave();
  signal?.throwIfAborted();
  forget(first.id);
  const stop = () => {
    isCancelled = true;
    cancel?.();
  };
  const progress = makeProgress(title, cancel && { stop, away: fragment ? cancel : null });
  const report = (/** @type {Job} */ job) => {
    now = job;
    progress.update(job);
  };
  const timer = setTimeout(() => show(progress.node), SHOW_AFTER_MS);
  try {
    report(first);
    signal?.addEventListener("abort", leave);
    const job = await api.follow(first, report, signal);
    if (job.status === "failed") throw new api.ApiError(500, job.error ?? t("solving.failed", { title }));
    return job.status === "cancelled" ? null : job;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

/** Name a game and what it is played for, unless that is its own aim. @param {string} title @param {Job} job */
const nameOf = (title, { aims, aim, objective }) => (objective ? `${title} (${aimText(aims, aim)})` : title);

/**
 * Run a request; where the server has forgotten the game, solve it again first.
 *
 * @template Answer
 * @param {() => Promise<Answer>} call
 * @param {() => Promise<unknown>} solve
 */
export async function onceSolved(call, solve) {
  try {
    return await call();
  } catch (error) {
    if (/** @type {any} */ (error).status !== 409) throw error;
    await solve();
    return call();
  }
}

/** @param {string} title @param {{ stop: () => void, away: (() => void) | null }} [acts] */
function makeProgress(title, acts) {
  const bar = el("progress", { "aria-label": t("solving.bar", { title }) });
  const text = el("p", { class: "hint", role: "status" });
  const away = acts?.away ? button(t("solving.away"), acts.away, { class: "main", test: "solve-away", hidden: true }) : null;
  const cancel = acts ? button(t("page.cancel"), acts.stop, { test: "cancel" }) : null;
  const node = el(
    "div", { class: "panel solving", test: "solve-progress" },
    el("h1", { text: t("solving.title", { title }) }), bar, text, el("div", { class: "row" }, away, cancel),
  );

  /** @param {Job} job */
  function update(job) {
    const { ahead, progress } = job;
    if (progress?.total) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    if (away) away.hidden = !takesLong(job);
    setText(text, ahead ? t("solving.queue", { n: ahead }) : timeLeft(job) || describe(progress));
  }
  return { node, update };
}

/** @param {Progress | null} progress */
function describe(progress) {
  if (!progress) return t("solving.every");
  const { what, done, total } = progress;
  return total ? t("solving.done-of", { what, done, total }) : t("solving.done", { what, done });
}
