"""Cards that are known: found by long searches, kept as text in `known/`, and recomputed on demand."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from rollwise.model.card import Card, read_card
from rollwise.model.game import Game

__all__ = ["known_cards"]

FOLDER = "known"


def known_cards(game: str, rules: Game[Any, Any, Any]) -> list[Card]:
    """Give the known cards of a game of the catalogue, for its own objective and its usual rules, the smallest first."""
    found = [read_card(text, rules.vocabulary()) for text in _texts().get(game, ())]
    return sorted(found, key=lambda card: card.size)


@cache
def _texts() -> Mapping[str, list[str]]:
    """Read the files, by the game that each of them names: `NAME-SIZE.card`."""
    found: dict[str, list[str]] = {}
    for path in sorted((files("rollwise.cards") / FOLDER).iterdir(), key=lambda path: path.name):
        if path.name.endswith(".card"):
            found.setdefault(path.name.rpartition("-")[0], []).append(path.read_text(encoding="utf-8"))
    return found
