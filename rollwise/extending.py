"""The parts of solvers and objectives of your own, and the abilities of their solutions."""

from rollwise.model.objective import Words
from rollwise.solvers.base.abilities import Explains, Follows, ListsDecisions, Player, PlaysMany, Reports, ability
from rollwise.solvers.base.backends import Gpu, Threads
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import PackedSolution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.registry import registered, unregister

__all__ = [
    "Certificate",
    "Distribution",
    "Explains",
    "Follow",
    "Follows",
    "Gpu",
    "ListsDecisions",
    "PackedSolution",
    "Player",
    "PlaysMany",
    "Reports",
    "SolveOptions",
    "Solver",
    "Threads",
    "Words",
    "ability",
    "registered",
    "unregister",
]  # fmt: skip
