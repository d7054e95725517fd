"""Pig as Neller and Presser solve it: from the mover's side, pair of scores by pair of scores, until nothing changes."""

from tests.known.sides import sides_of

__all__ = ["value"]


def value(target: int = 100, faces: int = 6, weights: str = "") -> float:
    """Give the first player's chance."""
    chance: dict[tuple[int, int, int], float] = {}
    sides = sides_of(weights, faces)

    def known(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else chance.get((i, j, k), 0.5)

    for low, high in sorted(((i, j) for i in range(target) for j in range(i + 1)), key=lambda pair: -sum(pair)):
        change = 1.0
        while change > 1e-14:
            change = 0.0
            for i, j in {(low, high), (high, low)}:
                for k in range(target - i - 1, -1, -1):
                    roll = sum(1 - known(j, i, 0) if face == 1 else known(i, j, k + face) for face in sides) / len(sides)
                    best = max(roll, 1 - known(j, i + k, 0)) if k else roll
                    change = max(change, abs(best - known(i, j, k)))
                    chance[i, j, k] = best
    return chance[0, 0, 0]
