"""Yatzy, the Scandinavian game of five dice, fifteen boxes and a bonus, and Maxi Yatzy, with six dice and twenty boxes.

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

Maxi Yatzy. A turn is a roll of six dice and up to two `rerolls` of any of them; then one open box is filled:

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

from typing import Any

from rollwise.games.sheets.boxes import Box, UpperBonus
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import all_equal, groups_total, run, total, upper_boxes
from rollwise.games.sheets.view import LargeSheetView, SheetView
from rollwise.model.parameter import Flag, Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["MaxiYatzy", "Yatzy"]


class Yatzy(NamedSheet):
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
        REROLLS,
        Parameter.known("saved_rolls", Flag(), "no"),
        some_of("all-fifteen"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        boxes = [
            *upper_boxes(),
            Box("pair", groups_total(2)),
            Box("two-pairs", groups_total(2, 2, same_face=options.four_as_two_pairs)),
            Box("three-of-a-kind", groups_total(3)),
            Box("four-of-a-kind", groups_total(4)),
            Box("small-straight", run((1, 2, 3, 4, 5), 15)),
            Box("large-straight", run((2, 3, 4, 5, 6), 20)),
            Box("full-house", groups_total(3, 2, same_face=options.five_as_full_house)),
            Box("chance", total),
            Box("yatzy", all_equal(50)),
        ]
        upper = UpperBonus(options.threshold, options.bonus)
        return {"boxes": boxes, "bonus": upper, "in_order": options.in_order, "saved_rolls": options.saved_rolls}


class MaxiYatzyView(SheetView):
    """The board and the words of the game.

    Nothing is offered that needs a chance for every total: of so many sheets they take hundreds of gigabytes.
    """

    game: "MaxiYatzy"
    other_aims = ("expected",)


class MaxiYatzy(NamedSheet):
    """Maxi Yatzy, with saved rolls or without.

    >>> MaxiYatzy().gain(MaxiYatzy().read_state("222555 0 all upper 0"), "villa")
    21
    """

    view = MaxiYatzyView
    parameters = (
        Parameter.known("bonus", Integer(), "100"),
        Parameter.known("threshold", Integer(1), "84"),
        REROLLS,
        Parameter.known("saved_rolls", Flag(), "no"),
        some_of("all-twenty"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        boxes = [
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
        upper = UpperBonus(options.threshold, options.bonus)
        return {"boxes": boxes, "count": 6, "bonus": upper, "saved_rolls": options.saved_rolls}
