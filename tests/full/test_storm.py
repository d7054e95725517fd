"""Storm reads exported models back, and agrees exactly."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rollwise import Game, Objective, Solution, solve
from rollwise.adapters.models.write import Written
from rollwise.games import load
from tests.full.libraries import need
from tests.model_files import Process, read_drn, read_umb
from tests.strategies import TableGame
from tests.test_models import CASES, GAMES, NAMES, OBJECTIVES, WON, Tiles, models, written

stormpy = need("stormpy", "stormpy")


def storm_model(path: Path) -> Any:
    exact = stormpy.build_model_from_drn[stormpy.Rational]
    return stormpy.build_model_from_umb(path) if path.suffix == ".umb" else exact(path)


def storm_says(model: Any, formula: str) -> str:
    return str(stormpy.model_checking(model, stormpy.parse_properties(formula)[0]).get_value(0))


def agrees(found: Written, path: Path) -> bool:
    said = storm_says(storm_model(path), found.question.formula)
    return said == "inf" if found.question.text == "infinite" else Fraction(said) == found.question.answer


@pytest.mark.parametrize("ending", ["umb", "drn"])
@pytest.mark.parametrize(
    ("game", "objective"),
    [case[:2] for case in CASES if "<<" not in case[2]],
    ids=[n for n, c in zip(NAMES, CASES, strict=False) if "<<" not in c[2]],
)
def test_storm_agrees(game: Game[Any, Any, Any], objective: Objective | None, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"model.{ending}"
    assert agrees(written(game, objective, path), path)


def test_storm_reads_a_game_for_two(tmp_path: Path) -> None:
    """Storm has no engine for such games, but what it read is what was written, players and all."""
    game = load("pig", target=6, faces=3)
    written(game, None, tmp_path / "pig.umb")
    model, process = storm_model(tmp_path / "pig.umb"), read_umb(tmp_path / "pig.umb")
    assert model.model_type.name == "SMG"
    assert list(model.get_state_player_indications()) == process.players
    matrix, labels = model.transition_matrix, model.labeling
    rows = [[{entry.column: Fraction(str(entry.value)) for entry in row} for row in group] for group in groups(matrix)]
    assert rows == [[dict(choice.branches) for choice in choices] for choices in process.nodes]
    assert {name: set(labels.get_states(name)) for name in process.labels} == process.labels


@dataclass(frozen=True)
class Single(Game[Any, Any, str]):
    """Pig for one: the other player plays as a solution says, and a win of the one who is left counts."""

    solution: Solution
    player: int

    def start(self) -> Any:
        return self.solution.game.start()

    def roll(self, pending: Any) -> Mapping[Any, int]:
        return dict(self.solution.game.roll(pending))

    def actions(self, state: Any) -> Sequence[str]:
        game = self.solution.game
        actions = game.actions(state)
        return actions if not actions or game.mover(state) == self.player else (self.solution.best(state),)

    def play(self, state: Any, action: str) -> Any:
        return self.solution.game.play(state, action)

    def payoff(self, state: Any) -> int:
        return abs(self.player - int(self.solution.game.payoff(state)))

    def __hash__(self) -> int:
        return id(self)


@pytest.mark.parametrize("player", [0, 1])
def test_storm_finds_nothing_better_for_one_of_two(player: int, tmp_path: Path) -> None:
    """Neither player can do better than the value against the other's strategy: together, that proves it."""
    solution = solve(load("pig", target=6, faces=3), exact=True)
    written(Single(solution, player), None, tmp_path / "pig.umb")
    assert Fraction(storm_says(storm_model(tmp_path / "pig.umb"), WON)) == abs(player - solution.value())


def test_storm_reads_the_columns(tmp_path: Path) -> None:
    found = written(Tiles(), None, tmp_path / "tiles.umb")
    model, process = storm_model(tmp_path / "tiles.umb"), read_umb(tmp_path / "tiles.umb")
    assert agrees(found, tmp_path / "tiles.umb")
    for node, row in enumerate(process.valuations):
        said = json.loads(str(model.state_valuations.to_json(node)))
        assert said == row


def groups(matrix: Any) -> Iterator[list[Any]]:
    for node in range(matrix.nr_columns):
        low, high = matrix.get_row_group_start(node), matrix.get_row_group_end(node)
        yield [matrix.get_row(row) for row in range(low, high)]


@given(GAMES, OBJECTIVES)
def test_storm_agrees_on_random_games(tmp_path_factory: pytest.TempPathFactory, game: TableGame, objective: Objective) -> None:
    for found, path in models(game, objective, tmp_path_factory.getbasetemp()):
        if path.suffix == ".umb" or "R{" not in found.question.formula or counts_something(read_drn(path)):
            assert agrees(found, path)
        else:
            with pytest.raises(RuntimeError, match="Reward model for formula is empty"):
                agrees(found, path)


def counts_something(process: Process) -> bool:
    """Say whether any choice has a reward: Storm has no answer to a text without any."""
    return any(any(option.rewards.values()) for choices in process.nodes for option in choices)
