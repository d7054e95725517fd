"""Questions about positions: show one, take a move as `play` does, and say what it is worth and why.

`rollwise puzzles` asks about positions that it finds, `rollwise grade --replay` about the costly moves of a recorded game.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.cli.drawing import Stopped, list_moves, read_line, say, show_dice
from rollwise.cli.streams import need_input
from rollwise.errors import GameError, PositionError
from rollwise.model.formatting import counted, infinite
from rollwise.model.ids import position_id
from rollwise.model.moves import read_move
from rollwise.model.objective import Words
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.playing.grade import Grade, Step
    from rollwise.playing.mistakes import MistakeThresholds
    from rollwise.playing.record import Record
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["Answer", "ask_all", "check_replay", "mine", "replay", "say_mistakes", "show_cost"]

HELP = """Type the move that you think is best, or
  skip    show the answer and go on
  quit    stop here"""
COMMANDS = {"s": "skip", "q": "quit", "exit": "quit", "?": "help", "h": "help"}


@dataclass(frozen=True)
class Answer:
    """A move that was given as an answer, and what it loses; no move if the question was skipped."""

    action: Any
    loss: "Number"
    skipped: bool = False


def ask(solution: "Solution", scale: "MistakeThresholds", state: Any) -> Answer:
    """Ask for the best move of a state, and say how good the answer was. Raises `Stopped` when the player leaves."""
    action = _asked(solution.game, state)
    ranked = solution.ranked(state)
    if action is None:
        say(f"best: {_best(solution, state)}")
        return Answer(None, 0, skipped=True)
    loss = next(move.loss for move in ranked if move.action == action[0])
    found = Answer(action[0], 0 if loss < 1e-9 else loss)
    _comment(solution, scale, state, found)
    return found


def ask_all(
    solution: "Solution", scale: "MistakeThresholds", states: Sequence[Any], title: str, remark: "Callable[[int, Answer], None]"
) -> list[Answer]:
    """Ask about states one after another, until all are asked or the player leaves; `remark` says more after each answer."""
    answers: list[Answer] = []
    try:
        for number, state in enumerate(states, 1):
            show_position(solution, state, title.format(number))
            answers.append(ask(solution, scale, state))
            remark(number - 1, answers[-1])
    except Stopped:
        say("stopped")
    return answers


def _asked(game: Any, state: Any) -> tuple[Any] | None:
    """The move that is given, in a tuple; None for a question that is skipped."""
    while True:
        text = read_line("> ").strip()
        try:
            return (read_move(game, state, text),)
        except PositionError as error:
            word = COMMANDS.get(text.lower(), text.lower())
            if word == "quit":
                raise Stopped from None
            if word == "skip":
                return None
            if word == "help":
                say(HELP)
            elif text:
                say(f"{' '.join(str(error).split())} (skip for the answer, help for help)")


def _comment(solution: "Solution", scale: "MistakeThresholds", state: Any, found: Answer) -> None:
    """Say whether an answer is right, what it loses, and why the best move is better."""
    from rollwise.playing.explain import explain

    why = explain(solution, state, found.action)
    if not found.loss:
        say(f"right: {why}", "green")
        return
    named = scale.classify(found.loss)
    say(f"loses {show_cost(scale, found.loss)}, {_article(named) if named else 'next to nothing'}: {why}", "yellow")
    say(f"best: {_best(solution, state)}")


def _best(solution: "Solution", state: Any) -> str:
    from rollwise.playing.explain import explain

    return explain(solution, state, solution.ranked(state)[0].action)


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def show_cost(scale: "MistakeThresholds", loss: "Number") -> str:
    """Write a loss in the game's own terms."""
    if infinite(loss):
        return "the game: it need never end"
    return Words("", "", scale.unit, scale.share).amount(loss)


def show_position(solution: "Solution", state: Any, title: str) -> None:
    """Show a position with its dice and what may be done."""
    game = solution.game
    say(f"\n{title}: {game.show_state(state)}  (id {position_id(game, state)})", "bold")
    show_dice(game, state)
    described, choices = render(view_of(game).describe(state)), render(view_of(game).choices(state))
    moves = f"moves: {list_moves([game.show_action(action) for action in game.actions(state)])}"
    say(f"{described}\n{choices or moves}")
    say(f"{render(view_of(game).decision(state))}?")


# The costly moves of a recorded game, asked again


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
    states, title = [step.state for step in costly], f"{{}} of {len(costly)}"
    answers = ask_all(game.solution, scale, states, title, lambda i, answer: _remind(game, scale, costly[i], answer))
    _sum_up([(step, answer) for step, answer in zip(costly, answers, strict=False) if not answer.skipped], scale)


def _remind(game: "Grade", scale: "MistakeThresholds", step: "Step", answer: Answer) -> None:
    """Say what was played in the game."""
    played = game.game.show_action(step.action)
    same = not answer.skipped and answer.action == step.action
    say(f"in the game you played {'the same' if same else f'{played}, which lost {show_cost(scale, step.loss)}'}")


def _sum_up(given: "list[tuple[Step, Answer]]", scale: "MistakeThresholds") -> None:
    if not given:
        return
    right = sum(not answer.loss for _, answer in given)
    now, then = sum(answer.loss for _, answer in given), sum(step.loss for step, _ in given)
    told = f"\n{right} of {counted(len(given), 'answer')} right"
    if not infinite(now) and not infinite(then):
        told += f"; your answers lose {show_cost(scale, now)}, the moves of the game lost {show_cost(scale, then)}"
    say(told)
