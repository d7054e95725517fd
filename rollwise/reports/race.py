"""The pictures of a race of two (`model.abilities.Races`): best play by both scores, as a cross-section and as a map.

For Pig these are the roll/hold boundary of Neller and Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004),
which show it at an opponent's score of 30, and as a surface over both scores.
"""

from itertools import count
from typing import Any

from rollwise.model.abilities import Races, ability
from rollwise.model.message import Message
from rollwise.solvers.base.blocks import Block, Figure, Heading, Prose
from rollwise.solvers.base.pictures import HeatRow, Series, curve, value_map
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.texts.render import render

__all__ = ["race_sections"]

LINES = (0, 0.3, 0.6)
"""Opponent's scores with a line, as shares of the target: 30 is the one known from the paper."""
POINTS = 50
CELLS = 10


def race_sections(solution: Solution) -> list[Block]:
    """Draw best play over both scores; nothing for a game that is no such race, or played for something else."""
    game: Any = ability(solution.game, Races)
    if game is None or solution.objective != game.objective or not isinstance(solution, GraphSolution):
        return []
    index, choice = solution.explored.state_index, solution.result.values.choice

    def best(state: Any) -> Any:
        number = index.get(state)
        return None if number is None or choice[number] < 0 else game.actions(state)[choice[number]]

    def choices(own: list[int], other: int) -> list[float | None]:
        return [game.choice_at(best, score, other) for score in own]

    def say(part: str) -> str:
        return render(Message(f"report.race.{game.chooses}.{part}", {"target": game.target}))

    def number(value: float) -> str:
        return f"{value:g}"

    across, down = _scores(game.target, POINTS), _scores(game.target, CELLS)
    others = list(dict.fromkeys(int(share * game.target) for share in LINES))
    known = {other: zip(across, choices(across, other), strict=True) for other in others}
    series = [
        Series(render(Message("report.race.line", {"score": other})), [(own, y) for own, y in line if y is not None])
        for other, line in known.items()
    ]
    if not any(line.points for line in series):
        return []
    by_other = {other: choices(down, other) for other in down}
    rows = [HeatRow(str(own), [by_other[other][place] for other in down]) for place, own in enumerate(down)]
    mine, theirs = (render(Message(f"report.race.{whose}")) for whose in ("mine", "theirs"))
    return [
        Heading(say("title")),
        Prose(say("text")),
        Figure(
            curve(say("title"), say("curve"), [s for s in series if s.points], (mine, say("axis")), show=number), say("curve")
        ),
        Figure(value_map(say("title"), say("map"), list(map(str, down)), rows, show=number, labels=(theirs, mine)), say("map")),
    ]


def _scores(target: int, most: int) -> list[int]:
    """Scores below the target, evenly spaced in round steps, at most so many."""
    steps = (step * 10**power for power in count() for step in (1, 2, 5))
    return list(range(0, target, next(step for step in steps if target <= step * most)))
