"""Games as environments for learning: the public door to `adapters.gym` (extra `rollwise[gym]`)."""

from rollwise.adapters.gym import DiceEnv, DiceVectorEnv, Judged, judge, make_env, make_vec

__all__ = ["DiceEnv", "DiceVectorEnv", "Judged", "judge", "make_env", "make_vec"]
