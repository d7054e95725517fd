"""The form of rerolls to a goal."""

from collections.abc import Mapping
from math import prod
from typing import Any

from rollwise.errors import GameError
from rollwise.games.reroll import RerollGame, patterns_of
from rollwise.model.fewest import Fewest
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Solution, Stored

__all__ = ["RerollForm"]


class RerollForm(Form):
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

    def least(self, game: RerollGame) -> int:
        return prod(len(faces) for faces in game.dice)

    def key(self, game: RerollGame, objective: Fewest) -> str:
        return f"words-{digest(game.dice, sorted(game.goals))}"

    def plan(self, game: RerollGame, objective: Fewest, how: How) -> Plan:
        from rollwise.solvers.rerolls.solution import reroll_bytes  # noqa: PLC0415  (loaded only where such a game is met)

        return Plan(memory_bytes=reroll_bytes(game))

    def solve(self, game: RerollGame, objective: Fewest, how: How) -> Solution:
        from rollwise.solvers.rerolls.solution import solve_rerolls  # noqa: PLC0415

        return solve_rerolls(game, progress=how.progress)

    def unpack(self, game: RerollGame, objective: Fewest, stored: Stored) -> Solution:
        from rollwise.solvers.rerolls.solution import RerollSolution  # noqa: PLC0415
        from rollwise.solvers.rerolls.sweeps import RerollArrays, make_axis  # noqa: PLC0415

        rest, arrays = stored.rest, stored.arrays
        groups = [(tuple((symbol, weight) for symbol, weight in faces), members) for faces, members in rest["groups"]]
        if sorted((i, faces) for faces, members in groups for i in members) != list(enumerate(game.dice)):
            raise GameError("other dice")
        axes = tuple(make_axis(tuple(weight for _, weight in faces), len(members)) for faces, members in groups)
        form = RerollArrays(axes, arrays["goal"])
        return RerollSolution(
            game, objective, *stored.head, form=form, array=arrays["value"], groups=groups, rounds=rest["rounds"]
        )
