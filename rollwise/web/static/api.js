/** The HTTP interface of the server. */

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
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
  if (!response.ok) throw new ApiError(response.status, detail(answer, response));
  return answer;
}

function detail(answer, response) {
  if (Array.isArray(answer.detail)) return answer.detail.map((item) => item.msg).join("; ");
  return answer.detail || `The server answered ${response.status} ${response.statusText}`;
}

/** What is asked about: a game of the catalogue or a game file, its parameters, and the objective if it is not the game's own. */
const about = ({ game, file, parameters, objective }) => ({
  ...(file ? { file } : { game }), parameters, ...(objective && { objective }),
});

export const games = () => call("GET", "games");
export const solve = (asked) => call("POST", "solve", about(asked));
export const cancel = (id) => call("DELETE", `solve/${id}`);
export const advise = (asked, more, signal) => call("POST", "advise", { ...about(asked), ...more }, signal);
export const outlook = (asked, more, signal) => call("POST", "outlook", { ...about(asked), ...more }, signal);
export const spread = (asked, signal) => call("POST", "spread", about(asked), signal);
export const grade = (asked, more, signal) => call("POST", "grade", { ...about(asked), ...more }, signal);

/** Follow a job until it is over, through its event stream, or by asking again and again where the stream breaks. */
export function follow(job, tell) {
  if (FINAL.has(job.status)) return Promise.resolve(job);
  return new Promise((resolve, reject) => {
    const source = new EventSource(`/api/solve/${job.id}/events`);
    const take = (next) => {
      tell(next);
      if (!FINAL.has(next.status)) return;
      source.close();
      resolve(next);
    };
    source.addEventListener("job", (event) => take(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source.close();
      poll(job.id, tell).then(resolve, reject);
    });
  });
}

async function poll(id, tell) {
  for (;;) {
    const job = await call("GET", `solve/${id}`);
    tell(job);
    if (FINAL.has(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
