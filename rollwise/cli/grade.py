"""`rollwise grade`: what each move of a recorded game lost, and what each roll gave."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.quiz import check_replay, mine, replay, say_mistakes
from rollwise.cli.shared import (
    PLAYERS,
    add_command,
    add_options,
    add_place,
    print_json,
    quietly,
    show_loss,
    solve_game,
    table,
    words_of,
)
from rollwise.cli.strategies import add_policy, check_policy, read_policy
from rollwise.cli.streams import read_input
from rollwise.errors import GameError, RollwiseError, one_of
from rollwise.model.formatting import counted
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.model.objective import Words
    from rollwise.playing.grade import Grade, Step
    from rollwise.playing.mistakes import MistakeThresholds
    from rollwise.playing.record import Record
    from rollwise.playing.rivals import MoveComparison
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["add", "add_solving", "read_text", "show_luck", "solve_record", "sum_up"]


def add_solving(parser: Any) -> None:
    """Add how the games of records are solved."""
    add_options(parser, "--exact", "--json")
    add_place(parser, "--threads", "--max-states", "--cache", "--no-cache")


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "grade", _grade, "grade a recorded game: the luck of rolls, what each move cost",
        "rollwise play yazy --record game.txt\n  rollwise grade game.txt\n  rollwise grade game.txt --replay\n"
        "  rollwise grade duel.txt --player both\n  rollwise grade game.txt --policy mine.card",
    )  # fmt: skip
    parser.add_argument("file", metavar="FILE", help="a record that 'rollwise play --record' wrote; -: standard input")
    parser.add_argument("--replay", action="store_true", help="ask about each costly move again, then explain the best one")
    parser.add_argument(
        "--player",
        metavar="first|second|both",
        help="whose moves to grade in a game for two (default: yours if the record names 'me', else both)",
    )
    add_policy(parser, "also show which moves this strategy would change, and what it loses there; FILE: a strategy card")
    add_solving(parser)


def _grade(options: argparse.Namespace) -> None:
    from rollwise.playing.grade import grade
    from rollwise.playing.mistakes import mistake_thresholds
    from rollwise.playing.record import read_record
    from rollwise.playing.rivals import compare_moves

    check_replay(options)
    check_policy(options.policy)
    text = read_text(options.file)
    try:
        record = read_record(text)
        player = _player(record, options)
        solution = solve_record(record, options)
        _check_player(solution, options, record)
        policy = read_policy(options, solution)
        with quietly():
            game = grade(solution, record)
    except RollwiseError as error:
        raise GameError(f"{_name(options.file)}: {error}") from None
    if options.json:
        from rollwise.wire.to_json import describe_grade

        head = {"game": record.game, "parameters": dict(record.parameters), "objective": str(solution.objective)}
        with quietly():
            answer = describe_grade(game)
        names = {"players": list(record.players)} if record.players else {}
        told = {"policy": _describe_followed(options.policy, compare_moves(game, policy, player))} if policy is not None else {}
        print_json({**head, **names, **answer, **told})
    elif options.replay:
        replay(game, player)
    elif solution.two_players:
        _print_two(game, record, player, mistake_thresholds(solution))
    else:
        scale = mistake_thresholds(solution)
        rows = [_row(game, step, scale) for step in game.steps]
        table(["roll", "luck", view_of(game.game).action_word, "loses", "best", _last_column(game)], rows)
        sum_up(game)
        say_mistakes(game, scale)
    if policy is not None and not options.json:
        _print_followed(game, options.policy, compare_moves(game, policy, player))


def _describe_followed(name: str, found: "MoveComparison") -> dict[str, Any]:
    """Say in JSON types how far a game was played by a strategy."""
    return {"name": name, "decisions": found.decisions, "same": found.same, "loss": float(found.loss)}


def _print_followed(game: "Grade", name: str, found: "MoveComparison") -> None:
    """Print where a strategy plays otherwise than was played."""
    show, words = game.game.show_action, words_of(game.solution)
    if found.others:
        rows = [
            (game.game.show_state(one.state), show(one.played), show(one.action), one.why, show_loss(words, one.loss))
            for one in found.others
        ]
        table(["position", "played", name, "", f"{name} would lose"], rows)
    others = f"; its other moves would lose {words.amount(found.loss)}" if found.others else ""
    print(f"{name} agrees with {found.same} of {counted(found.decisions, 'move')}{others}")


def _player(record: "Record", options: argparse.Namespace) -> int | None:
    """Whose moves are judged; None: both players'."""
    if options.player is not None:
        one_of("--player", options.player, (*PLAYERS, "both"))
        return PLAYERS.index(options.player) if options.player in PLAYERS else None
    return mine(record)


def _check_player(solution: "Solution", options: argparse.Namespace, record: "Record") -> None:
    if solution.two_players:
        return
    if options.player is not None:
        raise GameError("--player says whose moves are graded in a two-player game, and this game is for one: leave it out")
    if record.players:
        raise GameError(
            f"'players: {', '.join(record.players)}' belongs to a game for two, and this game is for one: leave it out"
        )


def _print_two(game: "Grade", record: "Record", player: int | None, scale: "MistakeThresholds") -> None:
    """Print a game for two as it is for a player, default the first: his chance, and his moves or both players'."""
    side, names = player or 0, record.players or PLAYERS
    steps = [step for step in game.steps if not step.moved or player in (None, step.mover)]
    whose = "my " if names[side] == "me" else f"{PLAYERS[side]} player's "
    header = ["roll", "luck", "who", view_of(game.game).action_word, "loses", "best", f"{whose}{_last_column(game)}"]
    table(header, [_row_for_two(game, step, names, side, scale) for step in steps])
    sum_up(game, side)
    say_mistakes(game, scale, side)


def _row_for_two(game: "Grade", step: "Step", names: Sequence[str], side: int, scale: "MistakeThresholds") -> tuple[str, ...]:
    """A roll and the move on it, its luck and its value as they are for the player on a side."""
    from rollwise.playing.rivals import worth_to

    seen = replace(step, luck=-step.luck if side else step.luck, value=worth_to(side, game.solution, step.value))
    roll, luck, *rest = _row(game, seen, scale)
    return roll, luck, names[step.mover] if step.moved else "", *rest


def read_text(name: str) -> str:
    """Read a file of text, - for standard input. Raises `GameError`."""
    if name == "-":
        return read_input("a record of a game")
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise GameError(f"cannot read {name!r}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise GameError(f"{name} is not a text file in UTF-8: expected a record of a game") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def solve_record(record: "Record", options: argparse.Namespace) -> "Solution":
    """Solve the game that the record names."""
    from rollwise.playing.grade import rehearse

    options.game, options.parameters = record.game, [f"{name}={value}" for name, value in record.parameters.items()]
    options.at_least, options.objective = None, record.objective or None
    return solve_game(options, lambda lifted: rehearse(lifted, record))[0]


def _row(game: "Grade", step: "Step", scale: "MistakeThresholds") -> tuple[str, ...]:
    show = game.game.show_action
    words = words_of(game.solution)
    row, value = (game.game.show_state(step.state), show_luck(words, step.luck)), words.worth(step.value)
    if not step.moved:
        return (*row, "", "", "", value)
    loss, named = show_loss(words, step.loss), scale.classify(step.loss)
    return (*row, show(step.action), f"{loss}, {named}" if named else loss, "" if loss == "-" else show(step.best), value)


def _last_column(game: "Grade") -> str:
    """Name what a position is still worth: points or costs to come, or the chance of a win."""
    return "win probability" if game.solution.objective.wins else "still to come"


def show_luck(words: "Words", luck: "Number") -> str:
    """Write luck with its sign and unit."""
    return "-" if -5e-7 < luck < 5e-7 else words.amount(luck, "+")


def sum_up(game: "Grade", player: int = 0) -> None:
    """Print value, luck, mistakes and total of a game, which add up; in a game for two, as they are for a player."""
    from rollwise.playing.rivals import worth_to

    sign, side = -1 if game.solution.objective.better == "lower" else 1, -1 if player else 1
    own, other = (game.rival_mistakes, game.mistakes) if player else (game.mistakes, game.rival_mistakes)
    start, total = (worth_to(player, game.solution, value) for value in (game.start, game.total))
    words, result = words_of(game.solution), game.solution.objective.result(total, game.game)
    rows = [
        ("value at the start", words.worth(start)),
        ("luck", show_luck(words, side * sign * game.luck)),
        ("mistakes", show_luck(words, -sign * own)),
        *([("the other player's mistakes", show_luck(words, other))] if game.two_players else []),
        (result if game.over else "value now", words.worth(total)),
    ]
    table(["", ""], rows)
