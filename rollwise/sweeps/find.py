"""Find the value of a parameter at which the value of a game meets a number.

Numbers are searched by bisection: the ends of a bracket and some places between are solved, and if their values rise or fall
throughout, the part that holds the number is cut again and again. Wherever values neither only rise nor only fall, all of the
bracket is solved instead. Without a bracket, steps from the default that double each time find one. What has no order (a
choice, names) is solved in full and listed.

A search gives places and receives values; it does not depend on what solves them, and several run at once.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from rollwise.errors import GameError
from rollwise.model.parameter import Parameter
from rollwise.sweeps.axes import Axis, Cell
from rollwise.sweeps.sweep import Combination, Row, SweepRows, Told, unheard

__all__ = ["Found", "find", "read_number"]

Values = dict[Any, float | None]
"""The value of the game by place; None where it cannot be solved."""
Search = Generator[list[Any], Values, "Outcome"]
"""Yields places to solve; receives the values of all places so far."""

FEW = 8
"""So many places are simply all solved."""
MOST_SCANNED = 10_000
FURTHEST = 2**20
PROBES = 5


@dataclass(frozen=True)
class Outcome:
    """What a search came to: neighbours between which the number lies, and how they were found."""

    how: str
    pairs: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class Found:
    """What was found for one combination of the other parameters: rows on both sides of the number, and the nearest of all.

    `how` is "bisection", "scan" (everything between was solved, and why) or "list" (what has no order). A pair of the same row
    twice meets the number exactly. `solved` counts rows with a value.
    """

    name: str
    to: float
    others: dict[str, Cell]
    how: str
    pairs: tuple[tuple[Row, Row], ...]
    nearest: Row | None
    solved: int


def read_number(text: str) -> float:
    """Read a number, or a percentage.

    >>> read_number("50 %"), read_number("254.5")
    (0.5, 254.5)
    """
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise GameError(f"--to {text!r}: expected a number, or a percentage such as 50%")
    return number


def find(rows: SweepRows, to: float, told: Told = unheard) -> list[Found]:
    """Search the last axis of a sweep for a number, once for every combination of the others. Raises `GameError`."""
    *others, axis = rows.sweep.axes
    searches = {at: _Running(_search(axis, to, rows.workers.count), rows, at, axis) for at in rows.sweep.combinations_of(others)}
    going = list(searches.values())
    while going:
        rows.solve([at for search in going for at in search.wanted()], told)
        going = [search for search in going if search.goes_on()]
    return [_told(rows, at, search, to) for at, search in searches.items()]


class _Running:
    """A search that goes on: what it asked for, and what is known."""

    def __init__(self, search: Search, rows: SweepRows, others: Combination, axis: Axis) -> None:
        self.search, self.rows, self.others, self.axis = search, rows, others, axis
        self.asked: dict[Any, Combination] = {}
        self.outcome: Outcome | None = None
        self._ask(next(search))

    def _ask(self, places: Iterable[Any]) -> None:
        self.asked |= {place: (*self.others, str(place)) for place in places}

    def wanted(self) -> list[Combination]:
        return [at for at in self.asked.values() if at not in self.rows]

    def goes_on(self) -> bool:
        try:
            self._ask(self.search.send({place: self.rows.value(at) for place, at in self.asked.items()}))
        except StopIteration as end:
            self.outcome = end.value
        return self.outcome is None


def _told(rows: SweepRows, others: Combination, search: _Running, to: float) -> Found:
    axes, outcome = rows.sweep.axes, cast("Outcome", search.outcome)
    solved = [at for at in search.asked.values() if rows.value(at) is not None]
    nearest = min(solved, key=lambda at: abs((rows.value(at) or 0.0) - to), default=None)
    return Found(
        axes[-1].name, to, {axis.name: axis.cell(text) for axis, text in zip(axes, others, strict=False)}, outcome.how,
        tuple((rows[search.asked[a]], rows[search.asked[b]]) for a, b in outcome.pairs),
        None if nearest is None else rows[nearest], len(solved),
    )  # fmt: skip


# Searches


def _search(axis: Axis, to: float, many: int) -> Search:
    if axis.texts and not axis.numeric:
        return _list(axis.texts, to)
    if axis.texts:
        return _within(axis.texts, to, many)
    return _around(axis.parameter, to, many)


def _list(places: Sequence[Any], to: float) -> Search:
    values = yield list(places)
    return Outcome("list", tuple((place, place) for place in places if values[place] == to))


def _within(places: Sequence[Any], to: float, many: int) -> Search:
    """Search places in their order: by bisection, or all of them."""
    count = len(places)
    if count <= FEW:
        return (yield from _scan(places, to, "scan"))
    tried = sorted({round(i * (count - 1) / (PROBES - 1)) for i in range(PROBES)})
    while True:
        values = yield [places[i] for i in tried]
        known = [values[places[i]] for i in tried]
        fault = _fault(known)
        if fault:
            return (yield from _scan(places, to, f"scan, as {fault}"))
        pair = next(((a, b) for a, b in pairwise(tried) if _between(values[places[a]], values[places[b]], to)), None)
        if pair is None or pair[1] - pair[0] == 1:
            return Outcome("bisection", _pairs([places[i] for i in pair or ()], values, to))
        low, high = pair
        cuts = {low + round(i * (high - low) / (many + 1)) for i in range(1, many + 1)} - {low, high}
        tried = sorted({*tried, *(cuts or {(low + high) // 2})})


def _scan(places: Sequence[Any], to: float, how: str) -> Search:
    if len(places) > MOST_SCANNED:
        raise GameError(f"{how}: {len(places):,} values would have to be solved; give fewer with --over")
    values = yield list(places)
    return Outcome(how, _pairs([place for place in places if values[place] is not None], values, to))


def _pairs(places: Sequence[Any], values: Values, to: float) -> tuple[tuple[Any, Any], ...]:
    """Neighbours between which the number lies; one that meets it exactly is a pair with itself."""
    exact = [(place, place) for place in places if values[place] == to]
    crossed = [(a, b) for a, b in pairwise(places) if to not in (values[a], values[b]) and _between(values[a], values[b], to)]
    return (*exact, *crossed)


def _between(one: float | None, other: float | None, to: float) -> bool:
    return one is not None and other is not None and min(one, other) <= to <= max(one, other)


def _fault(values: Sequence[float | None]) -> str:
    """Say why values in the order of their places cannot be searched by bisection; "" if they can."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return "some cannot be solved"
    steps = [b - a for a, b in pairwise(known)]
    return "" if all(step >= 0 for step in steps) or all(step <= 0 for step in steps) else "values rise and fall"


def _around(parameter: Parameter, to: float, many: int) -> Search:
    """Search the integers around a parameter's default: first a bracket, in steps that double, then within it."""
    about = parameter.kind.as_dict()
    low = -FURTHEST if about.get("low") is None else about["low"]
    high = FURTHEST if about.get("high") is None else about["high"]
    begin = min(max(_default(parameter), low), high)
    near = [place for place in (begin - 1, begin, begin + 1) if low <= place <= high]
    values = yield near
    first, after = values[begin], values.get(begin + 1, values[begin])
    if first is None:
        return Outcome("bisection", ())
    rises = after is not None and after > first
    ways = (1, -1) if rises == (to > first) else (-1, 1)
    for way in ways:
        last, step = begin, 1
        while low <= begin + way * step <= high:
            place = begin + way * step
            values = yield [place]
            if values[place] is None:
                break
            if _between(values[last], values[place], to):
                return (yield from _within(range(min(last, place), max(last, place) + 1), to, many))
            last, step = place, 2 * step
    return Outcome("bisection", ())


def _default(parameter: Parameter) -> int:
    """The default, where it is a number; else 0."""
    default = str(parameter.default)
    return int(default) if default.lstrip("-").isdecimal() else 0
