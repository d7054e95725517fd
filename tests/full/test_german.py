"""What the server says is said in German, too: the catalogue, rules, and why a move is good."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise.games import load
from rollwise.games.catalogue import CATALOGUE
from rollwise.playing.explain import explain
from rollwise.texts import render
from rollwise.wire.to_json import describe_catalogue, describe_rules

SAY = Path(__file__).parents[1] / "js" / "say_german.js"
SPOKEN = {"title", "summary", "brief", "label", "help", "paragraphs", "pays"}
"""The fields of said.js that the catalogue and rules have."""
NEEDED: dict[str, dict[str, Any]] = {"groups": {"faces": 6, "sizes": "3,2"}, "words": {"dice": "AB,CD", "words": "AC"}}
ENGLISH = re.compile(r"\b(the|of|and|with|points|dice|boxe?s?|rolls?|keeps|puts|gives|spares|risks|less|more|wins|in the|to)\b")
HIDDEN = re.compile(r"yes: |free, forced or none|'sizes' \(any size\)")
"""Help that no form shows: a switch or a choice says it already."""
NAMES = {
    "Balut", "Can't Stop", "Crag", "Farkle", "Generala", "Hog", "Kismet", "Kniffel", "Maxi Yatzy", "Pig", "Shut the Box", "Yacht",
    "Yacht Dice", "Yahtzee", "Yatzy", "Yazy",
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
    ("words", NEEDED["words"], None),
    ("groups", NEEDED["groups"], None),
]
"""Games whose reasons are collected: small ones of every kind that says them in its own words."""


def spoken(value: Any, *, said: bool = False) -> Iterator[str]:
    """Give the texts of an answer that are read by people."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from spoken(each, said=name in SPOKEN)
    elif isinstance(value, list):
        for each in value:
            yield from spoken(each, said=said)
    elif said and value:
        yield value


def in_german(texts: list[str]) -> dict[str, str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is missing")
    done = subprocess.run([node, SAY], input=json.dumps(texts), capture_output=True, text=True, check=True, timeout=60)
    return dict(zip(texts, json.loads(done.stdout), strict=True))


def english_in(texts: list[str]) -> list[str]:
    """List what is still English, with what became of it."""
    return [f"{text} -> {german}" for text, german in in_german(texts).items() if german == text or ENGLISH.search(german)]


def test_the_catalogue_has_a_german_form() -> None:
    texts = sorted({text for text in spoken(describe_catalogue()) if text not in NAMES and not HIDDEN.match(text)})
    assert english_in(texts) == []


def test_all_rules_are_in_german() -> None:
    rules = [render.spoken(describe_rules(load(name, **NEEDED.get(name, {}))), "de") for name in CATALOGUE]
    assert [text for text in spoken(rules) if ENGLISH.search(text)] == []


@pytest.mark.parametrize(
    ("name", "parameters", "objective"), GAMES, ids=[f"{name} {aim or ''}".strip() for name, _, aim in GAMES]
)
def test_reasons_are_in_german(name: str, parameters: dict[str, Any], objective: rollwise.Objective | None) -> None:
    game = load(name, **parameters)
    solution = rollwise.solve(game, objective=objective) if objective else rollwise.solve(game)
    game = solution.game
    states = list(islice(walk(game), 40))
    texts = {explain(solution, state, action, language="de") for state in states for action in list(game.actions(state))[:12]}
    assert [text for text in texts if ENGLISH.search(text)] == []


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
