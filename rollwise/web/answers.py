"""What the server works out for a request: advice, what comes after a move, a graded game."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.model.game import Progress
from rollwise.model.ids import read_position
from rollwise.model.overrides import hook
from rollwise.playing.advise import advise
from rollwise.playing.grade import grade
from rollwise.playing.record import Line, Record
from rollwise.playing.spread import Spread, quick_outlooks, spread
from rollwise.wire.schema import OutlookRequest, RollsRequest
from rollwise.wire.to_json import describe_advice, describe_grade, describe_rolls, describe_spread

__all__ = ["answer_advice", "answer_grade", "answer_outlook", "answer_rolls"]

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
    after = _after(solution, game.play(state, _legal(solution, state, action)), asked.exact, max_bytes, wish, progress)
    gain = game.unlifted().gain(game.unlift(state), action) if solution.objective.counts == "points" else 0
    return describe_spread(replace(after.moved(gain), box_points={}, bonus=None))


def answer_rolls(solution: Solution, asked: RollsRequest) -> Json:
    """List what may be rolled after a move, or at the start. Raises `PositionError` or `GameError`."""
    game = solution.game
    pending = _pending(solution, asked)
    if hook(game, "draw", ("roll",))(pending, Random(0)) is not None:
        raise GameError("this roll can go more ways than are listed here: roll these dice yourself")
    return describe_rolls(game, pending, top=asked.top, draw=asked.draw)


def _pending(solution: Solution, asked: RollsRequest) -> Any:
    """Give the roll that a request asks about."""
    if asked.state is None or asked.action is None:
        if asked.state is not asked.action:
            raise GameError("expected a state and an action, or neither for the start of the game: got one of them")
        return solution.game.start()
    state, action = read_position(solution.game, asked.state), solution.game.read_action(asked.action)
    solution.value(state, kind="state")
    return solution.game.play(state, _legal(solution, state, action))


def _legal(solution: Solution, state: Any, action: Any) -> Any:
    """Give an action if it is one of the state's. Raises `GameError`."""
    game = solution.game
    if action not in game.actions(state):
        raise GameError(
            f"{game.show_action(action)!r} is not a move in {game.show_state(state)}: choose one that the advice lists"
        )
    return action


def _after(
    solution: Solution, pending: Any, exact: bool, max_bytes: int, wish: Callable[[Solution], None], progress: Progress
) -> Spread:
    found = None if exact else quick_outlooks(solution, [pending], max_bytes=max_bytes)
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
