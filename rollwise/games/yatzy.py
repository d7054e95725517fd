"""Yatzy: the Scandinavian game of five dice, fifteen boxes and a bonus.

Rules. A turn is a roll of five dice and up to two `rerolls` of any of them; then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face; `bonus` (50) points more once these boxes hold `threshold` (63);
- `pair`: the highest two equal dice; `two-pairs`: two pairs of different faces, all four dice;
- `three-of-a-kind`, `four-of-a-kind`: the total of the equal dice (three or four of them);
- `small-straight`: 15 for 1-2-3-4-5; `large-straight`: 20 for 2-3-4-5-6;
- `full-house`: the total of all dice for three of one face and two of another;
- `chance`: the total of all dice; `yatzy`: 50 for five equal dice.

House rules, off by default: `five_as_full_house`, `four_as_two_pairs`, `in_order` (boxes must be filled from top to
bottom), and `saved_rolls` (rerolls that a turn did not use may be used on any later turn, as many as were saved; those left at
the end are lost). `boxes` plays with some of the boxes only.

Value with the rules above: 248.4399893778553, as in precisit/yatzy-solver and villeolof1/yatzy-computation-platform; with saved
rolls 280.4109275551. The often cited 248.63 (a KTH thesis of 2012) comes from a scoring bug.
"""

from collections.abc import Sequence

from rollwise.games.sheets.boxes import MOST_REROLLS, Box, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, choose_boxes, groups_total, run, total, upper_boxes
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.parameter import Flag, Integer, Names, Parameter

__all__ = ["Yatzy"]


class Yatzy(Sheet):
    """Scandinavian Yatzy with its common house rules.

    >>> Yatzy().gain(Yatzy().read_state("55556 0 all upper 0"), "four-of-a-kind")
    20
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("five_as_full_house", Flag(), "no"),
        Parameter.known("four_as_two_pairs", Flag(), "no"),
        Parameter.known("in_order", Flag(), "no"),
        Parameter.known("bonus", Integer(), "50"),
        Parameter.known("threshold", Integer(1), "63"),
        Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2"),
        Parameter.known("saved_rolls", Flag(), "no"),
        Parameter.known("boxes", Names(), usual="all-fifteen"),
    )

    def __init__(
        self,
        *,
        five_as_full_house: bool = False,
        four_as_two_pairs: bool = False,
        in_order: bool = False,
        bonus: int = 50,
        threshold: int = 63,
        rerolls: int = 2,
        saved_rolls: bool = False,
        boxes: Sequence[str] | None = None,
    ) -> None:
        every = [
            *upper_boxes(),
            Box("pair", groups_total(2)),
            Box("two-pairs", groups_total(2, 2, same_face=four_as_two_pairs)),
            Box("three-of-a-kind", groups_total(3)),
            Box("four-of-a-kind", groups_total(4)),
            Box("small-straight", run((1, 2, 3, 4, 5), 15)),
            Box("large-straight", run((2, 3, 4, 5, 6), 20)),
            Box("full-house", groups_total(3, 2, same_face=five_as_full_house)),
            Box("chance", total),
            Box("yatzy", all_equal(50)),
        ]
        upper = UpperBonus(threshold, bonus)
        super().__init__(choose_boxes(every, boxes), rerolls=rerolls, bonus=upper, in_order=in_order, saved_rolls=saved_rolls)
