"""Follow a strategy card through a score sheet: its exact worth, what it leads to, and games played by it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rollwise.forms.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.forms.sheets.card_script import Scripter, scripter_of
from rollwise.forms.sheets.kernels.card_numba import Carries, Script, add_turns, find_lanes, follow_lanes
from rollwise.forms.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.games.sheet import Sheet
from rollwise.model.card import Card
from rollwise.model.game import Progress

__all__ = ["FollowedCard", "follow_card"]


def follow_card(sheet: Sheet, card: Card) -> "FollowedCard | None":
    """Read a card for a sheet; None: it has words that see hand and sheet at once, or that are not the sheet's own."""
    scripter = scripter_of(sheet)
    return FollowedCard(scripter, card) if scripter.reads(card) else None


@dataclass(frozen=True, eq=False)
class FollowedCard:
    """A card on the arrays of a sheet."""

    scripter: Scripter
    card: Card

    @cached_property
    def form(self) -> SheetArrays:
        """The sheet with all carries that can occur: a card may tell apart what is equally good."""
        return self.scripter.whole

    @cached_property
    def script(self) -> Script:
        """The card as arrays."""
        return self.scripter.script(self.card)

    def values(self, progress: Progress | None = None) -> Floats:
        """Give the points to come by open boxes and carry, NaN where that does not occur."""
        form = self.form
        worth = np.full((form.n_masks, form.n_carries), np.nan)
        worth[0] = 0.0
        carries = Carries(form.carry_class, form.carry_start, form.carry_list)
        records = effects_of(form, np.float64, np.int64), self.scripter.still, hands_of(form)
        done = 0
        for part in self.scripter.starts:
            lane_of, chance = self.turns(part.opened, part.carry)
            add_turns(part.masks, carries, lane_of, chance, *records, worth)
            done += len(part.masks)
            if progress:
                progress("following", done, form.n_masks)
        return worth

    def turns(self, opened: Ints, carry: Ints) -> tuple[Ints, Floats]:
        """Follow the turns from some turn starts, those with the same open boxes one after another.

        Gives the number of each one's turn, as many are the same, and the chance of each effect by that number.
        """
        form, script = self.form, self.script
        lane_of, lane_open = np.empty(len(opened), dtype=np.int64), np.empty(len(opened), dtype=np.int64)
        lane_bits = np.empty((len(script.open_bits), len(opened)), dtype=np.int64)
        lanes = find_lanes(opened, carry, script, lane_of, lane_open, lane_bits)
        chance = np.empty((lanes, len(form.effect_gain)))
        follow_lanes(lane_open[:lanes], lane_bits[:, :lanes], script, hands_of(form), rolls_of(form), chance)
        return lane_of, chance

    @property
    def value(self) -> float:
        """The points that a game brings."""
        return float(self.values()[self.form.full, 0])

    def chances(self, form: SheetArrays, guide: Floats, random: bool, opened: Ints, carry: Ints) -> Floats:
        """Give, for every outer state and effect, the chance that the turn ends with it; what guides others is not looked at."""
        lane_of, chance = self.turns(opened, carry)
        found: Floats = chance[lane_of]
        return found
