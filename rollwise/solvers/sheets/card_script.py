"""From a strategy card to arrays: what it does with every hand, whatever boxes are open.

What a line asks is split: about the hand (dice and rolls left) it is answered here, once and for all; about the sheet (open
boxes, upper total) it becomes a condition with a number, true or false for each set of open boxes and each carry. A comparison
of both kinds, such as `sum >= upper total`, is one condition for each number that the hand brings. What a verb may mean for a
hand, best first, becomes entries one after another (`kernels.card_numba.Script`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.vocabulary import HandFeature, OpenFeature, OverPar, SheetVerb, fills_of
from rollwise.model.card import OPERATORS, Card, CardLine, Comparison, divided, words_of
from rollwise.solvers.sheets.arrays import Ints, SheetArrays, layers
from rollwise.solvers.sheets.kernels.card_numba import Script, still_effects
from rollwise.solvers.sheets.reading import make_sheet_arrays, read_carry

__all__ = ["Scripter", "Starts", "scripter_of"]

Part = TypeVar("Part")
Bools = npt.NDArray[np.bool_]
Numbers = tuple[tuple[str, int], ...]

Term = tuple[int, int, str, int]
"""Sign, factor, feature or "" and divisor, as in `Amount`."""

PIECE = 1024
"""Sets of open boxes that are followed together."""
MOST_KNOWN = 2_000
"""Parts of cards that are remembered: a few hundred megabytes of the largest sheets."""
MOST_BITS = 62
"""Bits of a sheet in a word."""


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


class _Condition(NamedTuple):
    """A condition on the sheet: comparisons that depend on the open boxes alone, and others; these only with some boxes open."""

    by_open: frozenset[_Asked]
    by_carry: frozenset[_Asked]
    needs: int
    shuts: int


class _Grid(NamedTuple):
    """Sets of open boxes as far as some bits tell them apart: each once, and the place of every set among them."""

    bits: int
    values: Ints
    place: Ints


class _Meanings(NamedTuple):
    """What a verb may mean, slot by slot and best first: the boxes that must be open and those that must be filled, as bits.

    `act` is a box or, after those, a keep.
    """

    slot: Ints
    needs: Ints
    shuts: Ints
    act: Ints


class Starts(NamedTuple):
    """Turn starts with as many turns to come: sets of open boxes, each of them with every carry that can occur."""

    opened: Ints
    carry: Ints


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
        """The arrays with every carry that can occur computed, none copied: a card may tell equally good ones apart."""
        arrays, found = self.arrays, []
        for place in range(len(arrays.carry_start) - 1):
            own = arrays.carry_list[arrays.carry_start[place] : arrays.carry_start[place + 1]]
            found.append(np.sort(np.concatenate([own, arrays.copy_to[arrays.copy_start[place] : arrays.copy_start[place + 1]]])))
        start, none = np.cumsum([0, *map(len, found)]), np.zeros(0, dtype=np.int64)
        return replace(
            arrays, carry_start=start, carry_list=np.concatenate(found), copy_start=np.zeros_like(start), copy_to=none,
            copy_from=none,
        )  # fmt: skip

    @cached_property
    def still(self) -> Any:
        """The effects that leave the carry alone."""
        return still_effects(self.arrays)

    @cached_property
    def start_layers(self) -> list[list[Starts]]:
        """The turn starts in pieces, by the turns to come, the end of the game first: none follows from another of its layer."""
        found = []
        for layer in layers(self.arrays):
            pieces = [layer[begin : begin + PIECE] for begin in range(0, len(layer), PIECE)]
            found.append([self._starts(masks) for masks in pieces])
        return found

    def _starts(self, masks: Ints) -> Starts:
        own = [self.whole.carries(mask) for mask in masks.tolist()]
        return Starts(np.repeat(masks, [len(one) for one in own]), np.concatenate(own))

    @cached_property
    def starts(self) -> list[Starts]:
        """All pieces, the end of the game first."""
        return [part for layer in self.start_layers for part in layer]

    def reads(self, card: Card) -> bool:
        """Say whether all words of a card are such as see either the hand or the sheet."""
        names = {name for line in card.lines for one in _comparisons(line) for _, _, name, _ in _terms(one) if name}
        features = all(isinstance(self.features.get(name), HandFeature | OpenFeature) for name in names)
        return features and all(isinstance(self.verbs.get(line.verb), SheetVerb) for line in card.lines)

    def reads_all(self) -> bool:
        """Say whether all words of the sheet are such."""
        features = all(isinstance(feature, HandFeature | OpenFeature) for feature in self.features.values())
        return features and all(isinstance(verb, SheetVerb) for verb in self.verbs.values())

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
        """The cases of one comparison: one for each number that the hand brings, if it is about the sheet, too."""
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
            opened = ((self.bits[self.masks] >> box) & 1).astype(np.bool_)
            if np.array_equal(column, opened):
                return _Case(slots, needs=1 << box)
            if np.array_equal(column, ~opened):
                return _Case(slots, shuts=1 << box)
        return _Case(slots, by_open=frozenset([asked]))

    def _brought(self, terms: list[Term]) -> Ints:
        """Add up what the hand brings, by slot."""
        total = np.zeros(len(self.slots), dtype=np.int64)
        for sign, factor, name, divisor in terms:
            total += sign * divided(factor, self.of_hand(name) if name else np.int64(1), divisor)
        return total

    def of_hand(self, name: str) -> Ints:
        """What a feature of the hand reads, by slot."""
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

    def open_column(self, asked: frozenset[_Asked]) -> Bools:
        """For each set of open boxes whether all comparisons hold."""
        return self._once(("open", asked), lambda: self._open_column(asked))

    def _open_column(self, asked: frozenset[_Asked]) -> Bools:
        column = np.zeros(self.arrays.n_masks, dtype=np.bool_)
        column[self.masks] = True
        for one in asked:
            column &= _holds(one.operator, one.number + _sum(one.terms, self._of_open))
        return column

    def _of_open(self, name: str) -> Ints:
        """What a feature of the open boxes reads, for each set of them."""
        return self._once(("of open", name), lambda: self._read_open(name))

    def _read_open(self, name: str) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        found = np.zeros(self.arrays.n_masks, dtype=np.int64)
        found[self.masks] = [see(mask, 0, False) for mask in self.masks.tolist()]
        return found

    def holds_on(self, comparison: Comparison, opened: Ints, carry: Ints) -> Bools:
        """Say on which of some sheets a comparison holds that asks about nothing else."""

        def seen(name: str) -> Any:
            if self.features[name].by_boxes:  # type: ignore[attr-defined]
                return self._of_open(name)[opened]
            grid, table = self._of_carry(name)
            return table[grid.place[opened], carry]

        return _holds(comparison.operator, _sum(_terms(comparison), seen))

    def _gate(self, condition: _Condition) -> Bools:
        """For each set of open boxes whether a condition holds as far as those decide."""
        boxes = (self.bits & (condition.needs | condition.shuts)) == condition.needs
        found: Bools = boxes & self.open_column(condition.by_open)
        return found

    def _looked_at(self, names: Iterable[str]) -> _Grid:
        """Tell sets of open boxes apart by the boxes that features of the sheet look at."""
        boxes = [getattr(self.features[name], "boxes", None) for name in names]
        fields = {int(one) for own in boxes for one in (self.arrays.field if own is None else self.arrays.field[list(own)])}
        return self._once(("grid", sum(fields)), lambda: self._grid(sum(fields)))

    def _grid(self, bits: int) -> _Grid:
        return _Grid(bits, *np.unique(np.arange(self.arrays.n_masks) & bits, return_inverse=True))

    def _carry_table(self, asked: frozenset[_Asked], grid: _Grid) -> Bools:
        """For each set of open boxes in a grid and each carry, whether all comparisons hold."""

        def seen(name: str) -> Any:
            own, table = self._of_carry(name)
            return table[own.place[grid.values]]

        found = np.ones((len(grid.values), self.arrays.n_carries), dtype=np.bool_)
        for one in asked:
            found &= _holds(one.operator, one.number + _sum(one.terms, seen))
        return found

    def _of_carry(self, name: str) -> tuple[_Grid, Ints]:
        """What a feature reads, by place in the grid of the boxes that it looks at and by carry."""
        grid = self._looked_at([name])
        return grid, self._once(("carry", name), lambda: self._read_carries(name, grid))

    def _read_carries(self, name: str, grid: _Grid) -> Ints:
        see = self.features[name].see  # type: ignore[attr-defined]
        carry = read_carry(self.sheet, np.arange(self.arrays.n_carries))
        seen = list(zip(carry.upper.tolist(), carry.primed.tolist(), strict=True))
        return np.array([[see(mask, *one) for one in seen] for mask in grid.values.tolist()], dtype=np.int64)

    # What is done.

    def meanings(self, name: str, numbers: Numbers) -> _Meanings:
        """Give what a verb may mean on a card with these numbers."""
        verb: Any = self.verbs[name]
        given = tuple(one for one in numbers if one[0] in verb.numbers)
        make = self._over_par if isinstance(verb, OverPar) else self._meanings
        return self._once(("verb", name, given), lambda: make(verb, dict(given)))

    def _meanings(self, verb: Any, numbers: Mapping[str, int]) -> _Meanings:
        rows = [
            (slot, _bits(choice.open), _bits(choice.filled), self._act(choice.action))
            for slot, (left, hand) in enumerate(self.slots)
            for choice in verb.choices(hand, left, numbers)
        ]
        return _Meanings(*np.array(rows, dtype=np.int64).reshape(-1, 4).T.copy())

    def _act(self, action: Any) -> int:
        """Number an action: boxes, then keeps."""
        if isinstance(action, str):
            return self.sheet.names.index(action)
        return int(self.arrays.n_boxes + self.arrays.lattice.number(action))

    def _over_par(self, verb: OverPar, numbers: Mapping[str, int]) -> _Meanings:
        """Order all fills by what they pay over par: as `choices` do, but fast, as a search changes pars all the time."""
        slot, *_, box, points = self._fills
        over = points - np.array([numbers.get(f"par {name}", 0) for name in self.sheet.names])[box]
        order = np.lexsort((-over, slot))
        if verb.least is not None:
            order = order[over[order] >= verb.least]
        return _Meanings(*self._fills[:4, order])

    @cached_property
    def _fills(self) -> Ints:
        """All fills: slot, boxes that must be open, boxes that must be filled, action, box, points."""
        rows = [
            (slot, _bits(choice.open), _bits(choice.filled), box, box, points)
            for slot, (left, hand) in enumerate(self.slots)
            for choice, box, points in fills_of(self.sheet, hand, left)
        ]
        return np.array(rows, dtype=np.int64).T.copy()

    @cached_property
    def _otherwise(self) -> _Meanings:
        """What is done where no line fits: the first box that may be filled."""
        slot, box = (column.ravel() for column in np.indices((len(self.slots), self.arrays.n_boxes)))
        bit = 1 << box
        return _Meanings(slot, bit, bit - 1 if self.arrays.in_order else 0 * bit, box)

    # A card.

    def script(self, card: Card) -> Script:
        """Write a card, line after line, as long as a slot waits for one."""
        conditions: dict[_Condition, int] = {}
        waiting = np.ones(len(self.slots), dtype=np.bool_)
        parts = []
        for number, line in enumerate(card.lines):
            means = self.meanings(line.verb, card.numbers)
            for case in self.cases(line):
                if (case.slots & waiting).any():
                    part = self._part(means, case, case.slots & waiting, _numbered(conditions, case), number)
                    parts.append(part)
                    # A keep that nothing stands against leaves no slot for later lines.
                    waiting[part[0, (part[1] == 0) & (part[2] == 0) & (part[3] < 0) & (part[4] >= self.arrays.n_boxes)]] = False
        parts.append(self._part(self._otherwise, _Case(waiting), waiting, -1, -1))
        return self._script(parts, conditions, len(self.slots))

    def verb_script(self, verbs: Sequence[str], numbers: Numbers) -> Script:
        """Write verbs without conditions, the slots of the first one first; where a verb means nothing there is no entry."""
        slots = len(self.slots)
        always = _Case(np.ones(slots, dtype=np.bool_))
        parts = [self._part(self.meanings(verb, numbers), always, always.slots, -1, n) for n, verb in enumerate(verbs)]
        for n, part in enumerate(parts):
            part[0] += n * slots
        return self._script(parts, {}, slots * len(verbs))

    def _part(self, means: _Meanings, case: _Case, slots: Bools, condition: int, line: int) -> Ints:
        """The entries of a verb in some slots: slot, boxes open and filled, condition, action, line; a row each."""
        needs, shuts = means.needs | case.needs, means.shuts | case.shuts
        chosen = slots[means.slot] & (needs & shuts == 0)
        same = np.ones(int(chosen.sum()), dtype=np.int64)
        return np.array([means.slot[chosen], needs[chosen], shuts[chosen], condition * same, means.act[chosen], line * same])

    def _script(self, parts: list[Ints], conditions: dict[_Condition, int], n_slots: int) -> Script:
        entries = np.concatenate(parts, axis=1)
        slot, needs, shuts, condition, act, line = entries[:, np.argsort(entries[0], kind="stable")]
        start = np.searchsorted(slot, np.arange(n_slots + 1))
        words = self._place(len(conditions) - 1)[0] + 1
        wants = np.zeros((len(slot), words), dtype=np.int64)
        wants[:, 0] = needs
        where, bit = np.array([*map(self._place, range(len(conditions))), (0, 0)], dtype=np.int64).T
        wants[np.arange(len(slot)), where[condition]] |= bit[condition]
        cares = wants.copy()
        cares[:, 0] |= shuts
        return Script(start, cares, wants, act, self._sinks(slot, act), line, *self._sheet_bits(conditions), self.arrays.n_boxes)

    def _place(self, condition: int) -> tuple[int, int]:
        """The word and the bit of a condition; the boxes come first."""
        word, bit = divmod(condition + self.arrays.n_boxes, MOST_BITS)
        return word, 1 << bit

    def _sinks(self, slot: Ints, act: Ints) -> Ints:
        """The row that each entry leads to."""
        arrays, net = self.arrays, self.arrays.lattice
        left, hand = np.divmod(slot % len(self.slots), net.n_hands)
        column = np.where(left == arrays.rerolls, arrays.first_column[hand], hand)
        box = np.minimum(act, arrays.n_boxes - 1)
        fills = np.where(arrays.special_index[hand] < 0, len(net.keeps) + arrays.hand_effect[box, column], -1 - box)
        return np.where(act < arrays.n_boxes, fills, act - arrays.n_boxes)

    def _sheet_bits(self, conditions: dict[_Condition, int]) -> tuple[Ints, Ints, Ints, Any, Ints]:
        """The bits of sheets by open boxes, and those that the carry decides; the rows and groups of carries, and their bits."""
        words = self._place(len(conditions) - 1)[0] + 1
        grid = self._looked_at(name for one in conditions for asked in one.by_carry for _, _, name, _ in asked.terms)
        found = np.zeros((2, words, self.arrays.n_masks), dtype=np.int64)
        found[0, 0] = self.bits
        carried = np.zeros((words, len(grid.values), self.arrays.n_carries), dtype=np.int64)
        for number, one in enumerate(conditions):
            word, bit = self._place(number)
            found[1 if one.by_carry else 0, word] += bit * self._once(("gate", one), partial(self._gate, one))
            if one.by_carry:
                carried[word] += bit * self._once(
                    ("carry", one.by_carry, grid.bits), partial(self._carry_table, one.by_carry, grid)
                )
        group, first = np.zeros(carried[0].size, dtype=np.int64), np.zeros(1, dtype=np.int64)
        for word in range(words):
            _, own = np.unique(carried[word].ravel(), return_inverse=True)
            _, first, group = np.unique(group * (own.max() + 1) + own, return_index=True, return_inverse=True)
        bits = np.ascontiguousarray(carried.reshape(words, -1)[:, first])
        return found[0], found[1], grid.place, group.reshape(carried.shape[1:]), bits

    def _once(self, key: Any, make: Callable[[], Part]) -> Part:
        """Make a part of a card, or remember it."""
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = make()
        found: Part = self.known[key]
        return found


def _numbered(conditions: dict[_Condition, int], case: _Case) -> int:
    """Number what a case asks of the sheet, beside boxes: -1 for nothing."""
    if not case.by_open and not case.by_carry:
        return -1
    boxes = (case.needs, case.shuts) if case.by_carry else (0, 0)
    return conditions.setdefault(_Condition(case.by_open, case.by_carry, *boxes), len(conditions))


def _comparisons(line: CardLine) -> Iterator[Comparison]:
    return (comparison for every in line.condition for comparison in every)


def _terms(comparison: Comparison) -> list[Term]:
    """The terms of the left side less the right one."""
    left = [(1, *term) for term in comparison.left.terms]
    found: list[Term] = [*left, *((-1, *term) for term in comparison.right.terms)]
    return found


def _sum(terms: Iterable[Term], read: Callable[[str], Ints]) -> Any:
    return sum(sign * divided(factor, read(name) if name else 1, divisor) for sign, factor, name, divisor in terms)


def _holds(operator: str, difference: Any) -> Bools:
    found: Bools = OPERATORS[operator](difference, 0)  # type: ignore[assignment]
    return found


def _bits(boxes: Iterable[int]) -> int:
    return sum(1 << box for box in set(boxes))
