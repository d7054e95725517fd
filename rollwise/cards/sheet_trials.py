"""Try cards on a score sheet, fast: exact values, visits, and what other verbs would gain, on the arrays of the sheet."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.forms.sheets.arrays import Floats, Ints, layers
from rollwise.forms.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.forms.sheets.reading import read_carry, sheet_form
from rollwise.games.sheet import Sheet
from rollwise.games.sheet_words import HandFeature, OpenFeature, OverPar, fills_of
from rollwise.model.card import OPERATORS, Card, Comparison, words_of

__all__ = ["Atoms", "Trials"]

Bools = npt.NDArray[np.bool_]


class Atoms(NamedTuple):
    """What lines may mean, cell by cell from `start` on; `condition` is that on the sheet, `carried` its part about the carry."""

    start: Ints
    open: Ints
    filled: Ints
    action: Ints
    condition: Ints
    line: Ints
    carried: Ints


class Meanings(NamedTuple):
    """What a verb may mean, in the order of cells."""

    cell: Ints
    open: Ints
    filled: Ints
    action: Ints


class Compiled(NamedTuple):
    """A card as the kernels take it."""

    atoms: Atoms
    by_mask: npt.NDArray[np.uint8]
    by_carry: npt.NDArray[np.uint8]


class Trials:
    """A sheet made ready for trying cards."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.form = sheet_form(sheet)
        self.features, self.verbs = words_of(sheet)
        self.n_boxes = self.form.n_boxes
        self.hands = self.form.lattice.keeps[self.form.lattice.first_hand :]
        self.cells = [(left, hand) for left in range(self.form.rerolls + 1) for hand in self.hands]
        self.masks = np.concatenate(layers(self.form))
        self._seen: dict[str, Any] = {}
        self._met: dict[Any, Meanings] = {}
        self._lists()
        self.records = (effects_of(self.form, np.float64, np.int64), hands_of(self.form), rolls_of(self.form))

    def _lists(self) -> None:
        rows = [sorted(self.form.can_carry(mask)) for mask in self.masks.tolist()]
        self.carry_start = np.cumsum([0, *map(len, rows)])
        self.carry_list = np.array([carry for row in rows for carry in row], dtype=np.int64)

    @cached_property
    def uppers(self) -> tuple[Ints, Any]:
        upper, primed = read_carry(self.sheet, np.arange(self.form.n_carries))
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
        masks = range(self.form.n_masks)
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
        rows = []
        for cell, (left, hand) in enumerate(self.cells):
            for choice in choices(hand, left, numbers):
                action = (
                    self.sheet.names.index(choice.action)
                    if isinstance(choice.action, str)
                    else self.n_boxes + self.form.lattice.number(choice.action)
                )
                rows.append((cell, _bits(choice.open), _bits(choice.filled), action))
        return Meanings(*np.array(rows, dtype=np.int64).reshape(-1, 4).T.copy())

    # Cards as arrays.

    def compile(self, card: Card) -> Compiled:
        """Give a card as atoms and conditions."""
        parts: list[list[Ints]] = []
        conditions: dict[Any, int] = {}
        by_mask: list[Any] = []
        carried: list[int] = []
        by_carry: list[Any] = []
        carry_known: dict[Any, int] = {}
        for number, line in enumerate(card.lines):
            meant = self.meanings(line.verb, card.numbers)
            for every in line.condition:
                in_hand = self.hand_part(every)
                rest = tuple(one for one in every if self.part(one) != "hand")
                if rest not in conditions:
                    conditions[rest] = len(by_mask)
                    boxes = [self.holds(one) for one in rest if self.part(one) == "boxes"]
                    carry = tuple(one for one in rest if self.part(one) == "carry")
                    by_mask.append(np.logical_and.reduce(boxes) if boxes else np.ones(self.form.n_masks, dtype=bool))
                    if carry and carry not in carry_known:
                        carry_known[carry] = len(by_carry)
                        by_carry.append(np.logical_and.reduce([self.holds(one) for one in carry]))
                    carried.append(carry_known[carry] if carry else -1)
                chosen = in_hand[meant.cell]
                many = int(chosen.sum())
                parts.append([meant.cell[chosen], meant.open[chosen], meant.filled[chosen], meant.action[chosen],
                              np.full(many, conditions[rest]), np.full(many, number)])  # fmt: skip
        cell, *columns = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(cell, kind="stable")
        start = np.searchsorted(cell[order], np.arange(len(self.cells) + 1))
        atoms = Atoms(start, *(column[order] for column in columns), np.array(carried, dtype=np.int64))
        none = np.zeros((0, 1, 1), dtype=np.uint8)
        return Compiled(atoms, np.array(by_mask).astype(np.uint8), np.array(by_carry).astype(np.uint8) if by_carry else none)

    def hand_part(self, every: Sequence[Comparison]) -> Bools:
        """Give the cells in which the comparisons of the hand hold."""
        found = np.ones(len(self.cells), dtype=bool)
        for one in every:
            if self.part(one) == "hand":
                found &= self.holds(one)
        return found

    # What is asked.

    def values(self, card: Compiled) -> Floats:
        """Give the card's value of every outer state."""
        from rollwise.forms.sheets.kernels.card_trials_numba import trial_values  # noqa: PLC0415

        values = np.zeros((self.form.n_masks, self.form.n_carries))
        trial_values(self.masks, self.carry_start, self.carry_list, *card, *self.records, values)
        return values

    def visits(self, card: Compiled, least: float = 1e-6) -> Floats:
        """Give the chance of every outer state."""
        from rollwise.forms.sheets.kernels.card_trials_numba import trial_visits  # noqa: PLC0415

        visits = np.zeros((self.form.n_masks, self.form.n_carries))
        visits[self.form.full, 0] = 1.0
        trial_visits(self.masks, self.carry_start, self.carry_list, *card, *self.records, least, visits)
        return visits

    def value(self, card: Card) -> float:
        """Give the card's value at the start."""
        return float(self.values(self.compile(card))[self.form.full, 0])

    def turns(self, masks: Ints, carries: Ints, card: Compiled, values: Floats) -> Floats:
        """Give what one turn by the card is worth in some outer states."""
        from rollwise.forms.sheets.kernels.card_trials_numba import trial_turns  # noqa: PLC0415

        out = np.empty(len(masks))
        trial_turns(masks, carries, *card, *self.records, values, out)
        return out

    def deltas(self, masks: Ints, carries: Ints, weights: Floats, card: Compiled, values: Floats, verbs: Atoms) -> Any:
        """Give what each verb would gain, by outer state, verb and cell; and the line that is played, by outer state and cell."""
        from rollwise.forms.sheets.kernels.card_trials_numba import trial_deltas  # noqa: PLC0415

        n_verbs = (len(verbs.start) - 1) // len(self.cells)
        deltas = np.empty((len(masks), n_verbs, len(self.cells)), dtype=np.float32)
        lines = np.empty((len(masks), len(self.cells)), dtype=np.int16)
        trial_deltas(masks, carries, weights, *card, *self.records, values, verbs, deltas, lines)
        return deltas, lines

    def verb_atoms(self, verbs: Sequence[str], numbers: tuple[tuple[str, int], ...]) -> Atoms:
        """Give verbs as atoms without conditions, one verb's cells after the other's."""
        cells = len(self.cells)
        met = [self.meanings(verb, numbers) for verb in verbs]
        cell = np.concatenate([one.cell + n * cells for n, one in enumerate(met)])
        start = np.searchsorted(cell, np.arange(len(verbs) * cells + 1))
        none = np.zeros(len(cell), dtype=np.int64)
        columns = (np.concatenate([getattr(one, name) for one in met]) for name in ("open", "filled", "action"))
        return Atoms(start, *columns, none, none, np.zeros(1, dtype=np.int64) - 1)


def _bits(boxes: Sequence[int]) -> int:
    return sum(1 << box for box in boxes)
