/** The HTTP interface of the server. */

/** A refusal: its status (0: no answer at all), one line, and the line and column of a game file where it has a fault. */
export class ApiError extends Error {
  constructor(status, message, { line = null, column = null } = {}) {
    super(message);
    this.status = status;
    this.line = line;
    this.column = column;
  }
}

const FINAL = new Set(["solved", "failed", "cancelled"]);
const POLL_MS = 700;

async function call(method, path, body, signal) {
  const options = { method, signal };
  if (body) Object.assign(options, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer: is rollwise serve still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, detail(answer, response), answer);
  return answer;
}

function detail(answer, response) {
  if (Array.isArray(answer.detail)) return answer.detail.map((item) => item.msg).join("; ");
  return answer.detail || `The server answered ${response.status} ${response.statusText}`;
}

export const games = () => call("GET", "games");

/** What of `asked` goes over the wire: the game or the file, and an aim where one is asked for. */
export const sent = (asked) => Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));

export const solve = (asked, signal) => call("POST", "solve", sent(asked), signal);
export const leave = (id) => call("DELETE", `solve/${id}`);
export const advise = (request, signal) => call("POST", "advise", request, signal);
export const rolls = (request, signal) => call("POST", "rolls", request, signal);
export const outlook = (request, signal) => call("POST", "outlook", request, signal);
export const spread = (request, signal) => call("POST", "spread", request, signal);
export const grade = (request, signal) => call("POST", "grade", request, signal);

/** Follow a job until it is over, through its event stream, or by asking again and again where the stream breaks; `signal` ends it. */
export function follow(job, tell, signal) {
  if (FINAL.has(job.status)) return Promise.resolve(job);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const source = new EventSource(`/api/solve/${job.id}/events`);
    signal?.addEventListener("abort", () => {
      source.close();
      reject(signal.reason);
    });
    const take = (next) => {
      tell(next);
      if (!FINAL.has(next.status)) return;
      source.close();
      resolve(next);
    };
    source.addEventListener("job", (event) => take(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source.close();
      poll(job.id, tell, signal).then(resolve, reject);
    });
  });
}

async function poll(id, tell, signal) {
  for (;;) {
    const job = await call("GET", `solve/${id}`, undefined, signal);
    tell(job);
    if (FINAL.has(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
