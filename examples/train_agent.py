"""Train an agent for about a minute, and say exactly how good it is.

Q-learning in a table on Shut the Box: thousands of games side by side, no library but NumPy. At the end `judge` follows the
agent through the whole game, so its regret is a number with a proof and not the mean of some test games.

    python examples/train_agent.py              # a minute
    python examples/train_agent.py 10 slots     # ten seconds, another game
"""

import sys
import time
from typing import Any

import numpy as np

from rollwise.gym import evaluate_agent, make_env, make_vec

LANES = 512


def train(game: str, seconds: float, seed: int = 1) -> np.ndarray:
    """Learn what every action is worth at every observation, from 512 games at a time."""
    envs: Any = make_vec(game, LANES)
    observations, info = envs.reset(seed=seed)
    mask = info["action_mask"]
    shape = (envs.single_observation_space.n, envs.single_action_space.n)
    value, visits = np.zeros(shape), np.zeros(shape)
    random, begun = np.random.default_rng(seed), time.perf_counter()
    over = np.zeros(LANES, dtype=bool)
    while (spent := (time.perf_counter() - begun) / seconds) < 1:
        explore = max(0.05, 1 - 1.5 * spent)
        actions = choose(value[observations], mask, random, explore)
        after, reward, ended, _, info = envs.step(actions)
        # A lane that had ended only began anew: nothing is learnt from that.
        live = ~over
        best_after = np.where(info["action_mask"] > 0, value[after], -np.inf).max(axis=1)
        target = reward + np.where(ended, 0, best_after)
        learn(value, visits, observations[live], actions[live], target[live])
        observations, mask, over = after, info["action_mask"], ended
    print(f"{visits.sum():,.0f} decisions in {seconds:.0f} s")
    return value


def choose(value: np.ndarray, mask: np.ndarray, random: np.random.Generator, explore: float) -> np.ndarray:
    """Take the best allowed action, or sometimes any allowed one."""
    best = np.where(mask > 0, value, -np.inf).argmax(axis=1)
    anything = (mask * random.random(mask.shape)).argmax(axis=1)
    chosen: np.ndarray = np.where(random.random(len(mask)) < explore, anything, best)
    return chosen


def learn(value: np.ndarray, visits: np.ndarray, seen: np.ndarray, action: np.ndarray, target: np.ndarray) -> None:
    """Move values towards targets, by less the more often a pair was seen."""
    np.add.at(visits, (seen, action), 1)
    rate = 1 / visits[seen, action] ** 0.7
    np.add.at(value, (seen, action), rate * (target - value[seen, action]))


def main() -> None:
    seconds, game = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, sys.argv[2] if len(sys.argv) > 2 else "shut-the-box"
    env = make_env(game)
    print("at random:", evaluate_agent(lambda _, mask: mask / mask.sum(), env))
    value = train(game, seconds)
    print("trained:  ", evaluate_agent(lambda seen, mask: np.where(mask > 0, value[seen], -np.inf).argmax(), env))
    print("best:     ", evaluate_agent(env.best, env))


if __name__ == "__main__":
    main()
