"""The pages on slots: chances by target, the first roll, when to spend the strongest slot, what each decision is worth."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import Any, TypeGuard, cast

import numpy as np

from rollwise.games.slots import Placed, Slots
from rollwise.model.abilities import overridden, rules_of
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtLeast
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Prose
from rollwise.solvers.base.pictures import HeatRow, Series, bar_list, curve, heat_map
from rollwise.solvers.base.solution import Number, Solution
from rollwise.solvers.graph.report import Floats, second_losses, visits
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.solve import solve

__all__ = ["adds_sections", "in_fractions", "refusal_losses", "slots_sections", "target_values"]

TARGETS = 33
SMALL = 20_000
"""Up to this many states targets are solved in fractions."""
BIN = 3
COLUMNS = 20
LONG = 1000
"""Columns as wide as this are called by where they begin."""


def adds_sections(solution: Solution) -> TypeGuard[GraphSolution]:
    """Say whether a solution is one of slots, explored, with the rules that the catalogue has.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> [adds_sections(rollwise.solve(game)) for game in (load("slots"), load("pig", target=5))]
    [True, False]
    """
    game = solution.game
    return isinstance(game, Slots) and isinstance(solution, GraphSolution) and not overridden(game, Slots, rules_of(Slots))


def in_fractions(solution: GraphSolution) -> GraphSolution:
    """Give the solution that the page is written from: a small game in fractions."""
    if solution.exact or solution.states > SMALL:
        return solution
    return cast("GraphSolution", solve(solution.game, solution.objective, exact=True))


def slots_sections(solution: GraphSolution, progress: Progress | None = None) -> list[Block]:
    """All sections that only slots have."""
    game: Slots = solution.game
    seen = visits(solution)
    return [
        *_targets(solution, progress),
        *_first_roll(game, solution),
        *_spend_map(game, solution, seen),
        *_sensitivity(game, solution, seen, progress),
    ]


def target_values(solution: GraphSolution, progress: Progress | None = None) -> dict[int, Number]:
    """The best win probability for every target from 31 below the highest possible total to one above it."""
    game: Slots = solution.game
    totals = [state.total for state in solution.explored.states if not state.free]
    targets = range(max(min(totals), max(totals) - TARGETS + 2), max(totals) + 2)
    found: dict[int, Number] = {}
    for done, target in enumerate(targets):
        if progress:
            progress("targets solved", done, len(targets))
        found[target] = solve(game, AtLeast(target), exact=solution.states <= SMALL).value()
    return found


def _targets(solution: GraphSolution, progress: Progress | None) -> list[Block]:
    found = target_values(solution, progress)
    even = max((t for t, value in found.items() if value >= Fraction(1, 2)), default=None)
    half = f" An even chance is possible up to {even} points." if even is not None else ""
    picture = curve(
        "Win probability by target",
        f"The best chance falls from {_percent(found[min(found)])} at {min(found)} points to {_percent(found[max(found)])} at "
        f"{max(found)}.",
        [Series("best play", [(target, float(value)) for target, value in found.items()])],
        ("target (points)", "win probability"), dots=True,
    )  # fmt: skip
    return [
        Heading("How high can one aim?"),
        Prose(
            "Each target is a game of its own, with its own best strategy: every point is solved separately, with its own "
            f"certificate.{half}"
        ),
        Figure(picture, "The best chance to reach each target."),
        Grid(["target", "win probability", "as a fraction"], [(str(t), _percent(v, 4), str(v)) for t, v in found.items()])
        if all(isinstance(v, Fraction) for v in found.values())
        else Grid(["target", "win probability"], [(str(t), _percent(v, 4)) for t, v in found.items()]),
    ]


def _percent(value: Number, digits: int = 2) -> str:
    return f"{100 * float(value):.{digits}f} %"


def _first_roll(game: Slots, solution: GraphSolution) -> list[Block]:
    """For each first roll the value of each slot."""
    words = solution.objective.words(game)
    table: dict[int, dict[str, Number]] = {}
    for face in game.die:
        state = Placed(tuple(game.score), 0, face)
        table[face] = {row.action: row.value for row in solution.ranked(state)}
    best = {face: solution.best(Placed(tuple(game.score), 0, face)) for face in table}
    most = max(float(value) for row in table.values() for value in row.values())
    rows = [HeatRow(f"roll {face}", [float(row[slot]) for slot in game.score]) for face, row in table.items()]
    picture = heat_map(
        "Value of each slot for each first roll",
        "Best: " + ", ".join(f"{face} to {slot}" for face, slot in best.items()) + ".",
        list(game.score), rows, label="slot", show=lambda v: f"{100 * v:.1f} %" if words.share else f"{v:.2f}", most=most,
    )  # fmt: skip
    cells = [
        (
            str(face),
            best[face],
            *(str(row[slot]) if isinstance(row[slot], Fraction) else words.brief(row[slot]) for slot in game.score),
        )
        for face, row in table.items()
    ]
    return [
        Heading("The first roll"),
        Prose(f"The {words.value} after placing the first die in each slot, with best play from there on."),
        Figure(picture, "One row for each first roll; the strongest colour in a row is the best slot."),
        Grid(["roll", "best", *game.score], cells),
    ]


def _spend_map(game: Slots, solution: GraphSolution, seen: Floats) -> list[Block]:
    """For totals, rolls and the number of free slots: how often using the strongest slot is right."""
    slot = max(game.score, key=lambda name: max(game.score[name]))
    shares = _spend_shares(solution, seen, slot)
    if not shares:
        return []
    totals = [total for _, total, _ in shares]
    low, high = min(*totals, 0), max(totals)
    width = _width(high - low + 1)
    begins = range(low // width * width, high + 1, width)
    columns = [f"{begin}-{begin + width - 1}" if width < LONG else f"{begin:.2g}" for begin in begins]
    shares = _put_together(shares, width)
    rows = []
    for free in range(len(game.score), 1, -1):
        for face in sorted(game.die, reverse=True):
            cells = [_share(shares, free, begin, face) for begin in begins]
            rows.append(HeatRow(f"roll {face}", cells, f"{counted(free, 'slot')} free"))
    rows = [row for row in rows if any(other.group == row.group and any(c is not None for c in other.cells) for other in rows)]
    picture = heat_map(
        f"When to spend {slot}",
        f"Rows: rolls by number of free slots. Columns: points so far. A cell gives how often placing the die in {slot} is "
        "right.",
        columns, rows, show=lambda v: f"{100 * v:.0f}", label="points so far",
    )  # fmt: skip
    return [
        Heading(f"When to spend {slot}"),
        Prose(
            f"A cell gives, in percent, how often {slot} is the right slot, over the positions with {slot} still free that "
            "best play meets with that many "
            "points, weighed by how often it meets them. Positions in which it makes no difference are left out; an empty cell "
            "does not come up. "
            "Between 0 and 100 the answer depends on which other slots are free."
        ),
        Figure(picture, f"100: always spend {slot} on this roll; 0: never."),
    ]


Shares = dict[tuple[int, int, int], tuple[float, float]]


def _spend_shares(solution: GraphSolution, seen: Floats, slot: str) -> Shares:
    """By (free slots, total, roll): the chance of positions where the slot matters, and of those where it is right."""
    found: Shares = {}
    for number in np.flatnonzero(seen > 0).tolist():
        state: Placed = solution.explored.states[number]
        if slot not in state.free or len(state.free) < 2:
            continue
        ranked = solution.ranked(state)
        others = max(float(row.value) for row in ranked if row.action != slot)
        own = next(float(row.value) for row in ranked if row.action == slot)
        if abs(own - others) < 1e-9:
            continue
        key = (len(state.free), state.total, state.roll)
        met, right = found.get(key, (0.0, 0.0))
        found[key] = (met + float(seen[number]), right + float(seen[number]) * (own > others))
    return found


def _width(span: int) -> int:
    """How many totals share a column: three, or a round number where they lie far apart."""
    return next(w for p in count() for w in (BIN if p == 0 else 10**p, 2 * 10**p, 5 * 10**p) if w >= BIN and span / w <= COLUMNS)


def _put_together(shares: Shares, width: int) -> Shares:
    """Add up the totals of every column, under its first one."""
    found: Shares = {}
    for (free, total, face), (met, right) in shares.items():
        key = free, total // width * width, face
        before = found.get(key, (0.0, 0.0))
        found[key] = before[0] + met, before[1] + right
    return found


def _share(shares: Shares, free: int, begin: int, face: int) -> float | None:
    met, right = shares.get((free, begin, face), (0.0, 0.0))
    return right / met if met else None


class _Refusing(Slots):
    """Slots in which one slot may be filled only when no other is free."""

    def __init__(self, game: Slots, refused: str) -> None:
        super().__init__(game.target, game.slots)
        self.refused = refused

    def actions(self, state: Placed) -> Sequence[str]:
        return tuple(slot for slot in state.free if slot != self.refused) or state.free


def _sensitivity(game: Slots, solution: GraphSolution, seen: Floats, progress: Progress | None) -> list[Block]:
    """What a slip in each turn costs, and what refusing each slot costs."""
    words = solution.objective.words(game)
    turns = _turn_losses(game, solution, seen)
    refused = refusal_losses(solution, solution.objective, progress)

    lost = f"loss, in {words.unit}"

    def show(value: float) -> str:
        return words.cost(value)

    blocks: list[Block] = [
        Heading("How much each decision matters"),
        Prose(
            "A slip: in one turn the second best slot is chosen, everything before and after is played best. The bars give "
            "what that loses on average, "
            f"in {words.unit}. In the last turn there is nothing to choose."
        ),
        Figure(
            bar_list(
                "Loss of a slip by turn", "What the second best choice in one turn loses on average.", turns, lost, show=show
            ),
            f"Playing second best in one turn: mean loss in {words.unit}.",
        ),
    ]
    if len(refused) > 1:
        text = "What is lost by a player who fills one slot only when no other is free, and plays best otherwise."
        blocks += [
            Prose(
                "A habit: one slot is never chosen freely but left for the last die. The bars give what that loses, in "
                f"{words.unit}."
            ),
            Figure(
                bar_list("Loss of leaving a slot for last", text, refused, lost, show=show),
                f"Leaving a slot for last: loss in {words.unit}.",
            ),
        ]
    return blocks


def _turn_losses(game: Slots, solution: GraphSolution, seen: Floats) -> list[tuple[str, float]]:
    loss = second_losses(solution) * seen
    total = dict.fromkeys(range(len(game.score), 1, -1), 0.0)
    for number in np.flatnonzero(loss).tolist():
        total[len(solution.explored.states[number].free)] += float(loss[number])
    return [(f"turn {len(game.score) - free + 1}", value) for free, value in total.items()]


def refusal_losses(solution: GraphSolution, objective: Objective, progress: Progress | None = None) -> list[tuple[str, float]]:
    """What is lost when a slot is left for last, most first."""
    game: Any = solution.game
    found: list[tuple[str, float]] = []
    for done, slot in enumerate(game.score):
        if progress:
            progress("slots left for last", done, len(game.score))
        value = solve(_Refusing(game, slot), objective, exact=solution.exact).value()
        found.append((slot, abs(float(solution.value()) - float(value))))
    return sorted(found, key=lambda row: -row[1])
