/** Patience with a lost connection. */

import { pauseBefore, withRetry } from "../../rollwise/web/static/app/retry.js";
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const page = new EventTarget();
Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page), removeEventListener: page.removeEventListener.bind(page) });

const lost = () => Promise.reject(Object.assign(new Error("no connection"), { status: 0 }));
const settle = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};
const after = async (/** @type {number} */ seconds) => {
  for (let i = 0; i < seconds; i += 1) {
    mock.timers.tick(1000);
    await settle();
  }
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
});

test("pauses grow up to half a minute", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 9].map(pauseBefore), [1, 2, 4, 8, 16, 30, 30]);
});

test("a lost request is sent again until it is answered, and every second is told", async () => {
  let tries = 0;
  /** @type {(number | null)[]} */
  const told = [];
  const call = () => ((tries += 1) < 4 ? lost() : Promise.resolve("answer"));
  const answer = withRetry(call, new AbortController().signal, (news) => told.push(news && news.seconds));
  await settle();
  assert.equal(tries, 1);
  await after(1 + 2 + 4);
  assert.equal(await answer, "answer");
  assert.deepEqual(told, [1, 2, 1, 4, 3, 2, 1, null]);
});

test("the player, or the network that is back, ends a pause", async () => {
  let tries = 0;
  /** @type {(() => void) | undefined} */
  let now;
  const call = () => ((tries += 1) < 3 ? lost() : Promise.resolve("answer"));
  const answer = withRetry(call, new AbortController().signal, (news) => (now = news?.now));
  await settle();
  now?.();
  await settle();
  assert.equal(tries, 2);
  page.dispatchEvent(new Event("online"));
  assert.equal(await answer, "answer");
});

test("other faults are passed on, and nobody who left is waited for", async () => {
  const refused = () => Promise.reject(Object.assign(new Error("no"), { status: 422 }));
  await assert.rejects(withRetry(refused, new AbortController().signal, () => {}), { message: "no" });
  const left = new AbortController();
  let tries = 0;
  const asked = withRetry(() => ((tries += 1), lost()), left.signal, () => {});
  await settle();
  left.abort();
  await assert.rejects(asked, { name: "AbortError" });
  await after(60);
  assert.equal(tries, 1);
});
