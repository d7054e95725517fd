"""Maxi Yatzy: the Scandinavian game of six dice and twenty boxes.

Rules. A turn is a roll of six dice and up to two `rerolls` of any of them; then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face; `bonus` (100) points more once these boxes hold `threshold` (84);
- `pair`, `two-pairs`, `three-pairs`: pairs of different faces, the total of their dice (the highest pair counts);
- `three-of-a-kind`, `four-of-a-kind`, `five-of-a-kind`: the total of that many equal dice;
- `small-straight`: 15 for 1-2-3-4-5; `large-straight`: 20 for 2-3-4-5-6; `full-straight`: 21 for 1-2-3-4-5-6;
- `cabin`: three of one face and two of another; `villa`: three and three; `tower`: four and two; the total of those dice;
- `chance`: the total of all dice; `maxi-yatzy`: 100 for six equal dice.

These are the rules printed on the score sheets of Alga's Maxi Yatzy, less its saved rolls: with `saved_rolls`, rerolls that a
turn did not use may be used on any later turn, as many as were saved; those left at the end are lost. Without it, the default,
they are lost at once. The value is 394.557506820, with saved rolls 496.633260370. `boxes` plays with some of the boxes only.
"""

from collections.abc import Sequence

from rollwise.games.sheets.boxes import MOST_REROLLS, Box, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, choose_boxes, groups_total, run, total, upper_boxes
from rollwise.games.sheets.view import SheetView
from rollwise.model.parameter import Flag, Integer, Names, Parameter

__all__ = ["MaxiYatzy"]


class MaxiYatzyView(SheetView):
    """The board and the words of the game."""

    game: "MaxiYatzy"
    other_aims = ("expected",)


class MaxiYatzy(Sheet):
    """Maxi Yatzy, with saved rolls or without.

    >>> MaxiYatzy().gain(MaxiYatzy().read_state("222555 0 all upper 0"), "villa")
    21
    """

    view = MaxiYatzyView

    parameters = (
        Parameter.known("bonus", Integer(), "100"),
        Parameter.known("threshold", Integer(1), "84"),
        Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2"),
        Parameter.known("saved_rolls", Flag(), "no"),
        Parameter.known("boxes", Names(), usual="all-twenty"),
    )
    """Nothing that needs a chance for every total: of so many sheets they take hundreds of gigabytes."""

    def __init__(
        self,
        *,
        bonus: int = 100,
        threshold: int = 84,
        rerolls: int = 2,
        saved_rolls: bool = False,
        boxes: Sequence[str] | None = None,
    ) -> None:
        every = [
            *upper_boxes(),
            Box("pair", groups_total(2)),
            Box("two-pairs", groups_total(2, 2)),
            Box("three-pairs", groups_total(2, 2, 2)),
            Box("three-of-a-kind", groups_total(3)),
            Box("four-of-a-kind", groups_total(4)),
            Box("five-of-a-kind", groups_total(5)),
            Box("small-straight", run((1, 2, 3, 4, 5), 15)),
            Box("large-straight", run((2, 3, 4, 5, 6), 20)),
            Box("full-straight", run((1, 2, 3, 4, 5, 6), 21)),
            Box("cabin", groups_total(3, 2)),
            Box("villa", groups_total(3, 3)),
            Box("tower", groups_total(4, 2)),
            Box("chance", total),
            Box("maxi-yatzy", all_equal(100)),
        ]
        upper = UpperBonus(threshold, bonus)
        super().__init__(choose_boxes(every, boxes), count=6, rerolls=rerolls, bonus=upper, saved_rolls=saved_rolls)
