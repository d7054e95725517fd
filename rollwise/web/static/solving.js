/** Solving a game on the server: ask, follow the progress, cancel. */

import * as api from "./api.js";
import { button, el, setText } from "./dom.js";

const SHOW_AFTER_MS = 150;

/** Solve and wait for it. `show(node)` puts the progress on the page if it takes a moment. Gives null when it was cancelled. */
export async function solveGame(asked, show = () => {}) {
  const first = await api.solve(asked);
  const { game } = first;
  const progress = makeProgress(game, () => api.cancel(first.id).catch(() => {}));
  const timer = setTimeout(() => show(progress.node), SHOW_AFTER_MS);
  try {
    progress.update(first);
    const job = await api.follow(first, progress.update);
    if (job.status === "failed") throw new api.ApiError(500, job.error ?? `${game} could not be solved`);
    return job.status === "cancelled" ? null : job;
  } finally {
    clearTimeout(timer);
  }
}

function makeProgress(game, cancel) {
  const bar = el("progress", { "aria-label": `solving ${game}` });
  const text = el("p", { class: "hint", role: "status" });
  const node = el(
    "div", { class: "panel solving", test: "solve-progress" },
    el("h1", { text: `Solving ${game}` }), bar, text, button("Cancel", cancel, { test: "cancel" }),
  );

  function update({ ahead, progress }) {
    if (progress?.total) {
      bar.max = progress.total;
      bar.value = progress.done;
    }
    setText(text, ahead ? `${ahead} before it in the queue` : describe(progress));
  }
  return { node, update };
}

function describe(progress) {
  if (!progress) return "every position, once; then every answer is at hand";
  const of = progress.total ? ` of ${progress.total.toLocaleString("en")}` : "";
  return `${progress.what}: ${progress.done.toLocaleString("en")}${of}`;
}
