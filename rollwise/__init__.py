"""rollwise: the best move in a dice game, exactly, with a proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.check import check_game
    from rollwise.engines.certify import Certificate
    from rollwise.errors import EngineError, GameError, PositionError, RollwiseError
    from rollwise.game import Game, Parameter
    from rollwise.graph import Explored, Graph, explore
    from rollwise.lift import Needs
    from rollwise.objective import AtLeast, Expected, Fewest
    from rollwise.roll import Roll, dice, die, sure, together
    from rollwise.solution import Decision, Ranked, Solution
    from rollwise.solver import solve

__version__ = "0.1.0"

_HOME = {
    "AtLeast": "objective", "Certificate": "engines.certify", "Decision": "solution", "EngineError": "errors",
    "Expected": "objective", "Explored": "graph", "Fewest": "objective", "Game": "game", "GameError": "errors",
    "Graph": "graph", "Needs": "lift", "Parameter": "game", "PositionError": "errors", "Ranked": "solution", "Roll": "roll",
    "RollwiseError": "errors", "Solution": "solution", "check_game": "check", "dice": "roll", "die": "roll",
    "explore": "graph", "solve": "solver", "sure": "roll", "together": "roll",
}  # fmt: skip

__all__ = [
    "AtLeast",
    "Certificate",
    "Decision",
    "EngineError",
    "Expected",
    "Explored",
    "Fewest",
    "Game",
    "GameError",
    "Graph",
    "Needs",
    "Parameter",
    "PositionError",
    "Ranked",
    "Roll",
    "RollwiseError",
    "Solution",
    "check_game",
    "dice",
    "die",
    "explore",
    "solve",
    "sure",
    "together",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import rollwise` and `rollwise --help` stay fast."""
    if name in _HOME:
        return getattr(import_module(f"rollwise.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rollwise' has no attribute {name!r}")
