"""Games with odd names are written as models that can be read."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import rollwise
from rollwise import Game
from rollwise.adapters.models.write import write_model
from tests.model_files import read_drn, read_umb

ACTIONS = ('say "x"\n[1] ] // b', "half of a pair \ud800", "", "  ", "\N{GAME DIE} \N{RIGHT-TO-LEFT OVERRIDE}")


class Speech(Game[int, int, str]):
    """Say something odd: "quotes", lines and halves of characters."""

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> Mapping[int, int]:
        return {1: 2**61, 2: 2**60 + 1} if pending == 0 else {-pending: 1}

    def actions(self, state: int) -> Sequence[str]:
        return ACTIONS if state > 0 else ()

    def play(self, state: int, action: str) -> int:
        return 1 + ACTIONS.index(action)

    def gain(self, state: int, action: str) -> int:
        return 1 - 2**62 if action == "" else -3

    def payoff(self, state: int) -> int:
        return state

    def show_action(self, action: str) -> str:
        return action

    def show_state(self, state: int) -> str:
        return f"\udcff {state}\n"


@pytest.mark.parametrize("ending", ["umb", "drn"])
def test_odd_names_are_written(ending: str, tmp_path: Path) -> None:
    solution = rollwise.solve(Speech(), exact=True)
    path = tmp_path / f"odd.{ending}"
    written = write_model(solution, path, name='na"me\udcff', parameters={"a\n": "\ud800"})
    found = read_umb(path) if ending == "umb" else read_drn(path)
    assert len(found.nodes) == written.states
    assert written.question.text == "-4"
