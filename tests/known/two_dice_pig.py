"""Two-dice Pig from the mover's side, all positions over and over until nothing changes."""

from tests.known.sides import sides_of


def value(target: int = 100, faces: int = 6, weights: str = "") -> float:
    sides = sides_of(weights, faces)
    throws = [(a, b) for a in sides for b in sides]
    places = [(i, j, k) for i in range(target) for j in range(target) for k in range(target - i)]
    chance = dict.fromkeys(places, 0.5)

    def after(i: int, j: int, k: int, throw: tuple[int, int]) -> float:
        if throw == (1, 1):
            return 1 - chance[j, 0, 0]
        if 1 in throw:
            return 1 - chance[j, i, 0]
        return chance.get((i, j, k + sum(throw)), 1.0)

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for i, j, k in reversed(places):
            roll = sum(after(i, j, k, throw) for throw in throws) / len(throws)
            best = max(roll, 1 - chance[j, i + k, 0]) if k else roll
            change, chance[i, j, k] = max(change, abs(best - chance[i, j, k])), best
    return chance[0, 0, 0]
