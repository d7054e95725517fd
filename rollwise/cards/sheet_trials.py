"""Try cards on a score sheet, fast: exact values, visits, and what other verbs would gain, on the arrays of the sheet."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.vocabulary import HandFeature, OpenFeature, OverPar, fills_of
from rollwise.model.card import OPERATORS, Card, Comparison, words_of
from rollwise.solvers.sheets.arrays import Floats, Ints, layers
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.solvers.sheets.reading import make_sheet_arrays, read_carry

__all__ = ["Atoms", "Trials"]

Bools = npt.NDArray[np.bool_]

LEAST = 1e-6
"""Outer states to which fewer games come are not followed, where about is enough."""
NEAR = 1e-5
"""And those to which fewer come keep their values, where cards are only compared."""


class Atoms(NamedTuple):
    """What lines may mean, cell by cell from `start` on, with the number of the line's condition on the sheet."""

    start: Ints
    open: Ints
    filled: Ints
    action: Ints
    condition: Ints
    line: Ints


class Meanings(NamedTuple):
    """What a verb may mean, in the order of cells."""

    cell: Ints
    open: Ints
    filled: Ints
    action: Ints


Every = tuple[Comparison, ...]


class Compiled(NamedTuple):
    """A card as atoms, and the conditions on the sheet that they number."""

    atoms: Atoms
    conditions: tuple[Every, ...]


class Trials:
    """A sheet made ready for trying cards."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.arrays = make_sheet_arrays(sheet)
        self.features, self.verbs = words_of(sheet)
        self.n_boxes = self.arrays.n_boxes
        self.hands = self.arrays.lattice.keeps[self.arrays.lattice.first_hand :]
        self.cells = [(left, hand) for left in range(self.arrays.rerolls + 1) for hand in self.hands]
        self.masks = np.concatenate(layers(self.arrays))
        self._seen: dict[str, Any] = {}
        self._met: dict[Any, Meanings] = {}
        self._carries = (self.masks, *self._lists())
        self.records = (effects_of(self.arrays, np.float64, np.int64), hands_of(self.arrays), rolls_of(self.arrays))

    def _lists(self) -> tuple[Ints, Ints]:
        """The carries of every mask, one after another, and where each mask's begin."""
        rows = [sorted(self.arrays.can_carry(mask)) for mask in self.masks.tolist()]
        return np.cumsum([0, *map(len, rows)]), np.array([carry for row in rows for carry in row], dtype=np.int64)

    @cached_property
    def uppers(self) -> tuple[Ints, Any]:
        upper, primed = read_carry(self.sheet, np.arange(self.arrays.n_carries))
        return np.asarray(upper), np.asarray(primed)

    # Features as arrays.

    def seen(self, name: str) -> Any:
        """Give a feature: by cell, by mask, or by mask and carry."""
        if name not in self._seen:
            feature = self.features[name]
            if isinstance(feature, HandFeature):
                found = np.array([feature.see(hand, left) for left, hand in self.cells])
            else:
                found = self._of_sheet(feature)
            self._seen[name] = found
        return self._seen[name]

    def _of_sheet(self, feature: Any) -> Any:
        masks = range(self.arrays.n_masks)
        if feature.by_boxes:
            return np.array([feature.see(mask, 0, False) for mask in masks])
        upper, primed = self.uppers
        first = np.array([[feature.see(mask, 0, False)] for mask in masks])
        by_carry = np.array(
            [feature.see(0, int(u), bool(p)) - feature.see(0, 0, False) for u, p in zip(upper, primed, strict=True)]
        )
        return first + by_carry  # upper total and pace are sums of a part by boxes and a part by carry

    def part(self, comparison: Comparison) -> str:
        """Say what a comparison reads: hand, boxes or carry."""
        names = [name for amount in (comparison.left, comparison.right) for _, name, _ in amount.terms if name]
        kinds = {self._kind(name) for name in names}
        if kinds <= {"hand"}:
            return "hand"
        if "hand" in kinds:
            raise ValueError("a comparison of the hand with the sheet")
        return "carry" if "carry" in kinds else "boxes"

    def _kind(self, name: str) -> str:
        feature = self.features[name]
        if isinstance(feature, HandFeature):
            return "hand"
        return "boxes" if isinstance(feature, OpenFeature) and feature.by_boxes else "carry"

    def holds(self, comparison: Comparison) -> Any:
        """Give where a comparison holds, as its features are given."""
        carry = self.part(comparison) == "carry"

        def seen(name: str) -> Any:
            found = self.seen(name)
            return found[:, None] if carry and found.ndim == 1 else found

        return OPERATORS[comparison.operator](comparison.left.worth(seen), comparison.right.worth(seen))

    # Verbs as arrays.

    def meanings(self, verb: str, numbers: tuple[tuple[str, int], ...]) -> Meanings:
        """Give what a verb may mean in every cell."""
        key = (verb, numbers if self.verbs[verb].numbers else ())
        if key not in self._met:
            if len(self._met) > 4000:
                self._met.clear()
            self._met[key] = self._over_par(verb, dict(numbers)) or self._meanings(verb, dict(numbers))
        return self._met[key]

    def _over_par(self, verb: str, numbers: Mapping[str, int]) -> Meanings | None:
        """Do so quickly for pars, which a search changes all the time."""
        over = self.verbs[verb]
        if not isinstance(over, OverPar):
            return None
        rows = self._fill_rows
        pars = np.array([numbers.get(f"par {name}", 0) for name in self.sheet.names])
        worth = rows[5] - pars[rows[4]]
        order = np.lexsort((-worth, rows[0]))
        if over.least is not None:
            order = order[worth[order] >= over.least]
        return Meanings(*(row[order] for row in rows[:4]))

    @cached_property
    def _fill_rows(self) -> Ints:
        """All fills: cell, boxes that must be open, boxes that must be filled, action, box, points."""
        rows = [
            (cell, _bits(choice.open), _bits(choice.filled), box, box, points)
            for cell, (left, hand) in enumerate(self.cells)
            for choice, box, points in fills_of(self.sheet, hand, left)
        ]
        return np.array(rows, dtype=np.int64).T.copy()

    def _meanings(self, verb: str, numbers: Mapping[str, int]) -> Meanings:
        choices: Any = self.verbs[verb].choices  # type: ignore[attr-defined]
        rows = [
            (cell, _bits(choice.open), _bits(choice.filled), self._action(choice.action))
            for cell, (left, hand) in enumerate(self.cells)
            for choice in choices(hand, left, numbers)
        ]
        return Meanings(*np.array(rows, dtype=np.int64).reshape(-1, 4).T.copy())

    def _action(self, action: Any) -> int:
        """Number an action: boxes, then keeps."""
        return self.sheet.names.index(action) if isinstance(action, str) else self.n_boxes + self.arrays.lattice.number(action)

    # Cards as arrays.

    def compile(self, card: Card) -> Compiled:
        """Give a card as atoms and conditions on the sheet."""
        conditions: dict[Every, int] = {}
        parts = []
        for number, line in enumerate(card.lines):
            for every in line.condition:
                asked = tuple(one for one in every if self.part(one) != "hand")
                met = self._part_of(line.verb, card.numbers, tuple(one for one in every if self.part(one) == "hand"))
                place = conditions.setdefault(asked, len(conditions))
                parts.append((*met, np.full(len(met.cell), place), np.full(len(met.cell), number)))
        cell, *columns = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(cell, kind="stable")
        opened, filled, action, condition, lines = (column[order] for column in columns)
        start = np.searchsorted(cell[order], np.arange(len(self.cells) + 1))
        return Compiled(Atoms(start, opened, filled, action, condition, lines), tuple(conditions))

    def _part_of(self, verb: str, numbers: tuple[tuple[str, int], ...], every: Every) -> Meanings:
        """Give what a verb may mean in the cells in which comparisons of the hand hold."""
        met = self.meanings(verb, numbers)
        if not every:
            return met
        chosen = self.hand_part(every)[met.cell]
        return Meanings(*(column[chosen] for column in met))

    def hand_part(self, every: Sequence[Comparison]) -> Bools:
        """Give the cells in which comparisons of the hand hold."""
        found = np.ones(len(self.cells), dtype=np.bool_)
        for one in every:
            found &= self.holds(one)
        return found

    def on_masks(self, conditions: Sequence[Every]) -> tuple[Any, Ints, Any]:
        """Give by mask and condition whether what it asks of open boxes holds; what else it asks by a number, mask and carry."""
        by_mask = np.ones((self.arrays.n_masks, len(conditions)), dtype=np.uint8)
        carried = np.full(len(conditions), -1)
        by_carry: list[Any] = []
        for place, every in enumerate(conditions):
            for one in every:
                if self.part(one) == "boxes":
                    by_mask[:, place] &= self.holds(one)
            rest = [self.holds(one) for one in every if self.part(one) == "carry"]
            if rest:
                carried[place] = len(by_carry)
                by_carry.append(np.logical_and.reduce(rest))
        shape = (len(by_carry), self.arrays.n_masks, self.arrays.n_carries)
        return by_mask, carried, np.array(by_carry, dtype=np.uint8).reshape(shape)

    def on_states(self, conditions: Sequence[Every], masks: Ints, carries: Ints) -> Any:
        """Give by outer state and condition whether it holds."""
        found = np.ones((len(masks), len(conditions)), dtype=np.uint8)
        for place, every in enumerate(conditions):
            for one in every:
                found[:, place] &= self.there(one, masks, carries)
        return found

    def there(self, comparison: Comparison, masks: Ints, carries: Ints) -> Any:
        """Give for outer states whether a comparison of the sheet holds."""

        def seen(name: str) -> Any:
            found = self.seen(name)
            return found[masks] if found.ndim == 1 else found[masks, carries]

        found: Any = OPERATORS[comparison.operator](comparison.left.worth(seen), comparison.right.worth(seen))
        return found

    # What is asked.

    def values(self, card: Compiled) -> Floats:
        """Give the card's value of every outer state."""
        from rollwise.solvers.sheets.kernels.card_trials_numba import trial_values  # noqa: PLC0415  (compiled where it is used)

        values = np.zeros((self.arrays.n_masks, self.arrays.n_carries))
        trial_values(*self._carries, card.atoms, *self.on_masks(card.conditions), *self.records, values)
        return values

    def near(self, card: Compiled, values: Floats, visits: Floats) -> float:
        """Give about what a card is worth: values are computed where a like card comes to, and elsewhere taken from it."""
        from rollwise.solvers.sheets.kernels.card_trials_numba import trial_values  # noqa: PLC0415

        there = visits[self.masks] > NEAR
        start, carries = np.cumsum([0, *there.sum(axis=1)]), np.ascontiguousarray(np.nonzero(there)[1])
        found = values.copy()
        trial_values(self.masks, start, carries, card.atoms, *self.on_masks(card.conditions), *self.records, found)
        return float(found[self.arrays.full, 0])

    def visits(self, card: Compiled, least: float = LEAST) -> Floats:
        """Give the chance of every outer state; chances below `least` are not followed."""
        from rollwise.solvers.sheets.kernels.card_trials_numba import trial_visits  # noqa: PLC0415

        visits = np.zeros((self.arrays.n_masks, self.arrays.n_carries))
        visits[self.arrays.full, 0] = 1.0
        trial_visits(*self._carries, card.atoms, *self.on_masks(card.conditions), *self.records, least, visits)
        return visits

    def value(self, card: Card) -> float:
        """Give the card's value at the start."""
        return float(self.values(self.compile(card))[self.arrays.full, 0])

    def turns(self, masks: Ints, carries: Ints, card: Compiled, values: Floats) -> Floats:
        """Give what one turn by the card is worth in some outer states."""
        from rollwise.solvers.sheets.kernels.card_trials_numba import trial_turns  # noqa: PLC0415

        out = np.empty(len(masks))
        trial_turns(masks, carries, card.atoms, self.on_states(card.conditions, masks, carries), *self.records, values, out)
        return out

    def deltas(self, masks: Ints, carries: Ints, weights: Floats, card: Compiled, values: Floats, verbs: Atoms) -> Any:
        """Give what each verb would gain, by outer state, verb and cell; and the line that is played, by outer state and cell."""
        from rollwise.solvers.sheets.kernels.card_trials_numba import trial_deltas  # noqa: PLC0415

        n_verbs = (len(verbs.start) - 1) // len(self.cells)
        deltas = np.empty((len(masks), n_verbs, len(self.cells)), dtype=np.float32)
        lines = np.empty((len(masks), len(self.cells)), dtype=np.int16)
        holds = self.on_states(card.conditions, masks, carries)
        trial_deltas(masks, carries, weights, card.atoms, holds, *self.records, values, verbs, deltas, lines)
        return deltas, lines

    def verb_atoms(self, verbs: Sequence[str], numbers: tuple[tuple[str, int], ...]) -> Atoms:
        """Give verbs as atoms without conditions, one verb's cells after the other's."""
        cells = len(self.cells)
        met = [self.meanings(verb, numbers) for verb in verbs]
        cell = np.concatenate([one.cell + n * cells for n, one in enumerate(met)])
        start = np.searchsorted(cell, np.arange(len(verbs) * cells + 1))
        opened, filled, action = (np.concatenate([one[column] for one in met]) for column in (1, 2, 3))
        none = np.zeros(len(cell), dtype=np.int64)
        return Atoms(start, opened, filled, action, none, none)


def _bits(boxes: Sequence[int]) -> int:
    return sum(1 << box for box in set(boxes))
