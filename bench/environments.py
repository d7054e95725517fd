"""Steps a second of environments, in processor time: `make_vec` against `SyncVectorEnv` of `make_env`, actions at random.

python -m bench.environments [GAME ...] [--lanes N]
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.entry import run
from rollwise.games import load
from rollwise.policies import RandomPolicy

GAMES: list[tuple[str, str | None, Any]] = [
    ("slots", None, None),
    ("shut-the-box", None, None),
    ("farkle", None, None),
    ("pig", None, RandomPolicy()),
    ("yahtzee", None, None),
    ("yahtzee", "at-least 250", None),
    ("maxi-yatzy", None, None),
]
FEW = 16


def rate(envs: Any, steps: int) -> float:
    """Count steps of all lanes in a second of processor time, not counting the choice of actions."""
    random = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    spent = 0.0
    for _ in range(steps):
        mask = info["action_mask"]
        actions = (mask * random.random(mask.shape, dtype=np.float32)).argmax(axis=1)
        begun = time.process_time()
        *_, info = envs.step(actions)
        spent += time.process_time() - begun
    return float(envs.num_envs * steps / spent)


def main(words: Sequence[str]) -> None:
    """Print a table."""
    from gymnasium.vector import SyncVectorEnv  # noqa: PLC0415  (said in a line where it is missing)

    from rollwise.gym import make_env, make_vec  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m bench.environments")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--lanes", type=int, default=4096)
    options = parser.parse_args(words)
    print(f"{'game':30} {'make_vec':>12} {'SyncVectorEnv':>14}  (steps a second; {options.lanes} and {FEW} games)")
    for name, aim, rival in [row for row in GAMES if not options.games or row[0] in options.games]:
        game = load(name)
        fast = rate(make_vec(game, options.lanes, aim, opponent=rival), 60)
        env = make_env(game, aim, opponent=rival)
        slow = rate(SyncVectorEnv([lambda env=env: type(env)(env.task, env.board) for _ in range(FEW)]), 60)  # type: ignore[misc]
        print(f"{name + (' ' + aim if aim else ''):30} {fast:12,.0f} {slow:14,.0f}  {fast / slow:,.0f} times")


if __name__ == "__main__":
    sys.exit(run(main))
