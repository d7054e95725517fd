"""icepool: chances of dice pools, exactly, in pure Python."""

from collections.abc import Callable

import icepool

import rollwise
from bench.outcome import NotOffered, Outcome


def hands() -> Callable[[], Outcome]:
    """List the sorted hands of 1 to 12 dice with their weights; afterwards they are compared with those of rollwise."""

    def call() -> Outcome:
        rolls = [icepool.d6.pool(count).expand() for count in range(1, 13)]
        return Outcome(sum(map(len, rolls)), note=lambda: _compared(rolls))

    return call


def _compared(rolls: list[icepool.Die[tuple[int, ...]]]) -> str:
    same = all(dict(roll) == dict(rollwise.dice(count)) for count, roll in enumerate(rolls, 1))
    return "same hands and weights" if same else "OTHER WEIGHTS than rollwise"


def decisions() -> Callable[[], Outcome]:
    """Say that it has no players."""
    raise NotOffered("cannot: chances only, no best choice over moves")
