/**
 * Solving a game on the server: ask, follow the progress, leave.
 *
 * @import { Asked, Job, Progress } from "../../types.js"
 */

import { t } from "../texts/texts.js";
import * as api from "./api.js";
import { button, el, setText } from "./dom.js";

const SHOW_AFTER_MS = 150;

/**
 * Solve and wait for it. Gives null when somebody else cancelled it.
 *
 * `title` names the game; `show(node)` puts the progress on the page if it takes a moment; `cancel` is what its button does;
 * `signal`, when it is aborted, leaves the job: the server goes on only if another page wants it.
 *
 * @param {Asked} asked
 * @param {{ title?: string, show?: (node: HTMLElement) => void, cancel?: () => void, signal?: AbortSignal }} [view]
 */
export async function solveGame(asked, { title = asked.game ?? t("solving.game"), show = () => {}, cancel, signal } = {}) {
  const first = await api.solve(asked);
  const leave = () => api.leave(first.id).catch(() => {});
  if (signal?.aborted) leave();
  signal?.throwIfAborted();
  const progress = makeProgress(title, cancel);
  const timer = setTimeout(() => show(progress.node), SHOW_AFTER_MS);
  try {
    progress.update(first);
    signal?.addEventListener("abort", leave);
    const job = await api.follow(first, progress.update, signal);
    if (job.status === "failed") throw new api.ApiError(500, job.error ?? t("solving.failed", { title }));
    return job.status === "cancelled" ? null : job;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

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

/** @param {string} title @param {() => void} [cancel] */
function makeProgress(title, cancel) {
  const bar = el("progress", { "aria-label": t("solving.bar", { title }) });
  const text = el("p", { class: "hint", role: "status" });
  const node = el(
    "div", { class: "panel solving", test: "solve-progress" },
    el("h1", { text: t("solving.title", { title }) }), bar, text, cancel ? button(t("page.cancel"), cancel, { test: "cancel" }) : null,
  );

  /** @param {Job} job */
  function update({ ahead, progress }) {
    if (progress?.total) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    setText(text, ahead ? t("solving.queue", { n: ahead }) : describe(progress));
  }
  return { node, update };
}

/** @param {Progress | null} progress */
function describe(progress) {
  if (!progress) return t("solving.every");
  const { what, done, total } = progress;
  return total ? t("solving.done-of", { what, done, total }) : t("solving.done", { what, done });
}
