"""Solve one variant of a game, for one aim or several, and say what came out: what a worker does.

A variant that cannot be made or solved is a result, too: its reason. Where one solution answers several aims (every target of a
score sheet), it is solved once for all aims of the job.
"""

from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from sys import stderr
from typing import Any

from rollwise.cache import solve as solve_kept
from rollwise.errors import RollwiseError
from rollwise.games import load
from rollwise.model.faults import blame, describe_error, failed_rule
from rollwise.model.formatting import fits_float, infinite, show_fraction
from rollwise.model.game import Game, objective_of
from rollwise.model.objective import Expected, Objective
from rollwise.playing.distribution import QUANTILES, distribution
from rollwise.playing.opponents import read_with_files, resolve
from rollwise.solvers.base.backends import Threads, at_most
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Number, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.choose_solver import choose_solver
from rollwise.solvers.solve import solve_with_options

__all__ = ["RESULTS", "Job", "Result", "share_solution", "solve_job"]

Result = dict[str, Any]
"""What came out for one combination, by column; plain types."""

RESULTS: dict[str, type] = {
    "objective": str, "value": float, "exact": str, "mean": float, "standard_deviation": float,
    **{f"q{100 * share:02.0f}": int for share in QUANTILES},
    "bonus_chance": float, "states": int, "seconds": float, "engine": str, "certificate": str, "error_bound": float, "note": str,
    "error": str,
}  # fmt: skip
"""The columns of results, and what they hold; any may be empty."""


@dataclass(frozen=True)
class Job:
    """A variant of a game, and the texts of what it is to be played for (None: its own objective), once or several times.

    `rules` tells versions of a game's file apart. `distributions`: follow the strategy, too. `cache`: a cache to keep solutions
    in. `share`: so many jobs share this machine's memory. `again`: the next job may be about the same variant.
    """

    game: str
    parameters: Mapping[str, str]
    aims: tuple[str | None, ...]
    rules: str | None = None
    exact: bool = False
    max_states: int | None = None
    threads: int = 1
    distributions: bool = True
    cache: Path | None = None
    share: int = 1
    again: bool = False

    @property
    def options(self) -> SolveOptions:
        """How it is solved."""
        most = {} if self.max_states is None else {"max_states": self.max_states}
        return SolveOptions(exact=self.exact, backend=Threads(self.threads), **most)  # type: ignore[arg-type]


def solve_job(job: Job) -> list[Result]:
    """Solve a variant for all its aims; each gives a result, or the reason why there is none."""
    with redirect_stdout(stderr), at_most(job.threads):
        try:
            desk = _desk(job)
        except Exception as error:
            return [_failed(error)] * len(job.aims)
        found = [desk.result(aim) for aim in job.aims]
    if not job.again:
        _LAST.clear()
    return found


def share_solution(game: Game[Any, Any, Any], one: Objective | None, other: Objective | None, options: SolveOptions) -> bool:
    """Say whether one solution answers both of two objectives."""
    if one is None or other is None:
        return one is other
    solver = choose_solver(game, one, options)
    return (
        not options.exact and solver is choose_solver(game, other, options) and solver.key(game, one) == solver.key(game, other)
    )


def _desk(job: Job) -> "_Variant":
    """Give the desk of the last job, if that was about the same variant, else a new one."""
    same = replace(job, aims=(), share=1)
    if _LAST and replace(_LAST[0].job, aims=(), share=1) == same and _LAST[0].last is not None:
        _LAST[0].job = job
    else:
        # First let the last solution go: two may be too much.
        _LAST.clear()
        _LAST.append(_Variant(job, load(job.game, **job.parameters)))
    return _LAST[0]


_LAST: "list[_Variant]" = []


class _Variant:
    """A variant that is being solved, and what was solved last."""

    def __init__(self, job: Job, game: Game[Any, Any, Any]) -> None:
        self.job, self.game = job, game
        self.last: Solution | None = None

    def result(self, aim: str | None) -> Result:
        try:
            return self._found(self._solution(self._objective(aim)))
        except Exception as error:
            return _failed(error)

    def _objective(self, aim: str | None) -> Objective:
        named = objective_of(self.game, None if aim is None else read_with_files(aim))
        return resolve(named, self.game, expert=lambda: self._solve(Expected()))

    def _solution(self, objective: Objective) -> Solution:
        """Solve for an objective; from what was solved last, where that answers this one, too."""
        last, options = self.last, self.job.options
        if last is not None and share_solution(self.game, last.objective, objective, options):
            solver: Solver = choose_solver(self.game, objective, options)
            self.last = solver.unpack(self.game, objective, last.pack())
        else:
            self.last = None
            self.last = self._solve(objective)
        return self.last

    def _solve(self, objective: Objective) -> Solution:
        job, options = self.job, self.job.options
        if job.cache is None:
            return solve_with_options(self.game, objective, options)
        return solve_kept(
            self.game, objective, exact=options.exact, max_states=options.max_states, threads=job.threads, directory=job.cache,
            name=Path(job.game).name, parameters=job.parameters,
        )  # fmt: skip

    def _found(self, solution: Solution) -> Result:
        certificate = solution.certificate
        return {
            "objective": str(solution.objective), **_value(solution.value()), **self._spread(solution), "states": solution.states,
            "seconds": solution.seconds, "engine": solution.engine,
            "certificate": "exact" if certificate.exact else certificate.checked, "error_bound": certificate.error_bound,
        }  # fmt: skip

    def _spread(self, solution: Solution) -> Result:
        """Tell how the total is spread; where it cannot be followed, why."""
        if not self.job.distributions or not solution.objective.follows or infinite(solution.value()):
            return {}
        from psutil import virtual_memory  # noqa: PLC0415  (takes a while, and not all jobs need it)

        try:
            found = distribution(solution, max_bytes=int(0.6 * virtual_memory().total / self.job.share))
        except RollwiseError as error:
            return {"note": f"no distribution: {error}"}
        return {
            "mean": found.mean,
            "standard_deviation": found.standard_deviation,
            **_quantiles(found),
            "bonus_chance": found.bonus,
        }


def _quantiles(found: Distribution) -> Result:
    return {f"q{100 * share:02.0f}": found.quantile(share) for share in QUANTILES}


def _value(value: Number) -> Result:
    number = float(value) if fits_float(value) else inf if value > 0 else -inf
    return {"value": number} if isinstance(value, float) else {"value": number, "exact": show_fraction(value)}


def _failed(error: Exception) -> Result:
    """Say in a line why there is no result."""
    if isinstance(error, MemoryError):
        return {"error": "out of memory: make the game smaller, lower --max-states or use fewer --threads"}
    if isinstance(error, RollwiseError):
        return {"error": " ".join(str(error).split())}
    return {"error": blame(error) if failed_rule(error) is not None else describe_error(error)}
