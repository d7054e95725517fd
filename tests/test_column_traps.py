"""What a stranger writes into column games and game files, and what once went wrong with it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import rollwise
from rollwise import AtLeast, Fewest, GameError
from rollwise.columns import ColumnGame, Number, chance, choice, throws, where
from rollwise.games.files.game import FileGame


class Walk(ColumnGame):
    """Three rolls of a die, added up."""

    total, left = Number(40), Number(3)
    begin: Mapping[str, int] = {"left": 3}

    @chance(throws(1), unless=lambda p: p.left == 0)
    def thrown(self, p: Any, die: Any) -> Any:
        return p.but(total=p.total + die.sum, left=p.left - 1)

    @choice("go", when=lambda s: s.left > 0)
    def go(self, s: Any) -> Any:
        return s

    def final(self, s: Any) -> Any:
        return s.total


class InPlace(Walk):
    @choice("go", when=lambda s: s.left > 0)
    def go(self, s: Any) -> Any:
        total = s.total
        total += 1
        return s.but(total=total)


class InTable(Walk):
    @chance(throws(1), unless=lambda p: p.left == 0)
    def thrown(self, p: Any, die: Any) -> Any:
        face = die.sum
        face -= 1
        return p.but(total=p.total + face, left=p.left - 1)


@pytest.mark.parametrize("game", [InPlace, InTable])
def test_what_changes_a_column_in_place_is_refused(game: type[ColumnGame]) -> None:
    with pytest.raises(GameError, match=r"in place: write x = s\.x \+ 1"):
        rollwise.solve(game())


class Inverted(Walk):
    @choice("go", when=lambda s: ~s.left)
    def go(self, s: Any) -> Any:
        return s


def test_a_number_turned_by_a_tilde_is_no_condition() -> None:
    with pytest.raises(GameError, match="write s.x == 0 instead of ~s.x"):
        rollwise.solve(Inverted())


class Priced(Walk):
    def price(self, p: Any) -> Any:
        return 2


def test_a_roll_that_is_not_made_costs_nothing() -> None:
    solution = rollwise.solve(Priced(), Fewest(), exact=True)
    assert solution.value() == 6
    assert Priced().cost(Priced().at(left=0)) == 0


class Bets(ColumnGame):
    """Take the face, or bet on a six for something large."""

    face, left = Number(6), Number(3)
    begin: Mapping[str, int] = {"left": 3}

    def __init__(self, large: int, sign: int = 1) -> None:
        self.large, self.sign = large, sign

    @chance(throws(1), unless=lambda p: p.left == 0)
    def thrown(self, p: Any, die: Any) -> Any:
        return p.but(face=die.sum, left=p.left - 1)

    @choice("take", when=lambda s: s.left > 0)
    def take(self, s: Any) -> Any:
        return s.but(face=0), self.sign * s.face

    @choice("bet", when=lambda s: s.left > 0)
    def bet(self, s: Any) -> Any:
        return s.but(face=0), where(s.face == 6, self.large, 0)


@pytest.mark.parametrize(("large", "target"), [(2**33, 2**30), (2**50, 2**31), (2**50, 2**33), (5, 2**40)])
def test_targets_and_gains_may_lie_far_apart(large: int, target: int) -> None:
    expected = Fraction(11, 36) if large >= target else 0
    assert rollwise.solve(Bets(large), AtLeast(target), exact=True).value() == expected


@pytest.mark.parametrize(("target", "expected"), [(2**40, 0), (-(2**40), 1), (2**31, 0), (-(2**31), 1)])
def test_targets_may_be_far_away_where_points_are_lost(target: int, expected: int) -> None:
    assert rollwise.solve(Bets(5, -1), AtLeast(target), exact=True).value() == expected


SMALL = """format = 1
objective = "fewest"
[columns]
x = "0..2"
[roll]
dice = 1
cost = 3
unless = "x == 2"
to = { x = "x + 1" }
[[action]]
name = "on"
when = "x < 2"
choose = { n = "1..3" }
"""


def test_a_game_file_counts_no_cost_where_nothing_is_rolled() -> None:
    assert rollwise.solve(FileGame(SMALL)).value() == 6


def test_an_action_called_like_a_choice_of_another_is_refused() -> None:
    with pytest.raises(GameError, match="line 15, column 8: expected actions with different names"):
        FileGame(SMALL + '[[action]]\nname = "on 3"\n')
    assert len(FileGame(SMALL + '[[action]]\nname = "on 4"\n').choice_rules()) == 2


def table_of(count: int, when: str) -> str:
    rows = "\n".join(",".join(str(place % 7) for place in range(low, min(low + 50, count))) + "," for low in range(0, count, 50))
    return SMALL.replace("[columns]", f"[define]\nt = [\n{rows}\n]\n[columns]").replace('"x < 2"', f'"x < 2 and {when}"')


def test_a_table_stands_for_the_list_of_its_numbers() -> None:
    holds = "x in t and 9 not in t and count(t, x) == 143 and sum(t) == 2997 and max(t) == 6 and min(t) == 0 and len(t) == 1000"
    assert rollwise.solve(FileGame(table_of(1000, holds))).value() == 6
