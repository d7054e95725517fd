"""Kismet: five dice with coloured pips, fifteen boxes, an upper bonus in three steps.

Rules. The pips of 1 and 6 have one colour (black), those of 2 and 5 another (red), those of 3 and 4 a third (green). A turn is a
roll of five dice and up to two `rerolls` of any of them, also of dice that were kept before; then one open box is filled:

- `ones` to `sixes`: the total of the dice with that face; these boxes earn 35 points more once they hold 63, 55 in all from 71
  on, 75 from 78 on (`bonus` and `thresholds`);
- `two-pair`: the total of all dice for two pairs of one colour, such as 2-2-5-5; four equal dice count;
- `three-of-a-kind`: the total of all dice if at least three are equal;
- `straight`: 30 for 1-2-3-4-5 or 2-3-4-5-6;
- `flush`: 35 for five dice of one colour;
- `full-house`: the total of all dice and 15 for three of one face and two of another; five equal dice count;
- `full-house-colour`: the total of all dice and 20 for a full house of one colour, such as 3-3-4-4-4; five equal dice count;
- `four-of-a-kind`: the total of all dice and 25 if at least four are equal;
- `yarborough`: the total of all dice, whatever they are;
- `kismet`: the total of all dice and 50 for five equal dice.

A box must be filled in every turn, if need be with 0, and only once. Any box may be chosen; a second Kismet may go wherever it
scores, and earns nothing extra. (Among several players it also costs each of the others a turn: they put a zero into their first
open box. That is left out here.) The game is over after fifteen turns; the highest total wins, and players with the same total
share the win. `boxes` plays with some of the boxes only.

Source: the maker's rules as told on ultraboardgames.com/kismet and dicegames.org/kismet.
"""

from typing import Any

from rollwise.errors import GameError
from rollwise.games.sheets.boxes import Box, UpperBonus
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import (
    all_equal_total,
    flush,
    house_total,
    kind_total,
    straight,
    total,
    two_pair_colour,
    upper_boxes,
)  # fmt: skip
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.parameter import Integers, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Kismet"]


class Kismet(NamedSheet):
    """Kismet, its upper bonus in steps.

    >>> Kismet().gain(Kismet().read_state("66666 0 sixes,yarborough upper 50"), "sixes")
    105

    Raises `GameError` for an unknown or repeated box, or a bonus without its threshold.
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("bonus", Integers(), "35,55,75", key="kismet-bonus"),
        Parameter.known("thresholds", Integers(), "63,71,78"),
        REROLLS,
        some_of("all-fifteen"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        bonus, thresholds = options.bonus, options.thresholds
        if not bonus or len(bonus) != len(thresholds):
            raise GameError(f"bonus {list(bonus)} at {list(thresholds)}: expected as many points as thresholds, one at least")
        *before, (last, most) = zip(thresholds, bonus, strict=True)
        boxes = [
            *upper_boxes(),
            Box("two-pair", two_pair_colour),
            Box("three-of-a-kind", kind_total(3)),
            Box("straight", straight(5, 30)),
            Box("flush", flush(35)),
            Box("full-house", house_total(more=15, five_counts=True)),
            Box("full-house-colour", house_total(more=20, five_counts=True, one_colour=True)),
            Box("four-of-a-kind", kind_total(4, more=25)),
            Box("yarborough", total),
            Box("kismet", all_equal_total(50)),
        ]
        return {"boxes": boxes, "bonus": UpperBonus(last, most, tuple(before))}
