"""From a strategy card to arrays: what it does with every hand, whatever boxes are open.

What a line asks is split: about the hand (dice and rolls left) it is answered here, once and for all; about the sheet (open
boxes, upper total) it becomes a condition with a number, true or false for each set of open boxes and each carry. A comparison of both
kinds, such as `sum >= upper total`, is one condition for each number that the hand brings. What a verb may mean for a hand, best
first, becomes entries one after another (`kernels.card_numba.Script`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.forms.sheets.arrays import Ints, SheetArrays, layers
from rollwise.forms.sheets.kernels.card_numba import Script
from rollwise.forms.sheets.reading import read_carry, sheet_form
from rollwise.games.sheet import Sheet
from rollwise.games.sheet_words import HandFeature, OpenFeature, SheetVerb
from rollwise.model.card import OPERATORS, Card, CardLine, Comparison, words_of

__all__ = ["Scripter", "scripter_of", "whole_carries"]

Bools = npt.NDArray[np.bool_]

Term = tuple[int, int, str, int]
"""Sign, factor, feature or "" and divisor, as in `Amount`."""


class _Asked(NamedTuple):
    """A comparison with zero of terms about the sheet and a number."""

    terms: tuple[Term, ...]
    operator: str
    number: int


class _Case(NamedTuple):
    """When a line may fit: for which slots, and what must hold of the sheet, which `by_open` decides, and which not."""

    slots: Bools
    by_open: frozenset[_Asked]
    by_carry: frozenset[_Asked]


class _Grid(NamedTuple):
    """Sets of open boxes as far as some bits tell them apart: each once, and the place of every set among them."""

    bits: int
    values: Ints
    place: Ints


Means = tuple[int, int, int]
"""What a verb may mean: the boxes that must be open, those that must be filled, as bits, and a box or, after those, a keep."""


def whole_carries(form: SheetArrays) -> tuple[Ints, Ints]:
    """List for each class of open boxes all carries that can occur: a card may tell apart what is equally good."""
    found = []
    for place in range(len(form.carry_start) - 1):
        own = form.carry_list[form.carry_start[place] : form.carry_start[place + 1]]
        found.append(np.sort(np.concatenate([own, form.copy_to[form.copy_start[place] : form.copy_start[place + 1]]])))
    return np.cumsum([0, *map(len, found)]), np.concatenate(found)


@lru_cache(maxsize=4)
def scripter_of(sheet: Sheet) -> "Scripter":
    """Give what writes cards of a sheet as arrays; it remembers what cards have in common."""
    return Scripter(sheet, sheet_form(sheet))


class Scripter:
    """Writes cards of one sheet as arrays."""

    def __init__(self, sheet: Sheet, form: SheetArrays) -> None:
        self.sheet, self.form = sheet, form
        self.features, self.verbs = words_of(sheet)
        net = form.lattice
        self.hands = net.keeps[net.first_hand :]
        self.slots = [(left, hand) for left in range(form.rerolls + 1) for hand in self.hands]
        self.known: dict[Any, Any] = {}

    def reads(self, card: Card) -> bool:
        """Say whether all words of a card are such as see either the hand or the sheet."""
        names = {name for line in card.lines for one in _comparisons(line) for _, _, name, _ in _terms(one) if name}
        features = all(isinstance(self.features.get(name), HandFeature | OpenFeature) for name in names)
        return features and all(isinstance(self.verbs.get(line.verb), SheetVerb) for line in card.lines)

    def script(self, card: Card) -> Script:
        """Write a card."""
        return _Writer(self, dict(card.numbers)).write(card)

    # What is seen of the hand.

    def cases(self, line: CardLine) -> list[_Case]:
        """Split the condition of a line."""
        return self._once(("cases", line.condition), lambda: [case for every in line.condition for case in self._every(every)])

    def _every(self, every: Iterable[Comparison]) -> list[_Case]:
        cases = [_Case(np.ones(len(self.slots), dtype=np.bool_), frozenset(), frozenset())]
        for comparison in every:
            more = self._once(("compared", comparison), lambda comparison=comparison: self._compare(comparison))
            cases = [
                _Case(case.slots & other.slots, case.by_open | other.by_open, case.by_carry | other.by_carry)
                for case in cases
                for other in more
            ]
            cases = [case for case in cases if case.slots.any()]
        return cases

    def _compare(self, comparison: Comparison) -> list[_Case]:
        """The cases of one comparison: one for each number that the hand brings, if the sheet is asked, too."""
        terms, none = _terms(comparison), frozenset[_Asked]()
        sheet = tuple(term for term in terms if isinstance(self.features.get(term[2]), OpenFeature))
        brought = self._brought([term for term in terms if term not in sheet])
        if not sheet:
            return [_Case(_holds(comparison.operator, brought), none, none)]
        found = []
        for number in np.unique(brought).tolist():
            asked = frozenset([_Asked(sheet, comparison.operator, number)])
            by_open = all(self.features[name].by_boxes for _, _, name, _ in sheet)  # type: ignore[attr-defined]
            found.append(_Case(brought == number, asked if by_open else none, none if by_open else asked))
        return found

    def _brought(self, terms: list[Term]) -> Ints:
        """Add up what the hand brings, by slot."""
        total = np.zeros(len(self.slots), dtype=np.int64)
        for sign, factor, name, divisor in terms:
            total += sign * _rounded(factor * (self._of_hand(name) if name else np.int64(1)), divisor)
        return total

    def _of_hand(self, name: str) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        return self._once(("hand", name), lambda: np.array([see(hand, left) for left, hand in self.slots], dtype=np.int64))

    # What is seen of the sheet.

    @cached_property
    def masks(self) -> Ints:
        """The sets of open boxes that occur with a turn to come."""
        return np.concatenate(layers(self.form))

    @cached_property
    def bits(self) -> Ints:
        """For each number that may stand for open boxes, a bit for each box that is open."""
        masks, found = np.arange(self.form.n_masks), np.zeros(self.form.n_masks, dtype=np.int64)
        for box, field in enumerate(self.form.field.tolist()):
            found |= ((masks & field) != 0).astype(np.int64) << box
        return found

    def open_column(self, asked: frozenset[_Asked]) -> npt.NDArray[np.uint8]:
        """For each set of open boxes whether all comparisons hold."""
        return self._once(("open", asked), lambda: self._open_column(asked))

    def _open_column(self, asked: frozenset[_Asked]) -> npt.NDArray[np.uint8]:
        found = np.ones(len(self.masks), dtype=np.bool_)
        for one in asked:
            found &= _holds(one.operator, one.number + _sum(one.terms, self._of_open))
        column = np.zeros(self.form.n_masks, dtype=np.uint8)
        column[self.masks] = found
        return column

    def _of_open(self, name: str) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        return self._once(("open", name), lambda: np.array([see(mask, 0, False) for mask in self.masks.tolist()], dtype=np.int64))

    def grid_bits(self, asked: Iterable[_Asked]) -> int:
        """The bits of the boxes that features of the sheet look at."""
        names = {name for one in asked for _, _, name, _ in one.terms}
        return sum({field for name in names for field in self._looked_at(name)})

    def _looked_at(self, name: str) -> list[int]:
        boxes = getattr(self.features[name], "boxes", None)
        return self.form.field.tolist() if boxes is None else [int(self.form.field[box]) for box in boxes]

    def grid(self, bits: int) -> _Grid:
        """Tell sets of open boxes apart by some bits."""
        return self._once(
            ("grid", bits), lambda: _Grid(bits, *np.unique(np.arange(self.form.n_masks) & bits, return_inverse=True))
        )

    def carry_table(self, asked: frozenset[_Asked], grid: _Grid) -> Bools:
        """For each set of open boxes in a grid and each carry, whether all comparisons hold."""
        return self._once(("carry", asked, grid.bits), lambda: self._carry_table(asked, grid))

    def _carry_table(self, asked: frozenset[_Asked], grid: _Grid) -> Bools:
        found = np.ones((len(grid.values), self.form.n_carries), dtype=np.bool_)
        for one in asked:
            found &= _holds(one.operator, one.number + _sum(one.terms, lambda name: self._of_carry(name, grid)))
        return found

    def _of_carry(self, name: str, grid: _Grid) -> Ints:
        """What a feature reads, by place in a grid and carry."""
        own = self.grid(sum(set(self._looked_at(name))))
        found: Ints = self._once(("carry", name), lambda: self._read_carries(name, own))[own.place[grid.values]]
        return found

    def _read_carries(self, name: str, grid: _Grid) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        carry = read_carry(self.sheet, np.arange(self.form.n_carries))
        seen = list(zip(carry.upper.tolist(), carry.primed.tolist(), strict=True))
        return np.array([[see(mask, *one) for one in seen] for mask in grid.values.tolist()], dtype=np.int64)

    # What is done.

    def meanings(self, name: str, numbers: Mapping[str, int]) -> Callable[[int], list[Means]]:
        """Give what a verb may mean by slot."""
        verb = self.verbs[name]
        given = {number: numbers[number] for number in verb.numbers if number in numbers}
        known = self._once(("verb", name, tuple(given.items())), dict[int, list[Means]])

        def at(slot: int) -> list[Means]:
            if slot not in known:
                left, hand = self.slots[slot]
                known[slot] = [self._means(choice) for choice in verb.choices(hand, left, given)]  # type: ignore[attr-defined]
            return known[slot]

        return at

    def _means(self, choice: Any) -> Means:
        action = choice.action
        boxes = self.form.n_boxes
        act = self.sheet.names.index(action) if isinstance(action, str) else boxes + self.form.lattice.number(action)
        needs = {*choice.open, act} if act < boxes else {*choice.open}
        return _bits(needs), _bits({*choice.filled, *(self._before(act) if act < boxes else ())}), act

    def _before(self, box: int) -> range:
        """The boxes that must be filled before one."""
        return range(box if self.form.in_order else 0)

    @cached_property
    def otherwise(self) -> list[Means]:
        """What is done where no line fits: the first box that may be filled."""
        return [(1 << box, _bits(self._before(box)), box) for box in range(self.form.n_boxes)]

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = make()
        return self.known[key]


MOST_KNOWN = 20_000
"""Parts of cards that are remembered: a few hundred megabytes of the largest sheets."""


class _Writer:
    """Writes one card."""

    def __init__(self, scripter: Scripter, numbers: Mapping[str, int]) -> None:
        self.of, self.numbers = scripter, numbers
        self.entries: list[list[tuple[int, int, int, int, int]]] = [[] for _ in scripter.slots]
        self.waiting = np.ones(len(scripter.slots), dtype=np.bool_)
        self.conds: dict[tuple[int, int], int] = {(0, 0): 0}
        self.opens: dict[frozenset[_Asked], int] = {frozenset(): 0}
        self.carries: dict[frozenset[_Asked], int] = {frozenset(): 0}

    def write(self, card: Card) -> Script:
        """Write line after line, as long as a slot waits for one."""
        for number, line in enumerate(card.lines):
            meanings = self.of.meanings(line.verb, self.numbers)
            for case in self.of.cases(line):
                slots = np.flatnonzero(case.slots & self.waiting).tolist()
                if slots:
                    self._add(number, self._condition(case), slots, meanings)
        self._add(-1, 0, np.flatnonzero(self.waiting).tolist(), lambda _: self.of.otherwise)
        return self._script()

    def _condition(self, case: _Case) -> int:
        by_open = self.opens.setdefault(case.by_open, len(self.opens))
        by_carry = self.carries.setdefault(case.by_carry, len(self.carries))
        return self.conds.setdefault((by_open, by_carry), len(self.conds))

    def _add(self, line: int, cond: int, slots: list[int], meanings: Callable[[int], list[Means]]) -> None:
        boxes = self.of.form.n_boxes
        for slot in slots:
            means = meanings(slot)
            self.entries[slot] += [(cond, needs, shuts, act, line) for needs, shuts, act in means]
            if cond == 0 and any(not needs and not shuts and act >= boxes for needs, shuts, act in means):
                self.waiting[slot] = False

    def _script(self) -> Script:
        flat = np.array([entry for entries in self.entries for entry in entries], dtype=np.int64).reshape(-1, 5)
        cond, needs, shuts, act, line = (np.ascontiguousarray(column) for column in flat.T)
        opens, carries = np.array(list(self.conds), dtype=np.int64).T
        asked = list(self.carries)
        grid = self.of.grid(self.of.grid_bits(one for every in asked for one in every))
        group, group_ok = _groups(np.stack([self.of.carry_table(every, grid) for every in asked], axis=2))
        return Script(
            np.cumsum([0, *map(len, self.entries)]),
            cond.astype(np.int32), needs, shuts, act.astype(np.int32), line.astype(np.int32),
            np.ascontiguousarray(opens), np.ascontiguousarray(carries),
            np.ascontiguousarray(np.stack([self.of.open_column(every) for every in self.opens], axis=1)),
            grid.place, group, group_ok, self.of.bits,
        )  # fmt: skip


def _groups(holds: Bools) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Number carries by which conditions hold: the group by row and carry, and what holds in each group."""
    rows, inverse = np.unique(np.packbits(holds, axis=2).reshape(-1, (holds.shape[2] + 7) // 8), axis=0, return_inverse=True)
    group = inverse.reshape(holds.shape[:2]).astype(np.int32)
    return group, np.unpackbits(rows, axis=1, count=holds.shape[2])


def _comparisons(line: CardLine) -> Iterator[Comparison]:
    return (comparison for every in line.condition for comparison in every)


def _terms(comparison: Comparison) -> list[Term]:
    """The terms of the left side less the right one."""
    left = [(1, *term) for term in comparison.left.terms]
    found: list[Term] = [*left, *((-1, *term) for term in comparison.right.terms)]
    return found


def _sum(terms: tuple[Term, ...], read: Callable[[str], Ints]) -> Any:
    return sum(sign * _rounded(factor * read(name), divisor) for sign, factor, name, divisor in terms)


def _rounded(number: Any, divisor: int) -> Any:
    """Divide and round to the nearest whole number, halves up, as cards do."""
    return number if divisor == 1 else (2 * number + divisor) // (2 * divisor)


def _holds(operator: str, difference: Any) -> Bools:
    found: Bools = OPERATORS[operator](difference, 0)  # type: ignore[assignment]
    return found


def _bits(boxes: Iterable[int]) -> int:
    return sum(1 << box for box in set(boxes))
