"""Examples of game files at full size, by the recursions of their own."""

import pytest

from rollwise import solve
from tests.test_game_file_examples import casinos, dungeon, example, qwixx, zombie_turn


def test_zombie_dice_to_thirteen_brains() -> None:
    assert solve(example("zombie_dice")).value() == pytest.approx(zombie_turn(13), abs=1e-11)


def test_a_whole_row_of_qwixx() -> None:
    assert solve(example("qwixx_row")).value() == pytest.approx(float(qwixx(12, 4)), abs=1e-11)


def test_six_dice_for_the_casinos() -> None:
    assert solve(example("casinos", number=6)).value() == pytest.approx(float(casinos(6)), abs=1e-11)


def test_the_whole_dungeon() -> None:
    rules = {"health": 8, "monster_health": 14, "potions": 2, "fury": 1}
    assert solve(example("dungeon", **rules)).value() == pytest.approx(float(dungeon(**rules)), abs=1e-11)


def test_ur_with_two_pieces() -> None:
    """0.518572907496 is known, by Finkel's rules."""
    assert solve(example("small_ur", pieces=2)).value() == pytest.approx(0.518572907496, abs=1e-11)
