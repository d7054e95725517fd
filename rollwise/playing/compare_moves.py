"""How far a game was played by a strategy: where it would have moved otherwise, and what it would have lost there."""

from typing import Any, NamedTuple

from rollwise.model.policy import policy_weights
from rollwise.playing.grade import Grade
from rollwise.playing.rivals import card_says
from rollwise.solvers.base.solution import Number

__all__ = ["Deviation", "MoveComparison", "compare_moves"]


class Deviation(NamedTuple):
    """A position in which a strategy moves otherwise than was played: how, why, and what that loses against the best move."""

    state: Any
    played: Any
    action: Any
    why: str
    loss: Number


class MoveComparison(NamedTuple):
    """How many decisions there were, in how many a strategy does the same, what it loses in all of them, and the others."""

    decisions: int
    same: int
    loss: Number
    others: tuple[Deviation, ...]


def compare_moves(game: Grade, policy: Any, player: int | None = None) -> MoveComparison:
    """Compare the moves of a game, or of one of its players, with those of a strategy; only positions with a choice count.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("slots"))
    >>> game = rollwise.start_game(solution).rolled(solution.game.read_state("all 0 6")).moved("bin")
    >>> found = compare_moves(game, rollwise.policies.Greedy())
    >>> found.decisions, found.same, [one.action for one in found.others]
    (1, 0, ['x3'])
    """
    moved = [step for step in game.steps if step.moved and player in (None, step.mover)]
    steps = [step for step in moved if len(game.game.actions(step.state)) > 1]
    others: list[Deviation] = []
    loss: Number = 0
    same = 0
    for step in steps:
        action = _action(policy_weights(policy, game.game, step.state))
        lost = next(move.loss for move in game.solution.ranked(step.state) if move.action == action)
        loss += lost
        same += action == step.action
        if action != step.action:
            why = card_says(policy, game.solution, step.state) if policy.name == "card" else ""
            others.append(Deviation(step.state, step.action, action, why, lost))
    return MoveComparison(len(steps), same, loss, tuple(others))


def _action(weights: Any) -> Any:
    """The likeliest action, the first of several."""
    return max(weights, key=lambda action: weights[action])
