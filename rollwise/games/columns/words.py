"""The words of a strategy card for rules over columns: what each column shows, the moves, and how to choose among many."""

from collections.abc import Callable
from typing import Any

from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.features import features_of
from rollwise.model.plain_words import choosing_verbs, move_verb
from rollwise.model.view import spoken

__all__ = ["column_vocabulary"]

FEW = 100
"""Moves by name that are words of their own; of more, only what chooses among them is."""


def column_vocabulary(game: Any) -> Vocabulary:
    """Give the words of a game over columns."""
    names = features_of(game).every_action() or ()
    moves = tuple(move_verb(game, name) for name in names) if len(names) <= FEW else ()
    known = {verb.name for verb in moves}
    return Vocabulary(_features(game), (*moves, *(verb for verb in choosing_verbs(game, names) if verb.name not in known)))


def _features(game: Any) -> tuple[CardFeature, ...]:
    columns = game._all_columns()
    found = [
        feature
        for name, column in columns.items()
        for feature in column.card_features(spoken(name), _reader(name), game.labels.get(name) or spoken(name))
    ]
    return tuple({feature.name: feature for feature in found}.values())


def _reader(name: str) -> Callable[[Any], Any]:
    return lambda position: getattr(position, name)
