/** Patience with a lost connection: what could not be sent is sent again, after growing pauses. */

const FIRST_S = 1;
const LONGEST_S = 30;

/** Whether a fault is the network's, so that trying again may help. @param {any} error */
export const isOffline = (error) => error.status === 0;

/** How long to wait before try number `n` (from 1 on). @param {number} n */
export const pauseBefore = (n) => Math.min(LONGEST_S, FIRST_S * 2 ** (n - 1));

/**
 * Call until an answer comes that is not a lost connection. `notify` gets the seconds left before the next try, and how to try at
 * once; null when the line is back.
 * @template Answer
 * @param {() => Promise<Answer>} call
 * @param {AbortSignal} signal
 * @param {(news: { seconds: number, now: () => void } | null) => void} notify
 * @returns {Promise<Answer>}
 */
export async function withRetry(call, signal, notify) {
  for (let n = 1; ; n += 1) {
    try {
      const answer = await call();
      if (n > 1 && !signal.aborted) notify(null);
      return answer;
    } catch (error) {
      if (signal.aborted || !isOffline(error)) {
        if (n > 1 && !signal.aborted) notify(null);
        throw error;
      }
    }
    await pause(pauseBefore(n), signal, notify);
    signal.throwIfAborted();
  }
}

/** Count the seconds down; ends early when the player says so, the network comes back, or nobody waits any more. @param {number} seconds @param {AbortSignal} signal @param {(news: { seconds: number, now: () => void }) => void} notify */
function pause(seconds, signal, notify) {
  return new Promise((resolve) => {
    let left = seconds;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) notify({ seconds: left, now: end });
      else end();
    }, 1000);
    function end() {
      clearInterval(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve(undefined);
    }
    addEventListener("online", end);
    signal.addEventListener("abort", end);
    notify({ seconds: left, now: end });
  });
}
