"""`rollwise advise`: the moves of a position, ranked."""

import argparse
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.cli.shared import (
    add_command,
    add_game,
    add_options,
    distrust,
    name_solved,
    print_json,
    progress_bar,
    quietly,
    read_given,
    show_loss,
    solve_game,
    table,
    whose_value,
    words_of,
)  # fmt: skip
from rollwise.model.formatting import figure, infinite, percent
from rollwise.model.message import Message, Text
from rollwise.model.reasons import Part
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.model.objective import Words
    from rollwise.playing.advise import Advice
    from rollwise.playing.explain import Reasons
    from rollwise.solvers.base.solution import Solution

__all__ = ["add"]

SHOWN = 8
"""Moves that are shown where it is not said how many."""
SHARES = (0.05, 0.5, 0.95)
ASKED: dict[str | None, Any] = {None: None, "quick": True, "exact": "exact"}
"""What --outlook asks for."""
OTHERS = 1
"""Other moves that the best is compared with where it is not said how many."""

_Rows = tuple[list[str], list[tuple[str, ...]]]
"""A table: its header, and its rows."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "advise",
        _advise,
        "rank the moves of a position: what each loses, and why",
        "rollwise advise slots --state 'all 0 6'\n  rollwise advise yazy --state '33561 2 all' --top 5\n"
        "  rollwise advise yazy --state '33561 2 all' --top 3 --why\n"
        "  rollwise advise yatzy --state '6,6,6,6,1 1 sixes,chance upper 57' --json\n"
        "  rollwise advise yahtzee --state '22233 2 all upper 0' --outlook\n"
        "  rollwise advise yazy --objective duel --state '66661 1 sixes,straight vs ones,straight lead -12'",
    )
    add_game(parser)
    parser.add_argument("--state", required=True, metavar="TEXT", help="the position, or its id (see 'rollwise help positions')")
    parser.add_argument("--top", type=int, metavar="N", help=f"show only the N best moves (default {SHOWN}; with --json all)")
    parser.add_argument(
        "--outlook",
        nargs="?",
        choices=tuple(filter(None, ASKED)),
        metavar="quick|exact",
        const="quick",
        help="show the spread of the points to come after each move: quick (default: from a table that is computed once, with a "
        "stated error) or exact; without this option, for the best moves if that is quick; not where values are chances",
    )
    parser.add_argument("--why", action="store_true", help="compare the best moves part by part: where their values come from")
    add_options(parser, "--json")


def _advise(options: argparse.Namespace) -> None:
    from rollwise.errors import GameError

    if options.top is not None and options.top < 1:
        raise GameError(f"--top {options.top}: expected at least 1")
    _answer(options, _rank(options))


class _Ranked(NamedTuple):
    """The moves of a position, without their outlooks."""

    solution: "Solution"
    parameters: dict[str, str]
    advice: "Advice"


def _rank(options: argparse.Namespace) -> _Ranked:
    """Rank the moves after comparing only what that needs of a cached solution. Raises `CacheError` if that is damaged."""
    from rollwise.model.ids import read_position
    from rollwise.playing.advise import advise

    check = lambda lifted: read_position(lifted, options.state)  # noqa: E731
    solution, parameters = solve_game(options, check, whole=False, position=options.state)
    with quietly():
        state = read_given(solution.game, options.state)
        top = options.top if options.json or options.top else SHOWN
        return _Ranked(solution, parameters, advise(solution, state, top=top, outlook=False))


def _answer(options: argparse.Namespace, found: _Ranked) -> None:
    """Print the moves, and then what comes after them, if requested or quick."""
    solution, parameters, advice = found
    if options.json:
        from rollwise.wire.to_json import describe_advice

        ahead = _ahead(options, found)
        with quietly():
            described = describe_advice(solution, ahead, parts=True)
        print_json({**name_solved(options, parameters, solution), **described})
    elif not advice.moves:
        over = f"{solution.game.show_state(advice.state)}: the game is over"
        print(f"{over}, {whose_value(solution)} {words_of(solution).worth(advice.value)}")
    else:
        tables = [_moves(solution, advice)]
        if options.why:
            tables += _compare_moves(solution, advice, options.top)
        for header, rows in tables:
            table(header, rows)
        every = len(solution.game.actions(advice.state))
        if options.top is None and every > SHOWN:
            print(f"... {every - SHOWN} more: --top {every}")
        _print_outlooks(solution, _ahead(options, found))


def _ahead(options: argparse.Namespace, found: _Ranked) -> "Advice":
    """Look ahead; a cached solution that turns out to be damaged when the moves are printed already is ranked again."""
    from rollwise.errors import RollwiseError

    try:
        return _look_ahead(options, found)
    except RollwiseError as error:
        if options.json or not options.relied:
            raise
        distrust(options, error)
    return _look_ahead(options, _rank(options))


def _look_ahead(options: argparse.Namespace, found: _Ranked) -> "Advice":
    from rollwise.playing.advise import look_ahead

    with quietly(), progress_bar() as progress:
        return look_ahead(found.solution, found.advice, outlook=ASKED[options.outlook], progress=progress)


def _moves(solution: "Solution", advice: "Advice") -> _Rows:
    from rollwise.playing.explain import explainer
    from rollwise.playing.rivals import worth_to

    game, why, words = solution.game, explainer(solution), words_of(solution)
    mover, show = game.mover(advice.state), words.exactly if solution.exact else words.worth
    with quietly():
        rows: list[tuple[str, ...]] = [
            (
                game.show_action(move.action),
                show(worth_to(mover, solution, move.value)),
                show_loss(words, move.loss),
                render(why(advice.state, move.action)),
            )
            for move in advice.moves
        ]
    return [view_of(game).action_word, whose_value(solution, mover), "loses", "why"], rows


def _print_outlooks(solution: "Solution", advice: "Advice") -> None:
    followed = [(move.action, move.outlook) for move in advice.moves if move.outlook]
    if not followed:
        _print_way(solution)
        return
    game = solution.game
    rows = [(game.show_action(action), *(str(after.quantile(share)) for share in SHARES)) for action, after in followed]
    table([view_of(game).action_word, f"{followed[0][1].what} to come: 5 % quantile", "median", "95 % quantile"], rows)
    error = max(after.error for _, after in followed)
    if error:
        print(f"quick outlook: chances +/- {_points(error)} percentage points; --outlook exact follows every move to the end")


def _points(error: float) -> str:
    """Write a bound in percentage points, rounded up."""
    return f"{ceil(error * 10_000 - 1e-9) / 100:g}"


def _print_way(solution: "Solution") -> None:
    """Say how to get an outlook that is computed only on demand."""
    from rollwise.solvers.base.abilities import LooksAhead, ability

    plan = None if solution.objective.wins else ability(solution, LooksAhead).quick_plan()
    if plan is not None and plan.seconds is not None:
        seconds, size = max(1, round(plan.seconds)), max(1, round(plan.disk_bytes / 1e6))
        print(
            f"--outlook shows the spread of the points to come (the first time: about {seconds:,} s for all positions, "
            f"{size:,} MB of cache)"
        )


# --why: where the values of moves come from, part by part, the best move against others


def _compare_moves(solution: "Solution", advice: "Advice", top: int | None) -> list[_Rows]:
    """Put the parts of the best move beside those of others, in tables."""
    from rollwise.playing.explain import Reasons

    known = Reasons(solution)
    best, *others = [move.action for move in advice.moves]
    with quietly():
        rival = known.rival(advice.state, best)
        compared = dict.fromkeys([*([] if rival is None else [rival]), *others[: OTHERS if top is None else None]])
        return [_compare(known, advice.state, best, other) for other in compared] or [_alone(known, advice.state, best)]


def _compare(known: "Reasons", state: Any, best: Any, other: Any) -> _Rows:
    """The parts of two moves side by side, and the differences, which add up to what the other loses."""
    show, words = known.solution.game.show_action, words_of(known.solution)
    mine, theirs = ({part[:2]: part for part in known.parts(state, action)} for action in (best, other))
    rows, total = [], Part("", "in all", 0)
    sums = [total._replace(value=sum(part.value for part in parts.values())) for parts in (mine, theirs)]
    pairs: list[tuple[Text, Part | None, Part | None]] = [(key[1], mine.get(key), theirs.get(key)) for key in {**mine, **theirs}]
    pairs.append(("in all", sums[0], sums[1]))
    for what, one, two in pairs:
        later = next((part.later for part in (one, two) if part and part.later is not None), None)
        more = _part_value((one or total).value - (two or total).value, words)
        open_worth = () if words.share else ("" if later is None else figure(later),)
        signed = more if more[:1] in "-" else f"+{more}"
        rows.append((render(what), *open_worth, *_cells(one, words), *_cells(two, words), signed))
    left, header = [] if words.share else ["if left open"], _part_header(words)
    return ["part", *left, show(best), header, show(other), header, "difference"], rows


def _alone(known: "Reasons", state: Any, action: Any) -> _Rows:
    """The parts of the only move."""
    parts, words = known.parts(state, action), words_of(known.solution)
    rows: list[tuple[str, ...]] = [(render(part.what), *_cells(part, words)) for part in parts]
    rows.append(("in all", "", _part_value(sum(part.value for part in parts), words)))
    return ["part", known.solution.game.show_action(action), _part_header(words)], rows


def _part_header(words: "Words") -> str:
    return f"value ({'%' if words.share else words.unit})"


def _cells(part: "Part | None", words: "Words") -> tuple[str, str]:
    """The chance of a part, what follows, and its value; of a box also the chance to score it, where that is lower."""
    if part is None:
        return "", ""
    told = [percent(float(part.chance))] if part.chance else []
    if part.kind == "box" and part.scored is not None and part.chance and part.scored < part.chance:
        told = [f"{percent(float(part.scored))} to score it", f"{told[0]} to fill it"]
    if part.points is not None and part.kind == "box":
        told.append(render(Message("n.point", {"n": round(float(part.points), 2)})))
    if part.after is not None:
        told.append(f"then {words.worth(part.after)}")
    return ", ".join(told), _part_value(part.value, words)


def _part_value(value: Any, words: "Words") -> str:
    return "impossible" if infinite(value) else figure(100 * value if words.share else value) if value else "-"
