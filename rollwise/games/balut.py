"""Balut: five dice, seven boxes, each filled four times; by total score.

Rules: 28 turns of a roll of five dice and up to two rerolls of any of them. After each turn one box is filled, which may pay
nothing; each of the seven boxes is filled four times, in any order.

    fours, fives, sixes   the total of the dice that show that face
    straight              the total of 1-2-3-4-5 (15) or 2-3-4-5-6 (20)
    full-house            the total of all dice, for three of one face and two of another
    choice                the total of all dice
    balut                 20 and the total of all dice, if all five are equal

Questions. Any five dice may be rolled again, also those kept before. A straight needs five dice in a row. Five equal dice are no
full house, as "a three-of-a-kind and a pair" are two faces; `five_as_full_house` is the other reading. Nothing is paid for the
rolls that are not used. In a game for several the highest total wins, and equal totals tie.

What is solved is the total score, by which the simple game is decided. The league game turns totals into points (2 for 52 in
fours, 65 in fives or 78 in sixes, 4 for four straights, 3 for four full houses, 2 for 100 in choice, 2 for each balut, and -2 to
6 by the total): it needs the total of each row to be remembered and is not solved here.

Sources: playonlinedicegames.com/balut, diceworldgame.com/help/balut.htm, en.wikipedia.org/wiki/Balut_(game).
"""

from dataclasses import replace
from typing import Any

from rollwise.games.sheets.boxes import MOST_TIMES, Box, Hand
from rollwise.games.sheets.named import REROLLS, NamedSheet, some_of
from rollwise.games.sheets.scoring import Scoring, all_equal_total, count_face, groups_total, total
from rollwise.games.sheets.view import LargeSheetView
from rollwise.model.message import Message
from rollwise.model.parameter import Flag, Integer, Parameter
from rollwise.model.weights import WEIGHTS

__all__ = ["Balut"]

STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))


def _straight(hand: Hand) -> int:
    return sum(hand) if hand in STRAIGHTS else 0


class Balut(NamedSheet):
    """Balut: seven boxes that are filled four times each, by total score.

    >>> game = Balut()
    >>> game.notation(game).show_pending(game.play(game.read_state("44446 0 all"), "fours"))
    '***** 3 fours:3,fives:4,sixes:4,straight:4,full-house:4,choice:4,balut:4'
    """

    view = LargeSheetView
    parameters = (
        Parameter.known("times", Integer(1, MOST_TIMES), "4"),
        Parameter.known("five_as_full_house", Flag(), "no"),
        REROLLS,
        some_of("all-seven"),
        WEIGHTS,
    )

    def sheet(self, options: Any) -> dict[str, Any]:
        boxes = [
            Box("fours", count_face(4), 4),
            Box("fives", count_face(5), 5),
            Box("sixes", count_face(6), 6),
            Box("straight", Scoring(Message("pays.either-run", {"one": "1-2-3-4-5", "other": "2-3-4-5-6"}), _straight)),
            Box("full-house", groups_total(3, 2, same_face=options.five_as_full_house)),
            Box("choice", total),
            Box("balut", all_equal_total(20)),
        ]
        return {"boxes": [replace(box, times=options.times) for box in boxes]}
