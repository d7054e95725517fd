"""Boards as arrays: the tables that the compiled moves read, the stages, and where the positions of each begin."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import numpy.typing as npt

from rollwise.games.hypergammon import Points
from rollwise.games.ur import VARIANTS, Squares, Variant
from rollwise.solvers.boards.moves import BAR, HYPERGAMMON, RANK_BITS, SHARED_BITS, UR, Tables

__all__ = ["Board", "Layers", "hypergammon_board", "points_code", "ur_board", "ur_code"]

Ints = npt.NDArray[np.int64]
Stage = tuple[int, int]
"""How many checkers the side to move has left, and the other side."""

CODES = 1 << 16


@dataclass(frozen=True, eq=False)
class Board:
    """A board: what kernels read, all sides by how many checkers are left, and how far each has to go.

    Two sides clash where `bits[own] & blocked[other]`. `most`: the most that a side can win. `repeats`: whether a capture may
    lead to a position that is as far from the end.
    """

    tables: Tables
    sides: tuple[Ints, ...]
    togo: Ints
    bits: Ints
    blocked: Ints
    layers: "Layers"
    most: float
    repeats: bool


@dataclass(frozen=True, eq=False)
class Layers:
    """The stages in the order in which they are solved, and where the values of each lie.

    A layer is a stage and its mirror image, one beside the other, and behind them the bound of the error of both.
    """

    stages: tuple[Stage, ...]
    spans: tuple[tuple[int, int], ...]
    start: Ints

    @classmethod
    def of(cls, pieces: int, size: Ints) -> "Layers":
        """Lay out the stages, given how many positions each has."""
        stages = sorted(((a, b) for b in range(1, pieces + 1) for a in range(1, b + 1)), key=lambda stage: (sum(stage), stage))
        start, spans, total = np.zeros((pieces + 1, pieces + 1), dtype=np.int64), list[tuple[int, int]](), 0
        for a, b in stages:
            low = total
            for stage in dict.fromkeys([(a, b), (b, a)]):
                start[stage] = total
                total += int(size[stage])
            spans.append((low, total))
            total += 1
        return cls(tuple(stages), tuple(spans), start)

    @property
    def numbers(self) -> int:
        """How many values there are, with the bounds."""
        return self.spans[-1][1] + 1

    def layer(self, left: int, other_left: int) -> int:
        """Give the layer of a stage, from 0 on."""
        return self.stages.index((min(left, other_left), max(left, other_left)))


# Ur


def ur_code(squares: Squares) -> int:
    """Give the code of a side.

    >>> ur_code((1, 4))
    9
    """
    return sum(1 << (square - 1) for square in squares)


@cache
def ur_board(pieces: int, variant_name: str) -> Board:
    """Make the arrays of the Royal Game of Ur."""
    variant = VARIANTS[variant_name]
    codes = np.arange(1 << variant.squares)
    on = (codes[:, None] >> np.arange(variant.squares)) & 1
    on_board, far = on.sum(axis=1), on @ np.arange(1, variant.squares + 1)
    shared = sorted(variant.meets)
    digit = {square: 3**place for place, square in enumerate(shared)}
    private = [square for square in range(1, variant.squares + 1) if square not in variant.meets]
    rank, fan = _rank_private(variant, private, pieces)
    counts = on[:, [square - 1 for square in shared]].sum(axis=1)
    own = sum(on[:, square - 1] * digit[square] for square in shared)
    other = sum(on[:, square - 1] * 2 * digit[variant.meets[square]] for square in shared)
    more = (rank << SHARED_BITS) | (counts << (SHARED_BITS + RANK_BITS))
    base, size = _make_base(len(shared), pieces, fan)
    layers = Layers.of(pieces, size)
    sides = tuple(codes[on_board <= left].astype(np.int64) for left in range(pieces + 1))
    blocked = sum(on[:, square - 1] << (variant.meets[square] - 1) for square in shared)
    rolls = sorted(variant.rolls)
    tables = Tables(
        kind=UR, pieces=pieces, squares=variant.squares, safe=int(variant.safe), capture_again=int(variant.capture_again),
        total=1.0, chance=np.array([variant.rolls[roll] for roll in rolls]) / sum(variant.rolls.values()),
        first=np.array(rolls), second=np.zeros(len(rolls), dtype=np.int64),
        top=np.array([[int(roll > 0)] * (variant.squares + 1) for roll in rolls]),
        start=layers.start, fan=fan, base=base,
        side_own=(own | more).astype(np.int32), side_other=(other | more).astype(np.int32),
        on_board=on_board.astype(np.int8),
        meets=np.array([variant.meets.get(square, 0) for square in range(variant.squares + 2)]),
        again=np.array([int(square in variant.rosettes) for square in range(variant.squares + 2)]),
        parts=np.zeros((1, 3), dtype=np.int64),
    )  # fmt: skip
    most = int(far[on_board <= pieces].max())
    togo = np.where(on_board <= pieces, most - far, 0).astype(np.int64)
    return Board(tables, sides, togo, codes.astype(np.int64), np.asarray(blocked, dtype=np.int64), layers, 1.0, repeats=False)


def _rank_private(variant: Variant, private: list[int], pieces: int) -> tuple[Ints, Ints]:
    """Rank the private squares of each code among all sets of them, fewest first; and count the sets of at most so many."""
    sets = [chosen for count in range(len(private) + 1) for chosen in combinations(private, count)]
    number = {sum(1 << (square - 1) for square in chosen): place for place, chosen in enumerate(sets)}
    mask = sum(1 << (square - 1) for square in private)
    rank = np.array([number[code & mask] for code in range(1 << variant.squares)])
    fan = np.array([sum(len(chosen) <= count for chosen in sets) for count in range(pieces + 1)])
    return rank, fan


def _make_base(shared: int, pieces: int, fan: Ints) -> tuple[npt.NDArray[np.int32], Ints]:
    """Say where the positions with the same shared squares begin within each stage, and how many positions that has."""
    digits = np.arange(3**shared)[:, None] // 3 ** np.arange(shared) % 3
    own, other = (digits == 1).sum(axis=1), (digits == 2).sum(axis=1)
    base = np.zeros((pieces + 1, pieces + 1, 3**shared), dtype=np.int32)
    size = np.zeros((pieces + 1, pieces + 1), dtype=np.int64)
    for left, other_left in product(range(1, pieces + 1), repeat=2):
        fits = (own <= left) & (other <= other_left)
        count = np.where(fits, fan[np.maximum(left - own, 0)] * fan[np.maximum(other_left - other, 0)], 0)
        size[left, other_left] = count.sum()
        base[left, other_left] = np.cumsum(count) - count
    return base, size


# Hypergammon


def points_code(points: Points) -> int:
    """Give the code of a side.

    >>> points_code((25, 3))
    25696
    """
    a, b, c = (*points, 0, 0, 0)[:3]
    return a << 10 | b << 5 | c


@cache
def hypergammon_board(pieces: int) -> Board:
    """Make the arrays of Hypergammon."""
    number, togo, bits, blocked = (np.zeros(CODES, dtype=np.int64) for _ in range(4))
    sides: list[Ints] = []
    for left in range(pieces + 1):
        every = [tuple(sorted(points, reverse=True)) for points in combinations_with_replacement(range(1, BAR + 1), left)]
        codes = np.array([points_code(points) for points in every], dtype=np.int64)
        number[codes] = np.arange(len(codes))
        for code, points in zip(codes, every, strict=True):
            togo[code] = sum(points)
            bits[code] = sum(1 << point for point in {*points} - {BAR})
            blocked[code] = sum(1 << (BAR - point) for point in {*points} - {BAR})
        sides.append(codes)
    fan = np.array([len(codes) for codes in sides])
    layers = Layers.of(pieces, fan[:, None] * fan)
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    parts = sorted((part for part in product(range(5), repeat=3) if 1 <= sum(part) <= 4), key=lambda part: (-sum(part), part))
    top = [[sum(part) for part in parts] if high == low else [3] * 18 + [0] * (len(parts) - 18) for high, low in rolls]
    tables = Tables(
        kind=HYPERGAMMON, pieces=pieces, squares=0, safe=0, capture_again=0, total=0.0,
        chance=np.array([1 + (high > low) for high, low in rolls]) / 36,
        first=np.array([high for high, _ in rolls]), second=np.array([low for _, low in rolls]), top=np.array(top),
        start=layers.start, fan=fan, side_own=number.astype(np.int32), side_other=number.astype(np.int32),
        base=np.zeros((1, 1, 1), dtype=np.int32), on_board=np.zeros(1, dtype=np.int8), meets=np.zeros(1, dtype=np.int64),
        again=np.zeros(1, dtype=np.int64), parts=np.array(parts),
    )  # fmt: skip
    return Board(tables, tuple(sides), togo, bits, blocked, layers, 3.0, repeats=True)
