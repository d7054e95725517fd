"""Advice on a solved game is a look-up: moves come at once, outlooks when they are cheap or asked for."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import AtLeast, Expected, Fewest, Game, PositionError, Solution, die, distribution, evaluate, solve
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.playing import advise as advising
from rollwise.playing.advise import advise, look_ahead
from rollwise.policies import FunctionPolicy, Greedy, Optimal
from rollwise.solvers.base.distribution import Follow, Spent, Work
from rollwise.solvers.graph import follow, moves, report
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.solution import GraphSolution
from tests.test_kept_graph import Boxes, Walk
from tests.toys import Pledge, Utility


class SolitairePig(Game[tuple[int, int], tuple[int, int], str]):
    """Race alone, for few throws: a 1 loses all points, those of the turn and those held."""

    def __init__(self, target: int) -> None:
        self.target = target

    def start(self) -> tuple[int, int]:
        return (0, 0)

    def roll(self, pending: tuple[int, int]) -> Mapping[tuple[int, int], int]:
        score, turn = pending
        if score >= self.target:
            return {(self.target, 0): 1}
        return die(6).map(lambda face: (min(score, self.target), min(turn + face, self.target - score)) if face > 1 else (0, 0))

    def actions(self, state: tuple[int, int]) -> Sequence[str]:
        return () if state[0] >= self.target else ("roll", "hold") if state[1] else ("roll",)

    def play(self, state: tuple[int, int], action: str) -> tuple[int, int]:
        return state if action == "roll" else (state[0] + state[1], 0)


@pytest.fixture(scope="module")
def solitaire() -> Solution:
    """Some 5,000 states, and hundreds of throws before the end."""
    found = solve(SolitairePig(104), Fewest())
    assert found.states > 5000
    assert found.value() > 500
    return found


def rolls_followed(asked: Any) -> int:
    """Count the rolls that are followed while something is asked."""
    counted: list[int] = []

    def told(what: str, done: int, total: int | None) -> None:
        if what == "rolls followed":
            counted.append(done)

    asked(told)
    return len(counted)


def test_advice_on_a_rarely_left_loop_follows_few_rolls(solitaire: Solution) -> None:
    state = (40, 12)
    rolls = rolls_followed(lambda told: advise(solitaire, state, progress=told))
    assert rolls <= advising.QUICK_WORK / 1500
    moves = advise(solitaire, state).moves
    assert [move.action for move in moves] == [row.action for row in solitaire.ranked(state)]
    assert [move.outlook for move in moves] == [None, None]
    assert rolls_followed(lambda told: advise(solitaire, state, outlook=False, progress=told)) == 0


def test_all_the_work_that_unasked_outlooks_take_is_counted(solitaire: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = Work.take

    def count(self: Work, outcomes: int) -> None:
        taken.append(outcomes)
        take(self, outcomes)

    monkeypatch.setattr(Work, "take", count)
    advise(solitaire, (40, 12))
    assert advising.QUICK_WORK < sum(taken) < advising.QUICK_WORK + 200_000
    assert max(taken) <= 200_000


def test_asked_for_it_is_followed_to_the_end() -> None:
    solution = solve(SolitairePig(12), Fewest())
    for move in advise(solution, (4, 5), outlook=True).moves:
        assert move.outlook is not None
        assert move.outlook.mean == pytest.approx(float(move.value), rel=1e-8)


def test_cheap_outlooks_come_unasked_even_for_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "QUICK", 0)
    solution = solve(load("slots"), Expected())
    moves = advise(solution, solution.game.read_state("x3,bin 30 6")).moves
    assert all(move.outlook is not None for move in moves)


def test_when_the_work_is_spent_the_rest_has_no_outlook(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(Boxes(), Expected())
    state = next(iter(solution.explored.states))  # type: ignore[attr-defined]
    whole = advise(solution, state).moves
    assert all(move.outlook is not None for move in whole)
    shown = set()
    for work in (0, 5_000, 10_000, 15_000, 10**6):
        monkeypatch.setattr(advising, "QUICK_WORK", work)
        found = [move.outlook is not None for move in advise(solution, state).moves]
        assert found == sorted(found, reverse=True), "the best moves come first"
        shown.add(sum(found))
    assert {0, len(whole)} < shown


def test_work_is_bounded() -> None:
    work = Work(10)
    work.take(10)
    with pytest.raises(Spent, match="ask for the outlook"):
        work.take(1)


# Moves first, on the command line


@pytest.mark.parametrize("more", [[], ["--outlook"]])
def test_moves_are_printed_before_anything_is_followed(
    more: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []

    def look(*given: Any, **options: Any) -> Any:
        printed.append(capsys.readouterr().out)
        assert options["outlook"] == (True if more else None)
        return look_ahead(*given, **options)

    monkeypatch.setattr(advising, "look_ahead", look)
    command = ["advise", "slots", "--objective", "expected", "--state", "x3,bin 30 6", "--no-cache", *more]
    assert main(command) == 0
    (first,), rest = printed, capsys.readouterr().out
    assert "expected total" in first
    assert "points to come: 5 %" not in first
    assert "points to come: 5 %" in rest
    assert "x3" in rest
    assert main([*command, "--json"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert {"action", "value", "loss", "exact", "why", "outlook"} <= moves[0].keys()


def test_no_outlook_no_second_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "slots", "--state", "x3,bin 30 6", "--no-cache"]) == 0
    assert "to come" not in capsys.readouterr().out


# Its own strategy, by the arrays

FOLLOWED: dict[str, tuple[Game[Any, Any, Any], Any]] = {
    "pig": (load("pig", target=8), AtLeast(1)),
    "pig, expected": (load("pig", target=8), Expected()),
    "slots": (load("slots"), AtLeast(45)),
    "slots, expected": (load("slots"), Expected()),
    "boxes": (Boxes(), Expected()),
    "boxes, at least": (Boxes(), AtLeast(4)),
    "boxes with a floor": (Boxes(dear=3), AtLeast(9)),
    "boxes, utility": (Boxes(), Utility(2)),
    "pledge": (Pledge(), AtLeast(12)),
    "walk": (Walk(), Fewest()),
    "solitaire": (SolitairePig(10), Fewest()),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_the_arrays_are_followed_as_the_rules_are(name: str) -> None:
    solution: Any = solve(*FOLLOWED[name])
    by_arrays, asked = distribution(solution), distribution(solution, FunctionPolicy(solution.best))
    assert (by_arrays.what, by_arrays.lowest) == (asked.what, asked.lowest)
    assert by_arrays.chance == pytest.approx(asked.chance, abs=1e-12)
    if solution.objective.adds:
        assert by_arrays.mean == pytest.approx(float(solution.value()), abs=1e-8)
    pending = solution.game.play(state := solution.explored.states[0], solution.best(state))
    onwards = distribution(solution, start=pending)
    assert onwards.chance.sum() + onwards.rest == pytest.approx(1)


def test_no_rule_is_asked_where_the_arrays_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pig, expected", "slots, expected", "boxes", "walk"):
        solution: Any = solve(*FOLLOWED[name])
        with monkeypatch.context() as patch:
            for rule in ("roll", "actions", "play", "gain", "payoff"):
                patch.setattr(type(solution.game), rule, None)
            patch.setattr(GraphSolution, "value", lambda *_, **__: 0.0)
            assert distribution(solution, start=solution.explored.pendings[0]).chance.sum() == pytest.approx(1)


def test_column_games_are_asked_for_all_points_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solution: Any = solve(load("pig", target=8))
    right = distribution(solution, FunctionPolicy(solution.best))
    monkeypatch.setattr(follow, "unlift", None)
    assert distribution(solution).chance == pytest.approx(right.chance, abs=1e-12)


def test_a_state_without_a_way_to_the_end_is_named() -> None:
    class Stuck(Game[int, int, str]):
        """A wrong turn from which there is no way back."""

        def start(self) -> int:
            return 0

        def roll(self, pending: int) -> Mapping[int, int]:
            return {1: 1} if pending == 1 else {2: 1} if pending == 2 else {0: 1}

        def actions(self, state: int) -> Sequence[str]:
            return ("out", "in") if state == 0 else ("round",) if state == 1 else ()

        def play(self, state: int, action: str) -> int:
            return 2 if action == "out" else 1

    solution: Any = solve(Stuck(), Fewest())
    with pytest.raises(PositionError, match="state 1 has no best action"):
        solution.distribution(None, 1, Follow())


def test_the_strategy_of_a_solution_is_evaluated_on_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pig", "slots", "boxes", "boxes, at least", "walk"):
        game, objective = FOLLOWED[name]
        solution = solve(game, objective)
        with monkeypatch.context() as patch:
            patch.setattr(moves, "chosen_actions", None)
            patch.setattr("rollwise.playing.evaluate.explore_rules", None)
            found = evaluate(game, Optimal(solution), objective)
        assert found.value == pytest.approx(float(solution.value()), abs=1e-9)
        other = evaluate(type(game)() if name == "boxes" else game, FunctionPolicy(solution.best), objective)
        assert found.value == pytest.approx(other.value, abs=1e-9)


def test_wide_totals_and_many_pendings_do_not_overflow() -> None:
    pending: Any = np.array([2_000_000_000, 2_000_000_000, 5], dtype=np.int32)
    total, mass = np.array([0, 10**12, 10**12]), np.array([0.25, 0.25, 0.5])
    found, points, chances = follow._merge(pending, total, mass)
    assert sorted(zip(found.tolist(), points.tolist(), chances.tolist(), strict=True)) == [
        (5, 10**12, 0.5), (2_000_000_000, 0, 0.25), (2_000_000_000, 10**12, 0.25),
    ]  # fmt: skip


# Pages about large games


def texts(blocks: list[Any]) -> Iterator[str]:
    return (block.text for block in blocks if hasattr(block, "text"))


def test_a_page_asks_a_bounded_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    solution: Any = solve(load("slots"), Expected())
    seen = report.visits(solution)
    whole = report.greedy_slips(solution, seen)
    asked: list[Any] = []
    weights = Greedy.weights

    def ask(self: Greedy, game: Any, state: Any) -> Any:
        asked.append(state)
        return weights(self, game, state)

    monkeypatch.setattr(Greedy, "weights", ask)
    monkeypatch.setattr(report, "MOST_ASKED", 50)
    some = report.greedy_slips(solution, seen)
    assert len(asked) == 50
    assert any("of the 50 positions where most is at stake" in text for text in texts(some))
    assert any("positions that best play can meet" in text for text in texts(whole))


def test_visits_are_counted_for_a_bounded_number_of_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    solution: Any = solve(SolitairePig(12), Fewest())
    edges = len(explore(SolitairePig(12), Fewest()).graph.outcome_state)
    monkeypatch.setattr(report, "MOST_WORK", 3 * edges)
    assert report.visits(solution).sum() == pytest.approx(3)


def test_the_library_still_gives_outlooks_by_default() -> None:
    solution = rollwise.solve(load("yazy", boxes="ones,straight"))
    assert advise(solution, solution.game.read_state("12346 1 all"), top=1).moves[0].outlook is not None
