"""Advice at the table: every move of a position with its value, its loss, and what it leads to."""

from dataclasses import dataclass, replace
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Number, Solution, Work, wants_solution
from rollwise.model.faults import blaming
from rollwise.model.game import Progress
from rollwise.model.notation import fits_float, infinite
from rollwise.playing.spread import Spread, outlooks

__all__ = ["Advice", "Move", "advise", "look_ahead"]

FEW = 5
QUICK = 60_000
"""Follow moves to the end without being asked up to this many (turn start, score) rows."""
QUICK_WORK = 1_000_000
"""Outcomes of rolls that are followed without being asked, for all moves together: a fifth of a second."""


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

    `outlook` says whether each is followed to the end for the spread of what comes after it; default: the best few, as far as a
    small amount of work suffices, so that nobody waits for it. Under `AtLeast` and `Against`, and in a duel, the value is the
    chance itself, so there is none.

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
    advice = Advice(state, solution.value(state, kind="state"), tuple(Move(*row, None) for row in ranked))
    if outlook is False:
        return advice
    return look_ahead(solution, advice, outlook=bool(outlook), progress=progress)


def look_ahead(solution: Solution, advice: Advice, *, outlook: bool = False, progress: Progress | None = None) -> Advice:
    """Add outlooks to advice: to every move if that is what is asked for, else to the best few as far as it is quick."""
    quickly = not outlook
    if solution.objective.wins or (quickly and not quick(solution, advice.state)):
        return advice
    chosen = [move for move in advice.moves[: FEW if quickly else None] if _lasts(move.value)]
    ahead = _outlooks(solution, advice.state, chosen, progress, Work(QUICK_WORK) if quickly else None)
    found = {id(move): after for move, after in zip(chosen, ahead, strict=True)}
    return replace(advice, moves=tuple(replace(move, outlook=found.get(id(move))) for move in advice.moves))


def quick(solution: Solution, state: Any) -> bool:
    """Say whether following the moves of a state to the end takes well under a second each."""
    return solution.steps(state) <= QUICK


def _lasts(value: Number) -> bool:
    """Say whether a move can be followed: a value beyond all floats takes more rolls than anyone has time for."""
    return fits_float(value) and not infinite(value)


def _outlooks(
    solution: Solution, state: Any, moves: list[Move], progress: Progress | None, work: Work | None
) -> list[Spread | None]:
    """What is still to come with each move, its own gain included."""
    game = solution.game
    found = outlooks(solution, [game.play(state, move.action) for move in moves], progress, work=work)
    counts = solution.objective.counts == "points"
    gains = [game.unlifted().gain(game.unlift(state), move.action) if counts else 0 for move in moves]
    return [after and after.moved(gain) for after, gain in zip(found, gains, strict=True)]
