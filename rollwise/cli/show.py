"""`rollwise show`: a position drawn from its id, or the id of a position."""

import argparse
from typing import TYPE_CHECKING, Any

from rollwise.cli.drawing import say, show_dice
from rollwise.cli.shared import (
    add_command,
    add_objective,
    add_options,
    add_rules,
    aim,
    make_game,
    print_json,
    quietly,
    read_given,
    table,
)
from rollwise.errors import GameError
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "show", _show, "draw a position from its id, or print a position's id",
        "rollwise show yahtzee 1b3\n  rollwise show yahtzee --state '22233 2 all upper 0'\n"
        "  rollwise advise yahtzee --state $(rollwise show yahtzee --state '22233 2 all upper 0')\n"
        "  rollwise show yazy --at-least 160 --state '33561 2 all needs 160'",
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument("id", metavar="ID", nargs="?", help="draw the position with this id")
    parser.add_argument("--state", metavar="TEXT", help="print the id of this position (see 'rollwise help positions')")
    add_objective(parser)
    add_options(parser, "--json")


def _show(options: argparse.Namespace) -> None:
    from rollwise.model.ids import position_id, read_id

    if (options.id is None) == (options.state is None):
        raise GameError("show takes an id, which is drawn, or --state TEXT, whose id is printed: give one of them")
    game, parameters, objective = _lifted_game(options)
    with quietly():
        state = read_id(game, options.id) if options.state is None else read_given(game, options.state)
        found = position_id(game, state)
    if options.json:
        head = {"game": options.game, "parameters": parameters, "objective": objective}
        print_json({**head, **_described(game, state, found)})
    elif options.state is not None:
        print(found)
    else:
        _draw(game, state, found)


def _lifted_game(options: argparse.Namespace) -> tuple["Game[Any, Any, Any]", dict[str, str], str]:
    """Make the game as its positions are written under the objective; with its parameters, and the objective in words."""
    from rollwise.model.lift import explored_game, lifted_game
    from rollwise.playing.roll_source import finds_gains

    game, parameters = make_game(options)
    objective = aim(options, game)
    stated, lifted = explored_game(game, objective), lifted_game(game, objective)
    if lifted is None:
        lifted = explored_game(game, objective, "signed points") if finds_gains(stated) else stated
    return lifted, parameters, str(objective)


def _described(game: "Game[Any, Any, Any]", state: Any, found: str) -> dict[str, Any]:
    position = dict(view_of(game).position(state))
    return {"id": found, "state": game.show_state(state), "over": not game.actions(state), "position": position}


def _draw(game: "Game[Any, Any, Any]", state: Any, found: str) -> None:
    show_dice(game, state)
    rows = dict(view_of(game).lay_out(state))
    more = {"moves": "the game is over"} if not game.actions(state) else {}
    table(["", ""], [*((str(name), render(text)) for name, text in {**rows, **more}.items())])
    say(f"position  {game.show_state(state)}\nid        {found}")
