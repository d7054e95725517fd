"""A family solver reads only games that keep the rules it takes for granted: whatever overrides one is solved by the graph
solver.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random as Source
from typing import Any

import pytest

from rollwise import Against, AtLeast, Duel, Expected, Fewest, Game, GameError, cache, distribution, evaluate, simulate, solve
from rollwise.errors import EngineError
from rollwise.games.groups import Groups
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.duel import DuelGame
from rollwise.games.sheets.rules import Sheet
from rollwise.games.words import Words
from rollwise.games.yahtzee import Yahtzee, Yazy
from rollwise.playing.check import check_game
from rollwise.playing.explain import explain
from rollwise.playing.roll_source import RollSource
from rollwise.policies import Greedy, Optimal, RandomPolicy
from rollwise.reports.build import build_report
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.registry import solvers
from tests.reference import enumerate_policies, gap, recursion
from tests.terminal import run

AnyGame = Game[Any, Any, Any]


def sheet(**more: Any) -> Sheet:
    """Two dice of three faces, three boxes, a bonus and jokers: everything a sheet may have, in some hundred positions."""
    boxes = [
        Box("ones", lambda hand: hand.count(1), face=1),
        Box("pair", lambda hand: 4 if hand[0] == hand[1] else 0),
        Box("sum", sum),
    ]
    return Sheet(boxes, count=2, faces=3, rerolls=1, bonus=UpperBonus(2, 5), joker=Joker("pair", "forced", 3, {"sum": 7}), **more)


def words() -> Words:
    return Words(dice=["AB", "CD"], words=["CA"])


def groups() -> Groups:
    return Groups(faces=3, sizes=[1, 2])


MAKE: dict[str, Callable[[], AnyGame]] = {"sheet": sheet, "words": words, "groups": groups}
PARENT: dict[str, Callable[[Any], AnyGame]] = {
    "sheet": lambda kind: kind(sheet().boxes, count=2, faces=3, rerolls=1, bonus=sheet().bonus, joker=sheet().joker),
    "words": lambda kind: kind(["AB", "CD"], ["CA"]),
    "groups": lambda kind: kind(3, [1, 2]),
}


def double_first(base: Any, game: Any, pending: Any) -> dict[Any, int]:
    roll = dict(base(pending))
    return {outcome: weight * (2 if place == 0 else 1) for place, (outcome, weight) in enumerate(roll.items())}


def fewer(base: Any, game: Any, state: Any) -> Any:
    """Leave out the first of several."""
    offered = list(base(state))
    return offered[1:] if len(offered) > 1 else offered


CHANGES: dict[tuple[str, str], Callable[..., Any]] = {
    ("sheet", "start"): lambda base, game: base()._replace(open=5),
    ("sheet", "roll"): double_first,
    ("sheet", "actions"): fewer,
    ("sheet", "play"): lambda base, game, state, action: base(state, action if isinstance(action, str) else ()),
    ("sheet", "gain"): lambda base, game, state, action: 2 * base(state, action),
    ("sheet", "payoff"): lambda base, game, state: 7 * state.upper,
    ("sheet", "mover"): lambda base, game, state: int(state.left == 0),
    ("sheet", "points"): lambda base, game, state, box: base(state, box) + 1,
    ("sheet", "fillable"): fewer,
    ("sheet", "first_points"): lambda base, game, box, points: base(box, points) + 1,
    ("sheet", "wins"): lambda base, game, state, box: box == "sum" or base(state, box),
    ("sheet", "is_joker"): lambda base, game, state: bool(state.dice) and not state.open >> 1 & 1,
    ("words", "start"): lambda base, game: ("B", "*"),
    ("words", "roll"): double_first,
    ("words", "actions"): fewer,
    ("words", "play"): lambda base, game, state, action: ("*", "*"),
    ("words", "cost"): lambda base, game, pending: 1 + pending.count("*"),
    ("groups", "start"): lambda base, game: (1,),
    ("groups", "roll"): double_first,
    ("groups", "actions"): lambda base, game, state: ("reroll",) if state == ((1,), 0) else base(state),
    ("groups", "play"): lambda base, game, state, action: base(state, action) if action == "keep" else (),
    ("groups", "cost"): lambda base, game, pending: 1 + len(pending),
    ("groups", "keep"): lambda base, game, state: (1,) if state == ((1,), 1) else base(state),
    ("groups", "sizes_with"): lambda base, game, state: game.goal if state == ((1,), 1) else base(state),
}


def by_class(family: str, rule: str) -> AnyGame:
    owner, change = type(MAKE[family]()), CHANGES[family, rule]

    def method(self: Any, *given: Any) -> Any:
        return change(partial(getattr(owner, rule), self), self, *given)

    return PARENT[family](type("Own", (owner,), {rule: method}))


def by_instance(family: str, rule: str) -> AnyGame:
    game = MAKE[family]()
    setattr(game, rule, partial(CHANGES[family, rule], getattr(game, rule), game))
    return game


def truth(game: AnyGame) -> Fraction:
    if isinstance(game.objective, Expected):
        return recursion(game, Expected())
    found = enumerate_policies(game, Fewest(), 10**5)
    assert found is not None
    return found


ONE_OF_EACH = list(dict(CHANGES.keys()).items())
"""One rule of each family, for what does not depend on the rule."""


@pytest.mark.parametrize(
    ("change", "family", "rule"), [*((by_class, *rule) for rule in CHANGES), *((by_instance, *rule) for rule in ONE_OF_EACH)]
)
def test_an_overridden_rule_is_obeyed_everywhere(family: str, rule: str, change: Any, tmp_path: Path) -> None:
    game, parent = change(family, rule), MAKE[family]()
    best = truth(game)
    assert best != truth(parent), "the change makes no difference, so this would show nothing"
    assert solve(game, exact=True).value() == best
    solution = solve(game)
    assert isinstance(solution, GraphSolution)
    assert gap(solution.value(), best) <= solution.certificate.error_bound
    for policy in (Optimal(solution), RandomPolicy(), Greedy()):
        assert evaluate(game, policy).value == pytest.approx(float(evaluate(game, policy, exact=True).value), rel=1e-9)
    assert distribution(solution).mean == pytest.approx(float(best), rel=1e-9)
    assert abs(simulate(solution, 2000, seed=3).z_score) < 5
    for each in (parent, game, parent, game):
        stored = cache.solve(each, directory=tmp_path, worth_seconds=0.0)
        assert gap(stored.value(), truth(each)) <= stored.certificate.error_bound


def test_a_forced_compact_engine_names_the_override() -> None:
    for family, rule in ONE_OF_EACH:
        engine: Any = {"sheet": "sheet-numpy", "words": "sweeps", "groups": "partitions"}[family]
        with pytest.raises(EngineError, match=rf"Own overrides {rule}\(\), which the solver for"):
            solve(by_class(family, rule), engine=engine)
        assert solve(MAKE[family](), engine=engine).engine == engine


def test_the_budget_names_the_override() -> None:
    for family, rule in ONE_OF_EACH:
        with pytest.raises(GameError, match=rf"Own overrides {rule}\(\), which .* over the budget of 3"):
            solve(by_class(family, rule), max_states=3)
        with pytest.raises(GameError, match=rf"Own overrides {rule}\(\), which .* over the budget of 3"):
            evaluate(by_class(family, rule), RandomPolicy(), max_states=3)


def test_two_players_count_nothing_together() -> None:
    for family in ("words", "groups"):
        game = MAKE[family]()
        game.mover = lambda state: 1  # type: ignore[method-assign]
        with pytest.raises(GameError, match="Fewest counts the rolls of one player"):
            solve(game)


NOT_RULES = {
    "again_chance", "bust_chance", "can_follow", "changed_rules", "check_points", "check_shown", "die", "dimensions", "draw",
    "duel", "extra_rules", "features", "field", "finish_word", "first_roll_counts", "free_faces", "full", "gains_nonnegative",
    "goal_word", "has_gains", "heuristic", "in_columns", "loaded", "most", "most_rerolls", "notation", "objective",
    "parameters", "players", "prefetch", "read_action", "read_state", "relies_on", "share", "show_action", "show_state",
    "turns_left", "unit", "view", "vocabulary", "win_chance",
}  # fmt: skip
"""What shows the game or asks about its rules, and changes no value."""
DATA = {"at", "begin", "declare", "gains", "labels", "layout", "plays", "throws"}
"""What a race is made of, which its form reads."""
COUNTS_NOT = {
    "climbing": {"gain", "payoff"}, "words": {"gain", "payoff"}, "groups": {"gain", "payoff"}, "race": {"cost", "price"} | DATA,
    **dict.fromkeys(
        ("luck", "turn"), {"cost", "price", "rolls", "banked", "sets", "differ", "name_left"} | DATA - {"plays", "throws"}
    ),
}  # fmt: skip


def test_every_method_is_a_rule_that_is_watched_or_none() -> None:
    for family in [solver for solver in solvers() if solver.reads]:
        public = {name for name in dir(family.owner) if not name.startswith("_")}
        watched = {name for name in family.reads if not name.startswith("_")}
        assert public == watched | NOT_RULES & public | COUNTS_NOT.get(family.name, {"cost"})


def test_what_is_no_rule_may_be_overridden() -> None:
    class Shown(Yazy):
        cost_word = "throws"

        def show_action(self, action: Any) -> str:
            return f"<{super().show_action(action)}>"

        def cost(self, pending: Any) -> int:
            return 2

    assert solve(Shown(boxes=["ones"])).engine.startswith("sheet")
    assert solve(Shown(boxes=["ones"]), AtLeast(3)).engine.startswith("points")


def test_winning_obeys_overridden_rules() -> None:
    game = by_class("sheet", "gain")
    for objective in (AtLeast(12), Against({9: 1, 14: 2})):
        solution = solve(game, objective)
        assert isinstance(solution, GraphSolution)
        assert gap(solution.value(), recursion(game, objective)) <= solution.certificate.error_bound


def test_an_overridden_heuristic_is_followed() -> None:
    class Humble(Yazy):
        def heuristic(self, state: Any, action: Any) -> float:
            return -super().heuristic(state, action)

    game = Humble(boxes=["ones"], rerolls=1)
    worth = float(evaluate(game, Greedy(), exact=True).value)
    assert solve(game).engine.startswith("sheet")
    assert (
        evaluate(game, Greedy()).value
        == pytest.approx(worth)
        != pytest.approx(evaluate(Yazy(rerolls=1, boxes=["ones"]), Greedy()).value)
    )
    assert distribution(solve(game), Greedy()).mean == pytest.approx(worth)
    assert distribution(solve(game, AtLeast(2)), Greedy()).mean == pytest.approx(worth)
    with pytest.raises(GameError, match=r"Humble overrides heuristic\(\), which"):
        evaluate(game, Greedy(), max_states=10)


def test_a_strategy_from_elsewhere_is_followed_by_the_rules() -> None:
    double, single = by_class("sheet", "gain"), sheet()
    assert evaluate(single, Optimal(solve(double))).value == pytest.approx(float(solve(single).value()))


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [(words, "patterns", ((True, True),)), (words, "weights", [{"A": 1, "B": 1}, {"C": 1, "D": 3}]), (sheet, "hands", ((1, 1),))],
)
def test_data_that_only_the_rules_look_at_is_watched(make: Any, name: str, value: Any) -> None:
    game = make()
    setattr(game, name, value)
    solution = solve(game)
    assert isinstance(solution, GraphSolution)
    assert gap(solution.value(), truth(game)) <= solution.certificate.error_bound


def test_data_that_the_form_reads_may_change() -> None:
    game = sheet()
    game.scores["sum"][3, 3] = 60
    assert gap(solve(game).value(), truth(game)) <= solve(game).certificate.error_bound
    assert solve(game).engine.startswith("sheet")
    game.scores["sum"][3, 3] = 6.5  # type: ignore[assignment]
    with pytest.raises(GameError, match=r"sum pays 6\.5: expected an integer"):
        solve(game)


class Double(Yazy):
    """Every gain counts twice."""

    def gain(self, state: Any, action: Any) -> int:
        return 2 * super().gain(state, action)


@pytest.mark.full
@pytest.mark.parametrize("rule", ["roll", "fillable"])
def test_a_duel_obeys_overridden_rules(rule: str, tmp_path: Path) -> None:
    game, ties = by_class("sheet", rule), Fraction(1, 3)
    truth = recursion(DuelGame(game, ties), Expected()) / ties.denominator  # type: ignore[arg-type]
    assert truth != recursion(DuelGame(sheet(), ties), Expected()) / ties.denominator
    assert solve(game, Duel(ties), exact=True).value() == truth
    stored = [cache.solve(game, Duel(ties), directory=tmp_path, worth_seconds=0.0) for _ in range(2)]
    for solution in (solve(game, Duel(ties)), *stored):
        assert isinstance(solution, GraphSolution)
        assert gap(solution.value(), truth) <= solution.certificate.error_bound


def test_a_large_duel_names_the_override(tmp_path: Path) -> None:
    game = Double()
    tries: list[Callable[[], object]] = [
        lambda: solve(game, Duel()),
        lambda: solve(game, Duel(), exact=True),
        lambda: evaluate(game, RandomPolicy(), Duel()),
        lambda: cache.solve(game, Duel(), directory=tmp_path),
    ]
    for attempt in tries:
        with pytest.raises(GameError, match=r"Double overrides gain\(\), .* has at least 1,022,170,212 positions"):
            attempt()
    assert not list(tmp_path.iterdir())


def test_a_duel_by_the_rules_obeys_the_sheet() -> None:
    half = Sheet([Box("high", max), Box("low", lambda hand: -min(hand))], count=1, faces=4, rerolls=1)
    boxes = [Box("high", lambda hand: 3 * max(hand)), Box("low", lambda hand: -min(hand))]
    written = Sheet(boxes, count=1, faces=4, rerolls=1)
    half.gain = lambda state, action: (3 if action == "high" else 1) * Sheet.gain(half, state, action)  # type: ignore[method-assign]
    half.roll = lambda pending: dict(Sheet.roll(half, pending))  # type: ignore[assignment, method-assign, return-value]
    value = solve(half, Duel(), exact=True).value()
    assert value == pytest.approx(float(solve(written, Duel()).value()))
    half.payoff = lambda state: 5  # type: ignore[method-assign]
    for attempt in (lambda: DuelGame(half), lambda: solve(half, Duel())):
        with pytest.raises(GameError, match=r"Sheet overrides payoff\(\), which a duel takes for granted"):
            attempt()


def test_a_large_game_is_refused_at_once() -> None:
    class Costly(Yahtzee):
        def gain(self, state: Any, action: Any) -> int:
            return super().gain(state, action) or (-5 if isinstance(action, str) else 0)

    for objective in (Expected(), AtLeast(200)):
        for exact in (False, True):
            with pytest.raises(GameError, match=r"Costly overrides gain\(\), .* at least 6,192,396 positions"):
                solve(Costly(), objective, exact=exact)
    with pytest.raises(GameError, match=r"Costly overrides gain\(\)"):
        evaluate(Costly(), Greedy())


FILE = """
from rollwise.games.{module} import {parent}

class Harsh({parent}):
    def __init__(self):
        super().__init__({given})

    def gain(self, state, action):
        got = super().gain(state, action)
        return -5 if isinstance(action, str) and not got else got
"""


def test_the_command_line_obeys_overridden_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    small, large = tmp_path / "small.py", tmp_path / "large.py"
    small.write_text(FILE.format(module="yahtzee", parent="Yazy", given="rerolls=1, boxes=['sixes']"))
    large.write_text(FILE.format(module="yahtzee", parent="Yahtzee", given=""))
    for command in ("solve", "simulate", "distribution"):
        code, out, err = run(capsys, command, str(large))
        assert (code, out) == (2, "")
        assert "Harsh overrides gain(), which the solver for a score sheet does not support" in err

    class Harsh(Yazy):
        def gain(self, state: Any, action: Any) -> int:
            return super().gain(state, action) or (-5 if isinstance(action, str) else 0)

    worth = f"{float(recursion(Harsh(rerolls=1, boxes=['sixes']), Expected())):.10f}"
    for command in ("solve", "simulate", "distribution"):
        code, out, _ = run(capsys, command, str(small))
        assert (code, worth in out) == (0, True)
    won = f"{float(recursion(DuelGame(Harsh(rerolls=1, boxes=['sixes'])), Expected()) * 50):.10g} %"
    code, out, _ = run(capsys, "solve", str(small), "--objective", "duel")
    assert (code, won in out) == (0, True)
    code, out, err = run(capsys, "solve", str(large), "--objective", "duel")
    assert (code, out) == (2, "")
    assert "Harsh overrides gain(), which the solver for a score sheet does not support" in err


def test_gain_and_mover_of_an_instance_are_solved() -> None:
    class Choice(Game[int, int, int]):
        def start(self) -> int:
            return 1

        def roll(self, pending: int) -> dict[int, int]:
            return {pending: 1, -pending: 1}

        def actions(self, state: int) -> range:
            return range(3 if abs(state) == 1 else 0)

        def play(self, state: int, action: int) -> int:
            return 2

    game = Choice()
    game.gain = lambda state, action: action  # type: ignore[method-assign]
    assert solve(game, Expected(), exact=True).value() == 2
    assert [value for _, value, _ in solve(game).ranked(1)] == [2, 1, 0]
    assert solve(game, AtLeast(2), exact=True).value() == 1
    game.mover = lambda state: int(state < 0)  # type: ignore[method-assign]
    assert solve(game, exact=True).value() == 1


def test_sentences_and_reports_follow_the_rules() -> None:
    solution = solve(Double(boxes=["sixes"], rerolls=1))
    state = solution.game.read_state("12666 0 all")
    assert "bonus" not in explain(solution, state, "sixes")
    assert "18" not in explain(solution, state, "sixes"), "the box pays twice that"
    assert build_report(solution, name="double").blocks
    lifted = solve(Double(boxes=["sixes"], rerolls=1), AtLeast(20))
    assert explain(lifted, lifted.game.read_state("12666 0 all needs 20"), "sixes")


def test_the_check_warns_of_rules_that_the_compact_form_does_not_read() -> None:
    (warning,) = check_game(Double(boxes=["sixes"], rerolls=1), max_states=300).warnings
    assert warning.startswith("Double overrides ")
    assert warning.endswith("which the solver for a score sheet does not support: it is solved position by position")
    assert check_game(Yazy(boxes=["sixes"], rerolls=1), max_states=300).warnings == ()


def test_dice_of_words_are_rolled_by_an_overridden_roll() -> None:
    game = words()
    game.roll = lambda pending: {("B", "D"): 1}  # type: ignore[method-assign]
    assert {RollSource(game, Source(seed)).draw(("*", "*")) for seed in range(20)} == {("B", "D")}
