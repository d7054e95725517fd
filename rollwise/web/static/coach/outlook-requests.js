/** Asking how a game may end: after a short pause, once for each move, and never for one that the player has left. */

const DELAY_MS = 120;
const KEPT = 200;
const AGAIN_MS = 700;

/**
 * @import { Progress } from "../../types.js"
 * @typedef {{ key: string, ask: (signal: AbortSignal) => Promise<any>, draw: (answer: any) => void }} Question
 * @param {{ wait: () => void, prepare: (progress: Progress) => void, refuse: (reason: string) => void }} chart
 */
export function makeLooker(chart) {
  const known = new Map();
  let looking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function stop() {
    looking.abort();
    clearTimeout(timer);
  }

  /** @param {Question} question @param {AbortSignal} signal */
  async function answer({ key, ask, draw }, signal) {
    try {
      const found = known.get(key) ?? (await untilPrepared(() => ask(signal), signal, chart.prepare));
      if (signal.aborted) return;
      if (known.size > KEPT) known.clear();
      known.set(key, found);
      draw(found);
    } catch (error) {
      if (!signal.aborted) chart.refuse(/** @type {Error} */ (error).message);
    }
  }

  /** Ask in a moment, or at once; what was asked before is given up. @param {Question} question */
  function look(question, { delay = DELAY_MS } = {}) {
    stop();
    const { signal } = (looking = new AbortController());
    chart.wait();
    timer = setTimeout(() => answer(question, signal), known.has(question.key) ? 0 : delay);
  }
  return { look, stop };
}

/**
 * Ask until what makes answers quick is prepared; `report` gets how far that is.
 *
 * @param {() => Promise<any>} ask
 * @param {AbortSignal} signal
 * @param {(progress: Progress) => void} [report]
 */
export async function untilPrepared(ask, signal, report = () => {}) {
  for (;;) {
    const found = await ask();
    if (signal.aborted || !found.preparing) return found;
    report(found.preparing);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    signal.throwIfAborted();
  }
}
