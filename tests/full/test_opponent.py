"""A computer to play against: its moves are those of its strategy, the chance shown is mine, what was played is recorded."""

import re
from pathlib import Path
from random import Random

import pytest

from rollwise import Duel, Solution, evaluate, read_record, solve, start_game
from rollwise.games import load
from rollwise.model.abilities import unlifted
from rollwise.playing.rivals import OPPONENTS, find_rival, worth_to
from rollwise.playing.roll_source import RollSource
from rollwise.policies import Greedy, Optimal, Policy, PolicyPair
from tests.terminal import run

BOXES = "ones,five-of-a-kind"
DUEL = ["play", "yazy", "-p", f"boxes={BOXES}"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def pig() -> Solution:
    return solve(load("pig", target=14))


@pytest.fixture(scope="module")
def duel() -> Solution:
    return solve(load("yazy", boxes=BOXES), Duel())


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


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("first", ["me", "computer"])
def test_a_duel_is_played_and_recorded(
    capsys: pytest.CaptureFixture[str], cache: Path, tmp_path: Path, name: str, first: str
) -> None:
    file = tmp_path / "game.txt"
    more = ["--opponent", name, "--first", first, "--auto", "--seed", "3", "--record", str(file), "--cache", str(cache)]
    code, out, err = run(capsys, *DUEL, *more)
    assert (code, err) == (0, "")
    assert f"against the computer ({name}), {'you begin' if first == 'me' else 'the computer begins'}: your chance" in out
    assert ("against best play" in out) == (name == "greedy")
    assert ("against this opponent" in out) == (name == "points")
    record = read_record(file.read_text())
    assert record.players == (("me", name) if first == "me" else (name, "me"))
    moves = [line for line in record.lines if line.kind == "move"]
    assert len(re.findall("^computer> .+$", out, re.MULTILINE)) + len(re.findall("^> ", out, re.MULTILINE)) == len(moves)
    changes = re.findall(r"^your chance.* ([\d.]+) % -> ([\d.]+) %$", out, re.MULTILINE)
    assert len(changes) <= len(moves)
    assert bool(changes) == (name == "greedy")  # best replies change no chance
    assert all(before != after for before, after in changes)
    assert re.search("the game is over: you (won|lost|tied) ", out)


def test_undo_takes_back_the_computers_moves_too(capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    """Taking back a move leads to my own move before, and the same move then gets the same rolls and answers."""
    game = ["play", "pig", "-p", "target=20", "--opponent", "greedy", "--seed", "2", "--cache", str(cache)]
    once = run(capsys, *game, typed="hold\n")[1]
    again = run(capsys, *game, typed="hold\nundo\nhold\n")[1]
    answer = once.partition("> hold")[2].partition("> \n")[0]
    assert "computer>" in answer
    assert again.count(answer) == 2
