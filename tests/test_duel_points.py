"""A duel with a player for points: the compact answer is that of the rules, of the general engine and of simulated games."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollwise import Duel, GameError, Solution, cache, evaluate, read_objective, simulate, solve, write_report
from rollwise.cli.main import main
from rollwise.errors import EngineError
from rollwise.families import Box, DuelGame, Joker, Sheet, UpperBonus
from rollwise.games import load
from rollwise.playing.rivals import find_rival, opponents_in, worth_to
from rollwise.playing.roll_source import RollSource
from rollwise.policies import Optimal, PolicyPair
from rollwise.solvers.base.abilities import BestAnswers, Splits, ability
from rollwise.solvers.sheets.duel_answer import AnswerSolution

SIZES = {"count": 2, "faces": 4, "rerolls": 1}


def small() -> Sheet:
    boxes = [
        Box("ones", lambda hand: hand.count(1), face=1),
        Box("fours", lambda hand: 4 * hand.count(4), face=4),
        Box("pair", lambda hand: 7 if hand[0] == hand[-1] else 0),
    ]
    return Sheet(boxes, bonus=UpperBonus(5, 6), joker=Joker("pair", "free", 5, {"ones": 1}), **SIZES)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=[0, 1])
def answer(request: pytest.FixtureRequest) -> AnswerSolution:
    found = solve(small(), Duel(points=request.param))
    assert isinstance(found, AnswerSolution)
    return found


def walk(solution: Solution, games: int = 40) -> set[Any]:
    """Positions of games played at random, before and after every roll."""
    random, met = Random(3), set()
    source = RollSource(solution.game, random)
    for _ in range(games):
        pending = solution.game.start()
        while True:
            state = source.draw(pending)
            actions = list(solution.game.actions(state))
            if not actions:
                break
            met.add(state)
            pending = solution.game.play(state, random.choice(actions))
    return met


def test_every_position_is_that_of_the_general_engine(answer: AnswerSolution, monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph in which one player is bound to the strategy for points, solved by the engines for one player."""
    monkeypatch.setattr("rollwise.solvers.graph.bound.MOST_ASKED", 10**6)
    sheet = small()
    graph = ability(solve(DuelGame(sheet), engine="induction"), BestAnswers)
    general = graph.answer(Optimal(solve(sheet)), answer.scorer)
    assert general is not None
    assert abs(answer.value() - general.value() / 2) < 1e-12
    states = walk(answer)
    assert len(states) > 300
    for state in states:
        assert abs(answer.value(state) - general.value(state) / 2) < 1e-12
        for row in answer.ranked(state):
            after = answer.game.play(state, row.action)
            assert abs(row.value - answer.value(after, kind="pending")) < 1e-12
            assert abs(float(row.value) - float(general.value(after, kind="pending")) / 2) < 1e-12


def test_the_player_for_points_does_what_the_sheet_says(answer: AnswerSolution) -> None:
    expert = solve(small())
    for state in walk(answer, 10):
        if answer.game.mover(state) == answer.scorer:
            assert answer.best(state) == expert.best(state.turn)
            assert answer.ranked(state)[0].value == pytest.approx(answer.value(state), abs=1e-14)


def test_it_is_what_evaluating_says_and_simulation_finds(answer: AnswerSolution) -> None:
    sheet, points = small(), Optimal(solve(small()))
    both = PolicyPair(points, "best") if answer.scorer == 0 else PolicyPair("best", points)
    assert answer.value() == pytest.approx(evaluate(sheet, both, Duel()).value, abs=1e-13)
    found = answer.split()
    assert found.win + found.tie / 2 == pytest.approx(answer.value(), abs=1e-13)
    assert simulate(answer, games=4000, seed=5).z_score < 4


def test_it_has_a_report(answer: AnswerSolution, tmp_path: Path) -> None:
    page = write_report(answer, tmp_path / "page.md")[-1].read_text()
    assert "turn starts (both sheets and the lead) were solved backwards" in page
    assert "The player for points takes the move with the highest expected score" in page


def test_it_is_never_worse_than_best_play(answer: AnswerSolution) -> None:
    duel = solve(small(), Duel())
    free = 1 - answer.scorer
    for state in walk(answer, 10):
        assert worth_to(free, answer, answer.value(state)) >= worth_to(free, duel, duel.value(state)) - 1e-12


def test_what_a_tie_counts() -> None:
    for text, points in (("duel points, ties win", 1), ("duel points first, ties lose", 0)):
        solution = solve(small(), read_objective(text))
        found = ability(solution, Splits).split()
        assert found.win + float(solution.game.tie) * found.tie == pytest.approx(solution.value(), abs=1e-13)
        assert solution.objective.points == points  # type: ignore[attr-defined]


def test_it_is_kept_and_found_again(answer: AnswerSolution, tmp_path: Path) -> None:
    path = cache.save(answer, tmp_path)
    assert path.name.startswith("duel-")
    found = cache.load(small(), answer.objective, tmp_path)
    assert isinstance(found, AnswerSolution)
    state = next(iter(walk(answer, 1)))
    assert found.ranked(state) == answer.ranked(state)
    assert cache.load(small(), Duel(), tmp_path) is None


def test_the_rival_for_points_knows_your_chance() -> None:
    """The chance that is shown in a compact duel is against this opponent, not against best play."""
    sheet, duel = small(), solve(small(), Duel())
    for player in (0, 1):
        rival = find_rival("points", duel, player, lambda: solve(sheet))
        assert rival.exactly
        assert rival.known.value() == solve(sheet, Duel(points=player)).value()


def test_who_can_play(answer: AnswerSolution) -> None:
    assert opponents_in(answer) == ("points",)
    with pytest.raises(GameError, match="against a player for points"):
        find_rival("optimal", answer, 1, lambda: answer)


def test_what_it_takes() -> None:
    class Own(Sheet):
        def payoff(self, state: Any) -> int:
            return 1

    with pytest.raises(EngineError, match="without rules of its own"):
        solve(Own(small().boxes, **SIZES), Duel(points=1))  # type: ignore[arg-type]
    with pytest.raises(EngineError, match="float64"):
        solve(small(), Duel(points=1), precision="float32")
    with pytest.raises(EngineError):
        solve(small(), Duel(points=1), engine="induction")


def test_at_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = ["yazy", "-p", "boxes=ones,five-of-a-kind", "--cache", str(tmp_path)]
    assert main(["solve", *game, "--objective", "duel points"]) == 0
    assert "duel points" in capsys.readouterr().out
    state = "11123 1 ones,five-of-a-kind vs ones,five-of-a-kind lead 0"
    assert main(["advise", *game, "--objective", "duel points", "--state", state]) == 0
    assert "keep 111" in capsys.readouterr().out
    record = str(tmp_path / "game.txt")
    assert main(["play", *game, "--objective", "duel points", "--opponent", "points", "--auto", "--seed", "1",
                 "--record", record]) == 0  # fmt: skip
    assert "your chance against this opponent" in capsys.readouterr().out
    assert "objective: duel points\n" in Path(record).read_text()
    assert main(["grade", record, "--cache", str(tmp_path)]) == 0


@pytest.mark.audit
def test_the_answer_in_yazy() -> None:
    """The worths of the best answers that evaluating found before, digit for digit."""
    for points, worth in ((1, 0.518617555848), (0, 0.475230850475)):
        assert solve(load("yazy"), Duel(points=points), keep="last").value() == pytest.approx(worth, abs=1e-12)
