"""`rollwise advise --why`: where the values of moves come from, part by part, the best move against others."""

from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import quietly
from rollwise.model.formatting import counted, digits, infinite, percent
from rollwise.model.reasons import Part
from rollwise.playing.explain import Reasons
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.model.objective import Words
    from rollwise.playing.advise import Advice
    from rollwise.solvers.base.solution import Solution

__all__ = ["compare_moves"]

Rows = tuple[list[str], list[tuple[str, ...]]]

OTHERS = 1
"""Other moves that the best is compared with where it is not said how many."""


def compare_moves(solution: "Solution", advice: "Advice", top: int | None) -> list[Rows]:
    """Put the parts of the best move beside those of others, in tables."""
    known = Reasons(solution)
    best, *others = [move.action for move in advice.moves]
    with quietly():
        rival = known.rival(advice.state, best)
        compared = dict.fromkeys([*([] if rival is None else [rival]), *others[: OTHERS if top is None else None]])
        return [_compare(known, advice.state, best, other) for other in compared] or [_alone(known, advice.state, best)]


def _compare(known: Reasons, state: Any, best: Any, other: Any) -> Rows:
    """The parts of two moves side by side, and the differences."""
    show, words = known.solution.game.show_action, known.solution.objective.words(known.solution.game)
    mine, theirs = ({part[:2]: part for part in known.parts(state, action)} for action in (best, other))
    rows = []
    for key in dict.fromkeys([*mine, *theirs]):
        one, two = mine.get(key), theirs.get(key)
        later = next((part.later for part in (one, two) if part and part.later is not None), None)
        more = (one.value if one else 0) - (two.value if two else 0)
        open_worth = () if known.solution.objective.wins else ("" if later is None else digits(later, 6),)
        rows.append((render(key[1]), *open_worth, *_cells(one, words), *_cells(two, words), _show(more)))
    columns = [[part.value for part in parts.values()] for parts in (mine, theirs)]
    totals = [sum(column) for column in columns]
    left = [] if known.solution.objective.wins else ["left open"]
    rows.append(("in all", *([""] * len(left)), "", _show(totals[0]), "", _show(totals[1]), _show(totals[0] - totals[1])))
    return ["part", *left, show(best), "value", show(other), "value", "difference"], rows


def _alone(known: Reasons, state: Any, action: Any) -> Rows:
    """The parts of the only move."""
    parts, words = known.parts(state, action), known.solution.objective.words(known.solution.game)
    rows: list[tuple[str, ...]] = [(render(part.what), *_cells(part, words)) for part in parts]
    rows.append(("in all", "", _show(sum(part.value for part in parts))))
    return ["part", known.solution.game.show_action(action), "value"], rows


def _cells(part: Part | None, words: "Words") -> tuple[str, str]:
    """How likely a part is and what comes then, and its value."""
    if part is None:
        return "", ""
    told = [] if part.chance is None else [percent(float(part.chance))]
    if part.points is not None and part.kind == "box":
        told.append(_points(part.points))
    if part.after is not None:
        told.append(f"then {words.brief(part.after)}")
    return ", ".join(told), _show(part.value)


def _points(points: Any) -> str:
    near = round(float(points), 9)
    return counted(int(near), "point") if near == int(near) else f"{near:.2f} points"


def _show(value: Any) -> str:
    return "impossible" if infinite(value) else digits(value, 6) if value else "-"
