"""Games as environments for learning: the public door to `adapters.gym` (extra `rollwise[gym]`).

Importing it registers every game of the catalogue with Gymnasium, as `rollwise/NAME-v0`.
"""

from rollwise.adapters.gym import DiceEnv, DiceVectorEnv, Judged, judge, make_env, make_vec, register_games

__all__ = ["DiceEnv", "DiceVectorEnv", "Judged", "judge", "make_env", "make_vec", "register_games"]

register_games()
