"""`rollwise advise`: the moves of a position, ranked."""

import argparse
import json
from typing import Any

from rollwise.commands.shared import (
    add_command,
    add_game,
    as_json,
    fraction,
    plain,
    show_loss,
    show_value,
    solve_game,
    table,
    value_name,
)  # fmt: skip
from rollwise.errors import GameError

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "advise", _advise, "rank the moves of a position: value and loss of each",
        "rollwise advise slots --state 'all 0 6'\n  rollwise advise yazy -p boxes=ones,straight --state '12346 1 all'",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument("--state", required=True, metavar="TEXT", help="the position, in the game's notation")
    parser.add_argument("--top", type=int, metavar="N", help="show only the N best moves")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _advise(options: argparse.Namespace) -> None:
    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    solution, parameters = solve_game(options)
    game = solution.game
    state = game.read_state(options.state)
    value = solution.value(state, kind="state")
    moves = solution.ranked(state)[: options.top]
    if options.json:
        head = {
            key: v for key, v in as_json(options.game, parameters, solution).items() if key in ("game", "parameters", "objective")
        }
        rows = [
            {"action": game.show_action(m.action), "value": plain(m.value), "exact": fraction(m.value), "loss": plain(m.loss)}
            for m in moves
        ]
        print(
            json.dumps({**head, "state": game.show_state(state), "value": plain(value), "exact": fraction(value), "moves": rows})
        )
        return
    if not moves:
        print(f"{game.show_state(state)}: the game is over, {value_name(solution)} {show_value(value)}")
        return
    table(
        [game.action_word, value_name(solution), "loss"],
        [(game.show_action(m.action), show_value(m.value), show_loss(m.loss)) for m in moves],
    )
