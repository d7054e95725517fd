"""Yazy: five dice, two rerolls, eleven boxes once each; the highest expected score.

Rules. A turn begins with a roll of five dice; up to two times any of them may be rolled again. Then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face;
- `three-of-a-kind`, `four-of-a-kind`: the total of all dice if at least that many are equal;
- `full-house`: 25 for three of one face and two of another (five equal dice are not one);
- `straight`: 40 for 1-2-3-4-5 or 2-3-4-5-6;
- `five-of-a-kind`: 50.

No bonus. The game is over when all boxes are filled. Source: Codeforces blog entry 151857.
"""

from collections.abc import Sequence

from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, choose_boxes, full_house, kind_total, straight, upper_boxes
from rollwise.model.parameter import Integer, Names, Parameter

__all__ = ["BOXES", "Yazy"]

BOXES = (
    *upper_boxes(),
    Box("three-of-a-kind", kind_total(3)),
    Box("four-of-a-kind", kind_total(4)),
    Box("full-house", full_house(25)),
    Box("straight", straight(5, 40)),
    Box("five-of-a-kind", all_equal(50)),
)


class Yazy(Sheet):
    """Yazy with a choice of boxes and rerolls.

    >>> import rollwise
    >>> rollwise.solve(Yazy(boxes=["straight"]), exact=True).value()
    Fraction(1598475995, 153055008)

    Raises `GameError` for an unknown or repeated box.
    """

    parameters = (
        Parameter.known("rerolls", Integer(0, 100), "2"),
        Parameter.known("boxes", Names(), usual="all-eleven", key="yazy-boxes"),
    )

    def __init__(self, rerolls: int = 2, boxes: Sequence[str] | None = None) -> None:
        super().__init__(choose_boxes(BOXES, boxes), rerolls=rerolls)
