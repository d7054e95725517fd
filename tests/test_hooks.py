"""How games look and speak: whatever a hook says, it says in one line or in JSON types, at any position, for any objective."""

import json
from functools import cache
from typing import Any

import pytest

from rollwise import Against, AtLeast, Duel, Expected, Fewest, Game, GameError, Objective, Solution, explain, explore, solve
from rollwise.games import CATALOGUE, load
from rollwise.model.abilities import can_follow, dimensions, overridden, unlifted
from rollwise.model.message import Message
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.texts.render import render, spoken
from tests.random_play import walk
from tests.toys import Utility

AnyGame = Game[Any, Any, Any]

SMALL: dict[str, dict[str, str]] = {
    "groups": {"faces": "6", "sizes": "2,1"},
    "pig": {"target": "9", "faces": "4"},
    "slots": {"slots": "a:1/2/3/4/5/6,b:6/5/4/3/2/1,bin:0/0/0/0/0/0", "target": "9"},
    "words": {"dice": "AB,ABC,CCA", "words": "ABC,AAA"},
    "yazy": {"boxes": "ones,straight", "rerolls": "1"},
}
"""Parameters that make games small; those without are asked for their hooks only."""
AIMS: tuple[Objective, ...] = (Expected(), AtLeast(4), Against({3: 1, 8: 2}), Fewest(), Duel(), Utility(2))
VIEWS = {"groups by faces": ("groups", {**SMALL["groups"], "view": "raw"})}


GAMES = [*((name, SMALL.get(name, {})) for name in CATALOGUE), *VIEWS.values()]


def aims_of(game: AnyGame) -> list[Objective]:
    """The objectives that apply: points or costs are counted, costs for one player; a duel is played on sheets."""
    own = game.objective
    if own.counts == "costs":
        return [own]
    two = bool(overridden(game, Game, ("mover",)))
    return [aim for aim in AIMS if (aim.name != "duel" or hasattr(game, "boxes")) and not (two and aim.counts == "costs")]


def is_line(text: object) -> bool:
    return isinstance(text, str) and bool(text) and "\n" not in text


def is_json(thing: Any) -> bool:
    return bool(json.loads(json.dumps(thing)) == thing)


def test_hooks_answer_everywhere() -> None:
    for name, parameters in GAMES:
        game = load(name, **parameters)
        board = dict(view_of(game).board())
        assert is_json(board)
        assert is_line(board["kind"])
        assert board["start"] == notation_of(game).show_pending(game.start())
        assert all(isinstance(size, int) for size in dimensions(game).values())
        for pending, state in walk(game, 1):
            check_position(game, board["kind"], pending, state)


def check_position(game: AnyGame, kind: str, pending: Any, state: Any) -> None:
    position = spoken(view_of(game).position(state), "en")
    assert is_json(position)
    assert position["kind"] == kind
    assert all(is_line(str(face)) for face in view_of(game).show_dice(state))
    assert is_line(render(view_of(game).describe(state)))
    assert isinstance(view_of(game).to_go(pending), Message | str | None)
    assert isinstance(view_of(game).choices(state), Message | str)
    assert can_follow(game, pending, state)
    assert state in game.roll(pending)
    for column, text in notation_of(game).columns(state).items():
        assert notation_of(game).read_column(column, text) == text
    for action in game.actions(state):
        written = game.show_action(action)
        assert game.read_action(written) == game.read_action(written, state) == action


@cache
def solved(name: str, parameters: tuple[tuple[str, str], ...], aim: Objective) -> Solution:
    return solve(load(name, **dict(parameters)), aim)


SOLVED = [
    (name, parameters, aim) for name, parameters in (*SMALL.items(), *VIEWS.values()) for aim in aims_of(load(name, **parameters))
]


def test_every_move_has_its_sentence() -> None:
    for name, parameters, aim in SOLVED:
        solution = solved(name, tuple(parameters.items()), aim)
        game, said = solution.game, set()
        for pending, state in walk(game, 2):
            for action in game.actions(state):
                sentence = explain(solution, state, action)
                assert is_line(sentence)
                said.add(sentence)
            assert is_line(render(view_of(game).describe(state)))
            assert is_json(spoken(view_of(game).position(state), "en"))
            assert game.read_state(game.show_state(state)) == state
            assert can_follow(game, pending, state)
        assert is_json(dict(view_of(game).board()))
        assert len(said) > 1, "not always the same"


def test_a_duel_is_for_sheets() -> None:
    for name, parameters in GAMES:
        game = load(name, **parameters)
        if getattr(game, "win", None):
            with pytest.raises(GameError, match="may win at once is not solved"):
                Duel().restate(game)
        elif hasattr(game, "boxes"):
            assert unlifted(Duel().restate(game)) is game
        else:
            with pytest.raises(GameError, match="a duel is played on score sheets"):
                explore(game, Duel())
