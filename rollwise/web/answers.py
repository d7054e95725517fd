"""What the server computes for a request: advice, what comes after a move, what an opponent does, a graded game."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.abilities import draw, unlift, unlifted
from rollwise.model.formatting import plain
from rollwise.model.game import Progress
from rollwise.model.ids import read_position
from rollwise.model.message import Message
from rollwise.model.moves import read_move
from rollwise.model.view import View, view_of
from rollwise.playing.advise import advise
from rollwise.playing.distribution import Distribution, distribution, quick_outlooks
from rollwise.playing.grade import grade
from rollwise.playing.record import Line, Record
from rollwise.playing.risk import risk_price
from rollwise.playing.rivals import Rival, find_rival
from rollwise.solvers.base.abilities import Follows, ability
from rollwise.solvers.base.solution import Solution
from rollwise.web.answer_cache import AnswerCache
from rollwise.web.following import Lane
from rollwise.web.precompute import Preparer
from rollwise.web.table_graph import write_text
from rollwise.web.work import name_work
from rollwise.wire.schema import OutlookRequest, RollsRequest
from rollwise.wire.to_json import (
    describe_advice,
    describe_distribution,
    describe_grade,
    describe_move,
    describe_price,
    describe_rolls,
)

__all__ = [
    "Rivals",
    "answer_advice", "answer_grade", "answer_outlook", "answer_risk", "answer_rolls", "answer_whole",
    "look_up_outlook", "look_up_whole",
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
    state, _, pending = _move(solution, asked.state, asked.action)
    lane = _lane(solution, ability(solution, Follows).steps(state))
    found = None if asked.exact else _look_up(solution, pending, lane, max_bytes, preparer)
    return _outlook(solution, asked, found) if isinstance(found, Distribution) else found or lane


def answer_outlook(solution: Solution, asked: OutlookRequest, max_bytes: int, progress: Progress) -> Json:
    """Say what comes after a move by following the best strategy to the end. Raises `PositionError` or `GameError`."""
    _, _, pending = _move(solution, asked.state, asked.action)
    return _outlook(solution, asked, distribution(solution, start=pending, max_bytes=max_bytes, progress=progress))


def _outlook(solution: Solution, asked: OutlookRequest, after: Distribution) -> Json:
    """Describe what comes after a move, with what the move gains."""
    game = solution.game
    state, action, _ = _move(solution, asked.state, asked.action)
    gain = unlifted(game).gain(unlift(game, state), action) if solution.objective.counts == "points" else 0
    return describe_distribution((after + gain).plain())


def look_up_whole(solution: Solution, exact: bool, max_bytes: int, preparer: Preparer, _progress: Progress) -> Json | Lane:
    """Do for the whole game what `look_up_outlook` does for a move."""
    lane = _lane(solution)
    found = None if exact else _look_up(solution, solution.game.start(), lane, max_bytes, preparer)
    return describe_distribution(found) if isinstance(found, Distribution) else found or lane


def answer_whole(solution: Solution, max_bytes: int, progress: Progress) -> Json:
    """Give the distribution of the whole game by following the best strategy to the end. Raises `GameError`."""
    return describe_distribution(distribution(solution, max_bytes=max_bytes, progress=progress))


def answer_risk(
    solution: Solution, best_mean: Callable[[Progress], Solution], answers: AnswerCache, max_bytes: int, progress: Progress
) -> Json:
    """Compare a plan of the risk dial with the strategy that has the best mean. Raises `GameError`."""

    def follow(one: Solution) -> Distribution:
        found: Distribution = answers.find(one, "risk", lambda: distribution(one, max_bytes=max_bytes, progress=progress))
        return found

    return describe_price(risk_price(solution, best_mean(progress), follow))


def _lane(solution: Solution, steps: int | None = None) -> Lane:
    """Say in which lane a position is followed to the end, from how many places that takes."""
    return "short" if (steps or solution.states + solution.pendings) <= SHORT else "long"


def _look_up(solution: Solution, pending: Any, lane: Lane, max_bytes: int, preparer: Preparer) -> Distribution | Json | None:
    """Give the distribution that is kept of a roll, or where following it takes long, how far those of the solution are."""
    found = quick_outlooks(solution, [pending], max_bytes=max_bytes)
    if not found and lane == "long":
        waiting = _being_prepared(solution, preparer)
        if waiting:
            return waiting
        # They may have become ready since the first look.
        found = quick_outlooks(solution, [pending], max_bytes=max_bytes)
    return found[0] if found else None


def _being_prepared(solution: Solution, preparer: Preparer) -> Json | None:
    """Say how far the outlooks of a solution are; None: they are not being prepared."""
    known = preparer.wish(solution, first=True)
    if known.over:
        return None
    share = Message("server.share", {"percent": round(100 * known.done / known.total)}) if known.total else ""
    detail = Message("server.preparing", {"share": share})
    return {"detail": detail, "preparing": {"what": name_work(known.what), "done": known.done, "total": known.total}}


def answer_rolls(solution: Solution, asked: RollsRequest) -> Json:
    """List what may be rolled after a move, or at the start. Raises `PositionError` or `GameError`."""
    game, pending = solution.game, solution.game.start()
    if asked.state is not None and asked.action is not None:
        _, _, pending = _move(solution, asked.state, asked.action)
    elif asked.state is not asked.action:
        raise GameError("expected a state and an action, or neither for the start of the game: got one of them")
    if draw(game, pending, Random(0)) is not None:
        raise GameError(Message("error.many-rolls"))
    return describe_rolls(game, pending, top=asked.top, draw=asked.draw)


def _move(solution: Solution, position: str, move: str) -> tuple[Any, Any, Any]:
    """Read a position and a move in it: the state, the action, and the roll that follows. Raises `GameError`."""
    game = solution.game
    state = read_position(game, position)
    solution.value(state, kind="state")
    try:
        action = read_move(game, state, move)
    except PositionError:
        raise GameError(Message("error.move", {"move": brief(move), "state": game.show_state(state)})) from None
    return state, action, game.play(state, action)


class Rivals:
    """The requested opponents, by name and seat: what one plays by is solved once."""

    def __init__(self) -> None:
        self._answers = AnswerCache()

    def is_known(self, solution: Solution, name: str, text: str) -> bool:
        """Say whether the answer is at hand, so that no thread is needed."""
        return self._answers.known(solution, (name, _mover(solution, text))) is not None

    def reply(self, solution: Solution, name: str, text: str, expert: Callable[[], Solution]) -> Json:
        """Say what an opponent does in a position that is his. Raises `PositionError` or `GameError`."""
        game, player = solution.game, _mover(solution, text)
        state = read_position(game, text)
        solution.value(state, kind="state")
        find = partial(find_rival, name, solution, player, expert, answer=False)
        rival: Rival = self._answers.find(solution, (name, player), find)
        if not game.actions(state):
            raise GameError(Message("error.over", {"state": game.show_state(state)}))
        action = rival.move(state, Random(0))
        move = next(row for row in solution.ranked(state) if row.action == action)
        about = describe_move(game, state, move, rival.why(state, action))
        return {
            **about,
            "opponent": name,
            "player": player,
            "state": game.show_state(state),
            "before": plain(solution.value(state)),
        }


def _mover(solution: Solution, text: str) -> int:
    return int(solution.game.mover(read_position(solution.game, text)))


def answer_grade(solution: Solution, name: str, lines: list[Line], progress: Progress) -> Json:
    """Grade a game. Raises `GameError` with the number of the first wrong line."""
    expected = "roll"
    for line in lines:
        if line.kind != expected:
            raise GameError(f"line {line.number}: expected a {expected}, got a {line.kind}; rolls and moves take turns")
        expected = "move" if expected == "roll" else "roll"
    game = grade(solution, Record(name, lines=tuple(lines)), progress=progress)
    found = describe_grade(game)
    view = view_of(solution.game)
    named = [view.describe(step.state) if view.board_kind == View.board_kind else None for step in game.steps]
    steps = [
        {**about, **_older(about), "mover": step.mover, "words": words}
        for about, step, words in zip(found["steps"], game.steps, named, strict=True)
    ]
    return {"start": found["value"], "rival_mistakes": None, **found, "steps": steps}


def _older(step: Json) -> Json:
    """What a step has besides: older names, and the kind of the decision in no language, as players may keep it."""
    kind = step["decision"]
    return {"state": step["roll"], "action": step["move"], "decision": None if kind is None else write_text(kind)}
