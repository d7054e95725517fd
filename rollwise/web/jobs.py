"""Games solve one after another in the background, each once; finished ones stay in memory and in the cache.

A solve runs in the one worker thread, so that the compiled engines have the cores to themselves. It is stopped through its
progress calls: when it is cancelled, when it takes too long, when the server closes. A solve that ended is in the cache before
anybody hears that it has, so closing loses none. Those that a client waits for (`waiting`) go first; one that no client waits for
any more stops for them and begins again later, where its solver keeps layers with the last of these.
"""

import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from threading import Event, Lock
from time import monotonic
from typing import Any, Literal

from rollwise import cache
from rollwise.errors import RollwiseError
from rollwise.games import CATALOGUE
from rollwise.model.abilities import dimensions, single_player
from rollwise.model.game import Game, Progress
from rollwise.model.message import Message, Text
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import aims_of
from rollwise.model.view import view_of
from rollwise.playing.explain import explain
from rollwise.playing.opponents import resolve
from rollwise.playing.rivals import opponents_in
from rollwise.playing.roll_source import RollSource
from rollwise.solvers.base.abilities import UsesMemory, ability
from rollwise.solvers.base.array_files import file_size
from rollwise.solvers.base.solution import Solution
from rollwise.web.json_answer import one_line
from rollwise.web.limits import Limits, canonical, make_asked, make_objective
from rollwise.web.memory import freeze, lower_priority, thaw
from rollwise.web.waiting import ANYBODY, Waiting
from rollwise.web.work import Busy, Stopped, name_work, stopper
from rollwise.wire.to_json import describe_proof, describe_solution

__all__ = ["Job", "Jobs", "describe_job", "describe_result", "place_of"]

Json = dict[str, Any]

Status = Literal["queued", "solving", "solved", "failed", "cancelled"]

MOMENT = 4.0
"""Seconds to solve or read a game that are no loss when it was dropped."""
PRIORITY = 2
"""How far the worker stands back for those that answer."""

_log = logging.getLogger("rollwise.web")


@dataclass(eq=False)
class Job:
    """A game to solve and how far it is. Only the worker changes it once it runs; readers see one field at a time."""

    id: str
    name: str | None
    parameters: dict[str, str]
    game: Game[Any, Any, Any]
    objective: Objective | None = None
    status: Status = "queued"
    progress: tuple[str, int, int | None] | None = None
    error: Text | None = None
    place: tuple[int | None, int | None] = (None, None)
    solution: Solution | None = None
    mapped: dict[str, int] = field(default_factory=dict)
    """The files that it reads from while it is used, with their sizes: one that was cut short would end the process."""
    result: Json | None = None
    stop: Event = field(default_factory=Event)
    done: Event = field(default_factory=Event)
    waiting: Waiting = field(default_factory=Waiting)
    number: int = field(default_factory=count().__next__)
    gives_way: bool = False

    @cached_property
    def board(self) -> Json:
        """What lies on the table before the game is solved."""
        return dict(view_of(self.game).board())

    @cached_property
    def solved_board(self) -> Json:
        """What lies on the table: of a solved game, in the form that its positions have, with the points that win."""
        if self.solution is None:
            return self.board
        objective = self.solution.objective
        more = {"mark": None if self.solution.two_players else objective.mark, "bound": objective.bound}
        board = view_of(self.solution.game).board()
        return {**board, **{name: number for name, number in more.items() if number is not None}}

    @cached_property
    def aims(self) -> list[Json]:
        """What the game can be played for, its own aim first and in its own words."""
        own, *others = (aim.as_dict() for aim in aims_of(self.game))
        return [{**own, "help": _sentence(self.game.objective, self.game)}, *others]

    @property
    def aim(self) -> Json:
        """Which of the aims it is solved for, and what stands in the fields."""
        if self.objective is None:
            return {"name": self.aims[0]["name"], "values": {}}
        fields = dict(self.objective.fields)
        return {"name": fields.pop("aim"), "values": fields}

    @property
    def title(self) -> Text:
        """What to call the game: its name, or that in its file."""
        return view_of(self.game).title if self.name is None else CATALOGUE[self.name].title or self.name

    @property
    def about(self) -> Text:
        """What the game is, in a sentence."""
        return view_of(self.game).about if self.name is None else CATALOGUE[self.name].summary

    @property
    def wanted(self) -> bool:
        """Whether it is solved or will be; a solved game stays solved, even if it is cancelled."""
        return self.status == "solved" or (self.status in ("queued", "solving") and not self.stop.is_set())


def _rule_bytes(game: Game[Any, Any, Any]) -> int:
    """Say about how much memory the rules of a game take: those of a game file may take more than its solution."""
    return dimensions(game).get("bytes of its rules", 0)


def _said(error: RollwiseError) -> Text:
    """Give what a fault says, not too long."""
    return one_line(error.said) if isinstance(error.said, str) else error.said


def place_of(error: RollwiseError) -> tuple[int | None, int | None]:
    """Give the line and the column of a fault in a game file; None where they are not known."""
    return getattr(error, "line", None), getattr(error, "column", None)


def job_id(name: str | None, parameters: dict[str, str], objective: str | None = None, file: str | None = None) -> str:
    """Name the job of a game, or of the text of a game file: the same for the same parameters in any order."""
    asked = repr(sorted(parameters.items())) + (canonical(objective) or "") + ("" if file is None else f"\0{file}")
    digits = 12 if file is None else 24
    return f"{name or 'file'}-{sha256(asked.encode('utf-8', 'surrogatepass')).hexdigest()[:digits]}"


class Jobs:
    """The games that are solved, being solved and waiting, oldest use first."""

    def __init__(
        self, limits: Limits, directory: Path | None = None, afterwork: Callable[[Solution], None] = lambda _: None,
        closing: Event | None = None,
    ) -> None:  # fmt: skip
        self.limits, self.directory, self.afterwork, self.closing = limits, directory, afterwork, closing or Event()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="solve", initializer=lower_priority, initargs=(PRIORITY,))
        self._tidying = Lock()
        self.uses = 0
        """How often a job was submitted or its solution used."""

    def submit(
        self, name: str | None, parameters: dict[str, str], objective: str | None = None, *, file: str | None = None,
        visitor: str = ANYBODY, is_late: Callable[[], bool] = lambda: False,
    ) -> Job:  # fmt: skip
        """Queue a game by its name or its file, unless it is there; the visitor waits for it.

        Raises `GameError` for a game that is faulty or too large, `Busy` if many wait.
        """
        key = job_id(name, parameters, objective, file)
        known = self._jobs.get(key)
        if known and known.wanted:
            self._touch(key)
            known.waiting.ask(visitor)
            return known
        aim = make_objective(objective)
        game = make_asked(name, file, parameters, self.limits, aim, is_late)
        self._make_room(_rule_bytes(game))
        job = self._jobs[key] = Job(key, name, dict(parameters), game, aim)
        job.waiting.ask(visitor)
        self._touch(key)
        self._worker.submit(self._run)
        if len(self._jobs) > self.limits.solutions + self.limits.queue + 1:
            self.forget()  # games that were left while another one is solved: the worker has no time to forget them
        return job

    def _make_room(self, rule_bytes: int) -> None:
        """Take what nobody waits for out of a full queue, the last first. Raises `Busy` if there is nothing."""
        queue = self.waiting()
        taken = sum(_rule_bytes(job.game) for job in queue)
        if len(queue) >= self.limits.queue or (queue and taken + rule_bytes > self.limits.work_bytes):
            if queue[-1].waiting.anybody:
                raise Busy(Message("server.queue", {"n": len(queue)}))
            self.cancel(queue[-1])

    def find(self, key: str) -> Job | None:
        """Give a job by its name; None if there is none, or it was forgotten."""
        return self._jobs.get(key)

    def solution(
        self, name: str | None, parameters: dict[str, str], objective: str | None = None, *, file: str | None = None
    ) -> Solution | None:
        """Give the solution of a game; None unless it is solved."""
        key = job_id(name, parameters, objective, file)
        job = self._jobs.get(key)
        if job is None or job.solution is None:
            return None
        if any(os.path.lexists(file) and file_size(Path(file)) != size for file, size in job.mapped.items()):
            _log.warning("what is cached of %s was changed while it was in use: it is solved again on demand", key)
            self._jobs.pop(key, None)
            return None
        self._touch(key)
        return job.solution

    def _touch(self, key: str) -> None:
        """Note that a job was used; the worker may just have forgotten it."""
        with self._tidying:
            self.uses += 1
            if key in self._jobs:
                self._jobs.move_to_end(key)

    def leave(self, job: Job, visitor: str = ANYBODY) -> None:
        """Drop a client that waited for a job; the job is stopped if no other client waits."""
        job.waiting.leave(visitor)
        if not job.waiting.anybody:
            self.cancel(job)

    def cancel(self, job: Job) -> None:
        """Stop a job, even if clients wait for it; a solved one stays as it is."""
        job.stop.set()
        if job.status == "queued":
            job.status = "cancelled"
            job.done.set()

    def waiting(self) -> list[Job]:
        """List the jobs in the queue: those that a client waits for before the others, first come first."""
        queue = [job for job in list(self._jobs.values()) if job.status == "queued"]
        return sorted(queue, key=lambda job: (not job.waiting.anybody, job.number))

    def solving(self) -> Job | None:
        """Give the job that is being solved."""
        return next((job for job in list(self._jobs.values()) if job.status == "solving"), None)

    def solved(self) -> int:
        """Count the solutions in memory."""
        return sum(job.status == "solved" for job in list(self._jobs.values()))

    def close(self) -> None:
        """Stop what runs and waits, and wait until the worker is done; what is being written is written."""
        self.closing.set()
        for job in list(self._jobs.values()):
            if job.status in ("queued", "solving"):
                self.cancel(job)
        self._worker.shutdown(wait=True, cancel_futures=True)

    def forget(self) -> None:
        """Drop the least recently used finished jobs beyond the limits on number and memory; what several share counts once."""
        if self.closing.is_set():
            return  # to collect millions of objects takes seconds in which no other thread runs, and the process ends anyway
        kept = dropped = 0
        held: dict[Any, int] = {}
        with self._tidying:
            for key, job in reversed(list(self._jobs.items())):
                if job.status in ("queued", "solving"):
                    continue
                used = ability(job.solution, UsesMemory).memory_use() if job.solution else {}
                kept, held = kept + 1, {**held, id(job): _rule_bytes(job.game), **used}
                if kept > self.limits.solutions or (sum(held.values()) > self.limits.memory and kept > 1):
                    self._jobs.pop(key, None)
                    dropped += 1
        if dropped:
            thaw()
        freeze()

    def release(self) -> None:
        """Drop the finished jobs that are solved again, or read from the cache, in no time."""
        with self._tidying:
            for key, job in list(self._jobs.items()):
                if job.status not in ("queued", "solving") and self._comes_back(job):
                    self._jobs.pop(key, None)

    def _comes_back(self, job: Job) -> bool:
        """Say whether a finished job takes no more than a moment the next time; to be read, some games are explored first."""
        if job.solution is None or job.solution.seconds < MOMENT:
            return True
        begun = monotonic()
        with suppress(RollwiseError, OSError):
            there = cache.load(
                job.game, job.solution.objective, self.directory, max_states=self.limits.states_of(job.game), whole=False
            )
            return there is not None and monotonic() - begun < MOMENT
        return False

    def _run(self) -> None:
        """Solve the next job, if there is one that was not cancelled; finished jobs of any kind count for what is kept."""
        job = next(iter(self.waiting()), None)
        if job is None:
            self.forget()
            return
        self._solve(job)
        if job.status == "queued":
            self._worker.submit(self._run)
            freeze()
            return
        self.forget()
        job.done.set()
        if job.solution is not None:
            self.afterwork(job.solution)

    def _solve(self, job: Job) -> None:
        job.status = "solving"
        try:
            solution = self._solution(job)
            used = ability(solution, UsesMemory).memory_use()
            job.mapped = {file: file_size(Path(file)) for file in used if isinstance(file, str)}
            job.solution = solution
            job.result = describe_result(job.solution)
            job.solved_board  # noqa: B018  (computed here, not while others wait)
            job.status = "solved"
        except Stopped as reason:
            if job.gives_way and not job.stop.is_set():
                job.status, job.progress, job.gives_way = "queued", None, False
            else:
                job.status, job.error = ("cancelled", None) if job.stop.is_set() else ("failed", reason.args[0])
        except RollwiseError as error:
            job.status, job.error, job.place = "failed", _said(error), place_of(error)
        except MemoryError:
            job.status, job.error = "failed", Message("server.memory-game")
        except Exception:
            _log.exception("solving %s failed", job.id)
            job.status, job.error = "failed", Message("server.solving-failed")

    def _solution(self, job: Job) -> Solution:
        def report(what: str, done: int, total: int | None) -> None:
            job.progress = what, done, total
            if self.closing.is_set():
                self.cancel(job)
            self._give_way(job)

        progress = stopper(job.stop, self.limits.seconds, report)

        def solve(objective: Objective | None) -> Solution:
            return cache.solve(
                job.game, objective=objective, max_states=self.limits.states_of(job.game), progress=progress,
                directory=self.directory, name=job.name or view_of(job.game).title, parameters=short(job.parameters),
                refused=_log.warning, worth_seconds=None if self._room() else inf,
            )  # fmt: skip

        aim = job.objective and resolve(job.objective, job.game, expert=lambda: solve(Expected()), progress=progress)
        solution = solve(aim)
        _rehearse(solution)
        return solution

    def _give_way(self, job: Job) -> None:
        """Stop a job that nobody waits for while others wait: it is queued again, behind them."""
        if not job.waiting.anybody and any(other.waiting.anybody for other in self.waiting()):
            job.gives_way = True
            raise Stopped("others go first")

    def expert(self, solution: Solution, progress: Progress) -> Solution:
        """Solve the game of one player that a duel is made of, for the expected total, or load it."""
        return cache.solve(
            single_player(solution.game), Expected(), max_states=self.limits.states, directory=self.directory, progress=progress,
            refused=_log.warning, worth_seconds=None if self._room() else inf,
        )  # fmt: skip

    def _room(self) -> bool:
        """Say whether the cache may grow."""
        try:
            return sum(entry.bytes for entry in cache.entries(self.directory)) < self.limits.store_bytes
        except (RollwiseError, OSError):
            return False


def _rehearse(solution: Solution) -> None:
    """Advise once, so that what every advice looks up is computed here, not while others wait."""
    game = solution.game
    state = RollSource(game, Random(0)).draw(game.start())
    for move in solution.ranked(state)[:1]:
        explain(solution, state, move.action)


def describe_result(solution: Solution) -> Json:
    """Describe a solution as a job does that is solved."""
    found = describe_solution(solution)
    proof = {"certificate": describe_proof(solution), "proof": found["certificate"]}
    objective, game = solution.objective, solution.game
    about = {
        "unit": objective.words(game).unit, "share": objective.wins, "sentence": _sentence(objective, game),
        "remark": objective.remark(solution.value()) or None, "two_players": solution.two_players,
        "opponents": list(opponents_in(solution)),
    }  # fmt: skip
    return {**found, **proof, "bound": solution.certificate.error_bound, **about}


def _sentence(objective: Objective, game: Game[Any, Any, Any]) -> Text:
    return Message("aim.sentence", {"aim": objective.aim(game)})


def describe_job(jobs: Jobs | None, job: Job) -> Json:
    """Describe a job, which may be none of a server's (None), and, when it is solved, its result."""
    waiting = jobs.waiting() if jobs else []
    ahead = waiting.index(job) + (jobs.solving() is not None) if jobs and job in waiting else 0
    progress = job.progress
    return {
        "id": job.id, "game": job.name, "title": job.title, "about": job.about, "parameters": short(job.parameters),
        "known": [parameter.as_dict() for parameter in job.game.parameters],
        "objective": None if job.objective is None else job.objective.text, "aims": job.aims, "aim": job.aim,
        "status": job.status, "ahead": ahead,
        "progress": progress and {"what": name_work(progress[0]), "done": progress[1], "total": progress[2]}, "error": job.error,
        "line": job.place[0], "column": job.place[1],
        "board": job.solved_board if job.result else job.board, "result": job.result,
    }  # fmt: skip


def short(parameters: dict[str, str]) -> dict[str, str]:
    """Give parameters as listings show them."""
    return {key: text if len(text) <= 200 else f"{text[:200]}..." for key, text in parameters.items()}
