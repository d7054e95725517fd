"""What an opponent does in a position, for the page: the move, why, and what it leads to."""

from collections.abc import Callable
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from rollwise.errors import GameError
from rollwise.model.formatting import plain
from rollwise.model.ids import read_position
from rollwise.model.message import Message
from rollwise.playing.rivals import Rival, find_rival, opponents_in
from rollwise.solvers.base.solution import Solution
from rollwise.wire.to_json import describe_move

__all__ = ["Rivals", "opponents_in"]

Json = dict[str, Any]


class Rivals:
    """The opponents that were asked for, by solution, name and seat: what one plays by is solved once."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Solution, dict[tuple[str, int], Rival]] = WeakKeyDictionary()

    def is_known(self, solution: Solution, name: str, text: str) -> bool:
        """Say whether the answer is at hand, so that no thread is needed."""
        return (name, _mover(solution, text)) in self._known.get(solution, {})

    def reply(self, solution: Solution, name: str, text: str, expert: Callable[[], Solution]) -> Json:
        """Say what an opponent does in a position that is his. Raises `PositionError` or `GameError`."""
        game, player = solution.game, _mover(solution, text)
        state = read_position(game, text)
        solution.value(state, kind="state")
        rivals = self._known.setdefault(solution, {})
        if (name, player) not in rivals:
            rivals[name, player] = find_rival(name, solution, player, expert, answer=False)
        rival = rivals[name, player]
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
