"""A solved graph taken apart for the cache, and put together again without exploring.

    arrays      those of the graph, narrowed to 32 bits where that loses nothing, beside the values, bounds and choices
    codes       of the positions of a column game, by number and in rising order: all of them are found by arithmetic
    index       where positions are objects, the digests of their canonical writing in rising order, with their numbers

What needs the positions themselves, where these are objects, explores again, and compares. The rules are compared where they are
asked anyway: at the start, and at every state in question. Whatever does not fit them is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rollwise.model.abilities import in_columns, unlifted
from rollwise.model.canonical import NotCanonical, position_digest
from rollwise.model.game import Game
from rollwise.model.lift import explored_game
from rollwise.model.objective import Objective
from rollwise.solvers.base.array_files import search
from rollwise.solvers.base.memory_use import BYTES_A_POSITION
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.columns import CodedIndex, CodedPositions
from rollwise.solvers.graph.explore import Explored, Graph, OverBudget, explore
from rollwise.solvers.graph.identity import source_digest
from rollwise.solvers.graph.values import Values

if TYPE_CHECKING:
    from rollwise.solvers.graph.solution import GraphSolution

__all__ = [
    "GRAPH", "VALUES", "CacheOrigin", "PackedPositions", "compare_start", "compare_state", "fingerprint", "pack_whole",
    "position_bytes", "unpack_whole",
]  # fmt: skip

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
        "fingerprint": digest, "remembers": explored.remembers, "maximise": graph.maximise,
        "two": graph.two_players, "source": source_digest(unlifted(explored.game)),
    }  # fmt: skip
    return arrays, rest


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
    return found


def _pack_codes(kind: str, index: Any) -> Arrays:
    return {f"{kind}_code": index.codes, f"{kind}_number": index.order, f"{kind}_sorted": index.ordered}


def _digests(positions: Sequence[Any]) -> npt.NDArray[np.int64] | None:
    try:
        joined = b"".join(map(position_digest, positions))
    except NotCanonical:
        return None
    return np.frombuffer(joined, dtype="<i8").reshape(-1, 2)


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
    """Put a kept graph together."""
    walked = explored_game(game, objective, rest["remembers"])
    graph, values = Graph(rest["maximise"], *(arrays[name] for name in GRAPH)), Values(*(arrays[name] for name in VALUES))
    vars(graph)["two_players"] = rest["two"]
    origin = CacheOrigin(str(rest["fingerprint"]), refuse)
    positions = _coded(walked, arrays) if "state_code" in arrays else _digested(game, objective, graph, arrays, origin)
    return Explored(walked, objective, *positions, graph, objective.unit, rest["remembers"]), values, origin


Positions = tuple[Sequence[Any], Sequence[Any], Mapping[Any, int], Mapping[Any, int]]


def _coded(walked: AnyGame, arrays: Arrays) -> Positions:
    """The positions of a column game."""
    rules = in_columns(walked)
    states, pendings = (CodedIndex(rules, *(arrays[f"{kind}_{part}"] for part in ("code", "number", "sorted"))) for kind in KINDS)
    return CodedPositions(rules, states.codes), CodedPositions(rules, pendings.codes), states, pendings


def _digested(game: AnyGame, objective: Objective, graph: Graph, arrays: Arrays, origin: CacheOrigin) -> Positions:
    """The positions of any other game."""
    again = _Again(lambda: explore(game, objective, max_states=graph.n_states + graph.n_pendings), arrays, origin)
    states, pendings = PackedPositions(again, "state", graph.n_states), PackedPositions(again, "pending", graph.n_pendings)
    return states, pendings, PackedIndex(states), PackedIndex(pendings)


class _Again:
    """The arrays by which positions are found, and the game explored again for what needs the positions themselves."""

    def __init__(self, walk: Callable[[], Explored], arrays: Arrays, origin: CacheOrigin) -> None:
        self.walk, self.origin = walk, origin
        names = (f"{kind}_{part}" for kind in KINDS for part in ("digest", "digest_low", "number"))
        self.arrays = {name: arrays[name] for name in names}

    @cached_property
    def positions(self) -> dict[str, Sequence[Any]]:
        """All positions. Raises what `refuse` gives where the rules are others."""
        try:
            found = self.walk()
        except OverBudget:
            raise self.origin.refuse("has fewer positions than the game") from None
        if fingerprint(found.game, found.objective, found.graph) != self.origin.fingerprint:
            raise self.origin.refuse("does not fit the rules of the game")
        return {"state": found.states, "pending": found.pendings}


class PackedPositions(Sequence[Any]):
    """The states or the pendings of a cached game, made on demand, all at once."""

    def __init__(self, again: _Again, kind: str, size: int) -> None:
        self.again, self.kind, self.size = again, kind, size

    @property
    def arrays(self) -> Arrays:
        """What they are found by."""
        return self.again.arrays

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: Any) -> Any:
        return self.again.positions[self.kind][number]


class PackedIndex(Mapping[Any, int]):
    """The numbers of positions that are known by their digests."""

    def __init__(self, positions: PackedPositions) -> None:
        self.positions = positions
        self.high, self.low, self.number = (
            positions.arrays[f"{positions.kind}_{part}"] for part in ("digest", "digest_low", "number")
        )

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


# Comparing with the rules


def compare_start(solution: "GraphSolution", origin: CacheOrigin) -> None:
    """Compare the first roll. Raises what `refuse` gives."""
    game, explored = solution.game, solution.explored
    graph, start = explored.graph, game.start()
    roll = game.roll(start)
    divisor = gcd(*roll.values())
    edges, _ = gather(graph.outcome_start, np.array([0]))
    kept = dict(zip(graph.outcome_state[edges].tolist(), graph.outcome_weight[edges].tolist(), strict=True))
    right = explored.pending_index.get(start) == 0
    right = right and kept == {explored.state_index.get(state): weight // divisor for state, weight in roll.items()}
    if solution.objective.counts == "costs":
        right = right and game.cost(start) == graph.pending_cost[0]
    if not right:
        raise origin.refuse("does not fit the rules at the start")


def compare_state(solution: "GraphSolution", origin: CacheOrigin, state: Any) -> None:
    """Compare the moves of a state, or its end. Raises what `refuse` gives."""
    game, explored = solution.game, solution.explored
    graph, number = explored.graph, explored.state_index[state]
    edges, _ = gather(graph.action_start, np.array([number]))
    actions = game.actions(state)
    pendings = [explored.pending_index.get(game.play(state, action)) for action in actions]
    gains = [game.gain(state, action) if solution.gains else 0 for action in actions]
    right = graph.action_pending[edges].tolist() == pendings and graph.action_gain[edges].tolist() == gains
    if not (right and (actions or graph.state_payoff[number] == _payoff(solution, state))):
        raise origin.refuse(f"does not fit the rules at state {game.show_state(state)}")


def _payoff(solution: "GraphSolution", state: Any) -> int:
    """What the end is worth, in units."""
    if solution.objective.counts == "costs":
        return 0
    points = solution.game.payoff(state)
    return points if solution.objective.adds or solution.explored.remembers != "nothing" else solution.objective.score(points)
