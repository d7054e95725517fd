"""What actions and positions are called."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.forms.graph.explore import Explored
from rollwise.model.game import Progress

__all__ = ["Named", "action_names", "positions"]

TICK = 1 << 12


class Named(NamedTuple):
    """Different texts, and the number of its text for every action of the graph."""

    texts: tuple[str, ...]
    numbers: npt.NDArray[np.uint32]


def action_names(explored: Explored, progress: Progress | None) -> Named:
    """Name all actions, state by state."""
    game, texts = explored.game, {"": 0}
    known: dict[object, int] = {}
    numbers = np.empty(len(explored.graph.action_pending), dtype=np.uint32)
    place = 0
    for done, state in enumerate(explored.states):
        for action in game.actions(state):
            if action not in known:
                known[action] = texts.setdefault(game.show_action(action), len(texts))
            numbers[place] = known[action]
            place += 1
        if progress and done % TICK == 0:
            progress("naming moves", done, len(explored.states))
    return Named(tuple(texts), numbers)


def positions(explored: Explored, progress: Progress | None) -> Iterator[str]:
    """Write all pendings, then all states, as text."""
    game, total = explored.game, len(explored.pendings) + len(explored.states)
    shown = chain(map(game.show_pending, explored.pendings), map(game.show_state, explored.states))
    for done, text in enumerate(shown):
        if progress and done % TICK == 0:
            progress("naming positions", done, total)
        yield text
