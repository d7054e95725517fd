"""The explorer in columns: breadth first by whole frontiers, over packed codes.

Edges are kept as codes while the walk goes on, and the codes become numbers in place when all are known. What was seen is marked
in a table by code where the ranges allow that, and kept in sorted runs where not. All outputs grow in place, so that the peak
stays close to the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.model.view import view_of
from rollwise.solvers.base.array_files import search
from rollwise.solvers.graph.arrays import AnyInts, Explored, Graph, Growing, Ints, fixed, offsets
from rollwise.solvers.graph.traverse import check_budget

__all__ = ["CodedIndex", "CodedPositions", "Size", "count_columns", "explore_columns"]

EDGES = 1 << 16
"""Moves or outcomes that are computed at once, about."""
FEWEST, MOST = 256, 1 << 15
"""Positions that are computed at once."""
LARGEST_TABLE = 1 << 27
"""Codes below this are marked in a table; it takes memory only where it is touched."""
BLOCK = 1 << 20
SLOT_BITS = 17
SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Multiplying by this spreads codes over the slots: it is 2**64 over the golden ratio."""
SAMPLE = 24
"""Positions that are computed again alone, to see that the rules say the same of one and of many."""


class CodedPositions(Sequence[Any]):
    """Positions by number, made on demand."""

    def __init__(self, rules: Any, codes: AnyInts) -> None:
        self.rules, self.codes = rules, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return CodedPositions(self.rules, self.codes[number])
        return self.rules.position(int(self.codes[number]))

    def __iter__(self) -> Iterator[Any]:
        position = self.rules.position
        return (position(code) for block in _blocks(self.codes) for code in block.tolist())


class CodedIndex(Mapping[Any, int]):
    """The numbers of positions: a position is packed, and its code is looked for among the sorted ones."""

    def __init__(self, rules: Any, codes: AnyInts, order: AnyInts | None = None, ordered: AnyInts | None = None) -> None:
        self.rules, self.codes, self._order, self._ordered = rules, codes, order, ordered

    @cached_property
    def order(self) -> AnyInts:
        """The numbers in the order of their codes."""
        return np.argsort(self.codes, kind="stable").astype(np.int32) if self._order is None else self._order

    @cached_property
    def ordered(self) -> AnyInts:
        """The codes in order."""
        return self.codes[self.order] if self._ordered is None else self._ordered

    def __getitem__(self, position: Any) -> int:
        code = self.rules.code(position)
        if code is not None and len(self.codes):
            if self.codes[0] == code:
                return 0
            place = search(self.ordered, code)
            if place < len(self.codes) and self.ordered[place] == code:
                return int(self.order[place])
        raise KeyError(position)

    def __iter__(self) -> Iterator[Any]:
        return iter(CodedPositions(self.rules, self.codes))

    def __len__(self) -> int:
        return len(self.codes)


def explore_columns(
    game: Game[Any, Any, Any], rules: Any, objective: Objective, max_states: int, progress: Progress | None
) -> Explored:
    """Explore a game by its rules over codes."""
    walk = _Frontiers(rules, max_states, progress)
    walk.run()
    states, pendings = walk.states.done(), walk.pendings.done()
    if objective.counts == "costs" and walk.mover.any():
        where = game.show_state(rules.position(int(states[int(np.argmax(walk.mover))])))
        why = f"player 1 moves, and Fewest counts the {view_of(game).cost_word} of one player: use Expected() or AtLeast(t)"
        raise GameError(f"at state {where}: {why}")
    walk.compare(states, pendings)
    graph = walk.graph(states, pendings)
    return Explored(
        game,
        objective,
        CodedPositions(rules, states),
        CodedPositions(rules, pendings),
        CodedIndex(rules, states),
        CodedIndex(rules, pendings),
        graph,
    )


class Counting:
    """Counts what an array would hold, and keeps nothing of it."""

    def __init__(self) -> None:
        self.size, self.some, self.least = 0, False, 0

    def add(self, values: AnyInts) -> None:
        """Count values."""
        self.size += len(values)
        self.some = self.some or bool(values.any())
        self.least = min(self.least, int(values.min(initial=0)))


@dataclass(frozen=True)
class Size:
    """How large the graph of a game is, and whether its actions gain anything and nothing takes points away."""

    states: int
    pendings: int
    actions: int
    outcomes: int
    code_bytes: int
    gains: bool
    floor: bool

    @property
    def nbytes(self) -> int:
        """What its arrays take, if 32 bits suffice for every number."""
        nodes = (9 + self.code_bytes) * self.states + (8 + self.code_bytes) * self.pendings
        return nodes + 8 * (self.actions + self.outcomes)


def count_columns(rules: Any, max_states: int, progress: Progress | None) -> Size:
    """Count the positions, moves and outcomes of a game by its rules over codes; only positions are kept meanwhile."""
    walk = _Frontiers(rules, max_states, progress, count=True)
    walk.run()
    gain, payoff = walk.action_gain, walk.payoff
    return Size(
        walk.states.size, walk.pendings.size, walk.action_pending.size, walk.outcome_state.size,
        walk.states.array.itemsize, gain.some, gain.least >= 0 and payoff.least >= 0,
    )  # fmt: skip


class _SeenCodes:
    """Codes that were seen, marked by code."""

    def __init__(self, space: int) -> None:
        self.seen = np.zeros(space, dtype=np.bool_)

    def fresh(self, codes: Ints) -> Ints:
        """Give the codes that were not seen before, each once, in the order in which they come first, and mark them."""
        new = _once(codes[~self.seen[codes]])
        self.seen[new] = True
        return new

    def numbers(self, codes: AnyInts) -> Callable[[AnyInts], AnyInts]:
        """Give the look-up from a code to its place among `codes`; nothing is asked after that."""
        place = np.empty(len(self.seen), dtype=np.int32)
        del self.seen
        place[codes] = np.arange(len(codes), dtype=np.int32)
        return lambda part: place[part]


class _Runs:
    """Codes that were seen, in sorted runs; the last two become one when they are of about the same length."""

    def __init__(self) -> None:
        self.runs: list[Ints] = []

    def fresh(self, codes: Ints) -> Ints:
        """Give the codes that were not seen before, each once, in the order in which they come first, and keep them."""
        new = _once(codes)
        for run in self.runs:
            place = np.minimum(np.searchsorted(run, new), len(run) - 1)
            new = new[run[place] != new]
        if len(new):
            self.runs.append(np.sort(new))
        while len(self.runs) > 1 and 2 * len(self.runs[-1]) >= len(self.runs[-2]):
            last = self.runs.pop()
            self.runs[-1] = np.sort(np.concatenate([self.runs[-1], last]))
        return new

    def numbers(self, codes: AnyInts) -> Callable[[AnyInts], AnyInts]:
        """Give the look-up from a code to its place among `codes`; nothing is asked after that."""
        self.runs.clear()
        order = np.argsort(codes, kind="stable").astype(np.int32)
        ordered = codes[order]
        return lambda part: order[np.searchsorted(ordered, part)]


def _once(codes: Ints) -> Ints:
    """Give each code once, in the order in which they come first: the first of each slot of a hash table, then of the rest."""
    first = np.zeros(len(codes), dtype=np.bool_)
    left, slots = np.arange(len(codes), dtype=np.int32), np.empty(1 << SLOT_BITS, dtype=np.int32)
    while len(left):
        own = codes[left]
        slot = (own.astype(np.uint64) * SCATTER) >> np.uint64(64 - SLOT_BITS)
        # What is written last stays.
        slots[slot[::-1]] = left[::-1]
        winner = slots[slot]
        first[winner] = True
        left = left[codes[winner] != own]
    return codes[first]


def _seen(space: int) -> _SeenCodes | _Runs:
    return _SeenCodes(space) if space <= LARGEST_TABLE else _Runs()


class _Pace:
    """Work through positions in blocks, as many at a time as have about `EDGES` moves or outcomes."""

    def __init__(self, work: Callable[[Ints], Ints]) -> None:
        self.work, self.size = work, FEWEST

    def over(self, codes: Ints) -> Iterator[Ints]:
        """Give what each block leads to."""
        low = 0
        while low < len(codes):
            part = codes[low : low + self.size]
            found = self.work(part)
            yield found
            low += len(part)
            self.size = min(max(EDGES * len(part) // max(len(found), 1), FEWEST), MOST)


class _Frontiers:
    """One walk: rolls and states are numbered in the order in which they are found, and expanded in that order."""

    def __init__(self, rules: Any, max_states: int, progress: Progress | None, *, count: bool = False) -> None:
        self.rules, self.max_states, self.progress = rules, max_states, progress
        self.small = rules.space < 1 << 31
        self.seen_states, self.seen_pendings = _seen(rules.space), _seen(rules.space)
        code = np.int32 if self.small else np.int64
        self.states, self.pendings = Growing(code), Growing(code)
        kept: Any = (lambda *_: Counting()) if count else Growing
        self.outcome_count, self.outcome_state, self.outcome_weight = kept(), kept(code), kept()
        self.action_count, self.action_pending, self.action_gain = kept(), kept(code), kept()
        self.payoff, self.cost, self._mover = kept(), kept(), kept(np.uint8)

    @property
    def mover(self) -> npt.NDArray[np.uint8]:
        found: npt.NDArray[np.uint8] = self._mover.done()
        return found

    def run(self) -> None:
        """Walk everything. Raises `GameError` over the budget or for a fault of the rules."""
        pendings = self.seen_pendings.fresh(np.array([self.rules.first()], dtype=np.int64))
        self.pendings.add(pendings)
        rolling, offering = _Pace(self._roll), _Pace(self._offer)
        while len(pendings):
            states = _all([self.seen_states.fresh(found) for found in rolling.over(pendings)])
            self.states.add(states)
            pendings = _all([self.seen_pendings.fresh(found) for found in offering.over(states)])
            self.pendings.add(pendings)

    def _roll(self, pendings: Ints) -> Ints:
        found = self.rules.rolled(pendings)
        self.outcome_count.add(np.diff(found.start))
        self.outcome_state.add(found.state)
        self.outcome_weight.add(found.weight)
        self.cost.add(found.cost)
        self._check()
        state: Ints = found.state
        return state

    def _offer(self, states: Ints) -> Ints:
        found = self.rules.offered(states)
        self.action_count.add(np.diff(found.start))
        self.action_pending.add(found.pending)
        self.action_gain.add(found.gain)
        self.payoff.add(found.payoff)
        self._mover.add(found.mover)
        self._check()
        pending: Ints = found.pending
        return pending

    def _check(self) -> None:
        found = self.states.size + self.pendings.size
        check_budget(found, self.action_pending.size + self.outcome_state.size, self.max_states)
        if self.progress:
            self.progress("exploring", found, None)

    def compare(self, states: AnyInts, pendings: AnyInts) -> None:
        """Compute some positions alone, and compare. Raises `GameError` where the rules say something else of many."""
        rolled = ((self.outcome_state, "state"), (self.outcome_weight, "weight"))
        self._compare(pendings, self.rules.rolled, self.outcome_count, rolled, "rolled")
        offered = ((self.action_pending, "pending"), (self.action_gain, "gain"))
        self._compare(states, self.rules.offered, self.action_count, offered, "chosen")

    def _compare(self, codes: AnyInts, rule: Callable[[Ints], Any], counts: Growing, edges: Any, what: str) -> None:
        starts = offsets(counts.array[: counts.size])
        for number in _sample(len(codes)):
            alone = rule(codes[number : number + 1].astype(np.int64))
            row = slice(int(starts[number]), int(starts[number + 1]))
            same = all(np.array_equal(getattr(alone, name), found.array[row]) for found, name in edges)
            if what == "chosen":
                same = same and int(alone.payoff[0]) == int(self.payoff.array[number])
            self._same(same, codes[number], what)

    def _same(self, same: bool, code: Any, what: str) -> None:
        if not same:
            where = self.rules.position(int(code))
            raise GameError(
                f"what can be {what} at {where} is one thing alone and another among many positions: "
                "rules must look at each position by itself, without sums or maxima over all of them"
            )

    def graph(self, states: AnyInts, pendings: AnyInts) -> Graph:
        """Turn codes into numbers, and give the arrays."""
        outcome_state = self._numbered(self.outcome_state, self.seen_states.numbers(states))
        action_pending = self._numbered(self.action_pending, self.seen_pendings.numbers(pendings))
        return Graph(
            maximise=True,
            state_payoff=fixed(self.payoff.done()),
            state_mover=fixed(self.mover),
            action_start=fixed(offsets(self.action_count.done())),
            action_pending=fixed(action_pending),
            action_gain=fixed(self.action_gain.done()),
            pending_cost=fixed(self.cost.done()),
            outcome_start=fixed(offsets(self.outcome_count.done())),
            outcome_state=fixed(outcome_state),
            outcome_weight=fixed(self.outcome_weight.done()),
        )

    def _numbered(self, edges: Growing, look_up: Callable[[AnyInts], AnyInts]) -> AnyInts:
        """Replace the codes of edges by the numbers of what they lead to, in place."""
        found = edges.done()
        numbers = found if self.small else found.view(np.int32)
        for low in range(0, len(found), BLOCK):
            part = look_up(found[low : low + BLOCK])
            numbers[low : low + len(part)] = part
        if not self.small:
            size = len(found)
            found.resize((size + 1) // 2, refcheck=False)
            numbers = found.view(np.int32)[:size]
        return numbers


def _sample(count: int) -> list[int]:
    return sorted({int(number) for number in np.linspace(0, count - 1, min(SAMPLE, count))})


def _blocks(codes: AnyInts, size: int = BLOCK) -> Iterator[AnyInts]:
    return (codes[low : low + size] for low in range(0, len(codes), size))


def _all(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
