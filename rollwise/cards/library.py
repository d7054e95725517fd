"""Cards that are known: found by long searches, in `known/` as text, each with what was computed for it beside it.

`NAME-SIZE.card` is the card of a game with its usual rules and its own objective; `NAME-SIZE.json` has the figures that a printed
sheet shows, so that nothing needs to be solved for it. `python -m tests.make_cards` writes both.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from rollwise.errors import GameError
from rollwise.model.card import Card, read_card
from rollwise.model.game import Game

__all__ = ["CardFigures", "Example", "KnownCard", "is_good", "known_cards", "measured_cards"]

FOLDER = "known"
WORTH_SHOWING = 0.1
"""The share of the optimum that a card may lose to be shown unasked."""
ROUNDING = 1e-9


class Example(NamedTuple):
    """A roll for which a line is played: its dice, and those of them that stay (None: all)."""

    dice: tuple[Any, ...]
    kept: tuple[Any, ...] | None


@dataclass(frozen=True)
class CardFigures:
    """What is computed for a card: its exact value, the optimum, and what else its sheet shows.

    `beaten` is the chance that perfect play beats it, ties half (None: not compared); `examples` are rolls by line.
    """

    value: float
    optimum: float
    beaten: float | None = None
    examples: Mapping[int, Example] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Give it in JSON types."""
        examples = {str(line): [example.dice, example.kept] for line, example in sorted(self.examples.items())}
        return {**vars(self), "examples": examples}

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "CardFigures":
        """Read what `as_dict` gives."""
        examples = {
            int(line): Example(tuple(dice), None if kept is None else tuple(kept))
            for line, (dice, kept) in found["examples"].items()
        }
        return cls(found["value"], found["optimum"], found["beaten"], examples)


class KnownCard(NamedTuple):
    """A known card with its figures."""

    card: Card
    figures: CardFigures


def is_good(value: float, optimum: float) -> bool:
    """Say whether a card of this value is worth showing: it loses no more than a tenth of the optimum.

    >>> is_good(0.46, 0.5), is_good(44, 50), is_good(6.3, 6.25)
    (True, False, True)
    """
    return abs(optimum - value) <= WORTH_SHOWING * abs(optimum) + ROUNDING


def known_cards(game: str, rules: Game[Any, Any, Any]) -> list[Card]:
    """Give the known cards of a game of the catalogue, the smallest first; with house rules those that these have words for."""
    found = []
    for text, _ in _files().get(game, ()):
        with suppress(GameError):
            found.append(read_card(text, rules.vocabulary()))
    return sorted(found, key=lambda card: card.size)


def measured_cards(game: str, rules: Game[Any, Any, Any]) -> list[KnownCard]:
    """Give the known cards of a game with their figures, for its own objective and its usual rules, the smallest first."""
    found = [KnownCard(read_card(text, rules.vocabulary()), CardFigures.of(figures)) for text, figures in _files().get(game, ())]
    return sorted(found, key=lambda known: known.card.size)


@cache
def _files() -> Mapping[str, list[tuple[str, Any]]]:
    """Read the files, by the game that each of them names: the text of a card, and its figures."""
    found: dict[str, list[tuple[str, Any]]] = {}
    folder = files("rollwise.cards") / FOLDER
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".card"):
            name = path.name.removesuffix(".card")
            figures = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            found.setdefault(name.rpartition("-")[0], []).append((path.read_text(encoding="utf-8"), figures))
    return found
