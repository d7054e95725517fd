"""`rollwise solve`: the best strategy of a game, its value and certificate."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    add_command,
    add_game,
    aim,
    name_objective,
    print_json,
    solve_game,
    table,
    whose_value,
    words_of,
)
from rollwise.errors import GameError
from rollwise.model.abilities import gains_nonnegative, unlifted
from rollwise.model.formatting import infinite, plain

if TYPE_CHECKING:
    from rollwise.model.game import Game
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "solve", _solve, "find the best strategy: its value, and the proof",
        "rollwise solve yahtzee\n  rollwise solve slots --at-least 51 --exact\n"
        "  rollwise solve yazy --objective 'against leaderboard.txt, best of 3'\n"
        "  rollwise solve yazy -p boxes=ones,straight --objective duel\n"
        "  rollwise solve groups -p faces=6 -p sizes=1,2 --json",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the best chance of every target (score sheets, with --at-least)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object; with --at-least also the chances of all targets"
    )


def _solve(options: argparse.Namespace) -> None:
    from rollwise.playing.rivals import worth_to
    from rollwise.reports.page import check_place
    from rollwise.solvers.base.abilities import AnswersTargets, ability

    if options.plot is not None:
        check_place(Path(options.plot), (".svg",), "a picture")
    solution, parameters = solve_game(options, lambda lifted: _check_plot(options, lifted), trust=False)
    mark = solution.objective.mark
    chances = [float(chance) for chance in ability(solution, AnswersTargets).curve()] if mark is not None else []
    if options.plot is not None:
        _draw(chances, Path(options.plot))
    if options.json:
        from rollwise.wire.to_json import as_json

        more: dict[str, Any] = {"curve": chances} if chances else {}
        more |= {"second": plain(worth_to(1, solution, solution.value()))} if solution.two_players else {}
        print_json({**as_json(options.game, parameters, solution), **more})
        return
    proof, words, players = _proof(solution), words_of(solution), (0, 1) if solution.two_players else (0,)
    table(
        ["", options.game],
        [
            ("objective", name_objective(solution.objective, solution.game)),
            *((whose_value(solution, player), words.exactly(worth_to(player, solution, solution.value()))) for player in players),
            ("certificate", "no strategy surely ends" if infinite(solution.value()) else f"{proof}; the strategy surely ends"),
            ("size", solution.size()),
            ("engine", solution.engine),
            ("time", f"{solution.seconds:.2f} s"),
        ],
    )
    if chances and mark is not None:
        rows = [(str(target), words.worth(chances[target])) for target in _near(mark, len(chances) - 1)]
        table(["at least", "best chance"], rows)
    if options.plot is not None:
        print(f"picture written to {options.plot}")


def _proof(solution: "Solution") -> str:
    """Say how far from the truth the values may be, what was found when they were checked, and where."""
    proof = solution.certificate
    error = "exact: " if proof.exact else f"error at most {proof.error_bound:.1e}, "
    if proof.checked == "by recursion":
        return f"{error}by recursion"
    found = "residual 0" if not proof.residual else f"residual {proof.residual:.1e}"
    return f"{error}{found}{' on a sample' if proof.checked == 'on a sample' else ''}"


def _near(target: int, most: int) -> list[int]:
    """Targets around the one asked for, in steps that suit the game; around the nearest that is possible."""
    target = min(max(target, 0), most)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if most <= 30 * step)
    return [t for t in range(target - 3 * step, target + 4 * step, step) if 0 <= t <= most]


NO_PLOT = "--plot draws the best chance for every target: give a score sheet and --at-least N, without --exact"


def _check_plot(options: argparse.Namespace, lifted: "Game[Any, Any, Any]") -> None:
    """Refuse a plot where it is known, before anything is solved, that there is no curve to draw."""
    game = unlifted(lifted)
    if options.plot is not None and (options.exact or aim(options, game).mark is None or not gains_nonnegative(game)):
        raise GameError(NO_PLOT)


def _draw(chances: list[float], path: Path) -> None:
    from rollwise.solvers.base.pictures import standalone, target_curve
    from rollwise.solvers.base.writing import write_whole

    if not chances:
        raise GameError(NO_PLOT)
    write_whole(path, standalone(target_curve(chances)))
