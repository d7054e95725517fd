"""Playing and grading: luck and mistakes add up, records come back, and the command plays as its user expects."""

import io
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollwise import (
    AtLeast,
    Expected,
    Fewest,
    Game,
    GameError,
    PositionError,
    Solution,
    grade,
    read_record,
    solve,
    start_game,
    write_record,
)
from rollwise.cli.main import main
from rollwise.cli.play import draw_dice
from rollwise.games import load
from rollwise.model.objectives import read_objective
from rollwise.playing.grade import Grade
from rollwise.playing.roll_source import RollSource
from tests import terminal
from tests.random_play import play

SMALL: dict[str, tuple[str, dict[str, str], Any]] = {
    "slots": ("slots", {}, None),
    "slots for points": ("slots", {}, Expected()),
    "words": ("words", {"dice": "ABC,ABC,DE", "words": "ABD"}, None),
    "groups": ("groups", {"faces": "4", "sizes": "2,1"}, None),
    "groups by faces": ("groups", {"faces": "3", "sizes": "2,1", "view": "raw"}, None),
    "yazy": ("yazy", {"boxes": "ones,straight"}, None),
    "yazy for a target": ("yazy", {"boxes": "ones,twos", "rerolls": "1"}, AtLeast(8)),
    "yazy in few rolls": ("yazy", {"boxes": "ones", "rerolls": "1"}, Fewest()),
}


def solution_of(name: str, *, exact: bool = False) -> Solution:
    game, parameters, objective = SMALL[name]
    return solve(load(game, **parameters), objective, exact=exact)


def result(game: Grade) -> int:
    """What the game came to, straight from the rules."""
    rules, objective = game.game, game.solution.objective
    if isinstance(objective, Fewest):
        pendings = [rules.start(), *(rules.play(step.state, step.action) for step in game.steps if step.moved)]
        return sum(rules.cost(pending) for pending in pendings)
    total = int(
        sum(rules.gain(step.state, step.action) for step in game.steps if step.moved) + rules.payoff(game.steps[-1].state)
    )
    lifted = type(rules).__name__ == "NeedingGame"
    return int(total >= objective.target) if isinstance(objective, AtLeast) and not lifted else total


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("exact", [True, False])
def test_luck_and_mistakes_add_up(name: str, exact: bool) -> None:
    solution = solution_of(name, exact=exact)
    sign = -1 if isinstance(solution.objective, Fewest) else 1
    for seed in range(8):
        game = play(solution, seed)
        assert game.total == pytest.approx(result(game), abs=1e-9)
        assert all(step.loss >= 0 for step in game.steps)
        told = game.start + sign * (game.luck - game.mistakes)
        if exact:
            assert isinstance(told, Fraction)
            assert told == game.total == result(game)
        assert float(told) == pytest.approx(result(game), abs=1e-9)


@pytest.mark.parametrize("name", SMALL)
def test_the_best_moves_lose_nothing_and_luck_averages_out(name: str) -> None:
    solution = solution_of(name, exact=True)
    pending = solution.game.start()
    roll = solution.game.roll(pending)
    games = {state: start_game(solution).rolled(state) for state in roll}
    assert sum(weight * games[state].luck for state, weight in roll.items()) == 0
    for state, game in games.items():
        if solution.game.actions(state):
            assert game.moved(solution.best(state)).mistakes == 0


@pytest.mark.parametrize("name", SMALL)
def test_records_come_back(name: str) -> None:
    solution = solution_of(name, exact=True)
    game = play(solution, 7)
    text = write_record(game, SMALL[name][0], SMALL[name][1], comments=["a comment"])
    record = read_record(text)
    assert (record.game, record.parameters) == SMALL[name][:2]
    assert read_objective(record.objective) == solution.objective
    assert grade(solution, record).steps == game.steps
    assert write_record(grade(solution, record), record.game, record.parameters, comments=["a comment"]) == text


def test_a_record_by_hand() -> None:
    """Lines may end in any way, comments and empty lines do not count, and a sure roll at the end may be left out."""
    solution = solve(load("yazy", boxes="ones"), exact=True)
    text = "\ufeff# mine\r\ngame: yazy\r\nparameters: boxes=ones\r\n\r\n roll: 61123 2 all\r\nmove: ones\r\n"
    game = grade(solution, read_record(text))
    assert (game.over, game.total) == (True, 2)
    assert game.steps[0].best == (1, 1)
    assert game.mistakes > 0
    unfinished = grade(solution, read_record(text.partition(" roll")[0]))
    assert (unfinished.over, unfinished.total, unfinished.steps) == (False, Fraction(455, 216), ())


MALFORMED = [
    ("", "line 1: expected 'game: NAME', but the record ends"),
    ("game slots\n", "line 1: expected 'roll: STATE', 'move: ACTION' or a header"),
    ("gme: slots\n", "line 1: unknown key 'gme': did you mean 'game'?"),
    ("game: slots\nroll: all 0 6\nparameters: target=3\n", "line 3: 'parameters:' was given after the first roll"),
    ("roll: all 0 6\n", "line 1: expected 'game: NAME' before the first roll"),
    ("game: slots\nmove: x3\n", "line 2: expected 'roll:', got 'move: x3'"),
    ("game: slots\nroll: all 0 6\nroll: all 0 6\n", "line 3: expected 'move:', got 'roll: all 0 6'"),
    ("game: slots\nparameters: target\n", "line 2: parameter 'target': expected NAME=VALUE"),
    ("game: slots\nobjective: at-least\n", "line 2: objective 'at-least': expected 'at-least' and a number"),
]

IMPOSSIBLE = [
    ("roll: nonsense", "line 2: 'nonsense' is not a position"),
    ("roll: all 0 6\nmove: x9", "line 3: 'x9' is not possible now"),
    ("roll: all 0 6\nmove: x3\nroll: all 0 6", "line 4: state .* cannot follow: the roll was flip,.* 18"),
    ("roll: all 0 6\nmove: x3\n\nroll: flip,+4only12,x2even,+4odd,bin 17 1", "line 5: state .* cannot follow"),
]


def test_malformed_records() -> None:
    for text, match in MALFORMED:
        with pytest.raises(GameError) as caught:
            read_record(text)
        assert str(caught.value).startswith(match)


def test_impossible_records() -> None:
    solution = solution_of("slots")
    for text, match in IMPOSSIBLE:
        with pytest.raises(GameError, match=match):
            grade(solution, read_record(f"game: slots\n{text}\n"))


def test_moves_after_the_end_are_refused() -> None:
    solution = solve(load("words", dice="AB", words="A"))
    with pytest.raises(GameError, match="line 3: the move \\* came, but the game is over"):
        grade(solution, read_record("game: words\nroll: A\nmove: *"))
    with pytest.raises(GameError, match="line 4: 'C' is not a roll of the dice"):
        grade(solution, read_record("game: words\nroll: B\nmove: *\nroll: C"))
    game = start_game(solution)
    with pytest.raises(PositionError, match="a roll was expected"):
        game.moved(("*",))
    with pytest.raises(PositionError, match="a move was expected"):
        game.rolled(("B",)).rolled(("A",))


def test_hopeless_positions_are_graded() -> None:
    """A move after which the end is not sure loses infinitely much, and is still graded."""

    class Trap(Game[int, int, str]):
        def start(self) -> int:
            return 0

        def roll(self, pending: int) -> dict[int, int]:
            return {0: {1: 1}, 1: {2: 1, 3: 1}, 3: {4: 1}, 2: {2: 1}}[pending]

        def actions(self, state: int) -> list[str]:
            return {1: ["go", "risk"], 2: ["stay"]}.get(state, [])

        def play(self, state: int, action: str) -> int:
            return {"go": 3, "risk": 1, "stay": 2}[action]

    solution = solve(Trap(), Fewest())
    game = start_game(solution).rolled(1).moved("risk")
    assert game.mistakes == float("inf")
    assert game.rolled(2).steps[-1].luck == 0
    assert game.rolled(2).moved("stay").steps[-1].loss == 0


@pytest.mark.parametrize("name", SMALL)
def test_the_roll_source_rolls_by_weight(name: str) -> None:
    game = solution_of(name).game
    source, roll = RollSource(game, Random(4)), game.roll(game.start())
    drawn = Counter(source.draw(game.start()) for _ in range(6000))
    assert set(drawn) <= set(roll)
    total = sum(roll.values())
    chi = sum((drawn[s] - 6000 * w / total) ** 2 / (6000 * w / total) for s, w in roll.items())
    assert chi < len(roll) + 6 * (2 * len(roll)) ** 0.5


def test_dice_are_drawn() -> None:
    assert draw_dice(()) == []
    assert draw_dice((6, "o"), plain=True) == [
        "+-----+ +-----+",
        "| o o | |     |",
        "| o o | |  o  |",
        "| o o | |     |",
        "+-----+ +-----+",
    ]
    assert draw_dice((1,))[2] == "│  ●  │"
    assert {len(line) for line in draw_dice((12, 3))} == {15}


Run = Any


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command with lines on standard input."""

    def go(*arguments: str, lines: str = "") -> tuple[int, str, str]:
        code, out, err = terminal.run(capsys, *arguments, "--no-cache", typed=lines)
        assert "\x1b" not in out
        return code, out, err

    return go


def test_a_game_by_hand(run: Run) -> None:
    lines = "?\nk 5\nhelp\nundo\nfoo\n\nones\nstraight\n"
    code, out, err = run("play", "yazy", "-p", "boxes=ones,straight", "--seed", "1", lines=lines)
    assert (code, err) == (0, "")
    for text in ("keep 245", "take back the last move", "'foo' is not a move", "rerolls left 1", "the game is over: total"):
        assert text in out
    assert out.count("rerolls left 2, total 0\nboxes: ones 0, straight 0") == 2


def test_an_undone_move_gets_its_roll_again(run: Run) -> None:
    out = run("play", "yazy", "--seed", "1", lines="k 55\nu\nk 55\nq\n")[1]
    shown = out.split("> ")
    assert shown[1].partition("\n")[2] == shown[3].partition("\n")[2]
    assert run("play", "slots", "--seed", "1", lines="undo\n")[1].count("there is no move to take back") == 1


def test_the_end_of_the_input_stops_politely(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "part.txt"
    code, out, err = run("play", "slots", "--seed", "3", "--coach", "--record", str(path), lines="bin\n")
    assert (code, err) == (0, "")
    assert "game stopped" in out
    code, out, err = run("play", "slots", "--seed", "3", "--coach", "--record", str(path), lines="flip\ny\nquit\n")
    assert (code, err) == (0, "")
    assert out.index("game stopped") < out.index("value at the start") < out.index("costliest moves")
    graded = run("grade", str(path))[1]
    assert "value now" in graded
    assert "flip" in graded


def test_the_coach_warns(run: Run) -> None:
    code, out, _ = run("play", "slots", "--seed", "3", "--coach", lines="bin\nn\n+4odd\nq\n")
    assert code == 0
    assert out.count("coach: bin loses") == 1
    assert out.count("play it anyway? [y/N]") == 1
    assert "+4odd loses" not in out
    assert "coach:" not in run("play", "slots", "--seed", "3", "--coach", "--warn", "1", lines="bin\nq\n")[1]
    assert "coach:" not in run("play", "slots", "--seed", "3", lines="bin\nq\n")[1]


def test_plain_dice_where_the_terminal_has_no_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Ascii(io.StringIO):
        encoding = "ascii"

    out = Ascii()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert main(["play", "slots", "--seed", "1", "--no-cache"]) == 0
    assert out.getvalue().isascii()
    assert "+-----+" in out.getvalue()


def test_a_refused_move_says_what_may_have_been_meant() -> None:
    """A slip names the move, dice that were not rolled name the dice, and without rerolls that is said."""
    game = load("yazy")
    for state, typed, part in (
        ("24556 2 all", "kep 4", "keep 4"),
        ("24556 2 all", "ful hose", "full-house"),
        ("24556 2 all", "keep 3", "2 4 5 5 6"),
        ("24556 0 all", "roll", "rerolls"),
        ("24556 0 all", "keep 5", "rerolls"),
    ):
        with pytest.raises(PositionError) as caught:
            game.read_action(typed, game.read_state(state))
        assert part in str(caught.value)


def test_a_lost_turn_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """Pig has no dice to draw: every roll is named, with the player, so also one that loses the turn."""
    _, out, _ = terminal.run(capsys, "play", "pig", "-p", "target=20", "--opponent", "greedy", "--seed", "2", typed="roll\n" * 30)
    assert "you rolled 1" in out
    assert "computer rolled" in out


def test_a_few_moves_are_listed_unless_more_are_requested(capsys: pytest.CaptureFixture[str]) -> None:
    state = ("--state", "33561 2 all")
    short, long, data = (terminal.run(capsys, "advise", "yazy", *state, *more)[1] for more in ((), ("--top", "34"), ("--json",)))
    assert len(short.splitlines()) < len(long.splitlines())
    assert "--top 34" in short
    assert len(json.loads(data)["moves"]) == 34
