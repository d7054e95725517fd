"""Large graphs written as arrays, without exploring a game."""

import numpy as np
import numpy.typing as npt

from rollwise.solvers.graph.arrays import Graph

__all__ = ["grid", "two_dice_pig"]

Ints = npt.NDArray[np.int64]


def two_dice_pig(target: int, *, holds_at: int | None = None) -> Graph:
    """Two-dice Pig: a double 1 loses everything, a single 1 the turn; both players choose, or player 1 holds at a total.

    Positions are (me, other, turn, mover) with me + turn < target, for states and pendings alike, then the two ends.
    """
    turns = np.arange(target, 0, -1)
    first = np.concatenate([[0], np.cumsum(turns)])
    own = np.repeat(np.arange(target), turns)
    turn = np.arange(len(own)) - first[own]
    pairs = len(own)
    n = pairs * target * 2
    number = np.arange(n)
    mover, rest = number % 2, number // 2
    other, pair = rest % target, rest // target
    me, turn = own[pair], turn[pair]

    def code(me: Ints, other: Ints, turn: Ints, mover: Ints) -> Ints:
        return ((first[me] + turn) * target + other) * 2 + mover

    lost = code(other, np.zeros_like(me), np.zeros_like(me), 1 - mover)
    passed = code(other, me, np.zeros_like(me), 1 - mover)
    columns, weights = [lost, passed], [1, 10]
    for total in range(4, 13):
        won = me + turn + total >= target
        columns.append(np.where(won, n + mover, code(me, other, np.where(won, 0, turn + total), mover)))
        weights.append(sum(1 for a in range(2, 7) for b in range(2, 7) if a + b == total))
    after = np.stack(columns, axis=1)
    weight = np.broadcast_to(np.array(weights), after.shape).copy()
    hold = np.where(me + turn < target, code(other, np.minimum(me + turn, target - 1), np.zeros_like(me), 1 - mover), 0)
    free = (turn > 0) & (me + turn < target)
    acts = np.ones((n, 2), dtype=bool)
    acts[:, 0] = free
    if holds_at is not None:
        acts[(mover == 1) & free & (turn >= holds_at), 1] = False
        acts[(mover == 1) & (turn < holds_at), 0] = False
    moves = np.stack([hold, number], axis=1)[acts]
    action_start = np.concatenate([[0], np.cumsum(acts.sum(axis=1)), [acts.sum()] * 2])
    small = np.int32
    return Graph(
        maximise=True,
        state_payoff=np.concatenate([np.zeros(n), [1, 0]]).astype(small),
        state_mover=np.concatenate([mover, [0, 0]]).astype(np.uint8),
        action_start=action_start.astype(small),
        action_pending=moves.astype(small),
        action_gain=np.zeros(len(moves), dtype=small),
        pending_cost=np.zeros(n, dtype=small),
        outcome_start=np.arange(0, after.size + 1, after.shape[1]).astype(small),
        outcome_state=after.reshape(-1).astype(small),
        outcome_weight=weight.reshape(-1).astype(small),
    )


def grid(side: int, *, gain: int = 0, wait: bool = False, two: bool = False) -> Graph:
    """Squares on a torus: walk on by a roll, either way, or stop and be paid by the column; with `wait` also roll for nothing.

    States and pendings are the squares, then the ends by column. `gain` is paid for every step; with `two`, squares take turns.
    """
    n = side * side
    x, y = np.divmod(np.arange(n), side)
    rolled = [((x + 1) % side) * side + y, x * side + (y + 1) % side]
    stay = [np.arange(n) + n] if wait else []
    moves = np.stack([*stay, np.arange(n), 2 * n + y], axis=1)
    steps = np.zeros(moves.shape, dtype=np.int64)
    steps[:, len(stay)] = gain
    ends = np.arange(side)
    outcome_start = np.concatenate([[0], np.cumsum([*[2] * n, *[1] * n, *[1] * side])])
    return Graph(
        maximise=True,
        state_payoff=np.concatenate([np.zeros(n, dtype=np.int64), ends * ends % 97]),
        state_mover=np.concatenate([((x + y) % 2) * two, np.zeros(side, dtype=np.int64)]).astype(np.uint8),
        action_start=np.concatenate([np.arange(0, moves.size + 1, moves.shape[1]), [moves.size] * side]),
        action_pending=moves.reshape(-1),
        action_gain=steps.reshape(-1),
        pending_cost=np.zeros(2 * n + side, dtype=np.int64),
        outcome_start=outcome_start,
        outcome_state=np.concatenate([np.stack(rolled, axis=1).reshape(-1), np.arange(n), n + ends]),
        outcome_weight=np.ones(int(outcome_start[-1]), dtype=np.int64),
    )
