"""The tables that rolls and choices are joined with; how many rows one has is counted before it is made."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np

from rollwise.games.columns import Hands as HandTable
from rollwise.games.columns import Relation
from rollwise.games.files.nodes import Array, Hands, Misfit

__all__ = ["MOST_ROWS", "RowBudget", "drawn", "merged", "packed_hands", "product", "subsets"]

MOST_ROWS = 1_000_000
MOST_NUMBERS = 200_000_000
"""Numbers that are computed for the rows of tables."""
NODE_NUMBERS = 100
"""What a part of an expression counts besides: about what it takes in memory, in numbers."""
ROW_BYTES = 300
"""About what a row takes, with the hand that it stands for."""
MOST_DICE = 30
MOST_THINGS = 200
MOST_HANDS = 100_000
MOST_FACES = 1_000
MOST_SPREAD = 1_000_000
LARGEST_WEIGHT = 2**62


class RowBudget:
    """What is left of the rows that all tables of a file may have together, of the numbers computed for them, and of time.

    `exceeded` says afterwards whether a file was refused because it is too large.
    """

    def __init__(
        self, most: int = MOST_ROWS, most_numbers: int = MOST_NUMBERS, is_late: Callable[[], bool] = lambda: False
    ) -> None:
        self.most, self.most_numbers, self.is_late = most, most_numbers, is_late
        self.taken = self.spent = 0
        self.exceeded = False

    def take(self, rows: int, what: str) -> None:
        """Count a table. Raises `Misfit` if it is too large."""
        if self.taken + rows > self.most:
            self.exceeded = True
            raise Misfit(f"expected tables of at most {self.most:,} rows in all, got more with {what}: take less of it")
        self.taken += rows

    def spend(self, numbers: int) -> None:
        """Count a part of an expression that is so many numbers. Raises `Misfit` if they are too many, or time is over."""
        self.spent += numbers + NODE_NUMBERS
        if self.spent > self.most_numbers:
            self.exceeded = True
            raise Misfit(f"expected expressions and tables of at most {self.most_numbers:,} numbers in all, got more: write less")
        if self.is_late():
            raise Misfit("expected rules that are read in the time there is, got more: write less, or use the command line")

    @property
    def nbytes(self) -> int:
        """About how much memory the rules take."""
        return 8 * self.spent + ROW_BYTES * self.taken

    def throws(self, dice: int, faces: int, hands: bool, weight: int = 0) -> None:
        """Count the throws of up to so many dice; `weight` is that of all faces, if it is not 1 for each."""
        if not 0 <= dice <= MOST_DICE:
            raise Misfit(f"expected 0 to {MOST_DICE} dice, got {dice}")
        if not 1 <= faces <= MOST_FACES:
            raise Misfit(f"expected dice of 1 to {MOST_FACES:,} faces, got {faces}")
        if max(faces, weight) ** dice >= LARGEST_WEIGHT:
            of = f"with weights of {weight:,} in all" if weight > faces else f"of {faces} faces"
            raise Misfit(f"expected fewer than 2**62 throws, got {dice} dice {of}")
        rows = comb(dice + faces, faces) if hands else (dice + 1) * (dice * (faces - 1) + 1)
        if hands and rows > MOST_HANDS:
            raise Misfit(f"expected at most {MOST_HANDS:,} hands, got more with {dice} dice of {faces} faces")
        self.take(rows, f"the throws of {dice} dice of {faces} faces")

    def keeps(self, dice: int, faces: int) -> None:
        """Count the ways to keep some of up to so many dice."""
        self.take(comb(dice + 2 * faces, dice), f"the ways to keep some of {dice} dice of {faces} faces")


def packed_hands(table: HandTable, numbers: Sequence[int], hands: Hands) -> Array:
    """Pack every hand of a table whose faces are these numbers."""
    units = [hands.pack([number]) for number in numbers]
    return np.array([sum(units[face - 1] for face in faces) for faces in table.faces_of], dtype=np.int64)


def product(tables: Sequence[tuple[Sequence[int], Relation]], rows: RowBudget) -> tuple[Relation, list[Array]]:
    """Put tables that are joined by a number of dice together, for every mixture of those numbers.

    Returns the joined table, by the number of the mixture (the first number counts most), and for each of the tables its rows.
    """
    key = np.zeros(1, dtype=np.int64)
    weight: Any = np.ones(1, dtype=object)
    picked: list[Array] = []
    for numbers, table in tables:
        dice = table.dice
        inside = np.flatnonzero((dice >= min(numbers)) & (dice <= max(numbers)))
        rows.take(len(key) * len(inside), "the throws of several dice")
        old, new = (part.reshape(-1) for part in np.meshgrid(np.arange(len(key)), inside, indexing="ij"))
        key = key[old] * (max(numbers) - min(numbers) + 1) + dice[new] - min(numbers)
        weight = weight[old] * table.weight.astype(object)[new]
        picked = [*(part[old] for part in picked), new]
    if max(weight) >= LARGEST_WEIGHT:
        raise Misfit("expected fewer than 2**62 throws of all dice together, got more: throw fewer, or in several [[roll]]")
    order = np.argsort(key, kind="stable")
    joined = Relation({"dice": key[order]}, key="dice", weight=weight[order].astype(np.int64))
    return joined, [part[order] for part in picked]


def drawn(things: Sequence[tuple[int, int]], draw: tuple[int, int], rows: RowBudget) -> tuple[Relation, list[Array]]:
    """List what drawing from things of several kinds gives, without putting back, for every number there may be of each kind.

    All numbers are ranges. Where there are fewer than are to be drawn, all are. Returns the table, by the number of the mixture
    (how many are drawn counts most), and for each kind how many of it were drawn.
    """
    key = np.arange(draw[1] - draw[0] + 1)
    left, room, weight = key + draw[0], np.zeros(len(key), dtype=np.int64), np.ones(len(key), dtype=object)
    found: list[Array] = []
    for low, high in things:
        most = min(high, draw[1])
        rows.take(len(key) * (high - low + 1) * (most + 1), "what can be drawn")
        old, have, took = (
            part.reshape(-1)
            for part in np.meshgrid(np.arange(len(key)), np.arange(low, high + 1), np.arange(most + 1), indexing="ij")
        )
        fits = (took <= have) & (took <= left[old])
        old, have, took = old[fits], have[fits], took[fits]
        weight = weight[old] * np.array([comb(n, k) for n, k in zip(have.tolist(), took.tolist(), strict=True)], dtype=object)
        key, left, room = key[old] * (high - low + 1) + have - low, left[old] - took, room[old] + have - took
        found = [*(part[old] for part in found), took]
    # Nothing may be left over in the bag as long as more were to be drawn.
    fits = (left == 0) | (room == 0)
    order = np.flatnonzero(fits)[np.argsort(key[fits], kind="stable")]
    if max(weight) >= LARGEST_WEIGHT:
        raise Misfit("expected fewer than 2**62 ways to draw, got more: draw fewer")
    joined = Relation({"dice": key[order]}, key="dice", weight=weight[order].astype(np.int64))
    return joined, [part[order] for part in found]


def subsets(
    members: Sequence[int], names: Sequence[str], size: tuple[int, int], total: tuple[int, int] | None, rows: RowBudget
) -> Relation:
    """List the sets of so many members, small ones first, and if a total is given, by it: `mask`, `sum`."""
    low, high = total if total is not None else (min(0, *members) * 64, max(0, *members) * 64)
    prune = min(members) >= 0
    rows.take(_count(members, size[1], high if prune else None), "its subsets")
    masks = [(0, 0, 0)]
    for place, member in enumerate(members):
        masks += [
            (count + 1, found | 1 << place, added + member)
            for count, found, added in masks
            if count < size[1] and (not prune or added + member <= high)
        ]
    kept = sorted(row for row in masks if size[0] <= row[0] and low <= row[2] <= high)
    sums = [row[2] for row in kept]
    spread = max(sums, default=0) - min(sums, default=0)
    if total is not None and spread > MOST_SPREAD:
        raise Misfit(f"expected sums at most {MOST_SPREAD:,} apart, got {min(sums)} to {max(sums)}: take smaller members")
    rows.spend(0 if total is None else spread)
    columns = {"mask": [row[1] for row in kept], "sum": sums}
    return Relation(columns, key="sum" if total is not None else None, labels=lambda row: _label(names, row["mask"]))


def _count(members: Sequence[int], most: int, high: int | None) -> int:
    """Count subsets of at most so many members (whose sum is at most `high`)."""
    if high is None:
        return sum(comb(len(members), size) for size in range(most + 1))
    ways = Counter({(0, 0): 1})
    for member in members:
        room = [(size + 1, total + member, count) for (size, total), count in ways.items() if size < most]
        ways.update({(size, total): count for size, total, count in room if total <= high})
        if sum(ways.values()) > MOST_ROWS:
            break
    return sum(ways.values())


def _label(names: Sequence[str], mask: int) -> str:
    return "+".join(name for place, name in enumerate(names) if mask >> place & 1) or "nothing"


def merged(table: Relation, needed: dict[str, Array], rows: RowBudget) -> Relation:
    """Make one throw of those that no expression can tell from one another. Raises `Misfit` if that takes too long."""
    columns: dict[str, Any] = {**({"dice": table.dice} if table.key else {}), **needed}
    if not columns:
        return Relation({"dice": [0]}, weight=[1])
    place = first = np.zeros(1, dtype=np.int64)
    for column in columns.values():
        rows.spend(table.rows)
        # Rows are numbered in order by the columns so far: there are never more numbers than rows, so that products are small.
        rank = np.unique(column, return_inverse=True)[1]
        _, first, place = np.unique(place * table.rows + rank, return_index=True, return_inverse=True)
    weight = np.zeros(len(first), dtype=np.int64)
    np.add.at(weight, place, table.weight)
    return Relation({name: column[first] for name, column in columns.items()}, key=table.key, weight=weight)
