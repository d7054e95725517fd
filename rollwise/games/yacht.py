"""Yacht, the old game of five dice and twelve boxes, from which Yahtzee and its kin come, and what many programs call Yacht.

Rules. A turn is a roll of five dice and up to two `rerolls` of any of them, also of dice that were kept before; then one open box
is filled:

- `ones` to `sixes`: the total of the dice with that face;
- `full-house`: the total of all dice for three of one face and two of another (five equal dice are not one);
- `four-of-a-kind`: the total of four equal dice; of five equal dice four count;
- `little-straight`: 30 for 1-2-3-4-5; `big-straight`: 30 for 2-3-4-5-6;
- `choice`: the total of all dice; `yacht`: 50 for five equal dice.

A box must be filled in every turn, if need be with 0, and only once; there are no bonuses and no jokers. The game is over after
twelve turns; the highest total wins, and players with the same total share the win. `boxes` plays with some of the boxes only.

Sources: Wikipedia, "Yacht (dice game)"; yacht-game.netlify.app lists the same boxes with the same highest scores. Programs called
Yacht Dice score otherwise: `yacht-dice`.

Yacht Dice. A turn is a roll of five dice and up to two `rerolls` of any of them, also of dice that were kept before; then one
open box is filled:

- `ones` to `sixes`: the total of the dice with that face; `bonus` (35) points more once these boxes hold `threshold` (63);
- `choice`: the total of all dice;
- `four-of-a-kind`: the total of all dice if at least four are equal;
- `full-house`: the total of all dice for three of one face and two of another; five equal dice are one, too;
- `small-straight`: 15 for four faces in a row; `large-straight`: 30 for five;
- `yacht`: 50 for five equal dice.

House rules: with `five_as_full_house=no` five equal dice are no full house, with `five_as_four=no` they are not four of a kind;
with `saved_rolls=yes` rerolls that a turn did not use may be used on any later turn, as many as were saved, and those left at the
end are lost. A box must be filled in every turn, if need be with 0, and only once; a second yacht earns nothing extra. The game
is over after twelve turns; the highest total wins, and players with the same total share the win. `boxes` plays with some of the
boxes only.

Source: Yacht Dice of 51 Worldwide Games, as told in mwbramble/yacht-dice and devia01/yacht. Value with the rules above:
191.77436918834113; ho94949/yacht-dice, whose source counts five equal dice as both, prints 191.774369. With saved rolls it is
223.8922930548.
"""

from typing import Any

from rollwise.games.sheets.boxes import Box, UpperBonus
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import all_equal, groups_total, house_total, kind_total, run, straight, total, upper_boxes
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.parameter import Flag, Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Yacht", "YachtDice"]


class Yacht(NamedSheet):
    """Yacht with a choice of boxes and rerolls.

    >>> Yacht().gain(Yacht().read_state("44444 0 all"), "four-of-a-kind")
    16

    Raises `GameError` for an unknown or repeated box.
    """

    parameters = (REROLLS, some_of("all-twelve"), WEIGHTS)

    def sheet(self, options: Any) -> dict[str, Any]:
        return {
            "boxes": [
                *upper_boxes(),
                Box("full-house", house_total()),
                Box("four-of-a-kind", groups_total(4)),
                Box("little-straight", run((1, 2, 3, 4, 5), 30)),
                Box("big-straight", run((2, 3, 4, 5, 6), 30)),
                Box("choice", total),
                Box("yacht", all_equal(50)),
            ]
        }


class YachtDice(NamedSheet):
    """Yacht Dice with its house rules.

    >>> YachtDice().gain(YachtDice().read_state("44444 0 all upper 0"), "full-house")
    20

    Raises `GameError` for an unknown or repeated box.
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("five_as_full_house", Flag(), "yes"),
        Parameter.known("five_as_four", Flag(), "yes"),
        Parameter.known("bonus", Integer(), "35"),
        Parameter.known("threshold", Integer(1), "63"),
        REROLLS,
        Parameter.known("saved_rolls", Flag(), "no"),
        some_of("all-twelve"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        boxes = [
            *upper_boxes(),
            Box("choice", total),
            Box("four-of-a-kind", kind_total(4, all_count=options.five_as_four)),
            Box("full-house", house_total(five_counts=options.five_as_full_house)),
            Box("small-straight", straight(4, 15)),
            Box("large-straight", straight(5, 30)),
            Box("yacht", all_equal(50)),
        ]
        return {"boxes": boxes, "bonus": UpperBonus(options.threshold, options.bonus), "saved_rolls": options.saved_rolls}
