"""What the server works out for a request: advice, what comes after a move, a graded game."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.model.game import Progress
from rollwise.model.ids import read_position
from rollwise.playing.advise import advise
from rollwise.playing.grade import grade
from rollwise.playing.record import Line, Record
from rollwise.playing.spread import Spread, quick_outlooks, spread
from rollwise.wire.schema import OutlookRequest
from rollwise.wire.to_json import describe_advice, describe_grade, describe_spread

__all__ = ["answer_advice", "answer_grade", "answer_outlook"]

Json = dict[str, Any]


def answer_advice(solution: Solution, text: str, top: int | None) -> Json:
    """Rank the moves of a position. Raises `PositionError`."""
    return describe_advice(solution, advise(solution, read_position(solution.game, text), top=top, outlook=False))


def answer_outlook(
    solution: Solution, asked: OutlookRequest, max_bytes: int, wish: Callable[[Solution], None], progress: Progress
) -> Json:
    """Say what comes after a move, from what is kept, or by following the best strategy to the end.

    `wish` is told of a solution for which nothing is kept. Raises `PositionError` or `GameError`.
    """
    game = solution.game
    state, action = read_position(game, asked.state), game.read_action(asked.action)
    solution.value(state, kind="state")
    if action not in game.actions(state):
        raise GameError(f"{asked.action!r} is not a move in {game.show_state(state)}: choose one that the advice lists")
    after = _after(solution, game.play(state, action), asked.exact, max_bytes, wish, progress)
    gain = game.unlifted().gain(game.unlift(state), action) if solution.objective.counts == "points" else 0
    return describe_spread(replace(after.moved(gain), box_points={}, bonus=None))


def _after(
    solution: Solution, pending: Any, exact: bool, max_bytes: int, wish: Callable[[Solution], None], progress: Progress
) -> Spread:
    found = None if exact else quick_outlooks(solution, [pending])
    if found:
        return found[0]
    if not exact:
        wish(solution)
    return spread(solution, pending=pending, max_bytes=max_bytes, progress=progress)


def answer_grade(solution: Solution, name: str, lines: list[Line], progress: Progress) -> Json:
    """Grade a game. Raises `GameError` with the number of the first wrong line."""
    expected = "roll"
    for line in lines:
        if line.kind != expected:
            raise GameError(f"line {line.number}: expected a {expected}, got a {line.kind}; rolls and moves take turns")
        expected = "move" if expected == "roll" else "roll"
    found = describe_grade(grade(solution, Record(name, lines=tuple(lines)), progress=progress))
    steps = [{**step, "state": step["roll"], "action": step["move"]} for step in found["steps"]]
    return {"start": found["value"], "rival_mistakes": None, **found, "steps": steps}
