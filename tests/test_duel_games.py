"""A duel written as a game of its own is a game like any other: its total is what it pays, and it is kept under its own name."""

from pathlib import Path

import pytest

from rollwise import AtLeast, cache, distribution, solve
from rollwise.families import DuelGame
from rollwise.games.yahtzee import Yazy
from rollwise.playing.distribution import win_chance


def test_a_duel_as_a_game_of_its_own(tmp_path: Path) -> None:
    game = DuelGame(Yazy(rerolls=0, boxes=["ones"]))
    found = distribution(solve(game))
    assert found.mean == pytest.approx(1.0)
    assert (found.quantile(0), found.quantile(1)) == (0, 2)
    for objective in (None, AtLeast(1)):
        solution = solve(game, objective)
        if objective:
            assert win_chance(distribution(solution), objective) == pytest.approx(float(solution.value()))
        cache.solve(game, objective, directory=tmp_path, worth_seconds=0)
        kept = cache.load(game, objective, tmp_path)
        assert kept is not None
        assert kept.value() == solution.value()
