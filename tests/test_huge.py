"""Exact values beyond 1.8e308, the largest float: solved, printed whole and in digits, and never taken for infinite."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from rollwise import Expected, Fewest, GameError, RollwiseError, advise, evaluate, grade, simulate, solve
from rollwise.errors import EngineError
from rollwise.model.objective import Objective
from rollwise.model.policy import RandomPolicy
from rollwise.playing.record import Line, Record
from rollwise.reports.build import build_report
from rollwise.solvers.graph.values import Engine
from tests.reference import gap
from tests.strategies import TableGame
from tests.terminal import run

RARE = 2**61


def ladder(rungs: int, price: int = 0) -> TableGame:
    """Climb a ladder on which one roll in 2**61 + 1 climbs a rung, and every other one falls to the ground."""
    moves = {rung: [(f"p{rung + 1}", price)] for rung in range(rungs - 1)}
    rolls = {f"p{rung}": {99: RARE, rung if rung < rungs - 1 else 100: 1} for rung in range(rungs)}
    return TableGame({**moves, 99: [("p0", price), ("p0", price - 1)]}, rolls, {}, {})


def expected_rolls(rungs: int) -> Fraction:
    """With chance q to climb, a climb of n rungs takes (1 - q**n) / ((1 - q) q**n) rolls."""
    q = Fraction(1, RARE + 1)
    return (1 - q**rungs) / ((1 - q) * q**rungs)


HUGE = 20
LONG = 240


@pytest.mark.parametrize("engine", [None, "policy"])
@pytest.mark.parametrize("rungs", [2, HUGE, 80])
def test_exact_values_beyond_the_largest_float(rungs: int, engine: Engine | None) -> None:
    solution = solve(ladder(rungs), Fewest(), exact=True, engine=engine)
    assert solution.value() == expected_rolls(rungs)
    assert (solution.certificate.residual, solution.best(99)) == (0, 0)
    priced = solve(ladder(rungs, -1), Expected(), exact=True, engine=engine)
    assert priced.value() == 1 - expected_rolls(rungs)
    assert [move.loss for move in priced.ranked(99)] == [0, 1]


@pytest.mark.parametrize(("objective", "price"), [(Fewest(), 0), (Expected(), -1)])
@pytest.mark.parametrize("rungs", [HUGE, 80])
def test_floats_ask_for_exact_mode_and_do_not_say_impossible(objective: Objective, price: int, rungs: int) -> None:
    with pytest.raises(EngineError, match="use exact=True"):
        solve(ladder(rungs, price), objective)


def test_floats_that_overflow_without_a_cycle() -> None:
    """Retries at a price, each of which takes the value before it as what a roll costs."""
    moves: dict[int, list[tuple[str, int]]] = {}
    rolls: dict[str, dict[int, int]] = {"p18": {100: 1}}
    for n in range(18):
        moves |= {2 * n: [(f"p{n}", -(2**61))], 2 * n + 1: [(f"p{n + 1}", 0)]}
        rolls[f"p{n}"] = {2 * n: RARE, 2 * n + 1: 1}
    found = solve(TableGame(moves, rolls, {}, {}), Expected())
    exact = solve(TableGame(moves, rolls, {}, {}), Expected(), exact=True)
    assert gap(found.value(), exact.value()) <= found.certificate.error_bound


def test_following_beyond_the_largest_float() -> None:
    worth = evaluate(ladder(HUGE, -1), RandomPolicy(), Expected(), exact=True).value
    # Half of the falls cost 2; the last roll and the climbs do not.
    assert worth < 1 - expected_rolls(HUGE)
    assert evaluate(ladder(HUGE), RandomPolicy(), Fewest(), exact=True).value == expected_rolls(HUGE)


def test_advice_and_grades_beyond_the_largest_float() -> None:
    solution = solve(ladder(HUGE, -1), Expected(), exact=True)
    assert [move.loss for move in advise(solution, 99, outlook=False).moves] == [0, 1]
    graded = grade(solution, Record("ladder", lines=(Line("roll", "99"), Line("move", "1"), Line("roll", "0"))))
    assert graded.start == solution.value()
    assert graded.mistakes == 1


def test_what_cannot_be_played_or_drawn_says_so() -> None:
    solution = solve(ladder(HUGE), Fewest(), exact=True)
    for attempt in (lambda: simulate(solution, 10, seed=1), lambda: build_report(solution)):
        with pytest.raises(GameError, match=r"the value is 1\.81e\+367") as told:
            attempt()
        assert isinstance(told.value, RollwiseError)


LADDER_FILE = """
from rollwise import Fewest, Game

class Ladder(Game):
    objective = Fewest()
    def start(self): return 0
    def roll(self, rung): return {-1: 2**61, rung + 1: 1}
    def actions(self, state): return () if state == RUNGS else ("climb", "wait")
    def play(self, state, action): return max(state, 0)
    def gain(self, state, action): return 0 if action == "climb" else -1
"""


@pytest.fixture
def ladder_file(tmp_path: Path) -> Path:
    path = tmp_path / "ladder.py"
    path.write_text(LADDER_FILE.replace("RUNGS", str(HUGE)))
    return path


def test_the_command_line_prints_them(ladder_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = expected_rolls(HUGE)
    code, out, err = run(capsys, "solve", str(ladder_file), "--exact", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["value"], found["exact"]) == ("1.8054884314459145e+367", f"{truth.numerator}/{truth.denominator}")
    code, out, err = run(capsys, "solve", str(ladder_file), "--exact")
    assert (code, err) == (0, "")
    assert "1.80548843145e+367" in out
    for more in ([], ["--json"]):
        code, out, err = run(capsys, "advise", str(ladder_file), "--exact", "--state", "-1", *more)
        assert (code, err) == (0, "")
        assert "e+367" in out
    code, _, err = run(capsys, "simulate", str(ladder_file), "--exact")
    assert (code, err.count("\n")) == (2, 1)
    assert "e+367" in err
    code, _, err = run(capsys, "report", str(ladder_file), "--exact", "-o", str(ladder_file.with_name("page.html")))
    assert (code, err.count("\n")) == (2, 1)
    assert "too large for a report" in err


def test_strategies_are_written_whole(ladder_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder_file.write_text(LADDER_FILE.replace("RUNGS", str(LONG)))
    path = ladder_file.with_suffix(".csv")
    assert run(capsys, "policy", str(ladder_file), "--exact", "-o", str(path))[0] == 0
    with path.open(newline="") as text:
        rows = list(csv.DictReader(text))
    assert len(rows) == LONG
    assert max(len(row["expected rolls"]) for row in rows) > 4300
