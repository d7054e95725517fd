"""The card evaluator of score sheets: strategy cards computed on the arrays of a sheet, and where they lose."""

from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import Turn
from rollwise.model.card import Card
from rollwise.model.game import Progress
from rollwise.solvers.base.card_evaluator import Account, CardEvaluator, Effort, Misplay
from rollwise.solvers.sheets.arrays import Floats
from rollwise.solvers.sheets.card_conditions import Conditions
from rollwise.solvers.sheets.card_follow import FollowedCard, follow_card
from rollwise.solvers.sheets.card_play import SheetCardPlay, first_card
from rollwise.solvers.sheets.card_script import Starts, scripter_of
from rollwise.solvers.sheets.kernels.card_account_numba import Costly, Followed, account_lanes
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, rolls_of, steps_of
from rollwise.solvers.sheets.kernels.simd import WIDTH
from rollwise.solvers.sheets.reading import read_carry

if TYPE_CHECKING:
    from rollwise.solvers.sheets.expected import SheetSolution

__all__ = ["SheetCardEvaluator", "sheet_card_evaluator"]

ROUNDING = 1e-12
"""Costs below this are rounding."""
OVER = (0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30)
"""How far over par a box is worth stopping for, in new lines."""
KEPT = 4
"""Cards whose values are remembered."""


def sheet_card_evaluator(solution: "SheetSolution", progress: Progress | None) -> "SheetCardEvaluator | None":
    """Give the evaluator of a solved sheet; None: some of its words see hand and sheet at once."""
    scripter = scripter_of(solution.sheet)
    return SheetCardEvaluator(solution, progress) if scripter.reads_all() else None


class SheetCardEvaluator(CardEvaluator):
    """Computes cards on a solved sheet."""

    higher = True
    rounds = 3

    def __init__(self, solution: "SheetSolution", progress: Progress | None = None) -> None:
        self.solution, self.progress, self.effort = solution, progress, Effort()
        self.optimum, self.scripter = float(solution.value()), scripter_of(solution.sheet)
        self.known: dict[Card, Floats] = {}

    def value(self, card: Card) -> float:
        return float(self.values(card)[self.scripter.arrays.full, 0])

    def values(self, card: Card) -> Floats:
        """Give the points to come by open boxes and carry; the last cards are remembered."""
        if card not in self.known:
            followed = self.followed(card)
            if len(self.known) >= KEPT:
                self.known.pop(next(iter(self.known)))
            self.known[card] = followed.values()
        return self.known[card]

    def followed(self, card: Card) -> FollowedCard:
        """Give a card on the arrays of the sheet. Raises `GameError` for one with words that are not the sheet's own."""
        found = follow_card(self.solution.sheet, card, self.effort)
        if found is None:
            raise GameError("this card has words that are not those of the sheet: read it with its vocabulary")
        return found

    # What a search asks.

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions of new lines."""
        return Conditions(self.scripter)

    @cached_property
    def line_verbs(self) -> list[str]:
        """The verbs of new lines."""
        names = [name for name in self.scripter.verbs if not name.startswith("fill the best if")]
        return names + [f"fill the best if {n} over par" for n in OVER]

    def prepare(self, size: int) -> None:
        for card in self.first_cards(size):
            next(iter(self.play(card, Random(0)).longer(1)))

    def first_cards(self, size: int) -> list[Card]:
        return [first_card(self.solution.sheet.names, size)]

    def play(self, card: Card, random: Random) -> SheetCardPlay:
        return SheetCardPlay(self, card, random)

    # Where a card loses.

    def account(self, card: Card, worst: int = 10) -> Account:
        followed = self.followed(card)
        lines = len(card.lines) + 1
        loss, times = np.zeros((lines, WIDTH)), np.zeros(lines)
        costly = Costly(np.zeros(worst), np.zeros(worst), np.zeros((worst, 4), dtype=np.int64))
        visits, parts = followed.visits(self.progress), followed.scripter.starts[::-1]
        for number, part in enumerate(parts):
            self._charge(followed, part, visits, loss, times, costly)
            if self.progress:
                self.progress("judging", number + 1, len(parts))
        order = [place for place in range(worst - 1, -1, -1) if costly.cost[place] > ROUNDING]
        dearest = tuple(self._misplay(followed, costly, place) for place in order)
        return Account(self.value(card), tuple(loss.sum(axis=1).tolist()), tuple(times.tolist()), dearest)

    def _charge(self, followed: FollowedCard, part: Starts, visits: Floats, loss: Floats, times: Floats, costly: Costly) -> None:
        """Charge the lines for what they lose in some turns."""
        arrays = followed.arrays
        live = np.flatnonzero((visits[part.opened, part.carry] > 0) & (part.carry != arrays.over))
        if not live.size:
            return
        opened, carry = part.opened[live], part.carry[live]
        lane_of, lane_open, lane_bits = followed.lanes(opened, carry)
        order = np.argsort(lane_of, kind="stable")
        start = np.searchsorted(lane_of[order], np.arange(len(lane_open) + 1))
        lanes = Followed(lane_open, lane_bits, start, carry[order], visits[opened[order], carry[order]])
        account_lanes(
            lanes, self.solution.floats, followed.script, effects_of(arrays, np.float64, np.int16), followed.scripter.still,
            hands_of(arrays), rolls_of(arrays), steps_of(arrays), loss, times, costly,
        )  # fmt: skip

    def _misplay(self, followed: FollowedCard, costly: Costly, place: int) -> Misplay:
        sheet, net, script = self.solution.sheet, followed.arrays.lattice, followed.script
        opened, carry, slot, entry = costly.where[place].tolist()
        upper, primed = read_carry(sheet, carry)
        left, hand = divmod(slot, net.n_hands)
        state = Turn(opened, int(upper), bool(primed), net.keeps[net.first_hand + hand], left)
        act, times = int(script.act[entry]), float(costly.times[place])
        action = sheet.names[act] if act < script.n_boxes else net.keeps[act - script.n_boxes]
        best = self.solution.best(state)
        return Misplay(state, int(script.line[entry]), action, best, times, float(costly.cost[place]) / times)
