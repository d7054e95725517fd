"""The risk dial: `worst`, `quantile` and `utility` against recursions in fractions, all strategies, distributions and simulation."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import GameError, distribution, read_objective, simulate, solve, sweep
from rollwise import cache as cached
from rollwise.extending import Distribution
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.model.objectives import aims_of
from rollwise.model.risk import Quantile, Utility, Worst
from rollwise.playing.opponents import read_with_files
from rollwise.solvers.sheets.targets import solve_points_game
from tests.terminal import run

Pair = tuple[Fraction, Fraction]
SHARES = [Fraction(1, 100), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
SHEETS = {
    "two boxes": {"boxes": "ones,twos", "rerolls": 1},
    "three boxes": {"boxes": "ones,full-house,five-of-a-kind", "rerolls": 1},
}


class Bets(rollwise.Game[Any, Any, str]):
    """Two rounds: take a sure number of points, a coin for more, or a long shot; they are banked on the way."""

    sure, coin, shot = 3, 6, 12

    def start(self) -> Any:
        return 2, None

    def roll(self, pending: Any) -> dict[Any, int]:
        rounds, bet = pending
        outcomes = {None: {0: 1}, "sure": {self.sure: 1}, "coin": {1: 1, self.coin: 1}, "shot": {0: 5, self.shot: 1}}[bet]
        return {(rounds, bet, points): weight for points, weight in outcomes.items()}

    def actions(self, state: Any) -> tuple[str, ...]:
        rounds, bet, _ = state
        return ("bank",) if bet else ("sure", "coin", "shot") if rounds else ()

    def play(self, state: Any, action: str) -> Any:
        rounds, bet, _ = state
        return (rounds - 1, None) if bet else (rounds, action)

    def gain(self, state: Any, action: str) -> int:
        return int(state[2]) if action == "bank" else 0


class FewBets(Bets):
    """The same, for few points."""

    objective = rollwise.Lowest()


def by_worth(game: Any, worth: Callable[[int], Fraction], sign: int = 1) -> Pair:
    """The best mean worth of the total and, of all strategies with that, the best mean total (times `sign`): by recursion."""

    @cache
    def rolled(pending: Any, total: int) -> Pair:
        roll = game.roll(pending)
        pairs = [(weight, best(state, total)) for state, weight in roll.items()]
        whole = sum(roll.values())
        return sum(w * p[0] for w, p in pairs) / Fraction(whole), sum(w * p[1] for w, p in pairs) / Fraction(whole)

    @cache
    def best(state: Any, total: int) -> Pair:
        if not game.actions(state):
            end = total + game.payoff(state)
            return worth(end), Fraction(sign * end)
        return max(rolled(game.play(state, action), total + game.gain(state, action)) for action in game.actions(state))

    return rolled(game.start(), 0)


def worst_by_recursion(game: Any, share: Fraction, totals: range, sign: int = 1) -> tuple[Fraction, Fraction]:
    """The best mean of the worst share of games, and the best mean total that goes with it: over all targets."""
    found = []
    for target in totals:
        value, mean = by_worth(game, lambda end, t=target: sign * t - max(sign * (t - end), 0) / share, sign)  # type: ignore[misc]
        found.append((value, mean))
    return max(found)


def cvar(found: Distribution, share: float, sign: int = 1) -> float:
    """The mean of the worst share of a distribution, from its tail."""
    values, chance = (part[::sign] for part in (found.values, found.chance))
    upto = np.minimum(np.cumsum(chance), share)
    return float(values @ np.diff(upto, prepend=0.0) / share)


def strategies(game: Any) -> Iterator[dict[int, Fraction]]:
    """The distribution of the total under every strategy that remembers it."""

    def rolled(pending: Any, total: int) -> Iterator[dict[int, Fraction]]:
        roll = game.roll(pending)
        whole = sum(roll.values())
        for parts in product(*(list(chosen(state, total)) for state in roll)):
            found: dict[int, Fraction] = {}
            for weight, part in zip(roll.values(), parts, strict=True):
                for end, chance in part.items():
                    found[end] = found.get(end, Fraction(0)) + chance * Fraction(weight, whole)
            yield found

    def chosen(state: Any, total: int) -> Iterator[dict[int, Fraction]]:
        if not game.actions(state):
            yield {total + game.payoff(state): Fraction(1)}
        for action in game.actions(state):
            yield from rolled(game.play(state, action), total + game.gain(state, action))

    return rolled(game.start(), 0)


def tail_mean(found: dict[int, Fraction], share: Fraction, sign: int) -> Fraction:
    left, whole = share, Fraction(0)
    for end in sorted(found, reverse=sign < 0):
        whole += end * min(left, found[end])
        left -= min(left, found[end])
    return whole / share


@pytest.mark.parametrize(("kind", "sign"), [(Bets, 1), (FewBets, -1)])
@pytest.mark.parametrize("share", SHARES, ids=str)
def test_no_strategy_of_a_small_game_has_a_better_worst_share(kind: type[Bets], sign: int, share: Fraction) -> None:
    best = max if sign > 0 else min
    every = list(strategies(kind()))
    solution = solve(kind(), Worst(share), exact=True)
    assert solution.value() == best(tail_mean(one, share, sign) for one in every)
    assert solve(kind(), Worst(share)).value() == pytest.approx(float(solution.value()), rel=1e-12)
    means = [
        sum(end * chance for end, chance in one.items()) for one in every if tail_mean(one, share, sign) == solution.value()
    ]
    assert distribution(solution).mean == pytest.approx(float(best(means)), rel=1e-12)


@pytest.mark.parametrize(("kind", "sign"), [(Bets, 1), (FewBets, -1)])
@pytest.mark.parametrize("share", SHARES[:-1], ids=str)
def test_no_strategy_of_a_small_game_has_a_better_quantile(kind: type[Bets], sign: int, share: Fraction) -> None:
    every = list(strategies(kind()))
    reached = {
        (sign * end, sum((c for other, c in one.items() if sign * (other - end) >= 0), Fraction(0)))
        for one in every
        for end in {end for other in every for end in other}
    }
    target, chance = max(pair for pair in reached if pair[1] >= 1 - share)
    solution = solve(kind(), Quantile(share), exact=True)
    assert (solution.objective, solution.value()) == (Quantile(share, sign * target, sign < 0), chance)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("share", SHARES, ids=str)
def test_worst_share_of_a_sheet(name: str, share: Fraction) -> None:
    sheet = load("yazy", **SHEETS[name])
    value, mean = worst_by_recursion(sheet, share, range(40 if "two" in name else 85))
    solution = solve(sheet, Worst(share))
    assert abs(solution.value() - value) <= solution.certificate.error_bound
    found = distribution(solution)
    assert found.mean == pytest.approx(float(mean), abs=1e-9), "ties are decided by the mean"
    assert cvar(found, float(share)) == pytest.approx(float(value), abs=1e-9)


def test_worst_share_of_a_sheet_in_fractions_and_by_simulation() -> None:
    sheet = load("yazy", **SHEETS["two boxes"])
    exact, solution = (solve(sheet, "worst 10%", exact=exact) for exact in (True, False))
    assert exact.value() == worst_by_recursion(sheet, Fraction(1, 10), range(40))[0]
    assert exact.objective == solution.objective
    assert distribution(exact).mean == pytest.approx(distribution(solution).mean, abs=1e-9)
    assert abs(simulate(solution, 5_000, seed=1).z_score) < 4


@pytest.mark.parametrize("share", SHARES[:-1], ids=str)
def test_quantile_of_a_sheet(share: Fraction) -> None:
    sheet = load("yazy", **SHEETS["three boxes"])
    solution, curve = solve(sheet, Quantile(share)), solve(sheet, rollwise.AtLeast(0)).curve()
    target = int(np.flatnonzero(curve >= 1 - float(share) - 1e-9)[-1])
    assert solution.objective == Quantile(share, target)
    assert solution.value() == pytest.approx(curve[target], abs=1e-10)
    mean = by_worth(sheet, lambda end: Fraction(int(end >= target)))[1]
    assert distribution(solution).mean == pytest.approx(float(mean), abs=1e-9)
    assert solution.curve() == pytest.approx(curve, abs=1e-9)


def test_few_points() -> None:
    game = load("threes", dice=3)
    for text in ("worst 10%", "worst 50%"):
        share = read_objective(text).share  # type: ignore[attr-defined]
        value, mean = worst_by_recursion(game, share, range(19), -1)
        for exact in (True, False):
            solution = solve(game, text, exact=exact)
            assert float(solution.value()) == pytest.approx(-float(value), rel=1e-12)
            assert distribution(solution).mean == pytest.approx(-float(mean), rel=1e-12)
            assert cvar(distribution(solution), float(share), -1) == pytest.approx(-float(value), rel=1e-12)
    quantile = solve(game, "quantile 10%")
    assert quantile.value() == pytest.approx(solve(game, rollwise.AtMost(quantile.objective.target)).value())  # type: ignore[attr-defined]
    assert solve(game, rollwise.AtMost(quantile.objective.target - 1)).value() < 0.9  # type: ignore[attr-defined]


@pytest.mark.parametrize("objective", [Worst(Fraction(1, 5)), Quantile(Fraction(1, 5)), Utility(risk=0.05)], ids=str)
def test_kernels_and_threads_give_the_same_bits(objective: Objective) -> None:
    sheet = load("yahtzee", boxes="ones,sixes,full-house,yahtzee", joker="forced", bonus=20, bonus_from=10)
    plain = solve(sheet, objective, engine="points-numpy")
    for threads in (1, 3):
        compiled = solve(sheet, objective, engine="points-numba", threads=threads)
        assert np.array_equal(plain.chance, compiled.chance)  # type: ignore[attr-defined]
        assert compiled.objective == plain.objective


@pytest.mark.parametrize("text", ["utility exp:0.1", "utility exp:-0.05", "worst 20%", "quantile 20%"])
def test_sheet_and_graph_agree(text: str) -> None:
    sheet = load("yazy", **SHEETS["three boxes"])
    by_rows, by_graph = solve(sheet, text), solve(sheet, text, engine="induction")
    assert by_rows.engine == "points-numpy" or by_rows.engine == "points-numba"
    assert by_rows.value() == pytest.approx(float(by_graph.value()), abs=max(by_rows.certificate.error_bound, 1e-10))
    assert distribution(by_rows).mean == pytest.approx(distribution(by_graph).mean, abs=1e-8)
    agree = sum(by_rows.best(state) == by_graph.best(state) for state in list(by_graph.explored.states)[:200])  # type: ignore[attr-defined]
    assert agree >= 195, "only moves with the same worth and the same mean may differ"


def test_utility_by_a_table(tmp_path: Path) -> None:
    sheet = load("yazy", **SHEETS["two boxes"])
    file = tmp_path / "worths.csv"
    file.write_text("total,worth\n" + "".join(f"{total}, {min(total, 4) + Fraction(max(total - 9, 0), 2)}\n" for total in range(16)))
    objective = read_with_files(f"utility {file}")
    value, mean = by_worth(sheet, lambda end: min(end, 4) + Fraction(max(end - 9, 0), 2))
    assert solve(sheet, objective, exact=True).value() == value
    solution = solve(sheet, objective)
    assert abs(solution.value() - value) <= solution.certificate.error_bound
    assert distribution(solution).mean == pytest.approx(float(mean), abs=1e-9)
    assert read_objective(objective.text) == objective
    assert abs(simulate(solution, 5_000).z_score) < 4


def test_utility_with_a_risk() -> None:
    sheet = load("yazy", **SHEETS["two boxes"])
    for risk in (0.3, 0.02, -0.1):
        sign = 1 if risk > 0 else -1
        value = by_worth(sheet, lambda end, k=risk, s=sign: Fraction(s * (1 - float(np.exp(-k * end)))))[0]  # type: ignore[misc]
        assert solve(sheet, Utility(risk=risk)).value() == pytest.approx(float(value), abs=1e-9)


def test_the_whole_share_is_the_mean() -> None:
    for game in (load("yazy", boxes="ones,twos,full-house"), load("slots"), Bets()):
        mean = solve(game, rollwise.Expected()).value()
        whole = solve(game, "worst 100%")
        assert whole.value() == pytest.approx(float(mean), rel=1e-10)
        assert distribution(whole).mean == pytest.approx(float(mean), rel=1e-10)


def test_advice_is_the_plan_of_the_start() -> None:
    sheet = load("yazy", **SHEETS["three boxes"])
    solution = solve(sheet, "worst 30%")
    state = solution.game.read_state("11235 1 ones,full-house has 50")
    ranked = solution.ranked(state)
    assert solution.value(state) == ranked[0].value == max(move.value for move in ranked)
    assert rollwise.advise(solution, state)[0].action == ranked[0].action
    worth = read_objective(f"worst 30%, target {solution.objective.target}").worth  # type: ignore[attr-defined]
    assert solution.value(solution.game.read_state("over has 7")) == pytest.approx(float(worth(7)))


def test_one_entry_of_the_cache_answers_every_share(tmp_path: Path) -> None:
    sheet = load("yazy", **SHEETS["three boxes"])
    for text in ("worst 10%", "worst 40%", "worst 10%, target 9", "quantile 10%", "quantile 30%", "utility exp:0.1"):
        stored = cached.solve(sheet, text, directory=tmp_path, worth_seconds=0)
        again, fresh = cached.load(sheet, text, tmp_path), solve(sheet, text)
        assert again is not None
        assert stored.objective == again.objective == fresh.objective
        assert stored.value() == again.value() == pytest.approx(fresh.value(), rel=1e-12)
        assert stored.fingerprint == again.fingerprint
    assert len(cached.entries(tmp_path)) == 3
    assert {entry.path for entry in cached.verify(tmp_path)} == {entry.path for entry in cached.entries(tmp_path)}
    for _ in range(2):
        assert cached.solve(load("slots"), "worst 10%", directory=tmp_path, worth_seconds=0).objective == Worst(Fraction(1, 10), 33)
    assert len(cached.entries(tmp_path)) == 4


def test_texts() -> None:
    for text in ("worst 10%", "worst 12.5%, target 165", "quantile 1/3", "quantile 0.5%, target -7", "utility exp:0.02"):
        assert str(read_objective(text)) == read_objective(text).text == text
    assert read_objective("worst 1/8") == Worst(Fraction(1, 8)) == Worst(0.125)  # type: ignore[arg-type]
    offered = {aim.name: aim for aim in aims_of(load("yazy"))}
    assert {"worst", "quantile", "utility"} <= offered.keys()
    assert {read_objective(offered[name].write({})) for name in ("worst", "quantile", "utility")} == {
        Worst(Fraction(1, 10)), Quantile(Fraction(1, 10)), Utility(risk=0.02),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        ("yazy", "worst 0%", "above 0%"),
        ("yazy", "worst 101%", "at most 100%"),
        ("yazy", "quantile 200%", "below 100%"),
        ("yazy", "quantile 100%", "below 100%"),
        ("yazy", "worst 10", "expected a share"),
        ("yazy", "worst", "expected a share"),
        ("yazy", "worst 1/0", "expected a share"),
        ("yazy", "worst 1/100000", "share of games"),
        ("yazy", "utility 0:3,1:2", "fall"),
        ("yazy", "utility 0:3,0:4", "two worths"),
        ("yazy", "utility 0:0,1:1", "no worth for a total of 2"),
        ("slots", "utility 0:0,1:1", "no worth for a total of"),
        ("yazy", "utility exp:0", "other than 0"),
        ("yazy", "utility exp:x", "expected totals and worths"),
        ("yazy", "utility exp:-9", "too steep"),
        ("pig", "worst 10%", "for two"),
        ("words", "quantile 10%", "counts rolls"),
    ],
)
def test_refusals(game: str, text: str, says: str) -> None:
    parameters = {"yazy": {"boxes": "ones,twos"}, "words": {"dice": "AB,AB", "words": "AB"}}.get(game, {})
    with pytest.raises(GameError, match=says):
        solve(load(game, **parameters), text)
    assert "\n" not in str(pytest.raises(GameError, solve, load(game, **parameters), text).value)


def test_command_line_sweep_and_game_file(tmp_path: Path) -> None:
    shown = run("solve", "yazy", "-p", "boxes=ones,twos", "--objective", "worst 10%", "--no-cache")
    assert "worst 10%, target 4" in shown.stdout
    swept = sweep("yazy", {"objective": ["worst 10%", "worst 50%", "quantile 10%"]}, parameters={"boxes": "ones,twos"})
    assert len({str(row["value"]) for row in swept.rows}) == 3  # type: ignore[attr-defined]
    file = tmp_path / "once.toml"
    text = (Path(__file__).parents[1] / "examples" / "best_of_three.toml").read_text()
    file.write_text(text.replace("format = 1", 'format = 1\nobjective = "worst 50%"', 1))
    game = load(file)
    assert str(game.objective) == "worst 50%"
    assert solve(game, exact=True).value() == worst_by_recursion(game, Fraction(1, 2), range(7))[0]
    file.write_text(text.replace("format = 1", 'format = 1\nobjective = "worst 0%"', 1))
    with pytest.raises(GameError, match="above 0%"):
        load(file)
