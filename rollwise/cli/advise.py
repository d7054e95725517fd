"""`rollwise advise`: the moves of a position, ranked."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from rollwise.cli.duels import add_duel, check_duel, solve_duel_game
from rollwise.cli.shared import (
    add_command,
    add_game,
    progress_bar,
    quietly,
    show_loss,
    show_value,
    solve_game,
    table,
    value_name,
)  # fmt: skip

if TYPE_CHECKING:
    from rollwise.forms.base.solution import Solution
    from rollwise.playing.advise import Advice

__all__ = ["add"]

SHARES = (0.05, 0.5, 0.95)


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "advise",
        _advise,
        "rank the moves of a position: value, loss, what comes after, and why",
        "rollwise advise slots --state 'all 0 6'\n  rollwise advise yazy --state '33561 2 all' --top 5\n"
        "  rollwise advise yatzy --state '6,6,6,6,1 1 sixes,chance upper 57' --json\n"
        "  rollwise advise yazy --duel --state '66661 1 sixes,straight vs ones,straight lead -12'",
    )
    add_game(parser)
    add_duel(parser)
    parser.add_argument("--state", required=True, metavar="TEXT", help="the position, in the game's notation")
    parser.add_argument("--top", type=int, metavar="N", help="show only the N best moves")
    parser.add_argument(
        "--outlook",
        action="store_true",
        help="follow every move to the end even where that takes long (not where the value is a chance)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _advise(options: argparse.Namespace) -> None:
    from rollwise.errors import GameError
    from rollwise.forms.base.array_files import StoreError

    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    check_duel(options)
    try:
        _answer(options, whole=options.outlook)
    except StoreError:
        _answer(options, whole=True)


def _answer(options: argparse.Namespace, *, whole: bool) -> None:
    """Print advice; not `whole`, after comparing only what it needs of a kept solution.

    Raises `StoreError`, and prints nothing, if that is damaged: comparing everything then removes it and solves again.
    """
    from rollwise.playing.advise import advise

    solution: Solution
    solver = solve_duel_game if options.duel else solve_game
    solution, parameters = solver(options, lambda form: form.read_state(options.state), whole=whole)
    with quietly():
        state = solution.game.read_state(options.state)
    with quietly(), progress_bar() as progress:
        advice = advise(solution, state, top=options.top, outlook=options.outlook or None, progress=progress)
    if options.json:
        from rollwise.wire.to_json import describe_advice

        head = {"game": options.game, "parameters": parameters, "objective": str(solution.objective)}
        with quietly():
            described = describe_advice(solution, advice)
        print(json.dumps({**head, **described}))
    elif not advice.moves:
        print(f"{solution.game.show_state(state)}: the game is over, {value_name(solution)} {show_value(advice.value)}")
    else:
        _print(solution, advice)


def _print(solution: "Solution", advice: "Advice") -> None:
    from rollwise.playing.explain import explain

    game = solution.game
    followed = [move.outlook for move in advice.moves if move.outlook]
    header = [game.action_word, value_name(solution), "loss"]
    header += [f"{followed[0].what} to come: 5 %, half, 95 %"] if followed else []
    rows = []
    for move in advice.moves:
        row = [game.show_action(move.action), show_value(move.value), show_loss(move.loss)]
        if followed:
            row.append(", ".join(str(move.outlook.quantile(share)) for share in SHARES) if move.outlook else "")
        rows.append((*row, explain(solution, advice.state, move.action)))
    table([*header, "why"], rows)
