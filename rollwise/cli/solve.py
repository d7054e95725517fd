"""`rollwise solve`: the best strategy of a game, its value and certificate."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.duels import add_duel, check_duel, plan_workers, say_plan, show_plan, show_time
from rollwise.cli.shared import (
    add_command,
    add_game,
    aim,
    make_game,
    named_folder,
    print_json,
    progress_bar,
    show_value,
    solve_game,
    table,
    value_name,
)
from rollwise.errors import GameError
from rollwise.model.abilities import gains_nonnegative, unlifted
from rollwise.model.formatting import infinite

if TYPE_CHECKING:
    from rollwise.model.game import Game
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "solve", _solve, "find the best strategy: value, certificate, size, time",
        "rollwise solve slots --at-least 51 --exact\n  rollwise solve yatzy --at-least 300\n"
        "  rollwise solve yazy --against leaderboard.txt --best-of 3\n  rollwise solve yazy --duel --plan\n"
        "  rollwise solve groups -p faces=6 -p sizes=1,2\n"
        "  rollwise solve words -p dice=ABC,DEF -p words=@dictionary.txt --json\n"
        "  rollwise solve yatzy -o solved && rollwise advise yatzy --cache solved --state '66661 1 all upper 0'",
    )  # fmt: skip
    add_game(parser)
    add_duel(parser)
    parser.add_argument(
        "--plan", action="store_true", help="print what solving would take, as far as that is known in advance, and exit"
    )
    parser.add_argument("--split", action="store_true", help="split the value of a duel into wins, ties and losses")
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="also write the solved game to this directory, for use with --cache DIR"
    )
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the best chance for every target (score sheets, --at-least)")
    parser.add_argument("--json", action="store_true", help="print one JSON object; with a target, 'curve' lists every target")


def _solve(options: argparse.Namespace) -> None:
    from rollwise.reports.page import check_place
    from rollwise.solvers.base.abilities import AnswersTargets, ability

    check_duel(options)
    if options.split and not options.duel:
        raise GameError("--split belongs to a duel: give --duel")
    if options.duel or options.plan:
        (_duel if options.duel else _plan)(options)
        return
    if options.output is not None:
        named_folder("-o", options.output)
    if options.plot is not None:
        check_place(Path(options.plot), (".svg",), "a picture")
    solution, parameters = solve_game(options, lambda lifted: _check_plot(options, lifted), trust=False)
    mark = solution.objective.mark
    chances = [float(chance) for chance in ability(solution, AnswersTargets).curve()] if mark is not None else []
    if options.plot is not None:
        _draw(chances, Path(options.plot))
    if options.output is not None:
        from rollwise.cache import save

        save(solution, Path(options.output), name=options.game, parameters=parameters)
    if options.json:
        from rollwise.wire.to_json import as_json

        more = {"curve": chances} if chances else {}
        print_json({**as_json(options.game, parameters, solution), **more})
        return
    proof = _proof(solution)
    table(
        ["", options.game],
        [
            ("objective", str(solution.objective)),
            (value_name(solution), show_value(solution.value())),
            ("certificate", "no strategy surely ends" if infinite(solution.value()) else f"{proof}; the strategy surely ends"),
            ("size", solution.size()),
            ("engine", solution.engine),
            ("time", f"{solution.seconds:.2f} s"),
        ],
    )
    if chances and mark is not None:
        rows = [(str(target), f"{chances[target]:.6g}") for target in _near(mark, len(chances) - 1)]
        table(["at least", "best chance"], rows)
    if options.plot is not None:
        print(f"picture written to {options.plot}")


def _proof(solution: "Solution") -> str:
    """Say how far from the truth the values may be, what was found when they were checked, and where."""
    proof = solution.certificate
    error = "exact: " if proof.exact else f"error at most {proof.error_bound:.1e}, "
    if proof.checked == "by recursion":
        return f"{error}by recursion"
    found = "residual 0" if proof.exact else f"residual {proof.residual:.1e}"
    return f"{error}{found}{' on a sample' if proof.checked == 'on a sample' else ''}"


def _plan(options: argparse.Namespace) -> None:
    """Say what solving takes, as far as that is known."""
    from rollwise.solvers.base.options import MAX_STATES, SolveOptions
    from rollwise.solvers.solve import plan
    from rollwise.wire.to_json import describe_plan

    if options.against is not None:
        raise GameError("--plan does not go with --against: the size depends on the points, give --at-least N")
    game, _ = make_game(options)
    with progress_bar() as progress:
        most = MAX_STATES if options.max_states is None else options.max_states
        found = plan(game, aim(options, game), SolveOptions(exact=options.exact, max_states=most, progress=progress))
    if found.states is None or found.memory_bytes is None:
        raise GameError(
            f"what {options.game} takes is not known before it is solved: only duels and rules in columns have a plan"
        )
    if options.json:
        print_json(describe_plan(found))
        return
    rows = [("size", found.size()), ("memory", f"{found.memory_bytes / 2**20:,.0f} MiB")]
    rows += [] if found.seconds is None else [("time", f"about {show_time(found.seconds)} on the cores here")]
    table(["", options.game], rows)


def _duel(options: argparse.Namespace) -> None:
    from rollwise.wire.to_json import as_json, describe_plan

    if options.output is not None or options.plot is not None:
        raise GameError("--duel does not go with -o or --plot: use --cache DIR, or 'rollwise report --duel'")
    if options.plan:
        plan = say_plan(options)
        if options.json:
            print_json({**describe_plan(plan), **plan_workers(plan, options)})
        else:
            table(["", f"{options.game}, duel"], show_plan(plan, options))
        return
    solution, parameters = solve_game(options)
    value = float(solution.value())
    split = _split(solution) if options.split else {}
    if options.json:
        print_json({**as_json(options.game, parameters, solution), "second": 1 - value, **split})
        return
    rows = [
        ("objective", str(solution.objective)),
        ("first player", f"{value:.12g}"),
        ("second player", f"{1 - value:.12g}"),
        *((f"first player {name}", f"{chance:.12g}") for name, chance in split.items()),
        ("certificate", _proof(solution)),
        ("size", solution.size()),
        ("engine", solution.engine),
        ("time", f"{solution.seconds:.2f} s"),
    ]
    table(["", f"{options.game}, duel"], rows)


def _split(solution: "Solution") -> dict[str, float]:
    from rollwise.solvers.base.abilities import Splits, ability

    with progress_bar() as progress:
        found = ability(solution, Splits).split(progress=progress)
    return {"wins": found.win, "ties": found.tie, "loses": found.loss}


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
