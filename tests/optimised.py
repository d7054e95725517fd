"""Repeat, under `python -O`, the inputs of the tests that certify; every check raises, and none is an `assert`.

Run by `test_optimised`. Games come from the strategies and the tables that the ordinary tests use.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise import AtLeast, Duel, Expected, Fewest, Game, GameError, distribution, evaluate, solve
from rollwise.errors import CertificateError, EngineError
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.policies import RandomPolicy, TablePolicy
from rollwise.solvers.graph.certify import certify
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.run import run
from rollwise.solvers.sheets import duel
from rollwise.solvers.sheets import expected as sheet_solution
from rollwise.solvers.sheets import targets as sheet_points
from rollwise.solvers.sheets.standings import StandingAxis
from tests import test_engines, test_huge, test_policies, test_unbounded, test_weights
from tests.reference import enumerate_pairs, enumerate_policies, gap, recursion
from tests.reference import evaluate as follow
from tests.strategies import TableGame, cyclic_games, ending_games, for_two, layered_games, repeatable, retry_games

AnyGame = Game[Any, Any, Any]
EXAMPLES = settings(max_examples=25, deadline=None, database=None, derandomize=True)


def check(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(f"under python -O: {what}")


def refuses(kind: type[Exception], attempt: Callable[[], Any], what: str) -> None:
    try:
        attempt()
    except kind:
        return
    raise SystemExit(f"under python -O: {what} is not refused")


def agree(game: AnyGame, objective: Objective, truth: Fraction | None) -> None:
    """Fractions give the truth, and floats are within their bound of it."""
    if truth is None:
        if isinstance(objective, Fewest):
            check(all(solve(game, objective, exact=exact).value() == float("inf") for exact in (False, True)), f"{game} can end")
        else:
            for exact in (False, True):
                refuses(GameError, partial(solve, game, objective, exact=exact), f"{game}, which cannot be ended,")
        return
    found = solve(game, objective, exact=True)
    check(found.value() == truth and found.certificate.residual == 0, f"{found.value()} is said to be exact, and {truth} is")
    number = solve(game, objective)
    check(gap(number.value(), truth) <= number.certificate.error_bound, f"{number.value()} is too far from {truth}")


@EXAMPLES
@given(layered_games(), st.integers(-5, 15))
def layers(game: TableGame, target: int) -> None:
    for objective in (Expected(), Fewest(), AtLeast(target)):
        agree(game, objective, recursion(game, objective))
    policy = {s: (7 * s) % len(game.actions(s)) for s in game.moves}
    found = evaluate(game, TablePolicy(policy), Expected(), exact=True).value
    check(found == follow(game, Expected(), policy), f"a policy is worth {found}")


@EXAMPLES
@given(retry_games(), cyclic_games(gain=2), cyclic_games())
def cycles(retries: TableGame, priced: TableGame, free: TableGame) -> None:
    for objective in (Expected(), Fewest()):
        agree(retries, objective, enumerate_policies(retries, objective, 10**5))
    agree(priced, Expected(), enumerate_policies(priced, Expected()))
    agree(free, Fewest(), enumerate_policies(free, Fewest()))
    agree(repeatable(free), Fewest(), enumerate_policies(repeatable(free), Fewest(), 10**6))


@EXAMPLES
@given(for_two(layered_games()), for_two(ending_games()))
def rivals(layered: TableGame, ending: TableGame) -> None:
    agree(layered, Expected(), recursion(layered, Expected()))
    truth = enumerate_pairs(ending)
    if truth is not None:
        agree(ending, Expected(), truth)


@EXAMPLES
@given(test_unbounded.rare_loops())
def unbounded(game: TableGame) -> None:
    truth, value, _ = test_unbounded.answer(game, exact=True)
    said, number, bound = test_unbounded.answer(game, exact=False)
    check(said in (truth, "asks"), f"floats say {said}, fractions {truth}")
    check(said != "value" or abs(number - value) <= bound, f"{number} is too far from {value}")


def named_games() -> None:
    """The games that the tests of engines write out."""
    agree(test_engines.NO_REPEAT, Fewest(), Fraction(6))
    for first in ("wait", "toss"):
        agree(test_engines.waiting(first), Expected(), Fraction(1, 2))
    check(solve(test_engines.UNREACHABLE, Fewest()).value() == float("inf"), "an unreachable goal is reached")
    for game, value in ((test_unbounded.RARELY, -1_544_292), (test_unbounded.SLOWLY, -2_000_001)):
        check(solve(game, Expected(), exact=True).value() == value, "a loop that is left rarely has another value")
    for rungs in (2, test_huge.HUGE):
        found = solve(test_huge.ladder(rungs), Fewest(), exact=True).value()
        check(found == test_huge.expected_rolls(rungs), f"a ladder of {rungs} rungs takes {found}")
    refuses(EngineError, lambda: solve(test_huge.ladder(test_huge.HUGE), Fewest()), "a value beyond all floats")


def weights() -> None:
    """The policies of the tests of weights, and one whose weights would wrap around to a wrong sign."""
    choice, mixed = test_weights.CHOICE, test_weights.Mixed
    solution = solve(choice, Expected())
    for wrong, _ in test_weights.WRONG:
        for attempt in (
            partial(evaluate, choice, mixed(wrong), Expected(), exact=True),
            partial(evaluate, choice, mixed(wrong), Expected()),
            partial(distribution, solution, mixed(wrong)),
        ):
            refuses(GameError, attempt, f"a policy with the weights {wrong}")
    for right, truth in test_weights.RIGHT:
        check(evaluate(choice, mixed(right), Expected(), exact=True).value == truth, f"weights {right} are not worth {truth}")
    wrapping = evaluate(test_weights.ROUND, mixed({0: 3 * 2**61, 1: 2**61}), Expected(), exact=True).value
    check(wrapping == -2, f"weights that add up to 2**63 are worth {wrapping}")


def families() -> None:
    """Compact forms against the general engines in fractions."""
    sheet: dict[str, Any] = {"boxes": "ones,straight"}
    for name, parameters in (("words", test_policies.WORDS), ("groups", test_policies.GROUPS), ("yazy", sheet)):
        game = load(name, **parameters)
        agree(game, game.objective, Fraction(solve(game, exact=True).value()))
    check(evaluate(load("slots"), RandomPolicy(), exact=True).value == Fraction(47, 7776), "chance in slots")


def damaged_results() -> None:
    """A wrong number anywhere in a result is found by its certificate."""
    graph = explore(test_engines.NO_REPEAT, Fewest()).graph
    for exact in (False, True):
        result = run(graph, exact=exact)
        certify(graph, result)
        result.values.choice[:] = -1
        refuses(CertificateError, partial(certify, graph, result), "a policy that does not end")
        result = run(graph, exact=exact)
        if result.pending_exact is not None:
            result.pending_exact[0] += 1
        result.values.pending[0] += 1e-6
        refuses(CertificateError, partial(certify, graph, result), "a wrong value")
    result.values.state[0] = np.nan
    refuses(CertificateError, partial(certify, graph, result), "a node without a value")


def damaged_sheets() -> None:
    sheet: Any = load("yazy", boxes="ones,straight")
    solved: Any = solve(sheet)
    refuses(CertificateError, lambda: sheet_solution._certify(solved.arrays, solved.turn_values + np.nan), "a damaged sheet")
    solved.turn_values[3, 0] += 1
    refuses(CertificateError, lambda: sheet_solution._certify(solved.arrays, solved.turn_values), "a wrong turn start")
    aimed: Any = solve(sheet, AtLeast(20))
    wrong = StandingAxis(aimed.arrays, aimed.rows, chance=aimed.chance * 0.999)
    refuses(CertificateError, lambda: sheet_points._certify(wrong), "a wrong chance")
    duelled: Any = solve(sheet, Duel())
    layers = {left: np.asarray(values) * 0.999 for left, values in duelled.layers.items()}
    refuses(CertificateError, lambda: duel._certify(duelled.duel, layers, "float64"), "a wrong layer of a duel")
    exact: Any = solve(sheet, exact=True)
    refuses(EngineError, lambda: replace(solved, turn_values=exact.turn_values).floats, "an exact table as floats")


def main() -> None:
    check(not __debug__, "this is not python -O")
    for part in (layers, cycles, rivals, unbounded, named_games, weights, families, damaged_results, damaged_sheets):
        part()
    sys.stdout.write("all parts hold\n")


if __name__ == "__main__":
    main()
