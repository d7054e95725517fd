"""From a strategy card to arrays: what it does with every hand, whatever boxes are open.

What a line asks is split: about the hand (dice and rolls left) it is answered here, once and for all; about the sheet (open
boxes, upper total) it becomes a condition with a number, true or false for each set of open boxes and each carry. A comparison
of both kinds, such as `sum >= upper total`, is one condition for each number that the hand brings. What a verb may mean for a
hand, best first, becomes entries one after another (`kernels.card_numba.Script`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.vocabulary import HandFeature, OpenFeature, SheetVerb
from rollwise.model.card import OPERATORS, Card, CardLine, Comparison, divided, words_of
from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers
from rollwise.solvers.sheets.kernels.card_numba import Script, still_effects
from rollwise.solvers.sheets.reading import make_sheet_arrays, read_carry

__all__ = ["Scripter", "Starts", "scripter_of", "whole_arrays"]

Part = TypeVar("Part")
Bools = npt.NDArray[np.bool_]

Term = tuple[int, int, str, int]
"""Sign, factor, feature or "" and divisor, as in `Amount`."""


class _Asked(NamedTuple):
    """A comparison with zero of terms about the sheet and a number."""

    terms: tuple[Term, ...]
    operator: str
    number: int


class _Case(NamedTuple):
    """When a line may fit: for which slots, with which boxes open and which filled (bits), and what else must hold of the sheet.

    Of that, `by_open` depends on the open boxes alone.
    """

    slots: Bools
    needs: int = 0
    shuts: int = 0
    by_open: frozenset[_Asked] = frozenset()
    by_carry: frozenset[_Asked] = frozenset()

    def joined(self, other: "_Case") -> "_Case":
        """Give when both may fit."""
        return _Case(
            self.slots & other.slots, self.needs | other.needs, self.shuts | other.shuts, self.by_open | other.by_open,
            self.by_carry | other.by_carry,
        )  # fmt: skip


class _Grid(NamedTuple):
    """Sets of open boxes as far as some bits tell them apart: each once, and the place of every set among them."""

    bits: int
    values: Ints
    place: Ints


Means = tuple[int, int, int]
"""What a verb may mean: the boxes that must be open, those that must be filled, as bits, and a box or, after those, a keep."""


class Starts(NamedTuple):
    """Turn starts with as many turns to come: sets of open boxes, and each of them with every carry that can occur."""

    masks: Ints
    opened: Ints
    carry: Ints


PIECE = 1024
"""Sets of open boxes that are followed together."""


def whole_arrays(arrays: SheetArrays) -> SheetArrays:
    """Give a sheet's arrays with every carry that can occur computed, none copied: a card may tell equally good ones apart."""
    found = []
    for place in range(len(arrays.carry_start) - 1):
        own = arrays.carry_list[arrays.carry_start[place] : arrays.carry_start[place + 1]]
        found.append(np.sort(np.concatenate([own, arrays.copy_to[arrays.copy_start[place] : arrays.copy_start[place + 1]]])))
    start, none = np.cumsum([0, *map(len, found)]), np.zeros(0, dtype=np.int64)
    return replace(
        arrays, carry_start=start, carry_list=np.concatenate(found), copy_start=np.zeros_like(start), copy_to=none, copy_from=none
    )


@lru_cache(maxsize=4)
def scripter_of(sheet: Sheet) -> "Scripter":
    """Give what writes cards of a sheet as arrays; it remembers what cards have in common."""
    return Scripter(sheet, make_sheet_arrays(sheet))


class Scripter:
    """Writes cards of one sheet as arrays."""

    def __init__(self, sheet: Sheet, arrays: SheetArrays) -> None:
        self.sheet, self.arrays = sheet, arrays
        self.features, self.verbs = words_of(sheet)
        net = arrays.lattice
        self.hands = net.keeps[net.first_hand :]
        self.slots = [(left, hand) for left in range(arrays.rerolls + 1) for hand in self.hands]
        self.known: dict[Any, Any] = {}

    @cached_property
    def whole(self) -> SheetArrays:
        """The arrays with every carry that can occur."""
        return whole_arrays(self.arrays)

    @cached_property
    def still(self) -> Any:
        """The effects that leave the carry alone."""
        return still_effects(self.arrays)

    @cached_property
    def starts(self) -> list[Starts]:
        """The turn starts in pieces, the end of the game first."""
        pieces = [layer[begin : begin + PIECE] for layer in layers(self.arrays) for begin in range(0, len(layer), PIECE)]
        found = []
        for masks in pieces:
            own = [self.whole.carries(mask) for mask in masks.tolist()]
            found.append(Starts(masks, np.repeat(masks, [len(one) for one in own]), np.concatenate(own)))
        return found

    def reads(self, card: Card) -> bool:
        """Say whether all words of a card are such as see either the hand or the sheet."""
        names = {name for line in card.lines for one in _comparisons(line) for _, _, name, _ in _terms(one) if name}
        features = all(isinstance(self.features.get(name), HandFeature | OpenFeature) for name in names)
        return features and all(isinstance(self.verbs.get(line.verb), SheetVerb) for line in card.lines)

    def reads_all(self) -> bool:
        """Say whether all words of the sheet are such."""
        features = all(isinstance(feature, HandFeature | OpenFeature) for feature in self.features.values())
        return features and all(isinstance(verb, SheetVerb) for verb in self.verbs.values())

    def script(self, card: Card) -> Script:
        """Write a card."""
        return _Writer(self, dict(card.numbers)).write(card)

    # What is seen of the hand.

    def cases(self, line: CardLine) -> list[_Case]:
        """Split the condition of a line."""
        return self._once(("cases", line.condition), lambda: [case for every in line.condition for case in self._every(every)])

    def _every(self, every: Iterable[Comparison]) -> list[_Case]:
        cases = [_Case(np.ones(len(self.slots), dtype=np.bool_))]
        for comparison in every:
            more = self._once(("compared", comparison), partial(self._compare, comparison))
            cases = [case.joined(other) for case in cases for other in more]
            cases = [case for case in cases if case.slots.any() and not case.needs & case.shuts]
        return cases

    def _compare(self, comparison: Comparison) -> list[_Case]:
        """The cases of one comparison: one for each number that the hand brings, if the sheet is asked, too."""
        terms = _terms(comparison)
        sheet = tuple(term for term in terms if isinstance(self.features.get(term[2]), OpenFeature))
        brought = self._brought([term for term in terms if term not in sheet])
        if not sheet:
            return [_Case(_holds(comparison.operator, brought))]
        numbers = np.unique(brought).tolist()
        return [self._ask(brought == number, _Asked(sheet, comparison.operator, number)) for number in numbers]

    def _ask(self, slots: Bools, asked: _Asked) -> _Case:
        """The case of a comparison about the sheet: where it asks whether a box is open, that box is named."""
        if not all(self.features[name].by_boxes for _, _, name, _ in asked.terms):  # type: ignore[attr-defined]
            return _Case(slots, by_carry=frozenset([asked]))
        column = self.open_column(frozenset([asked]))[self.masks]
        for box in range(self.arrays.n_boxes):
            opened = (self.bits[self.masks] >> box) & 1
            if np.array_equal(column, opened):
                return _Case(slots, needs=1 << box)
            if np.array_equal(column, 1 - opened):
                return _Case(slots, shuts=1 << box)
        return _Case(slots, by_open=frozenset([asked]))

    def _brought(self, terms: list[Term]) -> Ints:
        """Add up what the hand brings, by slot."""
        total = np.zeros(len(self.slots), dtype=np.int64)
        for sign, factor, name, divisor in terms:
            total += sign * divided(factor, self._of_hand(name) if name else np.int64(1), divisor)
        return total

    def _of_hand(self, name: str) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        return self._once(("hand", name), lambda: np.array([see(hand, left) for left, hand in self.slots], dtype=np.int64))

    # What is seen of the sheet.

    @cached_property
    def masks(self) -> Ints:
        """The sets of open boxes that occur with a turn to come."""
        return np.concatenate(layers(self.arrays))

    @cached_property
    def bits(self) -> Ints:
        """For each number that may stand for open boxes, a bit for each box that is open."""
        masks, found = np.arange(self.arrays.n_masks), np.zeros(self.arrays.n_masks, dtype=np.int64)
        for box, field in enumerate(self.arrays.field.tolist()):
            found |= ((masks & field) != 0).astype(np.int64) << box
        return found

    def open_column(self, asked: frozenset[_Asked]) -> npt.NDArray[np.uint8]:
        """For each set of open boxes whether all comparisons hold."""
        return self._once(("open", asked), lambda: self._open_column(asked))

    def _open_column(self, asked: frozenset[_Asked]) -> npt.NDArray[np.uint8]:
        found = np.ones(len(self.masks), dtype=np.bool_)
        for one in asked:
            found &= _holds(one.operator, one.number + _sum(one.terms, self._of_open))
        column = np.zeros(self.arrays.n_masks, dtype=np.uint8)
        column[self.masks] = found
        return column

    def gate(self, cond: "_Cond") -> Ints:
        """For each set of open boxes whether a condition holds as far as those decide, 0 or 1."""
        return self._once(("gate", cond), lambda: self._gate(cond))

    def _gate(self, cond: "_Cond") -> Ints:
        boxes = (self.bits & (cond.needs | cond.shuts)) == cond.needs
        found: Ints = (boxes & (self.open_column(cond.by_open) != 0)).astype(np.int64)
        return found

    def _of_open(self, name: str) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        return self._once(("open", name), lambda: np.array([see(mask, 0, False) for mask in self.masks.tolist()], dtype=np.int64))

    def grid_bits(self, asked: Iterable[_Asked]) -> int:
        """The bits of the boxes that features of the sheet look at."""
        names = {name for one in asked for _, _, name, _ in one.terms}
        return sum({field for name in names for field in self._looked_at(name)})

    def _looked_at(self, name: str) -> list[int]:
        boxes = getattr(self.features[name], "boxes", None)
        return self.arrays.field.tolist() if boxes is None else [int(self.arrays.field[box]) for box in boxes]

    def grid(self, bits: int) -> _Grid:
        """Tell sets of open boxes apart by some bits."""
        return self._once(
            ("grid", bits), lambda: _Grid(bits, *np.unique(np.arange(self.arrays.n_masks) & bits, return_inverse=True))
        )

    def carry_table(self, asked: frozenset[_Asked], grid: _Grid) -> Bools:
        """For each set of open boxes in a grid and each carry, whether all comparisons hold."""
        return self._once(("carry", asked, grid.bits), lambda: self._carry_table(asked, grid))

    def _carry_table(self, asked: frozenset[_Asked], grid: _Grid) -> Bools:
        found = np.ones((len(grid.values), self.arrays.n_carries), dtype=np.bool_)
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
        carry = read_carry(self.sheet, np.arange(self.arrays.n_carries))
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
        boxes = self.arrays.n_boxes
        act = self.sheet.names.index(action) if isinstance(action, str) else boxes + self.arrays.lattice.number(action)
        needs = {*choice.open, act} if act < boxes else {*choice.open}
        return _bits(needs), _bits({*choice.filled, *(self._before(act) if act < boxes else ())}), act

    def _before(self, box: int) -> range:
        """The boxes that must be filled before one."""
        return range(box if self.arrays.in_order else 0)

    @cached_property
    def otherwise(self) -> list[Means]:
        """What is done where no line fits: the first box that may be filled."""
        return [(1 << box, _bits(self._before(box)), box) for box in range(self.arrays.n_boxes)]

    def _once(self, key: Any, make: Callable[[], Part]) -> Part:
        """Make a part of a card, or remember it."""
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = make()
        found: Part = self.known[key]
        return found


MOST_KNOWN = 20_000
"""Parts of cards that are remembered: a few hundred megabytes of the largest sheets."""


MOST_BITS = 62
"""Bits of a sheet in a word."""


class _Cond(NamedTuple):
    """A condition on the sheet: comparisons that depend on the open boxes alone, and others; these only with some boxes open."""

    by_open: frozenset[_Asked]
    by_carry: frozenset[_Asked]
    needs: int
    shuts: int


class _Entry(NamedTuple):
    """What is done in a slot: with which boxes open and which filled, under which condition, and by which line."""

    needs: int
    shuts: int
    cond: int
    act: int
    line: int


class _Writer:
    """Writes one card."""

    def __init__(self, scripter: Scripter, numbers: Mapping[str, int]) -> None:
        self.of, self.numbers = scripter, numbers
        self.entries: list[list[_Entry]] = [[] for _ in scripter.slots]
        self.waiting = np.ones(len(scripter.slots), dtype=np.bool_)
        self.conds: dict[_Cond, int] = {}

    def write(self, card: Card) -> Script:
        """Write line after line, as long as a slot waits for one."""
        for number, line in enumerate(card.lines):
            meanings = self.of.meanings(line.verb, self.numbers)
            for case in self.of.cases(line):
                slots = np.flatnonzero(case.slots & self.waiting).tolist()
                if slots:
                    self._add(number, case, slots, meanings)
        self._add(-1, _Case(self.waiting), np.flatnonzero(self.waiting).tolist(), lambda _: self.of.otherwise)
        return self._script()

    def _condition(self, case: _Case) -> int:
        """Number what a case asks of the sheet, beside boxes: -1 for nothing."""
        if not case.by_open and not case.by_carry:
            return -1
        boxes = (case.needs, case.shuts) if case.by_carry else (0, 0)
        return self.conds.setdefault(_Cond(case.by_open, case.by_carry, *boxes), len(self.conds))

    def _add(self, line: int, case: _Case, slots: list[int], meanings: Callable[[int], list[Means]]) -> None:
        cond, boxes = self._condition(case), self.of.arrays.n_boxes
        always = cond < 0 and not case.needs and not case.shuts
        for slot in slots:
            means = meanings(slot)
            for needs, shuts, act in means:
                wants, bars = needs | case.needs, shuts | case.shuts
                if not wants & bars:
                    self.entries[slot].append(_Entry(wants, bars, cond, act, line))
            if always and any(not needs and not shuts and act >= boxes for needs, shuts, act in means):
                self.waiting[slot] = False

    def _script(self) -> Script:
        flat = np.array([entry for entries in self.entries for entry in entries], dtype=np.int64).reshape(-1, 5)
        needs, shuts, cond, act, line = (np.ascontiguousarray(column) for column in flat.T)
        start = np.cumsum([0, *map(len, self.entries)])
        cares, wants = self._words(needs, shuts, cond)
        return Script(start, cares, wants, act, self._sinks(start, act), line, *self._sheet_bits(), self.of.arrays.n_boxes)

    def _words(self, needs: Ints, shuts: Ints, cond: Ints) -> tuple[Ints, Ints]:
        """The bits that entries care about, and what they want of them, by word."""
        wants = np.zeros((len(needs), self._place(len(self.conds) - 1)[0] + 1), dtype=np.int64)
        wants[:, 0] = needs
        for number in range(len(self.conds)):
            word, bit = self._place(number)
            wants[cond == number, word] |= bit
        cares = wants.copy()
        cares[:, 0] |= shuts
        return cares, wants

    def _place(self, cond: int) -> tuple[int, int]:
        """The word and the bit of a condition; the boxes come first."""
        word, bit = divmod(cond + self.of.arrays.n_boxes, MOST_BITS)
        return word, 1 << bit

    def _sinks(self, start: Ints, act: Ints) -> Ints:
        """The row that each entry leads to."""
        arrays, net = self.of.arrays, self.of.arrays.lattice
        slot = np.repeat(np.arange(len(start) - 1), np.diff(start))
        left, hand = np.divmod(slot, net.n_hands)
        column = np.where(left == arrays.rerolls, arrays.first_column[hand], hand)
        box = np.minimum(act, arrays.n_boxes - 1)
        fills = np.where(arrays.special_index[hand] < 0, len(net.keeps) + arrays.hand_effect[box, column], -1 - box)
        return np.where(act < arrays.n_boxes, fills, act - arrays.n_boxes)

    def _sheet_bits(self) -> tuple[Ints, Ints, Ints, Any, Ints]:
        """The bits of sheets by open boxes, and those that the carry decides; the rows and groups of carries, and their bits."""
        conds, words = list(self.conds), self._place(len(self.conds) - 1)[0] + 1
        asked = [cond.by_carry for cond in conds]
        grid = self.of.grid(self.of.grid_bits(one for every in asked for one in every))
        found = np.zeros((2, words, self.of.arrays.n_masks), dtype=np.int64)
        found[0, 0] = self.of.bits
        carried = np.zeros((words, len(grid.values), self.of.arrays.n_carries), dtype=np.int64)
        for number, cond in enumerate(conds):
            word, bit = self._place(number)
            found[1 if cond.by_carry else 0, word] += bit * self.of.gate(cond)
            if cond.by_carry:
                carried[word] += bit * self.of.carry_table(cond.by_carry, grid)
        rows, group = np.unique(carried.reshape(words, -1), axis=1, return_inverse=True)
        return found[0], found[1], grid.place, group.reshape(carried.shape[1:]), np.ascontiguousarray(rows)


def _comparisons(line: CardLine) -> Iterator[Comparison]:
    return (comparison for every in line.condition for comparison in every)


def _terms(comparison: Comparison) -> list[Term]:
    """The terms of the left side less the right one."""
    left = [(1, *term) for term in comparison.left.terms]
    found: list[Term] = [*left, *((-1, *term) for term in comparison.right.terms)]
    return found


def _sum(terms: tuple[Term, ...], read: Callable[[str], Ints]) -> Any:
    return sum(sign * divided(factor, read(name), divisor) for sign, factor, name, divisor in terms)


def _holds(operator: str, difference: Any) -> Bools:
    found: Bools = OPERATORS[operator](difference, 0)  # type: ignore[assignment]
    return found


def _bits(boxes: Iterable[int]) -> int:
    return sum(1 << box for box in set(boxes))
