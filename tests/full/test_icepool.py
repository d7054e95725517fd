"""Dice of icepool are rolls and back: the same weights, and the same values of games."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import Game, GameError, Roll, dice, die, joint, solve
from tests.full.libraries import need

icepool = need("icepool", "rollwise[icepool]")

from rollwise.adapters.icepool import from_icepool, to_icepool  # noqa: E402


@given(st.dictionaries(st.integers(-9, 9) | st.integers(2**70, 2**70 + 3), st.integers(1, 2**65), min_size=1))
def test_a_roll_comes_back_as_it_was(weights: dict[int, int]) -> None:
    roll = Roll(weights)
    there = to_icepool(roll)
    assert from_icepool(there) == roll
    assert {outcome: there.probability(outcome) for outcome in there} == {one: roll.probability(one) for one in roll}


@pytest.mark.parametrize("count", range(5))
def test_pools_are_hands(count: int) -> None:
    assert from_icepool(icepool.d6.pool(count)) == dice(count)
    assert from_icepool(icepool.Die([1, 1, 4]).pool(count)) == dice(count, [1, 1, 4])


def test_dice_of_every_kind_are_read() -> None:
    assert from_icepool(icepool.d6.highest(3)) == from_icepool(icepool.d6.pool(3)[-1:].sum())
    assert from_icepool(icepool.d6 + 1) == die(range(2, 8))
    assert from_icepool(icepool.Deck("AAB")) == die("AAB")
    assert from_icepool(icepool.tupleize(icepool.d(2), icepool.d(3))) == joint([die(2), die(3)])


@pytest.mark.parametrize("thing", [6, "d6", {1: 1}])
def test_anything_else_is_refused(thing: Any) -> None:
    with pytest.raises(GameError, match="expected a die, deck or pool of icepool"):
        from_icepool(thing)


@pytest.mark.parametrize("roll", [{1: 1, "a": 1}, {(1, 2): 1, 3: 2}])
def test_outcomes_without_order_are_refused(roll: dict[Any, int]) -> None:
    with pytest.raises(GameError, match="have no common order"):
        to_icepool(roll)


class Twice(Game[tuple[int, int], int, str]):
    """Throw; keep what the die shows, or throw once more."""

    def __init__(self, die: Mapping[int, int]) -> None:
        self.die = die

    def start(self) -> int:
        return 2

    def roll(self, pending: int) -> Mapping[tuple[int, int], int]:
        return {(face, pending - 1): weight for face, weight in self.die.items()} if pending > 0 else {(-pending, 0): 1}

    def actions(self, state: tuple[int, int]) -> tuple[str, ...]:
        return ("keep", "again") if state[1] else ()

    def play(self, state: tuple[int, int], action: str) -> int:
        return -state[0] if action == "keep" else state[1]

    def payoff(self, state: tuple[int, int]) -> int:
        return state[0]


class TwiceByDie(Twice):
    """The same, with rolls that are dice of icepool themselves."""

    def roll(self, pending: int) -> Any:
        return self.die.map(lambda face: (face, pending - 1)) if pending > 0 else icepool.Die([(-pending, 0)])  # type: ignore[attr-defined]


def test_a_game_may_roll_dice_of_icepool() -> None:
    best = icepool.d6.highest(2)
    wanted = best.map(lambda face: max(face, best.mean())).mean()
    assert solve(Twice(from_icepool(best)), exact=True).value() == wanted
    assert solve(TwiceByDie(best), exact=True).value() == wanted
