"""The games of the catalogue by name, for `gymnasium.make` and `gymnasium.make_vec`: `rollwise/NAME-v0`."""

from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv

from rollwise.adapters.gym.env import DiceEnv, make_env
from rollwise.adapters.gym.vector import make_vec
from rollwise.games import CATALOGUE, load
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy

__all__ = ["KNOWN", "make_registered", "make_registered_vec", "register_games"]

HERE = "rollwise.adapters.gym.registry"

KNOWN = {
    "balut": 433.347123664, "bear-off": -8.13892320260, "cant-stop": -2.45398598129, "crag": 149.847593232,
    "farkle": 446.571440344, "generala": 150.148575529, "hog": 0.529865394297, "kismet": 315.179995906,
    "kniffel": 245.870774514, "maxi-yatzy": 394.557506820, "pig": 0.530592725274, "shut-the-box": 0.0714316223056,
    "slots": 0.296146262003, "threes": -6.25397852594, "two-dice-pig": 0.519558893862, "ur": 0.516201102238,
    "yacht": 166.955067705,
    "yacht-dice": 191.774369188, "yahtzee": 254.587728734, "yatzy": 248.439989378, "yazy": 165.757318709,
}  # fmt: skip
"""The highest expected return of games as the catalogue has them, which is their `reward_threshold`."""


def register_games() -> None:
    """Register every game of the catalogue that is not registered yet. Nothing is made or solved."""
    for name in CATALOGUE:
        known = f"rollwise/{name}-v0"
        if known not in gymnasium.registry:
            gymnasium.register(
                known,
                entry_point=f"{HERE}:make_registered",
                vector_entry_point=f"{HERE}:make_registered_vec",
                reward_threshold=KNOWN.get(name),
                kwargs={"game": name},
            )


def make_registered(
    game: str,
    objective: Objective | str | None = None,
    *,
    opponent: Policy | None = None,
    render_mode: str | None = None,
    **given: Any,
) -> DiceEnv:
    """Make a registered environment; what `make_env` does not know are parameters of the game."""
    options, parameters = _parted(given)
    env = make_env(load(game, **parameters), objective, opponent=opponent, render_mode=render_mode, **options)
    env.threshold = _known(game, objective, opponent, parameters)
    return env


def make_registered_vec(
    game: str, num_envs: int = 1, objective: Objective | str | None = None, *, opponent: Policy | None = None, **given: Any
) -> VectorEnv[Any, Any, Any]:
    """Make many registered environments at once."""
    options, parameters = _parted(given)
    envs = make_vec(load(game, **parameters), num_envs, objective, opponent=opponent, **options)
    envs.threshold = _known(game, objective, opponent, parameters)  # type: ignore[attr-defined]
    return envs


OPTIONS = ("autoreset", "max_states", "observation", "solution", "strict")


def _parted(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tell options of an environment from parameters of a game."""
    options = {name: value for name, value in given.items() if name in OPTIONS}
    return options, {name: value for name, value in given.items() if name not in OPTIONS}


def _known(game: str, objective: Any, opponent: Any, parameters: dict[str, Any]) -> float | None:
    """The optimum of a game that is as the catalogue has it."""
    return KNOWN.get(game) if objective is None and opponent is None and not parameters else None
