"""A sweep: a game, what is swept, and the rows that come out.

A combination is known by its texts, one of each axis, in the order of the axes. `Rows` answers combinations: from the journal,
if they were solved before, else by workers, and tells the journal at once.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from rollwise import __version__
from rollwise.errors import GameError, RollwiseError, brief
from rollwise.games.users import find_parameters, game_files, load
from rollwise.model.objective import Objective
from rollwise.model.parameter import Parameter
from rollwise.playing.opponents import read_with_files
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.sweeps.axes import MOST, Axis, Cell, found_axis, known_axes, read_axis, single
from rollwise.sweeps.job import RESULTS, Job, Result, share_solution, solve_job
from rollwise.sweeps.journal import SweepJournal
from rollwise.sweeps.workers import Failure, Here, Processes, Workers

__all__ = ["Combination", "Row", "Sweep", "SweepRows", "Told", "make_sweep", "sweep", "unheard"]

Combination = tuple[str, ...]
Row = dict[str, Any]
Told = Callable[[int, int], None]
"""Receives how many combinations of how many are done."""


def unheard(done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Sweep:
    """A game under many rules: what is fixed, what is swept, what is played for, and how each is solved."""

    game: str
    fixed: tuple[Axis, ...]
    axes: tuple[Axis, ...]
    aim: str | None = None
    exact: bool = False
    max_states: int | None = None
    distributions: bool = True
    cache: Path | None = None
    searched: bool = False

    @cached_property
    def rules(self) -> str | None:
        """A digest of the game's files; None for one of the catalogue."""
        return _digest(self.game)

    def combinations(self) -> Iterator[Combination]:
        """Give every combination, the last axis running fastest."""
        return self.combinations_of(self.axes)

    @staticmethod
    def combinations_of(axes: Sequence[Axis]) -> Iterator[Combination]:
        """Give every combination of some axes."""
        return product(*(axis.texts for axis in axes))

    @property
    def size(self) -> int:
        """The number of combinations."""
        return prod(len(axis.texts) for axis in self.axes)

    def cells(self, at: Combination) -> dict[str, Cell]:
        """Give the parameters of a combination, as columns hold them, those that are fixed first."""
        found = {axis.name: axis.values[0] for axis in self.fixed}
        return {**found, **{axis.name: axis.cell(text) for axis, text in zip(self.axes, at, strict=True)}}

    def parameters(self, at: Combination) -> dict[str, str]:
        """Give the parameters of the game in a combination, as texts."""
        found = {axis.name: axis.texts[0] for axis in self.fixed}
        return {**found, **{axis.name: text for axis, text in zip(self.axes, at, strict=True) if not axis.of_aim}}

    def aim_at(self, at: Combination) -> str | None:
        """Give what a combination is played for, as text."""
        return next((axis.aim(text) for axis, text in zip(self.axes, at, strict=True) if axis.of_aim), self.aim)

    def named(self, column: str) -> str:
        """Name a column of results so that it is none of the parameters."""
        return f"result_{column}" if column in self.names else column

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of parameters."""
        return tuple(axis.name for axis in (*self.fixed, *self.axes))

    @property
    def columns(self) -> dict[str, type]:
        """The columns of the table and what they hold."""
        own = {axis.name: _type(axis.values) for axis in (*self.fixed, *self.axes)}
        results = {name: kind for name, kind in RESULTS.items() if name != "exact" or self.exact}
        results = {name: kind for name, kind in results.items() if not self.swept_aim(name)}
        return {**own, **{self.named(name): kind for name, kind in results.items()}}

    def swept_aim(self, name: str) -> bool:
        """Whether a column is swept as what is played for, so that it stands among the parameters already."""
        return any(axis.of_aim and axis.name == name for axis in self.axes)

    def row(self, at: Combination, result: Result) -> Row:
        """Put the row of a combination together."""
        found = {self.named(name): result.get(name) for name in RESULTS if not self.swept_aim(name)}
        cells = {**found, **self.cells(at)}
        return {name: cells[name] for name in self.columns}

    def job(self, at: Sequence[Combination], threads: int, share: int) -> Job:
        """Make the job of combinations that differ in what is played for only."""
        return Job(
            self.game, self.parameters(at[0]), tuple(map(self.aim_at, at)), self.rules, self.exact, self.max_states, threads,
            self.distributions, self.cache, share, self.searched,
        )  # fmt: skip

    def check(self) -> None:
        """Refuse what no combination could be solved with. Raises `GameError`."""
        SolveOptions(max_states=MAX_STATES if self.max_states is None else self.max_states)
        aims = [*(["objective"] if self.aim is not None else []), *(axis.name for axis in self.axes if axis.of_aim)]
        if len(aims) > 1:
            raise GameError(f"{aims[0]} and {aims[1]} both say what to play for: give one of them")
        if self.aim is not None:
            read_with_files(self.aim)

    def command(self) -> dict[str, Any]:
        """Say in JSON types what is swept; the same for the same sweep, whichever process solves it."""
        return {
            "version": __version__, "game": self.game, "rules": self.rules,
            "parameters": {axis.name: axis.texts[0] for axis in self.fixed},
            "over": {axis.name: list(axis.texts) for axis in self.axes},
            "aim": self.aim,
            "exact": self.exact, "max_states": self.max_states, "distributions": self.distributions,
        }  # fmt: skip


def make_sweep(game: str, over: Iterable[str], parameters: Mapping[str, str], *, last: str | None = None, **more: Any) -> Sweep:
    """Make the sweep that texts describe; `last` names the axis that is searched, which becomes the last one.

    >>> sweep = make_sweep("slots", ["target=40..42"], {})
    >>> list(sweep.combinations())
    [('40',), ('41',), ('42',)]

    Raises `GameError` for names and values that cannot be read, or too many combinations.
    """
    own = find_parameters(game)
    known = known_axes(own)
    axes = tuple(read_axis(game, text, known) for text in over)
    names = [axis.name for axis in axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise GameError(f"--over {twice} was given twice: give all its values at once")
    both = next((name for name in (*names, last) if name in parameters), None)
    if both is not None:
        raise GameError(f"-p {both} is given, and {both} is swept or searched: give one of them")
    if last is not None:
        axes = (*(axis for axis in axes if axis.name != last), found_axis(game, last, axes, known))
    fixed = tuple(single(game, _own(game, own, name), text) for name, text in parameters.items())
    found = Sweep(game, fixed, axes, searched=last is not None, **more)
    found.check()
    if last is None and found.size > MOST:
        raise GameError(f"{found.size:,} combinations: expected at most {MOST:,}")
    return found


def _own(game: str, own: Sequence[Parameter], name: str) -> Parameter:
    """Find a parameter of the game; the game itself says best what is wrong with an unknown one."""
    found = next((parameter for parameter in own if parameter.name == name), None)
    return found if found is not None else _unknown(game, name)


def _unknown(game: str, name: str) -> Parameter:
    load(game, **{name: ""})
    raise GameError(f"{game} has no parameter {name!r}")


def _type(values: Sequence[Cell]) -> type:
    """What a column holds: what all its values are, else text."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and (kinds != {int} or max(abs(int(value)) for value in values) < 2**63):
        return kinds.pop()
    return float if kinds == {int, float} else str


def _digest(game: str) -> str | None:
    """Digest the files of a game; None for one of the catalogue."""
    try:
        texts = [file.read_bytes() for file in game_files(game)]
        return hashlib.sha256(b"".join(texts)).hexdigest()[:16] if texts else None
    except OSError as error:
        raise GameError(f"cannot read {game!r}: {error.strerror or error}") from None


class SweepRows:
    """The rows of a sweep, solved on demand and never twice."""

    def __init__(self, sweep: Sweep, workers: Workers, journal: SweepJournal, threads: int | None = 1) -> None:
        self.sweep, self.workers, self.journal, self.threads = sweep, workers, journal, threads
        self.found: dict[Combination, Result] = dict(journal.results)
        self.before = len(self.found)

    def __getitem__(self, at: Combination) -> Row:
        return self.sweep.row(at, self.found[at])

    def __contains__(self, at: Combination) -> bool:
        return at in self.found

    def value(self, at: Combination) -> float | None:
        """Give the value of a combination that was solved; None if it could not be."""
        found: float | None = self.found[at].get("value")
        return found

    def solve(self, wanted: Sequence[Combination], told: Told = unheard) -> None:
        """Solve those combinations that are not solved yet."""
        total = len(wanted)
        left = [at for at in wanted if at not in self.found]
        groups = self._groups(left)
        share = max(1, min(self.workers.count, len(groups)))
        threads = self.threads or max(1, self.workers.count // share)
        jobs = [self.sweep.job(group, threads, share) for group in groups]
        done = total - len(left)
        told(done, total)
        for number, results in self.workers.each(solve_job, jobs):
            for at, result in zip(groups[number], _each(results, len(groups[number])), strict=True):
                self.found[at] = result
                self.journal.add(at, result)
            done += len(groups[number])
            told(done, total)

    def listed(self) -> list[Row]:
        """Give all rows in the order of the axes; of one that was searched, as its numbers rise."""
        *others, last = self.sweep.axes
        if not self.sweep.searched:
            return [self[at] for at in self.sweep.combinations()]
        place = {at: number for number, at in enumerate(self.sweep.combinations_of(others))}
        text = {one: number for number, one in enumerate(last.texts)}
        order = text.__getitem__ if text else last.cell
        return [self[at] for at in sorted(self.found, key=lambda at: (place[at[:-1]], order(at[-1])))]

    def _groups(self, left: Sequence[Combination]) -> list[list[Combination]]:
        """Put combinations together that one solution answers."""
        places = [i for i, axis in enumerate(self.sweep.axes) if axis.of_aim]
        if not left or not places or not self._answers_all(left):
            return [[at] for at in left]
        groups: dict[Combination, list[Combination]] = {}
        for at in left:
            groups.setdefault(tuple(text for i, text in enumerate(at) if i not in places), []).append(at)
        return list(groups.values())

    def _answers_all(self, left: Sequence[Combination]) -> bool:
        """Ask the first game whether one solution answers its aims."""
        first = self.sweep.parameters(left[0])
        aims = [self.sweep.aim_at(at) for at in left if self.sweep.parameters(at) == first]
        if len(aims) < 2:
            return False
        try:
            game, options = load(self.sweep.game, **first), self.sweep.job(left[:1], 1, 1).options
            one, *others = (aim and read_with_files(aim) for aim in aims[:3])
            return all(other and other.is_resolved and share_solution(game, one or None, other, options) for other in others)
        except RollwiseError:
            return False


def _each(results: Any, count: int) -> list[Result]:
    return [{"error": results.reason}] * count if isinstance(results, Failure) else results


def sweep(
    game: str | PathLike[str],
    over: Mapping[str, Iterable[Any]],
    *,
    parameters: Mapping[str, Any] | None = None,
    objective: Objective | str | None = None,
    exact: bool = False,
    distributions: bool = True,
    max_states: int | None = None,
    workers: int | None = None,
) -> list[Row]:
    """Solve a game, given by name or path, for every combination of parameter values; return one row for each.

    >>> rows = sweep("slots", {"target": range(44, 47)}, distributions=False)
    >>> [(row["target"], round(row["value"], 6), row["error"]) for row in rows]
    [(44, 0.361175, None), (45, 0.296146, None), (46, 0.232146, None)]

    The keys of `over` are parameters of the game, `objective` or `at-least`. `distributions=False` omits the quantiles, which is
    faster; `workers` is a number of processes (default: this process only). A combination that cannot be solved has an `error`
    in its row. Raises `GameError` for names and values that cannot be read.
    """
    if not isinstance(game, str | PathLike):
        raise GameError(f"sweep was given {brief(game)}: expected a name such as 'slots', or the path of a game file")
    if not isinstance(over, Mapping) or not all(isinstance(values, Iterable) for values in over.values()):
        raise GameError(f"sweep was to go over {brief(over)}: expected values by name, such as {{'target': [40, 45]}}")
    game = fspath(game)
    listed = [f"{name}={''.join(f'{_text(value)};' for value in values)}" for name, values in over.items()]
    fixed = {name: _text(value) for name, value in (parameters or {}).items()}
    aim = objective.text if isinstance(objective, Objective) else objective
    asked = make_sweep(game, listed, fixed, aim=aim, exact=exact, distributions=distributions, max_states=max_states)
    hands = Here() if workers is None else Processes(workers)
    try:
        with SweepJournal(None, asked.command()) as journal:
            rows = SweepRows(asked, hands, journal)
            rows.solve(list(asked.combinations()))
            return rows.listed()
    finally:
        hands.close()


def _text(value: Any) -> str:
    """Write a value as the command line has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
