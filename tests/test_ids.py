"""Position ids: frozen, one for a position and one position for an id, and no slip of the keyboard goes unnoticed."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import Against, Game, PositionError, grade, read_record, solve
from rollwise.games import load
from rollwise.model.abilities import duel
from rollwise.model.ids import ALPHABET, is_id, position_id, read_id, read_position
from rollwise.model.lift import HavingGame, NeedingGame
from rollwise.model.packing import append, pack_text, split, unpack_text
from tests.random_play import walk
from tests.terminal import GAME_FILE, run

AnyGame = Game[Any, Any, Any]
WORDS = {"dice": "ABC,ABC,DE", "words": "ABD"}
GROUPS = {"faces": "6", "sizes": "3,2"}
RAW = {"faces": "6", "sizes": "3,2", "view": "raw"}

POSITIONS: list[tuple[str, dict[str, str], str, str, str]] = [
    ("yahtzee", {}, "", "22233 2 all upper 0", "1b3"),
    ("yahtzee", {}, "", "12345 1 ones,yahtzee upper 45", "1fVTFBj"),
    ("yahtzee", {}, "", "44444 0 fours,chance upper 10 primed", "16XmDcw"),
    ("yahtzee", {}, "", "- 0 none upper 63", "2DMDox7"),
    ("yahtzee", {}, "needs", "22233 2 all upper 0 needs 144", "F0nRR"),
    ("yahtzee", {}, "has", "12345 1 ones,yahtzee upper 45 has 203", "FiCXtVSsZ"),
    ("yahtzee", {}, "duel", "22233 2 all upper 0 vs all upper 0 lead 0", "TeT4"),
    ("yahtzee", {}, "duel", "13356 0 chance upper 41 vs none upper 63 primed lead -27", "8XazcXeHbTnsgLk"),
    ("yatzy", {}, "", "66661 1 sixes,chance upper 57", "3KnBJ3G"),
    ("yatzy", {}, "", "11111 2 all upper 0", "AW"),
    ("yatzy", {}, "needs", "66661 1 sixes,chance upper 57 needs -3", "1oj37not"),
    ("maxi-yatzy", {}, "", "222555 0 all upper 0", "JCs"),
    ("maxi-yatzy", {}, "", "123456 2 villa,tower upper 84", "4mPDWJoM"),
    ("kniffel", {}, "", "23345 0 all upper 0", "88V"),
    ("kniffel", {}, "", "55555 1 kniffel upper 12", "qExo65"),
    ("yazy", {}, "", "33561 2 all", "HF5"),
    ("yazy", {"boxes": "ones,straight"}, "", "11234 1 straight", "Ucz"),
    ("yazy", {"boxes": "ones,straight"}, "needs", "11234 1 straight needs 14", "8Qary"),
    ("yazy", {}, "duel", "66661 1 sixes,straight vs ones,straight lead -12", "4um5ZFTg4rkQ"),
    ("yacht", {}, "", "23346 1 full-house,big-straight,choice", "JSGgF"),
    ("yacht", {}, "duel", "66661 1 sixes,yacht vs ones,choice lead -12", "6aQ7aTNqNXv6"),
    ("crag", {}, "", "346 1 sixes,thirteen,crag", "2E1og"),
    ("crag", {}, "duel", "166 0 crag vs thirteen lead 24", "20X3gv8eAe6X"),
    ("yacht-dice", {}, "", "22355 1 fives,full-house,small-straight upper 48", "SYaXVv"),
    ("kismet", {}, "", "33445 1 two-pair,flush,full-house-colour upper 63", "53K8PLS"),
    ("kismet", {}, "", "- 0 none upper 78", "5VHQkXv"),
    ("slots", {}, "", "all 0 6", "6WW"),
    ("slots", {}, "", "x3,bin 30 6", "298yV"),
    ("slots", {}, "", "none 45 0", "4PZEp"),
    ("slots", {"slots": "up:1/2/3,down:-1/-2/-3"}, "", "up -3 2", "B1i"),
    ("pig", {}, "", "27 31 first 12", "51dCRwwm"),
    ("pig", {}, "", "0 0 second 0", "JBv7j"),
    ("pig", {}, "", "100 31 over", "1KHe2gDG"),
    ("bear-off", {"start": "15"}, "", "15/0/0/0/0/0 6-1", "8HwJv"),
    ("bear-off", {"start": "2/1/0/0/0/3"}, "", "2/1/0/0/0/3 2-1", "6yjj"),
    ("bear-off", {"players": "2", "start": "2/1"}, "", "2/1/0/0/0/0 1/1/0/0/0/0 second 6-6", "BRGPKF"),
    ("balut", {}, "", "23455 2 fives:2,straight,choice", "2TxKN2s"),
    ("cant-stop", {"sides": "3"}, "", "0/0/0/0/0 0/0/0/0/0 1111", "ejPxR3ro8Yw1EHN2bpz9n"),
    ("farkle", {}, "", "200 1155", "A4wmovhW"),
    ("generala", {}, "", "33344 2 threes,full-house,four-of-a-kind,generala", "uiPY"),
    ("hog", {}, "", "0 98 first", "TrMZXE5DZDDF2F"),
    ("shut-the-box", {}, "", "1,2,3,5,6,7,8,9 8", "3eSXDbKDuq9oAdqy"),
    ("threes", {}, "", "12446", "1E7KRa"),
    ("two-dice-pig", {}, "", "0 0 first 21", "BipDzH"),
    ("words", WORDS, "", "ABD", "47"),
    ("words", WORDS, "", "CCE", "a6"),
    ("groups", GROUPS, "", "3,1 1", "PxQ3S"),
    ("groups", GROUPS, "", "- 0", "oBS"),
    ("groups", RAW, "", "6,6,1 3", "D3DRsKF"),
]  # fmt: skip
"""Ids that are in the world: they must read the same for ever."""


def form(name: str, parameters: dict[str, str], way: str = "") -> AnyGame:
    game = load(name, **parameters)
    if way == "duel":
        return duel(game, Fraction(1, 2))
    lifted = {"needs": NeedingGame(game, 200, floor=False), "has": HavingGame(game, Against({200: 1}))}
    return lifted.get(way, game)


def test_ids_are_frozen() -> None:
    for name, parameters, way, text, known in POSITIONS:
        game = form(name, parameters, way)
        state = game.read_state(text)
        assert position_id(game, state) == known
        assert read_id(game, known) == state
        assert read_position(game, f" {known} ") == state == read_position(game, text)


def test_every_slip_is_noticed() -> None:
    for name, parameters, way, _, known in POSITIONS[::3]:
        game = form(name, parameters, way)
        for place, right in enumerate(known):
            for wrong in set(ALPHABET) - {right}:
                with pytest.raises(PositionError, match="the check character of the id"):
                    read_id(game, known[:place] + wrong + known[place + 1 :])
            for other in range(place):
                swapped = [*known]
                swapped[place], swapped[other] = swapped[other], swapped[place]
                assert "".join(swapped) == known or not is_id(game, "".join(swapped))


@pytest.mark.full
def test_one_id_for_a_position_and_one_position_for_an_id() -> None:
    for name, parameters, way in sorted({(n, json.dumps(p), w) for n, p, w, *_ in POSITIONS}):
        game = form(name, json.loads(parameters), way)
        states = {state for _, state in walk(game, seed=6, count=200)}
        ids = {position_id(game, state): state for state in states}
        assert len(ids) == len(states)
        assert all(read_id(game, found) == state for found, state in ids.items())


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_texts_come_back(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


@given(st.integers(0), st.integers())
def test_numbers_come_back(number: int, more: int) -> None:
    assert split(append(number, more)) == (number, more)


def test_notation_comes_before_ids() -> None:
    game = load("words", dice="47A,47B", words="44")
    state = game.read_state("44")
    found = position_id(game, state)
    assert read_position(game, "44") == state == read_position(game, f"id:{found}")
    with pytest.raises(PositionError, match="nor is it the id of a position here"):
        read_position(load("slots"), "frobnicate")
    with pytest.raises(PositionError, match="check character"):
        read_position(load("slots"), "id:298yW")


def test_a_record_may_hold_ids() -> None:
    game = load("slots")
    text = f"game: slots\nroll: {position_id(game, game.read_state('all 0 6'))}\nmove: x3"
    assert float(grade(solve(game), read_record(text)).mistakes) == pytest.approx(59 / 1944)


# The command


def test_show_goes_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "show", "yahtzee", "--state", "22233 2 all upper 0") == (0, "1b3\n", "")
    code, out, _ = run(capsys, "show", "yahtzee", "1b3")
    assert code == 0
    assert "position  22233 2 all upper 0\nid        1b3\n" in out
    assert "full-house        25" in out
    found = json.loads(
        run(capsys, "show", "yahtzee", "--objective", "duel", "--json", "--state", "22233 2 all upper 0 vs all upper 0 lead 0")[1]
    )
    assert json.loads(run(capsys, "show", "yahtzee", "--objective", "duel", "--json", found["id"])[1]) == found
    assert (found["objective"], found["over"], found["position"]["lead"]) == ("duel", False, 0)


def test_advise_takes_and_gives_ids(capsys: pytest.CaptureFixture[str]) -> None:
    by_text = run(capsys, "advise", "slots", "--state", "x3,bin 30 6", "--no-cache", "--json")
    assert json.loads(by_text[1])["id"] == "298yV"
    assert run(capsys, "advise", "slots", "--state", "298yV", "--no-cache", "--json") == by_text


def test_a_users_game_has_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "higher.py"
    file.write_text(GAME_FILE)
    for more, text in (((), "4"), (("--at-least", "3"), "4 needs 3")):
        code, out, err = run(capsys, "show", str(file), *more, "--state", text)
        assert (code, err) == (0, "")
        assert f"position  {text}" in run(capsys, "show", str(file), *more, out.strip())[1]
    plain = position_id(load(str(file)), 4)
    found = json.loads(run(capsys, "advise", str(file), "--no-cache", "--json", "--state", f"id:{plain}")[1])
    assert (found["state"], found["id"]) == ("4", plain)
