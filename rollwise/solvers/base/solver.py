"""A solver: one way to solve a kind of game, from reading its rules to putting a stored solution together again.

A solver declares what it reads: a class of rules, the methods of it that its arrays stand for, the objectives, the modes. One
generic `accepts` compares that with what is asked. A game that overrides a method the solver takes for granted is not accepted:
it is solved by the graph solver. Solvers are tried in the order in which they are registered; the graph, last, accepts
everything.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rollwise.errors import EngineError
from rollwise.model.abilities import overridden
from rollwise.model.formatting import plain
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Evaluation, PackedSolution, Solution
from rollwise.solvers.base.steps import Steps

__all__ = ["OverriddenRules", "Solver"]

AnyGame = Game[Any, Any, Any]

SCORING = frozenset({"gain", "points", "payoff", "mover", "cost", "heuristic"})
"""Rules that change what positions are worth, and not which there are (but for what is carried from turn to turn)."""


@dataclass(frozen=True)
class OverriddenRules:
    """What keeps a game from a solver: methods that it overrides, attributes that do not fit the others."""

    solver: "Solver"
    game: AnyGame
    methods: tuple[str, ...]
    data: tuple[str, ...]

    def __str__(self) -> str:
        what = " and ".join([*(f"{name}()" for name in self.methods), *self.data])
        return f"{type(self.game).__name__} overrides {what}, which the solver for {self.solver.what} does not support"

    @property
    def min_positions(self) -> int:
        """How many positions the game has at least, as far as that follows from what it keeps."""
        known = set(self.solver.adding).issuperset(self.data) and SCORING.issuperset(self.methods)
        return self.solver.min_positions(self.game) if known else 0


class Solver(ABC):
    """How games of `owner` are solved for `objectives`, by `engines`.

    `reads` lists the methods of `owner` that the solver takes for granted, `exact` says whether it calculates in fractions too,
    `precisions` and `backends` what else it can do. `what` names its games in messages.
    """

    name: ClassVar[str]
    what: ClassVar[str]
    engines: ClassVar[tuple[str, ...]]
    owner: ClassVar[type[Any]] = Game
    objectives: ClassVar[tuple[type[Objective], ...]] = (Objective,)
    reads: ClassVar[tuple[str, ...]] = ()
    exact: ClassVar[bool] = False
    precisions: ClassVar[tuple[str, ...]] = ("float64",)
    backends: ClassVar[tuple[str, ...]] = ("cpu",)
    layered: ClassVar[bool] = False
    """Whether it is solved layer by layer, so that it takes checkpoints."""
    explores: ClassVar[bool] = False
    """Whether it explores the game, position by position."""
    adding: ClassVar[tuple[str, ...]] = ()
    """Attributes of which any other value than that in `derived` can only add positions."""
    chooses_targets: ClassVar[bool] = False
    """Whether it solves for every target at once, and chooses one for an objective that needs it."""
    worth_seconds: ClassVar[float] = 0.25
    """A solve that was quicker is not worth a file."""
    large: ClassVar[str] = ""
    """The array of a stored solution that is large, and of which advice needs little; `*` in its name stands for anything."""

    def accepts(self, game: AnyGame, objective: Objective, options: SolveOptions) -> bool:
        """Say whether this solver solves a game so."""
        return (
            (options.engine is None or options.engine in self.engines)
            and (self.exact or not options.exact)
            and options.precision in self.precisions
            and options.backend.name in self.backends
            and self.matches(game, objective)
            and self.fits(game, objective, options)
        )

    def matches(self, game: AnyGame, objective: Objective) -> bool:
        """Say whether the game, with all its rules, and the objective are what this solver reads."""
        return self.is_candidate(game, objective) and self.overridden(game) is None

    def is_candidate(self, game: AnyGame, objective: Objective) -> bool:
        """Say whether the game is one of `owner`, with rules of its own or not."""
        return isinstance(game, self.owner) and isinstance(objective, self.objectives)

    def fits(self, game: Any, objective: Any, options: SolveOptions) -> bool:
        """Say whether a game that is read so is one that the solver is good at; default: always."""
        return True

    def overridden(self, game: AnyGame, more: tuple[str, ...] = ()) -> OverriddenRules | None:
        """Find what a game changes: rules, `more` of its methods, or attributes; None if nothing."""
        methods = overridden(game, self.owner, (*self.reads, *more))
        data = tuple(name for name, value in self.derived(game).items() if getattr(game, name) != value)
        return OverriddenRules(self, game, methods, data) if methods or data else None

    def derived(self, game: Any) -> Mapping[str, Any]:
        """Say how attributes that only the methods look at follow from those that the solver reads."""
        return {}

    def min_positions(self, game: Any) -> int:
        """Give a number of positions that the game has at least, as long as only its scoring is changed."""
        return 0

    @abstractmethod
    def key(self, game: Any, objective: Any) -> str:
        """Name the solution in a cache, by a digest of the rules; nothing is solved.

        A name that ends in a hyphen is only the beginning: the game must be explored, and `explored_key` gives all of it.
        """

    def explored_key(self, key: str, explored: Any) -> str:
        """Name the solution of an explored game, whose name begins with `key`."""
        return key

    def is_same_source(self, game: Any, rest: Mapping[str, Any]) -> bool:
        """Say whether a stored solution is of a game with the same text, so that it may be used without exploring."""
        return False

    def plan(self, game: Any, objective: Any, options: SolveOptions) -> Plan:
        """Say what solving takes. Raises `GameError`, before anything is allocated, for what is too large."""
        return Plan()

    def worker_bytes(self, game: Any, objective: Any, options: SolveOptions) -> int | None:
        """Say how many bytes a worker of a cluster needs beside files that it maps; None: not known before."""
        return self.plan(game, objective, options).memory_bytes

    @abstractmethod
    def solve(self, game: Any, objective: Any, options: SolveOptions) -> Solution:
        """Solve a game that is accepted."""

    def part(self, game: Any, objective: Any, position: Any, options: SolveOptions) -> Any:
        """Give the pending roll that a part of the game begins with, if it takes much less to solve than all, and has a position.

        None: the whole game is solved.
        """
        return None

    def solve_part(self, game: Any, objective: Any, start: Any, options: SolveOptions) -> Solution:
        """Solve only what can follow from the start of a `part`."""
        return self.solve(game, objective, options)

    def check(self, game: Any, objective: Any) -> None:  # noqa: B027
        """Refuse an objective that no game attains, where that is known without solving. Raises `GameError`."""

    @abstractmethod
    def unpack(self, game: Any, objective: Any, packed: PackedSolution) -> Solution:
        """Put a stored solution together again. Raises anything for one that does not fit."""

    def stored_value(self, solution: Solution, rest: Mapping[str, Any]) -> float | str:
        """Give the value that an entry says it has, from the solution put together of it."""
        return plain(float(solution.value()))

    def policy_reads(self, policy: Policy | None) -> tuple[str, ...]:
        """List the methods that following a policy on this solver takes for granted, too."""
        return ()

    def evaluate(self, game: Any, policy: Policy, objective: Any, options: SolveOptions) -> Evaluation | None:
        """Compute what a policy is worth; None: this solver does not follow it."""
        return None

    def steps(self, game: Any, count: int) -> Steps | None:
        """Give so many games at once, to be played a decision at a time; None: this solver has none."""
        return None

    def unfit(self, game: AnyGame, objective: Objective, options: SolveOptions) -> EngineError:
        """Say why this solver does not solve a game as was asked."""
        found = self.overridden(game) if self.is_candidate(game, objective) else None
        if found:
            return EngineError(f"engine {options.engine!r} does not solve this game, as {found}: leave it out")
        return EngineError(f"engine {options.engine!r} does not solve this game for {objective} in this mode: leave it out")
