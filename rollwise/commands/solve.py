"""`rollwise solve`: the best strategy of a game, its value and certificate."""

import argparse
import json
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.commands.shared import add_command, add_game, as_json, show_value, solve_game, table, value_name

if TYPE_CHECKING:
    from rollwise.solution import Solution

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "solve", _solve, "find the best strategy: value, certificate, size, time",
        "rollwise solve slots --at-least 51 --exact\n  rollwise solve groups -p faces=6 -p sizes=1,2\n"
        "  rollwise solve words -p dice=ABC,DEF -p words=@dictionary.txt --json\n"
        "  rollwise solve yatzy -o solved && rollwise advise yatzy --cache solved --state '66661 1 all upper 0'",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="keep the solved game in this directory too, to be used with --cache DIR"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _solve(options: argparse.Namespace) -> None:
    solution, parameters = solve_game(options)
    if options.output is not None:
        from rollwise.store import save

        save(solution, Path(options.output), name=options.game, parameters=parameters)
    if options.json:
        print(json.dumps(as_json(options.game, parameters, solution)))
        return
    certificate = solution.certificate
    proof = (
        "exact: residual 0"
        if certificate.exact
        else f"error at most {certificate.error_bound:.1e}, residual {certificate.residual:.1e}"
    )
    table(
        ["", options.game],
        [
            ("objective", str(solution.objective)),
            (value_name(solution), show_value(solution.value())),
            ("certificate", f"{proof}; the strategy surely ends" if not isinf(solution.value()) else "no strategy surely ends"),
            ("size", _size(solution)),
            ("engine", solution.engine),
            ("time", f"{solution.seconds:.2f} s"),
        ],
    )


def _size(solution: "Solution") -> str:
    if solution.engine.startswith("sheet"):
        return f"{solution.states:,} turn starts"
    return f"{solution.states:,} states, {solution.pendings:,} pending rolls"
