"""rollwise: the best move in a dice game, exactly, with a proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.adapters.models.write import write_model
    from rollwise.cards.evaluate import evaluate_card
    from rollwise.cards.search import find_card
    from rollwise.errors import GameError, PositionError, RollwiseError
    from rollwise.model.against import Against
    from rollwise.model.card import read_card
    from rollwise.model.game import Game
    from rollwise.model.objective import Expected, Objective
    from rollwise.model.objectives import AtLeast, AtMost, Duel, Fewest, Lowest, Win, read_objective
    from rollwise.model.parameter import Parameter
    from rollwise.model.roll import Roll, certain, dice, die, joint
    from rollwise.playing.advise import advise
    from rollwise.playing.check import check_game
    from rollwise.playing.distribution import distribution
    from rollwise.playing.evaluate import evaluate
    from rollwise.playing.explain import explain
    from rollwise.playing.grade import grade, start_game
    from rollwise.playing.puzzles import puzzles
    from rollwise.playing.rate import rate
    from rollwise.playing.record import read_record, write_record
    from rollwise.playing.simulate import simulate
    from rollwise.playing.strategy import write_policy
    from rollwise.reports.build import write_report
    from rollwise.solvers.base.solution import Solution
    from rollwise.solvers.graph.explore import explore
    from rollwise.solvers.registry import register
    from rollwise.solvers.solve import plan, solve
    from rollwise.sweeps.sweep import sweep

__version__ = "0.1.0"

_MODULES_OF = {
    "errors": "GameError PositionError RollwiseError",
    "model.roll": "Roll dice die certain joint",
    "model.game": "Game",
    "model.parameter": "Parameter",
    "model.objective": "Expected Objective",
    "model.against": "Against",
    "model.card": "read_card",
    "model.objectives": "AtLeast AtMost Duel Fewest Lowest Win read_objective",
    "solvers.base.solution": "Solution",
    "solvers.graph.explore": "explore",
    "solvers.solve": "plan solve",
    "solvers.registry": "register",
    "playing.advise": "advise",
    "playing.check": "check_game",
    "playing.evaluate": "evaluate",
    "playing.explain": "explain",
    "playing.grade": "grade start_game",
    "playing.puzzles": "puzzles",
    "playing.rate": "rate",
    "playing.record": "read_record write_record",
    "playing.simulate": "simulate",
    "playing.distribution": "distribution",
    "playing.strategy": "write_policy",
    "cards.evaluate": "evaluate_card",
    "cards.search": "find_card",
    "reports.build": "write_report",
    "sweeps.sweep": "sweep",
    "adapters.models.write": "write_model",
}
"""The modules that define the public names."""
_HOME = {name: module for module, names in _MODULES_OF.items() for name in names.split()}

MODULES = ("cache", "columns", "errors", "extending", "families", "games", "own_dice", "params", "policies", "views")
"""Public modules, imported when they are first used."""

__all__ = [
    "Against",
    "AtLeast",
    "AtMost",
    "Duel",
    "Expected",
    "Fewest",
    "Game",
    "GameError",
    "Lowest",
    "Objective",
    "Parameter",
    "PositionError",
    "Roll",
    "RollwiseError",
    "Solution",
    "Win",
    "advise",
    "certain",
    "check_game",
    "dice",
    "die",
    "distribution",
    "evaluate",
    "evaluate_card",
    "explain",
    "explore",
    "find_card",
    "grade",
    "joint",
    "plan",
    "puzzles",
    "rate",
    "read_card",
    "read_objective",
    "read_record",
    "register",
    "simulate",
    "solve",
    "start_game",
    "sweep",
    "write_model",
    "write_policy",
    "write_record",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import rollwise` and `rollwise --help` stay fast."""
    if name in _HOME:
        return getattr(import_module(f"rollwise.{_HOME[name]}"), name)
    if name in (*MODULES, "gym"):
        return import_module(f"rollwise.{name}")
    raise AttributeError(f"module 'rollwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *MODULES, "__version__"])
