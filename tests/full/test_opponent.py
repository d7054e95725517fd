"""A computer to play against: its moves are those of its strategy, the chance shown is mine, what was played is recorded."""

import io
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rollwise import AtLeast, Duel, GameError, Solution, evaluate, read_record, solve, start_game
from rollwise import (
    cache as cached,
)
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.model.abilities import unlifted
from rollwise.playing.rivals import OPPONENTS, find_rival, worth_to
from rollwise.playing.roll_source import RollSource
from rollwise.policies import Greedy, Optimal, Policy, PolicyPair

BOXES = "ones,five-of-a-kind"
DUEL = ["play", "yazy", "-p", f"boxes={BOXES}"]
PIG = ["play", "pig", "-p", "target=10"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def pig() -> Solution:
    return solve(load("pig", target=14))


@pytest.fixture(scope="module")
def duel() -> Solution:
    return solve(load("yazy", boxes=BOXES), Duel())


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str, typed: str = ""
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("player", [0, 1])
def test_moves_are_those_of_the_strategy(duel: Solution, name: str, player: int) -> None:
    sheet = unlifted(duel.game)
    points = solve(sheet)
    rival = find_rival(name, duel, player, lambda: points)
    policies: dict[str, Policy] = {"optimal": Optimal(duel), "points": Optimal(points), "greedy": Greedy()}
    random = Random(5)
    source, game = RollSource(duel.game, random), start_game(duel)
    while True:
        game = game.rolled(source.draw(game.pending))
        if game.over:
            return
        state = game.steps[-1].state
        action = rival.move(state, random)
        assert policies[name].weights(duel.game, state) == {action: 1}
        assert rival.why(state, action)
        game = game.moved(action)


@pytest.mark.parametrize("player", [0, 1])
def test_the_chance_is_against_this_opponent(pig: Solution, player: int) -> None:
    """What is shown is the value of the best answer, which simulation-free evaluation gives too, and never below best play's."""
    rival = find_rival("greedy", pig, player, lambda: pig)
    both = PolicyPair("best", Greedy()) if player == 1 else PolicyPair(Greedy(), "best")
    assert rival.exactly
    assert rival.known.value() == pytest.approx(evaluate(load("pig", target=14), both).value, abs=1e-12)
    for text in ("0 0 first 5", "2 9 second 0", "10 5 first 3", "3 12 second 0"):
        state = pig.game.read_state(text)
        against, best = (worth_to(1 - player, pig, found.value(state)) for found in (rival.known, pig))
        assert against >= best - 1e-12


def test_chances_of_both_players_add_up_to_one(pig: Solution) -> None:
    assert worth_to(0, pig, pig.value()) + worth_to(1, pig, pig.value()) == 1


def test_who_cannot_be_an_opponent() -> None:
    alone = solve(load("yazy", boxes="ones"))
    small = solve(load("pig", target=5))
    with pytest.raises(GameError, match="for one player"):
        find_rival("optimal", alone, 1, lambda: alone)
    with pytest.raises(GameError, match="give optimal or greedy"):
        find_rival("points", small, 1, lambda: small)
    with pytest.raises(GameError, match="did you mean 'greedy'"):
        find_rival("gredy", small, 1, lambda: small)


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("first", ["me", "computer"])
def test_a_duel_is_played_and_recorded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path, tmp_path: Path, name: str, first: str
) -> None:
    file = tmp_path / "game.txt"
    more = ["--opponent", name, "--first", first, "--auto", "--seed", "3", "--record", str(file), "--cache", str(cache)]
    code, out, err = play(capsys, monkeypatch, *DUEL, *more)
    assert (code, err) == (0, "")
    assert f"against the computer ({name}), {'you begin' if first == 'me' else 'the computer begins'}: your chance" in out
    assert ("against best play" in out) == (name == "greedy")
    assert ("against this opponent" in out) == (name == "points")
    record = read_record(file.read_text())
    assert record.players == (("me", name) if first == "me" else (name, "me"))
    moves = [line for line in record.lines if line.kind == "move"]
    assert len(re.findall("^computer> .+: .+$", out, re.MULTILINE)) + len(re.findall("^> ", out, re.MULTILINE)) == len(moves)
    assert len(re.findall(r"^your chance.* [\d.]+ % -> [\d.]+ %$", out, re.MULTILINE)) == len(moves)
    assert re.search("the game is over: you (won|lost|tied) ", out)


def test_my_best_move_keeps_my_chance(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    options = ["--opponent", "optimal", "--first", "random", "--auto", "--seed", "8", "--cache", str(cache)]
    _, out, _ = play(capsys, monkeypatch, *PIG, *options)
    changes = re.findall(r"^your chance ([\d.]+) % -> ([\d.]+) %$", out, re.MULTILINE)
    assert changes
    assert all(before == after for before, after in changes)


def test_who_begins_at_random_follows_the_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    def begins(seed: int) -> str:
        options = ["--opponent", "optimal", "--first", "random", "--auto", "--seed", str(seed), "--cache", str(cache)]
        return play(capsys, monkeypatch, *PIG, *options)[1].partition(":")[0]

    found = [begins(seed) for seed in range(6)]
    assert len(set(found)) == 2
    assert found == [begins(seed) for seed in range(6)]


def test_undo_takes_back_the_computers_moves_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """Taking back a move leads to my own move before, and the same move then gets the same rolls and answers."""
    game = ["play", "pig", "-p", "target=20", "--opponent", "greedy", "--seed", "2", "--cache", str(cache)]
    once = play(capsys, monkeypatch, *game, typed="hold\n")[1]
    again = play(capsys, monkeypatch, *game, typed="hold\nundo\nhold\n")[1]
    answer = once.partition("> hold")[2].partition("> \n")[0]
    assert "computer>" in answer
    assert again.count(answer) == 2


def test_the_coach_sums_up_my_side(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    options = ["--opponent", "greedy", "--first", "computer", "--auto", "--coach", "--seed", "5", "--cache", str(cache)]
    _, out, _ = play(capsys, monkeypatch, *PIG, *options)
    start, luck, mistakes, *_ = (
        float(number) for number in re.findall(r"([+-]?\d\.\d{6})", out.partition("value at the start")[2])
    )
    assert start == pytest.approx(1 - solve(load("pig", target=10)).value(), abs=1e-6)
    assert mistakes == 0
    assert "costliest moves" not in out
    assert luck


def test_advice_says_whose_chance_it_is(capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    assert main(["advise", "pig", "-p", "target=10", "--state", "3 2 second 4", "--cache", str(cache)]) == 0
    assert "first player's win probability" in capsys.readouterr().out
    assert main(["advise", "yazy", "-p", "boxes=ones", "--state", "11123 1 ones", "--cache", str(cache)]) == 0
    assert "first player" not in capsys.readouterr().out


NEEDLESS = ("numba", "scipy", "pydantic", "psutil", "importlib.metadata", "numpy.ma", "numpy.random", "concurrent.futures")


def test_advice_on_a_kept_game_loads_no_compiler(tmp_path: Path) -> None:
    """Kept means quick: what a short command imports is most of its time."""
    cached.save(solve(load("yazy", boxes="ones,straight"), AtLeast(40)), tmp_path)
    ask = ["advise", "yazy", "-p", "boxes=ones,straight", "--at-least", "40", "--state", "12346 1 all needs 40"]
    code = (
        f"import sys; from rollwise.cli.main import main; main({[*ask, '--cache', str(tmp_path)]!r}); "
        f"print([name for name in {NEEDLESS!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr.strip() == "[]"
