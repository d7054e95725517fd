"""Kniffel: the German game of five dice and thirteen boxes.

Rules. As in Yahtzee, without jokers: a turn is a roll of five dice and up to two `rerolls` of any of them; then one open box is
filled:

- `einser` to `sechser`: the total of the dice with that face; `bonus` (35) points more once these boxes hold `threshold` (63);
- `dreierpasch`, `viererpasch`: the total of all dice if at least three (four) are equal;
- `full-house`: 25 for three of one face and two of another (five equal dice are not one);
- `kleine-strasse`: 30 for four faces in a row; `grosse-strasse`: 40 for five;
- `kniffel`: 50 for five equal dice; `chance`: the total of all dice.

A second Kniffel earns nothing extra: as published by Schmidt Spiele for decades; some later editions differ. So the value is
that of Yahtzee without bonus and joker, 245.87077451411164.
"""

from rollwise.games.sheets.boxes import MOST_REROLLS, Box
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.view import LargeSheetView
from rollwise.games.yahtzee import Yahtzee
from rollwise.model.parameter import Integer, Parameter

__all__ = ["Kniffel"]

NAMES = (
    "einser", "zweier", "dreier", "vierer", "fünfer", "sechser", "dreierpasch", "viererpasch",
    "full-house", "kleine-strasse", "grosse-strasse", "kniffel", "chance",
)  # fmt: skip


class Kniffel(Sheet):
    """Kniffel, by its German box names.

    >>> Kniffel().gain(Kniffel().read_state("23345 0 all upper 0"), "kleine-strasse")
    30
    """

    view = LargeSheetView

    parameters = (
        Parameter.known("bonus", Integer(), "35"),
        Parameter.known("threshold", Integer(1), "63"),
        Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2"),
    )
    """Not a duel: the pairs of such sheets take terabytes."""

    def __init__(self, *, bonus: int = 35, threshold: int = 63, rerolls: int = 2) -> None:
        american = Yahtzee(joker="none", upper_bonus=bonus, threshold=threshold)
        boxes = [Box(name, box.score, box.face) for name, box in zip(NAMES, american.boxes, strict=True)]
        super().__init__(boxes, rerolls=rerolls, bonus=american.bonus)
