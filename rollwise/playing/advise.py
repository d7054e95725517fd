"""Advice at the table: every move of a position with its value, its loss, and what it leads to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Number, Solution, wants_solution
from rollwise.model.faults import blaming
from rollwise.model.game import Progress
from rollwise.model.notation import fits_float, infinite
from rollwise.playing.spread import Spread, outlooks

__all__ = ["Advice", "Move", "advise"]

FEW = 5
QUICK = 60_000
"""Follow moves to the end without being asked up to this many (turn start, score) rows."""


@dataclass(frozen=True, eq=False)
class Move:
    """An action: its value, how much worse it is than the best, and the spread of what comes after it (None: not worked out).

    The spread counts points from this position on, the action's own gain included, or rolls still to come.
    """

    action: Any
    value: Number
    loss: Number
    outlook: Spread | None


@dataclass(frozen=True, eq=False)
class Advice:
    """A position, its value, and its moves from best to worst."""

    state: Any
    value: Number
    moves: tuple[Move, ...]


def advise(
    solution: Solution, state: Any, *, top: int | None = None, outlook: bool | None = None, progress: Progress | None = None
) -> Advice:
    """Rank the moves of a state, the `top` best or all of them.

    `outlook` says whether each is followed to the end for the spread of what comes after it; default: the best few, where that is
    quick. Under `AtLeast` and `Against`, and in a duel, the value is the chance itself, so there is none.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("yazy", boxes="ones,straight"))
    >>> advice = advise(solution, solution.game.read_state("12346 1 all"), top=1)
    >>> best = advice.moves[0]
    >>> solution.game.show_action(best.action), round(best.value, 4), best.outlook.quantile(0.5)
    ('keep 1234', 16.7209, 2)

    Raises `PositionError` for a state that does not occur.
    """
    wants_solution(solution, "advise")
    if top is not None and top < 1:
        raise GameError(f"the {top} best moves were asked for: expected at least 1")
    with blaming(solution.game):
        return _advise(solution, solution.met(state), top, outlook, progress)


def _advise(solution: Solution, state: Any, top: int | None, outlook: bool | None, progress: Progress | None) -> Advice:
    ranked = solution.ranked(state)[:top]
    follow = len(ranked) if outlook else FEW if outlook is None and quick(solution, state) else 0
    if solution.objective.wins:
        follow = 0
    followed = [action for action, value, _ in ranked[:follow] if _lasts(value)]
    ahead = _outlooks(solution, state, followed, progress)
    moves = [
        Move(action, value, loss, next(ahead) if place < follow and _lasts(value) else None)
        for place, (action, value, loss) in enumerate(ranked)
    ]
    return Advice(state, solution.value(state, kind="state"), tuple(moves))


def quick(solution: Solution, state: Any) -> bool:
    """Say whether following the moves of a state to the end takes well under a second each."""
    return solution.steps(state) <= QUICK


def _lasts(value: Number) -> bool:
    """Say whether a move can be followed: a value beyond all floats takes more rolls than anyone has time for."""
    return fits_float(value) and not infinite(value)


def _outlooks(solution: Solution, state: Any, actions: list[Any], progress: Progress | None) -> Iterator[Spread]:
    """What is still to come with each action, its own gain included."""
    game = solution.game
    found = outlooks(solution, [game.play(state, action) for action in actions], progress)
    counts = solution.objective.counts == "points"
    for action, after in zip(actions, found, strict=True):
        yield after.moved(game.unlifted().gain(game.unlift(state), action) if counts else 0)
