"""Yacht: the old game of five dice and twelve boxes, from which Yahtzee and its kin come.

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
"""

from collections.abc import Sequence

from rollwise.games.sheets.boxes import MOST_REROLLS, Box
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, choose_boxes, groups_total, house_total, run, total, upper_boxes
from rollwise.model.parameter import Integer, Names, Parameter

__all__ = ["BOXES", "Yacht"]

BOXES = (
    *upper_boxes(),
    Box("full-house", house_total()),
    Box("four-of-a-kind", groups_total(4)),
    Box("little-straight", run((1, 2, 3, 4, 5), 30)),
    Box("big-straight", run((2, 3, 4, 5, 6), 30)),
    Box("choice", total),
    Box("yacht", all_equal(50)),
)


class Yacht(Sheet):
    """Yacht with a choice of boxes and rerolls.

    >>> Yacht().gain(Yacht().read_state("44444 0 all"), "four-of-a-kind")
    16

    Raises `GameError` for an unknown or repeated box.
    """

    parameters = (
        Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2"),
        Parameter.known("boxes", Names(), usual="all-twelve"),
    )

    def __init__(self, *, rerolls: int = 2, boxes: Sequence[str] | None = None) -> None:
        super().__init__(choose_boxes(BOXES, boxes), rerolls=rerolls)
