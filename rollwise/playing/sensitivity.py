"""What the dice of a game are worth: face by face, and compared with other dice."""

from collections.abc import Mapping
from typing import Any

from rollwise.errors import GameError
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.solvers.base.abilities import KnowsSlopes, ability
from rollwise.solvers.base.slopes import FaceSlopes
from rollwise.solvers.base.solution import Solution, require_solution
from rollwise.solvers.solve import solve

__all__ = ["face_slopes", "worth_of_dice"]


def face_slopes(solution: Solution) -> FaceSlopes:
    """Give the derivative of a value by the chance of each face, under the best strategy.

    >>> slopes = face_slopes(solve(load("farkle", dice=1, weights=(2, 1, 1, 1, 1, 1))))
    >>> [round(slope, 6) for slope in slopes.dice[0].by_face]
    [107.142857, -52.380952, -52.380952, -52.380952, 30.952381, -52.380952]

    Raises `GameError` for a game whose solution does not know them.
    """
    require_solution(solution, "face_slopes")
    found = ability(solution, KnowsSlopes).face_slopes()
    if found is None:
        raise GameError(
            f"what a face is worth in {type(solution.game).__name__} is not known: expected a game whose rolls show their dice, "
            "solved as a graph, or a turn of farkle with loaded dice"
        )
    return found


def worth_of_dice(
    name: str, parameters: Mapping[str, Any], objective: Objective | None = None, *, instead: Any = None
) -> float:  # fmt: skip
    """Give how much more a game is worth with the `weights` among its parameters than with other ones, by default fair dice.

    >>> worth_of_dice("slots", {"weights": "1,1,1,1,1,2"}) > 0
    True
    """
    others = {key: value for key, value in parameters.items() if key != "weights"}
    other = load(name, **others) if instead is None else load(name, **others, weights=instead)
    return float(solve(load(name, **parameters), objective).value()) - float(solve(other, objective).value())
