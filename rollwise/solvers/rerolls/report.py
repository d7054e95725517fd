"""The page about a game of rerolling any dice: what to hold after the first roll."""

from math import isinf
from typing import TYPE_CHECKING

import numpy as np

from rollwise.games.words import STAR, RerollGame
from rollwise.solvers.base.blocks import Block, Grid, Heading, Prose
from rollwise.solvers.rerolls.sweeps import Floats, Ints, scatter

if TYPE_CHECKING:
    from rollwise.solvers.rerolls.solution import RerollSolution

__all__ = ["reroll_sections"]

SHOWN = 12


def reroll_sections(solution: "RerollSolution") -> list[Block]:
    """All sections that only such games have."""
    if isinf(solution.value()):
        return []
    mass = np.zeros(solution.arrays.shape)
    mass[(0,) * mass.ndim] = 1.0
    scatter(solution.arrays, mass)
    first = mass[solution.arrays.hands].copy()
    return [*_first_rolls(solution, first), *_holds(solution, first)]


def _first_rolls(solution: "RerollSolution", first: Floats) -> list[Block]:
    """What to hold from the commonest first rolls."""
    game: RerollGame = solution.game
    rows = []
    for place in _commonest(first.ravel(), SHOWN).tolist():
        state = _shown(solution, place)
        chance = f"{100 * float(first.ravel()[place]):.3g} %"
        if not game.actions(state):
            rows.append((game.show_state(state), chance, "done", "0", ""))
            continue
        best = solution.ranked(state)[0]
        anew = solution.value(game.start(), kind="pending") - best.value
        rows.append(
            (game.show_state(state), chance, _hold(best.action), f"{float(best.value):.3f}", f"{round(float(anew), 3) + 0.0:.3f}")
        )
    same = np.ptp(first[first > 0]) < 1e-12
    which = "All first rolls are equally likely; these are picked evenly from the list." if same else "The commonest first rolls."
    return [
        Heading("What to hold after the first roll"),
        Prose(
            f"{which} A dot is a die to roll again, and dice with the same faces are in sorted order. The last column is what "
            "holding gains over a new start."
        ),
        Grid(["first roll", "chance", "hold", "expected rolls left", "gain over rolling all"], rows),
    ]


def _commonest(chance: Floats, count: int) -> Ints:
    """The likeliest places; among equals at the limit, evenly spread ones."""
    order = np.argsort(-chance, kind="stable")
    if len(order) <= count:
        return np.asarray(order)
    limit = chance[order[count - 1]] * (1 - 1e-12)
    sure = np.flatnonzero(chance > limit * (1 + 1e-9))
    tied = np.flatnonzero((chance >= limit) & (chance <= limit * (1 + 1e-9)))
    spread = tied[np.linspace(0, len(tied) - 1, count - len(sure)).astype(np.int64)] if len(sure) < count else tied[:0]
    return np.concatenate([sure[np.argsort(-chance[sure], kind="stable")], spread])[:count]


def _shown(solution: "RerollSolution", place: int) -> tuple[str, ...]:
    """The dice of a state by its flat number, equal dice in sorted order."""
    state = [""] * len(solution.game.dice)
    hands = np.unravel_index(place, solution.arrays.goal.shape)
    for (faces, members), axis, hand in zip(solution.groups, solution.arrays.axes, hands, strict=True):
        for i, face in zip(members, axis.keeps[axis.first_hand + int(hand)], strict=True):
            state[i] = faces[face][0]
    return tuple(state)


def _hold(action: tuple[str, ...]) -> str:
    kept = "".join(action).replace(STAR, "·")
    return kept if set(kept) != {"·"} else "nothing: roll all"


def _holds(solution: "RerollSolution", first: Floats) -> list[Block]:
    """What best play holds after the first roll, over all first rolls."""
    chosen, moving = solution.choices(), ~solution.arrays.goal
    chance = np.bincount(chosen[moving], first[moving], solution.array.size)
    order = np.argsort(-chance, kind="stable")[:SHOWN]
    rows = [
        (_kept(solution, int(number)), f"{100 * chance[number]:.3g} %", f"{np.asarray(solution.array).ravel()[number]:.3f}")
        for number in order
        if chance[number] > 1e-12
    ]
    done = float(first[solution.arrays.goal].sum())
    return [
        Prose(f"The first roll already spells a word with a chance of {100 * done:.3g} %. Otherwise best play most often holds:"),
        Grid(["hold", "chance", "expected rolls left"], rows),
    ]


def _kept(solution: "RerollSolution", number: int) -> str:
    """What a pending keeps, die by die in groups of equal dice."""
    keeps = np.unravel_index(number, solution.arrays.shape)
    pattern = ["·"] * len(solution.game.dice)
    for (faces, members), axis, keep in zip(solution.groups, solution.arrays.axes, keeps, strict=True):
        for i, face in zip(members, axis.keeps[int(keep)], strict=False):
            pattern[i] = faces[face][0]
    return "".join(pattern) if set(pattern) != {"·"} else "nothing: roll all"
