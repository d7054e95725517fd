"""What an opponent does in a position, for the page: the move, why, and what it leads to."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from rollwise.errors import GameError
from rollwise.model.formatting import plain
from rollwise.model.ids import read_position
from rollwise.model.message import Message
from rollwise.playing.rivals import Rival, find_rival
from rollwise.solvers.base.solution import Solution
from rollwise.web.books import Book
from rollwise.wire.to_json import describe_move

__all__ = ["Rivals"]

Json = dict[str, Any]


class Rivals:
    """The opponents that were asked for, by name and seat: what one plays by is solved once."""

    def __init__(self) -> None:
        self._book = Book()

    def is_known(self, solution: Solution, name: str, text: str) -> bool:
        """Say whether the answer is at hand, so that no thread is needed."""
        return self._book.known(solution, (name, _mover(solution, text))) is not None

    def reply(self, solution: Solution, name: str, text: str, expert: Callable[[], Solution]) -> Json:
        """Say what an opponent does in a position that is his. Raises `PositionError` or `GameError`."""
        game, player = solution.game, _mover(solution, text)
        state = read_position(game, text)
        solution.value(state, kind="state")
        find = partial(find_rival, name, solution, player, expert, answer=False)
        rival: Rival = self._book.find(solution, (name, player), find)
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
