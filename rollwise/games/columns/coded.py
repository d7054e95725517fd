"""Rules over packed codes: what many positions lead to, all at once.

`rolled` joins pendings with the throws, `offered` joins states with what may be chosen. Both work in blocks of pairs (a position
and a row of a table) that fit the cache. A position alone is computed as two equal rows, so that a rule which asks `if` of an
array fails at the first position and not at the first large block.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, brief
from rollwise.games.columns.column import Mover
from rollwise.games.columns.merging import lowest_terms, merged_block, merged_rows
from rollwise.games.columns.positions import Layout, OutOfRange, Positions, RelationRows
from rollwise.games.columns.relation import Ints, Relation, integers
from rollwise.games.columns.rules import Body, Chance, Choice, Place
from rollwise.model.faults import describe_error
from rollwise.model.notation import notation_of
from rollwise.model.roll import LARGEST

__all__ = ["Coded", "ColumnRules", "Offered", "Pick", "Rolled"]

Bools = npt.NDArray[np.bool_]
Found = TypeVar("Found")

PAIRS = 1 << 16
"""Positions times rows of a table that are computed at once."""
FEW_PENDINGS = 1 << 11
"""Positions that are rolled for at once, where several things are rolled in a row."""
TIP = "a rule is computed for many positions at once: write & | ~ for and, or, not, where() for if, minimum() for min()"

IN_PLACE = "a rule changes a column in place: write x = s.x + 1 instead of x += 1"


class Rolled(NamedTuple):
    """What rolls lead to: row i has the states and weights from `start[i]` to `start[i + 1]`, each state once."""

    start: Ints
    state: Ints
    weight: Ints
    cost: Ints


class Offered(NamedTuple):
    """What states offer: row i has the actions from `start[i]` to `start[i + 1]`; one without any is over, and pays."""

    start: Ints
    pending: Ints
    gain: Ints
    payoff: Ints
    mover: Ints


class Pick(NamedTuple):
    """One choice at several states: the state (by row), the row of the choice's table (-1: none), what it leads to and gains."""

    owner: Ints
    row: Ints
    pending: Ints
    gain: Ints


class Coded(Protocol):
    """Rules over codes: what the explorer asks. Codes are integers from 0 to `space` - 1."""

    space: int

    def first(self) -> int:
        """Give the code of the start."""

    def rolled(self, pendings: Ints) -> Rolled:
        """Give what pendings lead to."""

    def offered(self, states: Ints) -> Offered:
        """Give what states offer."""

    def position(self, code: int) -> Any:
        """Give a position by its code."""

    def code(self, position: Any) -> int | None:
        """Give the code of a position; None if it is none."""

    def lifted(self, game: Any) -> "Coded | None":
        """Give the rules of a game whose positions carry points besides; None if that cannot be done."""

    def columns(self, codes: Ints) -> dict[str, Ints]:
        """Unpack positions into columns by name."""

    def named(self, states: Ints) -> Ints:
        """Number the names of what states offer, in the order of `offered`."""

    def name_of(self, number: int) -> str:
        """Give a name by its number."""


class ColumnRules:
    """The rules of a column game over codes."""

    def __init__(self, game: Any, layout: Layout, first: int, position: Callable[[tuple[int, ...]], Any]) -> None:
        self.game, self.layout, self.space, self._first, self._position = game, layout, layout.space, first, position
        self.chance: Chance | None = game.chance_rule()
        self.choices: tuple[Choice, ...] = tuple(game.choice_rules())
        self.mover = next((name for name, column in layout.columns.items() if isinstance(column, Mover)), None)
        self.chances: tuple[Chance, ...] = tuple(_in_turn(self.chance))
        for chance in self.chances:
            chance.weights  # noqa: B018  (faults of the table are found before anything is explored)
        self._begin("")

    def first(self) -> int:
        return self._first

    def position(self, code: int) -> Any:
        return self._position(self.layout.values(int(code)))

    def code(self, position: Any) -> int | None:
        return self.layout.code(position)

    def lifted(self, game: Any) -> Coded | None:
        # `lifted` stands on these rules.
        from rollwise.games.columns.lifted import LiftedRules  # noqa: PLC0415

        return LiftedRules.of(self, game)

    def columns(self, codes: Ints) -> dict[str, Ints]:
        """Unpack positions into columns by name."""
        return {name: self.layout.column(codes, name) for name in self.layout.names}

    def named(self, states: Ints) -> Ints:
        """Number the names of what states offer, in the order of `offered`: choice by choice, row by row of its table."""
        picks = self.picks(states)
        if not picks:
            return np.zeros(0, dtype=np.int64)
        first = np.cumsum([0, *(1 if choice.table is None else choice.table.rows for choice in self.choices)])
        number = [start + np.maximum(pick.row, 0) for start, pick in zip(first[:-1], picks, strict=True)]
        order = np.argsort(np.concatenate([pick.owner for pick in picks]), kind="stable")
        found: Ints = np.concatenate(number)[order]
        return found

    @property
    def names(self) -> int:
        """How many names there are: one for each row of each choice's table."""
        return sum(1 if choice.table is None else choice.table.rows for choice in self.choices)

    def name_of(self, number: int) -> str:
        for choice in self.choices:
            rows = 1 if choice.table is None else choice.table.rows
            if number < rows:
                return choice.action(number)
            number -= rows
        raise IndexError(number)

    def rolled(self, pendings: Ints) -> Rolled:
        """Give what pendings lead to. Raises `GameError` that names the position and the rule."""
        if len(pendings) == 1:
            pair = self.rolled(np.repeat(pendings, 2))
            end = int(pair.start[1])
            return Rolled(pair.start[:2], pair.state[:end], pair.weight[:end], pair.cost[:1])
        return self._located("pending", pendings, self._rolled)

    def offered(self, states: Ints) -> Offered:
        """Give what states offer. Raises `GameError` that names the position and the rule."""
        if len(states) == 1:
            pair = self.offered(np.repeat(states, 2))
            end = int(pair.start[1])
            return Offered(pair.start[:2], pair.pending[:end], pair.gain[:end], pair.payoff[:1], pair.mover[:1])
        return self._located("state", states, self._offered)

    def picks(self, states: Ints) -> list[Pick]:
        """Give every choice at the states, one after another."""
        return self._located("state", states, lambda codes: [self._pick(choice, codes) for choice in self.choices])

    # Rolls

    def _rolled(self, pendings: Ints) -> Rolled:
        if self.chance is None:
            return Rolled(*_nothing_rolled(pendings), np.zeros_like(pendings))
        seen = Positions._of(self.layout, pendings)
        quiet = [self._quiet(chance, pendings, seen) for chance in self.chances]
        if len(quiet) == 1:
            found = self._roll_once(self.chance, pendings, quiet[0])
        else:
            found = _joined([self._roll_in_turn(part) for part in _slices(pendings, FEW_PENDINGS)])
        cost = self._price(seen, np.diff(found[0]))
        marks = [one for one in quiet if one is not None]
        return Rolled(*found, cost if len(marks) < len(quiet) else np.where(np.logical_and.reduce(marks), 0, cost))

    def _quiet(self, chance: Chance, pendings: Ints, seen: Positions) -> Bools | None:
        """Say where nothing is rolled; None: nowhere."""
        self._begin(chance.where, chance.place)
        return self._marked(chance.unless, len(pendings), seen) if chance.unless else None

    def _roll_in_turn(self, pendings: Ints) -> tuple[Ints, Ints, Ints]:
        """Roll one thing after another: what one leads to is where the next begins."""
        found = _nothing_rolled(pendings)
        for chance in self.chances:
            different, place = np.unique(found[1], return_inverse=True)
            quiet = self._quiet(chance, different, Positions._of(self.layout, different))
            found = _followed(found, place, self._roll_once(chance, different, quiet), self.space)
        return found

    def _roll_once(self, chance: Chance, pendings: Ints, quiet: Bools | None) -> tuple[Ints, Ints, Ints]:
        self._begin(chance.where, chance.place)
        if quiet is None or not quiet.any():
            return self._thrown(chance, pendings)
        return _with_sure(self._thrown(chance, pendings[~quiet]), quiet, pendings)

    def _thrown(self, chance: Chance, pendings: Ints) -> tuple[Ints, Ints, Ints]:
        """What rolls that are really thrown lead to, block by block."""
        if not len(pendings):
            nothing = np.zeros(0, dtype=np.int64)
            return np.zeros(1, dtype=np.int64), nothing, nothing
        if chance.on is None:
            size = max(2, PAIRS // max(chance.table.rows, 1))
            return _joined([self._throw_all(chance, part) for part in _slices(pendings, size)])
        keys = integers("what the roll is joined on", chance.on(Positions._of(self.layout, pendings)))
        keys = np.broadcast_to(keys, pendings.shape)
        begin, count = chance.table.counts(keys)
        if not count.all():
            place = int(np.argmin(count))
            raise OutOfRange(place, f"no throw of the table has the key {int(keys[place])}")
        return _joined([self._throw_some(chance, pendings[part], begin[part], count[part]) for part in _cut(count)])

    def _throw_all(self, chance: Chance, pendings: Ints) -> tuple[Ints, Ints, Ints]:
        seen, rows, count = Positions._of(self.layout, pendings[:, None]), RelationRows(chance.table), chance.table.rows
        after = chance.body(seen, rows)
        state = np.broadcast_to(self._after(after, seen), (len(pendings), count))
        if rows._tell_apart(after):
            return np.arange(len(pendings) + 1) * count, state.reshape(-1), np.tile(chance.weights, len(pendings))
        return merged_block(state, chance.weights)

    def _throw_some(self, chance: Chance, pendings: Ints, begin: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
        owner, row = _pairs(begin, count)
        seen, rows = Positions._of(self.layout, pendings[owner]), RelationRows(chance.table, row)
        after = chance.body(seen, rows)
        state = np.broadcast_to(self._after(after, seen), owner.shape)
        if rows._tell_apart(after):
            return np.concatenate([[0], np.cumsum(count)]), state, chance.weights[row]
        return merged_rows(owner, state, chance.weights[row], len(pendings), self.space)

    def _price(self, seen: Positions, outcomes: Ints) -> Ints:
        price = self.game.price(seen)
        if price is None:
            return (outcomes > 1).astype(np.int64)
        self._begin("price()")
        return self._points("price()", price, outcomes.shape)

    # Choices

    def _offered(self, states: Ints) -> Offered:
        picks = [self._pick(choice, states) for choice in self.choices]
        count = np.zeros(len(states) + 1, dtype=np.int64)
        each = [np.bincount(pick.owner, minlength=len(states)) for pick in picks]
        for found in each:
            count[1:] += found
        start = np.cumsum(count)
        pending, gain = np.empty(start[-1], dtype=np.int64), np.empty(start[-1], dtype=np.int64)
        place = start[:-1].copy()
        for pick, found in zip(picks, each, strict=True):
            target = place[pick.owner]
            if pick.row.size and pick.row[0] >= 0:
                target += np.arange(len(pick.owner)) - np.repeat(np.cumsum(found) - found, found)
            pending[target], gain[target] = pick.pending, pick.gain
            place += found
        over = np.flatnonzero(count[1:] == 0)
        return Offered(start, pending, gain, self._final(states, over), self._movers(states, over))

    def _pick(self, choice: Choice, states: Ints) -> Pick:
        self._begin(choice.where or f"choice {choice.name!r}", choice.place)
        if choice.table is None:
            seen = Positions._of(self.layout, states)
            owner = np.arange(len(states))
            if choice.when is not None:
                owner = np.flatnonzero(self._marked(choice.when, len(states), seen))
            return self._taken(choice, states, owner, np.full(len(owner), -1))
        if choice.on is None and choice.when is not None:
            size = max(2, PAIRS // max(choice.table.rows, 1))
            blocks = range(0, len(states), size)
            return _all_picks([self._pick_when(choice, choice.when, states, slice(low, low + size)) for low in blocks])
        begin, count = self._joins(choice, choice.table, states)
        parts = [self._pick_some(choice, choice.table, states, part, begin, count) for part in _cut(count)]
        return _all_picks(parts)

    def _joins(self, choice: Choice, table: Relation, states: Ints) -> tuple[Ints, Ints]:
        if choice.on is None:
            return np.zeros(len(states), dtype=np.int64), np.full(len(states), table.rows)
        keys = integers(f"what {choice.name!r} is joined on", choice.on(Positions._of(self.layout, states)))
        return table.counts(np.broadcast_to(keys, states.shape))

    def _pick_when(self, choice: Choice, when: Body, states: Ints, part: slice) -> Pick:
        """Join a block of states with all rows of the table; nothing is repeated before the condition is known."""
        table: Any = choice.table
        seen = Positions._of(self.layout, states[part, None])
        owner, row = np.nonzero(np.broadcast_to(_truth(when(seen, RelationRows(table))), (len(states[part]), table.rows)))
        return self._taken(choice, states, owner + part.start, row)

    def _pick_some(self, choice: Choice, table: Relation, states: Ints, part: slice, begin: Ints, count: Ints) -> Pick:
        owner, row = _pairs(begin[part], count[part])
        owner += part.start
        if choice.when is not None and len(owner):
            marked = _truth(choice.when(Positions._of(self.layout, states[owner]), RelationRows(table, row)))
            marked = np.broadcast_to(marked, owner.shape)
            owner, row = owner[marked], row[marked]
        return self._taken(choice, states, owner, row)

    def _taken(self, choice: Choice, states: Ints, owner: Ints, row: Ints) -> Pick:
        if not len(owner):
            return Pick(owner, row, owner, owner)
        seen = Positions._of(self.layout, states[owner])
        found = choice.body(seen) if choice.table is None else choice.body(seen, RelationRows(choice.table, row))
        after, gain = found if isinstance(found, tuple) else (found, 0)
        pending = np.broadcast_to(self._after(after, seen), owner.shape)
        points = self._points("the gain", gain, owner.shape)
        if not self.game.gains and points.any():
            raise GameError("it gains points, and the game says that it has none: leave gains = False out")
        return Pick(owner, row, pending, points)

    def _final(self, states: Ints, over: Ints) -> Ints:
        payoff = np.zeros(len(states), dtype=np.int64)
        if len(over):
            self._begin("final()")
            payoff[over] = self._points("final()", self.game.final(Positions._of(self.layout, states[over])), over.shape)
        return payoff

    def _movers(self, states: Ints, over: Ints) -> Ints:
        if self.mover is None:
            return np.zeros(len(states), dtype=np.int64)
        mover = self.layout.column(states, self.mover).copy()
        mover[over] = 0
        return mover

    # What rules give

    def _after(self, found: Any, seen: Positions) -> Ints:
        if not isinstance(found, Positions):
            raise GameError(f"it gave {brief(found)}: expected a position, such as p or p.but(...)")
        if found._code is not seen._code:
            raise GameError("it gave a position that does not come from the one it was given")
        return found._packed(seen)

    def _points(self, what: str, found: Any, shape: tuple[int, ...]) -> Ints:
        points = integers(what, found)
        if points.size and max(-int(points.min()), int(points.max())) >= LARGEST:
            raise GameError(f"{what} is beyond 2**62: expected smaller numbers")
        return np.broadcast_to(points, shape)

    def _marked(self, condition: Any, count: int, seen: Positions) -> Bools:
        return np.broadcast_to(_truth(condition(seen)), count)

    # Faults

    def _begin(self, doing: str, place: Place = None) -> None:
        """Note the rule that is being followed, and its place in a game file, for faults."""
        self.doing, self.place = doing, place

    def _located(self, kind: str, codes: Ints, work: Callable[[Ints], Found]) -> Found:
        """Work on positions; a fault of the rules is told with the first position where it happens."""
        try:
            return work(codes)
        except (Exception, SystemExit) as error:
            place = self._blamed(codes, work)
            where = "" if place is None else f" at {kind} {self._named(kind, int(codes[place]))}"
            raise GameError(f"{self.doing}{where}: {_why(error)}").placed(*self.place or (None, None)) from error

    def _blamed(self, codes: Ints, work: Callable[[Ints], Any]) -> int | None:
        """Find the first position that fails alone, by halves; None if none does."""
        low, high = 0, len(codes)
        while high - low > 1:
            middle = (low + high) // 2
            if self._fails(codes[low:middle], work):
                high = middle
            else:
                low = middle
        return low if self._fails(codes[low:high], work) else None

    def _fails(self, codes: Ints, work: Callable[[Ints], Any]) -> bool:
        try:
            work(codes if len(codes) > 1 else np.repeat(codes, 2))
        except (Exception, SystemExit):
            return True
        return False

    def _named(self, kind: str, code: int) -> str:
        try:
            show = self.game.show_state if kind == "state" else notation_of(self.game).show_pending
            return str(show(self.position(code)))
        except Exception:
            return str(self.position(code))


def _why(error: BaseException) -> str:
    text = describe_error(error)
    if isinstance(error, ValueError) and "read-only" in text:
        return f"{text}; {IN_PLACE}"
    return f"{text}; {TIP}" if isinstance(error, ValueError) and "truth value" in text else text


def _truth(found: Any) -> Bools:
    marks = np.asarray(found)
    if marks.dtype.kind not in "biu":
        raise GameError(f"a condition gave {brief(found)}: expected true or false")
    if marks.dtype.kind == "i" and marks.min(initial=0) < 0:
        raise GameError("a condition gave a negative number, as ~ does with a column of 0 and 1: write s.x == 0 instead of ~s.x")
    return marks if marks.dtype.kind == "b" else marks != 0


def _in_turn(chance: Chance | None) -> Iterator[Chance]:
    """List what is rolled, one after another."""
    while chance is not None:
        yield chance
        chance = chance.then


def _nothing_rolled(pendings: Ints) -> tuple[Ints, Ints, Ints]:
    """Lead every position to itself."""
    return np.arange(len(pendings) + 1), pendings, np.ones_like(pendings)


def _followed(first: tuple[Ints, Ints, Ints], place: Ints, then: tuple[Ints, Ints, Ints], space: int) -> tuple[Ints, Ints, Ints]:
    """Give what a roll and the next one lead to together: outcome i of the first goes on with row `place[i]` of the next.

    The chance of a pair is w / W * v / V. Over a common multiple of all V of a roll its weight is the whole number w * v * M / V.
    """
    start, _, weight = first
    next_start, next_state, next_weight = then
    whole = np.add.reduceat(next_weight, next_start[:-1])[place]
    common = np.repeat(np.lcm.reduceat(whole, start[:-1]), np.diff(start))
    count = np.diff(next_start)[place]
    upper = np.add.reduceat(weight.astype(np.float64) * common, start[:-1])
    # An overflow would leave something that is no common multiple.
    if (common <= 0).any() or (common % whole).any() or upper.max() >= LARGEST:
        raise GameError("the weights of rolls in a row add up to 2**62 or more: roll fewer dice at once")
    owner, row = _pairs(next_start[:-1][place], count)
    weight = (weight * (common // whole))[owner] * next_weight[row]
    rolls = np.repeat(np.arange(len(start) - 1), np.diff(start))[owner]
    start, state, weight = merged_rows(rolls, next_state[row], weight, len(start) - 1, space)
    return start, state, lowest_terms(weight, start[:-1])


def _with_sure(live: tuple[Ints, Ints, Ints], quiet: Bools, pendings: Ints) -> tuple[Ints, Ints, Ints]:
    """Put the rolls that go one way, to themselves, among the others."""
    start, state, weight = live
    count = np.ones(len(pendings), dtype=np.int64)
    count[~quiet] = np.diff(start)
    whole = np.concatenate([[0], np.cumsum(count)])
    sure = whole[:-1][quiet]
    thrown = np.ones(whole[-1], dtype=np.bool_)
    thrown[sure] = False
    all_states, all_weights = np.empty(whole[-1], dtype=np.int64), np.ones(whole[-1], dtype=np.int64)
    all_states[sure], all_states[thrown], all_weights[thrown] = pendings[quiet], state, weight
    return whole, all_states, all_weights


def _slices(codes: Ints, size: int) -> Iterator[Ints]:
    return (codes[low : low + size] for low in range(0, len(codes), size))


def _cut(count: Ints) -> list[slice]:
    """Cut rows into slices of about `PAIRS` pairs."""
    upto = np.cumsum(count)
    total = int(upto[-1]) if len(upto) else 0
    edges = np.searchsorted(upto, np.arange(PAIRS, total, PAIRS), side="left") + 1
    bounds = np.unique(np.concatenate([[0], edges, [len(count)]])).tolist()
    return [slice(low, high) for low, high in pairwise(bounds)]


def _pairs(begin: Ints, count: Ints) -> tuple[Ints, Ints]:
    """List the pairs of rows: which position, which row of the table."""
    upto = np.cumsum(count)
    owner = np.repeat(np.arange(len(count)), count)
    row = np.arange(len(owner)) + np.repeat(begin - (upto - count), count)
    return owner, row


def _joined(parts: list[tuple[Ints, Ints, Ints]]) -> tuple[Ints, Ints, Ints]:
    if len(parts) == 1:
        return parts[0]
    starts, ends = [np.zeros(1, dtype=np.int64)], 0
    for start, _, _ in parts:
        starts.append(start[1:] + ends)
        ends += int(start[-1])
    return np.concatenate(starts), np.concatenate([part[1] for part in parts]), np.concatenate([part[2] for part in parts])


def _all_picks(parts: list[Pick]) -> Pick:
    return parts[0] if len(parts) == 1 else Pick(*(np.concatenate(column) for column in zip(*parts, strict=True)))
