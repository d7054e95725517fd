"""Games as environments of Gymnasium (extra `rollwise[gym]`): one game, many at once, and what an agent is worth exactly."""

try:
    import gymnasium  # noqa: F401
except ImportError:
    raise ImportError("environments need Gymnasium: pip install 'rollwise[gym]'") from None

from rollwise.adapters.gym.env import DiceEnv, make_env

__all__ = ["DiceEnv", "make_env"]
