"""The sheet on the page adds up: boxes, upper bonus and joker bonuses make the total, after every move of every score sheet."""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollwise.games import load
from rollwise.games.catalogue import CATALOGUE
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.wire.to_json import describe_catalogue

HERE = Path(__file__).parents[1]
SHEETS = [entry["name"] for entry in describe_catalogue() if entry["kind"] == "sheet"]
GAMES = 40


def _hand(game: Any, random: Random) -> list[int]:
    """Roll so that jokers and the upper bonus come often."""
    faces = range(1, game.faces + 1)
    few = random.choices(faces, k=random.choice([1, 1, 2, 5]))
    return [random.choice(few) for _ in range(game.count)]


def _box(game: Any, state: Any, random: Random) -> str:
    """Choose a box: often the upper one that pays most, so that the bonus is reached."""
    boxes = [action for action in game.actions(state) if action in game.names]
    upper = [box.name for box in game.boxes if box.face is not None and box.name in boxes]
    best = max(upper, key=lambda box: game.points(state, box), default=None)
    return best if best and random.random() < 0.7 else str(random.choice(boxes))


def _game(name: str, random: Random) -> dict[str, Any]:
    """Fill boxes at random until the sheet is full; the rules say what each move brings."""
    game: Any = load(name)
    pending, moves = game.start(), []
    while pending.open:
        dice = _hand(game, random)
        state = pending._replace(dice=tuple(sorted(dice)), left=0)
        action = _box(game, state, random)
        after = game.play(state, action)
        moves.append({
            "dice": dice, "points": game.points(state, action),
            "move": {"action": action, "gain": game.gain(state, action), "after": notation_of(game).show_pending(after)},
        })  # fmt: skip
        pending = after
    return {"board": {"start": notation_of(game).show_pending(game.start()), **view_of(game).board()}, "moves": moves}


def _replayed(games: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "Node is missing: apt-get install nodejs"
        pytest.skip("Node is missing: apt-get install nodejs")
    done = subprocess.run(
        [node, HERE / "js" / "replay_sheet.js"], input=json.dumps(games), capture_output=True, text=True, check=True
    )
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", SHEETS)
def test_every_move_adds_up(name: str) -> None:
    random = Random(name)
    games = [_game(name, random) for _ in range(GAMES)]
    jokers = bonuses = 0
    for game, sheet in zip(games, _replayed(games), strict=True):
        total, filled = 0, Counter[str]()
        for step, shown in zip(game["moves"], sheet, strict=True):
            move = step["move"]
            total += move["gain"]
            assert shown["offered"] == move["gain"]
            filled[move["action"]] += step["points"]
            assert shown["points"][move["action"]] == filled[move["action"]]
            assert shown["rest"] == 0
            assert shown["boxes"] + shown["bonus"] + shown["jokers"] == shown["total"] == total
            assert (shown["again"], shown["jokersAgain"]) == (total, shown["jokers"])
        jokers, bonuses = jokers + sheet[-1]["jokers"], bonuses + sheet[-1]["bonus"]
    board = games[0]["board"]
    assert (jokers > 0) == bool(board["joker"] and board["joker"]["bonus"])
    assert (bonuses > 0) == bool(board["bonus"])


def test_the_catalogue_has_sheets() -> None:
    assert {"yahtzee", "yatzy", "kniffel", "maxi-yatzy", "yazy"} <= set(SHEETS) <= set(CATALOGUE)
