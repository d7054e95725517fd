"""What the server computes for a request: advice, what comes after a move, a graded game."""

from random import Random
from typing import Any

from rollwise.errors import GameError
from rollwise.model.abilities import draw, unlift, unlifted
from rollwise.model.game import Progress
from rollwise.model.ids import read_position
from rollwise.model.message import Message
from rollwise.playing.advise import advise
from rollwise.playing.distribution import Distribution, distribution, quick_outlooks
from rollwise.playing.grade import grade
from rollwise.playing.record import Line, Record
from rollwise.solvers.base.abilities import Follows, ability
from rollwise.solvers.base.solution import Solution
from rollwise.web.following import Lane
from rollwise.web.jobs import name_work
from rollwise.web.precompute import Preparer
from rollwise.wire.schema import OutlookRequest, RollsRequest
from rollwise.wire.to_json import describe_advice, describe_distribution, describe_grade, describe_rolls

__all__ = [
    "answer_advice", "answer_grade", "answer_outlook", "answer_rolls", "answer_whole", "look_up_outlook", "look_up_whole",
]  # fmt: skip

Json = dict[str, Any]

MOST_MOVES = 1000
"""Moves in an answer; in a position with more of them none says why, as that would compare all of them several times."""
SHORT = 32_000
"""Places that are followed in a moment, a quarter of a second."""


def answer_advice(solution: Solution, text: str, top: int | None, reasons: int | None = None) -> Json:
    """Rank the moves of a position; the best `reasons` of them, or all, say why. Raises `PositionError`."""
    state = read_position(solution.game, text)
    found = advise(solution, state, top=min(top or MOST_MOVES, MOST_MOVES), outlook=False)
    if len(found.moves) == MOST_MOVES or len(solution.game.actions(state)) > MOST_MOVES:
        reasons = 0
    return describe_advice(solution, found, reasons=reasons)


def look_up_outlook(
    solution: Solution, asked: OutlookRequest, max_bytes: int, preparer: Preparer, _progress: Progress
) -> Json | Lane:
    """Say what comes after a move as it is kept, or that it is being prepared; or in which lane to follow it to the end.

    Raises `PositionError` or `GameError`.
    """
    state, pending, gain = _move(solution, asked)
    lane: Lane = "short" if (ability(solution, Follows).steps(state) or solution.states + solution.pendings) <= SHORT else "long"
    if asked.exact:
        return lane
    found = quick_outlooks(solution, [pending], max_bytes=max_bytes)
    if found:
        return _outlook(found[0], gain)
    return lane if lane == "short" else _being_prepared(solution, preparer) or lane


def answer_outlook(solution: Solution, asked: OutlookRequest, max_bytes: int, progress: Progress) -> Json:
    """Say what comes after a move by following the best strategy to the end. Raises `PositionError` or `GameError`."""
    _, pending, gain = _move(solution, asked)
    return _outlook(distribution(solution, pending=pending, max_bytes=max_bytes, progress=progress), gain)


def _move(solution: Solution, asked: OutlookRequest) -> tuple[Any, Any, Any]:
    """Read a position and a move: the state, the roll that follows, and what the move gains."""
    game = solution.game
    state, action = read_position(game, asked.state), game.read_action(asked.action)
    solution.value(state, kind="state")
    pending = game.play(state, _legal(solution, state, action))
    return state, pending, unlifted(game).gain(unlift(game, state), action) if solution.objective.counts == "points" else 0


def _outlook(after: Distribution, gain: Any) -> Json:
    return describe_distribution(after.moved(gain).plain())


def _being_prepared(solution: Solution, preparer: Preparer) -> Json | None:
    """Say how far the outlooks of a solution are; None: they are not being prepared."""
    known = preparer.wish(solution, first=True)
    if known.over:
        return None
    share = Message("server.share", {"percent": round(100 * known.done / known.total)}) if known.total else ""
    detail = Message("server.preparing", {"share": share})
    return {"detail": detail, "preparing": {"what": name_work(known.what), "done": known.done, "total": known.total}}


def look_up_whole(solution: Solution, exact: bool, max_bytes: int, preparer: Preparer, _progress: Progress) -> Json | Lane:
    """Do for the whole game what `look_up_outlook` does for a move."""
    lane: Lane = "short" if solution.states + solution.pendings <= SHORT else "long"
    if exact:
        return lane
    found = quick_outlooks(solution, [solution.game.start()], max_bytes=max_bytes)
    if found:
        return describe_distribution(found[0])
    return lane if lane == "short" else _being_prepared(solution, preparer) or lane


def answer_whole(solution: Solution, max_bytes: int, progress: Progress) -> Json:
    """Give the distribution of the whole game by following the best strategy to the end. Raises `GameError`."""
    return describe_distribution(distribution(solution, max_bytes=max_bytes, progress=progress))


def answer_rolls(solution: Solution, asked: RollsRequest) -> Json:
    """List what may be rolled after a move, or at the start. Raises `PositionError` or `GameError`."""
    game = solution.game
    pending = _pending(solution, asked)
    if draw(game, pending, Random(0)) is not None:
        raise GameError(Message("error.many-rolls"))
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
        raise GameError(Message("error.move", {"move": repr(game.show_action(action)), "state": game.show_state(state)}))
    return action


def answer_grade(solution: Solution, name: str, lines: list[Line], progress: Progress) -> Json:
    """Grade a game. Raises `GameError` with the number of the first wrong line."""
    expected = "roll"
    for line in lines:
        if line.kind != expected:
            raise GameError(f"line {line.number}: expected a {expected}, got a {line.kind}; rolls and moves take turns")
        expected = "move" if expected == "roll" else "roll"
    game = grade(solution, Record(name, lines=tuple(lines)), progress=progress)
    found = describe_grade(game)
    movers = [{"mover": step.mover} for step in game.steps]
    steps = [
        {**step, "state": step["roll"], "action": step["move"], **mover}
        for step, mover in zip(found["steps"], movers, strict=True)
    ]
    return {"start": found["value"], "rival_mistakes": None, **found, "steps": steps}
