"""`rollwise advise`: the moves of a position, ranked."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from rollwise.cli.duels import add_duel, check_duel, solve_duel_game
from rollwise.cli.shared import (
    add_command,
    add_game,
    as_json,
    fraction,
    progress_bar,
    show_loss,
    show_value,
    solve_game,
    table,
    value_name,
)  # fmt: skip
from rollwise.model.notation import plain

if TYPE_CHECKING:
    from rollwise.forms.base.solution import Solution
    from rollwise.playing.advise import Advice, Move

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
    from rollwise.playing.advise import advise

    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    check_duel(options)
    solution: Solution
    solution, parameters = solve_duel_game(options) if options.duel else solve_game(options)
    state = solution.game.read_state(options.state)
    with progress_bar() as progress:
        advice = advise(solution, state, top=options.top, outlook=options.outlook or None, progress=progress)
    if options.json:
        described = as_json(options.game, parameters, solution)
        head = {key: described[key] for key in ("game", "parameters", "objective")}
        print(json.dumps({**head, **_described(solution, advice)}))
    elif not advice.moves:
        print(f"{solution.game.show_state(state)}: the game is over, {value_name(solution)} {show_value(advice.value)}")
    else:
        _print(solution, advice)


def _described(solution: "Solution", advice: "Advice") -> dict[str, Any]:
    moves = [_move(solution, advice, move) for move in advice.moves]
    state = solution.game.show_state(advice.state)
    return {"state": state, "value": plain(advice.value), "exact": fraction(advice.value), "moves": moves}


def _move(solution: "Solution", advice: "Advice", move: "Move") -> dict[str, Any]:
    from rollwise.playing.explain import explain

    row: dict[str, Any] = {
        "action": solution.game.show_action(move.action),
        "value": plain(move.value),
        "exact": fraction(move.value),
        "loss": plain(move.loss),
        "why": explain(solution, advice.state, move.action),
    }
    if move.outlook:
        row["outlook"] = {
            "of": move.outlook.what,
            "mean": move.outlook.mean,
            "deviation": move.outlook.deviation,
            "quantiles": {str(share): move.outlook.quantile(share) for share in SHARES},
        }
    return row


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
