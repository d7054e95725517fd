"""Examples of a card's lines: rolls for which each of them is played, found by playing games by the card."""

from collections import Counter
from random import Random
from typing import Any

from rollwise.model.abilities import draw
from rollwise.model.card import Card
from rollwise.model.game import Game
from rollwise.model.view import view_of
from rollwise.reports.card_page import Example

__all__ = ["find_examples"]

LONGEST = 500
"""Decisions after which a game is left."""


def find_examples(game: Game[Any, Any, Any], card: Card, *, games: int = 100, seed: int = 0) -> dict[int, Example]:
    """Give for each line the roll that it is played for most often; none for lines that do not come up, or without dice."""
    random = Random(seed)
    seen: dict[int, Counter[Example]] = {}
    for _ in range(games):
        _play(game, card, random, seen)
    return {line: _commonest(found) for line, found in seen.items() if line >= 0}


def _commonest(found: Counter[Example]) -> Example:
    """Give the most frequent example; of several the one with the lowest dice, whatever order they came in."""
    most = max(found.values())
    return min((example for example, times in found.items() if times == most), key=lambda example: str(example.dice))


def _play(game: Game[Any, Any, Any], card: Card, random: Random, seen: dict[int, Counter[Example]]) -> None:
    pending, show_dice = game.start(), view_of(game).show_dice
    for _ in range(LONGEST):
        state = _rolled(game, pending, random)
        if not game.actions(state):
            return
        line, action = card.choose(game, state)
        dice = tuple(show_dice(state))
        if dice:
            seen.setdefault(line, Counter())[Example(dice, _kept(dice, action))] += 1
        pending = game.play(state, action)


def _rolled(game: Game[Any, Any, Any], pending: Any, random: Random) -> Any:
    drawn = draw(game, pending, random)
    if drawn is not None:
        return drawn
    roll = game.roll(pending)
    return random.choices(list(roll), weights=list(roll.values()))[0]


def _kept(dice: tuple[Any, ...], action: Any) -> tuple[Any, ...] | None:
    """Say which dice stay, where the move is dice of the roll; None: all of them."""
    return action if isinstance(action, tuple) and Counter(action) <= Counter(dice) else None
