"""Games as environments of Gymnasium (extra `rollwise[gym]`): one game, many at once, and what an agent is worth exactly."""

try:
    import gymnasium  # noqa: F401
except ImportError:
    raise ImportError("environments need Gymnasium: pip install 'rollwise[gym]'") from None

from rollwise.adapters.gym.env import DiceEnv, make_env
from rollwise.adapters.gym.evaluate import AgentEvaluation, evaluate_agent
from rollwise.adapters.gym.registry import register_games
from rollwise.adapters.gym.vector import DiceVectorEnv, make_vec

__all__ = ["AgentEvaluation", "DiceEnv", "DiceVectorEnv", "evaluate_agent", "make_env", "make_vec", "register_games"]
