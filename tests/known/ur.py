"""The Royal Game of Ur from the mover's side, on the tiles of the board by row and column, until nothing changes."""

from functools import cache
from itertools import combinations

__all__ = ["value"]

Tile = tuple[int, int]
Side = tuple[frozenset[int], int]
"""The places of a side's pieces on its path, from 0 on, and how many are off."""

BEGIN = [(0, 3), (0, 2), (0, 1), (0, 0)]
MIDDLE = [(1, column) for column in range(12)]
PATHS: dict[str, list[Tile]] = {
    "finkel": [*BEGIN, *MIDDLE[:8], (0, 7), (0, 6)],
    "masters": [*BEGIN, *MIDDLE[:7], (2, 6), (2, 7), (1, 7), (0, 7), (0, 6)],
    "aseb": [*BEGIN, *MIDDLE],
}
PATHS["blitz"] = PATHS["masters"]
ROSETTES = {(0, 0), (2, 0), (1, 3), (0, 6), (2, 6)}
ASEB_ROSETTES = {(0, 0), (2, 0), (1, 3), (1, 7), (1, 11)}
FOUR, THREE = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}, {1: 3, 2: 3, 3: 1, 4: 1}


def value(pieces: int, variant: str = "finkel") -> float:
    """Give the first player's chance."""
    path = PATHS[variant]
    mirrored = [(2 - row, column) for row, column in path]
    rosettes = ASEB_ROSETTES if variant == "aseb" else ROSETTES
    rolls = THREE if variant == "masters" else FOUR
    total = sum(rolls.values())

    @cache
    def after(own: Side, other: Side, begin: int | None, roll: int) -> tuple[Side, Side, bool] | None:
        """Give both sides after a move and whether the mover rolls again; None where it is not legal."""
        on, off = own
        place = roll - 1 if begin is None else begin + roll
        rest = on if begin is None else on - {begin}
        if place > len(path) or place in rest:
            return None
        if place == len(path):
            return (rest, off + 1), other, False
        tile, hit = path[place], next((at for at in other[0] if mirrored[at] == path[place]), None)
        if hit is not None and tile in rosettes and variant in ("finkel", "aseb"):
            return None
        left = other if hit is None else (other[0] - {hit}, other[1])
        return (rest | {place}, off), left, tile in rosettes or (variant == "blitz" and hit is not None)

    chance: dict[tuple[Side, Side], float] = {}

    def worth(own: Side, other: Side, *, again: bool) -> float:
        if own[1] == pieces:
            return 1.0
        return chance[own, other] if again else 1 - chance[other, own]

    sides = [
        (frozenset(on), off)
        for off in range(pieces)
        for count in range(pieces - off + 1)
        for on in combinations(range(len(path)), count)
    ]
    free = [(a, b) for a in sides for b in sides if not {path[i] for i in a[0]} & {mirrored[i] for i in b[0]}]
    chance.update(dict.fromkeys(free, 0.5))
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for own, other in reversed(free):
            found = 0.0
            for roll, weight in rolls.items():
                begins = [*own[0], *([None] if len(own[0]) + own[1] < pieces else [])]
                moves = [after(own, other, begin, roll) for begin in begins] if roll else []
                worths = [worth(mine, left, again=again) for mine, left, again in filter(None, moves)]
                found += weight * max(worths, default=1 - chance[other, own])
            change = max(change, abs(found / total - chance[own, other]))
            chance[own, other] = found / total
    return chance[(frozenset(), 0), (frozenset(), 0)]
