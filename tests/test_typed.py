"""What people type: positions and moves in any case, order and spacing mean what they mean, or are refused in their own words."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import Game, PositionError
from rollwise.games import load
from rollwise.games.catalogue import CATALOGUE
from rollwise.model.abilities import duel
from rollwise.model.lift import NeedingGame
from tests.examples import examples
from tests.random_play import walk

TYPED: dict[str, list[Any]] = json.loads((Path(__file__).parent / "data" / "typed.json").read_text(encoding="utf-8"))
WITH = {"words": {"dice": "ABC,ABC,DE", "words": "ABD"}, "groups": {"faces": "6", "sizes": "3,2"}}

game_named = cache(load)


@pytest.mark.parametrize(("name", "typed", "meant"), TYPED["positions"])
def test_positions(name: str, typed: str, meant: str) -> None:
    game = game_named(name)
    assert game.show_state(game.read_state(typed)) == meant


@pytest.mark.parametrize(("name", "state", "moves"), TYPED["moves"])
def test_moves(name: str, state: str, moves: dict[str, str]) -> None:
    game = game_named(name)
    assert {typed: game.show_action(game.read_action(typed, game.read_state(state))) for typed in moves} == moves


@pytest.mark.parametrize(("name", "typed", "quoted"), TYPED["refused"])
def test_a_refused_position_is_quoted(name: str, typed: str, quoted: str) -> None:
    with pytest.raises(PositionError) as caught:
        game_named(name).read_state(typed)
    assert quoted in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "state", "moves"), TYPED["no moves"])
def test_a_refused_move_is_quoted(name: str, state: str, moves: list[str]) -> None:
    game = game_named(name)
    for typed in moves:
        with pytest.raises(PositionError) as caught:
            game.read_action(typed, game.read_state(state))
        assert repr(typed) in str(caught.value)


def test_what_follows_for_a_target_and_for_two() -> None:
    needing = NeedingGame(load("yazy"), 200, floor=True)
    assert needing.read_state("3 3 5 6 1") == needing.read_state("33561 2 all needs 200")
    assert needing.read_state("Needs: 45, 33561 1 Ones") == needing.read_state("33561 1 ones braucht 45")
    with pytest.raises(PositionError, match="'33561 1 ones'"):
        needing.read_state("33561 1 ones")
    two = duel(load("yahtzee"), Fraction(1, 2))
    assert two.show_state(two.read_state("3 3 5 6 1")) == "13356 2 all upper 0 vs all upper 0 lead 0"
    assert two.show_state(two.read_state("33561 0 Chance upper 9 lead -3 against none upper 63")).endswith(
        "vs none upper 63 lead -3"
    )
    with pytest.raises(PositionError, match="lead"):
        two.read_state("33561 0 chance upper 9 vs none upper 63")


@cache
def met(name: str) -> tuple[Game[Any, Any, Any], list[Any]]:
    game = load(name, **WITH.get(name, {}))
    return game, [state for _, state in walk(game, 3, 30)]


@st.composite
def respelled(draw: Any, text: str) -> str:
    """The same text in another case, with other blanks."""
    cased: str = draw(st.sampled_from([str.upper, str.title, str.lower, str]))(text)
    blank: str = draw(st.sampled_from([" ", "  ", "\t"]))
    return f"{blank}{blank.join(cased.split(' '))} "


@examples(60)
@given(st.data())
def test_canonical_texts_in_other_clothes_mean_the_same(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CATALOGUE)))
    game, states = met(name)
    state = data.draw(st.sampled_from(states))
    text = game.show_state(state)
    words = text.split(" ")
    if "upper" in words and data.draw(st.booleans()):
        at = words.index("upper")
        words = [*words[at : at + 2], *words[:at], *words[at + 2 :]]
    loose = " ".join(words).replace(",", data.draw(st.sampled_from([",", ", ", " , "])))
    assert game.read_state(data.draw(respelled(loose))) == state
    for action in list(game.actions(state))[:20]:
        written = game.show_action(action)
        assert game.read_action(written, state) == game.read_action(data.draw(respelled(written)), state) == action
