"""Games for two as environments of PettingZoo: they pass its tests, and what agents get is what the games are worth."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from rollwise import Expected, GameError, solve
from rollwise.families import Box, Sheet
from rollwise.games import load
from tests.full.libraries import need

pettingzoo = need("pettingzoo", "rollwise[pettingzoo]")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from rollwise.gym import make_aec  # noqa: E402

GAMES: dict[str, Any] = {
    "pig": lambda: make_aec(load("pig", target=20)),
    "two-dice-pig": lambda: make_aec(load("two-dice-pig", target=12)),
    "hog": lambda: make_aec(load("hog", target=20)),
    "farkle": lambda: make_aec(load("farkle", players=2, target=300)),
    "bear-off": lambda: make_aec(load("bear-off", players=2, start="3")),
    "pig for points": lambda: make_aec(load("pig", target=20), Expected()),
    "duel": lambda: make_aec(load("yazy"), "duel"),
    "small duel": lambda: make_aec(small_sheet(), "duel", observation="number"),
    "large duel": lambda: make_aec("yahtzee", "duel", observation="features", strict=True),
}


def small_sheet() -> Sheet:
    return Sheet([Box("ones", lambda hand: hand.count(1)), Box("sum", sum)], count=2, faces=3, rerolls=1)


# They recommend arrays for everything; numbers of positions and named features are neither, and the mask of who waits is empty.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning", "ignore:Action mask:UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_environments_pass_the_api_test(name: str) -> None:
    api_test(GAMES[name](), num_cycles=60)


@pytest.mark.parametrize("name", ["pig", "duel"])
def test_a_seed_gives_the_same_game(name: str) -> None:
    seed_test(GAMES[name], num_cycles=30)


def returns(env: Any, choose: Any, seed: int) -> list[float]:
    """Play a game; give what both agents got."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        total[agent] += reward
        env.step(None if over or cut else choose(env, seen["action_mask"]))
    return list(total.values())


@cache
def best_at(env: Any, spot: Any) -> int:
    chosen = env.solution.best(env.board.position(spot))
    number: int = env.actions.index(env.board.game.show_action(chosen))
    return number


def best(env: Any, _mask: Any) -> int:
    return best_at(env, env.spot)


@pytest.mark.parametrize("name", ["pig", "small duel"])
def test_best_play_gets_the_value(name: str) -> None:
    env = GAMES[name]()
    played = np.array([returns(env, best, seed) for seed in range(300)])
    assert played.sum(axis=1) == pytest.approx(1)  # somebody wins, or both share
    error = played[:, 0].std() / len(played) ** 0.5
    assert abs(played[:, 0].mean() - env.optimum) < 4 * error
    assert env.optimum == solve(env.task.game, env.task.objective).value()


def test_without_a_winner_one_loses_what_the_other_gains() -> None:
    env = GAMES["pig for points"]()
    for seed in range(5):
        mine, theirs = returns(env, lambda _, mask: mask.argmax(), seed)
        assert mine == -theirs


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: make_aec("slots"), "has one player: use make_env"),
        (lambda: make_aec("yahtzee"), "or a duel"),
        (lambda: make_aec(load("pig", target=20), render_mode="human"), "expected 'ansi'"),
        (lambda: make_aec(load("pig", target=20)).step(0), "reset the environment"),
    ],
)
def test_what_cannot_be_played_is_refused(make: Any, why: str) -> None:
    with pytest.raises(GameError, match=why):
        make()
