"""What solutions of a score sheet share: positions within a turn.

A solution stores values of turn starts only. A turn is recomputed when a position in it is queried: for each number of rolls
left, the values by dice kept (a roll is pending) and by hand.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from rollwise.errors import GameError, PositionError
from rollwise.games.sheets.boxes import Hand, Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.formatting import counted
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.abilities import Explains, Follows, ListsDecisions, PlaysMany, Reports, UsesMemory
from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.layer_files import layer_name
from rollwise.solvers.base.memory_use import MemoryUse, memory_use
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.solvers.sheets.backward import Axis, Values
from rollwise.solvers.sheets.effect_values import EffectValues
from rollwise.solvers.sheets.follow import SIMPLE, ValueStrategy, sheet_distribution, simple_strategy
from rollwise.solvers.sheets.reading import carry_number, read_carry
from rollwise.solvers.sheets.reasons import TurnCuts
from rollwise.solvers.sheets.strategy import count_rows, sheet_chunks, start_of
from rollwise.solvers.sheets.turn_table import TurnTable

__all__ = [
    "LayeredPositions", "ListedTurns", "OnePlayerSolution", "TurnPositions", "TurnSolution", "find_outer", "is_small",
    "unpack_layers",
]  # fmt: skip

FEW_POSITIONS = 20_000
"""Positions of a score sheet up to which a strategy card chooses one by one: that takes less time than compiling."""


def is_small(arrays: SheetArrays) -> bool:
    """Say whether choosing by a strategy card position by position is faster than following it on the arrays."""
    return arrays.n_outer * arrays.lattice.n_hands * (arrays.rerolls + 1) <= FEW_POSITIONS


def find_outer(sheet: Sheet, arrays: SheetArrays, turn: Turn) -> tuple[int, int] | None:
    """Give the outer state of a position, open boxes and carry; None if it does not occur."""
    if not isinstance(turn, Turn):
        raise PositionError(f"{turn!r} is not a position of a score sheet: use read_state")
    if not turn.open and arrays.wins:
        return 0, arrays.over
    carry = carry_number(sheet, turn.upper, turn.primed)
    if not arrays.occurs(turn.open) or not 0 <= carry < arrays.n_carries:
        return None
    if turn.primed and not carry_number(sheet, 0, True):
        return None
    return (turn.open, carry) if carry in arrays.can_carry(turn.open) else None


@dataclass(frozen=True, eq=False, repr=False)
class TurnPositions(Solution, Reports, UsesMemory):
    """Answers about positions within turns, from tables of turns. A position is a turn and, in some, points beside it."""

    size_word = "turn starts"
    proof = "Every turn fills a box, so the game surely ends, and each turn's value follows from those of the turns after it."
    kept_turns: ClassVar[int] = 128
    """Turns that stay in memory."""

    arrays: SheetArrays

    @property
    def sheet(self) -> Sheet:
        """The sheet itself, where the solved game is lifted from it."""
        return self.game  # type: ignore[no-any-return]

    def most_rerolls(self, opened: Any) -> Any:
        """Say how many rerolls can be left in a turn with these open boxes, or with each of many."""
        return self.arrays.rerolls

    def _split(self, position: Any) -> tuple[Any, ...]:
        """A position as its turn and what else it consists of."""
        return (position,)

    @abstractmethod
    def _first_value(self, turn: Turn, opened: int, carry: int, *more: int) -> Number:
        """The value of a turn before its first roll."""

    @abstractmethod
    def _end_value(self, opened: int, carry: int, *more: int) -> Number:
        """The value of a sheet that is full."""

    @abstractmethod
    def _worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        """What ending turns with each effect is worth, its gain included, as a table of turns takes it: turn starts are lanes."""

    def _turn_table(self, opened: int, carry: int, *more: int) -> TurnTable:
        """Compute a turn."""
        start = (np.array([one]) for one in (opened, carry, *more))
        return TurnTable(self.arrays, opened, self._worth(*start)[..., 0])

    def turns(self, opened: Ints, carry: Ints) -> TurnTable:
        """Compute many turns; where rolls are saved, with as many open boxes each."""
        return TurnTable(self.arrays, opened, self._worth(opened, carry))

    def _hand_value(self, left: int, hand: Hand, opened: int, carry: int, *more: int) -> Number | None:
        """The value of a hand with rerolls left; None if there is no such hand."""
        place = self.arrays.lattice.find(hand) - self.arrays.lattice.first_hand
        return float(self._table(opened, carry, *more).hand[left][place]) if place >= 0 else None

    def _keep_value(self, left: int, kept: Hand, opened: int, carry: int, *more: int) -> Number | None:
        """The value of dice kept with rolls to come; None if there is no such keep."""
        place = self.arrays.lattice.find(kept)
        known = 0 <= place < self.arrays.lattice.first_hand
        return float(self._table(opened, carry, *more).expected[left][place]) if known else None

    @cached_property
    def _table(self) -> Any:
        return lru_cache(maxsize=self.kept_turns)(self._turn_table)

    def memory_use(self) -> MemoryUse:
        return {**self._solved_memory(), id(self._table): self._table.cache_info().currsize * self._turn_bytes}

    def _solved_memory(self) -> MemoryUse:
        """What was solved takes, without the turns that were computed since."""
        return super().memory_use()

    @property
    def _turn_bytes(self) -> int:
        """What a turn takes that is kept, about."""
        net = self.arrays.lattice
        return 8 * (self.arrays.rerolls * (net.first_hand * len(self.arrays.effect_gain) + len(net.keeps)))

    def outer(self, position: Any) -> tuple[int, int]:
        """Give the outer state of a position: open boxes and carry. Raises `PositionError` if it does not occur."""
        found = self._find(position)
        if found is None:
            raise self._unknown(position)
        return found

    def _find(self, position: Any) -> tuple[int, int] | None:
        """The outer state of a position; None if it does not occur."""
        return find_outer(self.sheet, self.arrays, self._split(position)[0])

    def _state_value(self, state: Any) -> Number | None:
        turn, *more = self._split(state)
        outer = self._find(state)
        if outer is None or len(turn.dice) not in (0, self.sheet.count):
            return None
        if not turn.open:
            return self._end_value(*outer, *more) if not turn.dice and not turn.left else None
        return self._hand_value(turn.left, turn.dice, *outer, *more) if 0 <= turn.left <= self.most_rerolls(turn.open) else None

    def _pending_value(self, pending: Any) -> Number | None:
        turn, *more = self._split(pending)
        outer = self._find(pending)
        if outer is None:
            return None
        if not turn.open:
            return self._end_value(*outer, *more) if not turn.dice and not turn.left else None
        most = self.most_rerolls(turn.open)
        if not turn.dice and self.arrays.rerolls < turn.left <= most + 1:
            return self._first_value(turn, *outer, *more)
        return self._keep_value(turn.left, turn.dice, *outer, *more) if 1 <= turn.left <= most else None

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        """Every action with its value, read from the turn's table."""
        turn, *more = self._split(state)
        if self.exact or not turn.dice:
            yield from super()._valued(state)
            return
        table, net = self._table(*self.outer(state), *more), self.arrays.lattice
        fill, kept = table.fill[turn.left][:, net.number(turn.dice) - net.first_hand].tolist(), table.expected[turn.left]
        for action in self.sheet.actions(turn):
            yield action, fill[self.sheet.names.index(action)] if isinstance(action, str) else float(kept[net.number(action)])

    def size(self) -> str:
        return counted(self.states, "turn start")

    def _states(self) -> Iterator[Any]:
        """All decisions on a sheet, where a position is a turn and nothing else."""
        for opened in sorted(int(mask) for layer in layers(self.arrays) for mask in layer):
            for carry in sorted(self.arrays.can_carry(opened) - {self.arrays.over}):
                upper, primed = read_carry(self.sheet, carry)
                for left in range(self.most_rerolls(opened), -1, -1):
                    for hand in self.sheet.hands:
                        yield Turn(opened, upper, primed, hand, left)


@dataclass(frozen=True, eq=False, repr=False)
class TurnSolution(TurnPositions, Explains):
    """A solved score sheet, whatever it is played for, on which the rolls of a turn are lost with it."""

    @abstractmethod
    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        """The value of a turn start."""

    def _first_value(self, turn: Turn, opened: int, carry: int, *more: int) -> Number:
        return self._start_value(opened, carry, *more)

    def worth_before(self, opened: int, carry: int, *more: int) -> Number:
        """What a turn start is worth to the player to move."""
        return self._start_value(opened, carry, *more)

    @abstractmethod
    def worth_after(self, opened: int, carry: int, points: int, *more: int) -> Number | None:
        """What a turn that ends so is worth to who moved, its points included; None where such an end cannot occur."""

    @cached_property
    def _cuts(self) -> Any:
        return lru_cache(maxsize=128)(lambda *outer: TurnCuts(self, *outer))

    def parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        """Box by box, as the value of the player to move."""
        _, *more = self._split(state)
        return tuple(self._cuts(*self.outer(state), *more).parts(self._ends(state, action)))

    def _ends(self, state: Any, action: Any) -> Iterator[tuple[int, Number]]:
        """The effects that the turn may end with after a move, and their chances."""
        turn, opened = self._split(state)[0], self.outer(state)[0]
        if isinstance(action, str):
            place, box = self.arrays.lattice.number(turn.dice) - self.arrays.lattice.first_hand, self.sheet.names.index(action)
            hand = self.arrays.column(place, turn.left)
            return iter([(dict(self.arrays.options(opened, hand))[box], Fraction(1) if self.exact else 1.0)])
        effects, chances = self.turn_chances(self.game.play(state, action))
        return ((effect, chance) for effect, chance in zip(effects.tolist(), chances.tolist(), strict=True) if chance > 0)

    def turn_chances(self, pending: Any) -> tuple[Ints, Floats]:
        """Follow the best strategy from a roll within a turn: the effects it may end with, and their chances."""
        turn, *more = self._split(pending)
        table = self._table(*self.outer(pending), *more)
        return table.effects, table.chances.keeps(turn.left)[self.arrays.lattice.number(turn.dice)]

    def begins_after(self, pending: Any) -> list[tuple[int, int, int, float]]:
        """The outer states that follow a roll within a turn: (open boxes, carry, points of the turn, chance)."""
        opened, carry = self.outer(pending)
        if not opened or self._split(pending)[0].left > self.arrays.rerolls:
            return [(opened, carry, 0, 1.0)]
        effects, chances = self.turn_chances(pending)
        boxes = self.arrays.box_of_effect[effects]
        targets, gains = self.arrays.effect_target[effects, carry], self.arrays.effect_gain[effects, carry]
        rows = zip(boxes.tolist(), targets.tolist(), gains.tolist(), chances.tolist(), strict=True)
        return [(self.arrays.after(opened, box), target, gain, chance) for box, target, gain, chance in rows if chance > 0]


@dataclass(frozen=True, eq=False, repr=False)
class OnePlayerSolution(TurnSolution, Follows, PlaysMany, ListsDecisions):
    """A solved score sheet of one player, on whose arrays strategies are followed."""

    @property
    @abstractmethod
    def _effect_values(self) -> EffectValues:
        """What ending a turn is worth, by effect."""

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy from a roll, or a strategy card or a simple policy from the start, on the sheet's arrays."""
        if getattr(policy, "name", "") == "card":
            return self.card_distribution(policy, follow)
        if not self.follows(policy):
            return None
        own = policy is None
        return sheet_distribution(
            self.sheet, ValueStrategy(self.arrays, self._effect_values) if own else simple_strategy(self.arrays, policy),
            begin=self.begins_after(pending),
            max_bytes=follow.max_bytes, progress=follow.progress,
        )  # fmt: skip

    def follows(self, policy: Policy | None) -> bool:
        """Say whether the arrays follow a policy: the own one, or a simple one that sees the family's own greed."""
        if policy is None:
            return True
        name = getattr(policy, "name", "")
        return name in SIMPLE and not (name == "greedy" and self.sheet.changed_rules(("heuristic",)))

    def followed_card(self, card: Any) -> Any:
        """A strategy card on the arrays of the sheet; None: they do not follow it."""
        if getattr(card, "name", "") != "card":
            return None
        from rollwise.solvers.sheets.card_follow import follow_card  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return follow_card(self.sheet, card)

    def card_distribution(self, card: Any, follow: Follow) -> Distribution | None:
        """Follow a strategy card on the arrays of the sheet."""
        moves = None if is_small(self.arrays) else self.followed_card(card)
        if moves is None:
            return None
        return sheet_distribution(self.sheet, moves, max_bytes=follow.max_bytes, progress=follow.progress)


@dataclass(frozen=True, eq=False, repr=False)
class ListedTurns(TurnPositions, ListsDecisions):
    """Lists the decisions of turns in columns, on a sheet where a position is a turn and nothing else."""

    def _end_value(self, opened: int, carry: int, *more: int) -> Number:
        return Fraction(0) if self.exact else 0.0

    def chunks(self, words: tuple[str, str], rows: int, where: Mapping[str, str]) -> Iterator[Chunk] | None:
        """Compute all decisions of many turns at once."""
        return None if self.exact else sheet_chunks(self, words, rows, start_of(self.sheet, where))

    def count(self, where: Mapping[str, str]) -> int:
        """Count the decisions of the turns that are wanted."""
        return self.states if self.exact else count_rows(self, start_of(self.sheet, where))


@dataclass(frozen=True, eq=False, repr=False)
class LayeredPositions(TurnPositions):
    """Values in layers: `layers[k]` with k boxes to fill, as the axis lays them out."""

    precision: str
    layers: Mapping[int, Values]

    @property
    @abstractmethod
    def axis(self) -> Axis:
        """How the layers lie."""

    def values(self, layer: int) -> Values:
        """Give the values of a layer. Raises `GameError` for one that was not kept."""
        if layer not in self.layers:
            raise GameError(f"the values with {counted(layer, 'box', 'boxes')} to fill were not kept: solve with keep='all'")
        return self.layers[layer]

    def all_layers(self) -> dict[int, Values]:
        """Give the values of every layer. Raises `GameError` where some were not kept."""
        return {layer: self.values(layer) for layer in range(len(self.axis.shapes))}

    def pack(self) -> PackedSolution:
        """Take it apart: its layers. Raises `GameError` where not all were kept."""
        layers = {layer_name(layer): values for layer, values in self.all_layers().items()}
        return PackedSolution.of(self, layers, {"precision": self.precision}, self._covers)

    @property
    def _covers(self) -> str:
        """What it answers, for listings, where that is more than its objective."""
        return ""

    def _solved_memory(self) -> MemoryUse:
        return memory_use(self.layers.values())


def unpack_layers(axis: Axis, packed: PackedSolution) -> dict[str, Any]:
    """Give the precision and the layers of a stored solution. Raises `GameError` for layers of another size or precision."""
    precision = str(packed.rest["precision"])
    layers = {layer: packed.arrays[layer_name(layer)] for layer in range(len(axis.shapes))}
    if any((part.shape, part.dtype.name) != (axis.shapes[layer], precision) for layer, part in layers.items()):
        raise GameError("layers of another size or precision")
    return {"precision": precision, "layers": layers}
