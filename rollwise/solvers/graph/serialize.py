"""A solved graph taken apart for the cache, and put together again without exploring.

    arrays      those of the graph, narrowed to 32 bits where that loses nothing, beside the values, bounds and choices
    codes       of the positions of a column game, by number and in rising order: all of them are found by arithmetic
    index       where positions are objects, the digests of their canonical writing in rising order, with their numbers
    way         and for every position the first move or outcome that leads to it: following these back to the start, and the
                rules forward, makes the position itself

What needs all positions that are objects explores again, and compares. Whatever does not fit the rules is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.model.abilities import in_columns, unlifted
from rollwise.model.canonical import NotCanonical, position_digest
from rollwise.model.game import Game
from rollwise.model.lift import HavingGame
from rollwise.model.objective import Objective
from rollwise.solvers.base.array_files import search
from rollwise.solvers.base.memory_use import BYTES_A_POSITION
from rollwise.solvers.graph.columns import CodedIndex, CodedPositions
from rollwise.solvers.graph.explore import Explored, Graph, explore
from rollwise.solvers.graph.identity import source_digest
from rollwise.solvers.graph.values import Values

__all__ = ["GRAPH", "VALUES", "CacheOrigin", "PackedPositions", "fingerprint", "pack_whole", "position_bytes", "unpack_whole"]

AnyGame = Game[Any, Any, Any]
Arrays = dict[str, Any]

GRAPH = tuple(field.name for field in fields(Graph) if field.name != "maximise")
VALUES = tuple(field.name for field in fields(Values))
KINDS = ("state", "pending")
BYTES_A_CODE = 20
"""What a position takes that is kept as a code, at most: by number, in order, and its place there."""
DIGESTED = 1 << 20
"""Entries of an array that are digested at a time."""


@dataclass(frozen=True, eq=False)
class CacheOrigin:
    """What a solution knows that came from a cache: its digest, and what to do if it does not fit.

    `refuse` takes a reason, removes the entry and gives the error to raise.
    """

    fingerprint: str
    refuse: Callable[[str], Exception]


# Taking apart


def pack_whole(explored: Explored, values: Values, digest: str) -> tuple[Arrays, Arrays] | None:
    """Give the arrays, and what else is needed, of a solution that answers without exploring; None where there is no such."""
    found = _pack_positions(explored)
    if found is None:
        return None
    graph = explored.graph
    arrays = {name: _narrow(getattr(graph, name)) for name in GRAPH} | {name: getattr(values, name) for name in VALUES} | found
    arrays["choice"] = _narrow(values.choice)
    rest = {
        "fingerprint": digest, "lift": explored.lift, "unit": explored.unit, "maximise": graph.maximise, "two": graph.two_players,
        "source": source_digest(unlifted(explored.game)),
    }  # fmt: skip
    return arrays, rest


LIFTS = ("plain", "floor", "open")


def _walked(game: AnyGame, objective: Objective, lift: str) -> AnyGame:
    """Give the game that is walked in the place of another: itself, or one that remembers points, which may have a floor."""
    walked = objective.restate(game)
    return walked if lift == "plain" else objective.remember(walked, floor=lift == "floor") or HavingGame(walked, objective)


def _pack_positions(explored: Explored) -> Arrays | None:
    if isinstance(explored.states, PackedPositions):
        return explored.states.arrays
    if isinstance(explored.states, CodedPositions):
        return _pack_codes("state", explored.state_index) | _pack_codes("pending", explored.pending_index)
    found: Arrays = {}
    for kind, nodes in zip(KINDS, (explored.states, explored.pendings), strict=True):
        digests = _digests(nodes)
        if digests is None:
            return None
        order = np.lexsort((digests[:, 1], digests[:, 0]))
        high, low = digests[order, 0], digests[order, 1]
        if ((high[1:] == high[:-1]) & (low[1:] == low[:-1])).any():
            return None
        found |= {f"{kind}_digest": high, f"{kind}_digest_low": low, f"{kind}_number": _narrow(order)}
    graph = explored.graph
    found["state_way"] = _narrow(_first(graph.outcome_state, graph.n_states))
    found["pending_way"] = _narrow(_first(graph.action_pending, graph.n_pendings))
    return found


def _pack_codes(kind: str, index: Any) -> Arrays:
    return {f"{kind}_code": index.codes, f"{kind}_number": index.order, f"{kind}_sorted": index.ordered}


def _digests(positions: Sequence[Any]) -> npt.NDArray[np.int64] | None:
    try:
        joined = b"".join(map(position_digest, positions))
    except NotCanonical:
        return None
    return np.frombuffer(joined, dtype="<i8").reshape(-1, 2)


def _first(target: Any, count: int) -> npt.NDArray[np.int64]:
    """Give for each node the first edge that leads to it; -1 if none does."""
    first = np.full(count, -1, dtype=np.int64)
    first[target[::-1]] = np.arange(len(target) - 1, -1, -1)
    return first


def _narrow(array: Any) -> Any:
    """Give integers in 32 bits if they fit."""
    array = np.asarray(array)
    if array.dtype != np.int64 or not array.size:
        return array
    fits = array.min() >= -(2**31) and array.max() < 2**31
    return array.astype(np.int32) if fits else array


def fingerprint(game: AnyGame, objective: Objective, graph: Graph) -> str:
    """Digest the arrays of a graph, whatever the width of their integers."""
    digest = sha256(str((type(game).__qualname__, objective.key, graph.maximise)).encode())
    for name in (name for name in GRAPH if name != "state_mover"):
        for part in _parts(getattr(graph, name)):
            digest.update(part.astype(np.int64).tobytes())
    if graph.two_players:
        digest.update(graph.state_mover.tobytes())
    return digest.hexdigest()[:16]


def _parts(array: Any) -> Iterator[Any]:
    return (array[begin : begin + DIGESTED] for begin in range(0, len(array), DIGESTED))


def position_bytes(explored: Explored) -> int:
    """Say what positions take, and what finds them: arrays, or about as much as objects do."""
    states = explored.states
    if isinstance(states, PackedPositions):
        return sum(array.nbytes for array in states.arrays.values())
    if isinstance(states, CodedPositions):
        return sum(len(index) * BYTES_A_CODE for index in (explored.state_index, explored.pending_index))
    return BYTES_A_POSITION * (len(states) + len(explored.pendings))


# Putting together


def unpack_whole(
    game: AnyGame, objective: Objective, arrays: Arrays, rest: Mapping[str, Any], refuse: Callable[[str], Exception]
) -> tuple[Explored, Values, CacheOrigin]:
    """Put a kept graph together. Raises `ValueError` for one that cannot be."""
    lift, unit, maximise, two = (rest[name] for name in ("lift", "unit", "maximise", "two"))
    if (
        lift not in LIFTS
        or type(unit) is not int
        or unit != objective.unit
        or type(maximise) is not bool
        or type(two) is not bool
    ):
        raise ValueError("it is not what is kept of a graph")
    walked = _walked(game, objective, lift)
    graph, values = Graph(maximise, *(arrays[name] for name in GRAPH)), Values(*(arrays[name] for name in VALUES))
    vars(graph)["two_players"] = two
    _check_sizes(graph, values)
    kept = CacheOrigin(str(rest["fingerprint"]), refuse)
    positions = _coded(walked, graph, arrays) if "state_code" in arrays else _made(game, objective, walked, graph, arrays, kept)
    return Explored(walked, objective, *positions, graph, unit, lift), values, kept


Positions = tuple[Sequence[Any], Sequence[Any], Mapping[Any, int], Mapping[Any, int]]


def _coded(walked: AnyGame, graph: Graph, arrays: Arrays) -> Positions:
    """The positions of a column game."""
    rules = in_columns(walked)
    if rules is None:
        raise ValueError("it has no rules in columns")
    indices = []
    for kind, count in zip(KINDS, (graph.n_states, graph.n_pendings), strict=True):
        parts = [arrays[f"{kind}_{part}"] for part in ("code", "number", "sorted")]
        if any(len(part) != count for part in parts):
            raise ValueError("the codes do not fit the graph")
        indices.append(CodedIndex(rules, *parts))
    states, pendings = indices
    return CodedPositions(rules, states.codes), CodedPositions(rules, pendings.codes), states, pendings


def _made(game: AnyGame, objective: Objective, walked: AnyGame, graph: Graph, arrays: Arrays, kept: CacheOrigin) -> Positions:
    """The positions of any other game."""
    way = _Way(walked, graph, arrays, kept, lambda: explore(game, objective, max_states=graph.n_states + graph.n_pendings))
    states, pendings = PackedPositions(way, "state"), PackedPositions(way, "pending")
    return states, pendings, states.numbers, pendings.numbers


def _check_sizes(graph: Graph, values: Values) -> None:
    states, pendings = graph.n_states, graph.n_pendings
    actions, outcomes = len(graph.action_pending), len(graph.outcome_state)
    sizes = [states] * 2 + [states + 1, actions, actions, pendings, pendings + 1, outcomes, outcomes]
    if [len(getattr(graph, name)) for name in GRAPH] != sizes:
        raise ValueError("the arrays of the graph do not fit together")
    if [len(getattr(values, name)) for name in VALUES] != [states] * 3 + [pendings] * 3 + [states]:
        raise ValueError("the values do not fit the graph")


class PackedIndex(Mapping[Any, int]):
    """The numbers of positions that are known by their digests."""

    def __init__(self, positions: "PackedPositions") -> None:
        self.positions = positions
        arrays, kind = positions.way.arrays, positions.kind
        self.high, self.low, self.number = (arrays[f"{kind}_{part}"] for part in ("digest", "digest_low", "number"))
        if not len(self.high) == len(self.low) == len(self.number) == len(positions):
            raise ValueError("the index does not fit the graph")

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.positions)

    def __getitem__(self, position: Any) -> int:
        hash(position)
        try:
            digest = position_digest(position)
        except NotCanonical:
            raise KeyError(position) from None
        high, low = np.frombuffer(digest, dtype="<i8").tolist()
        for place in range(search(self.high, high), len(self)):
            if self.high[place] != high:
                break
            if self.low[place] == low:
                return int(self.number[place])
        raise KeyError(position)


class PackedPositions(Sequence[Any]):
    """The states or the pendings of a kept game, made by its rules when they are asked for."""

    def __init__(self, way: "_Way", kind: str) -> None:
        self.way, self.kind = way, kind
        graph = way.graph
        self.size = graph.n_states if kind == "state" else graph.n_pendings
        self.numbers = way.index[kind] = PackedIndex(self)

    @property
    def arrays(self) -> Arrays:
        """What they are found by."""
        return {name: self.way.arrays[name] for name in self.way.names}

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return self._all()[number]
        if not -self.size <= number < self.size:
            raise IndexError(number)
        return self.way.position(self.kind, int(number) % self.size)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def _all(self) -> Sequence[Any]:
        again = self.way.again
        return again.states if self.kind == "state" else again.pendings


class _Way:
    """How positions are made again: from the start, along the first edges that lead to them."""

    names = (*(f"{kind}_{part}" for kind in KINDS for part in ("digest", "digest_low", "number")), "state_way", "pending_way")

    def __init__(self, game: AnyGame, graph: Graph, arrays: Arrays, kept: CacheOrigin, walk: Callable[[], Explored]) -> None:
        self.game, self.graph, self.arrays, self.kept, self.walk = game, graph, arrays, kept, walk
        self.index: dict[str, PackedIndex] = {}
        self.known: dict[tuple[str, int], Any] = {}
        if len(arrays["state_way"]) != graph.n_states or len(arrays["pending_way"]) != graph.n_pendings:
            raise ValueError("the ways do not fit the graph")

    @cached_property
    def again(self) -> Explored:
        """Explore the game again, for what needs all its positions."""
        found = self.walk()
        if fingerprint(found.game, found.objective, found.graph) != self.kept.fingerprint:
            raise self.kept.refuse("does not fit the rules of the game")
        return found

    def position(self, kind: str, number: int) -> Any:
        """Make a position; the last ones that were made are remembered."""
        if "again" in vars(self):
            return (self.again.states if kind == "state" else self.again.pendings)[number]
        if (kind, number) not in self.known:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            self._make(kind, number)
        return self.known[kind, number]

    def _make(self, kind: str, number: int) -> None:
        way = [(kind, number, 0)]
        while way[-1][:2] not in self.known and way[-1][:2] != ("pending", 0):
            way.append(self._before(*way[-1][:2]))
            if len(way) > self.graph.n_states + self.graph.n_pendings:
                raise self.kept.refuse("has positions that nothing leads to")
        if way[-1][:2] == ("pending", 0):
            self.known["pending", 0] = self._same("pending", 0, [self.game.start()], 0)
        for (_, before, place), (then, after, _) in pairwise(reversed(way)):
            self.known[then, after] = self._same(then, after, self._after(then, before), place)

    def _before(self, kind: str, number: int) -> tuple[str, int, int]:
        """The position from which one is first reached, and the place of the move or outcome that does so."""
        start = self.graph.outcome_start if kind == "state" else self.graph.action_start
        edge = int(self.arrays[f"{kind}_way"][number])
        if edge < 0:
            raise self.kept.refuse("has positions that nothing leads to")
        row = search(start, edge + 1) - 1
        return "pending" if kind == "state" else "state", row, edge - int(start[row])

    def _after(self, kind: str, number: int) -> list[Any]:
        """What the rules make of a position that is known."""
        if kind == "state":
            return list(self.game.roll(self.known["pending", number]))
        state = self.known["state", number]
        return [self.game.play(state, action) for action in self.game.actions(state)]

    def _same(self, kind: str, number: int, made: list[Any], place: int) -> Any:
        """Pick the position with a number among those that the rules make; a mapping may list them in another order."""
        for position in (*made[place : place + 1], *made):
            if self.index[kind].get(position) == number:
                return position
        raise self.kept.refuse("does not fit the rules of the game")


REMEMBERED = 10_000
"""Positions that are kept at hand."""
