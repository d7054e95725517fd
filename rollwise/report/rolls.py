"""The pages on games of fewest rolls: words (what to hold) and groups (progress, and when a reroll is right)."""

from dataclasses import dataclass
from math import isinf

import numpy as np
import numpy.typing as npt

from rollwise.forms.base.blocks import Block, Figure, Grid, Heading, Prose
from rollwise.forms.base.pictures import Series, curve
from rollwise.forms.partitions.solution import PartitionSolution
from rollwise.forms.rerolls.solution import RerollSolution
from rollwise.forms.rerolls.sweeps import scatter
from rollwise.games.groups import Groups, Sizes, fits
from rollwise.games.words import STAR, Words

__all__ = ["groups_blocks", "words_blocks"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SHOWN = 12
MOST_GROUPINGS = 200_000


def words_blocks(solution: RerollSolution) -> list[Block]:
    """All sections that only words has."""
    if isinf(solution.value()):
        return []
    mass = np.zeros(solution.form.shape)
    mass[(0,) * mass.ndim] = 1.0
    scatter(solution.form, mass)
    first = mass[solution.form.hands].copy()
    return [*_first_rolls(solution, first), *_holds(solution, first)]


def _first_rolls(solution: RerollSolution, first: Floats) -> list[Block]:
    """What to hold from the commonest first rolls."""
    game: Words = solution.game
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


def _shown(solution: RerollSolution, place: int) -> tuple[str, ...]:
    """The dice of a state by its flat number, equal dice in sorted order."""
    state = [""] * len(solution.game.dice)
    hands = np.unravel_index(place, solution.form.goal.shape)
    for (faces, members), axis, hand in zip(solution.groups, solution.form.axes, hands, strict=True):
        for i, face in zip(members, axis.keeps[axis.first_hand + int(hand)], strict=True):
            state[i] = faces[face][0]
    return tuple(state)


def _hold(action: tuple[str, ...]) -> str:
    kept = "".join(action).replace(STAR, "·")
    return kept if set(kept) != {"·"} else "nothing: roll all"


def _holds(solution: RerollSolution, first: Floats) -> list[Block]:
    """What best play holds after the first roll, over all first rolls."""
    chosen, moving = solution.choices(), ~solution.form.goal
    chance = np.bincount(chosen[moving], first[moving], solution.array.size)
    order = np.argsort(-chance, kind="stable")[:SHOWN]
    rows = [
        (_kept(solution, int(number)), f"{100 * chance[number]:.3g} %", f"{solution.array.ravel()[number]:.3f}")
        for number in order
        if chance[number] > 1e-12
    ]
    done = float(first[solution.form.goal].sum())
    return [
        Prose(f"The first roll already spells a word with a chance of {100 * done:.3g} %. Otherwise best play most often holds:"),
        Grid(["hold", "chance", "expected rolls left"], rows),
    ]


def _kept(solution: RerollSolution, number: int) -> str:
    """What a pending keeps, die by die in groups of equal dice."""
    keeps = np.unravel_index(number, solution.form.shape)
    pattern = ["·"] * len(solution.game.dice)
    for (faces, members), axis, keep in zip(solution.groups, solution.form.axes, keeps, strict=True):
        for i, face in zip(members, axis.keeps[int(keep)], strict=False):
            pattern[i] = faces[face][0]
    return "".join(pattern) if set(pattern) != {"·"} else "nothing: roll all"


@dataclass
class _Layer:
    """Groupings with the same number of dice, with the chance that best play passes through them."""

    chance: dict[Sizes, float]

    def mean(self, value: dict[Sizes, float]) -> float:
        return sum(share * value[held] for held, share in self.chance.items())


def groups_blocks(solution: PartitionSolution) -> list[Block]:
    """All sections that only groups has."""
    if solution.states > MOST_GROUPINGS:
        return [Prose(f"The goal contains {solution.states:,} groupings: too many to list by progress.")]
    layers = _layers(solution)
    return [*_progress(solution, layers), *_rerolls(solution, layers)]


def _outcomes(solution: PartitionSolution, held: Sizes) -> list[tuple[int, float, str]]:
    """What the current die may join: (size of that group, chance, verdict)."""
    game: Groups = solution.game
    found = []
    for state, weight in game.roll(held).items():
        after = game.keep(state)
        if not fits(after, game.goal):
            verdict = "must reroll"
        else:
            verdict = "keep" if after == game.goal or solution.best(state) == "keep" else "better reroll"
        found.append((state[1], weight / game.faces, verdict))
    return found


def _layers(solution: PartitionSolution) -> list[_Layer]:
    """Pass the chance of every grouping on, die by die."""
    game: Groups = solution.game
    layers = [_Layer({(): 1.0})]
    for _ in range(sum(game.goal) - 1):
        after: dict[Sizes, float] = {}
        for held, share in layers[-1].chance.items():
            kept = [(size, chance) for size, chance, verdict in _outcomes(solution, held) if verdict == "keep"]
            total = sum(chance for _, chance in kept)
            for size, chance in kept:
                grown = game.keep((held, size))
                after[grown] = after.get(grown, 0.0) + share * chance / total
        layers.append(_Layer(after))
    return layers


def _progress(solution: PartitionSolution, layers: list[_Layer]) -> list[Block]:
    value = {held: float(solution.value(held, kind="pending")) for layer in layers for held in layer.chance}
    rows = []
    for count, layer in enumerate(layers):
        likeliest = max(layer.chance, key=lambda held: (layer.chance[held], held))
        left = [value[held] for held in layer.chance]
        rows.append((
            str(count), f"{layer.mean(value):.3f}", f"{min(left):.3f}", f"{max(left):.3f}",
            solution.game.show_pending(likeliest), f"{100 * layer.chance[likeliest]:.1f} %",
        ))  # fmt: skip
    total = sum(solution.game.goal)
    picture = curve(
        "Expected rolls left by progress",
        f"From {rows[0][1]} rolls with no die kept to {rows[-1][1]} with one die missing.",
        [Series("mean", [*((i, layer.mean(value)) for i, layer in enumerate(layers)), (total, 0.0)])],
        "dice kept", show=lambda tick: f"{tick:g}", dots=True,
    )  # fmt: skip
    return [
        Heading("Rolls left, by progress"),
        Prose(
            "With so many dice kept, how many rolls are still to be expected: on average, and from the luckiest and the "
            "unluckiest groups."
        ),
        Figure(picture, "Expected rolls left by the number of dice kept."),
        Grid(["dice kept", "rolls left", "luckiest", "unluckiest", "likeliest groups", "their chance"], rows),
    ]


def _rerolls(solution: PartitionSolution, layers: list[_Layer]) -> list[Block]:
    """When a reroll is right, along the likeliest groupings."""
    game: Groups = solution.game
    rows = []
    choice = 0
    for layer in layers:
        choice += sum(any(v == "better reroll" for _, _, v in _outcomes(solution, held)) for held in layer.chance)
        held = max(layer.chance, key=lambda sizes: (layer.chance[sizes], sizes))
        outcomes = _outcomes(solution, held)
        keep = [(size, chance) for size, chance, verdict in outcomes if verdict == "keep"]
        again = [(size, chance) for size, chance, verdict in outcomes if verdict != "keep"]
        rows.append((game.show_pending(held), _joins(keep), _joins(again) or "never", f"{100 * sum(c for _, c in again):.1f} %"))
    positions = sum(len(layer.chance) for layer in layers)
    verdict = (
        f"In none of the {positions:,} groupings that best play can meet is it right to reroll a die that still fits: reroll "
        "only what spoils the goal."
        if not choice
        else f"In {choice:,} of the {positions:,} groupings that best play can meet, some die that still fits is better rolled "
        "again."
    )
    return [
        Heading("When a reroll is right"),
        Prose(verdict),
        Grid(["groups kept", "keep a die that joins", "reroll a die that joins", "chance of a reroll"], rows),
    ]


def _joins(outcomes: list[tuple[int, float]]) -> str:
    return ", ".join("a new face" if not size else f"a group of {size}" for size, _ in sorted(outcomes, reverse=True))
