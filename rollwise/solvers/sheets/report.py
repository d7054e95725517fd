"""The pages on score sheets: what each box is worth, the bonus, and the hardest decisions of the first turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Progress
from rollwise.model.policy import Greedy
from rollwise.model.roll import dice
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Prose
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.pictures import bar_list, target_curve

if TYPE_CHECKING:
    from rollwise.solvers.base.solution import Solution
    from rollwise.solvers.sheets.expected import SheetSolution
    from rollwise.solvers.sheets.targets import PointsSolution

__all__ = ["box_rows", "box_worths", "first_turn", "sheet_sections", "target_sections"]

SHOWN = 8
BONUS = "upper bonus"

Worth = Callable[[Sheet], float]
"""Gives the value of another sheet."""


def sheet_sections(
    solution: "SheetSolution", worth: Worth, found: Distribution | None, progress: Progress | None = None
) -> list[Block]:
    """All sections that only score sheets have; `worth` solves a sheet with a box less."""
    return [
        *_boxes(box_worths(solution, worth, progress), found),
        *_bonus(solution.game, found),
        *first_turn(solution, progress),
    ]


def target_sections(solution: "PointsSolution") -> list[Block]:
    """The best chance for every target, where the sheet was solved for one."""
    if solution.objective.mark is None:
        return []
    return [
        Heading("Every target"),
        Prose("A higher target needs other decisions; each point of the line is the best chance for its own target."),
        Figure(target_curve(list(solution.curve())), "The best chance of at least so many points, by target."),
    ]


def box_worths(solution: "SheetSolution", value_of: Worth, progress: Progress | None = None) -> dict[str, float]:
    """What the sheet loses without each of its boxes, and without its bonus."""
    sheet: Sheet = solution.game
    if len(sheet.boxes) < 2:
        return {}
    value = float(solution.value())
    parts: dict[str, Callable[[], Sheet]] = {
        box.name: lambda box=box: _without(sheet, box.name) for box in sheet.boxes  # type: ignore[misc]
    }  # fmt: skip
    if sheet.bonus:
        parts[BONUS] = lambda: _copy(sheet, sheet.boxes, bonus=False)
    worth = {}
    for done, (name, make) in enumerate(parts.items()):
        if progress:
            progress("boxes left out", done, len(parts))
        worth[name] = value - value_of(make())
    return worth


def _without(sheet: Sheet, name: str) -> Sheet:
    return _copy(sheet, [box for box in sheet.boxes if box.name != name])


def _copy(sheet: Sheet, boxes: Any, *, bonus: bool = True) -> Sheet:
    win = sheet.win if sheet.win and sheet.win.box in {box.name for box in boxes} else None
    return Sheet(
        boxes, count=sheet.count, faces=sheet.faces, rerolls=sheet.rerolls, bonus=sheet.bonus if bonus else None,
        joker=sheet.joker, in_order=sheet.in_order, win=win, weights=sheet.weights,
    )  # fmt: skip


def box_rows(found: Distribution) -> list[tuple[str, float, float]]:
    """By box: its name, its expected points, and the chance that it gets any."""
    return [
        (name, sum(n * chance for n, chance in points.items()), sum(chance for n, chance in points.items() if n))
        for name, points in found.box_points.items()
    ]


def _boxes(worth: dict[str, float], found: Distribution | None) -> list[Block]:
    points = {name: (mean, chance) for name, mean, chance in box_rows(found)} if found else {}
    if not worth:
        return []
    order = sorted(worth, key=lambda name: -worth[name])
    picture = bar_list(
        "What each box is worth",
        f"Most: {order[0]} with {worth[order[0]]:.2f} points; least: {order[-1]} with {worth[order[-1]]:.2f}.",
        [(name, worth[name]) for name in order], "expected points lost without the box", show=lambda v: f"{v:.2f}",
    )  # fmt: skip
    rows = [(name, f"{worth[name]:.3f}", *_points(points.get(name))) for name in order]
    return [
        Heading("What each box is worth"),
        Prose(
            "The loss if a box were struck from the sheet: the value of the whole sheet less that of the sheet without it, "
            "each played best. It is not what "
            "the box scores on average: a box is also a place for a roll that went wrong, a turn more, and a part of the way "
            "to the bonus."
        ),
        Figure(picture, "Expected points lost if the box were not there."),
        Grid(["box", "worth", "points in it, on average", "chance of points"], rows),
    ]


def _points(found: tuple[float, float] | None) -> tuple[str, str]:
    return (f"{found[0]:.3f}", f"{100 * found[1]:.2f} %") if found else ("", "")


def _bonus(sheet: Sheet, found: Distribution | None) -> list[Block]:
    if sheet.bonus is None or found is None or found.bonus is None:
        return []
    (threshold, points), *later = sheet.bonus.steps
    more = "".join(f", {further}, and so {earned}, with {100 * found.bonus_steps[further]:.2f} %" for further, earned in later)
    mean = sum(jump * chance for jump, chance in zip(sheet.bonus.jumps, found.bonus_steps.values(), strict=True))
    return [
        Heading("The bonus"),
        Prose(
            f"Best play reaches {threshold} points in the upper boxes, and so the bonus of {points}, "
            "with a chance of "
            f"{100 * found.bonus:.2f} %{more}: {mean:.2f} points on average. Striking the bonus from the "
            "rules costs another amount "
            "(see the table above), because best play would then aim elsewhere."
        ),
    ]


class _Call(NamedTuple):
    """A decision of the first turn: how likely, best and second best move, and the greedy one with its loss."""

    state: Turn
    chance: float
    best: str
    second: str
    gap: float
    greedy: str
    slip: float


def first_turn(solution: "Solution", progress: Progress | None) -> list[Block]:
    """Closest calls and worst temptations of the first turn, after the first roll and after the last."""
    sheet: Sheet = solution.game
    blocks: list[Block] = []
    stages = [(0, "when a box must be chosen")]
    if sheet.rerolls:
        stages.insert(
            0, (sheet.rerolls, f"after the first roll, with {sheet.rerolls} reroll{'s' if sheet.rerolls > 1 else ''} left")
        )
    for left, when in stages:
        calls = _calls(solution, left, progress)
        close = sorted((call for call in calls if call.gap > 1e-9), key=lambda call: call.gap)
        close = _kinds(close, lambda call: (call.best, call.second, round(call.gap, 6)))[:SHOWN]
        slips = sorted((call for call in calls if call.slip > 1e-9), key=lambda call: -call.slip)
        if close:
            blocks += [Prose(f"Closest calls {when}: the two best moves are nearly equal."), _close(close)]
        if slips:
            share = sum(call.chance for call in slips)
            text = (
                f"Temptations {when}: making the most of this turn alone is wrong for {100 * share:.1f} % of the rolls. The "
                "costliest:"
            )
            blocks += [Prose(text), _slips(_kinds(slips, lambda call: (call.best, call.greedy, round(call.slip, 6)))[:SHOWN])]
    if not blocks:
        return []
    about = (
        "All boxes are open here. A move is a box to fill, or the dice to keep while the others are rolled again; losses in "
        "points. "
        "Chances are those of one roll of all dice, also for the last decision, whatever rerolls may have led there."
    )
    return [Heading("The hardest decisions of the first turn"), Prose(about), *blocks]


def _close(calls: list[_Call]) -> Grid:
    rows = [(_dice(call.state), call.best, call.second, f"{call.gap:.4f}", f"{100 * call.chance:.2f} %") for call in calls]
    return Grid(["dice, for example", "best", "second best", "loss", "chance of such a roll"], rows)


def _slips(calls: list[_Call]) -> Grid:
    rows = [(_dice(call.state), call.best, call.greedy, f"{call.slip:.3f}", f"{100 * call.chance:.2f} %") for call in calls]
    return Grid(["dice, for example", "best", "tempting", "loss", "chance of such a roll"], rows)


def _kinds(calls: list[_Call], key: Callable[[_Call], tuple[str, str, float]]) -> list[_Call]:
    """One decision of each kind, with the chance of all of them together."""
    kinds: dict[tuple[str, str, float], _Call] = {}
    for call in calls:
        known = kinds.get(key(call))
        kinds[key(call)] = known._replace(chance=known.chance + call.chance) if known else call
    return list(kinds.values())


def _dice(state: Turn) -> str:
    return " ".join(map(str, state.dice))


def _say(sheet: Sheet, action: Any) -> str:
    return "roll all again" if action == () else sheet.show_action(action)


def _calls(solution: "Solution", left: int, progress: Progress | None) -> list[_Call]:
    """Every decision of the first turn with so many rerolls left; chances are those of one roll of all dice."""
    sheet: Sheet = solution.game
    roll = dice(sheet.count, sheet.die)
    start = sheet.start()
    found = []
    for done, (hand, weight) in enumerate(roll.items()):
        if progress:
            progress("hands looked at", done, len(roll))
        state = Turn(start.open, start.upper, start.primed, hand, left)
        found.append(_call(solution, state, weight / roll.total))
    return found


def _call(solution: "Solution", state: Turn, chance: float) -> _Call:
    sheet: Sheet = solution.game
    ranked = solution.ranked(state)
    greedy = next(iter(Greedy().weights(sheet, state)))
    slip = next(float(row.loss) for row in ranked if row.action == greedy)
    second = ranked[1] if len(ranked) > 1 else ranked[0]
    return _Call(
        state, chance, _say(sheet, ranked[0].action), _say(sheet, second.action), float(second.loss),
        _say(sheet, greedy), slip,
    )  # fmt: skip
