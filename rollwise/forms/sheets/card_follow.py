"""Follow a strategy card through a score sheet: its exact worth, what it leads to, and games played by it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rollwise.forms.sheets.arrays import Floats, Ints, SheetArrays, layers
from rollwise.forms.sheets.card_script import Scripter, scripter_of, whole_carries
from rollwise.forms.sheets.kernels.card_numba import Carries, Script, card_chances, card_values, make_room
from rollwise.forms.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.games.sheet import Sheet
from rollwise.model.card import Card
from rollwise.model.game import Progress

__all__ = ["FollowedCard", "follow_card"]

PIECE = 1024
"""Sets of open boxes that are followed between two looks at the clock."""


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
        return whole_form(self.scripter)

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
        records = effects_of(form, np.float64, np.int64), hands_of(form), rolls_of(form)
        room, done = self._room(), 0
        for layer in layers(form):
            for begin in range(0, len(layer), PIECE):
                part = layer[begin : begin + PIECE]
                card_values(part, carries, self.script, *records, room, worth)
                done += len(part)
                if progress:
                    progress("following", done, form.n_masks)
        return worth

    def _room(self) -> Any:
        net = self.form.lattice
        return make_room(self.script, len(self.form.effect_gain), len(net.keeps), net.n_hands)

    @property
    def value(self) -> float:
        """The points that a game brings."""
        return float(self.values()[self.form.full, 0])

    def chances(self, form: SheetArrays, guide: Floats, random: bool, opened: Ints, carry: Ints) -> Floats:
        """Give, for every outer state and effect, the chance that the turn ends with it; what guides others is not looked at."""
        out = np.zeros((len(opened), len(form.effect_gain)))
        card_chances(opened, carry, self.script, hands_of(form), rolls_of(form), self._room(), out)
        return out


def whole_form(scripter: Scripter) -> SheetArrays:
    """Give a sheet's arrays with every carry that can occur worked out, none copied."""
    form = scripter.known.get("whole form")
    if form is None:
        start, listed = whole_carries(scripter.form)
        none = np.zeros(0, dtype=np.int64)
        form = replace(
            scripter.form, carry_start=start, carry_list=listed, copy_start=np.zeros_like(start), copy_to=none, copy_from=none
        )
        scripter.known["whole form"] = form
    return form
