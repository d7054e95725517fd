"""Every game of the catalogue: what is known about it, and that everything works with it. A new game adds rows, and no code."""

import io
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rollwise import GameError, check_game, distribution, grade, read_record, simulate, solve, start_game
from rollwise.games import CATALOGUE, load
from rollwise.games.catalogue import FAMILIES
from rollwise.model.ids import position_id, read_id
from rollwise.model.objectives import aims_of
from tests.catalogue_page import PAGE, catalogue_page
from tests.examples import default_of
from tests.known_games import KNOWN, game_of, recursion_of, rows, small_game, solved, solved_small
from tests.random_play import walk
from tests.reference import gap
from tests.terminal import run

EXAMPLES = Path(__file__).parents[1] / "examples"

COUNTED = 20_000
"""Positions up to which a game is checked when it is counted."""

FAMILIAR = ("bear-off", "cant-stop", "farkle", "groups", "pig", "shut-the-box", "slots", "words", "yazy")
"""One game of each family."""
every_game = pytest.mark.parametrize("name", default_of(KNOWN, *FAMILIAR))
Capture = pytest.CaptureFixture[str]


# What is known


def test_every_game_is_known() -> None:
    assert set(KNOWN) == set(CATALOGUE)


def test_a_game_is_described() -> None:
    for name in KNOWN:
        entry, about = CATALOGUE[name], KNOWN[name]["game"]
        assert entry.title
        assert entry.brief
        assert entry.family in FAMILIES
        assert entry.players
        assert {"size", "seconds", "value", "sources", "note"} <= set(about)
        for key in ("title", "family", "players"):
            assert about.get(key, getattr(entry, key)) == getattr(entry, key), "the catalogue and the rows say the same"


@pytest.mark.parametrize(("name", "row"), rows("value"))
def test_value(name: str, row: dict[str, Any]) -> None:
    solution = solved(name, row)
    assert gap(solution.value(), Fraction(row["value"])) <= row.get("within", 1e-9)
    assert solution.certificate.error_bound < max(1e-9, row.get("within", 0))


@pytest.mark.parametrize(("name", "row"), rows("exact"))
def test_value_in_fractions(name: str, row: dict[str, Any]) -> None:
    exact = solved(name, row, exact=True).value()
    assert exact == Fraction(row["value"])
    quick = solved(name, row)
    assert gap(quick.value(), exact) <= quick.certificate.error_bound + 1e-15


@pytest.mark.parametrize(("name", "row"), rows("count"))
def test_count(name: str, row: dict[str, Any]) -> None:
    game = game_of(name, row)
    if row.get("partial"):
        assert not check_game(game, max_states=1000).complete
        return
    found: Any = check_game(game) if row["states"] <= COUNTED else solved(name, row)
    assert (found.states, found.pendings) == (row["states"], row["pendings"])


@pytest.mark.parametrize(("name", "row"), rows("position"))
def test_position(name: str, row: dict[str, Any]) -> None:
    solution = solved(name, row)
    state = solution.game.read_state(row["state"])
    best = solution.ranked(state)[0]
    assert solution.game.show_action(best.action) == row["best"]
    if "value" in row:
        assert gap(best.value, Fraction(row["value"])) <= row.get("within", 1e-9)


@pytest.mark.parametrize(("name", "row"), rows("recursion"))
def test_recursion(name: str, row: dict[str, Any]) -> None:
    known = recursion_of(name, row.get("parameters", {}))
    assert gap(solved(name, row).value(), Fraction(known)) <= row.get("within", 1e-9)
    if isinstance(known, Fraction):
        assert solved(name, row, exact=True).value() == known


@pytest.mark.parametrize(("name", "row"), rows("file"))
def test_game_file(name: str, row: dict[str, Any]) -> None:
    theirs = solve(load(EXAMPLES / row["file"], **row.get("file_parameters", {})))
    assert gap(row.get("sign", 1) * theirs.value(), solved(name, row).value()) <= 1e-9


@pytest.mark.parametrize(("name", "row"), rows("simulated"))
def test_simulated(name: str, row: dict[str, Any]) -> None:
    played = simulate(solved(name, row), row["games"], seed=row.get("seed", 1))
    assert abs(played.mean - float(played.value)) <= 4 * played.standard_error


@pytest.mark.parametrize(("name", "row"), rows("refused"))
def test_refused(name: str, row: dict[str, Any]) -> None:
    with pytest.raises(GameError) as caught:
        game_of(name, row)
    assert row["says"] in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


# Everything works with every game, at a small size


@cache
def played(name: str) -> Sequence[Any]:
    """The positions of some games at random, each once, in order."""
    return list(dict.fromkeys(state for _, state in walk(small_game(name), seed=7, count=100)))[:60]


@every_game
def test_check(name: str) -> None:
    assert check_game(small_game(name), max_states=1_000).warnings == ()


def test_texts_are_read_back() -> None:
    for name in KNOWN:
        game = small_game(name)
        for state in played(name):
            assert game.read_state(game.show_state(state)) == state
            assert read_id(game, position_id(game, state)) == state
            for action in game.actions(state):
                assert game.read_action(game.show_action(action)) == action


@every_game
def test_the_distribution_has_the_value(name: str) -> None:
    solution = solved_small(name)
    found = distribution(solution)
    if not solution.objective.wins:
        assert found.mean == pytest.approx(float(solution.value()), abs=1e-6)


@every_game
def test_exact_and_quick_agree(name: str) -> None:
    quick, exact = solved_small(name), solved_small(name, exact=True)
    assert gap(quick.value(), exact.value()) <= quick.certificate.error_bound + 1e-15


@every_game
def test_at_least(name: str) -> None:
    """To reach a total is likelier for who plays for it than for who plays for points."""
    game = small_game(name)
    if not {"expected", "at-least"} <= {aim.name for aim in aims_of(game)} or game.players > 1:
        return
    points = distribution(solved_small(name, "expected"))
    target = points.quantile(0.75)
    assert float(solved_small(name, f"at-least {target}").value()) >= points.at_least(int(target)) - 1e-9


# Every command


def command_of(name: str, folder: Path) -> list[str]:
    """Name the small game on the command line: the catalogue's, or a file that takes boxes away."""
    about = KNOWN[name]["game"]
    small = about.get("small", {})
    if "few_boxes" not in about:
        return [name, *(word for key, value in small.items() for word in ("-p", f"{key}={_text(value)}"))]
    made = f"fewer_boxes({name!r}, {small!r}, {about['few_boxes']!r})"
    (folder / "small.py").write_text(f"from tests.known_games import fewer_boxes\n\ngame = {made}\n")
    return [str(folder / "small.py")]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def said(capsys: Capture, *arguments: str) -> str:
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, ""), err
    return out


@every_game
def test_commands(name: str, tmp_path: Path, capsys: Capture) -> None:
    game, state = command_of(name, tmp_path), small_game(name).show_state(played(name)[0])
    assert json.loads(said(capsys, "solve", *game, "--json"))["value"] == pytest.approx(float(solved_small(name).value()))
    assert json.loads(said(capsys, "advise", *game, "--state", state, "--json"))["moves"][0]["why"]
    assert state in said(capsys, "show", *game, said(capsys, "show", *game, "--state", state).strip())
    assert said(capsys, "distribution", *game)
    assert said(capsys, "check", *game, "--max-states", "500")
    assert said(capsys, "rules", *game)
    said(capsys, "policy", *game, "-o", str(tmp_path / "policy.csv"))
    assert len((tmp_path / "policy.csv").read_text().splitlines()) > 1
    said(capsys, "report", *game, "-o", str(tmp_path / "report.html"))
    assert "The rules in brief" in (tmp_path / "report.html").read_text()
    assert json.loads(said(capsys, "simulate", *game, "--games", "100", "--seed", "3", "--json"))["games"] == 100


@every_game
def test_play_and_grade(name: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the best strategy plays, typed in again, is the same game, and has no mistakes."""
    game, shown, typed = command_of(name, tmp_path), tmp_path / "auto.txt", tmp_path / "typed.txt"
    said(capsys, "play", *game, "--auto", "--seed", "5", "--record", str(shown))
    solution, record = solved_small(name), read_record(shown.read_text())
    moves = [line.text for line in record.lines if line.kind == "move"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n" + "".join(f"{move}\n" for move in moves)))
    assert "the game is over" in said(capsys, "play", *game, "--seed", "5", "--record", str(typed), "--coach")
    assert typed.read_text() == shown.read_text()
    graded = grade(solution, record)
    assert graded.over
    assert all(step.loss <= 1e-9 for step in graded.steps if step.moved)
    assert json.loads(said(capsys, "grade", str(typed), "--json"))["steps"]
    assert start_game(solution).pending == solution.game.start()


# The page about them


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == catalogue_page(), "run python -m tests.catalogue_page"
