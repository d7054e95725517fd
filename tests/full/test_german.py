"""What the server says is said in German, too: the catalogue, rules, and why a move is good."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

import rollwise
from rollwise.games import load
from rollwise.games.catalogue import CATALOGUE
from rollwise.model.message import Message
from rollwise.playing.explain import explainer
from rollwise.texts.render import render
from rollwise.wire.to_json import describe_catalogue, describe_rules

NEEDED: dict[str, dict[str, Any]] = {"groups": {"faces": 6, "sizes": "3,2"}, "words": {"dice": "AB,CD", "words": "AC"}}
ENGLISH = re.compile(r"\b(the|of|and|with|points|dice|boxe?s?|rolls?|keeps|puts|gives|spares|risks|less|more|wins|in the|to)\b")
NAMES = {
    "Balut", "Can't Stop", "Crag", "Farkle", "Generala", "Hog", "Hypergammon", "Kismet", "Kniffel", "Maxi Yatzy", "Pig",
    "Shut the Box", "Yacht", "Yacht Dice", "Yahtzee", "Yatzy", "Yazy",
}  # fmt: skip
"""Games that Germans call so, too."""
GAMES: list[tuple[str, dict[str, Any], rollwise.Objective | None]] = [
    ("yatzy", {"boxes": "fives,sixes,two-pairs,yatzy", "threshold": 30}, None),
    ("yatzy", {"boxes": "ones,sixes,full-house", "threshold": 20}, rollwise.AtLeast(40)),
    ("yatzy", {"boxes": "ones,sixes", "threshold": 20}, rollwise.Against({15: 1})),
    ("generala", {"boxes": "ones,straight,generala"}, None),
    ("maxi-yatzy", {"boxes": "ones,pair"}, None),
    ("balut", {"boxes": "fours,choice", "times": 2}, None),
    ("slots", {}, None),
    ("threes", {"dice": 3}, None),
    ("shut-the-box", {"tiles": 6}, None),
    ("farkle", {"most": 1000}, None),
    ("pig", {"target": 20}, None),
    ("two-dice-pig", {"target": 20}, None),
    ("hog", {"target": 20}, None),
    ("bear-off", {"checkers": 3, "start": "0/1/0/0/1/1"}, None),
    ("bear-off", {"checkers": 2, "start": "0/0/0/0/1/1", "players": 2}, None),
    ("cant-stop", {"sides": 2}, None),
    ("ur", {"pieces": 1}, None),
    ("hypergammon", {"checkers": 1}, None),
    ("words", NEEDED["words"], None),
    ("groups", NEEDED["groups"], None),
]
"""Games whose reasons are collected: small ones of every kind that says them in its own words."""


def messages(value: Any) -> Iterator[Message]:
    """Give the messages of an answer."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, Mapping):
        yield from (found for each in value.values() for found in messages(each))
    elif isinstance(value, list | tuple):
        yield from (found for each in value for found in messages(each))


def english_in(said: Iterable[Message]) -> list[str]:
    """List what is still English, with what became of it."""
    pairs = {render(message): render(message, "de") for message in said}
    return [f"{text} -> {german}" for text, german in sorted(pairs.items()) if german == text or ENGLISH.search(german)]


def test_the_catalogue_and_all_rules_have_a_german_form() -> None:
    rules = [describe_rules(load(name, **NEEDED.get(name, {}))) for name in CATALOGUE]
    told = [message for message in messages([*describe_catalogue(), *rules]) if render(message) not in NAMES]
    assert len(told) > 500
    assert english_in(told) == []


@pytest.mark.parametrize(
    ("name", "parameters", "objective"), GAMES, ids=[f"{name} {aim or ''}".strip() for name, _, aim in GAMES]
)
def test_reasons_have_a_german_form(name: str, parameters: dict[str, Any], objective: rollwise.Objective | None) -> None:
    game = load(name, **parameters)
    solution = rollwise.solve(game, objective=objective) if objective else rollwise.solve(game)
    game = solution.game
    states = list(islice(walk(game), 40))
    explain = explainer(solution)
    reasons = [explain(state, action) for state in states for action in list(game.actions(state))[:12]]
    assert all(isinstance(reason, Message) for reason in reasons)
    assert english_in(messages(reasons)) == []


def walk(game: Any) -> Iterator[Any]:
    """Give positions of a game, the nearest first, and not all of them."""
    waiting = [game.start()]
    seen = set(waiting)
    while waiting:
        for state in sparse(list(game.roll(waiting.pop(0))), 4):
            actions = list(game.actions(state))
            if actions:
                yield state
            coming = [game.play(state, action) for action in sparse(actions, 3)]
            waiting += [after for after in coming if after not in seen]
            seen.update(coming)


def sparse(items: list[Any], number: int) -> list[Any]:
    return items[:: max(1, len(items) // number)]
