"""The words of a strategy card for bearing off: the boards, the dice, and ways to choose a play."""

from collections.abc import Callable
from typing import Any

from rollwise.games.bear_off.homes import POINTS, ROLLS, Counts, pips
from rollwise.model.card import CardFeature, Verb, Vocabulary

__all__ = ["checker_vocabulary"]

Ask = Callable[[Any], Counts]


def checker_vocabulary(
    game: Any, mine: Callable[[Any], int], after: Callable[[Any, Any], int], theirs: Callable[[Any], int] | None = None
) -> Vocabulary:
    """Give the words: `mine` and `theirs` say which board is whose in a position, `after` the mover's after a play."""
    counts = game.homes.counts
    own = _board_features("", lambda s: counts(mine(s)), game.checkers)
    other = _board_features("their ", lambda s: counts(theirs(s)), game.checkers) if theirs else ()
    rolled = (
        CardFeature("higher die", lambda s: ROLLS[s.roll - 1][0] if s.roll else 0, 0, 6, "the higher of the two dice"),
        CardFeature("lower die", lambda s: ROLLS[s.roll - 1][1] if s.roll else 0, 0, 6, "the lower of the two dice"),
        CardFeature("double", lambda s: int(bool(s.roll) and len(set(ROLLS[s.roll - 1])) == 1), says="both dice show the same"),
    )

    def play(name: str, rank: Callable[[Counts], Any], says: str) -> Verb:
        def find(state: Any) -> Any:
            return max(game.actions(state), key=lambda action: rank(counts(after(state, action))), default=None)

        return Verb(name, find, says)

    verbs = (
        play(
            "bear off most",
            lambda c: (-sum(c), *_rear(c)),
            "bear off as many checkers as can be; of several plays, clear from the rear",
        ),
        play("clear the rear", _rear, "leave the fewest checkers on the highest point, then on the next, and so on"),
        play(
            "fill gaps",
            lambda c: (_covered(c), -sum(c), *_rear(c)),
            "leave checkers on as many different points as can be; then bear off most",
        ),
        play("save pips", lambda c: (-pips(c), -sum(c)), "leave the fewest pips, and then the fewest checkers"),
    )
    return Vocabulary((*own, *rolled, *other), verbs)


def _board_features(whose: str, board: Ask, checkers: int) -> tuple[CardFeature, ...]:
    points = [
        CardFeature(
            f"{whose}on {point}",
            _on(board, point),
            0,
            checkers,
            f"{whose or 'your '}checkers on point {point}",
        )
        for point in range(1, POINTS + 1)
    ]
    return (
        CardFeature(f"{whose}checkers", lambda s: sum(board(s)), 0, checkers, f"{whose or 'your '}checkers that are not off"),
        CardFeature(f"{whose}pips", lambda s: pips(board(s)), 0, checkers * POINTS, f"{whose or 'your '}pips to go"),
        CardFeature(f"{whose}points covered", lambda s: _covered(board(s)), 0, POINTS, f"points with {whose or 'your '}checkers"),
        *points,
    )


def _on(board: Ask, point: int) -> Callable[[Any], int]:
    return lambda state: board(state)[point - 1]


def _covered(counts: Counts) -> int:
    return sum(count > 0 for count in counts)


def _rear(counts: Counts) -> tuple[int, ...]:
    return tuple(-count for count in reversed(counts))
