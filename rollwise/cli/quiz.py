"""Questions about positions: show one, take a move as `play` does, and say what it is worth and why."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rollwise.cli.drawing import Stopped, list_moves, read_line, say, show_dice
from rollwise.errors import PositionError
from rollwise.model.ids import position_id
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.playing.mistakes import MistakeThresholds
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["HELP", "Answer", "ask", "show_cost", "show_position"]

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
        say(f"the best move is {_best(solution, state)}")
        return Answer(None, 0, skipped=True)
    loss = next(move.loss for move in ranked if move.action == action[0])
    found = Answer(action[0], 0 if loss < 1e-9 else loss)
    _comment(solution, scale, state, found)
    return found


def _asked(game: Any, state: Any) -> tuple[Any] | None:
    """The move that is given, in a tuple; None for a question that is skipped."""
    from rollwise.cli.play import read_move

    names = [game.show_action(action) for action in game.actions(state)]
    while True:
        text = read_line("> ").strip()
        word = "" if text in names else COMMANDS.get(text.lower(), text.lower())
        if word == "quit":
            raise Stopped
        if word == "skip":
            return None
        if word == "help":
            say(HELP)
        elif text:
            try:
                return (read_move(game, state, text),)
            except PositionError as error:
                say(" ".join(str(error).split()).replace("(? for advice, help for help)", "(skip for the answer, help for help)"))


def _comment(solution: "Solution", scale: "MistakeThresholds", state: Any, found: Answer) -> None:
    """Say whether an answer is right, what it loses, and why the best move is better."""
    from rollwise.playing.explain import explain

    given, why = solution.game.show_action(found.action), explain(solution, state, found.action)
    if not found.loss:
        say(f"right, {given} is best: {why}", "green")
        return
    named = scale.classify(found.loss)
    say(f"{given} loses {show_cost(scale, found.loss)}, {_article(named) if named else 'next to nothing'}: {why}", "yellow")
    say(f"the best move is {_best(solution, state)}")


def _best(solution: "Solution", state: Any) -> str:
    from rollwise.playing.explain import explain

    best = solution.ranked(state)[0].action
    return f"{solution.game.show_action(best)}: {explain(solution, state, best)}"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def show_cost(scale: "MistakeThresholds", loss: "Number") -> str:
    """Write a loss in the game's own terms."""
    from rollwise.model.formatting import digits, infinite

    if infinite(loss):
        return "the game: it need never end"
    return f"{digits(100 * loss if scale.share else loss, 3)} {scale.unit}"


def show_position(solution: "Solution", state: Any, title: str) -> None:
    """Show a position with its dice and what may be done."""
    game = solution.game
    say(f"\n{title}: {game.show_state(state)}  (id {position_id(game, state)})", "bold")
    show_dice(game, state)
    described, choices = render(view_of(game).describe(state)), render(view_of(game).choices(state))
    moves = f"moves: {list_moves([game.show_action(action) for action in game.actions(state)])}"
    say(f"{described}\n{choices or moves}")
    say(f"{render(view_of(game).decision(state))}?")
