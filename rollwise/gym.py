"""Games as environments for learning: the public door to `adapters.gym` (extra `rollwise[gym]`)."""

from rollwise.adapters.gym import DiceEnv, make_env

__all__ = ["DiceEnv", "make_env"]
