"""Positions of a score sheet as numbers."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from rollwise.games.sheets.boxes import Move, Turn
from rollwise.model.features import Feature, Features, face_counts, one_number

if TYPE_CHECKING:
    from rollwise.games.sheets.rules import Sheet

__all__ = ["SheetFeatures"]


class SheetFeatures(Features):
    """Positions as numbers."""

    game: "Sheet"

    def features(self, state: Turn) -> Mapping[str, Feature] | None:
        faces = range(1, self.game.faces + 1)
        left = tuple(self.game._fills_left(state.open, box) for box in range(len(self.game.boxes)))
        found = {
            "dice": face_counts(state.dice, faces, self.game.count),
            "rerolls_left": one_number(state.left, 0, self.game.most_rerolls(1)),
            "open": Feature(left, 0, max(box.times for box in self.game.boxes)),
        }
        if self.game.bonus:
            found["upper"] = one_number(state.upper, 0, self.game.bonus.threshold)
        return found | ({"primed": one_number(state.primed, 0, 1)} if self.game.joker and self.game.joker.bonus else {})

    def every_action(self) -> Sequence[Move] | None:
        faces = range(1, self.game.faces + 1)
        keeps = [keep for count in range(self.game.count) for keep in combinations_with_replacement(faces, count)]
        return (*self.game.names, *keeps)
