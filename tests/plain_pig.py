"""Pig written one position at a time: the reference for the column game of the catalogue.

Rules. On a turn a player rolls the die once or more, as often as he likes, and adds up what it shows. A 1 loses the turn's
points and ends the turn; holding banks them and ends it. Whoever's points reach the target, banked or not, has won.

The value is the first player's chance to win: the end pays 1 if the first player has won, else 0, and the second player
minimises. Between two throws a state is (both scores, who moves, turn total). A lost turn leads to the other player's state
with a turn total of 0, from which there is only one way to go on; so two lost turns in a row are a cycle.

Source: Neller, Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004): the first player wins with 0.5306.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import Heuristic
from rollwise.model.formatting import counted, percent
from rollwise.model.game import Game
from rollwise.model.notation import Notation
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtLeast
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reasons import Comparison
from rollwise.model.view import View

__all__ = ["PlainPig", "Race"]

PLAYERS = ("first", "second")
POSITION = re.compile("([0-9]{1,9}) ([0-9]{1,9}) (?:(first|second) ([0-9]{1,9})|over)")


class Race(NamedTuple):
    """A position: the scores of both players, whose turn it is, and the turn's points so far."""

    first: int
    second: int
    mover: int
    turn: int


class PlainNotation(Notation):
    def show_pending(self, pending: Race) -> str:
        return f"{pending.first} {pending.second} {PLAYERS[pending.mover]} rolls on {pending.turn}"

    def columns(self, state: Race) -> Mapping[str, str]:
        return {
            "first": str(state.first), "second": str(state.second), "mover": PLAYERS[state.mover], "turn total": str(state.turn),
        }  # fmt: skip


class PlainView(View):
    def explain(self, move: Comparison) -> str:
        state, action = move.state, move.action
        if action == "hold":
            after = self.game.play(state, action)
            return f"banks {state.turn}: {after.first} to {after.second}"
        return f"risks {state.turn} with {percent(1 / self.game.faces)}" if state.turn else "begins the turn"


class PlainPig(Game[Race, Race, str], Heuristic):
    """Race to a target; a 1 loses the turn.

    >>> import rollwise
    >>> solution = rollwise.solve(PlainPig(target=25, faces=4))
    >>> round(solution.value(), 6), [solution.best(solution.game.read_state(f"0 0 first {turn}")) for turn in (10, 11)]
    (0.542912, ['roll', 'hold'])

    Raises `GameError` for a target below 2, or a die with fewer than 2 faces.
    """

    notation, view = PlainNotation, PlainView

    parameters = (
        Parameter("target", Integer(2), "points to reach", "100"),
        Parameter("faces", Integer(2), "faces of the die", "6"),
    )

    def __init__(self, target: int = 100, faces: int = 6) -> None:
        if target < 2 or faces < 2:
            raise GameError(f"a target of {target} with {counted(faces, 'face')} was given: expected at least 2 of each")
        self.target, self.faces = target, faces

    @property
    def objective(self) -> Objective:
        return AtLeast(1)

    def start(self) -> Race:
        return Race(0, 0, 0, 0)

    def roll(self, pending: Race) -> Mapping[Race, int]:
        first, second, mover, turn = pending
        after: dict[Race, int] = {Race(first, second, 1 - mover, 0): 1}
        need = self.target - turn - pending[mover]
        for face in range(2, min(need, self.faces + 1)):
            after[Race(first, second, mover, turn + face)] = 1
        if need <= self.faces:
            won = Race(self.target, second, 0, 0) if mover == 0 else Race(first, self.target, 1, 0)
            after[won] = self.faces + 1 - max(need, 2)
        return after

    def actions(self, state: Race) -> Sequence[str]:
        if state.turn:
            return ("hold", "roll")
        return () if max(state.first, state.second) == self.target else ("roll",)

    def play(self, state: Race, action: str) -> Race:
        if action == "roll":
            return state
        first, second, mover, turn = state
        return Race(first + turn, second, 1, 0) if mover == 0 else Race(first, second + turn, 0, 0)

    def mover(self, state: Race) -> int:
        return state.mover

    def payoff(self, state: Race) -> int:
        return int(state.first == self.target)

    def heuristic(self, state: Race, action: str) -> float:
        """What a roll adds to the turn on average, times the faces: with six of them, hold at 20."""
        return (self.faces + 2) * (self.faces - 1) / 2 - state.turn if action == "roll" else 0.0

    def show_state(self, state: Race) -> str:
        rest = f"{PLAYERS[state.mover]} {state.turn}" if self.actions(state) else "over"
        return f"{state.first} {state.second} {rest}"

    def read_state(self, text: str) -> Race:
        found = POSITION.fullmatch(" ".join(text.split()))
        if not found:
            raise PositionError(
                f"{text!r} is not a position: expected FIRST-SCORE SECOND-SCORE WHO-MOVES TURN-TOTAL, such as '27 31 first 12'"
            )
        first, second = int(found[1]), int(found[2])
        if found[3] is None:
            return self._over(text, first, second)
        state = Race(first, second, PLAYERS.index(found[3]), int(found[4]))
        if max(first, second, state[state.mover] + state.turn) >= self.target:
            raise PositionError(f"{text!r} has a player with {self.target} points or more: write '{self.target} 31 over'")
        return state

    def _over(self, text: str, first: int, second: int) -> Race:
        if max(first, second) != self.target or first == second:
            raise PositionError(f"{text!r} has no winner: expected one score of {self.target} and one below")
        return Race(first, second, int(second == self.target), 0)
