"""Games of users that bank points, played for a target or against an opponent: every command reads their positions right."""

from pathlib import Path

import pytest

import rollwise
from rollwise import Against, AtLeast
from rollwise.games import load
from rollwise.playing.explain import explain

BANK = """
from rollwise import Game, die


class Bank(Game):
    # Three throws: each is banked, or dropped. A position is a pair: throws left and the die (0: not thrown).

    def start(self):
        return (3, 0)

    def roll(self, pending):
        left, _ = pending
        return die(6).map(lambda face: (left, face)) if left else {(0, 0): 1}

    def actions(self, state):
        return ("bank", "drop") if state[0] else ()

    def play(self, state, action):
        return (state[0] - 1, 0)

    def gain(self, state, action):
        return state[1] if action == "bank" else 0
"""


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.py"
    path.write_text(BANK)
    return path


@pytest.mark.parametrize("aim", [AtLeast(14), Against({12: 1, 15: 1})])
def test_a_pair_is_not_taken_for_a_position_with_points(bank: Path, aim: AtLeast | Against) -> None:
    solution = rollwise.solve(load(str(bank)), aim)
    state = next(iter(solution.game.roll(solution.game.play(next(iter(solution.game.roll(solution.game.start()))), "bank"))))
    assert explain(solution, state, "bank")
    last = next(iter(solution.game.roll(solution.game.play(state, "bank"))))
    assert explain(solution, last, "bank")
