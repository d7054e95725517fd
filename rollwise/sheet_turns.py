"""What solutions of a score sheet share: positions within a turn, and a turn calculated in another way to check the engine.

A solution keeps values of turn starts only. A turn is recomputed when it is asked for: for each number of rolls left, the values
by dice kept (a roll is pending) and by hand.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.engines.lattice import lattice
from rollwise.engines.turns import Floats, Ints, SheetForm
from rollwise.errors import PositionError
from rollwise.roll import dice
from rollwise.sheet_form import carry_number
from rollwise.sheets import Sheet, Turn
from rollwise.solution import Number, Solution

__all__ = ["Steps", "TurnSolution", "find_outer", "sample_outer", "turn_by_hands"]

SAMPLE = 8

Steps = list[tuple[dict[Any, Number], dict[Any, Number]]]
"""For each number of rolls left in a turn: values by dice kept, and by hand."""


def find_outer(sheet: Sheet, form: SheetForm, turn: Turn) -> tuple[int, int] | None:
    """Give the outer state of a position, open boxes and carry; None if it does not occur."""
    if not isinstance(turn, Turn):
        raise PositionError(f"{turn!r} is not a position of a score sheet: use read_state")
    carry = carry_number(sheet, turn.upper, turn.primed)
    if not 0 <= turn.open < 1 << form.n_boxes or not 0 <= carry < form.n_carries:
        return None
    if turn.primed and not carry_number(sheet, 0, True):
        return None
    if form.in_order and turn.open & (turn.open + (turn.open & -turn.open)) & ((1 << form.n_boxes) - 1):
        return None
    occurs = carry in form.carries(turn.open) or carry in form.copies(turn.open)[0]
    return (turn.open, carry) if occurs else None


@dataclass(frozen=True, eq=False)
class TurnSolution(Solution):
    """A solved score sheet, whatever it is played for. A position is a turn and, in some, a number of points beside it."""

    form: SheetForm

    @property
    @abstractmethod
    def sheet(self) -> Sheet:
        """The sheet itself, where the solved game is lifted from it."""

    @abstractmethod
    def _split(self, position: Any) -> tuple[Any, ...]:
        """A position as its turn and what else it consists of."""

    @abstractmethod
    def _join(self, turn: Turn, *more: int) -> Any:
        """A position from its turn and the rest."""

    @abstractmethod
    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        """The value of a turn start."""

    @abstractmethod
    def _end_value(self, *more: int) -> Number:
        """The value of a sheet that is full."""

    @abstractmethod
    def _steps(self, opened: int, carry: int, *more: int) -> Steps:
        """The values within a turn."""

    def outer(self, position: Any) -> tuple[int, int]:
        """Give the outer state of a position: open boxes and carry. Raises `PositionError` if it does not occur."""
        found = self._find(position)
        if found is None:
            raise self._unknown(position)
        return found

    def _find(self, position: Any) -> tuple[int, int] | None:
        """The outer state of a position; None if it does not occur."""
        return find_outer(self.sheet, self.form, self._split(position)[0])

    def _state_value(self, state: Any) -> Number | None:
        turn, *more = self._split(state)
        outer = self._find(state)
        if outer is None or not 0 <= turn.left <= self.form.rerolls or len(turn.dice) not in (0, self.sheet.count):
            return None
        if not turn.open:
            return self._end_value(*more) if not turn.dice and not turn.left else None
        found: Number | None = self._steps(*outer, *more)[turn.left][1].get(turn.dice)
        return found

    def _pending_value(self, pending: Any) -> Number | None:
        turn, *more = self._split(pending)
        outer = self._find(pending)
        if outer is None:
            return None
        if not turn.open:
            return self._end_value(*more) if not turn.dice and not turn.left else None
        if not 1 <= turn.left <= self.form.rerolls + 1 or (turn.left > self.form.rerolls and turn.dice):
            return None
        if turn.left > self.form.rerolls:
            return self._start_value(*outer, *more)
        found: Number | None = self._steps(*outer, *more)[turn.left][0].get(turn.dice)
        return found

    def turn_effects(self, pending: Any) -> dict[tuple[int, int], float]:
        """Follow the best strategy from a roll within a turn: the chance that the turn ends with (box, effect)."""
        opened, _ = self.outer(pending)
        turn, *more = self._split(pending)
        mass: dict[Any, float] = {turn.dice: 1.0}
        ends: dict[tuple[int, int], float] = {}
        for left in range(turn.left - 1, -1, -1):
            hands: dict[Any, float] = {}
            for kept, chance in mass.items():
                roll = self.sheet.roll(turn._replace(dice=kept, left=left + 1))
                for state, weight in roll.items():
                    hands[state.dice] = hands.get(state.dice, 0.0) + chance * weight / roll.total
            mass = {}
            for hand, chance in hands.items():
                action = self.best(self._join(turn._replace(dice=hand, left=left), *more))
                if isinstance(action, str):
                    box = self.sheet.names.index(action)
                    number = self.form.lattice.number(hand) - self.form.lattice.first_hand
                    effect = dict(self.form.options(opened, number))[box]
                    ends[box, effect] = ends.get((box, effect), 0.0) + chance
                else:
                    mass[action] = mass.get(action, 0.0) + chance
        return ends

    def begins_after(self, pending: Any) -> list[tuple[int, int, int, float]]:
        """The outer states that follow a roll within a turn: (open boxes, carry, points of the turn, chance)."""
        opened, carry = self.outer(pending)
        if not opened or self._split(pending)[0].left > self.form.rerolls:
            return [(opened, carry, 0, 1.0)]
        return [
            (
                opened & ~(1 << box),
                int(self.form.effect_target[effect, carry]),
                int(self.form.effect_gain[effect, carry]),
                chance,
            )
            for (box, effect), chance in self.turn_effects(pending).items()
        ]


# A turn in another way, for certificates


def sample_outer(form: SheetForm) -> tuple[Ints, Ints]:
    """Give outer states spread over the layers, always the same ones; the start is the first."""
    full = (1 << form.n_boxes) - 1
    spread = [] if form.in_order else [step * 2654435761 % full + 1 for step in range(1, SAMPLE)]
    opened = np.array([full, *spread], dtype=np.int64)
    carries = [form.carries(int(mask)) for mask in opened]
    return opened, np.array([own[step % len(own)] for step, own in enumerate(carries)])


def turn_by_hands(form: SheetForm, fill: Floats) -> Floats:
    """Give the values of turns from whole hands and their weights, without the lattice's one-die steps."""
    weights, part = _completions(form.lattice.count, form.lattice.faces)
    value = fill
    for _ in range(form.rerolls):
        expected = weights @ value
        value = np.maximum(value, np.where(part[:, :, None], expected, -np.inf).max(axis=1))
    result: Floats = weights[0] @ value
    return result


@lru_cache(maxsize=8)
def _completions(count: int, faces: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """For each partial keep the chance of each hand, and for each hand which keeps are part of it."""
    net = lattice(count, faces)
    weights = np.zeros((net.first_hand, net.n_hands))
    for k, keep in enumerate(net.keeps[: net.first_hand]):
        roll = dice(count - len(keep), faces)
        for rolled, weight in roll.items():
            weights[k, net.number(tuple(sorted(keep + rolled))) - net.first_hand] = weight / roll.total
    return weights, (weights > 0).T
