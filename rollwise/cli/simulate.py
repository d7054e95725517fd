"""`rollwise simulate`: check a value by playing."""

import argparse
from typing import Any

from rollwise.cli.shared import (
    add_command,
    add_game,
    add_options,
    name_objective,
    name_solved,
    print_json,
    progress_bar,
    quietly,
    solve_game,
    table,
    words_of,
)
from rollwise.cli.strategies import add_policy, check_policy, policy_check, read_policy

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "simulate", _simulate, "play many games and compare their mean with the exact value",
        "rollwise simulate yazy --games 100000 --seed 1\n  rollwise simulate pig --policy mine.card\n"
        "  rollwise simulate groups -p faces=6 -p sizes=3,2 --json",
    )  # fmt: skip
    add_game(parser)
    add_policy(
        parser,
        "the strategy that plays; FILE: a strategy card; in a game for two it plays against best play and begins half "
        "of the games (default: optimal)",
    )
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="number of games (default 10000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed plays the same games (default 0)")
    add_options(parser, "--json")


def _simulate(options: argparse.Namespace) -> None:
    from rollwise.cards.trials import simulate_policy
    from rollwise.playing.simulate import check_request

    check_request(options.games, options.seed)
    check_policy(options.policy)
    solution, parameters = solve_game(options, policy_check(options))
    policy = read_policy(options, solution)
    with quietly(), progress_bar() as progress:
        found = simulate_policy(solution, policy, options.games, options.seed, progress=progress)
    if options.json:
        from rollwise.wire.to_json import describe_simulated

        by = {"policy": options.policy} if policy is not None else {}
        print_json({**name_solved(options, parameters, solution), **by, **describe_simulated(found)})
        return
    words = words_of(solution)
    mean, error, low, high = (
        number * (100 if words.share else 1) for number in (found.mean, found.standard_error, *found.interval)
    )
    unit = "%" if words.share else words.unit
    table(
        ["", options.game],
        [
            ("objective", name_objective(solution.objective, solution.game)),
            *([("policy", options.policy)] if policy is not None else []),
            ("games", f"{found.games:,}, seed {found.seed}"),
            ("mean", f"{mean:.4f} +/- {error:.4f} {unit}"),
            ("95 % interval", f"{low:.4f} to {high:.4f} {unit}"),
            (f"exact {words.value}", words.exactly(found.value)),
            ("difference", f"{found.z_score:+.2f} standard errors"),
        ],
    )
