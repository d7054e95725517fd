"""The server's application: JSON over the library, and the page.

One process and one event loop. Advice is worked out in the loop (a millisecond); solving, and following a strategy to the end,
in threads of their own. Answers are written straight to bytes; their models describe them in OpenAPI, and tests compare.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Annotated, Any, Literal

from fastapi import FastAPI, HTTPException, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response, StreamingResponse
from pydantic_core import to_json
from starlette.exceptions import HTTPException as StarletteHTTPException

from rollwise import __version__
from rollwise.errors import RollwiseError
from rollwise.forms.base.solution import Solution
from rollwise.games import load
from rollwise.model.game import Progress
from rollwise.playing.judge import judge
from rollwise.playing.record import Line
from rollwise.playing.spread import spread
from rollwise.solving.solver import solve
from rollwise.web.answers import answer_advice, answer_grade, answer_outlook, answer_rolls
from rollwise.web.guard import Guard
from rollwise.web.jobs import Busy, Job, Jobs, Stopped, describe_job, one_line, place_of, stopper
from rollwise.web.limits import Limits, TooLarge, check_size, make_asked
from rollwise.web.pages import Pages
from rollwise.web.preparing import Preparer
from rollwise.web.replies import Rivals
from rollwise.wire import schema
from rollwise.wire.to_json import describe_catalogue, describe_rules, describe_spread

__all__ = ["make_app"]

AT_ONCE = 0.1
"""Seconds that a request to solve waits for a small game."""
BEAT = 0.1
"""Seconds between looks at a job whose progress is streamed."""
SILENCE = 15.0
"""Seconds after which a stream without news says that it is alive."""
READERS = 32
"""Requests that may wait for the thread that reads game files and lists rolls."""
FOLLOWERS = 8
"""Requests that may wait for the thread that follows strategies."""

Faults = dict[int | str, dict[str, Any]]
_FAULTS: Faults = {
    400: {"model": schema.Fault, "description": "not JSON"},
    404: {"model": schema.Fault, "description": "no such thing"},
    409: {"model": schema.Fault, "description": "the game is not solved yet"},
    413: {"model": schema.Fault, "description": "too large for this server"},
    415: {"model": schema.Fault, "description": "not sent as JSON"},
    422: {"model": schema.Fault, "description": "not understood, or against the rules"},
    429: {"model": schema.Fault, "description": "too much is waiting"},
}
JobId = Annotated[str, InPath(min_length=1, max_length=80, pattern=r"^[a-z0-9-]+$")]


def make_app(limits: Limits | None = None, *, directory: Path | None = None, hosts: frozenset[str] | None = None) -> FastAPI:
    """Make the application. `directory` is the store (default: the user's); `hosts` are the names it answers to (None: any)."""
    limits = limits or Limits()

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.jobs = Jobs(limits, directory)
        app.state.follower = Follower(limits)
        app.state.preparer = Preparer(limits)
        app.state.reader = Reader()
        app.state.closing.clear()
        yield
        app.state.closing.set()
        app.state.follower.close()
        app.state.preparer.close()
        app.state.reader.close()
        await asyncio.to_thread(app.state.jobs.close)

    app = FastAPI(
        title="rollwise", version=__version__, lifespan=living, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        redirect_slashes=False, summary="The best move in a dice game, exactly, with a proof.",
    )  # fmt: skip
    app.state.closing, app.state.rivals = Event(), Rivals()
    _add_faults(app)
    _add_api(app, limits)
    app.state.pages = Pages()
    app.add_api_route("/", app.state.pages.index, include_in_schema=False, methods=["GET", "HEAD"])
    app.add_api_route("/static/{name:path}", app.state.pages.asset, include_in_schema=False, methods=["GET", "HEAD"])
    app.add_middleware(Guard, body_bytes=limits.body_bytes, hosts=hosts)
    return app


def _json(content: Any, status: int = 200) -> Response:
    return Response(to_json(content, inf_nan_mode="null"), status, media_type="application/json")


def _compile() -> None:
    """Follow a small game, so that the code for large ones is compiled before a request waits for it."""
    import_module("rollwise.forms.sheets.kernels.outcomes_numba")
    spread(solve(load("yazy", boxes="ones")))


def _begin(progress: Progress, work: Callable[[Any], Any]) -> Any:
    """Begin work, unless its time is over already; when it is stopped, nothing that it held stays behind."""
    try:
        progress("waiting", 0, None)
        return work(progress)
    except (Stopped, RollwiseError) as reason:
        raise reason.with_traceback(None) from None


class Reader:
    """Reads game files, and answers what takes longer than the loop may stand still, one at a time, in a thread."""

    def __init__(self) -> None:
        self.waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="read")

    async def run(self, work: Callable[[], Any]) -> Any:
        """Run `work()`; raises `Busy` when too many wait."""
        if self.waiting >= READERS:
            raise Busy("many positions are being looked at: try again in a moment")
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class Follower:
    """Works out what takes a while, one request at a time, in a thread; one that goes away stops its own.

    The time that a request has counts from when it came: an answer, or why there is none, is not kept waiting by those before it.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.waiting = limits, 0
        self.stop = Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="follow")
        self._thread.submit(_compile)

    async def run(self, request: Request, work: Callable[[Any], Any]) -> Any:
        """Run `work(progress)`; raises `Busy` when too many wait."""
        if self.waiting >= FOLLOWERS:
            raise Busy("many distributions are being worked out: try again in a moment")
        self.waiting += 1
        gone = Event()
        progress = stopper(gone, self.limits.follow_seconds)
        try:
            job = asyncio.get_running_loop().run_in_executor(self._thread, _begin, progress, work)
            while not job.done():
                await asyncio.wait([job], timeout=BEAT)
                if await request.is_disconnected() or self.stop.is_set():
                    gone.set()
            return job.result()
        except Stopped as reason:
            raise HTTPException(422, f"not worked out: {reason}") from None
        finally:
            gone.set()
            self.waiting -= 1

    def close(self) -> None:
        """Stop what runs and waits."""
        self.stop.set()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _add_faults(app: FastAPI) -> None:
    """Answer every fault in one line."""

    @app.exception_handler(RollwiseError)
    async def refuse(_request: Request, error: RollwiseError) -> Response:
        status = 413 if isinstance(error, TooLarge) else 429 if isinstance(error, Busy) else 422
        place = zip(("line", "column"), place_of(error), strict=True)
        return _json({"detail": one_line(str(error)), **{name: at for name, at in place if at is not None}}, status)

    @app.exception_handler(MemoryError)
    async def full(_request: Request, _error: MemoryError) -> Response:
        return _json({"detail": "there is not enough memory for this here: use the command line"}, 413)

    @app.exception_handler(RequestValidationError)
    async def misread(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if isinstance(error.body, bytes):
            return _json({"detail": "the body is not sent as JSON: give the header 'content-type: application/json'"}, 415)
        if first["type"] == "json_invalid":
            return _json(
                {"detail": one_line(f"the body is not JSON: at character {first['loc'][-1]}, {first['ctx']['error']}")}, 400
            )
        if first["loc"] == ("body",) and request.headers.get("content-length") == "0":
            return _json({"detail": "the body is empty: expected JSON"}, 400)
        where = ".".join(str(part) for part in first["loc"][1:])[:200] or "the body"
        return _json({"detail": one_line(f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}")}, 422)

    @app.exception_handler(StarletteHTTPException)
    async def other(_request: Request, error: StarletteHTTPException) -> Response:
        answer = _json({"detail": one_line(str(error.detail))}, error.status_code)
        answer.headers.update(error.headers or {})
        return answer


def _solution(request: Request, asked: schema.GameRequest) -> Solution:
    jobs: Jobs = request.app.state.jobs
    found = jobs.solution(asked.game, asked.parameters, asked.objective, file=asked.file)
    if found is None:
        aim = "" if asked.objective is None else " and this objective"
        raise HTTPException(
            409, f"{asked.game or 'this file'} with these parameters{aim} is not solved here: POST it to /api/solve first"
        )
    return found


def _job(request: Request, key: str) -> Job:
    job: Job | None = request.app.state.jobs.find(key)
    if job is None:
        raise HTTPException(404, f"there is no solve named {key!r}: POST the game to /api/solve")
    return job


def _add_api(app: FastAPI, limits: Limits) -> None:
    post = partial(app.post, responses=_FAULTS)
    _add_reading(app)
    _add_solving(app)
    _add_replies(app)

    @post("/api/advise", response_model=schema.Advice, summary="Rank the moves of a position")
    async def advise(request: Request, asked: schema.AdviseRequest) -> Response:
        work = partial(answer_advice, _solution(request, asked), asked.state, asked.top)
        return _json(work() if asked.file is None else await app.state.reader.run(work))

    @post("/api/rolls", response_model=schema.Rolls, summary="What may be rolled after a move, or at the start")
    async def rolls(request: Request, asked: schema.RollsRequest) -> Response:
        return _json(await app.state.reader.run(partial(answer_rolls, _solution(request, asked), asked)))

    @post("/api/outlook", response_model=schema.Outlook, summary="What comes after a move, as a distribution")
    async def outlook(request: Request, asked: schema.OutlookRequest) -> Response:
        work = partial(answer_outlook, _solution(request, asked), asked, limits.work_bytes, app.state.preparer.wish)
        return _json(await app.state.follower.run(request, work))

    @post("/api/spread", response_model=schema.Outlook, summary="The distribution of a whole game")
    async def whole(request: Request, asked: schema.GameRequest) -> Response:
        solution = _solution(request, asked)

        def work(progress: Any) -> Any:
            return describe_spread(spread(solution, max_bytes=limits.work_bytes, progress=progress))

        return _json(await app.state.follower.run(request, work))

    @post("/api/grade", response_model=schema.Graded, summary="Grade a game that was played: luck and mistakes")
    async def grade(request: Request, asked: schema.GradeRequest) -> Response:
        lines = [Line(line.kind, line.text, number) for number, line in enumerate(asked.lines, 1)]
        work = partial(answer_grade, _solution(request, asked), asked.game or "game file", lines)
        return _json(await app.state.follower.run(request, work))

    @post("/api/rules", response_model=schema.RulesInfo, summary="Tell how a game is played, with an example for each box")
    async def rules(asked: schema.GameRequest) -> Response:
        return _json(await app.state.reader.run(lambda: describe_rules(make_asked(asked, limits))))

    @post("/api/judge/{problem}", response_model=schema.Answer, summary="Answer a contest file")
    async def judge_file(request: Request, problem: Literal["words", "groups"], asked: schema.JudgeRequest) -> Response:
        def work(progress: Any) -> str:
            return "\n".join(judge(problem, asked.input, progress, check=partial(check_size, limits=limits)))

        return _json({"output": await app.state.follower.run(request, work)})


def _add_replies(app: FastAPI) -> None:
    @app.post("/api/reply", response_model=schema.Reply, responses=_FAULTS, summary="What an opponent does in a position")
    async def reply(request: Request, asked: schema.ReplyRequest) -> Response:
        solution, rivals = _solution(request, asked), app.state.rivals

        def work(progress: Any) -> Any:
            return rivals.reply(solution, asked.opponent, asked.state, lambda: app.state.jobs.expert(solution, progress))

        if rivals.is_known(solution, asked.opponent, asked.state):
            return _json(work(None))
        return _json(await app.state.follower.run(request, work))


def _add_reading(app: FastAPI) -> None:
    @app.get("/api/health", response_model=schema.Health, summary="Say that the server is well")
    async def health() -> Response:
        jobs: Jobs = app.state.jobs
        solving = jobs.solving()
        about = {"solved": jobs.solved(), "queued": len(jobs.waiting()), "solving": solving and solving.id}
        return _json({"status": "ok", "version": __version__, **about})

    @app.get("/api/games", response_model=list[schema.GameInfo], summary="List the games")
    async def games() -> Response:
        return _json(describe_catalogue())


def _add_solving(app: FastAPI) -> None:
    faults: Faults = {key: _FAULTS[key] for key in (404, 422)}

    @app.post("/api/solve", response_model=schema.Job, responses=_FAULTS, summary="Solve a game in the background")
    async def submit(asked: schema.GameRequest) -> Response:
        jobs: Jobs = app.state.jobs
        submit = partial(jobs.submit, asked.game, asked.parameters, asked.objective, file=asked.file)
        job = submit() if asked.file is None else await app.state.reader.run(submit)
        for _ in range(10):
            if job.done.is_set():
                break
            await asyncio.sleep(AT_ONCE / 10)
        return _json(describe_job(jobs, job))

    @app.get("/api/solve/{key}", response_model=schema.Job, responses=faults, summary="Say how far a solve is")
    async def status(request: Request, key: JobId) -> Response:
        return _json(describe_job(app.state.jobs, _job(request, key)))

    @app.delete("/api/solve/{key}", response_model=schema.Job, responses=faults, summary="Cancel a solve")
    async def cancel(request: Request, key: JobId) -> Response:
        job = _job(request, key)
        app.state.jobs.cancel(job)
        return _json(describe_job(app.state.jobs, job))

    @app.get(
        "/api/solve/{key}/events", response_class=StreamingResponse, summary="Stream how far a solve is",
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **faults},
    )  # fmt: skip
    async def events(request: Request, key: JobId) -> StreamingResponse:
        return StreamingResponse(_news(app, _job(request, key)), media_type="text/event-stream")


async def _news(app: FastAPI, job: Job) -> AsyncIterator[bytes]:
    """Write a job as an event whenever it changed, until it is done."""
    said, silent = b"", 0.0
    while True:
        done = job.done.is_set() or app.state.closing.is_set()
        now = to_json(describe_job(app.state.jobs, job), inf_nan_mode="null")
        if now != said:
            yield b"event: job\ndata: " + now + b"\n\n"
            said, silent = now, 0.0
        elif silent >= SILENCE:
            yield b": waiting\n\n"
            silent = 0.0
        if done:
            return
        await asyncio.sleep(BEAT)
        silent += BEAT
