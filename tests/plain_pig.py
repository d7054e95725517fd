"""Pig written one position at a time: the reference for the column game of the catalogue.

Rules. On a turn a player rolls the die once or more, as often as he likes, and adds up what it shows. A 1 loses the turn's
points and ends the turn; holding banks them and ends it. Whoever's points reach the target, banked or not, has won.

The value is the first player's chance to win: the end pays 1 if the first player has won, else 0, and the second player
minimises. Between two throws a state is (both scores, who moves, turn total). A lost turn leads to the other player's state
with a turn total of 0, from which there is only one way to go on; so two lost turns in a row are a cycle.

Source: Neller, Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004): the first player wins with 0.5306.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rollwise.model.game import Game
from rollwise.model.notation import Notation
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtLeast

__all__ = ["PlainPig", "Race"]

PLAYERS = ("first", "second")


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


class PlainPig(Game[Race, Race, str]):
    """Race to a target; a 1 loses the turn.

    >>> import rollwise
    >>> solution = rollwise.solve(PlainPig(target=25, faces=4))
    >>> round(solution.value(), 6), [solution.best(solution.game.read_state(f"0 0 first {turn}")) for turn in (10, 11)]
    (0.542912, ['roll', 'hold'])
    """

    notation = PlainNotation

    def __init__(self, target: int = 100, faces: int = 6) -> None:
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

    def show_state(self, state: Race) -> str:
        rest = f"{PLAYERS[state.mover]} {state.turn}" if self.actions(state) else "over"
        return f"{state.first} {state.second} {rest}"

    def read_state(self, text: str) -> Race:
        first, second, *rest = text.split()
        if rest == ["over"]:
            return Race(int(first), int(second), int(int(second) == self.target), 0)
        return Race(int(first), int(second), PLAYERS.index(rest[0]), int(rest[1]))
