"""What solving a board of columns takes, counted without listing anything."""

from dataclasses import dataclass

from rollwise.games.cant_stop import CantStop
from rollwise.model.formatting import counted
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.climbing.arrays import board_of, count_board

__all__ = ["ClimbPlan", "plan_board"]

BYTES_A_CODE = 72
"""A value, and what listing turn starts by steps takes while it is done."""
BYTES_A_THREAD = 24
"""The three numbers of a position of a turn, which every thread has for all codes."""
WALKS = 2.3
"""How often a turn is walked through until its start is known."""
SECONDS_A_POSITION = 140e-9
"""What a position of a turn takes each time on a core of a 2024 server; measured, like the number of walks, with four sides."""


@dataclass(frozen=True, kw_only=True)
class ClimbPlan(Plan):
    """The size of a board: `states` are its turn starts, `positions` those within turns; the values take `value_bytes`."""

    states: int
    positions: int
    value_bytes: int
    memory_bytes: int
    seconds: float

    def size(self) -> str:
        values = f"{self.value_bytes / 2**30:,.1f} GiB of values" if self.value_bytes >= 2**30 else ""
        sizes = [counted(self.states, "turn start"), f"{counted(self.positions, 'position')} within turns", values]
        return ", ".join(filter(None, sizes))


def plan_board(game: CantStop, threads: int) -> ClimbPlan:
    """Count a board's turn starts and positions, and say what solving takes; of two mirror images one is computed,
    where both are as likely.

    >>> plan_board(CantStop(sides=6, shortest=3), threads=1).states
    6066786123
    """
    board = board_of(game)
    count = count_board(board)
    return ClimbPlan(
        states=count.starts,
        positions=count.positions,
        value_bytes=8 * count.starts,
        memory_bytes=(BYTES_A_CODE + BYTES_A_THREAD * threads) * board.size,
        seconds=WALKS * count.positions / (2 if board.symmetric else 1) * SECONDS_A_POSITION / threads,
    )
