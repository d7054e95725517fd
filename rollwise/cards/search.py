"""Find a strategy card: the best of a given size that can be found, with its exact value, and the curve of size against loss.

One search changes cards of ordered rules, whose size is their lines, and keeps the best of each size (`rules_search`). Where an
evaluator has a table of all decisions, two more ways to propose cards share the effort: formulas, whose size is their whole
numbers, and optimal trees (`trees`), where the extra `rollwise[cards]` is installed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.formula_search import FormulaSearch
from rollwise.cards.rules_search import Known, RulesSearch, SearchState
from rollwise.cards.trees import TreeSearch
from rollwise.errors import GameError
from rollwise.games.users import GameLike, problem_of
from rollwise.model.card import Card
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.solvers.base.card_evaluator import CardEvaluator, Effort
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator
from rollwise.solvers.solve import solve

__all__ = ["Found", "Point", "find_card"]

SECONDS = 60.0
UNLIMITED = 1 << 20
FEW_LINES = 10
"""Lines up to which every one is made again and again; longer cards grow from the best of these."""
MOST_NUMBERS = 8
"""Formulas of more whole numbers than this are not looked for: nobody keeps them in mind."""


class Point(NamedTuple):
    """A point of the curve: the best card found of at most this size."""

    size: int
    value: float
    loss: float
    card: Card


@dataclass(frozen=True)
class Found:
    """The best card that was found, its exact value, and the curve of size against loss up to its size.

    Values and losses are in the objective's own unit. `proved` says that no card of the same family and size is better;
    `family` says in words which family that is. `stopped`: the search was interrupted, or its time was up.
    """

    card: Card
    value: float
    optimum: float
    loss: float
    curve: tuple[Point, ...]
    proved: bool
    family: str
    stopped: bool

    @property
    def size(self) -> int:
        """The lines of the card, or the whole numbers of a formula."""
        return self.card.size

    @property
    def features(self) -> tuple[str, ...]:
        """What the card asks for, in the order in which it does."""
        return tuple(self.card.features)


def find_card(
    game: GameLike,
    objective: Objective | str | None = None,
    *,
    size: int | None = 10,
    seconds: float = SECONDS,
    seed: int = 0,
    progress: Progress | None = None,
    solution: Solution | None = None,
    known: Sequence[Card] = (),
) -> Found:
    """Find the best strategy card of at most `size` lines, or `size` whole numbers of a formula (None: no limit).

    >>> from rollwise.games import load
    >>> found = find_card(load("pig", target=12), size=1, seconds=2)
    >>> print(found.card, end="")
    aim at-least 1
    otherwise: roll
    >>> round(found.loss, 12), found.proved
    (0.0, True)

    The search starts from the cards in `known`, and its result is never worse. The same seed gives the same card, unless the
    time limit ends the search. Ctrl-C stops it with the best card so far. Raises `GameError` for a size below 1, or a game that
    is too large to be solved position by position.
    """
    game, objective = problem_of(game, objective, "find_card")
    if (size is not None and size < 1) or seconds <= 0:
        raise GameError(f"a card of size {size} in {seconds} seconds: expected 1 or more lines, and some time")
    solution = solution or solve(game, objective, progress=progress)
    evaluator = evaluator_of(solution, progress=progress)
    limit = UNLIMITED if size is None else size
    evaluator.prepare(limit)
    search_state = SearchState(evaluator)
    begin = [replace(card, game="", aim="") for card in known if card.size <= limit]
    search_state.best_of(begin)
    evaluator.effort = Effort(seconds, progress)
    family, stopped = _search(search_state, limit, seed, begin)
    evaluator.effort = Effort()
    return _found(evaluator, search_state.all_best(), limit, family, stopped, objective)


def _found(
    evaluator: CardEvaluator, best: dict[int, Known], limit: int, family: str, stopped: bool, objective: Objective
) -> Found:
    """Put together what was found, best first."""
    points: list[Point] = []
    top: Known | None = None
    for size in sorted(size for size in best if size <= limit):
        if top is None or best[size].worth > top.worth + 1e-15:
            top = best[size]
            value = top.worth if evaluator.higher else 0.0 - top.worth
            points.append(Point(size, value, max(evaluator.loss(value), 0.0), replace(top.card, aim=str(objective))))
    if not points:
        raise GameError("the search was stopped before it had computed a single card: give it more seconds")
    last = points[-1]
    return Found(last.card, last.value, evaluator.optimum, last.loss, tuple(points), _proved(last, family), family, stopped)


def _proved(point: Point, family: str) -> bool:
    """A card is proved that is the best of the family searched in full, or that loses nothing."""
    compared = [one for line in point.card.lines for every in line.condition for one in every]
    plain = point.card.kind == "formula" and len(compared) == 1 and len(compared[0].right.terms) == 1
    return point.loss <= 1e-12 or bool(family and plain)


def _search(search_state: SearchState, size: int, seed: int, begin: Sequence[Card]) -> tuple[str, bool]:
    """Look for cards of up to `size`; give the family that was searched in full ("": none), and whether it was stopped.

    On score sheets the best card to `begin` with is grown; elsewhere these are changed like any that was found.
    """
    evaluator, rules, formulas = search_state.evaluator, RulesSearch(search_state, seed), None
    few, short, stopped = size <= MOST_NUMBERS, min(size, FEW_LINES), False
    shares: list[tuple[float, Callable[[], None]]]
    if not isinstance(evaluator, GraphCardEvaluator):
        # A card takes long here: one is grown, and what it has in the end is made better.
        shares = [(0.8, lambda: rules.grow_one(size, begin)), (1.0, lambda: rules.shake(size, max(search_state.best, default=3)))]
    else:
        formulas, trees = FormulaSearch(search_state, evaluator), TreeSearch(search_state, evaluator)
        shares = [
            (0.3 if few else 0.4, lambda: rules.run(short)),
            (0.8 if few else 0.3, lambda: formulas.run(min(size, MOST_NUMBERS))),
            (0.3, lambda: trees.run(size)),
            (0.7, lambda: rules.go_on(short)),
            (0.5, lambda: rules.lengthen(size)),
            (1.0, lambda: rules.go_on(size)),
        ]
    try:
        for share, run in shares:
            stopped |= evaluator.effort.within(share, run)
    except KeyboardInterrupt:
        stopped = True
    return "VERB if FEATURE >= a, otherwise VERB" if formulas and formulas.proved else "", stopped
