"""`rollwise puzzles`: decisions in which the tempting move is a mistake."""

import argparse
from typing import TYPE_CHECKING, Any

from rollwise.cli.drawing import say
from rollwise.cli.quiz import Answer, ask_all, show_cost
from rollwise.cli.shared import add_command, add_game, name_objective, name_solved, print_json, progress_bar, quietly, solve_game
from rollwise.cli.streams import need_input
from rollwise.errors import GameError
from rollwise.model.formatting import counted

if TYPE_CHECKING:
    from rollwise.playing.mistakes import MistakeThresholds
    from rollwise.playing.puzzles import Puzzle
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

ORDER = "sorted by difficulty: how many moves look as good as the best one at first sight"


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "puzzles", _puzzles, "find the best move where the obvious one is a mistake",
        "rollwise puzzles yahtzee\n  rollwise puzzles yazy --at-least 180 --n 5 --seed 7\n"
        "  rollwise puzzles slots --n 20 --json\n  rollwise puzzles mygame.py",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument("--n", type=int, default=10, metavar="N", help="number of puzzles (default 10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same puzzles (default 0)")
    parser.add_argument("--json", action="store_true", help="print the puzzles with their answers as one JSON object")


def _puzzles(options: argparse.Namespace) -> None:
    from rollwise.playing.mistakes import mistake_thresholds
    from rollwise.playing.puzzles import MOST, puzzles
    from rollwise.playing.roll_source import check_seed

    check_seed(options.seed)
    if not 1 <= options.n <= MOST:
        raise GameError(f"--n {options.n}: expected at least 1, and at most {MOST:,}")
    if not options.json:
        need_input("answers (or give --json)")
    solution, parameters = solve_game(options)
    with quietly(), progress_bar() as progress:
        found = puzzles(solution, options.n, seed=options.seed, progress=progress)
        scale = mistake_thresholds(solution)
    if options.json:
        from rollwise.wire.lessons import describe_puzzles

        head = {**name_solved(options, parameters, solution), "seed": options.seed}
        with quietly():
            answer = describe_puzzles(solution, found)
        print_json({**head, "order": ORDER, **answer})
        return
    _play(options, solution, scale, found)


def _play(options: argparse.Namespace, solution: "Solution", scale: "MistakeThresholds", found: "list[Puzzle]") -> None:
    if not found:
        say(f"no puzzles: in the games that were played the tempting move is never a mistake ({scale.words()})")
        return
    objective = name_objective(solution.objective, solution.game)
    say(f"{counted(len(found), 'puzzle')} of {options.game}, {objective}, seed {options.seed}; {ORDER}")
    say("In each, the move that looks best at once is a mistake. Type the best one; skip, quit and help are understood.")
    states = [one.state for one in found]
    answers = ask_all(solution, scale, states, "puzzle {}", lambda i, answer: _tempted(solution, scale, found[i], answer))
    _sum_up([(one, answer) for one, answer in zip(found, answers, strict=False) if not answer.skipped], scale)


def _tempted(solution: "Solution", scale: "MistakeThresholds", one: "Puzzle", answer: Answer) -> None:
    tempting = solution.game.show_action(one.tempting)
    if not answer.skipped and answer.action == one.tempting:
        say("that was the tempting move")
    else:
        say(f"the tempting move, {tempting}, loses {show_cost(scale, one.loss)}")


def _sum_up(given: "list[tuple[Puzzle, Answer]]", scale: "MistakeThresholds") -> None:
    if not given:
        return
    right = sum(not answer.loss for _, answer in given)
    now, then = sum(answer.loss for _, answer in given), sum(one.loss for one, _ in given)
    say(f"\n{right} of {counted(len(given), 'answer')} right")
    say(f"your answers lose {show_cost(scale, now)}, the tempting moves {show_cost(scale, then)}")
