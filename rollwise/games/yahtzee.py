"""Yahtzee, the American game of five dice and thirteen boxes, and its kin: Kniffel and Yazy.

Rules. A turn is a roll of five dice and up to two `rerolls` of any of them; then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face; `upper_bonus` (35) more once these boxes hold `threshold` (63);
- `three-of-a-kind`, `four-of-a-kind`: the total of all dice if at least that many are equal;
- `full-house`: 25 for three of one face and two of another; `five_as_full_house` counts five equal dice too (without a joker);
- `small-straight`: 30 for four faces in a row; `large-straight`: 40 for five;
- `yahtzee`: 50 for five equal dice; `chance`: the total of all dice.

Five equal dice while the `yahtzee` box is filled are a joker (`Joker` in `sheets/boxes.py`). They earn `yahtzee_bonus` (100)
if that box holds 50, and:

- `joker=free` (Verhoeff and Scheffers 1999): they may go to any open box; the full house and the straights pay 25, 30 and 40
  only if the upper box of that face is filled;
- `joker=forced` (the official rules): they must go to the upper box of that face if it is open, else to any open lower box, where
  the full house and the straights pay in full, else to any open upper box for 0;
- `joker=none`: they are nothing special, and earn a bonus only if `yahtzee_bonus` is given.

Values: free 254.58960948196315 (Verhoeff and Scheffers: 254.5896), forced 254.58772873449593 (jdh8/yahtzee-engine: 254.5877),
none 245.87077451411164 (Glenn, CS-TR-0002, 2006: 245.87).

Kniffel is the German game. As in Yahtzee, without jokers, a turn is a roll of five dice and up to two `rerolls` of any of them;
then one open box is filled:

- `einser` to `sechser`: the total of the dice with that face; `bonus` (35) points more once these boxes hold `threshold` (63);
- `dreierpasch`, `viererpasch`: the total of all dice if at least three (four) are equal;
- `full-house`: 25 for three of one face and two of another (five equal dice are not one);
- `kleine-strasse`: 30 for four faces in a row; `grosse-strasse`: 40 for five;
- `kniffel`: 50 for five equal dice; `chance`: the total of all dice.

A second Kniffel earns nothing extra: as published by Schmidt Spiele for decades; some later editions differ. So the value is
that of Yahtzee without bonus and joker, 245.87077451411164.

Yazy. A turn begins with a roll of five dice; up to two times any of them may be rolled again. Then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face;
- `three-of-a-kind`, `four-of-a-kind`: the total of all dice if at least that many are equal;
- `full-house`: 25 for three of one face and two of another (five equal dice are not one);
- `straight`: 40 for 1-2-3-4-5 or 2-3-4-5-6;
- `five-of-a-kind`: 50.

No bonus. The game is over when all boxes are filled. Source: Codeforces blog entry 151857.
"""

from typing import Any

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import all_equal, full_house, kind_total, straight, total, upper_boxes
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.parameter import Choice, Flag, Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Kniffel", "Yahtzee", "Yazy"]


def _boxes(*, five_as_full_house: bool) -> list[Box]:
    """Give the boxes of Yahtzee."""
    return [
        *upper_boxes(),
        Box("three-of-a-kind", kind_total(3)),
        Box("four-of-a-kind", kind_total(4)),
        Box("full-house", full_house(25, five_counts=five_as_full_house)),
        Box("small-straight", straight(4, 30)),
        Box("large-straight", straight(5, 40)),
        Box("yahtzee", all_equal(50)),
        Box("chance", total),
    ]


class Yahtzee(NamedSheet):
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
        Parameter.known("upper_bonus", Integer(), "35", key="bonus"),
        Parameter.known("five_as_full_house", Flag(), "no"),
        Parameter.known("threshold", Integer(1), "63", key="yahtzee-threshold"),
        REROLLS,
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        if options.joker not in ("free", "forced", "none"):
            raise GameError(f"joker {options.joker!r}: expected free, forced or none")
        special = options.joker != "none"
        pays = {"full-house": 25, "small-straight": 30, "large-straight": 40} if special else {}
        extra = options.yahtzee_bonus if options.yahtzee_bonus is not None else 100 if special else 0
        joker = Joker("yahtzee", options.joker if special else "free", extra, pays) if extra or pays else None
        boxes = _boxes(five_as_full_house=options.five_as_full_house)
        return {"boxes": boxes, "bonus": UpperBonus(options.threshold, options.upper_bonus), "joker": joker}


KNIFFEL = (
    "einser", "zweier", "dreier", "vierer", "fünfer", "sechser", "dreierpasch", "viererpasch",
    "full-house", "kleine-strasse", "grosse-strasse", "kniffel", "chance",
)  # fmt: skip


class Kniffel(NamedSheet):
    """Kniffel, by its German box names.

    >>> Kniffel().gain(Kniffel().read_state("23345 0 all upper 0"), "kleine-strasse")
    30
    """

    view = LargeSheetView
    parameters = (Parameter.known("bonus", Integer(), "35"), Parameter.known("threshold", Integer(1), "63"), REROLLS, WEIGHTS)

    def sheet(self, options: Any) -> dict[str, Any]:
        american = zip(KNIFFEL, _boxes(five_as_full_house=False), strict=True)
        boxes = [Box(name, box.score, box.face) for name, box in american]
        return {"boxes": boxes, "bonus": UpperBonus(options.threshold, options.bonus)}


class Yazy(NamedSheet):
    """Yazy with a choice of boxes and rerolls.

    >>> import rollwise
    >>> rollwise.solve(Yazy(boxes=["straight"]), exact=True).value()
    Fraction(1598475995, 153055008)

    Raises `GameError` for an unknown or repeated box.
    """

    parameters = (REROLLS, some_of("all-eleven", key="yazy-boxes"), WEIGHTS)

    def sheet(self, options: Any) -> dict[str, Any]:
        return {
            "boxes": [
                *upper_boxes(),
                Box("three-of-a-kind", kind_total(3)),
                Box("four-of-a-kind", kind_total(4)),
                Box("full-house", full_house(25)),
                Box("straight", straight(5, 40)),
                Box("five-of-a-kind", all_equal(50)),
            ]
        }
