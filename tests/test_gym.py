"""Games as environments of Gymnasium: they pass its checks, and their returns are the values of the games."""

import os
from importlib import import_module
from typing import Any

import pytest

from rollwise import Random
from rollwise.games import load

REASON = "Gymnasium is missing: pip install 'rollwise[gym]'"
gymnasium: Any = import_module("gymnasium") if os.environ.get("CI") else pytest.importorskip("gymnasium", reason=REASON)

from gymnasium.utils.env_checker import check_env  # noqa: E402

from rollwise.gym import make_env  # noqa: E402

SMALL: dict[str, dict[str, Any]] = {
    "bear-off": {}, "farkle": {}, "hog": {"target": 20}, "pig": {"target": 20}, "shut-the-box": {}, "slots": {}, "threes": {},
    "two-dice-pig": {"target": 20}, "words": {"dice": "AB,CD", "words": "AC"}, "groups": {"faces": 6, "sizes": "2,1"},
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_small_games_pass_the_check(name: str) -> None:
    env = make_env(load(name, **SMALL[name]), opponent=Random())
    check_env(env, skip_render_check=True)
