"""What `Fewest` counts: rolls that can go more than one way, or what the game says, by the game's own word."""

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from rollwise import Fewest, Game, GameError, distribution, evaluate, simulate, solve
from rollwise.games import load
from rollwise.games.pig import Pig
from rollwise.policies import RandomPolicy
from tests.reference import enumerate_policies, gap, recursion
from tests.strategies import TableGame, cyclic_games, layered_games


class Counted(TableGame):
    """A game that does not say what a roll costs."""

    cost = Game.cost


def counted(game: TableGame) -> Counted:
    return Counted(**{field.name: getattr(game, field.name) for field in fields(game)})


def test_placing_six_dice_takes_six_rolls() -> None:
    assert solve(load("slots"), Fewest()).value() == 6
    game = load("slots", slots="a:1/2/3,b:3/2/1,c:0/0/9")
    solution = solve(game, Fewest(), exact=True)
    assert solution.value() == recursion(game, Fewest()) == 3
    found = distribution(solution)
    assert (found.what, found.lowest, len(found.chance)) == ("rolls", 3, 1)
    assert simulate(solution, 10, seed=1).counts == {3: 10}
    assert evaluate(game, RandomPolicy(), Fewest(), exact=True).value == 3


@given(layered_games())
def test_sure_rolls_cost_nothing_without_cycles(table: TableGame) -> None:
    game = counted(table)
    assert solve(game, Fewest(), exact=True).value() == recursion(game, Fewest())


@given(cyclic_games())
def test_sure_rolls_cost_nothing_in_cycles(table: TableGame) -> None:
    game = counted(table)
    best = enumerate_policies(game, Fewest())
    exact, number = solve(game, Fewest(), exact=True), solve(game, Fewest())
    if best is None:
        assert exact.value() == number.value() == float("inf")
        return
    assert exact.value() == best
    assert gap(number.value(), best) <= number.certificate.error_bound


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("name", "parameters", "rolls"),
    [
        ("words", {"dice": "A,A", "words": "AA"}, Fraction(1)),
        ("words", {"dice": "A,AB", "words": "AA"}, Fraction(2)),
        ("groups", {"faces": "1", "sizes": "3"}, Fraction(3)),
        ("groups", {"faces": "1", "sizes": "3", "view": "raw"}, Fraction(3)),
    ],
)
def test_words_and_groups_count_sure_rolls(name: str, parameters: dict[str, str], rolls: Fraction, exact: bool) -> None:
    solution = solve(load(name, **parameters), exact=exact)
    assert float(solution.value()) == rolls
    assert distribution(solution).mean == pytest.approx(float(rolls))
    if rolls.denominator == 1 and name == "groups":
        assert simulate(solution, 10, seed=1).counts == {rolls: 10}


def test_a_game_for_two_is_refused_before_it_is_explored() -> None:
    class Watched(Pig):
        asked = 0

        def roll(self, pending: Any) -> Mapping[Any, int]:
            type(self).asked += 1
            return super().roll(pending)

    with pytest.raises(GameError, match="player 1 moves, and Fewest counts the rolls of one player"):
        solve(Watched(), Fewest())
    assert Watched.asked < 10
