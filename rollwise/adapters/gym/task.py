"""What is played: a game for an objective, against a rival where there are two players; solved on demand."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rollwise.errors import GameError
from rollwise.games.users import GameLike, problem_of
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.model.policy import BEST_ANSWER, Optimal, Policy, PolicyPair, chosen_actions, policy_of
from rollwise.playing.evaluate import evaluate
from rollwise.solvers.base.solution import Evaluation, Number, Solution, require_solution
from rollwise.solvers.registry import solvers
from rollwise.solvers.solve import solve

__all__ = ["Rival", "Task", "least_positions", "make_task"]


class Rival:
    """Plays player 1 by a policy, which is made on first use: solving may take long."""

    def __init__(self, game: Game[Any, Any, Any], policy: Policy | None, best: Callable[[], Policy]) -> None:
        self.game, self._best = game, best
        self._policy = None if policy is None else policy_of(policy, "make_env")
        self._known: dict[Any, list[tuple[int, int]]] = {}

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


@dataclass(frozen=True)
class Task:
    """A game as it was described, what it is played for, and who plays player 1 (None: as well as can be)."""

    game: Game[Any, Any, Any]
    objective: Objective
    opponent: Policy | None = None
    given: Solution | None = None

    @cached_property
    def solution(self) -> Solution:
        """The solved game."""
        return solve(self.game, self.objective) if self.given is None else self.given

    @cached_property
    def optimum(self) -> Number:
        """What the best agent gets, in the objective's own terms: points, a chance, or rolls."""
        if self.opponent is None:
            return self.solution.value()
        return evaluate(self.game, PolicyPair(BEST_ANSWER, self.opponent), self.objective).value

    @cached_property
    def exact_optimum(self) -> Number:
        """The same as a fraction, where the game can be solved so."""
        if self.opponent is None:
            return solve(self.game, self.objective, exact=True).value()
        return evaluate(self.game, PolicyPair(BEST_ANSWER, self.opponent), self.objective, exact=True).value

    @property
    def sign(self) -> int:
        """What a value is multiplied with to be a return: agents want much."""
        return 1 if self.objective.better == "higher" else -1

    def rival(self, game: Game[Any, Any, Any]) -> Rival:
        """Give who plays player 1 in the game that is walked."""
        return Rival(game, self.opponent, lambda: Optimal(self.solution))

    def worth(self, policy: Policy, *, exact: bool = False) -> Evaluation:
        """Compute what a policy is worth to player 0."""
        if self.objective.restate(self.game).players > 1:
            policy = PolicyPair(policy, Optimal(self.solution) if self.opponent is None else self.opponent)
        return evaluate(self.game, policy, self.objective, exact=exact)


def make_task(game: GameLike, objective: Objective | str | None, opponent: Policy | None, solution: Solution | None) -> Task:
    """Read what is to be played. Raises `GameError` for what does not fit together."""
    game, aim = problem_of(game, objective, "make_env")
    if not aim.is_resolved:
        raise GameError(f"{aim} depends on how the game is played for points: resolve(objective, game) first")
    if solution is not None:
        require_solution(solution, "make_env")
        if solution.objective != aim:
            raise GameError(f"the solution is one for {solution.objective}: expected one for {aim}")
    return Task(game, aim, opponent, solution)


def least_positions(game: Game[Any, Any, Any], objective: Objective) -> int:
    """Say how many positions a game surely has, where a form knows; else 0."""
    return max((solver.min_positions(game) for solver in solvers() if solver.is_candidate(game, objective)), default=0)
