"""Puzzles: positions of games, the tempting move costs what is said, no two alike, and the same seed sets the same ones."""

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from rollwise import AtLeast, Duel, Expected, Solution, explain, puzzles, solve
from rollwise.games import load
from rollwise.model.abilities import heuristic
from rollwise.model.ids import position_id
from rollwise.model.objective import CHANCE
from rollwise.model.view import view_of
from rollwise.playing.mistakes import mistake_thresholds
from rollwise.playing.puzzles import Puzzle
from rollwise.policies import Greedy
from tests.terminal import run

GAMES: dict[str, tuple[str, dict[str, str], Any]] = {
    "slots": ("slots", {}, None),
    "slots for points": ("slots", {}, Expected()),
    "yazy": ("yazy", {"boxes": "ones,sixes,three-of-a-kind,straight"}, None),
    "yazy for a target": ("yazy", {"boxes": "ones,sixes,three-of-a-kind"}, AtLeast(30)),
    "a duel": ("yazy", {"boxes": "ones,sixes", "rerolls": "1"}, Duel()),
    "pig": ("pig", {"target": "30"}, None),
    "words": ("words", {"dice": "ABCDEF,ABCDEF,ABCDEF,ABCDEF", "words": "FACE,DEAF,BEAD,FADE,CAFE,DEAD"}, None),
    "bear-off": ("bear-off", {"start": "2/2/2/1/1/1"}, None),
}


@pytest.fixture(scope="module", autouse=True)
def quickly() -> Iterator[None]:
    """Look at fewer decisions than a user waits for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rollwise.playing.puzzles.DECISIONS", 150)
        yield


@pytest.fixture(scope="module", params=GAMES)
def solution(request: pytest.FixtureRequest) -> Solution:
    name, parameters, objective = GAMES[request.param]
    return solve(load(name, **parameters), objective)


@pytest.fixture(scope="module")
def found(solution: Solution) -> list[Puzzle]:
    return puzzles(solution, 6, seed=3)


def test_the_tempting_move_costs_what_is_said(solution: Solution, found: list[Puzzle]) -> None:
    assert found
    for one in found:
        ranked = solution.ranked(one.state)
        assert one.best == ranked[0].action == solution.best(one.state)
        assert next(iter(Greedy().weights(solution.game, one.state))) == one.tempting != one.best
        looks = [heuristic(solution.game, one.state, action) for action in (one.tempting, one.best)]
        assert looks[0] > looks[1], "two boxes that both pay nothing are no puzzle"
        assert next(move.loss for move in ranked if move.action == one.tempting) == one.loss
        assert mistake_thresholds(solution).classify(one.loss) is not None


def test_easy_ones_come_first(solution: Solution, found: list[Puzzle]) -> None:
    game = solution.game
    for one in found:
        best = heuristic(game, one.state, one.best)
        looks = [heuristic(game, one.state, action) >= best for action in game.actions(one.state) if action != one.best]
        assert one.hidden == sum(looks) >= 1
    assert [one.difficulty for one in found] == sorted(one.difficulty for one in found)


def test_no_two_are_alike(found: list[Puzzle]) -> None:
    assert len({one.state for one in found}) == len({one.losses for one in found}) == len(found)


def test_the_seed_sets_them(solution: Solution, found: list[Puzzle]) -> None:
    assert puzzles(solution, 6, seed=3) == found


def test_those_that_cost_most_are_chosen() -> None:
    solution = solve(load("slots"))
    first = puzzles(solution, 1)
    assert first[0].loss == max(one.loss for one in puzzles(solution, 50))


def test_dice_in_other_clothes_are_one_theme() -> None:
    solution = solve(load("yazy", boxes="ones,twos,threes,fours,fives,sixes,three-of-a-kind"))
    shapes = []
    for one in puzzles(solution, 3):
        dice = view_of(solution.game).show_dice(one.state)
        shapes.append((sorted(dice.count(face) for face in set(dice)), one.tempting))
    assert len(shapes) == 3
    assert all(shapes.count(shape) == 1 for shape in shapes if isinstance(shape[1], str))


# The command


def test_json_has_everything_that_a_page_needs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "puzzles", "slots", "--n", "3", "--seed", "4", "--no-cache", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert (answer["game"], answer["objective"], answer["seed"], len(answer["puzzles"])) == ("slots", "at-least 45", 4, 3)
    assert list(answer["severities"]) == ["inaccuracy", "mistake", "blunder"]
    for one in answer["puzzles"]:
        game = load("slots")
        assert one["id"] == position_id(game, game.read_state(one["state"]))
        assert {one["best"], one["tempting"]} <= {*one["moves"]}
        assert one["best"] in one["why"]
        assert one["severity"] in answer["severities"]


def answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *more: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code, out, err = run(capsys, "puzzles", "slots", "--no-cache", *more)
    assert (code, err) == (0, "")
    return out


def test_answers_are_scored(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    solved = solve(load("slots"))
    first, second, third = puzzles(solved, 3)
    out = answered(monkeypatch, capsys, f"{first.best}\nnonsense\n{second.tempting}\nskip\n", "--n", "3")
    assert "right: " in out
    assert "'nonsense' is not possible now" in out
    assert f"loses {CHANCE.amount(second.loss)}, a blunder" in out
    assert "that was the tempting move" in out
    assert f"best: {explain(solved, third.state, third.best)}" in out
    assert "1 of 2 answers right" in out
