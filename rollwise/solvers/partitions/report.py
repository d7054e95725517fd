"""The page about a game of dice into groups: rolls left by progress, and when a reroll is right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rollwise.games.groups import GroupingGame, Sizes, fits
from rollwise.model.notation import notation_of
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Prose
from rollwise.solvers.base.pictures import Series, curve

if TYPE_CHECKING:
    from rollwise.solvers.partitions.solution import PartitionSolution

__all__ = ["partition_sections"]

MOST_GROUPINGS = 200_000


@dataclass
class _Layer:
    """Groupings with the same number of dice, with the chance that best play passes through them."""

    chance: dict[Sizes, float]

    def mean(self, value: dict[Sizes, float]) -> float:
        return sum(share * value[held] for held, share in self.chance.items())


def partition_sections(solution: "PartitionSolution") -> list[Block]:
    """All sections that only such games have."""
    if solution.states > MOST_GROUPINGS:
        return [Prose(f"The goal contains {solution.states:,} groupings: too many to list by progress.")]
    layers = _layers(solution)
    return [*_progress(solution, layers), *_rerolls(solution, layers)]


def _outcomes(solution: "PartitionSolution", held: Sizes) -> list[tuple[int, float, str]]:
    """What the current die may join: (size of that group, chance, verdict)."""
    game: GroupingGame = solution.game
    found = []
    for state, weight in game.roll(held).items():
        after = game.keep(state)
        if not fits(after, game.goal):
            verdict = "must reroll"
        else:
            verdict = "keep" if after == game.goal or solution.best(state) == "keep" else "better reroll"
        found.append((state[1], weight / game.faces, verdict))
    return found


def _layers(solution: "PartitionSolution") -> list[_Layer]:
    """Pass the chance of every grouping on, die by die."""
    game: GroupingGame = solution.game
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


def _progress(solution: "PartitionSolution", layers: list[_Layer]) -> list[Block]:
    value = {held: float(solution.value(held, kind="pending")) for layer in layers for held in layer.chance}
    rows = []
    for count, layer in enumerate(layers):
        likeliest = max(layer.chance, key=lambda held: (layer.chance[held], held))
        left = [value[held] for held in layer.chance]
        rows.append((
            str(count), f"{layer.mean(value):.3f}", f"{min(left):.3f}", f"{max(left):.3f}",
            notation_of(solution.game).show_pending(likeliest), f"{100 * layer.chance[likeliest]:.1f} %",
        ))  # fmt: skip
    total = sum(solution.game.goal)
    picture = curve(
        "Expected rolls left by progress",
        f"From {rows[0][1]} rolls with no die kept to {rows[-1][1]} with one die missing.",
        [Series("mean", [*((i, layer.mean(value)) for i, layer in enumerate(layers)), (total, 0.0)])],
        ("dice kept", "expected rolls left"), show=lambda tick: f"{tick:g}", dots=True,
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


def _rerolls(solution: "PartitionSolution", layers: list[_Layer]) -> list[Block]:
    """When a reroll is right, along the likeliest groupings."""
    game: GroupingGame = solution.game
    rows = []
    choice = 0
    for layer in layers:
        choice += sum(any(v == "better reroll" for _, _, v in _outcomes(solution, held)) for held in layer.chance)
        held = max(layer.chance, key=lambda sizes: (layer.chance[sizes], sizes))
        outcomes = _outcomes(solution, held)
        keep = [(size, chance) for size, chance, verdict in outcomes if verdict == "keep"]
        again = [(size, chance) for size, chance, verdict in outcomes if verdict != "keep"]
        rows.append(
            (
                notation_of(game).show_pending(held),
                _joins(keep),
                _joins(again) or "never",
                f"{100 * sum(c for _, c in again):.1f} %",
            )
        )
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
