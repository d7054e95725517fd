"""`rollwise choose`: which dice of an inventory to take into a game."""

import argparse
from typing import Any

from rollwise.cli.shared import (
    add_command,
    add_objective,
    add_options,
    add_place,
    add_rules,
    given_parameters,
    print_json,
    progress_bar,
    quietly,
    read_objective,
    table,
)

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "choose", _choose, "find the best dice of your own to play with",
        "rollwise choose farkle --from dice.toml --take 6\n"
        "  rollwise choose farkle -p rules=kcd --from dice.toml --take 6 --json\n"
        "  rollwise choose slots --from dice.toml --take 1",
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument("--from", dest="dice", metavar="FILE", required=True, help="a dice file: what you have to choose from")
    parser.add_argument("--take", type=int, metavar="N", required=True, help="how many dice to take")
    add_objective(parser)
    add_options(parser, "--json")
    add_place(parser, "--threads")


def _choose(options: argparse.Namespace) -> None:
    from rollwise.model.weights import read_dice
    from rollwise.playing.choose import choose_dice

    inventory = read_dice(options.dice)
    parameters = given_parameters(options)
    with quietly(), progress_bar() as progress:
        found = choose_dice(
            options.game, inventory, options.take, parameters, read_objective(options), threads=options.threads, progress=progress
        )
    words = found.objective.words(found.game)
    if options.json:
        print_json({
            "game": options.game, "parameters": parameters, "objective": str(found.objective), "gap": found.gap,
            "hands": found.hands, "solved": found.solved,
            "ranked": [{"dice": list(dice), "value": value} for dice, value in found.ranked],
        })  # fmt: skip
        return
    table(["", "dice", words.value], [
        (str(place), _names(dice), words.exactly(value)) for place, (dice, value) in enumerate(found.ranked, 1)
    ])  # fmt: skip
    if found.gap > GAP:
        print(f"the best found of {found.hands:,} hands: none is worth more by over {words.amount(found.gap)}")
    else:
        solved = f"{found.solved:,} were solved by themselves, the others bounded"
        print(f"proved: none of the {found.hands:,} hands is worth more; {solved}")


GAP = 1e-6
"""A gap that is left by rounding only."""


def _names(dice: tuple[str, ...]) -> str:
    """Write the dice of a hand; equal ones once, with their number."""
    return ", ".join(name if dice.count(name) == 1 else f"{dice.count(name)} {name}" for name in dict.fromkeys(dice))
