"""`rollwise advise`: the moves of a position, ranked."""

import argparse
import sys
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.cli.duels import add_duel, check_duel, solve_duel_game
from rollwise.cli.shared import (
    add_command,
    add_game,
    distrust,
    print_json,
    progress_bar,
    quietly,
    read_given,
    show_loss,
    show_value,
    solve_game,
    table,
    whose_value,
)  # fmt: skip
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.playing.advise import Advice
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

SHARES = (0.05, 0.5, 0.95)
ASKED: dict[str | None, Any] = {None: None, "quick": True, "exact": "exact"}
"""What --outlook asks for."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "advise",
        _advise,
        "rank the moves of a position: value, loss, what comes after, and why",
        "rollwise advise slots --state 'all 0 6'\n  rollwise advise yazy --state '33561 2 all' --top 5\n"
        "  rollwise advise yazy --state '33561 2 all' --top 3 --why\n"
        "  rollwise advise yatzy --state '6,6,6,6,1 1 sixes,chance upper 57' --json\n"
        "  rollwise advise yahtzee --state '22233 2 all upper 0' --outlook\n"
        "  rollwise advise yazy --duel --state '66661 1 sixes,straight vs ones,straight lead -12'",
    )
    add_game(parser)
    add_duel(parser)
    parser.add_argument("--state", required=True, metavar="TEXT", help="the position, in the game's notation, or its id")
    parser.add_argument("--top", type=int, metavar="N", help="show only the N best moves")
    parser.add_argument(
        "--outlook",
        nargs="?",
        choices=tuple(filter(None, ASKED)),
        const="quick",
        help="show the distribution of the result after every move, even where that takes time: with a stated error bound, "
        "from a "
        "table computed once per score sheet and cached (quick, the default), or by following each move to the end "
        "(exact); not available where the value is a probability",
    )
    parser.add_argument("--why", action="store_true", help="split the values of the best moves into parts that add up to them")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _advise(options: argparse.Namespace) -> None:
    from rollwise.errors import GameError

    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    check_duel(options)
    _answer(options, _rank(options))


class _Ranked(NamedTuple):
    """The moves of a position, without their outlooks."""

    solution: "Solution"
    parameters: dict[str, str]
    advice: "Advice"


def _rank(options: argparse.Namespace) -> _Ranked:
    """Rank the moves after comparing only what that needs of a cached solution. Raises `CacheError` if that is damaged."""
    from rollwise.model.ids import read_position
    from rollwise.playing.advise import advise

    solver = solve_duel_game if options.duel else solve_game
    solution, parameters = solver(options, lambda lifted: read_position(lifted, options.state), whole=False)
    with quietly():
        state = read_given(solution.game, options.state)
        return _Ranked(solution, parameters, advise(solution, state, top=options.top, outlook=False))


def _answer(options: argparse.Namespace, found: _Ranked) -> None:
    """Print the moves, and then what comes after them, if that was asked for or is quick."""
    solution, parameters, advice = found
    if options.json:
        from rollwise.wire.to_json import describe_advice

        head = {"game": options.game, "parameters": parameters, "objective": str(solution.objective)}
        ahead = _ahead(options, found)
        with quietly():
            described = describe_advice(solution, ahead, parts=True)
        print_json({**head, **described})
    elif not advice.moves:
        print(f"{solution.game.show_state(advice.state)}: the game is over, {whose_value(solution)} {show_value(advice.value)}")
    else:
        tables = [_moves(solution, advice)]
        if options.why:
            from rollwise.cli.why import compare_moves

            tables += compare_moves(solution, advice, options.top)
        for header, rows in tables:
            table(header, rows)
        sys.stdout.flush()
        _print_outlooks(solution, _ahead(options, found))


def _ahead(options: argparse.Namespace, found: _Ranked) -> "Advice":
    """Look ahead; a cached solution that turns out to be damaged when the moves are printed already is ranked again."""
    from rollwise.errors import RollwiseError

    try:
        return _look_ahead(options, found)
    except RollwiseError as error:
        if options.json or not options.relied:
            raise
        distrust(options, error)
    return _look_ahead(options, _rank(options))


def _look_ahead(options: argparse.Namespace, found: _Ranked) -> "Advice":
    from rollwise.playing.advise import look_ahead

    with quietly(), progress_bar() as progress:
        return look_ahead(found.solution, found.advice, outlook=ASKED[options.outlook], progress=progress)


def _moves(solution: "Solution", advice: "Advice") -> tuple[list[str], list[tuple[str, ...]]]:
    from rollwise.playing.explain import explainer

    game, why = solution.game, explainer(solution)
    with quietly():
        rows: list[tuple[str, ...]] = [
            (
                game.show_action(move.action),
                show_value(move.value),
                show_loss(move.loss),
                render(why(advice.state, move.action)),
            )
            for move in advice.moves
        ]
    return [view_of(game).action_word, whose_value(solution), "loss", "why"], rows


def _print_outlooks(solution: "Solution", advice: "Advice") -> None:
    followed = [(move.action, move.outlook) for move in advice.moves if move.outlook]
    if not followed:
        _print_way(solution)
        return
    game = solution.game
    rows = [(game.show_action(action), *(str(after.quantile(share)) for share in SHARES)) for action, after in followed]
    table([view_of(game).action_word, f"{followed[0][1].what} to come: 5 %", "half", "95 %"], rows)
    error = max(after.error for _, after in followed)
    if error:
        print(f"quick outlook: chances within {_points(error)} percentage points; --outlook exact follows every move to the end")


def _points(error: float) -> str:
    """Write a bound in percentage points, rounded up."""
    return f"{ceil(error * 10_000 - 1e-9) / 100:g}"


def _print_way(solution: "Solution") -> None:
    """Say how to get an outlook that is computed only when it is asked for."""
    from rollwise.solvers.base.abilities import LooksAhead, ability

    plan = None if solution.objective.wins else ability(solution, LooksAhead).quick_plan()
    if plan is not None and plan.seconds is not None:
        seconds, size = max(1, round(plan.seconds)), max(1, round(plan.disk_bytes / 1e6))
        print(f"how it may end: --outlook works that out for all positions, once, in about {seconds:,} s, and keeps {size:,} MB")
