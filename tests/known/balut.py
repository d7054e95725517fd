"""Balut, layer by layer over how often each of seven boxes was filled."""

from itertools import product

import numpy as np

from tests.known.turns import HANDS, turn


def pays(hand: tuple[int, ...], five: bool) -> list[int]:
    """What the seven boxes pay."""
    faces, total = set(hand), sum(hand)
    house = (len(faces) == 2 and hand.count(hand[2]) == 3) or (five and len(faces) == 1)
    straight = len(faces) == 5 and hand[4] - hand[0] == 4
    counted = [face * hand.count(face) for face in (4, 5, 6)]
    return [*counted, straight * total, house * total, total, (len(faces) == 1) * (20 + total)]


def value(times: int = 4, rerolls: int = 2, five_as_full_house: str = "no", weights: str = "") -> float:
    points = np.array([pays(hand, five_as_full_house == "yes") for hand in HANDS], dtype=float)
    worth = np.zeros((times + 1,) * 7)
    for filled in range(1, 7 * times + 1):
        layer = np.array([left for left in product(range(times + 1), repeat=7) if sum(left) == filled])
        for part in np.array_split(layer, len(layer) // 2000 + 1):
            fill = np.full((len(HANDS), len(part)), -np.inf)
            for box in range(7):
                here = np.flatnonzero(part[:, box])
                after = part[here] - np.eye(7, dtype=int)[box]
                fill[:, here] = np.maximum(fill[:, here], points[:, box, None] + worth[tuple(after.T)])
            worth[tuple(part.T)] = turn(rerolls, fill, weights=weights)
    return float(worth[(times,) * 7])
