/**
 * The HTTP interface of the server.
 *
 * @import { RulesInfo } from "../wire.js"
 * @import { Advice, Asked, Game, Graded, Job, Line, Move, Outlook, Reply, Rolls } from "../types.js"
 */

/** @typedef {Partial<Asked>} Request what goes over the wire of what is asked */

/** A refusal: its status (0: no answer at all), one line, and the line and column of a game file where it has a fault. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {{ line?: number | null, column?: number | null }} [where]
   */
  constructor(status, message, { line = null, column = null } = {}) {
    super(message);
    this.status = status;
    this.line = line;
    this.column = column;
  }
}

const FINAL = new Set(["solved", "failed", "cancelled"]);
const POLL_MS = 700;

/**
 * Ask the server. What it answers is described in OpenAPI, and tests compare: the callers name its type.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function call(method, path, body, signal) {
  /** @type {RequestInit} */
  const options = { method, signal };
  if (body) Object.assign(options, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  let response;
  try {
    response = await fetch(`api/${path}`, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server does not answer: is rollwise serve still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, detail(answer, response), answer);
  return answer;
}

/**
 * Say in one line what was wrong.
 *
 * @param {{ detail?: string | { msg: string }[] }} answer
 * @param {Response} response
 */
function detail(answer, response) {
  if (Array.isArray(answer.detail)) return answer.detail.map((item) => item.msg).join("; ");
  return answer.detail || `The server answered ${response.status} ${response.statusText}`;
}

/** @type {() => Promise<Game[]>} */
export const games = () => call("GET", "games");

/**
 * Say what of `asked` goes over the wire: the game or the file, and an aim where one is asked for.
 *
 * @param {Asked} asked
 * @returns {Request}
 */
export const sent = (asked) => Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));

/** Who waits for a solve: this window, by a name of its own, so that it leaves for itself alone. */
const VISITOR = `visitor=${Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-")}`;

/** @type {(asked: Asked, signal?: AbortSignal) => Promise<Job>} */
export const solve = (asked, signal) => call("POST", `solve?${VISITOR}`, sent(asked), signal);
/** @type {(id: string) => Promise<Job>} */
export const leave = (id) => call("DELETE", `solve/${id}?${VISITOR}`);

/**
 * Ask for advice. What a move banks is its `points`, whatever is played for: the table adds that up as its gain.
 *
 * @param {Request & { state: string, top?: number, reasons?: number }} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<Advice>}
 */
export async function advise(request, signal) {
  const advice = await call("POST", "advise", request, signal);
  return { ...advice, moves: advice.moves.map((/** @type {Move} */ move) => ({ ...move, gain: move.points })) };
}

/** @type {(request: Request & { state: string, opponent: string }, signal?: AbortSignal) => Promise<Reply>} */
export const reply = (request, signal) => call("POST", "reply", request, signal);
/** @type {(request: Request & { state: string | null, action: string | null, draw?: number, top?: number }, signal?: AbortSignal) => Promise<Rolls>} */
export const rolls = (request, signal) => call("POST", "rolls", request, signal);
/** @type {(request: Request & { state: string, action: string, exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const outlook = (request, signal) => call("POST", "outlook", request, signal);
/** @type {(request: Request & { exact?: boolean }, signal?: AbortSignal) => Promise<Outlook>} */
export const spread = (request, signal) => call("POST", "spread", request, signal);
/**
 * Get one of the game files to begin from.
 *
 * @param {string} name
 */
export async function example(name) {
  const response = await fetch(new URL(name, import.meta.url)).catch(() => null);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, "The example could not be loaded: the server does not answer");
  return response.text();
}

/** @type {(asked: Asked) => Promise<RulesInfo>} */
export const rules = (asked) => call("POST", "rules", sent(asked));
/** @type {(request: Request & { lines: Line[] }, signal?: AbortSignal) => Promise<Graded>} */
export const grade = (request, signal) => call("POST", "grade", request, signal);

/**
 * Follow a job until it is over, through its event stream, or by asking again and again where the stream breaks; `signal` ends it.
 *
 * @param {Job} job
 * @param {(job: Job) => void} tell
 * @param {AbortSignal} [signal]
 * @returns {Promise<Job>}
 */
export function follow(job, tell, signal) {
  if (FINAL.has(job.status)) return Promise.resolve(job);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const source = new EventSource(`api/solve/${job.id}/events?${VISITOR}`);
    signal?.addEventListener("abort", () => {
      source.close();
      reject(signal.reason);
    });
    const take = (/** @type {Job} */ next) => {
      tell(next);
      if (!FINAL.has(next.status)) return;
      source.close();
      resolve(next);
    };
    source.addEventListener("job", (event) => take(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source.close();
      poll(job, tell, signal).then(resolve, reject);
    });
  });
}

/**
 * Ask again and again; a job that the server knows no more, as it was started anew, counts as cancelled.
 *
 * @param {Job} first
 * @param {(job: Job) => void} tell
 * @param {AbortSignal} [signal]
 * @returns {Promise<Job>}
 */
async function poll(first, tell, signal) {
  for (;;) {
    const job = await call("GET", `solve/${first.id}?${VISITOR}`, undefined, signal).catch((error) => {
      if (error.status !== 404) throw error;
      return { ...first, status: "cancelled" };
    });
    tell(job);
    if (FINAL.has(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
