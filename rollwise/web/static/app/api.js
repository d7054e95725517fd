/**
 * The HTTP interface of the server. Where it does not answer, tables on this device do, if there are some (offline/connection.js).
 *
 * @import { Puzzles, RiskInfo, RulesInfo } from "../../wire.js"
 * @import { Message } from "../texts/render.js"
 * @import { Advice, Asked, Graded, Job, Line, Move, Outlook, Reply, Rolls } from "../../types.js"
 */

import { ask, isSite } from "../offline/connection.js";
import { language, t, written } from "../texts/texts.js";

/** @typedef {Partial<Asked>} Request what goes over the wire of what is asked */

/** A refusal: its status (0: no answer at all), one line, and where the fault is: in a game file, or the name of a parameter. */
export class ApiError extends Error {
  /** @param {number} status @param {string | Message} message @param {{ line?: number | null, column?: number | null, parameter?: string | null }} [where] */
  constructor(status, message, { line = null, column = null, parameter = null } = {}) {
    super(String(written(message)));
    this.status = status;
    this.line = line;
    this.column = column;
    this.parameter = parameter;
  }
}

const FINAL = new Set(["solved", "failed", "cancelled"]);
const POLL_MS = 700;
/** What the server answers at once. */
const QUICK = new Set(["advise", "reply", "rolls", "rules"]);

/**
 * Ask the server. What it answers is described in OpenAPI, and tests compare: the callers name its type.
 *
 * @type {(method: string, path: string, body?: object, signal?: AbortSignal) => Promise<any>}
 */
async function call(method, path, body, signal) {
  const response = await send(method, path, body, signal);
  return response.json().catch(() => ({}));
}

/**
 * Send a request; its answer is a good one.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 */
async function send(method, path, body, signal) {
  /** @type {RequestInit} */
  const options = { method, signal, headers: { "Accept-Language": language, "Content-Type": "application/json" } };
  if (body) options.body = JSON.stringify(body);
  let response;
  try {
    response = await fetch(`api/${path}`, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, t("fault.no-answer"));
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, detail(answer, response), answer);
}

/**
 * Post a request about a game, or have it answered here.
 *
 * @param {"advise" | "reply" | "rolls" | "outlook" | "distribution" | "grade" | "rules" | "puzzles" | "card"} path
 * @param {any} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
const post = (path, request, signal) =>
  ask(request, (until) => call("POST", path, request, until), (local) => local.answer(path, request, signal), { signal, quick: QUICK.has(path) });

/**
 * Say in one line what was wrong.
 *
 * @param {{ detail?: string | { msg: string }[] }} answer
 * @param {Response} response
 */
function detail(answer, response) {
  if (Array.isArray(answer.detail)) return answer.detail.map((item) => item.msg).join("; ");
  return answer.detail || t("fault.status", { status: `${response.status} ${response.statusText}` });
}

/** Say what of `asked` goes over the wire: the game or the file, and an aim where one is asked for. @type {(asked: Asked) => Request} */
export const sent = (asked) => Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));

/** Who waits for a solve: this window, by a name of its own, so that it leaves for itself alone. */
const VISITOR = `visitor=${Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-")}`;

/**
 * Solve a game; what follows a position of it is enough, where that takes much less.
 *
 * @type {(asked: Asked, position?: { state?: string, total?: number }, signal?: AbortSignal) => Promise<Job>}
 */
export const solve = (asked, position = {}, signal = undefined) =>
  ask(asked, (until) => call("POST", `solve?${VISITOR}`, { ...sent(asked), ...position }, until), (local) => local.answer("solve", asked, signal), { signal, quick: true }).then(settled);

/** Leave out what a site of plain files cannot do: play for something else. @type {(job: Job) => Job} */
const settled = (job) => (isSite ? { ...job, aims: job.aims.filter(({ name }) => name === job.aim?.name) } : job);

/** @type {(id: string) => Promise<Job | null>} */
export const leave = async (id) => (isSite ? null : call("DELETE", `solve/${id}?${VISITOR}`));

/**
 * Get the table of a solved game: the file from which this device answers by itself.
 *
 * @param {Asked} asked
 * @param {AbortSignal} [signal]
 */
export async function table(asked, signal) {
  return (await send("POST", "table", sent(asked), signal)).arrayBuffer();
}

/**
 * Ask for advice. What a move banks is its `points`, whatever is played for: the table adds that up as its gain.
 *
 * @type {(request: Request & { state: string, top?: number, reasons?: number }, signal?: AbortSignal) => Promise<Advice>}
 */
export async function advise(request, signal) {
  const advice = await post("advise", request, signal);
  return { ...advice, moves: advice.moves.map((/** @type {Move} */ move) => ({ ...move, gain: move.points })) };
}

/** @type {(request: Request & { state: string, opponent: string }, signal?: AbortSignal) => Promise<Reply>} */
export const reply = (request, signal) => post("reply", request, signal);
/** @type {(request: Request & { state: string | null, action: string | null, draw?: number, top?: number }, signal?: AbortSignal) => Promise<Rolls>} */
export const rolls = (request, signal) => post("rolls", request, signal);
/** @type {(request: Request & { state: string, action: string, exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const outlook = (request, signal) => post("outlook", request, signal);
/** @type {(request: Request & { exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const distribution = (request, signal) => post("distribution", request, signal);
/** @type {(request: Request, signal?: AbortSignal) => Promise<RiskInfo>} */
export const risk = (request, signal) => call("POST", "risk", request, signal);
/** Get one of the game files to begin from. @param {string} name */
export async function example(name) {
  const response = await fetch(new URL(`../examples/${name}`, import.meta.url)).catch(() => null);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, t("fault.example"));
  return response.text();
}

/** @type {(asked: Asked) => Promise<RulesInfo>} */
export const rules = (asked) => post("rules", sent(asked));
/** @type {(request: Request & { lines: Line[] }, signal?: AbortSignal) => Promise<Graded>} */
export const grade = (request, signal) => post("grade", request, signal);
/** @type {(request: Request & { size?: number }, signal?: AbortSignal) => Promise<import("../../wire.js").CardInfo>} */
export const card = (request, signal) => post("card", request, signal);
/** @type {(request: Request & { seed: number, n: number }, signal?: AbortSignal) => Promise<Puzzles>} */
export const puzzles = (request, signal) => post("puzzles", request, signal);

/**
 * Follow a job until it is over, through its event stream, or by asking again and again where the stream breaks; `signal` ends it.
 *
 * @type {(job: Job, report: (job: Job) => void, signal?: AbortSignal) => Promise<Job>}
 */
export function follow(job, report, signal) {
  if (FINAL.has(job.status)) return Promise.resolve(job);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const source = new EventSource(`api/solve/${job.id}/events?${VISITOR}&language=${language}`);
    signal?.addEventListener("abort", () => {
      source.close();
      reject(signal.reason);
    });
    const take = (/** @type {Job} */ next) => {
      report(next);
      if (!FINAL.has(next.status)) return;
      source.close();
      resolve(next);
    };
    source.addEventListener("job", (event) => take(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source.close();
      poll(job, report, signal).then(resolve, reject);
    });
  });
}

/** Ask for a job; one that the server knows no more, as it was started anew, counts as cancelled. @type {(job: Job, signal?: AbortSignal) => Promise<Job>} */
export const status = (job, signal) =>
  call("GET", `solve/${job.id}?${VISITOR}`, undefined, signal).catch((error) => {
    if (error.status !== 404) throw error;
    return { ...job, status: "cancelled" };
  });

/**
 * Ask again and again.
 *
 * @type {(first: Job, report: (job: Job) => void, signal?: AbortSignal) => Promise<Job>}
 */
async function poll(first, report, signal) {
  for (;;) {
    const job = await status(first, signal);
    report(job);
    if (FINAL.has(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
