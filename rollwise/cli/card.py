"""`rollwise card`: as much of the best strategy as fits on a card, with its exact loss; or what a card of one's own is worth."""

import argparse
import json
import re
from math import isfinite, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    add_command,
    add_game,
    check_folder,
    make_game,
    name_objective,
    progress_bar,
    quietly,
    show_loss,
    solve_game,
    table,
    words_of,
)
from rollwise.cli.strategies import card_file, card_text, read_card_file
from rollwise.errors import GameError
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import counted

if TYPE_CHECKING:
    from rollwise.cards.evaluate import CardEvaluation
    from rollwise.cards.search import Found
    from rollwise.model.card import Card
    from rollwise.model.game import Game
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

SIZE, SECONDS, SEED = 10, 60.0, 0
LARGEST = 10_000
MANY_ALIKE = 8
"""Words that differ in a number only, and are then listed as one."""
TINY = 1e-12
TEXTS, PAGES = (".card", ".txt"), (".html", ".md", ".svg")
"""How the names of files end that hold a card as text, or as a page to print."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "card", _card, "find a strategy that fits on a card, or evaluate a card",
        "rollwise card pig --size 5\n  rollwise card slots --size 10 -o slots.html\n  rollwise card pig --words\n"
        "  rollwise card pig --evaluate mine.card\n  rollwise play pig --opponent mine.card",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "--size", type=int, metavar="K", help=f"at most K lines, or K whole numbers in a formula (default {SIZE})"
    )
    parser.add_argument("--evaluate", metavar="FILE", help="show the exact value of the card in this file, and where it loses")
    parser.add_argument("--words", action="store_true", help="list the words that cards for this game are made of")
    parser.add_argument("--seconds", type=float, metavar="S", help=f"stop the search after about S seconds (default {SECONDS:g})")
    parser.add_argument("--seed", type=int, metavar="S", help=f"the same seed gives the same card (default {SEED})")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the card to a file: .html, .svg or .md to print, .card as text"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _card(options: argparse.Namespace) -> None:
    _check(options)
    if options.words:
        _words(options)
    elif options.evaluate is not None:
        _evaluate(options)
    else:
        _find(options)


def _check(options: argparse.Namespace) -> None:
    if options.words and options.evaluate is not None:
        raise GameError("--words does not go with --evaluate: give one of them")
    search = {"--size": options.size, "--seconds": options.seconds, "--seed": options.seed}
    search |= {"--output": options.output} if options.words else {}
    other = "--words" if options.words else "--evaluate" if options.evaluate is not None else ""
    given = next((name for name, value in search.items() if value is not None), None)
    if other and given:
        raise GameError(f"{given} belongs to looking for a card: leave it out with {other}")
    if options.size is not None and not 1 <= options.size <= LARGEST:
        raise GameError(f"--size {options.size}: expected 1 to {LARGEST:,} lines")
    if options.seconds is not None and not 0 < options.seconds < float("inf"):
        raise GameError(f"--seconds {options.seconds:g}: expected more than 0")
    if options.seed is not None and options.seed < 0:
        raise GameError(f"--seed {options.seed}: expected 0 or more")
    if options.output is not None:
        _check_output(Path(options.output))


def _check_output(path: Path) -> None:
    if path.suffix.lower() not in (*TEXTS, *PAGES):
        raise GameError(f"cannot write {str(path)!r}: a card is written to a file that ends in {', '.join((*PAGES, *TEXTS))}")
    check_folder(path)


# The words of a game


def _words(options: argparse.Namespace) -> None:
    from rollwise.cli.shared import aim
    from rollwise.model.lift import lifted_game

    game, parameters = make_game(options)
    with quietly():
        features, verbs = (lifted_game(game, aim(options, game)) or game).vocabulary()
    if options.json:
        seen = [{"name": one.name, "low": int(one.low), "high": int(one.high), "says": one.says} for one in features]
        done = [{"name": verb.name, "says": verb.says, "numbers": list(verb.numbers)} for verb in verbs]
        print(json.dumps({"game": options.game, "parameters": parameters, "features": seen, "verbs": done}))
        return
    rows = [(one.name, "yes or no" if one.is_flag else f"{one.low} to {one.high}", one.says) for one in features]
    table(["what is seen", "", ""], rows)
    table(["what is done", ""], _in_short([(verb.name, verb.says) for verb in verbs]))
    named = list(dict.fromkeys(name for verb in verbs for name in verb.numbers))
    if named:
        table(["numbers that a card may give", ""], [(f"{name} = N", "") for name in named])


def _in_short(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Write many rows that differ in a number only as one, with N in its place."""
    shapes = [tuple(re.sub(r"\d+", "N", text) for text in row) for row in rows]
    many = {shape for shape in shapes if shapes.count(shape) > MANY_ALIKE}
    short = [shape if shape in many else row for row, shape in zip(rows, shapes, strict=True)]
    return [(name, says) for name, says in dict.fromkeys(short)]


# A card of one's own


def _evaluate(options: argparse.Namespace) -> None:
    from rollwise.cards.evaluate import evaluate_card

    card_text(options.evaluate)
    solution, parameters = solve_game(options, lambda lifted: read_card_file(options.evaluate, lifted))
    card = card_file(options, options.evaluate, solution)
    with quietly(), progress_bar() as progress:
        found = evaluate_card(unlifted(solution.game), card, solution.objective, solution=solution, progress=progress)
    if options.output is not None:
        _write(Path(options.output), options, solution, found)
    if options.json:
        print(json.dumps({**_head(options, parameters, solution, found), **_described(solution.game, found)}))
        return
    table(["", options.game], _summary(solution, found))
    _print_lines(solution, found)
    _print_positions(solution, found)
    for remark in _remarks(found):
        print(remark)
    _say_written(options)


def _head(options: argparse.Namespace, parameters: dict[str, str], solution: "Solution", found: Any) -> dict[str, Any]:
    """What is said of every card, found or evaluated."""
    card: Card = found.card
    return {
        "game": options.game, "parameters": parameters, "objective": str(solution.objective), "size": card.size,
        "value": _finite(found.value), "optimum": _finite(found.optimum), "loss": _finite(found.loss),
        "lines": [*(f"{name} = {number}" for name, number in card.numbers), *map(str, card.lines)], "features": card.features,
        "proved": bool(getattr(found, "proved", False)), "kind": card.kind,
    }  # fmt: skip


def _described(game: "Game[Any, Any, Any]", found: "CardEvaluation") -> dict[str, Any]:
    """Where a card loses, in JSON types."""
    lines = [{"line": one.number, "times": _finite(one.times), "loss": _finite(one.loss)} for one in found.by_line]
    positions = [
        {
            "state": game.show_state(one.state), "line": one.line + 1, "action": game.show_action(one.action),
            "best": game.show_action(one.best), "times": _finite(one.times), "loss": _finite(one.loss), "cost": _finite(one.cost),
        }
        for one in found.costliest
    ]  # fmt: skip
    share, unfit = (None, found.unfit) if isinf(found.loss) else (found.unfit_share, found.unfit)
    none = {"share": share, "times": _finite(unfit.times), "loss": _finite(unfit.loss)}
    return {
        "by_line": lines, "no_line": none, "never_reached": [line.number for line in found.never_reached],
        "positions": positions, "remarks": [*found.remarks, *_endless(found)],
    }  # fmt: skip


def _finite(number: float) -> float | None:
    """JSON has no infinite numbers: a card that may never end the game has no value, and no times."""
    return number if isfinite(number) else None


def _endless(found: Any) -> list[str]:
    return ["the card may never end the game: give a line for where it goes round"] if isinf(found.loss) else []


def _summary(solution: "Solution", found: Any) -> list[tuple[str, ...]]:
    words = words_of(solution)
    whose = " against the best player, first and second" if solution.two_players else ""
    return [
        ("objective", name_objective(solution.objective, solution.game)),
        ("size", _size(found.card)),
        (f"{words.value}{whose}", words.exactly(found.value) if isfinite(found.value) else "never ends"),
        ("optimum", words.exactly(found.optimum)),
        ("loses", _cost(solution, found.loss)),
    ]


def _size(card: "Card") -> str:
    return counted(card.size, "whole number" if card.kind == "formula" else "line")


def _cost(solution: "Solution", loss: float) -> str:
    """Write a loss, with enough digits for a small one."""
    if not isfinite(loss):
        return "never ends"
    return show_loss(words_of(solution), loss)


def _print_lines(solution: "Solution", found: "CardEvaluation") -> None:
    rows = [(str(one.number), one.text, f"{one.times:.4f}", _cost(solution, one.loss)) for one in found.by_line]
    if found.unfit.times:
        rows.append(("", found.unfit.text, f"{found.unfit.times:.4f}", _cost(solution, found.unfit.loss)))
    table(["line", "", "times a game", "loses"], rows)


def _print_positions(solution: "Solution", found: "CardEvaluation") -> None:
    if not found.costliest:
        print("no position costs anything: the card plays perfectly")
        return
    game = solution.game
    rows = [
        (
            game.show_state(one.state), str(one.line + 1) if one.line >= 0 else "none", game.show_action(one.action),
            game.show_action(one.best), f"{one.times:.5f}", _cost(solution, one.loss), _cost(solution, one.cost),
        )
        for one in found.costliest
    ]  # fmt: skip
    table(["costliest positions", "line", "plays", "best", "times a game", "loses", "loses a game"], rows)


def _remarks(found: "CardEvaluation") -> list[str]:
    """Say what is odd about a card, and which positions and lines do not meet."""
    said = [*found.remarks, *_endless(found)]
    never = [one for one in found.never_reached if not any(text.startswith(f"line {one.number} never") for text in said)]
    if found.unfit.times and not isinf(found.loss):
        share = f"{100 * found.unfit_share:.3g} %"
        said.append(f"no line fits in {share} of the decisions: the first move that the rules list is made there")
    said += [f"line {one.number} is never reached: {one.text}" for one in never]
    return said


# A card that is looked for


def _find(options: argparse.Namespace) -> None:
    from rollwise.cards.search import find_card

    solution, parameters = solve_game(options)
    size = SIZE if options.size is None else options.size
    seconds, seed = options.seconds or SECONDS, SEED if options.seed is None else options.seed
    with quietly(), progress_bar() as progress:
        found = find_card(
            unlifted(solution.game),
            solution.objective,
            size=size,
            seconds=seconds,
            seed=seed,
            progress=progress,
            solution=solution,
            known=_known(options, parameters, solution),
        )
    if options.output is not None:
        _write(Path(options.output), options, solution, found)
    if options.json:
        curve = [{"size": point[0], "value": point[1], "loss": point[2]} for point in found.curve]
        print(json.dumps({**_head(options, parameters, solution, found), "curve": curve, "stopped": found.stopped}))
        return
    table(["", options.game], [*_summary(solution, found), *_proof(found)])
    print(found.card)
    _print_curve(solution, found)
    if found.stopped:
        print("the search was stopped: this is the best so far, and more --seconds may find a better one")
    _say_written(options)


def _say_written(options: argparse.Namespace) -> None:
    if options.output is not None:
        print(f"card written to {options.output}")


def _known(options: argparse.Namespace, parameters: dict[str, str], solution: "Solution") -> "list[Card]":
    """Give the cards that are known for a game of the catalogue with its usual rules and its own objective."""
    from rollwise.cards.library import known_cards

    usual = not parameters and solution.objective == unlifted(solution.game).objective
    return known_cards(options.game, solution.game) if usual else []


def _proof(found: "Found") -> list[tuple[str, ...]]:
    """Say where no better card of its kind and size is to be had."""
    if not found.proved:
        return []
    return [("proved", f"no better one among: {found.family}" if found.loss > TINY else "no card is better: it loses nothing")]


def _print_curve(solution: "Solution", found: "Found") -> None:
    words = words_of(solution)
    rows = [(str(size), words.worth(value), _cost(solution, loss)) for size, value, loss in (point[:3] for point in found.curve)]
    table(["size", words.value, "loses"], rows)


def _write(path: Path, options: argparse.Namespace, solution: "Solution", found: "Found | CardEvaluation") -> None:
    from dataclasses import replace

    from rollwise.solvers.base.writing import write_whole

    if path.suffix.lower() in PAGES:
        from rollwise.reports.card_print import print_card, write_card

        with quietly(), progress_bar() as progress:
            write_card(print_card(solution, found.card, found.value, found.optimum, progress=progress), path)
        return
    card = replace(found.card, game=Path(options.game).stem, aim=str(solution.objective))
    words = words_of(solution)
    about = f"# {words.value} {words.worth(found.value)} of {words.worth(found.optimum)}: loses {words.amount(found.loss)}\n"
    write_whole(path, f"{about}{card}")
