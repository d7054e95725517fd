"""The words of a strategy card for a game that has none of its own: whole numbers among its columns, its dice, its moves."""

from typing import Any

from rollwise.model.card import CardFeature, Verb, Vocabulary

__all__ = ["move_verb", "plain_vocabulary"]

MET = 2000
"""Positions that are looked at for columns and moves."""


def plain_vocabulary(game: Any) -> Vocabulary:
    """Give a feature for every column that reads as a whole number, and a verb for every move, from the first positions."""
    lows: dict[str, int] = {}
    highs: dict[str, int] = {}
    moves: dict[str, Any] = {}
    for state in _first_positions(game):
        for name, text in game.columns(state).items():
            if text.lstrip("-").isdigit():
                lows[name], highs[name] = min(lows.get(name, int(text)), int(text)), max(highs.get(name, int(text)), int(text))
        moves |= {game.show_action(action): action for action in game.actions(state)}
    features = tuple(
        CardFeature(name, lambda state, name=name: int(game.columns(state)[name]), lows[name], highs[name]) for name in lows
    )
    return Vocabulary(features, tuple(move_verb(game, action, name) for name, action in moves.items()))


def move_verb(game: Any, action: Any, name: str = "", says: str = "") -> Verb:
    """Give the verb for a move that is always the same; its name is the move's own unless another is given."""
    return Verb(
        name or game.show_action(action), lambda state: action if action in game.actions(state) else None, says, action=action
    )


def _first_positions(game: Any) -> list[Any]:
    """Give the first positions with a choice, nearest first."""
    pendings, seen, found = [game.start()], {game.start()}, {}
    while pendings and len(found) < MET:
        for state in game.roll(pendings.pop(0)):
            if state not in found:
                found[state] = None
                after = [game.play(state, action) for action in game.actions(state)]
                pendings += [pending for pending in dict.fromkeys(after) if pending not in seen]
                seen.update(after)
    return list(found)
