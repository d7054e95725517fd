"""Yahtzee: the American game of five dice and thirteen boxes, with its joker rules.

Rules. A turn is a roll of five dice and up to two `rerolls` of any of them; then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face; `upper_bonus` (35) more once these boxes hold `threshold` (63);
- `three-of-a-kind`, `four-of-a-kind`: the total of all dice if at least that many are equal;
- `full-house`: 25 for three of one face and two of another; `five_as_full_house` counts five equal dice too (without a joker);
- `small-straight`: 30 for four faces in a row; `large-straight`: 40 for five;
- `yahtzee`: 50 for five equal dice; `chance`: the total of all dice.

Five equal dice while the `yahtzee` box is filled are a joker (`Joker` in `sheet.py`). They earn `yahtzee_bonus` (100)
if that box holds 50, and:

- `joker=free` (Verhoeff and Scheffers 1999): they may go to any open box; the full house and the straights pay 25, 30 and 40
  only if the upper box of that face is filled;
- `joker=forced` (the official rules): they must go to the upper box of that face if it is open, else to any open lower box, where
  the full house and the straights pay in full, else to any open upper box for 0;
- `joker=none`: they are nothing special, and earn a bonus only if `yahtzee_bonus` is given.

Values: free 254.58960948196315 (Verhoeff and Scheffers: 254.5896), forced 254.58772873449593 (jdh8/yahtzee-engine: 254.5877),
none 245.87077451411164 (Glenn, CS-TR-0002, 2006: 245.87).
"""

from typing import Literal

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import MOST_REROLLS, Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, full_house, kind_total, straight, total, upper_boxes
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.parameter import Choice, Flag, Integer, Parameter

__all__ = ["Yahtzee"]


class Yahtzee(Sheet):
    """Yahtzee with a choice of joker rule and bonuses.

    >>> game = Yahtzee()
    >>> state = game.read_state("44444 0 fours,chance upper 10 primed")
    >>> game.gain(state, "fours"), game.fillable(state)
    (120, ['fours'])

    Raises `GameError` for an unknown joker rule.
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("joker", Choice("free", "forced", "none"), "forced"),
        Parameter.known("yahtzee_bonus", Integer(), usual="yahtzee-bonus"),
        Parameter.known("upper_bonus", Integer(), "35"),
        Parameter.known("five_as_full_house", Flag(), "no"),
        Parameter.known("threshold", Integer(1), "63", key="yahtzee-threshold"),
        Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2"),
    )

    def __init__(
        self,
        joker: Literal["free", "forced", "none"] = "forced",
        yahtzee_bonus: int | None = None,
        upper_bonus: int = 35,
        five_as_full_house: bool = False,
        threshold: int = 63,
        rerolls: int = 2,
    ) -> None:
        if joker not in ("free", "forced", "none"):
            raise GameError(f"joker {joker!r}: expected free, forced or none")
        boxes = [
            *upper_boxes(),
            Box("three-of-a-kind", kind_total(3)),
            Box("four-of-a-kind", kind_total(4)),
            Box("full-house", full_house(25, five_counts=five_as_full_house)),
            Box("small-straight", straight(4, 30)),
            Box("large-straight", straight(5, 40)),
            Box("yahtzee", all_equal(50)),
            Box("chance", total),
        ]
        extra = yahtzee_bonus if yahtzee_bonus is not None else 0 if joker == "none" else 100
        pays = {} if joker == "none" else {"full-house": 25, "small-straight": 30, "large-straight": 40}
        rule = Joker("yahtzee", "free" if joker == "none" else joker, extra, pays)
        upper = UpperBonus(threshold, upper_bonus)
        super().__init__(boxes, rerolls=rerolls, bonus=upper, joker=rule if extra or pays else None)
