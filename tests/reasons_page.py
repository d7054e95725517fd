"""The page of reasons: `python -m tests.reasons_page` writes `docs/reasons.md` from the positions in `tests/data/reasons.json`.

Each sentence is what `advise` says. The page is there to be read: a change of the rules that make sentences shows in its diff.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rollwise import cache
from rollwise.games import load
from rollwise.model.ids import read_position
from rollwise.playing.explain import Reasons
from rollwise.solvers.base.abilities import HasGraph, ability
from rollwise.solvers.base.solution import Solution
from rollwise.texts.render import render

__all__ = ["PAGE", "Row", "asked", "reasons_page", "rows"]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/reasons.md"
DATA = ROOT / "tests/data/reasons.json"
LANGUAGES = ("en", "de")
INTRO = """# Reasons

Why a move is good, in a sentence: positions of all games, with what `rollwise advise` and the page say about the best move, or
about the move named after the position, in English and in German. `--why`, or on the page a tap on "In numbers",
shows the exact account.

This page is made by `python -m tests.reasons_page` from the positions in `tests/data/reasons.json`.
"""


class Row(NamedTuple):
    """A position as it is typed, its move where that is given, and what is compared."""

    text: str
    move: str | None
    state: Any
    action: Any


def asked() -> list[dict[str, Any]]:
    """Give the groups of positions: a game (a name, or the path of a file), its parameters, what it is played for."""
    found: list[dict[str, Any]] = json.loads(DATA.read_text())
    return found


def solved(group: Mapping[str, Any]) -> Solution:
    """Solve the game of a group, unless it is cached."""
    name = group["game"]
    game = load(str(ROOT / name) if "/" in name else name, **group.get("parameters", {}))
    return cache.solve(game, group.get("objective"))


def rows(solution: Solution, group: Mapping[str, Any]) -> Iterator[Row]:
    """Read the positions of a group: a text, or a text and a move."""
    for position in group["positions"]:
        text, move = (position, None) if isinstance(position, str) else position
        state = ability(solution, HasGraph).canonical_state(read_position(solution.game, text))
        yield Row(text, move, state, solution.best(state) if move is None else solution.game.read_action(move))


def reasons_page() -> str:
    """Write the page."""
    return "\n".join([INTRO, *(_group(group) for group in asked())])


def _group(group: Mapping[str, Any]) -> str:
    solution = solved(group)
    explain = Reasons(solution).explainer()
    title = [Path(group["game"]).name, *(f"{name}={value}" for name, value in group.get("parameters", {}).items())]
    aim = f", {group['objective']}" if group.get("objective") else ""
    lines = [f"## {' '.join(title)}{aim}", ""]
    for row in rows(solution, group):
        sentence = explain(row.state, row.action)
        lines.append(f"- `{row.text}`{f' `{row.move}`' if row.move else ''}")
        lines += [f"  - {render(sentence, language)}" for language in LANGUAGES]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(reasons_page())
