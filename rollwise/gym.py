"""Games as environments for learning: the public door to `adapters.gym` (extra `rollwise[gym]`).

Importing it registers every game of the catalogue with Gymnasium, as `rollwise/NAME-v0`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rollwise.adapters.gym import AgentEvaluation, DiceEnv, DiceVectorEnv, evaluate_agent, make_env, make_vec, register_games
from rollwise.model.features import Feature, Features

if TYPE_CHECKING:
    from rollwise.adapters.gym.two_players import TwoPlayersEnv, make_aec

__all__ = [
    "AgentEvaluation",
    "DiceEnv",
    "DiceVectorEnv",
    "Feature",
    "Features",
    "TwoPlayersEnv",
    "evaluate_agent",
    "make_aec",
    "make_env",
    "make_vec",
    "register_games",
]

register_games()


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Import what needs PettingZoo (extra `rollwise[pettingzoo]`) on demand: `make_aec` and its `TwoPlayersEnv`."""
    if name in ("TwoPlayersEnv", "make_aec"):
        return getattr(import_module("rollwise.adapters.gym.two_players"), name)
    raise AttributeError(f"module 'rollwise.gym' has no attribute {name!r}")
