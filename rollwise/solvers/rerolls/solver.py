"""The solver of rerolls to a goal."""

from collections.abc import Mapping
from math import prod
from typing import Any

from rollwise.games.words import RerollGame, patterns_of
from rollwise.model.objectives import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver

__all__ = ["RerollSolver"]


class RerollSolver(Solver):
    """Roll any dice again until they show a goal, in the fewest rolls, by separable sweeps."""

    name = "words"
    what = "a words game"
    engines = ("sweeps",)
    owner = RerollGame
    objectives = (Fewest,)
    large = "value"
    reads = ("start", "roll", "actions", "play", "cost", "mover")

    def derived(self, game: RerollGame) -> Mapping[str, Any]:
        return {"weights": [dict(faces) for faces in game.dice], "patterns": patterns_of(len(game.dice))}

    def min_positions(self, game: RerollGame) -> int:
        return prod(len(faces) for faces in game.dice)

    def key(self, game: RerollGame, objective: Fewest) -> str:
        return f"words-{digest(game.dice, sorted(game.goals))}"

    def plan(self, game: RerollGame, objective: Fewest, options: SolveOptions) -> Plan:
        from rollwise.solvers.rerolls.solution import reroll_bytes  # noqa: PLC0415  (loaded only where such a game is met)

        return Plan(memory_bytes=reroll_bytes(game))

    def solve(self, game: RerollGame, objective: Fewest, options: SolveOptions) -> Solution:
        from rollwise.solvers.rerolls.solution import solve_rerolls  # noqa: PLC0415

        return solve_rerolls(game, progress=options.progress)

    def unpack(self, game: RerollGame, objective: Fewest, packed: PackedSolution) -> Solution:
        from rollwise.solvers.rerolls.solution import RerollSolution, group_dice  # noqa: PLC0415
        from rollwise.solvers.rerolls.sweeps import RerollArrays, make_axis  # noqa: PLC0415

        groups, values = group_dice(game), packed.arrays["value"]
        axes = tuple(make_axis(tuple(weight for _, weight in faces), len(members)) for faces, members in groups)
        reroll_arrays = RerollArrays(axes, packed.arrays["goal"])
        return RerollSolution(
            game, objective, *packed.head, arrays=reroll_arrays, array=values, groups=groups, rounds=packed.rest["rounds"]
        )
