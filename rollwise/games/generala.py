"""Generala: the Latin American game of five dice and ten boxes, in which a first roll counts for more.

Rules. A turn is a roll of five dice and up to two `rerolls` of any of them; then one open box is filled, ten turns in all:

- `ones` to `sixes`: the total of the dice with that face;
- `straight`: 20 for 1-2-3-4-5 or 2-3-4-5-6; with `ace_high` also for 3-4-5-6-1;
- `full-house`: 30 for three of one face and two of another;
- `four-of-a-kind`: 40 for four equal dice, five count, too;
- `generala`: 50 for five equal dice.

A straight, full house or four of a kind that is filled with the first roll of a turn ("servida") pays `first_roll` (5) points
more. A generala with the first roll wins the game at once (`instant_win`).

Questions. Sources differ in the points: 5 or 10 for a first roll, 50 or 60 for a generala (`generala`); the first of each is the
default. The second generala of a game, for 100 or 120, is called optional and is left out. Only a generala that is put in its
open box wins; once that box is filled, five equal dice of a first roll are worth what other boxes pay for them. Five equal dice
are no full house (`five_as_full_house`). In a game for several the highest total wins, and equal totals tie.

What a win is worth. Published rules give it no points: the game is over. Played for points, it must be worth some, and it would
be turned down if the game just ended. So it pays `win_points`, 300, and no more turns are played: no sheet can hold so many
(260 by these rules, 285 with 10 and 60 points), so that a win is better than whatever could still be reached, is never turned
down, and meets every target that a sheet can meet. It happens in 0.6 % of games. Without `instant_win` it pays as any generala.
A game for two is over when one wins at once, which two sheets side by side do not say: there is no duel. `boxes` plays with some
of the boxes only.

Sources: en.wikipedia.org/wiki/Generala, gambiter.com/dice/Generala.html, reference.com/browse/wiki/Generala.
"""

from typing import Any

from rollwise.games.sheets.boxes import Box, Hand, InstantWin
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import Scoring, all_equal, full_house, straight, upper_boxes
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.message import Message
from rollwise.model.parameter import Flag, Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Generala"]

ACE_HIGH = (1, 3, 4, 5, 6)


class Generala(NamedSheet):
    """Generala, ten boxes, with points for first rolls and a generala that wins at once.

    >>> game = Generala()
    >>> [game.gain(game.read_state(f"33344 {left} all"), "full-house") for left in (2, 1)]
    [35, 30]
    >>> game.notation(game).show_pending(game.play(game.read_state("66666 2 all"), "generala"))
    '- 0 none'
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("first_roll", Integer(0), "5"),
        Parameter.known("generala", Integer(0), "50"),
        Parameter.known("instant_win", Flag(), "yes"),
        Parameter.known("win_points", Integer(0), "300"),
        Parameter.known("ace_high", Flag(), "no"),
        Parameter.known("five_as_full_house", Flag(), "no"),
        REROLLS,
        some_of("all-ten"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        first = options.first_roll
        boxes = [
            *upper_boxes(),
            Box("straight", _straight(20, ace_high=options.ace_high), first=first),
            Box("full-house", full_house(30, five_counts=options.five_as_full_house), first=first),
            Box("four-of-a-kind", _four(40), first=first),
            Box("generala", all_equal(options.generala)),
        ]
        wins = options.instant_win and (options.boxes is None or "generala" in options.boxes)
        return {"boxes": boxes, "win": InstantWin("generala", options.win_points) if wins else None}


def _straight(points: int, *, ace_high: bool) -> Scoring:
    plain = straight(5, points)
    if not ace_high:
        return plain
    words = Message("pays.or-run", {"pays": plain.words, "faces": "3-4-5-6-1"})
    return Scoring(words, lambda hand: points if hand == ACE_HIGH else plain(hand))


def _four(points: int) -> Scoring:
    def score(hand: Hand) -> int:
        return points if max(map(hand.count, hand)) >= 4 else 0

    return Scoring(Message("pays.four", {"points": points}), score)
