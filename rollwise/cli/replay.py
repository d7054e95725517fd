"""`rollwise grade --replay`: the costly moves of a recorded game, asked again."""

import argparse
from typing import TYPE_CHECKING

from rollwise.cli.drawing import Stopped, say
from rollwise.cli.quiz import Answer, ask, show_cost, show_position
from rollwise.cli.streams import need_input
from rollwise.errors import GameError
from rollwise.model.formatting import counted, infinite

if TYPE_CHECKING:
    from rollwise.playing.grade import Grade, Step
    from rollwise.playing.mistakes import MistakeThresholds
    from rollwise.playing.record import Record

__all__ = ["check_replay", "mine", "replay", "say_mistakes"]


def check_replay(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if not options.replay:
        return
    if options.json:
        raise GameError("--replay asks questions and --json answers at once: give one of them")
    if options.file == "-":
        raise GameError("--replay reads your answers from standard input: give the record as a file")
    need_input("answers")


def mine(record: "Record") -> int | None:
    """Give the player whose record it is, where that is written down: 0 or 1; None where it is not, or in a game for one."""
    return record.players.index("me") if "me" in record.players else None


def say_mistakes(game: "Grade", scale: "MistakeThresholds", player: int = 0) -> None:
    """Count the mistakes by class, a player's and in a game for two the other's, and state what the classes are."""
    from rollwise.playing.mistakes import count_mistakes

    found = ", ".join(_plural(count, name) for name, count in count_mistakes(game, scale, player).items() if count)
    rival = ", ".join(_plural(count, name) for name, count in count_mistakes(game, scale, 1 - player).items() if count)
    more = f"; the other player: {rival or 'no mistakes'}" if game.two_players else ""
    say(f"{found or 'no mistakes'}{more}\n{scale.words()}")


def _plural(count: int, name: str) -> str:
    return counted(count, name, "inaccuracies" if name == "inaccuracy" else "")


def replay(game: "Grade", player: int | None = None) -> None:
    """Ask again at each costly move of a player (None: of all) in a game, until all are asked or the player leaves."""
    from rollwise.playing.mistakes import mistake_thresholds

    scale = mistake_thresholds(game.solution)
    costly = [step for step in game.steps if step.moved and player in (None, step.mover) and scale.classify(step.loss)]
    if not costly:
        say(f"no costly move: nothing to ask ({scale.words()})")
        return
    say(f"{counted(len(costly), 'costly move')}: {scale.words()}")
    say("Type what you would play now; skip, quit and help are understood.")
    asked: list[tuple[Step, Answer]] = []
    try:
        for number, step in enumerate(costly, 1):
            show_position(game.solution, step.state, f"{number} of {len(costly)}")
            asked.append((step, ask(game.solution, scale, step.state)))
            _remind(game, scale, step, asked[-1][1])
    except Stopped:
        say("stopped")
    _sum_up(asked, scale)


def _remind(game: "Grade", scale: "MistakeThresholds", step: "Step", answer: Answer) -> None:
    """Say what was played in the game."""
    played = game.game.show_action(step.action)
    same = not answer.skipped and answer.action == step.action
    say(f"in the game you played {'the same' if same else f'{played}, which lost {show_cost(scale, step.loss)}'}")


def _sum_up(asked: "list[tuple[Step, Answer]]", scale: "MistakeThresholds") -> None:
    given = [(step, answer) for step, answer in asked if not answer.skipped]
    if not given:
        return
    right = sum(not answer.loss for _, answer in given)
    now, then = sum(answer.loss for _, answer in given), sum(step.loss for step, _ in given)
    told = f"\n{right} of {counted(len(given), 'answer')} right"
    if not infinite(now) and not infinite(then):
        told += f"; your answers lose {show_cost(scale, now)}, the moves of the game lost {show_cost(scale, then)}"
    say(told)
