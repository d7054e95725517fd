"""Duels as users meet them: at the command line, in the cache, simulated, and as a page."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise import cache
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.sheets.boxes import UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.yahtzee import Yahtzee, Yazy
from rollwise.solvers.sheets.duel import DuelSolution
from rollwise.solvers.sheets.duel_simulate import watch_duel

BOXES = "ones,sixes,straight"
GAME = ["yazy", "-p", f"boxes={BOXES}", "--objective", "duel"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def solution() -> DuelSolution:
    return solved(Yazy(boxes=BOXES.split(",")))


def solved(sheet: Sheet, tie: Any = 0.5, **options: Any) -> DuelSolution:
    found = rollwise.solve(sheet, rollwise.Duel(tie), **options)
    assert isinstance(found, DuelSolution)
    return found


def players(solution: DuelSolution, first: str, second: str) -> rollwise.policies.PolicyPair:
    """Two who play by the duel, or for points."""
    kinds = {"duel": rollwise.policies.Optimal(solution), "expected": rollwise.policies.Optimal(rollwise.solve(solution.sheet))}
    return rollwise.policies.PolicyPair(kinds[first], kinds[second])


def exactly(solution: DuelSolution, both: rollwise.policies.PolicyPair) -> float:
    return float(rollwise.evaluate(solution.sheet, both, solution.objective).value)


def test_solve(capsys: pytest.CaptureFixture[str], tmp_path: Path, solution: DuelSolution) -> None:
    place = ["--cache", str(tmp_path), "--json"]
    code, out, _ = run(capsys, "solve", *GAME, *place)
    assert code == 0
    found = json.loads(out) | json.loads(run(capsys, "distribution", *GAME, *place)[1])
    assert found["objective"] == "duel"
    assert found["value"] == solution.value()
    assert found["value"] + found["second"] == 1
    assert found["wins"] + found["ties"] / 2 == pytest.approx(found["value"], abs=1e-12)
    assert found["wins"] + found["ties"] + found["loses"] == pytest.approx(1, abs=1e-12)
    code, out, _ = run(capsys, "solve", *GAME, "--cache", str(tmp_path))
    assert code == 0
    assert f"{100 * found['value']:.12g} %" in out


def test_ties(capsys: pytest.CaptureFixture[str]) -> None:
    values = []
    for ties in ("lose", "half", "win"):
        _, out, _ = run(capsys, "solve", *GAME[:-1], f"duel, ties {ties}", "--no-cache", "--json")
        values.append(json.loads(out)["value"])
    assert values[0] < values[1] < values[2]


@pytest.mark.full
def test_plan(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "plan", "yatzy", "--objective", "duel", "--json")
    assert json.loads(out)["states"] == 46_432_640_841_075
    code, out, _ = run(capsys, "plan", "yazy", "--objective", "duel")
    assert code == 0
    assert "306,356,498" in out


def test_advise(capsys: pytest.CaptureFixture[str], solution: DuelSolution) -> None:
    text = "66612 1 ones,sixes vs straight lead 3"
    _, out, _ = run(capsys, "advise", *GAME, "--no-cache", "--json", "--state", text)
    found = json.loads(out)
    advice = rollwise.advise(solution, solution.game.read_state(text))
    assert found["value"] == advice.value
    assert [move["value"] for move in found["moves"]] == [move.value for move in advice.moves]
    assert [move["action"] for move in found["moves"]] == [solution.game.show_action(move.action) for move in advice.moves]
    assert all(move["why"] for move in found["moves"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "slots", "--objective", "duel"], "a duel is played on score sheets"),
        pytest.param(["solve", "yatzy", "--objective", "duel", "--no-cache"], "more than", marks=pytest.mark.full),
        (["solve", *GAME, "--at-least", "20"], "--at-least does not go with --objective duel"),
        (["solve", *GAME, "--exact", "--max-states", "5"], "over the budget of 5"),
        (["solve", *GAME, "--device", "abacus"], "unknown device 'abacus'"),
        (["solve", *GAME, "--precision", "float16"], "precision 'float16': expected float64 or float32"),
        (["solve", "yazy", "--device", "gpu"], "no solver solves this game for expected"),
        (["advise", *GAME, "--no-cache", "--state", "66612 1 ones"], "is not a position: expected POSITION vs BOXES lead POINTS"),
        (["advise", *GAME, "--no-cache", "--state", "66612 1 ones vs all lead 0"], "does not occur"),
        (["report", *GAME, "--no-cache", "-o", "duel.txt"], "duel.txt"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_solve_takes_a_duel(solution: DuelSolution) -> None:
    found = rollwise.solve(solution.sheet, rollwise.Duel())
    assert found.value() == solution.value()
    with pytest.raises(rollwise.GameError, match="score sheets"):
        rollwise.solve(load("slots"), rollwise.Duel())
    one = Yazy(boxes=["ones"], rerolls=1)
    assert rollwise.solve(one, rollwise.Duel(), exact=True).value() == Fraction(1, 2)
    with pytest.raises(rollwise.GameError, match="expected a number from 0"):
        rollwise.Duel(2)


def test_the_store_keeps_duels(tmp_path: Path, solution: DuelSolution, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path, name="yazy", parameters={"boxes": BOXES})
    (entry,) = cache.verify(tmp_path)
    assert (entry.name, dict(entry.parameters), entry.objective, entry.value, entry.fault) == (
        "yazy", {"boxes": BOXES}, "duel, float64", solution.value(), None,
    )  # fmt: skip
    monkeypatch.setattr("rollwise.solvers.sheets.kernels.rows_numba.numba_rows", None)
    again = cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path)
    assert again.value() == first.value() == solution.value()
    damaged = next(iter(sorted(entry.path.glob("layer-*.npy"))[3:]))
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    assert cache.entries(tmp_path)[0].fault is None
    assert cache.verify(tmp_path)[0].fault == f"is damaged: the contents of {damaged.name} were changed"
    assert [entry.name for entry in cache.clear(tmp_path)] == ["yazy"]
    assert cache.entries(tmp_path) == []


@pytest.fixture
def in_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every duel layer by layer, however small it is."""
    monkeypatch.setattr("rollwise.cache.api.CHECKPOINT_SECONDS", 0.0)


def test_an_unfinished_duel_is_listed(tmp_path: Path, solution: DuelSolution, in_layers: None) -> None:
    def stop(what: str, done: int, total: int | None) -> None:
        if total and done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path, name="yazy", progress=stop)
    (entry,) = cache.verify(tmp_path)
    assert entry.fault is None
    assert re.fullmatch(r"duel, float64: \d of 7 layers", entry.objective)
    assert cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path).value() == solution.value()
    (entry,) = cache.entries(tmp_path)
    assert (entry.name, entry.objective, entry.value) == ("yazy", "duel, float64", solution.value())


@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        (lambda place: (place / "layer-03.npy").unlink(), "layer-03.npy has 0 bytes, expected"),
        (lambda place: (place / "manifest.json").unlink(), "has no readable manifest"),
        (lambda place: (place / "manifest.json").write_text('{"name": 1, "parameters": 3}'), "has another format"),
        (lambda place: (place / "manifest.json").write_text("{"), "has no readable manifest"),
    ],
)
def test_damaged_duels_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], solution: DuelSolution, harm: Any, fault: str
) -> None:
    cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path)
    (entry,) = cache.entries(tmp_path)
    harm(entry.path)
    code, out, err = run(capsys, "cache", "verify", "--cache", str(tmp_path))
    assert code == 2
    assert fault in out + err
    assert fault in run(capsys, "cache", "list", "--cache", str(tmp_path))[1]


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_a_store_that_cannot_be_written(
    tmp_path: Path, solution: DuelSolution, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr("rollwise.cache.api.CHECKPOINT_SECONDS", seconds)
    (tmp_path / "file").write_text("")
    lines: list[str] = []
    found = cache.solve(solution.sheet, rollwise.Duel(), directory=tmp_path / "file", refused=lines.append)
    assert found.value() == solution.value()
    assert ["cannot be written" in line for line in lines] == [True]


def test_a_duel_has_no_total_to_follow(solution: DuelSolution) -> None:
    with pytest.raises(rollwise.GameError, match="won, tied or lost, and has no total to follow: use evaluate"):
        rollwise.distribution(solution)


def test_a_duel_is_saved_like_any_other(solution: DuelSolution, tmp_path: Path) -> None:
    path = cache.save(solution, tmp_path)
    loaded = cache.load(solution.sheet, rollwise.Duel(), tmp_path)
    assert isinstance(loaded, DuelSolution)
    assert all((loaded.layers[left] == values).all() for left, values in solution.layers.items())
    assert (loaded.certificate, loaded.states, loaded.fingerprint) == (
        solution.certificate, solution.states, solution.fingerprint,
    )  # fmt: skip
    assert cache.load(solution.sheet, rollwise.Duel(1), tmp_path) is None
    assert cache.load(solution.sheet, rollwise.Duel(), tmp_path, precision="float32") is None
    single = cache.save(solved(solution.sheet, precision="float32"), tmp_path)
    assert single.name == f"{path.name}-float32"
    assert [entry.fault for entry in cache.verify(tmp_path)] == [None, None]
    with pytest.raises(rollwise.GameError, match="keep='all'"):
        cache.save(solved(solution.sheet, keep="last"), tmp_path)


def test_targets_of_any_size(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "yazy", "-p", "boxes=ones,straight", "--no-cache", "--at-least", "9" * 20)
    assert (code, err.count("\n")) == (2, 1)
    with pytest.raises(rollwise.GameError, match="expected a whole number"):
        rollwise.AtLeast(1.5)  # type: ignore[arg-type]


def test_ties_are_counted_as_said() -> None:
    sheet = Yazy(boxes=["ones", "five-of-a-kind"])
    found = solved(sheet, tie=0.3)
    played = rollwise.simulate(found, 20_000, seed=3)
    assert abs(played.mean - found.value()) < 4 * played.standard_error


@pytest.mark.full
@pytest.mark.parametrize("kinds", [("duel", "duel"), ("duel", "expected"), ("expected", "duel"), ("expected", "expected")])
def test_simulated_duels(solution: DuelSolution, kinds: tuple[str, str]) -> None:
    both = players(solution, *kinds)
    played = rollwise.simulate(solution, 20_000, seed=4, policy=both)
    assert abs(played.mean - exactly(solution, both)) < 4 * played.standard_error
    assert played == rollwise.simulate(solution, 20_000, seed=4, policy=both)
    assert kinds != ("duel", "duel") or played == rollwise.simulate(solution, 20_000, seed=4)


def test_a_fingerprint_does_not_change_by_use() -> None:
    sheet = Yazy(boxes=["ones", "five-of-a-kind"])
    used, fresh = solved(sheet), solved(sheet)
    rollwise.simulate(used, 10, seed=1)
    assert used.fingerprint == fresh.fingerprint


def test_simulated_duels_with_bonus_and_jokers() -> None:
    yahtzee = Yahtzee()
    boxes = [box for box in yahtzee.boxes if box.name in ("sixes", "yahtzee", "chance")]
    sheet = Sheet(boxes, rerolls=1, bonus=UpperBonus(18, 35), joker=yahtzee.joker)
    found = solved(sheet)
    both = players(found, "duel", "expected")
    played = rollwise.simulate(found, 20_000, seed=2, policy=both)
    assert abs(played.mean - exactly(found, both)) < 4 * played.standard_error


def test_departures_cost_what_they_say(solution: DuelSolution) -> None:
    watched = watch_duel(solution, games=1500, seed=1)
    assert (watched.departures <= watched.decisions).all()
    assert watched.departures.sum() > 0
    for row in watched.largest:
        ranked = {solution.game.show_action(move.action): move for move in solution.ranked(solution.game.read_state(row.state))}
        assert ranked[row.duel].loss == pytest.approx(0, abs=1e-9)
        assert ranked[row.expected].loss == pytest.approx(row.cost, abs=1e-9)


def test_win_chances_rise_with_the_lead(solution: DuelSolution) -> None:
    leads, worth = solution.win_by_lead(0b111, 0b111)
    assert leads.tolist() == [0]
    assert worth[0] == solution.value()
    leads, worth = solution.win_by_lead(0b011, 0b101)
    assert (worth[1:] >= worth[:-1]).all()
    assert leads[0] < 0 < leads[-1]


def test_report(tmp_path: Path, solution: DuelSolution) -> None:
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    for path in (one, other):
        assert rollwise.write_report(solution, path, name="yazy") == [path]
    text = one.read_text()
    assert text == other.read_text()
    assert f"the value is {solution.objective.words(solution.game).exactly(solution.value())}" in text
    for heading in ("What playing for the win is worth", "Where a duellist does something else", "by lead and boxes left"):
        assert heading in text
    assert len(rollwise.write_report(solution, tmp_path / "duel.md", name="yazy")) == 3


def test_a_page_of_too_few_layers(solution: DuelSolution) -> None:
    value = solved(solution.sheet, keep="last")
    assert value.value() == solution.value()
    with pytest.raises(rollwise.GameError, match="keep='all'"):
        rollwise.simulate(value, 10, seed=1)
    with pytest.raises(rollwise.GameError, match="expected at least 2"):
        rollwise.simulate(solution, 1, seed=1)


@pytest.mark.audit
def test_yazy_at_full_size(tmp_path: Path) -> None:
    """The whole duel in float32, against the values found in float64; and its figures by simulation."""
    known = {("duel", "duel"): 0.493970284140, ("duel", "expected"): 0.517600030726, ("expected", "duel"): 0.475948770837}
    full = solved(Yazy(), precision="float32", checkpoint=tmp_path)
    assert full.states == 306_356_498
    assert abs(full.value() - known["duel", "duel"]) < min(1e-6, full.certificate.error_bound)
    for kinds, value in known.items():
        played = rollwise.simulate(full, 20_000, seed=11, policy=players(full, *kinds))
        assert abs(played.mean - value) < 4 * played.standard_error
    again = solved(Yazy(), precision="float32", checkpoint=tmp_path)
    assert again.value() == full.value()
