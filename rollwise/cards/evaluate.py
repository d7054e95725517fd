"""What a card is worth, exactly, and where it loses: by line, and by position.

What a card loses is the sum, over the positions of its own play, of how often each occurs in a game times what the card's move
loses there against the best one. So the losses of the lines add up to the whole loss, and the costliest positions are those worth
a line of their own. Where two play, the card goes first half of the time, and the other player plays best.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from rollwise.cards.remarks import remarks_on
from rollwise.errors import GameError, brief
from rollwise.games.users import GameLike, problem_of
from rollwise.model.abilities import unlifted
from rollwise.model.card import Card, read_card
from rollwise.model.faults import blaming
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.solvers.base.abilities import EvaluatesCards, ListsDecisions, ability
from rollwise.solvers.base.card_evaluator import Account, CardEvaluator, Misplay
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.solve import solve

__all__ = ["WORST", "CardEvaluation", "LineAccount", "count_listed", "evaluate_card", "evaluator_of"]

WORST = 10
"""Costliest positions that are listed."""
TINY = 1e-12
"""A loss below this is rounding."""


@dataclass(frozen=True)
class LineAccount:
    """A line of a card: how often a game is decided by it, and what it loses a game; only positions with a choice count."""

    number: int
    text: str
    times: float
    loss: float


@dataclass(frozen=True)
class CardEvaluation:
    """A card's exact `value` with the `optimum`, both in the objective's own unit, and where the `loss` comes from.

    `by_line` has an account of every line, `unfit` one of the positions that no line fits, in which the first move is made that
    the rules list; `remarks` say what is odd about the card.
    """

    card: Card
    value: float
    optimum: float
    loss: float
    by_line: tuple[LineAccount, ...]
    unfit: LineAccount
    costliest: tuple[Misplay, ...]
    remarks: tuple[str, ...]

    @property
    def unfit_share(self) -> float:
        """The share of decisions in which no line fits."""
        return self.unfit.times / (sum(line.times for line in (*self.by_line, self.unfit)) or 1.0)

    @property
    def never_reached(self) -> tuple[LineAccount, ...]:
        """The lines by which no game is ever decided."""
        return tuple(line for line in self.by_line if not line.times)


def evaluator_of(solution: Solution, *, max_states: int = MAX_STATES, progress: Progress | None = None) -> CardEvaluator:
    """Give an evaluator for cards of a solved game. Raises `GameError` where it is too large for that."""
    found = ability(solution, EvaluatesCards).card_evaluator(progress)
    return _on_graph(solution, max_states, progress) if found is None else found


def count_listed(solution: Solution) -> int:
    """Bound the positions that are listed, one by one where the solution has no evaluator of its own, to evaluate cards."""
    if isinstance(solution, EvaluatesCards):
        return solution.states
    return ability(solution, ListsDecisions).count({})


def _on_graph(solution: Solution, max_states: int, progress: Progress | None) -> CardEvaluator:
    from rollwise.solvers.graph.solving import solve_explored  # noqa: PLC0415  (compiled code is loaded where it is needed)

    game: Any = unlifted(solution.game)
    count = count_listed(solution)
    if count > max_states:
        raise GameError(
            f"evaluating a card lists all positions, here up to {count:,}, over the budget of {max_states:,}: "
            "make the game smaller or raise max_states"
        )
    explored = explore_rules(game, solution.objective, max_states=max_states, progress=progress)
    return solve_explored(explored, SolveOptions(max_states=max_states, progress=progress), perf_counter()).card_evaluator(
        progress
    )


def evaluate_card(
    game: GameLike,
    card: Card | str,
    objective: Objective | str | None = None,
    *,
    solution: Solution | None = None,
    worst: int = WORST,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> CardEvaluation:
    r"""Compute what a strategy card is worth and where it loses, for an objective (default: the game's own).

    >>> from rollwise.games import load
    >>> found = evaluate_card(load("pig", target=20), "if turn total >= 9: hold\notherwise: roll")
    >>> round(found.value, 6), round(found.loss, 6), [round(line.loss, 6) for line in found.by_line]
    (0.308428, 0.191572, [0.191572, 0.0])

    The card is one that `read_card` or `find_card` gives, or its text. `solution` is the solved game, if you have it; `worst` is
    how many of the costliest positions are listed. Raises `GameError` for what is no card, and for a game that is too large.
    """
    game, objective = problem_of(game, objective, "evaluate_card")
    card = read_card(card, game.vocabulary()) if isinstance(card, str) else card
    if not isinstance(card, Card):
        raise GameError(f"evaluate_card was given {brief(card)} as card: expected a card, or its text")
    if solution is None:
        solution = solve(game, objective, max_states=max_states, progress=progress)
    with blaming(solution.game):
        evaluator = evaluator_of(solution, max_states=max_states, progress=progress)
        found = evaluator.account(card, worst)
        said = remarks_on(card)
    loss = evaluator.loss(found.value)
    return CardEvaluation(
        card, found.value, evaluator.optimum, 0.0 if abs(loss) < TINY else loss, _by_line(card, found), _unfit(found),
        found.costliest, said,
    )  # fmt: skip


def _by_line(card: Card, found: Account) -> tuple[LineAccount, ...]:
    rows = zip(card.lines, found.line_times, found.line_loss, strict=False)
    return tuple(LineAccount(number, str(line), times, loss) for number, (line, times, loss) in enumerate(rows, 1))


def _unfit(found: Account) -> LineAccount:
    return LineAccount(0, "no line fits", found.line_times[-1], found.line_loss[-1])
