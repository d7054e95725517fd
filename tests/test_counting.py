"""What `Fewest` counts: rolls that can go more than one way, or what the game says, by the game's own word."""

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rollwise import Fewest, Game, GameError, certain, die, distribution, evaluate, simulate, solve, start_game
from rollwise.games import load
from rollwise.games.pig import Pig
from rollwise.model.view import View
from rollwise.playing.strategy import value_word
from rollwise.policies import RandomPolicy
from tests.reference import enumerate_policies, gap, recursion
from tests.strategies import TableGame, cyclic_games, layered_games
from tests.terminal import run


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


def test_nothing_is_not_less_than_nothing() -> None:
    game = load("slots", slots="a:5")
    assert str(solve(game, Fewest()).value()) == str(evaluate(game, RandomPolicy(), Fewest()).value) == "0.0"


def test_a_sheet_counts_no_roll_of_a_full_sheet() -> None:
    game = load("yazy", boxes="ones,twos")
    assert solve(game, Fewest(), exact=True).value() == 2
    played = start_game(solve(game, Fewest()))
    for dice, box in (("11122", "ones"), ("12223", "twos")):
        opened = "all" if box == "ones" else "twos"
        played = played.rolled(game.read_state(f"{dice} 2 {opened}")).moved(box)
    (over,) = game.roll(played.pending)
    assert float(played.rolled(over).total) == 2


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


class SoloView(View):
    cost_word = "turns"


class Solo(Game[Any, Any, str]):
    """Reach ten points with a die, a turn lost with every 1: how many turns does it take?"""

    view = SoloView

    @property
    def objective(self) -> Fewest:
        return Fewest()

    def start(self) -> Any:
        return (0, 0, True)

    def roll(self, pending: Any) -> Any:
        banked, turn, _ = pending
        return (
            certain(pending)
            if banked >= 10
            else die(6).map(lambda face: (banked, 0 if face == 1 else min(turn + face, 10), False))
        )

    def actions(self, state: Any) -> Any:
        return () if state[0] >= 10 else ("hold", "roll")

    def play(self, state: Any, action: str) -> Any:
        banked, turn, _ = state
        return (min(banked + turn, 10), 0, True) if action == "hold" or not turn else (banked, turn, False)

    def cost(self, pending: Any) -> int:
        return int(pending[2] and pending[0] < 10)


def test_the_word_is_the_games(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solution = solve(Solo())
    assert value_word(solution) == "expected turns"
    assert distribution(solution).what == "turns"
    assert distribution(solution).mean == pytest.approx(float(solution.value()))
    file = tmp_path / "solo.py"
    file.write_text("from tests.test_counting import Solo as Inner\n\nclass Solo(Inner):\n    pass\n")
    for command, text in (("solve", "expected turns"), ("distribution", "mean turns"), ("simulate", "expected turns")):
        code, out, err = run(capsys, command, str(file))
        assert (code, err) == (0, "")
        assert text in out
        assert "expected rolls" not in out
    code, out, _ = run(capsys, "advise", str(file), "--state", "(4, 5, False)")
    assert (code, "expected turns" in out, "turns to come" in out) == (0, True, True)
    page = tmp_path / "solo.html"
    assert run(capsys, "report", str(file), "-o", str(page))[0] == 0
    written = page.read_text()
    assert "fewest expected turns" in written
    assert "expected rolls" not in written
