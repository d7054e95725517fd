"""The other player of a game for two, who belongs to the environment."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rollwise.model.game import Game
from rollwise.model.policy import Policy, chosen_actions, require_policy

__all__ = ["Rival"]


class Rival:
    """Plays player 1 by a policy, which is made when it is first asked: solving may take long."""

    def __init__(self, game: Game[Any, Any, Any], policy: Policy | None, best: Callable[[], Policy]) -> None:
        if policy is not None:
            require_policy(policy, "make_env")
        self.game, self._policy, self._best = game, policy, best
        self._known: dict[Any, list[tuple[int, int]]] = {}

    @property
    def is_best(self) -> bool:
        """Whether it plays as well as can be, because nobody said how else."""
        return self._policy is None

    @cached_property
    def policy(self) -> Policy:
        return self._best() if self._policy is None else self._policy

    def place(self, state: Any, random: Any) -> int:
        """Choose an action by its place among those of a state."""
        chosen = self.chosen(state)
        if len(chosen) == 1:
            return chosen[0][0]
        left = int(random.integers(sum(weight for _, weight in chosen)))
        for place, weight in chosen:
            left -= weight
            if left < 0:
                return place
        raise AssertionError("the weights add up")

    def chosen(self, state: Any) -> list[tuple[int, int]]:
        """Say what it does in a state: places of actions, each with its weight."""
        if state not in self._known:
            self._known[state] = self.asked(state)
        return self._known[state]

    def asked(self, state: Any) -> list[tuple[int, int]]:
        """Say the same, without keeping it."""
        return chosen_actions(self.game, self.policy, state, list(self.game.actions(state)))
