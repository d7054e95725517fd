"""Inputs that are made, not stored: seeded dictionaries and the largest cases of groups. Pure Python, small in memory."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

DATA = Path(__file__).parent.parent / "tests" / "data"
SYMBOLS = ascii_uppercase + digits + ascii_lowercase

Sizes = tuple[int, ...]


def contest_words() -> str:
    """Give the contest's largest kind of input: six dice without a common symbol and 200,000 words."""
    return gzip.decompress((DATA / "words" / "d6_disjoint_200k.in.gz").read_bytes()).decode()


def random_words(count: int, words: int = 1000, seed: int = 2023) -> tuple[list[str], list[str]]:
    """Make `count` six-sided dice without a common symbol, and words that they can spell, the symbols in random order."""
    random = Random(seed + count)
    dice = [SYMBOLS[6 * i : 6 * i + 6] for i in range(count)]
    found: dict[str, None] = {}
    while len(found) < words:
        rolled = [random.choice(symbols) for symbols in dice]
        random.shuffle(rolled)
        found["".join(rolled)] = None
    return dice, list(found)


def count_below(sizes: Sizes) -> int:
    """Count the sorted group sizes that can still grow into `sizes`: the positions of a game of groups.

    >>> count_below((2, 1))
    5
    """
    ways = [1] * (sizes[0] + 1)
    for size in sizes[1:]:
        total, longer = 0, ways
        ways = [0] * (size + 1)
        for held in range(len(longer) - 1, -1, -1):
            total += longer[held]
            if held <= size:
                ways[held] = total
    return sum(ways)


def partitions(total: int, largest: int) -> Iterator[Sizes]:
    """List the ways to write `total` as a sum of numbers up to `largest`, in falling order."""
    if total == 0:
        yield ()
    for first in range(min(total, largest), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


def contest_groups(total: int = 50, cases: int = 100) -> str:
    """Write the contest's file with the most positions: the `cases` group sizes of `total` that have the most of them."""
    largest = sorted(partitions(total, total), key=count_below, reverse=True)[:cases]
    lines = [str(cases)]
    for sizes in largest:
        lines += [f"{total} {total} {len(sizes)}", *map(str, sorted(sizes))]
    return "\n".join(lines) + "\n"


def climbed(total: int) -> Sizes:
    """Find group sizes of `total` with very many positions, by moving one die at a time while that adds positions."""
    best: Sizes = (total,)
    while True:
        better = max(_moved(best), key=count_below)
        if count_below(better) <= count_below(best):
            return best
        best = better


def _moved(sizes: Sizes) -> Iterator[Sizes]:
    for giver in range(len(sizes)):
        for taker in range(len(sizes) + 1):
            if giver != taker:
                moved = [*sizes, 0]
                moved[giver] -= 1
                moved[taker] += 1
                yield tuple(sorted((size for size in moved if size), reverse=True))
