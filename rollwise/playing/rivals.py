"""A computer to play against: the moves it makes, why, what a position is worth to whom, and what it would have played.

In a game for two every value is player 0's. `worth_to` turns it into that of either player: a chance c is 1 - c for the other,
points are lost by one where the other gains them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from rollwise.errors import GameError, one_of
from rollwise.model.abilities import project
from rollwise.model.message import Text
from rollwise.model.policy import Greedy, Optimal, Policy, policy_weights
from rollwise.playing.explain import explainer
from rollwise.playing.grade import Grade
from rollwise.solvers.base.abilities import BestAnswers, ability
from rollwise.solvers.base.solution import Number, Solution

__all__ = [
    "OPPONENTS", "Deviation", "MoveComparison", "Rival", "card_rival", "card_says", "compare_moves", "find_rival", "opponents_in",
    "worth_to",
]  # fmt: skip

OPPONENTS = ("greedy", "optimal", "points")


def worth_to(player: int, solution: Solution, value: Number) -> Number:
    """Give what a value, which is player 0's, is worth to a player.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> worth_to(1, rollwise.solve(load("pig", target=5), exact=True), 0.75)
    0.25
    """
    if not player:
        return value
    return 1 - value if solution.objective.wins else -value


@dataclass(frozen=True, eq=False)
class Rival:
    """An opponent: its name, its strategy, which player it is, and what is known about the game.

    `expert` is what it plays by, where that is not the solution of the game for two itself. `answer` has the values of positions
    for a player who answers this opponent best; None where they are not at hand, and those against best play stand in.
    """

    name: str
    policy: Policy
    player: int
    solution: Solution
    expert: Solution | None = None
    answer: Solution | None = None

    @property
    def known(self) -> Solution:
        """Whose values are the chances that are shown."""
        return self.answer or self.solution

    @property
    def exactly(self) -> bool:
        """Whether those values are against this opponent."""
        return self.answer is not None or self.name == "optimal"

    def move(self, state: Any, random: Random) -> Any:
        """Choose a move."""
        weights = policy_weights(self.policy, self.solution.game, state)
        return random.choices(list(weights), list(weights.values()))[0]

    def why(self, state: Any, action: Any) -> Text:
        """Say why a move is made, as far as what it plays by knows."""
        if getattr(self.policy, "name", "") == "card":
            return card_says(self.policy, self.solution, state)
        if self.expert is None:
            return explainer(self.solution)(state, action)
        return explainer(self.expert)(project(self.solution.game, state), action)


def card_says(card: Any, solution: Solution, state: Any) -> str:
    """Say which line of a card is played in a state."""
    number, _ = card.choose(solution.game, state)
    return f"line {number + 1}, {card.lines[number]}" if number >= 0 else "no line fits, the first move is made"


def card_rival(name: str, card: Any, solution: Solution, player: int, *, answer: bool = True) -> Rival:
    """Make an opponent who plays by a strategy card, or by another policy. Raises `GameError` for a game for one."""
    if not solution.two_players:
        raise GameError("an opponent plays a duel on a score sheet or a game for two, and this game is for one player")
    return Rival(name, card, player, solution, answer=ability(solution, BestAnswers).answer(card, player) if answer else None)


def opponents_in(solution: Solution) -> tuple[str, ...]:
    """Name those who can play the other side of a solved game, best first.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> opponents_in(rollwise.solve(load("pig", target=5))), opponents_in(rollwise.solve(load("slots")))
    (('optimal', 'greedy'), ())
    """
    objective = solution.objective
    if not solution.two_players or objective.rival:
        return (objective.rival,) if objective.rival else ()
    return ("optimal", "greedy") if objective.called == "game" else ("optimal", "points", "greedy")


def find_rival(name: str, solution: Solution, player: int, expert: Callable[[], Solution], *, answer: bool = True) -> Rival:
    """Make an opponent; `expert` solves the sheet of a duel for the expected score. Without `answer` only its moves are known.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("pig", target=24))
    >>> rival = find_rival("greedy", solution, 1, lambda: solution)
    >>> state = solution.game.read_state("0 0 second 20")
    >>> rival.move(state, Random(0)), round(solution.value(), 4), round(rival.known.value(), 4)
    ('hold', 0.5929, 0.689)

    Raises `GameError` for another name, a game for one, or an opponent for points where nobody has points of his own.
    """
    one_of("opponent", name, OPPONENTS)
    if not solution.two_players:
        raise GameError("an opponent plays a duel on a score sheet or a game for two, and this game is for one player")
    bound = solution.objective.rival
    if bound and name != bound:
        raise GameError(
            f"this game was solved against a player for {bound}: give {bound}, or solve it for {solution.objective.name}"
        )
    if name == "optimal":
        return Rival(name, Optimal(solution), player, solution)
    if name == "points":
        if solution.objective.called == "game":
            raise GameError("an opponent for points plays for the highest score of its own sheet, and this game has none: "
                            "give optimal or greedy")  # fmt: skip
        found = expert()
        best = solution if bound else ability(solution, BestAnswers).answer(Optimal(found), player) if answer else None
        return Rival(name, Optimal(found), player, solution, expert=found, answer=best)
    return card_rival(name, Greedy(), solution, player, answer=answer)


# What a strategy would have played


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
