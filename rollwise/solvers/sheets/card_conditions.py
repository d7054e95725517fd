"""The conditions of lines for score sheets: where each holds, which of them gain most, and what is like them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.games.sheets.vocabulary import HandFeature, OpenFeature
from rollwise.model.card import Amount, CardFeature, CardLine, Comparison, true_or_not
from rollwise.solvers.sheets.arrays import Ints
from rollwise.solvers.sheets.card_script import Scripter

__all__ = ["LIKELY", "Conditions", "OnSheet", "simpler"]

Reals = npt.NDArray[np.float32]
Every = tuple[Comparison, ...]

MOST_LEVELS = 14
PER_VERB = 4
LIKELY = 5000
"""Conditions on the sheet, each with a verb, for which all conditions on the hand are tried."""
EXTENDED = 3
"""Comparisons that may be added to the first ones of a line."""
WORTH_IT = 1.05
"""How much more a line has to gain for one more comparison."""


class OnSheet(NamedTuple):
    """Conditions on the sheet, and where each holds among turn starts."""

    conditions: tuple[Every, ...]
    rows: Reals


class Conditions:
    """Conditions on the hand: each with the slots (rolls left and hand) in which it holds, a row each."""

    def __init__(self, scripter: Scripter) -> None:
        self.scripter, self.features = scripter, scripter.features
        found: dict[bytes, tuple[Every, Any]] = {}
        for every in self._of_hand():
            for holds in (case.slots for case in scripter.cases(CardLine((every,), ""))):
                found.setdefault(holds.tobytes(), (every, holds))
        self.of_hand = tuple(every for every, _ in found.values())
        self.rows: Reals = np.array([holds for _, holds in found.values()], dtype=np.float32)

    def _of_hand(self) -> Iterator[Every]:
        """Nothing, one comparison, and one with a number of rolls left."""
        names = [name for name, feature in self.features.items() if isinstance(feature, HandFeature)]
        rolls = list(_comparisons(self.features["rolls left"], range(self.scripter.arrays.rerolls + 1)))
        others = [
            one for name in names for one in _comparisons(self.features[name], np.unique(self.scripter.of_hand(name)).tolist())
        ]
        yield ()
        yield from ((one,) for one in others)
        yield from ((roll, one) for roll in rolls for one in others if one not in rolls)

    def on_sheet(self, opened: Ints, carry: Ints) -> OnSheet:
        """Give the conditions on the sheet, for some turn starts."""
        found: dict[bytes, tuple[Every, Any]] = {b"": ((), np.ones(len(opened), dtype=np.bool_))}
        for feature in self.features.values():
            if isinstance(feature, OpenFeature):
                for one in _comparisons(feature, range(feature.low, feature.high + 1)):
                    there = self.scripter.holds_on(one, opened, carry)
                    if there.any() and not there.all():
                        found.setdefault(there.tobytes(), ((one,), there))
        return OnSheet(
            tuple(every for every, _ in found.values()), np.array([holds for _, holds in found.values()], dtype=np.float32)
        )

    def gaining(self, deltas: Reals, on_sheet: OnSheet, most: int) -> list[tuple[float, int, Every]]:
        """Give lines that gain: (gain, verb, condition), from what verbs gain by turn start, verb and slot."""
        n_states, n_verbs, n_slots = deltas.shape
        summed = (on_sheet.rows @ deltas.reshape(n_states, -1)).reshape(-1, n_slots)
        # No condition on the hand gains more than all slots that gain: rows in which these gain little are left out.
        likely = np.sort(np.argsort(-np.maximum(summed, 0).sum(axis=1))[:LIKELY])
        scores = summed[likely] @ self.rows.T
        best = scores.argmax(axis=1)
        top = scores[np.arange(len(best)), best]
        found: list[tuple[float, int, Every]] = []
        taken = [0] * n_verbs
        for row in np.argsort(-top)[: 6 * most].tolist():
            sheet, verb = divmod(int(likely[row]), n_verbs)
            if top[row] <= 0 or len(found) >= most:
                break
            if taken[verb] < PER_VERB:
                taken[verb] += 1
                gain, condition = self._extended(deltas[:, verb], on_sheet, sheet, int(best[row]))
                found.append((gain, verb, condition))
        return found

    def _extended(self, delta: Reals, on_sheet: OnSheet, sheet: int, hand: int) -> tuple[float, Every]:
        """Add comparisons to a condition as long as they gain."""
        condition = self.of_hand[hand] + on_sheet.conditions[sheet]
        states, slots = on_sheet.rows[sheet], self.rows[hand]
        gain = float(states @ delta @ slots)
        for _ in range(EXTENDED):
            by_sheet = on_sheet.rows @ ((delta @ slots) * states)
            by_hand = self.rows @ ((states @ delta) * slots)
            sheet, hand = int(by_sheet.argmax()), int(by_hand.argmax())
            more = float(max(by_sheet[sheet], by_hand[hand]))
            if more < gain * WORTH_IT + 1e-4:
                break
            gain = more
            if by_sheet[sheet] >= by_hand[hand]:
                condition, states = condition + on_sheet.conditions[sheet], states * on_sheet.rows[sheet]
            else:
                condition, slots = condition + self.of_hand[hand], slots * self.rows[hand]
        return gain, simpler(condition)

    def like(self, line: CardLine) -> Iterator[CardLine]:
        """Give lines that differ a little: a comparison less, a number one higher or lower, more or fewer points over par."""
        (every,) = line.condition
        for i, one in enumerate(every):
            yield line._replace(condition=(every[:i] + every[i + 1 :],))
            for other in self._beside(one):
                yield line._replace(condition=((*every[:i], other, *every[i + 1 :]),))
        if line.verb.startswith("fill the best if"):
            over = int(line.verb.split()[4])
            names = (f"fill the best if {over + step} over par" for step in (-2, -1, 1, 2))
            yield from (line._replace(verb=name) for name in names if name in self.scripter.verbs)

    def _beside(self, one: Comparison) -> Iterator[Comparison]:
        feature = self.features[one.left.terms[0][1]]
        bound = _bound(one)
        if feature.is_flag:
            yield one._replace(right=_number(1 - bound))
            return
        yield from (one._replace(right=_number(b)) for b in (bound - 1, bound + 1) if feature.low <= b <= feature.high)


def simpler(every: Sequence[Comparison]) -> Every:
    """Leave out what other comparisons say already."""
    found: dict[tuple[str, str], Comparison] = {}
    for one in every:
        key = (one.left.terms[0][1], one.operator)
        if key in found:
            closer = {">=": max, "<=": min}.get(one.operator, max)
            one = one._replace(right=_number(closer(_bound(one), _bound(found[key]))))  # noqa: PLW2901
        found[key] = one
    fixed = {name for name, operator in found if operator == "="}
    return tuple(one for (name, operator), one in found.items() if operator == "=" or name not in fixed)


def _comparisons(feature: CardFeature, levels: Sequence[int]) -> Iterator[Comparison]:
    """Compare a feature with numbers that it may be, not with too many of them."""
    if feature.is_flag:
        yield from (true_or_not(feature.name, wanted=wanted) for wanted in (True, False))
        return
    many = len(levels) > MOST_LEVELS
    chosen = levels[:: max(1, len(levels) // (MOST_LEVELS - 2))] if many else levels
    yield from (_compare(feature, operator, level) for operator in (">=", "<=", "=")[: 2 if many else 3] for level in chosen)


def _compare(feature: CardFeature, operator: str, number: int) -> Comparison:
    return Comparison(Amount(((1, feature.name, 1),)), operator, _number(number))


def _number(number: int) -> Amount:
    return Amount(((number, "", 1),))


def _bound(comparison: Comparison) -> int:
    return comparison.right.terms[0][0]
