"""`rollwise distribution`: the exact distribution of the score, or of the rolls."""

import argparse
import shutil
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from rollwise.errors import GameError

if TYPE_CHECKING:
    from rollwise.playing.distribution import Distribution
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

ROWS = 20
EIGHTHS = " ▏▎▍▌▋▊▉"


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "distribution", _distribution, "show the exact chances of every final score",
        "rollwise distribution yahtzee\n  rollwise distribution yazy --policy greedy\n"
        "  rollwise distribution slots --policy mine.card\n  rollwise distribution yazy --objective duel\n"
        "  rollwise distribution groups -p faces=6 -p sizes=3,2 -o groups.svg",
    )  # fmt: skip
    add_game(parser)
    add_policy(parser, "the strategy to follow, in a game for two on both sides; FILE: a strategy card (default: optimal)")
    parser.add_argument("-o", "--output", metavar="FILE.svg", help="draw the distribution to this file")
    add_options(parser, "--json")


def _distribution(options: argparse.Namespace) -> None:
    from rollwise.playing.distribution import distribution, is_decided
    from rollwise.reports.page import check_place

    if options.output:
        check_place(Path(options.output), (".svg",), "a picture")
    check_policy(options.policy)
    solution, parameters = solve_game(options, policy_check(options))
    if not solution.objective.follows and options.policy == "optimal" and not options.output:
        _split(options, solution, parameters)
        return
    policy = read_policy(options, solution)
    with quietly(), progress_bar() as progress:
        found = distribution(solution, policy, progress=progress)
    decided = is_decided(found, solution.objective)
    if options.output and decided:
        raise GameError("-o draws the chances of totals: this game is only won or lost")
    if options.output:
        _draw(found, solution, options)
    if options.json:
        from rollwise.wire.to_json import describe_distribution

        about = {**name_solved(options, parameters, solution), "policy": options.policy, "what": found.what}
        print_json({**about, **describe_distribution(found)})
        return
    table(["", options.game], _summary(found, solution, options.policy, decided=decided))
    if not decided:
        _histogram(found)
    if found.box_points:
        _boxes(found)
    if options.output:
        print(f"picture written to {options.output}")


def _split(options: argparse.Namespace, solution: "Solution", parameters: dict[str, str]) -> None:
    """Print how often a game for two without a total of one player is won, tied and lost."""
    from rollwise.solvers.base.abilities import Splits, ability

    with progress_bar() as progress:
        found = ability(solution, Splits).split(progress=progress)
    chances = {"wins": found.win, "ties": found.tie, "loses": found.loss}
    if options.json:
        print_json({**name_solved(options, parameters, solution), "policy": options.policy, **chances})
        return
    rows = [(f"the first player {name}", f"{100 * chance:.2f} %") for name, chance in chances.items()]
    objective = name_objective(solution.objective, solution.game)
    table(["", options.game], [("objective", objective), ("policy", options.policy), *rows])


def _draw(found: "Distribution", solution: "Solution", options: argparse.Namespace) -> None:
    from rollwise.reports.build import distribution_picture
    from rollwise.solvers.base.pictures import standalone
    from rollwise.solvers.base.writing import write_whole

    title = f"{Path(options.game).stem}: {found.what} under {options.policy} play"
    write_whole(Path(options.output), standalone(distribution_picture(found, title=title, objective=solution.objective)))


def _summary(found: "Distribution", solution: "Solution", policy: str, *, decided: bool) -> list[tuple[str, ...]]:
    from rollwise.playing.distribution import win_chance
    from rollwise.wire.to_json import QUANTILES

    rows: list[tuple[str, ...]] = [("objective", name_objective(solution.objective, solution.game)), ("policy", policy)]
    words = words_of(solution)
    if solution.objective.wins:
        rows.append((words.value, words.exactly(win_chance(found, solution.objective))))
    elif policy == "optimal":
        rows.append((words.value, words.exactly(solution.value())))
    rows += (
        []
        if decided
        else [
            ("mean", f"{found.mean:.6f} {found.what}"),
            ("standard deviation", f"{found.standard_deviation:.6f} {found.what}"),
            ("quantiles", f"{', '.join(f'{100 * q:.0f} %: {found.quantile(q)}' for q in QUANTILES)} {found.what}"),
        ]
    )
    if found.bonus is not None:
        rows.append(("chance of the bonus", f"{100 * found.bonus:.2f} %"))
        steps = [*found.bonus_steps.items()][1:]
        rows += [(f"chance of its step at {threshold}", f"{100 * chance:.2f} %") for threshold, chance in steps]
    if found.rest > 1e-9:
        rows.append(("not followed to the end", f"{100 * found.rest:.2g} % of games"))
    return rows


def _histogram(found: "Distribution") -> None:
    """Print bars, neighbours put together to fit; coloured on a terminal that wants colour."""
    from rich.console import Console

    console = Console()
    width = min(shutil.get_terminal_size().columns, 100) - 26 if console.is_terminal else 60
    lines = histogram(found, max(width, 10), plain=not _has_blocks())
    for name, bar, share in lines:
        console.print(f"{name} ", end="", markup=False, highlight=False, soft_wrap=True)
        console.print(bar, style="cyan", end="", markup=False, highlight=False, soft_wrap=True)
        console.print(f" {share}", markup=False, highlight=False, soft_wrap=True)
    console.print()


def _has_blocks() -> bool:
    try:
        EIGHTHS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def histogram(found: "Distribution", width: int, *, plain: bool = False) -> list[tuple[str, str, str]]:
    """Give lines of (numbers, bar, chance); the longest bar has `width` signs. A thin tail is one line."""
    low, last = found.lowest, max(found.quantile(1 - 1e-4), found.lowest)
    step = next(w for p in count() for w in (10**p, 2 * 10**p, 5 * 10**p) if (last - low + 1) / w <= ROWS)
    first = low // step * step
    begins = range(first, last + 1, step)
    rows = [(_label(begin, begin + step - 1), found.between(begin, begin + step)) for begin in begins]
    end = first + len(rows) * step
    if (rest := found.at_least(end)) > 0:
        rows.append((f"{end}+" if end >= 0 else f"{end} or more", rest))
    most = max(share for _, share in rows)
    wide = max(len(name) for name, _ in rows)
    return [
        (name.rjust(wide), _bar(share / most * width, plain), f"{100 * share:.2f} %" if share else "") for name, share in rows
    ]


def _label(first: int, last: int) -> str:
    """Write a range of totals; a hyphen would read like a minus sign beside negative ones."""
    return str(first) if first == last else f"{first} to {last}" if first < 0 else f"{first}-{last}"


def _bar(length: float, plain: bool) -> str:
    if plain:
        return "#" * round(length)
    whole, part = divmod(round(length * 8), 8)
    return "█" * whole + EIGHTHS[part].strip()


def _boxes(found: "Distribution") -> None:
    from rollwise.wire.to_json import describe_distribution

    boxes = describe_distribution(found)["boxes"]
    rows = [(name, f"{box['expected_points']:.2f}", f"{100 * box['chance_of_points']:.2f} %") for name, box in boxes.items()]
    table(["box", "expected points", "chance of points"], rows)
