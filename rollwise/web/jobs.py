"""Games solve one after another in the background, each once; finished ones stay in memory and in the cache.

A solve runs in the one worker thread, so that the compiled engines have the cores to themselves. It is stopped through its
progress calls: when it is cancelled, when it takes too long, when the server closes. A solve that ended is in the cache before
anybody hears that it has, so closing loses none. Those that a client waits for (`waiting`) go first; one that no client waits for
any more stops for them and begins again later, where its solver keeps layers with the last of these. One that is known to be long
lets short ones be solved in between, within its progress calls, and loses nothing.
"""

import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import count
from math import ceil, inf
from pathlib import Path
from random import Random
from threading import Event, Lock
from time import monotonic
from typing import Any, Literal, NamedTuple

from rollwise import cache
from rollwise.errors import RollwiseError
from rollwise.games import CATALOGUE
from rollwise.model.abilities import dimensions, single_player, unlifted
from rollwise.model.game import Game, Progress, objective_of
from rollwise.model.lift import LiftedGame, lifted_game
from rollwise.model.message import Message, Text
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import Lowest, aims_of
from rollwise.model.view import board_of, view_of
from rollwise.playing.explain import explain
from rollwise.playing.opponents import resolve
from rollwise.playing.rivals import opponents_in
from rollwise.playing.roll_source import RollSource
from rollwise.solvers.base.abilities import AnswersTargets, UsesMemory, ability
from rollwise.solvers.base.array_files import file_size
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.choose_solver import choose_solver
from rollwise.web.json_answer import one_line
from rollwise.web.limits import ANY_TOTAL, Limits, canonical, make_asked, make_objective, players_words
from rollwise.web.memory import freeze, lower_priority, thaw
from rollwise.web.waiting import ANYBODY, Waiting
from rollwise.web.work import Busy, Stopped, name_work, stopper
from rollwise.wire.to_json import describe_proof, describe_solution

__all__ = ["Job", "Jobs", "NotSolved", "Place", "describe_job", "describe_result", "job_id", "place_of"]

Json = dict[str, Any]

Status = Literal["queued", "solving", "solved", "failed", "cancelled"]

MOMENT = 4.0
"""Seconds to solve or read a game that are no loss when it was dropped."""
PRIORITY = 2
"""How far the worker stands back for those that answer."""
LONG_SECONDS = 30.0
"""A solve that is estimated to take longer lets others go first."""
RATE_SECONDS = 5.0
"""Time after which it is said how long a solve will take."""
ROUND_SECONDS = 5
"""What that is rounded up to."""
LAYERS = Path("layers")
"""Stands for the place of the layers where it is only asked what solving takes."""

_log = logging.getLogger("rollwise.web")


@dataclass(eq=False)
class Job:
    """A game to solve and how far it is. Only the worker changes it once it runs; readers see one field at a time."""

    id: str
    name: str | None
    parameters: dict[str, str]
    game: Game[Any, Any, Any]
    objective: Objective | None = None
    start: Any = None
    """Where the part of the game begins that is solved; None: all of it is."""
    status: Status = "queued"
    progress: tuple[str, int, int | None] | None = None
    rate: "Rate | None" = None
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
    rules: str = ""
    """Names the game and its parameters: jobs with the same differ in what is played for."""

    @cached_property
    def board(self) -> Json:
        """What lies on the table before the game is solved."""
        return dict(board_of(self.game))

    @cached_property
    def solved_board(self) -> Json:
        """What lies on the table: of a solved game, in the form that its positions have, with the points that win."""
        if self.solution is None:
            return self.board
        objective = self.solution.objective
        more = {"mark": None if self.solution.two_players else objective.mark, "bound": objective.bound}
        board = board_of(self.solution.game)
        return {**board, **{name: number for name, number in more.items() if number is not None}}

    @cached_property
    def aims(self) -> list[Json]:
        """What the game can be played for, its own aim first and in its own words."""
        own, *others = (aim.as_dict() for aim in aims_of(self.game))
        return [{**own, "help": _sentence(self.game.objective, self.game)}, *others]

    @property
    def aim(self) -> Json:
        """Which of the aims it is solved for, and what stands in the fields; and the target, where that was chosen for it."""
        if self.objective is None:
            return {"name": self.aims[0]["name"], "values": {}}
        fields = dict(self.objective.fields)
        target = None if self.solution is None else getattr(self.solution.objective, "target", None)
        return {"name": fields.pop("aim"), "values": fields if target is None else {**fields, "target": str(target)}}

    @property
    def title(self) -> Text:
        """What to call the game: its name, or that in its file."""
        return view_of(self.game).title if self.name is None else CATALOGUE[self.name].title or self.name

    @property
    def about(self) -> Text:
        """What the game is, in a sentence."""
        return view_of(self.game).about if self.name is None else CATALOGUE[self.name].summary

    @cached_property
    def is_long(self) -> bool:
        """Whether it is known to take long. What is solved for a player who is not known yet is as long as for any other."""
        if self.start is not None:
            return False
        aim, options = objective_of(self.game, self.objective).resolved(lambda: ANY_TOTAL), SolveOptions()
        solver = choose_solver(self.game, aim, options)
        return solver.layered and (solver.plan(self.game, aim, replace(options, checkpoint=LAYERS)).seconds or 0) > LONG_SECONDS

    def advance(self, what: str, done: int, total: int | None) -> None:
        """Note how far it is."""
        self.progress = what, done, total
        if self.rate is None or self.rate.what != what:
            self.rate = Rate(what, done, monotonic())

    @property
    def seconds_left(self) -> int | None:
        """How long the rest takes if it goes on as it went so far; None: that is not known, or not yet."""
        if self.progress is None or self.rate is None or self.status != "solving":
            return None
        return self.rate.seconds_left(*self.progress[1:])

    @property
    def wanted(self) -> bool:
        """Whether it is solved or will be; a solved game stays solved, even if it is cancelled."""
        return self.status == "solved" or (self.status in ("queued", "solving") and not self.stop.is_set())


class NotSolved(Exception):
    """The game must be solved first."""


@dataclass(frozen=True)
class Rate:
    """When some work began, and with how much of it done already: layers that were there count, and took no time."""

    what: str
    begun: int
    since: float

    def seconds_left(self, done: int, total: int | None) -> int | None:
        """Give the time that the rest takes at the pace so far; None until that is known."""
        passed = monotonic() - self.since
        if total is None or done <= self.begun or passed < RATE_SECONDS:
            return None
        return ceil(passed * (total - done) / (done - self.begun) / ROUND_SECONDS) * ROUND_SECONDS


def _rule_bytes(game: Game[Any, Any, Any]) -> int:
    """Say about how much memory the rules of a game take: those of a game file may take more than its solution."""
    return dimensions(game).get("bytes of its rules", 0)


def _said(error: RollwiseError) -> Text:
    """Give what a fault says, not too long."""
    said = players_words(error)
    return one_line(said) if isinstance(said, str) else said


def place_of(error: RollwiseError) -> tuple[int | None, int | None]:
    """Give the line and the column of a fault in a game file; None where they are not known."""
    return getattr(error, "line", None), getattr(error, "column", None)


def job_id(name: str | None, parameters: dict[str, str], objective: str | None = None, file: str | None = None) -> str:
    """Name the job of a game, or of the text of a game file: the same for the same parameters in any order."""
    asked = repr(sorted(parameters.items())) + (canonical(objective) or "") + ("" if file is None else f"\0{file}")
    digits = 12 if file is None else 24
    return f"{name or 'file'}-{sha256(asked.encode('utf-8', 'surrogatepass')).hexdigest()[:digits]}"


class Place(NamedTuple):
    """A position of a game: a state with the points that are needed or gained, or without them and the points gained before."""

    state: str
    total: int = 0


def _part(game: Game[Any, Any, Any], objective: Objective | None, place: Place) -> Any:
    """Give where a part of a game begins in which a position is; None where all of it is solved, or the position is none."""
    aim = objective_of(game, objective).resolved(lambda: ANY_TOTAL)
    with suppress(RollwiseError):
        lifted = lifted_game(game, aim)
        if isinstance(lifted, LiftedGame):
            return choose_solver(game, aim, SolveOptions()).part(game, aim, _lift(lifted, place), SolveOptions())
    return None


def _lift(game: LiftedGame, place: Place) -> Any:
    """Read a place as a position of a game that counts points. Raises `PositionError`."""
    with suppress(RollwiseError):
        return game.read_state(place.state)
    return game.lift(game.game.read_state(place.state), game.after(game.start().points, place.total))


def part_id(key: str, start: Any) -> str:
    """Name the job of a part of a game."""
    return f"{key}-{sha256(repr(start).encode()).hexdigest()[:8]}"


def _occurs(job: Job, state: str) -> bool:
    """Say whether a state occurs in the part of a game that a job has solved."""
    with suppress(RollwiseError):
        return job.solution is not None and job.solution.value(state, kind="state") is not None
    return False


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
        visitor: str = ANYBODY, is_late: Callable[[], bool] = lambda: False, place: Place | None = None, whole: bool = True,
    ) -> Job:  # fmt: skip
        """Queue a game by its name or its file, unless it is there; the visitor waits for it.

        With a `place`, only what can follow from there is solved, where that is much less and the game is not solved. If `whole`
        is false, nothing else is.

        Raises `GameError` for a game that is faulty or too large, `Busy` if many wait, `NotSolved` for what is not solved.
        """
        key = job_id(name, parameters, objective, file)
        known = self._jobs.get(key)
        if known and known.wanted and (place is None or known.status == "solved"):
            return self._ask_again(known, visitor)
        aim = make_objective(objective)
        game = make_asked(name, file, parameters, self.limits, aim, is_late)
        start = None if place is None else _part(game, aim, place)
        if start is not None:
            key = part_id(key, start)
        elif not whole:
            raise NotSolved
        known = self._jobs.get(key)
        if known and known.wanted:
            return self._ask_again(known, visitor)
        self._make_room(_rule_bytes(game))
        job = self._jobs[key] = Job(key, name, dict(parameters), game, aim, start, rules=job_id(name, parameters, file=file))
        job.waiting.ask(visitor)
        self._touch(key)
        self._worker.submit(self._run)
        if len(self._jobs) > self.limits.solutions + self.limits.queue + 1:
            self.forget()  # games that were left while another one is solved: the worker has no time to forget them
        return job

    def _ask_again(self, job: Job, visitor: str) -> Job:
        """Count a visitor who asks for what is there."""
        self._touch(job.id)
        job.waiting.ask(visitor)
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
        self, name: str | None, parameters: dict[str, str], objective: str | None = None, *, file: str | None = None,
        state: str | None = None,
    ) -> Solution | None:  # fmt: skip
        """Give the solution of a game, or of a part in which a state occurs; None unless it is solved."""
        key = job_id(name, parameters, objective, file)
        job = self._jobs.get(key)
        if (job is None or job.solution is None) and state is not None:
            job = next((part for part in self._parts(key) if _occurs(part, state)), None)
        if job is None or job.solution is None:
            return None
        key = job.id
        if any(os.path.lexists(file) and file_size(Path(file)) != size for file, size in job.mapped.items()):
            _log.warning("what is cached of %s was changed while it was in use: it is solved again on demand", key)
            self._jobs.pop(key, None)
            return None
        self._touch(key)
        return job.solution

    def _parts(self, key: str) -> list[Job]:
        """List the parts of a game that are solved."""
        return [job for job in list(self._jobs.values()) if job.start is not None and job.id == part_id(key, job.start)]

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
        else:
            self._run_job(job)

    def _run_job(self, job: Job) -> None:
        self._solve(job)
        if job.status == "queued":
            self._worker.submit(self._run)
            freeze()
            return
        self.forget()
        job.done.set()
        if job.solution is not None and job.start is None:
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
                job.status, job.progress, job.rate, job.gives_way = "queued", None, None, False
            else:
                job.status, job.error = ("cancelled", None) if job.stop.is_set() else ("failed", reason.args[0])
        except RollwiseError as error:
            job.status, job.error, job.place = "failed", _said(error), place_of(error)
        except MemoryError:
            job.status, job.error = "failed", Message("server.too-large")
        except Exception:
            _log.exception("solving %s failed", job.id)
            job.status, job.error = "failed", Message("server.solving-failed")

    def _solution(self, job: Job) -> Solution:
        def report(what: str, done: int, total: int | None) -> None:
            job.advance(what, done, total)
            if self.closing.is_set():
                self.cancel(job)
            self._give_way(job)

        seconds = self.limits.long_seconds if job.is_long else self.limits.seconds
        late = Message("server.too-long-game", {"minutes": ceil(seconds / 60)}) if job.is_long else None
        progress = stopper(job.stop, seconds, report, late=late)

        def solve(objective: Objective | None, start: Any = None) -> Solution:
            return self._known(job.rules, objective) or cache.solve(
                job.game, objective=objective, max_states=self.limits.states_of(job.game), progress=progress,
                directory=self.directory, name=job.name or view_of(job.game).title, parameters=short(job.parameters),
                refused=_log.warning, worth_seconds=None if self._room() else inf, position=start,
            )  # fmt: skip

        aim = job.objective and resolve(job.objective, job.game, expert=lambda: solve(Expected()), progress=progress)
        solution = solve(aim, job.start)
        if job.start is None:
            _rehearse(solution)
        return solution

    def _give_way(self, job: Job) -> None:
        """Let others go first: a long job stands still while short ones are solved, which takes none of its work.

        One that nobody waits for stops for those that somebody waits for, and is queued again behind them.
        """
        if job.is_long:
            for other in self.waiting():
                if other.status == "queued" and other.waiting.anybody and not self._takes_long(other):
                    self._run_job(other)
        if not job.waiting.anybody and any(other.waiting.anybody for other in self.waiting()):
            job.gives_way = True
            raise Stopped("others go first")

    def _takes_long(self, job: Job) -> bool:
        """Say whether a job is long, and is not cached."""
        if not job.is_long:
            return False
        if job.objective is None or not job.objective.is_resolved:
            return True
        if self._known(job.rules, job.objective) is not None:
            return False
        with suppress(RollwiseError):
            return cache.load(job.game, job.objective, self.directory, whole=False) is None
        return True

    def _known(self, rules: str, objective: Objective | None) -> Solution | None:
        """Give what a solution in memory answers for another objective, such as another share of games; None if none does."""
        if objective is None:
            return None
        same = [other.solution for other in list(self._jobs.values()) if other.rules == rules and other.start is None]
        for solution in filter(None, same):
            found = solution if solution.objective == objective else ability(solution, AnswersTargets).for_objective(objective)
            if found is not None:
                return found
        return None

    def expert(self, solution: Solution, progress: Progress) -> Solution:
        """Solve the game of one player that a duel is made of, for the expected total, or load it."""
        return self._solve_now(single_player(solution.game), Expected(), progress)

    def best_mean(self, solution: Solution, rules: str, progress: Progress) -> Solution:
        """Give the same game with the best mean total: from memory, else solve or load it."""
        aim = Lowest() if solution.objective.few else Expected()
        return self._known(rules, aim) or self._solve_now(unlifted(solution.game), aim, progress)

    def _solve_now(self, game: Game[Any, Any, Any], aim: Objective, progress: Progress) -> Solution:
        return cache.solve(
            game, aim, max_states=self.limits.states_of(game), directory=self.directory, progress=progress,
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
        "progress": progress and {
            "what": name_work(progress[0]), "done": progress[1], "total": progress[2], "seconds_left": job.seconds_left,
        }, "error": job.error,
        "line": job.place[0], "column": job.place[1],
        "board": job.solved_board if job.result else job.board, "result": job.result,
    }  # fmt: skip


def short(parameters: dict[str, str]) -> dict[str, str]:
    """Give parameters as listings show them."""
    return {key: text if len(text) <= 200 else f"{text[:200]}..." for key, text in parameters.items()}
