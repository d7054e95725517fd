"""Which dice of an inventory to take into a game: the hand with the best value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rollwise.errors import GameError
from rollwise.games import load
from rollwise.games.users import find_parameters
from rollwise.model.game import Game, Progress, objective_of
from rollwise.model.objective import Objective
from rollwise.model.parameter import Parameter
from rollwise.model.weights import Faces, OwnDie, Weights, WeightsOfDice
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.hands import ChoosesHands, ChosenHands, count_hands, list_hands
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.choose_solver import choose_solver
from rollwise.solvers.solve import check_attainable, solve

__all__ = ["ChosenDice", "choose_dice"]

MOST_SOLVED = 2_000
"""Hands that are solved one after another, where no solver compares them."""
SHOWN = 20

AnyGame = Game[Any, Any, Any]


@dataclass(frozen=True)
class ChosenDice:
    """The best hands of an inventory, by the names of their dice, with their values, the best first.

    No hand of the `hands` that there are is worth more than the first one by more than `gap`; `solved` were solved by themselves.
    """

    game: AnyGame
    objective: Objective
    ranked: tuple[tuple[tuple[str, ...], float], ...]
    gap: float
    hands: int
    solved: int


def choose_dice(
    name: str,
    inventory: Mapping[str, OwnDie],
    take: int,
    parameters: Mapping[str, Any] | None = None,
    objective: Objective | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ChosenDice:
    """Find which `take` dice of an inventory (`read_dice`) to take into a game: the hand with the best value.

    >>> dice = {"fair": OwnDie("fair", (1,) * 6, count=2), "ones": OwnDie("ones", (3, 1, 1, 1, 1, 1))}
    >>> choose_dice("farkle", dice, 2, {"dice": 2}).ranked[0][0]
    ('fair', 'ones')

    A game whose dice are all equal takes one die. Raises `GameError` where a game takes no dice, the inventory has too few, or
    there are too many hands.
    """
    parameter = _parameter(name, take, parameters or {})
    dice, counts = _kinds(inventory)
    hands = count_hands(counts, take)
    if not hands:
        raise GameError(f"{sum(counts)} dice are listed: expected at least the {take} to take")

    def make(places: tuple[int, ...]) -> AnyGame:
        chosen = [dice[place].weights for place in places]
        return load(name, **{**(parameters or {}), parameter.name: tuple(chosen) if take > 1 else chosen[0]})

    first = make(_loaded_first(dice, counts, take))
    aim = objective_of(first, objective)
    options = SolveOptions(backend=Threads(threads), progress=progress)
    solver, found = choose_solver(first, aim, options), None
    if isinstance(solver, ChoosesHands):
        found = solver.choose_hands(first, [one.weights for one in dice], counts, take, options)
    if found is None:
        found = _solved(make, aim, counts, take, hands, options)
    shown = tuple((tuple(dice[place].name for place in places), value) for places, value in found.ranked[:SHOWN])
    return ChosenDice(make(found.ranked[0][0]), aim, shown, found.gap, hands, found.solved)


def _parameter(name: str, take: int, given: Mapping[str, Any]) -> Parameter:
    """Find the parameter that takes the dice."""
    found = next((one for one in find_parameters(name) if isinstance(one.kind, Weights)), None)
    if found is None:
        raise GameError(f"{name} has no parameter for the weights of its dice: choose another game ('rollwise games')")
    if found.name in given:
        raise GameError(f"-p {found.name}={given[found.name]} does not go with choosing dice: leave it out")
    if take < 1 or (take > 1 and not isinstance(found.kind, WeightsOfDice)):
        raise GameError(f"the dice of {name} are all equal: take 1, not {take}")
    return found


def _kinds(inventory: Mapping[str, OwnDie]) -> tuple[list[OwnDie], list[int]]:
    """Give the dice that differ, and how many there are of each."""
    found: dict[Faces, OwnDie] = {}
    counts: dict[Faces, int] = {}
    for die in inventory.values():
        found.setdefault(die.weights, die)
        counts[die.weights] = counts.get(die.weights, 0) + die.count
    return list(found.values()), list(counts.values())


def _loaded_first(dice: list[OwnDie], counts: list[int], take: int) -> tuple[int, ...]:
    """Give some hand, with a loaded die if there is one."""
    order = sorted(range(len(dice)), key=lambda place: len(set(dice[place].weights)) == 1)
    return tuple(sorted([place for place in order for _ in range(counts[place])][:take]))


def _solved(
    make: Callable[[tuple[int, ...]], AnyGame], aim: Objective, counts: list[int], take: int, hands: int, options: SolveOptions
) -> ChosenHands:
    """Solve the game with each hand."""
    if hands > MOST_SOLVED:
        raise GameError(f"there are {hands:,} hands of {take} dice, more than the {MOST_SOLVED:,} that can be solved one by one")
    found = []
    for done, places in enumerate(list_hands(counts, take)):
        options.tick("solving with each hand", done, hands)
        game = make(places)
        check_attainable(game, aim)
        value = float(solve(game, aim, threads=options.threads).value())
        found.append((places, value))
    sign = -1 if aim.better == "lower" else 1
    found.sort(key=lambda pair: (-sign * pair[1], pair[0]))
    return ChosenHands(tuple(found[:SHOWN]), 0.0, hands)
