"""Generala, set by set of open boxes; a game that is won at once is worth what the win counts for."""

from itertools import combinations

import numpy as np

from tests.known.turns import HANDS, turn


def pays(hand: tuple[int, ...], generala: int, ace_high: bool, five: bool) -> list[int]:
    """What the ten boxes pay."""
    faces, counts = set(hand), sorted(map(hand.count, set(hand)))
    straight = len(faces) == 5 and (hand[4] - hand[0] == 4 or (ace_high and hand[1] == 3))
    house = counts == [2, 3] or (five and counts == [5])
    return [
        *(face * hand.count(face) for face in range(1, 7)),
        20 * straight, 30 * house, 40 * (counts[-1] >= 4), generala * (counts == [5]),
    ]  # fmt: skip


def value(
    first_roll: int = 5, generala: int = 50, instant_win: str = "yes", win_points: int = 300, ace_high: str = "no",
    five_as_full_house: str = "no", rerolls: int = 2, weights: str = "",
) -> float:  # fmt: skip
    points = np.array([pays(hand, generala, ace_high == "yes", five_as_full_house == "yes") for hand in HANDS], dtype=float)
    more = points.copy()
    more[:, 6:9] += first_roll * (points[:, 6:9] > 0)
    wins = (points[:, 9] > 0) & (instant_win == "yes")
    worth: dict[tuple[int, ...], float] = {(): 0.0}
    for size in range(1, 11):
        for opened in combinations(range(10), size):
            after = np.array([worth[tuple(box for box in opened if box != gone)] for gone in opened])
            fill, first = points[:, opened] + after, more[:, opened] + after
            if opened[-1] == 9:
                first[wins, -1] = win_points
            worth[opened] = float(turn(rerolls, fill.max(axis=1), first.max(axis=1), weights))
    return worth[tuple(range(10))]
