"""The server's application: JSON over the library, and the page.

One process and one event loop. Advice is computed in the loop (a millisecond); solving, and following a strategy to the end,
in threads of their own. Answers are written straight to bytes; their models describe them in OpenAPI, and tests compare.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Annotated, Any, Literal, cast

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from rollwise import __version__
from rollwise.errors import GameError, RollwiseError
from rollwise.games import CATALOGUE
from rollwise.model.message import Message
from rollwise.playing.contests import answer_contest
from rollwise.playing.record import Line
from rollwise.solvers.base.solution import Solution
from rollwise.texts import choose_language
from rollwise.web.answer_cache import AnswerCache
from rollwise.web.answers import (
    Rivals,
    answer_advice,
    answer_grade,
    answer_outlook,
    answer_risk,
    answer_rolls,
    answer_whole,
    look_up_outlook,
    look_up_whole,
)
from rollwise.web.following import Follower, Lane, Work
from rollwise.web.guard import Guard
from rollwise.web.idle import Idle
from rollwise.web.jobs import Job, Jobs, NotSolved, Place, describe_job, job_id, place_of
from rollwise.web.json_answer import Fault, JsonAnswer
from rollwise.web.limits import Limits, TooLarge, check_size, field_at_fault, make_asked, make_objective, players_words
from rollwise.web.news import News
from rollwise.web.pages import Pages
from rollwise.web.precompute import Preparer
from rollwise.web.puzzle_pool import find_puzzles
from rollwise.web.strategy_cards import find_answer, known_answer
from rollwise.web.tables import Asked, pack_table
from rollwise.web.waiting import ANYBODY
from rollwise.web.work import Busy, is_late
from rollwise.wire import schema
from rollwise.wire.to_json import describe_catalogue, describe_rules

__all__ = ["make_app"]

AT_ONCE = 0.1
"""Seconds that a request to solve waits for a small game."""
SHORT_GAME = 200
"""Lines of a game that is graded in a moment."""

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
_PREPARING: Faults = {202: {"model": schema.BeingPrepared, "description": "being prepared: ask again in a moment"}}
Visitor = Annotated[str, Query(max_length=64, pattern=r"^[A-Za-z0-9_-]*$", description="an opaque name of who waits")]
Language = Annotated[str, Query(max_length=64, description="the language of the events: an EventSource cannot say it otherwise")]
JobId = Annotated[str, InPath(min_length=1, max_length=80, pattern=r"^[a-z0-9-]+$")]


def make_app(limits: Limits | None = None, *, directory: Path | None = None, hosts: frozenset[str] | None = None) -> FastAPI:
    """Make the application. `directory` is the cache (default: the user's); `hosts` are the names it answers to (None: any)."""
    limits = limits or Limits()

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        closing: Event = app.state.closing
        closing.clear()
        app.state.preparer = Preparer(limits, closing)
        app.state.jobs = Jobs(limits, directory, app.state.preparer.wish, closing)
        app.state.preparer.prepared = app.state.jobs.forget
        app.state.follower = Follower(limits, closing)
        app.state.news = News(app.state.jobs, closing.is_set)
        app.state.idle = Idle(app.state.jobs, lambda: app.state.follower.busy or app.state.preparer.busy)
        tasks = [asyncio.create_task(app.state.pages.prepare()), asyncio.create_task(app.state.idle.watch())]
        yield
        for task in tasks:
            task.cancel()
        closing.set()
        app.state.follower.close()
        app.state.preparer.close()
        await asyncio.to_thread(app.state.jobs.close)

    app = FastAPI(
        title="rollwise", version=__version__, lifespan=living, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        redirect_slashes=False, summary="The best move in a dice game, exactly, with a proof.",
    )  # fmt: skip
    app.state.closing, app.state.rivals = Event(), Rivals()
    app.state.puzzles, app.state.cards, app.state.wholes, app.state.risks = (AnswerCache() for _ in range(4))
    _add_faults(app)
    _add_api(app, limits)
    app.state.pages = Pages()
    _add_pages(app, app.state.pages)
    app.add_middleware(Guard, body_bytes=limits.body_bytes, hosts=hosts)
    return app


def _add_pages(app: FastAPI, pages: Pages) -> None:
    routes: dict[str, Callable[..., Any]] = {
        "/": pages.first, "/manifest.webmanifest": pages.manifest, "/sw.js": pages.service_worker,
        "/static/{name:path}": pages.asset,
    }  # fmt: skip
    for path, answer in routes.items():
        app.add_api_route(path, answer, include_in_schema=False, methods=["GET", "HEAD"])


def _add_faults(app: FastAPI) -> None:
    """Answer every fault in one line."""

    @app.exception_handler(RollwiseError)
    async def refuse(_request: Request, error: RollwiseError) -> Response:
        return _refusal(error)

    @app.exception_handler(MemoryError)
    async def full(_request: Request, _error: MemoryError) -> Response:
        return Fault({"detail": Message("server.memory")}, 413)

    @app.exception_handler(RequestValidationError)
    async def misread(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if isinstance(error.body, bytes):
            return Fault({"detail": "the body is not sent as JSON: give the header 'content-type: application/json'"}, 415)
        if first["type"] == "json_invalid":
            return Fault({"detail": f"the body is not JSON: at character {first['loc'][-1]}, {first['ctx']['error']}"}, 400)
        if first["loc"] == ("body",) and request.headers.get("content-length") == "0":
            return Fault({"detail": "the body is empty: expected JSON"}, 400)
        where = ".".join(str(part) for part in first["loc"][1:])[:200] or "the body"
        return Fault({"detail": f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}"}, 422)

    @app.exception_handler(StarletteHTTPException)
    async def other(_request: Request, error: StarletteHTTPException) -> Response:
        return Fault({"detail": error.detail}, error.status_code, error.headers)


def _refusal(error: RollwiseError, parameter: str | None = None) -> Fault:
    """Say what is wrong, and where: in a game file, or in the parameters of a game."""
    status = 413 if isinstance(error, TooLarge) else 429 if isinstance(error, Busy) else 422
    place = zip(("line", "column", "parameter"), (*place_of(error), parameter), strict=True)
    return Fault({"detail": players_words(error), **{name: at for name, at in place if at is not None}}, status)


def _solution(request: Request, asked: schema.GameRequest) -> Solution:
    jobs: Jobs = request.app.state.jobs
    state = getattr(asked, "state", None)
    found = jobs.solution(asked.game, asked.parameters, asked.objective, file=asked.file, state=state)
    if found is None:
        raise _not_solved(asked)
    return found


def _not_solved(asked: schema.GameRequest) -> HTTPException:
    aim = "" if asked.objective is None else " and this objective"
    return HTTPException(
        409, f"{asked.game or 'this file'} with these parameters{aim} is not solved here: POST it to /api/solve first"
    )


async def _solve_part(request: Request, asked: schema.AdviseRequest, seconds: float) -> None:
    """Solve what can follow from a position, if that takes a moment and nothing that is solved has it."""
    jobs: Jobs = request.app.state.jobs
    if asked.objective is None or asked.file is not None:
        return
    if jobs.solution(asked.game, asked.parameters, asked.objective, state=asked.state) is not None:
        return
    try:
        job = jobs.submit(asked.game, asked.parameters, asked.objective, place=Place(asked.state), whole=False)
    except NotSolved:
        raise _not_solved(asked) from None
    end = monotonic() + seconds
    while not job.done.is_set() and monotonic() < end and not await request.is_disconnected():
        job.waiting.ask()
        await asyncio.sleep(AT_ONCE / 10)


def _job(request: Request, key: str) -> Job:
    job: Job | None = request.app.state.jobs.find(key)
    if job is None:
        raise HTTPException(404, Message("server.no-solve", {"name": key}))
    return job


def _add_api(app: FastAPI, limits: Limits) -> None:
    post = partial(app.post, responses=_FAULTS)
    _add_reading(app)
    _add_solving(app, limits)
    _add_distributions(app, limits)
    _add_replies(app)
    _add_puzzles(app)
    _add_tables(app, limits)
    _add_cards(app)

    @post("/api/advise", response_model=schema.Advice, summary="Rank the moves of a position")
    async def advise(request: Request, asked: schema.AdviseRequest) -> Response:
        await _solve_part(request, asked, limits.follow_seconds)
        work = partial(answer_advice, _solution(request, asked), asked.state, asked.top, asked.reasons)
        return JsonAnswer(work() if asked.file is None else await app.state.follower.run(request, lambda _: work(), "read"))

    @post("/api/rolls", response_model=schema.Rolls, summary="What may be rolled after a move, or at the start")
    async def rolls(request: Request, asked: schema.RollsRequest) -> Response:
        work = partial(answer_rolls, _solution(request, asked), asked)
        return JsonAnswer(await app.state.follower.run(request, lambda _: work(), "read"))

    @post("/api/grade", response_model=schema.Graded, summary="Grade a game that was played: luck and mistakes")
    async def grade(request: Request, asked: schema.GradeRequest) -> Response:
        lines = [Line(line.kind, line.text, number) for number, line in enumerate(asked.lines, 1)]
        work = partial(answer_grade, _solution(request, asked), asked.game or "game file", lines)
        return JsonAnswer(await app.state.follower.run(request, work, "short" if len(lines) <= SHORT_GAME else "long"))

    @post("/api/rules", response_model=schema.RulesInfo, summary="Tell how a game is played, with an example for each box")
    async def rules(request: Request, asked: schema.GameRequest) -> Response:
        def work(progress: Any) -> Any:
            aim, late = make_objective(asked.objective), partial(is_late, progress)
            return describe_rules(make_asked(asked.game, asked.file, asked.parameters, limits, aim, late))

        return JsonAnswer(await app.state.follower.run(request, work, "read"))

    @post("/api/contest/{problem}", response_model=schema.Answer, summary="Answer a contest file")
    async def answer_contest_file(
        request: Request, problem: Literal["words", "groups"], asked: schema.ContestRequest
    ) -> Response:
        def work(progress: Any) -> str:
            return "\n".join(answer_contest(problem, asked.input, progress, check=partial(check_size, limits=limits)))

        return JsonAnswer({"output": await app.state.follower.run(request, work)})


def _add_distributions(app: FastAPI, limits: Limits) -> None:
    post = partial(app.post, responses={**_FAULTS, **_PREPARING}, response_model=schema.Outlook)

    @post("/api/outlook", summary="What comes after a move, as a distribution")
    async def outlook(request: Request, asked: schema.OutlookRequest) -> Response:
        solution = _solution(request, asked)
        look = partial(look_up_outlook, solution, asked, limits.work_bytes, app.state.preparer)
        return await _distribution(request, look, partial(answer_outlook, solution, asked, limits.work_bytes))

    @post("/api/distribution", summary="The distribution of a whole game")
    async def whole(request: Request, asked: schema.DistributionRequest) -> Response:
        solution, answers = _solution(request, asked), app.state.wholes
        known = answers.known(solution, "whole")
        if known is not None:
            return JsonAnswer(known)
        look = partial(look_up_whole, solution, asked.exact, limits.work_bytes, app.state.preparer)
        answer = await _distribution(request, look, partial(answer_whole, solution, limits.work_bytes))
        if asked.exact:
            answers.find(solution, "whole", lambda: answer.content)
        return answer

    @app.post("/api/risk", response_model=schema.RiskInfo, responses=_FAULTS, summary="What a plan of the risk dial gives up")
    async def risk(request: Request, asked: schema.GameRequest) -> Response:
        solution, jobs = _solution(request, asked), app.state.jobs
        best_mean = partial(jobs.best_mean, solution, job_id(asked.game, asked.parameters, file=asked.file))
        work = partial(answer_risk, solution, best_mean, app.state.risks, limits.work_bytes)
        return JsonAnswer(await app.state.follower.run(request, work, "slow", seconds=limits.seconds))


async def _distribution(request: Request, look: Work, follow: Work) -> JsonAnswer:
    """Answer with a distribution that is kept, or say that it is being prepared (202), or follow it to the end."""
    follower: Follower = request.app.state.follower
    found = await follower.run(request, look, "quick")
    if isinstance(found, str):
        found = await follower.run(request, follow, cast("Lane", found))
    return JsonAnswer(found, 202 if "preparing" in found else 200)


async def _kept(request: Request, answers: AnswerCache, solution: Solution, question: Any, work: Work) -> JsonAnswer:
    """Answer with what was cached, or with what `work` finds."""
    found = answers.known(solution, question)
    if found is None:
        follower: Follower = request.app.state.follower
        found = await follower.run(request, lambda progress: answers.find(solution, question, lambda: work(progress)))
    return JsonAnswer(found)


def _add_replies(app: FastAPI) -> None:
    @app.post("/api/reply", response_model=schema.Reply, responses=_FAULTS, summary="What an opponent does in a position")
    async def reply(request: Request, asked: schema.ReplyRequest) -> Response:
        solution, rivals = _solution(request, asked), app.state.rivals

        def work(progress: Any) -> Any:
            return rivals.reply(solution, asked.opponent, asked.state, lambda: app.state.jobs.expert(solution, progress))

        if rivals.is_known(solution, asked.opponent, asked.state):
            return JsonAnswer(work(None))
        return JsonAnswer(await app.state.follower.run(request, work, "short"))


def _add_puzzles(app: FastAPI) -> None:
    @app.post("/api/puzzles", response_model=schema.Puzzles, responses=_FAULTS, summary="Set puzzles of a solved game")
    async def puzzles(request: Request, asked: schema.PuzzlesRequest) -> Response:
        solution = _solution(request, asked)
        find = partial(find_puzzles, solution, asked.seed, asked.n)
        return await _kept(request, app.state.puzzles, solution, (asked.seed, asked.n), find)


def _add_tables(app: FastAPI, limits: Limits) -> None:
    binary: Faults = {200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}

    @app.post(
        "/api/table", response_class=Response, responses={**_FAULTS, **binary},
        summary="A solved game as a file, from which the page answers without a server",
    )  # fmt: skip
    async def table(request: Request, asked: schema.GameRequest) -> Response:
        solution = _solution(request, asked)
        question = Asked(asked.game, asked.file, asked.parameters, asked.objective)

        def work(progress: Any) -> bytes:
            return pack_table(solution, question, progress=progress)

        content = await app.state.follower.run(request, work, seconds=limits.table_seconds)
        return Response(content, media_type="application/octet-stream")


def _add_cards(app: FastAPI) -> None:
    @app.post(
        "/api/card", response_model=schema.CardInfo, responses=_FAULTS,
        summary="A strategy card: a known one of a game with its usual rules, solved or not; else of a solved game",
    )  # fmt: skip
    async def card(request: Request, asked: schema.CardRequest) -> Response:
        name, size = asked.game, asked.size
        if name is not None and name in CATALOGUE and not asked.parameters and asked.objective is None:
            known = await app.state.follower.run(request, lambda _: known_answer(name, size), "read")
            if known is not None:
                return JsonAnswer(known)
        solution = _solution(request, asked)
        return await _kept(request, app.state.cards, solution, size, partial(find_answer, solution, name, size))


def _add_reading(app: FastAPI) -> None:
    @app.get("/api/health", response_model=schema.Health, summary="Say that the server is well")
    async def health() -> Response:
        jobs: Jobs = app.state.jobs
        solving = jobs.solving()
        about = {"solved": jobs.solved(), "queued": len(jobs.waiting()), "solving": solving and solving.id}
        about |= {"following": sum(app.state.follower.waiting.values()), "streams": app.state.news.streams}
        return JsonAnswer({"status": "ok", "version": __version__, **about})

    @app.get("/api/games", response_model=list[schema.GameInfo], summary="List the games")
    async def games() -> Response:
        return JsonAnswer(describe_catalogue())


def _add_solving(app: FastAPI, limits: Limits) -> None:
    faults: Faults = {key: _FAULTS[key] for key in (404, 422, 429)}

    @app.post("/api/solve", response_model=schema.Job, responses=_FAULTS, summary="Solve a game in the background")
    async def submit(request: Request, asked: schema.SolveRequest, visitor: Visitor = ANYBODY) -> Response:
        jobs: Jobs = app.state.jobs
        place = None if asked.state is None else Place(asked.state, asked.total)
        submit = partial(
            jobs.submit, asked.game, asked.parameters, asked.objective, file=asked.file, visitor=visitor, place=place
        )
        if asked.file is None:
            try:
                job = submit()
            except GameError as error:
                return _refusal(error, field_at_fault(asked.game or "", asked.parameters, asked.objective, limits))
        else:
            job = await app.state.follower.run(request, lambda progress: submit(is_late=partial(is_late, progress)), "read")
        for _ in range(10):
            if job.done.is_set():
                break
            await asyncio.sleep(AT_ONCE / 10)
        return JsonAnswer(describe_job(jobs, job))

    @app.get("/api/solve/{key}", response_model=schema.Job, responses=faults, summary="Say how far a solve is")
    async def status(request: Request, key: JobId, visitor: Visitor = ANYBODY) -> Response:
        job = _job(request, key)
        job.waiting.ask(visitor)
        return JsonAnswer(describe_job(app.state.jobs, job))

    @app.delete("/api/solve/{key}", response_model=schema.Job, responses=faults, summary="Leave a solve")
    async def leave(request: Request, key: JobId, visitor: Visitor = ANYBODY) -> Response:
        job = _job(request, key)
        app.state.jobs.leave(job, visitor)
        return JsonAnswer(describe_job(app.state.jobs, job))

    @app.get(
        "/api/solve/{key}/events", response_class=StreamingResponse, summary="Stream how far a solve is",
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **faults},
    )  # fmt: skip
    async def events(request: Request, key: JobId, visitor: Visitor = ANYBODY, language: Language = "") -> StreamingResponse:
        news: News = app.state.news
        news.check_room()
        chosen = choose_language(language or request.headers.get("accept-language", ""))
        headers = {"content-language": chosen, "vary": "accept-language"}
        return StreamingResponse(news.follow(_job(request, key), visitor, chosen), 200, headers, "text/event-stream")
