"""Crag: three dice, one reroll, thirteen boxes.

Rules. A turn is a roll of three dice and one more roll of any of them (`rerolls`); then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face;
- `odd-straight` 1-3-5, `even-straight` 2-4-6, `low-straight` 1-2-3, `high-straight` 4-5-6: 20 each;
- `three-of-a-kind`: 25 for three equal dice;
- `thirteen`: 26 for a total of 13; dice that would make a crag may be used for it, too;
- `crag`: 50 for a total of 13 with a pair: 1-6-6, 3-5-5 or 4-4-5.

A box must be filled in every turn, if need be with 0, and only once; there are no bonuses. The game is over after thirteen
turns; the highest total wins (244 at best), and players with the same total share the win. `boxes` plays with some of the
boxes only.

Sources: Wikipedia, "Crag (dice game)", after Knizia, Dice Games Properly Explained; playonlinedicegames.com/crag.
"""

from typing import Any

from rollwise.games.sheets.boxes import MOST_REROLLS, Box
from rollwise.games.sheets.named import NamedSheet, some_of
from rollwise.games.sheets.scoring import all_equal, run, totalling, upper_boxes
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Crag"]


class Crag(NamedSheet):
    """Crag with a choice of boxes and rerolls.

    >>> [Crag().gain(Crag().read_state(f"{dice} 0 all"), "crag") for dice in ("166", "346", "355", "445")]
    [50, 0, 50, 50]

    Raises `GameError` for an unknown or repeated box.
    """

    parameters = (Parameter.known("rerolls", Integer(0, MOST_REROLLS), "1"), some_of("all-thirteen"), WEIGHTS)

    def sheet(self, options: Any) -> dict[str, Any]:
        boxes = [
            *upper_boxes(),
            Box("odd-straight", run((1, 3, 5), 20)),
            Box("even-straight", run((2, 4, 6), 20)),
            Box("low-straight", run((1, 2, 3), 20)),
            Box("high-straight", run((4, 5, 6), 20)),
            Box("three-of-a-kind", all_equal(25)),
            Box("thirteen", totalling(13, 26)),
            Box("crag", totalling(13, 50, pair=True)),
        ]
        return {"boxes": boxes, "count": 3}
