"""Games as environments of Gymnasium: they pass its checks, and their returns are the values of the games."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import AtLeast, GameError, evaluate, solve
from rollwise.games import load
from rollwise.model.features import features_of
from rollwise.policies import Greedy, Optimal, RandomPolicy
from tests.full.libraries import need

gymnasium = need("gymnasium", "rollwise[gym]")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from rollwise.adapters.gym import task as tasks  # noqa: E402
from rollwise.adapters.gym.described import Described  # noqa: E402
from rollwise.adapters.gym.registry import KNOWN  # noqa: E402
from rollwise.gym import DiceVectorEnv, evaluate_agent, make_env, make_vec  # noqa: E402

SMALL: dict[str, dict[str, Any]] = {
    "bear-off": {"start": "15"}, "farkle": {}, "hog": {"target": 8}, "pig": {"target": 12}, "shut-the-box": {}, "slots": {},
    "threes": {},
    "two-dice-pig": {"target": 12}, "words": {"dice": "AB,CD", "words": "AC"}, "groups": {"faces": 6, "sizes": "2,1"},
    "cant-stop": {"sides": 2, "shortest": 1},
}  # fmt: skip
SHEETS = ["balut", "crag", "generala", "kismet", "maxi-yatzy", "yahtzee", "yatzy", "yazy"]
TWO_BOXES = {"boxes": "sixes,straight", "rerolls": 1}


def any_allowed(mask: Any, random: np.random.Generator) -> Any:
    """Choose any allowed action in every lane."""
    return (mask * random.random(mask.shape)).argmax(axis=-1)


def small(name: str) -> Any:
    return load(name, **SMALL[name])


@pytest.mark.parametrize("name", SMALL)
def test_small_games_pass_the_check(name: str) -> None:
    check_env(make_env(small(name), opponent=RandomPolicy()), skip_render_check=True)


@pytest.mark.parametrize("name", SHEETS)
def test_score_sheets_pass_the_check(name: str) -> None:
    check_env(make_env(name), skip_render_check=True)
    check_env(make_env(name, AtLeast(100)), skip_render_check=True)


@pytest.mark.parametrize("aim", ["expected", "at-least 20", "at-most 20", "lowest", "against 10,20,30", "duel"])
def test_every_objective_passes_the_check(aim: str) -> None:
    game = load("yazy", **TWO_BOXES)
    for observation in ("number", "features") if aim != "duel" else ("features",):
        check_env(make_env(game, aim, observation=observation, opponent=Greedy()), skip_render_check=True)


# Registration


def test_making_does_not_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "solve", lambda *_: pytest.fail("solved"))
    for name in ("shut-the-box", "yahtzee"):
        env = gymnasium.make(f"rollwise/{name}-v0")
        assert env.spec.reward_threshold == KNOWN[name]
        env.reset(seed=1)


def test_a_registered_game_passes_every_check() -> None:
    env = gymnasium.make("rollwise/yazy-v0", render_mode="ansi")
    check_env(env.unwrapped)
    env.reset(seed=1)
    env.step(0)
    assert env.unwrapped.board.game.read_state(env.render())


def test_thresholds_are_the_known_values() -> None:
    for name, value in KNOWN.items():
        rows = tomllib.loads(Path(f"tests/known/{name}.toml").read_text(encoding="utf-8")).get("value", [])
        plain = next((row for row in rows if not {"parameters", "objective", "engine"} & set(row)), None)
        if plain is not None:
            assert abs(value) == pytest.approx(float(plain["value"]), abs=max(plain.get("within", 0), 1e-9))


# What happens in them


@pytest.mark.parametrize("name", ["bear-off", "shut-the-box", "slots", "words", "groups"])
def test_the_table_of_transitions_has_the_values_of_the_game(name: str) -> None:
    env = make_env(small(name))
    solution, explored = env.solution, env.board.explored
    assert explored is not None
    value = [env.optimum, *(env.task.sign * float(solution.value(state, kind="state")) for state in explored.states)]
    for seen, by_action in env.P.items():
        moves = {id(row): row for row in by_action.values()}.values()
        worth = [sum(chance * (reward + (0 if over else value[after])) for chance, after, reward, over in row) for row in moves]
        assert all(sum(chance for chance, *_ in row) == pytest.approx(1) for row in moves)
        if not all(row == [(1.0, seen, 0.0, True)] for row in moves):
            assert max(worth) == pytest.approx(value[seen], abs=1e-9)


@pytest.mark.parametrize(
    ("game", "aim"),
    [
        (load("slots"), AtLeast(51)), (load("threes"), None), (load("bear-off", start="15"), None),
        (load("yazy", **TWO_BOXES), None),
    ],
)  # fmt: skip
def test_the_mean_return_of_the_best_is_the_optimum(game: Any, aim: Any) -> None:
    env = make_env(game, aim, observation="number")
    explored = env.board.explored
    assert explored is not None
    best = np.array([env.best(seen) for seen in range(explored.graph.n_states + 1)])
    envs = make_vec(game, 20_000, aim, observation="number")
    assert abs(deviation(envs, lambda seen: best[seen], env.optimum)) < 5


def deviation(envs: Any, policy: Any, optimum: float) -> float:
    """How many standard errors the mean return of one game in every lane is above the optimum."""
    seen, _ = envs.reset(seed=3)
    total, live = np.zeros(envs.num_envs), np.ones(envs.num_envs, dtype=np.bool_)
    while live.any():
        seen, reward, over, _, _ = envs.step(policy(seen))
        total += np.where(live, reward, 0)
        live &= ~over
    return float((total.mean() - optimum) / max(total.std(ddof=1) / np.sqrt(len(total)), 1e-12))


@pytest.mark.parametrize(("name", "aim"), [("yahtzee", None), ("generala", AtLeast(80)), ("balut", None)])
def test_sheets_at_once_follow_the_rules(name: str, aim: Any) -> None:
    follow_rules(make_vec(name, 3, aim), 45)


def follow_rules(envs: Any, steps: int) -> None:
    """Play three lanes at random, and compare what is seen, allowed and gained with the rules."""
    assert isinstance(envs, DiceVectorEnv)
    board, random = Described(envs.task), np.random.default_rng(5)
    game, ended = board.game, [False] * 3
    seen, info = envs.reset(seed=2)
    pendings: list[Any] = [game.start()] * 3
    spots: list[Any] = [None] * 3
    for _ in range(steps):
        actions = any_allowed(info["action_mask"], random)
        gains = [0.0] * 3
        for lane, action in enumerate(actions.tolist()):
            if ended[lane]:
                pendings[lane], spots[lane] = None, None
            elif spots[lane] is None:
                pendings[lane] = game.start()
            else:
                move = list(game.actions(spots[lane]))[board.allowed(spots[lane]).index(action)]
                gains[lane], pendings[lane] = game.gain(spots[lane], move), game.play(spots[lane], move)
        seen, reward, over, _, info = envs.step(actions)
        for lane in range(3):
            if pendings[lane] is None:
                assert all((seen[key][lane] == board.lowest[key]).all() for key in seen)
            else:
                found = [state for state in game.roll(pendings[lane]) if same(board.observe(state), seen, lane)]
                assert len(found) == 1
                spots[lane] = found[0]
                gains[lane] += game.payoff(found[0]) if over[lane] else 0
                assert over[lane] == (not game.actions(found[0]))
                assert (board.mask(found[0]) == info["action_mask"][lane]).all()
                assert reward[lane] == gains[lane]
        ended = over.tolist()


def same(one: Any, many: Any, lane: int) -> bool:
    return one.keys() == many.keys() and all((one[key] == many[key][lane]).all() for key in one)


def test_sheets_at_once_have_the_rolls_of_the_rules() -> None:
    game = load("yazy", **TWO_BOXES)
    solution = solve(game)
    envs: Any = make_vec(game, 4000, observation="features")
    board = Described(envs.task)
    known: dict[Any, int] = {}

    def policy(seen: Any) -> Any:
        rows = list(zip(*(map(tuple, seen[key].tolist()) for key in ("dice", "rerolls_left", "open")), strict=True))
        return np.array([known.setdefault(row, best(row)) for row in rows])

    def best(row: Any) -> int:
        dice = tuple(face + 1 for face, count in enumerate(row[0]) for _ in range(count))
        opened = sum(1 << box for box, left in enumerate(row[2]) if left)
        state = game.start()._replace(open=opened, dice=dice, left=row[1][0])
        return board.number[solution.best(state)] if dice else 0

    assert abs(deviation(envs, policy, float(solution.value()))) < 5


@pytest.mark.parametrize("name", ["shut-the-box", "farkle", "pig", "hog"])
def test_graphs_at_once_follow_the_rules(name: str) -> None:
    game = small(name)
    envs: Any = make_vec(game, 4, opponent=Optimal(solve(game)) if game.players > 1 else None)
    explored, random = envs.board.explored, np.random.default_rng(5)
    seen, info = envs.reset(seed=2)
    ended = np.zeros(4, dtype=np.bool_)
    for _ in range(40):
        actions, before = any_allowed(info["action_mask"], random), seen
        seen, _, over, _, info = envs.step(actions)
        for lane in np.flatnonzero(~ended & (before > 0)).tolist():
            state = explored.states[before[lane] - 1]
            after = game.roll(game.play(state, envs.actions[actions[lane]]))
            assert game.players > 1 or explored.states[seen[lane] - 1] in after
        ended = over


def test_one_seed_gives_the_same_games() -> None:
    def play(seed: int, envs: Any) -> list[Any]:
        random, found = np.random.default_rng(1), []
        _, info = envs.reset(seed=seed)
        for _ in range(30):
            seen, reward, *_, info = envs.step(any_allowed(info["action_mask"], random))
            found.append((str(seen), str(reward)))
        return found

    for name in ("yahtzee", "slots", "shut-the-box"):
        assert play(7, make_vec(name, 2)) == play(7, make_vec(name, 2)) != play(8, make_vec(name, 2))


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_games_begin_anew(autoreset: Any) -> None:
    envs = make_vec("slots", 4, autoreset=autoreset)
    seen, _ = envs.reset(seed=1)
    lengths, last = [], 0
    for step in range(1, 40):
        seen, _, over, _, info = envs.step(np.zeros(4, dtype=np.int64))
        if over.all():
            lengths.append(step - last)
            last = step
            final = info["final_obs"] if autoreset == "same-step" else seen
            assert (seen == 0).all() == (autoreset == "same-step")
            assert all(envs.board.explored.graph.action_start[int(one) - 1] for one in final)  # type: ignore[attr-defined]
    assert lengths[1:] == [7 if autoreset == "same-step" else 8] * (len(lengths) - 1)


def test_what_is_not_allowed_is_the_first_that_is() -> None:
    one, two = make_env("shut-the-box"), make_env("shut-the-box", strict=True)
    for env in (one, two):
        env.reset(seed=4)
        env.step(0)
    mask = one.board.mask(one.spot)
    wrong, first = int((mask == 0).argmax()), one.board.allowed(one.spot)[0]
    with pytest.raises(GameError, match="is not allowed at"):
        two.step(wrong)
    assert one.step(wrong)[:3] == two.step(first)[:3]


def test_features_tell_positions_apart() -> None:
    games = [
        load("yazy", **TWO_BOXES),
        load("shut-the-box", tiles=5),
        load("cant-stop", sides=2, shortest=1),
        load("pig", target=10),
    ]
    for game in games:
        explored = rollwise.explore(game)
        rows = {str(features_of(game).features(state)) for state in explored.states}
        assert len(rows) == explored.graph.n_states
        every = set(features_of(game).every_action() or ())
        assert every >= {action for state in explored.states for action in game.actions(state)}


# Judging


@pytest.mark.parametrize("name", ["bear-off", "slots", "threes", "pig", "words"])
def test_the_best_agent_has_no_regret(name: str) -> None:
    env = make_env(small(name), observation="number")
    assert evaluate_agent(env.best, env).regret <= 1e-12


@pytest.mark.parametrize("name", ["slots", "threes", "hog", "groups"])
def test_an_agent_is_worth_what_evaluate_says(name: str) -> None:
    game = small(name)
    env = make_env(game, opponent=Greedy() if game.players > 1 else None)
    found = evaluate_agent(lambda _, mask: mask / mask.sum(), env)
    both = rollwise.policies.PolicyPair(RandomPolicy(), Greedy()) if game.players > 1 else RandomPolicy()
    assert float(found.value) == pytest.approx(float(evaluate(game, both).value), abs=1e-9)
    assert evaluate_agent(RandomPolicy(), env).value == pytest.approx(float(found.value), abs=1e-9)


def test_every_kind_of_policy_is_evaluated_alike() -> None:
    env = make_env("slots")
    count = len(env.P)
    first = np.array([env.board.mask(env.board.spot(seen)).argmax() for seen in range(count)])
    chances = np.eye(len(env.actions))[first]
    kinds: list[tuple[Any, bool]] = [
        (first, False), (chances, False), (dict(enumerate(first.tolist())), False), (lambda seen: first[seen], False),
        (lambda _, mask: mask.argmax(), False), (lambda seen: first[seen], True), (lambda _, mask: mask.argmax(axis=1), True),
        (lambda seen: chances[seen], True),
    ]  # fmt: skip
    values = {float(evaluate_agent(policy, env, batch=batch).value) for policy, batch in kinds}
    assert len(values) == 1
    exact = evaluate_agent(first, env, exact=True)
    assert float(exact.value) == pytest.approx(values.pop(), abs=1e-15)
    assert exact.certificate.exact


# Wrong use


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda: make_env("yazzy"), "unknown game 'yazzy': did you mean 'yazy'?"),
        (lambda: make_env("slots", observation="features"), "Slots has no features: use observation='number'"),
        (lambda: make_env("slots", solution=solve(load("slots"), AtLeast(51))), "the solution is one for at-least 51"),
        (lambda: make_env("slots").step(17), "action 17: expected a number from 0 to 5"),
        (lambda: make_env("yahtzee").P, "P lists positions by their numbers"),
        (lambda: make_env("yahtzee", observation="number"), "over the budget"),
        (lambda: make_vec("slots", 2).step(np.array([1, 9])), "expected 2 numbers from 0 to 5"),
        (lambda: evaluate_agent(max, 3), "evaluate_agent was given 3 as environment"),
        (lambda: evaluate_agent({1: 2}, make_env("slots")), "the table says nothing about observation 2"),
        (lambda: evaluate_agent(lambda _: "x3", make_env("slots")), "the policy gave 'x3': expected an action from 0 to 5, or "
            "6 chances"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(use: Any, told: str) -> None:
    with pytest.raises(GameError) as caught:
        use()
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
