"""`rollwise card`, and cards where other commands take a strategy."""

import json
from pathlib import Path

import pytest

from rollwise.cli.completion import candidates
from rollwise.cli.parsing import make_parser
from rollwise.games import load
from rollwise.model.card import read_card
from rollwise.model.objective import CHANCE
from tests.terminal import run

GAME = ("slots", "-p", "slots=a:1/2/6,b:0/4/0,c:3/0/5", "-p", "target=12")
TEXT = "if roll = 3: a\nif roll = 2 and b free: b\notherwise: most points\n"
PIG = ("pig", "-p", "target=12", "-p", "faces=4")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("mine.card").write_text(TEXT)
    Path("pig.card").write_text("game pig\nif turn total >= 6: hold\notherwise: roll\n")


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    return out


def test_a_card_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "card", *GAME, "--evaluate", "mine.card")
    assert "optimum" in out
    assert "2      if roll = 2 and b free: b" in out
    found = json.loads(answer(capsys, "card", *GAME, "--evaluate", "mine.card", "--json"))
    assert found["lines"] == TEXT.splitlines()
    assert (found["size"], found["features"], found["proved"], found["kind"]) == (3, ["roll", "b free"], False, "rules")
    assert found["loss"] == pytest.approx(found["optimum"] - found["value"])
    assert sum(line["loss"] for line in found["by_line"]) + found["no_line"]["loss"] == pytest.approx(found["loss"])
    assert {*found} == {
        "game", "parameters", "objective", "size", "value", "optimum", "loss", "lines", "features", "proved", "kind", "by_line",
        "no_line", "never_reached", "positions", "remarks",
    }  # fmt: skip


def test_what_is_odd_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.card").write_text("if roll > 3 and roll < 2: a\nif roll = 9: b\nif roll = 1: c\n")
    out = answer(capsys, "card", *GAME, "--evaluate", "odd.card")
    assert "line 1 never fits: its condition contradicts itself" in out
    assert "line 2 is never reached: if roll = 9: b" in out
    assert "line 1 is never reached" not in out
    assert "of the decisions: the first move that the rules list is made there" in out


def test_a_card_that_goes_round_for_ever(capsys: pytest.CaptureFixture[str]) -> None:
    Path("round.card").write_text("if groups >= 1: reroll\notherwise: keep\n")
    words = ("card", "groups", "-p", "faces=6", "-p", "sizes=2,1", "--evaluate", "round.card")
    out = answer(capsys, *words)
    assert "the card may never end the game: give a line for where it goes round" in out
    found = json.loads(answer(capsys, *words, "--json"), parse_constant=pytest.fail)
    assert (found["value"], found["loss"]) == (None, None)


def test_a_card_for_another_game_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.card").write_text(f"game yazy\naim expected\n{TEXT}")
    code, _, err = run(capsys, "card", *GAME, "--evaluate", "mine.card")
    assert code == 0
    assert err.splitlines() == [
        "rollwise: mine.card was made for the game yazy, and this is slots",
        "rollwise: mine.card was made for the aim expected, and this is at-least 12",
    ]


def test_words_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "card", "pig", "--words")
    assert "gap             -99 to 99   their score minus yours: below 0 you are ahead" in out
    found = json.loads(answer(capsys, "card", "yazy", "--at-least", "150", "--words", "--json"))
    assert "points needed" in [feature["name"] for feature in found["features"]]
    assert all(verb["name"] for verb in found["verbs"])


@pytest.mark.full
def test_a_card_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("card", *GAME, "--size", "2", "--seconds", "2")
    found = json.loads(answer(capsys, *words, "--json"))
    assert found["size"] <= 2
    assert found["loss"] == pytest.approx(found["optimum"] - found["value"])
    assert [point["loss"] for point in found["curve"]] == sorted((point["loss"] for point in found["curve"]), reverse=True)
    out = answer(capsys, *words, "-o", "found.card")
    assert "card written to found.card" in out
    card = read_card(Path("found.card").read_text(), load("slots", slots="a:1/2/6,b:0/4/0,c:3/0/5", target=12).vocabulary())
    assert (card.game, card.aim) == ("slots", "at-least 12")
    judged = json.loads(answer(capsys, "card", *GAME, "--evaluate", "found.card", "--json"))
    assert CHANCE.exactly(judged["value"]) in out


def test_other_commands_take_a_card(capsys: pytest.CaptureFixture[str]) -> None:
    judged = json.loads(answer(capsys, "card", *GAME, "--evaluate", "mine.card", "--json"))
    played = json.loads(answer(capsys, "simulate", *GAME, "--policy", "mine.card", "--games", "2000", "--json"))
    assert played["policy"] == "mine.card"
    assert played["value"] == pytest.approx(judged["value"])
    assert abs(played["z_score"]) < 4
    out = answer(capsys, "distribution", *GAME, "--policy", "mine.card")
    assert CHANCE.exactly(judged["value"]) in out
    out = answer(capsys, "play", *GAME, "--auto", "--policy", "mine.card", "--seed", "3", "--record", "game.txt")
    assert "the game is over" in out
    out = answer(capsys, "grade", "game.txt", "--policy", "mine.card")
    assert "mine.card agrees with 2 of 2 moves" in out
    graded = json.loads(answer(capsys, "grade", "game.txt", "--policy", "greedy", "--json"))
    assert {*graded["policy"]} == {"name", "decisions", "same", "loss"}


def test_greedy_and_random_play_too(capsys: pytest.CaptureFixture[str]) -> None:
    for policy in ("greedy", "random"):
        found = json.loads(answer(capsys, "simulate", *GAME, "--policy", policy, "--games", "500", "--json"))
        assert abs(found["z_score"]) < 4
        assert "the game is over" in answer(capsys, "play", *GAME, "--auto", "--policy", policy, "--seed", "3")


def test_a_card_for_two_plays_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    judged = json.loads(answer(capsys, "card", *PIG, "--evaluate", "pig.card", "--json"))
    assert judged["optimum"] == 0.5
    played = json.loads(answer(capsys, "simulate", *PIG, "--policy", "pig.card", "--games", "2000", "--json"))
    assert played["value"] == pytest.approx(judged["value"])
    assert abs(played["z_score"]) < 4
    out = answer(capsys, "play", *PIG, "--auto", "--opponent", "pig.card", "--first", "computer", "--seed", "2")
    assert "against the computer (pig), the computer begins: your chance against this opponent" in out
    assert "computer> roll: line 2, otherwise: roll" in out


def test_a_line_being_typed_is_offered_files() -> None:
    parser = make_parser()
    assert "mine.card" in candidates(parser, ["distribution", "slots", "--policy", "m"])
    assert candidates(parser, ["distribution", "slots", "--policy", "g"]) == ["greedy"]
    assert "pig.card" in candidates(parser, ["play", "pig", "--opponent", "p"])
    assert "mine.card" in candidates(parser, ["card", "slots", "--evaluate", "m"])
    assert "--evaluate" in candidates(parser, ["card", "slots", "--e"])
