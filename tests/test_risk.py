"""The risk dial: `worst`, `quantile` and `utility` against recursions in fractions, all strategies, simulation."""

import json
import weakref
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, expm1
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwise
from rollwise import GameError, distribution, read_objective, simulate, solve, sweep
from rollwise import cache as cached
from rollwise.extending import Distribution
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.model.objective import Objective
from rollwise.model.objectives import aims_of
from rollwise.model.risk import Quantile, Utility, Worst
from rollwise.playing.opponents import read_with_files
from rollwise.playing.risk import _positions, risk_dial, risk_price
from rollwise.reports.build import write_report
from rollwise.solvers.base.distribution import Follow
from rollwise.solvers.sheets.kernels.standings_follow_numba import numba_push_standings
from rollwise.solvers.sheets.standings_follow import numpy_push_standings
from tests.examples import examples
from tests.reference import gap, recursion
from tests.terminal import run
from tests.test_sheets import sheets
from tests.web_client import Json, ask, assert_refused, connect
from tests.web_client import solve as solve_there

Pair = tuple[Fraction, Fraction]
SHARES = [Fraction(1, 100), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
EXAMPLES = examples(8)


def count_face(face: int) -> Callable[[Any], int]:
    return lambda hand: face * hand.count(face)


def small() -> Sheet:
    """Three boxes for two dice with three faces."""
    boxes = [Box("ones", count_face(1)), Box("threes", count_face(3)), Box("pair", lambda hand: 9 * (hand[0] == hand[1]))]
    return Sheet(boxes, count=2, faces=3, rerolls=1)


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


def worst_by_recursion(game: Any, share: Fraction, totals: range, sign: int = 1) -> float:
    """The best mean of the worst share of games: a recursion for all targets at once, of which the best counts."""
    targets = sign * np.array(totals, dtype=float)

    @cache
    def rolled(pending: Any, total: int) -> Any:
        roll = game.roll(pending)
        return sum(weight * best(state, total) for state, weight in roll.items()) / sum(roll.values())

    @cache
    def best(state: Any, total: int) -> Any:
        ways = [rolled(game.play(state, action), total + game.gain(state, action)) for action in game.actions(state)]
        return np.max(ways, axis=0) if ways else np.minimum(sign * (total + game.payoff(state)) - targets, 0)

    return sign * float((targets + rolled(game.start(), 0) / float(share)).max())


def mean_by_recursion(game: Any, objective: Objective) -> float:
    """The best mean total of all strategies that are best for an objective with a target."""
    sign = -1 if objective.few else 1
    turn = -1 if objective.better == "lower" else 1
    return sign * float(by_worth(game, lambda end: turn * objective.worth(end), sign)[1])


def extreme(game: Any, sign: int) -> int:
    """The highest total (with a sign of -1, the lowest) that any luck may bring."""

    @cache
    def rolled(pending: Any) -> int:
        return max(ended(state) for state in game.roll(pending))

    @cache
    def ended(state: Any) -> int:
        ways = [sign * game.gain(state, action) + rolled(game.play(state, action)) for action in game.actions(state)]
        return int(max(ways, default=sign * game.payoff(state)))

    return sign * rolled(game.start())


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
    means = [sum(end * chance for end, chance in one.items()) for one in every if tail_mean(one, share, sign) == solution.value()]
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


@EXAMPLES
@given(sheets(plain=True), st.sampled_from(SHARES))
def test_sheets_by_recursion(sheet: Sheet, share: Fraction) -> None:
    totals = range(extreme(sheet, -1), extreme(sheet, 1) + 1)
    value = worst_by_recursion(sheet, share, totals)
    for exact in (False, True):
        solution = solve(sheet, Worst(share), exact=exact)
        assert solution.value() == pytest.approx(value, abs=1e-8)
        found = distribution(solution)
        assert cvar(found, float(share)) == pytest.approx(value, abs=1e-8)
        assert found.mean == pytest.approx(mean_by_recursion(sheet, solution.objective), abs=1e-8), "ties are decided by the mean"
    if share < 1:
        curve = [float(recursion(sheet, rollwise.AtLeast(total))) for total in totals]
        target = totals[int(np.flatnonzero(np.array(curve) >= 1 - float(share) - 1e-9)[-1])]
        quantile = solve(sheet, Quantile(share))
        assert quantile.objective == Quantile(share, target)
        assert quantile.value() == pytest.approx(curve[target - totals[0]], abs=1e-9)
        assert distribution(quantile).mean == pytest.approx(mean_by_recursion(sheet, quantile.objective), abs=1e-8)


def test_simulation() -> None:
    for game in (small(), load("slots")):
        for text in ("worst 10%", "quantile 30%", "utility exp:0.1"):
            assert abs(simulate(solve(game, text), 3_000, seed=1).z_score) < 4


def test_few_points() -> None:
    game = load("threes", dice=3)
    for text in ("worst 10%", "worst 50%"):
        share = read_objective(text).share  # type: ignore[attr-defined]
        value = worst_by_recursion(game, share, range(19), -1)
        for exact in (True, False):
            solution = solve(game, text, exact=exact)
            assert float(solution.value()) == pytest.approx(value, rel=1e-12)
            assert distribution(solution).mean == pytest.approx(mean_by_recursion(game, solution.objective), rel=1e-12)
            assert cvar(distribution(solution), float(share), -1) == pytest.approx(value, rel=1e-12)
    quantile = solve(game, "quantile 10%")
    assert quantile.value() == pytest.approx(solve(game, rollwise.AtMost(quantile.objective.target)).value())  # type: ignore[attr-defined]
    assert solve(game, rollwise.AtMost(quantile.objective.target - 1)).value() < 0.9  # type: ignore[attr-defined]


@pytest.mark.parametrize("objective", [Worst(Fraction(1, 5)), Quantile(Fraction(1, 5)), Utility(risk=0.05)], ids=str)
def test_kernels_and_threads_give_the_same_bits(objective: Objective) -> None:
    full = load("yahtzee")
    boxes = [box for box in full.boxes if box.name in ("ones", "sixes", "full-house", "yahtzee")]  # type: ignore[attr-defined]
    sheet = Sheet(boxes, rerolls=1, bonus=UpperBonus(18, 35), joker=full.joker)  # type: ignore[attr-defined]
    plain = solve(sheet, objective, engine="points-numpy")
    for threads in (1, 3):
        compiled = solve(sheet, objective, engine="points-numba", threads=threads)
        assert np.array_equal(plain.chance, compiled.chance)  # type: ignore[attr-defined]
        assert compiled.objective == plain.objective


def test_sheet_and_graph_agree() -> None:
    for text in ("utility exp:0.1", "utility exp:-0.05", "worst 20%", "quantile 20%"):
        by_rows, by_graph = solve(small(), text), solve(small(), text, engine="induction")
        assert by_rows.value() == pytest.approx(float(by_graph.value()), abs=1e-9)
        assert distribution(by_rows).mean == pytest.approx(distribution(by_graph).mean, abs=1e-8)
        for state in by_graph.explored.states:  # type: ignore[attr-defined]
            if by_graph.game.actions(state):
                losses = {move.action: move.loss for move in by_graph.ranked(state)}
                assert losses[by_rows.best(state)] <= 1e-9
                assert by_rows.value(state) == pytest.approx(float(by_graph.value(state)), abs=1e-8)


def test_utility(tmp_path: Path) -> None:
    sheet, file = small(), tmp_path / "worths.csv"

    def worth(end: int) -> Fraction:
        return min(end, 4) + Fraction(max(end - 9, 0), 2)

    file.write_text("total,worth\n" + "".join(f"{total}, {worth(total)}\n" for total in range(18)))
    objective = read_with_files(f"utility {file}")
    value, mean = by_worth(sheet, worth)
    assert solve(sheet, objective, exact=True).value() == value
    solution = solve(sheet, objective)
    assert gap(solution.value(), value) <= solution.certificate.error_bound
    assert distribution(solution).mean == pytest.approx(float(mean), abs=1e-9)
    assert read_objective(objective.text) == objective
    for risk in (0.3, 0.02, -0.1):
        sign = 1 if risk > 0 else -1
        value = by_worth(sheet, lambda end, k=risk, s=sign: Fraction(s * (1 - exp(-k * end))))[0]  # type: ignore[misc]
        assert solve(sheet, Utility(risk=risk)).value() == pytest.approx(float(value), abs=1e-9)


def test_the_whole_share_is_the_mean() -> None:
    for game in (small(), load("slots"), Bets()):
        mean = solve(game, rollwise.Expected()).value()
        whole = solve(game, "worst 100%")
        assert whole.value() == pytest.approx(float(mean), rel=1e-10)
        assert distribution(whole).mean == pytest.approx(float(mean), rel=1e-10)


def test_advice_is_the_plan_of_the_start() -> None:
    solution = solve(load("yazy", boxes="ones,twos,full-house"), "worst 30%")
    state = solution.game.read_state("11235 1 ones,full-house has 5")
    ranked = solution.ranked(state)
    assert solution.value(state) == pytest.approx(max(move.value for move in ranked))
    assert ranked[0].loss < 1e-9
    assert rollwise.advise(solution, state).moves[0].action == ranked[0].action


def test_one_entry_of_the_cache_answers_every_share(tmp_path: Path) -> None:
    sheet = load("yazy", boxes="ones,full-house")
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
        assert cached.solve(load("slots"), "worst 10%", directory=tmp_path, worth_seconds=0).objective == Worst(
            Fraction(1, 10), 33
        )
    assert len(cached.entries(tmp_path)) == 4


@EXAMPLES
@given(sheets(), st.sampled_from(["worst 20%", "quantile 60%", "utility exp:0.05", "at-least 9"]))
def test_both_kernels_follow_alike(sheet: Sheet, text: str) -> None:
    assert_both_kernels_follow_alike(solve(sheet, text, engine="points-numpy"))


def test_both_kernels_follow_loaded_dice_alike() -> None:
    sheet = load("yazy", boxes="ones,threes,sixes", weights="1,1,2,1,0,3")
    for text in ("worst 20%", "at-least 20"):
        assert_both_kernels_follow_alike(solve(sheet, text, engine="points-numpy"))


def assert_both_kernels_follow_alike(solution: Any) -> None:
    found = []
    for push in (numpy_push_standings, numba_push_standings):
        follower = solution._follower(sheet_start(solution))
        follower.push = push
        *_, (_, mass) = follower.layers(solution.begins_after(sheet_start(solution)), Follow())
        found.append((*follower.total(mass), follower.effect_mass))
    (low, chance, effects), (again, other, others) = found
    assert low == again
    assert np.abs(chance - other).max() < 1e-12
    assert np.abs(effects - others).max() < 1e-12
    assert chance.sum() == pytest.approx(1)


def sheet_start(solution: Any) -> Any:
    return solution.game.start()


def test_the_positions_that_come_up_most_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that come up more often than a bound, each as often as the rules say."""
    solution = solve(load("yazy", boxes="ones,twos,full-house"), "worst 100%")
    monkeypatch.setattr("rollwise.playing.risk.POSITIONS", 10**6)
    every = _positions(solution)
    for most in (1, 5, 10**6):
        monkeypatch.setattr("rollwise.solvers.sheets.targets.OFTEN", most)
        found = solution.often(Follow())  # type: ignore[attr-defined]
        assert {state: chance for state, chance in found.items() if state in every} == pytest.approx(
            {state: chance for state, chance in every.items() if state in found}
        )
        assert all(chance <= min(found.values(), default=1) + 1e-12 for state, chance in every.items() if state not in found)


def test_the_share_from_which_a_move_is_best() -> None:
    sheet = load("yazy", boxes="ones,full-house,straight")
    dial, checked = risk_dial(lambda aim: solve(sheet, aim)), 0
    for change in dial.changes:
        for move in change.moves:
            if move.start not in move.plans:
                aim: Any = read_objective(move.start)
                near = [solve(sheet, type(aim)(aim.share + step)) for step in (-Fraction(1, 1000), Fraction(1, 1000))]
                below, above = (one.game.show_action(one.best(change.state)) for one in near)
                assert above == move.action != below
                checked += 1
        if checked > 5:
            break
    assert checked


def test_the_certificate_counts_the_rounding_of_worths() -> None:
    for game in (small(), load("slots")):
        for risk in (0.01, -0.03):
            aim = Utility(risk=risk)
            proof, rounded = solve(game, aim).certificate, Fraction(1, 1 << 41)
            assert proof.error_bound >= rounded
            for total in range(0, 60, 7):
                true = (1 if risk > 0 else -1) * -expm1(-risk * total)
                assert abs(float(aim.worth(total)) - true) <= float(rounded) + 1e-14
    assert solve(small(), Utility(((0, Fraction(0)), *((n, Fraction(n)) for n in range(1, 18))))).certificate.error_bound < 1e-9


def test_a_report_has_the_dial(tmp_path: Path) -> None:
    for text, shown in (("worst 10%", True), ("expected", False)):
        write_report(solve(load("yazy", boxes="ones,twos"), text), tmp_path / "page.html", name="yazy")
        assert ("The risk dial" in (tmp_path / "page.html").read_text()) == shown


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
    with pytest.raises(GameError, match=says) as error:
        solve(load(game, **parameters), text)
    assert "\n" not in str(error.value)


FAULTS = {"worst 0%": "above 0%", "quantile 200%": "below 100%", "utility 0:3,1:2": "fall"}


def test_command_line_sweep_and_game_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown, _ = run(capsys, "solve", "yazy", "-p", "boxes=ones,twos", "--objective", "worst 10%", "--no-cache")
    assert code == 0
    assert "worst 10%, target 4" in shown
    swept = sweep("yazy", {"objective": ["worst 10%", "worst 50%", "quantile 10%"]}, parameters={"boxes": "ones,twos"})
    assert len({str(row["value"]) for row in swept}) == 3
    file = tmp_path / "once.toml"
    text = (Path(__file__).parents[1] / "examples" / "best_of_three.toml").read_text()
    file.write_text(text.replace("format = 1", 'format = 1\nobjective = "worst 50%"', 1))
    game = load(file)
    assert str(game.objective) == "worst 50%"
    assert solve(game).value() == pytest.approx(worst_by_recursion(game, Fraction(1, 2), range(7)))
    for fault, part in FAULTS.items():
        file.write_text(text.replace("format = 1", f'format = 1\nobjective = "{fault}"', 1))
        with pytest.raises(GameError, match=part) as error:
            solve(load(file))
        assert "\n" not in str(error.value)
        code, _, shown = run(capsys, "solve", "slots", "--objective", fault, "--no-cache")
        assert (code, shown.count("\n")) == (2, 1)


def test_the_dial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["risk", "yazy", "-p", "boxes=ones,full-house", "-p", "rerolls=1", "--no-cache"]
    code, shown, _ = run(capsys, *place, "--json", "-o", str(tmp_path / "dial.html"))
    found = json.loads(shown)
    assert code == 0
    plans, changes = found["plans"], found["changes"]
    assert max(plans, key=lambda plan: plan["mean"])["objective"].startswith("worst 100%")
    careful = next(plan for plan in plans if plan["objective"].startswith("worst 10%"))
    assert careful["worst_tenth"] == pytest.approx(careful["value"]) == max(plan["worst_tenth"] for plan in plans)
    assert [one["frequency"] for one in changes] == sorted((one["frequency"] for one in changes), reverse=True)
    sheet = load("yazy", boxes="ones,full-house", rerolls=1)
    solutions = [solve(sheet, plan["objective"]) for plan in plans]
    for change in changes[:5]:
        moves = [solution.game.show_action(solution.best(change["state"])) for solution in solutions]
        assert moves == [move["action"] for move in change["moves"] for _ in move["plans"]]
    assert "worst 10%" in (tmp_path / "dial.html").read_text()
    assert run(capsys, *place, "-o", str(tmp_path / "dial.svg"))[0] == 0
    assert "<svg" in (tmp_path / "dial.svg").read_text()
    assert run(capsys, *place, "-o", str(tmp_path / "dial.txt"))[0] == 2
    assert run(capsys, "risk", "pig")[0] == 2
    few = risk_dial(lambda aim: solve(load("threes", dice=2), aim))
    assert min(few.plans, key=lambda plan: plan.mean or 0).objective.share == 1  # type: ignore[attr-defined]


def test_the_dial_holds_the_values_of_one_kind_of_plan_at_a_time() -> None:
    sheet, met = load("yazy", boxes="ones,twos"), list[Any]()

    def solved(aim: Objective) -> Any:
        assert all(ref() is None for ref in met)
        found = solve(sheet, aim, engine="points-numba")
        met.append(weakref.ref(found.chance))  # type: ignore[attr-defined]
        return found

    risk_dial(solved)
    assert len(met) == 2


def test_the_server_answers(tmp_path: Path) -> None:
    request = {"game": "yazy", "parameters": {"boxes": "ones,twos"}, "objective": "worst 10%"}
    with connect(tmp_path) as client:
        job = solve_there(client, request)
        assert job["aim"] == {"name": "worst", "values": {"share": "10%", "target": "4"}}
        assert (job["result"]["value_name"], job["result"]["objective"]) == ("mean of the worst games", "worst 10%, target 4")
        assert {"worst", "quantile", "utility"} <= {aim["name"] for aim in job["aims"]}
        advice = ask(client, "/api/advise", **request, state="11235 1 ones,twos has 0")
        assert advice["moves"][0]["loss"] < 1e-9
        assert ask(client, "/api/distribution", **request)["lowest"] == 0


SHEET: Json = {"game": "yazy", "parameters": {"boxes": "ones,full-house,straight"}}
SEVERAL: list[Json] = [{"game": "slots"}, SHEET, {"game": "threes"}]


def plan_of(asked: Json, objective: str) -> Any:
    return solve(load(asked["game"], **asked.get("parameters", {})), objective)


def test_the_server_says_what_a_plan_gives_up(tmp_path: Path) -> None:
    """Beside the best mean, whatever the game's own aim is, and by the plan's own share or target."""
    with connect(tmp_path) as client:
        for asked in SEVERAL:
            better, mean = ("lower", "lowest") if asked["game"] == "threes" else ("higher", "expected")
            most = distribution(plan_of(asked, mean))
            for objective in ("worst 25%", "quantile 90%"):
                solve_there(client, {**asked, "objective": objective})
                found = ask(client, "/api/risk", **asked, objective=objective)
                plan, other = found["plan"], found["most"]
                sign = -1 if better == "lower" else 1
                assert (found["better"], other["mean"]) == (better, pytest.approx(most.mean))
                assert sign * (other["mean"] - plan["mean"]) >= -1e-9
                gain = plan["value"] - found["most_value"]
                assert (gain if objective.startswith("quantile") else sign * gain) >= -1e-9
                assert plan["target"] is not None
                if objective == "worst 25%":
                    assert found["most_value"] == pytest.approx(most.worst_mean(0.25, few=better == "lower"))
                    assert plan["value"] == pytest.approx(plan_of(asked, objective).value())


def test_a_plan_that_is_too_large_to_follow() -> None:
    plan, most = plan_of(SHEET, "worst 10%"), plan_of(SHEET, "expected")

    def follow(solution: Any) -> Distribution:
        if solution is plan:
            raise GameError("too large")
        return distribution(solution)

    price, whole = risk_price(plan, most, follow), risk_price(plan, most)
    assert (price.plan.mean, price.plan.value, price.most_value) == (None, whole.plan.value, whole.most_value)


def test_what_has_no_place_on_the_dial(tmp_path: Path) -> None:
    pig: Any = {"game": "pig", "parameters": {"target": "5"}}
    with connect(tmp_path) as client:
        assert_refused(client.post("/api/risk", json={"game": "slots", "objective": "worst 10%"}), 409)
        for asked, part in (({"game": "slots"}, "no plan of the risk dial"), (pig, "is for two")):
            solve_there(client, asked)
            assert part in assert_refused(client.post("/api/risk", json=asked), 422)
        assert "is for two" in assert_refused(client.post("/api/solve", json={**pig, "objective": "worst 10%"}), 422)
        for text, part in FAULTS.items():
            fault = assert_refused(client.post("/api/solve", json={"game": "slots", "objective": text}), 422)
            assert part in fault
            assert "\n" not in fault


def test_another_share_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet in memory answers every share at once; a plan with its target is the plan that chose it, of any game."""
    solved: list[str] = []
    real = cached.solve

    def spy(game: Any, objective: Any = None, **options: Any) -> Any:
        solved.append(str(objective))
        return real(game, objective, **options)

    monkeypatch.setattr("rollwise.web.jobs.cache.solve", spy)
    with connect(tmp_path) as client:
        for objective in ("worst 10%", "worst 50%", "worst 100%", "worst 10%, target 7", "quantile 75%", "quantile 90%"):
            job = solve_there(client, {**SHEET, "objective": objective})
            assert job["result"]["objective"].startswith(objective)
            assert job["result"]["value"] == pytest.approx(plan_of(SHEET, objective).value())
        assert solved == ["worst 10%", "quantile 75%"]
        job = solve_there(client, {"game": "slots", "objective": "worst 10%"})
        again = solve_there(client, {"game": "slots", "objective": job["result"]["objective"]})
        assert again["result"]["value"] == job["result"]["value"]
        assert solved[2:] == ["worst 10%"]
        other = solve_there(client, {**SHEET, "parameters": {"boxes": "ones,straight"}, "objective": "worst 50%"})
        assert other["result"]["value"] != job["result"]["value"]
        assert len(solved) == 4
