"""What actions and positions are called: many at once for a game in columns, else one by one."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.adapters.models.model import Ints, Model, spans
from rollwise.model.game import Progress
from rollwise.model.notation import notation_of
from rollwise.solvers.graph.explore import Explored

__all__ = ["Named", "Variable", "action_names", "numbered_actions", "positions", "valuations", "variables"]

TICK = 1 << 12
KIND = "kind"
"""The column that tells rolls (0), moves (1), finished games (2) and ends (3, and 4 for a game that is lost) from one another."""


class Named(NamedTuple):
    """Different texts, and the number of its text for every action of the graph."""

    texts: tuple[str, ...]
    numbers: npt.NDArray[np.uint32]


class Variable(NamedTuple):
    """A column of the positions: its name, and the least and the largest number in it."""

    name: str
    low: int
    high: int

    @property
    def signed(self) -> bool:
        return self.low < 0

    @property
    def bits(self) -> int:
        """How many bits hold it, in whole bytes."""
        width = max(self.high.bit_length(), (-1 - self.low).bit_length() if self.signed else 0) + self.signed
        return next(size for size in (8, 16, 32, 64) if width <= size)


def action_names(explored: Explored, progress: Progress | None) -> Named:
    """Name all actions, in the order of the graph; the first text is empty, for choices that are nobody's."""
    rules = _rules(explored)
    return _asked(explored, progress) if rules is None else _picked(explored, rules, progress)


def numbered_actions(explored: Explored) -> tuple[tuple[str, ...], Ints]:
    """Give the texts of the actions by number, and the number of every action of the graph: the text of nobody is left out."""
    named = action_names(explored, None)
    return named.texts[1:], named.numbers.astype(np.int64) - 1


def _asked(explored: Explored, progress: Progress | None) -> Named:
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


def _picked(explored: Explored, rules: Any, progress: Progress | None) -> Named:
    show, texts = explored.game.show_action, {"": 0}
    codes: Any = explored.states
    numbers = np.empty(len(explored.graph.action_pending), dtype=np.uint32)
    place = 0
    for span in spans(len(codes)):
        met, number = np.unique(rules.named(codes.codes[span].astype(np.int64)), return_inverse=True)
        known = [texts.setdefault(show(rules.name_of(one)), len(texts)) for one in met.tolist()]
        numbers[place : place + len(number)] = np.array(known, dtype=np.uint32)[number]
        place += len(number)
        if progress:
            progress("naming moves", span.stop, len(codes))
    return Named(tuple(texts), numbers)


def _rules(explored: Explored) -> Any:
    """The rules over the codes of the positions; None where there are no codes."""
    return getattr(explored.states, "rules", None)


def positions(explored: Explored, progress: Progress | None) -> Iterator[str]:
    """Write all pendings, then all states, as text."""
    game, total = explored.game, len(explored.pendings) + len(explored.states)
    shown = chain(map(notation_of(game).show_pending, explored.pendings), map(game.show_state, explored.states))
    for done, text in enumerate(shown):
        if progress and done % TICK == 0:
            progress("naming positions", done, total)
        yield text


def variables(model: Model) -> list[Variable]:
    """List the columns of the positions and what is in them, `kind` first; nothing where they have no columns."""
    if _rules(model.explored) is None:
        return []
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for block in _columns(model.explored):
        for name, values in block.items():
            low[name] = min(low.get(name, 0), int(values.min(initial=0)))
            high[name] = max(high.get(name, 0), int(values.max(initial=0)))
    kind = KIND
    while kind in low:
        kind += "_"
    return [Variable(kind, 0, 2 + model.n_ends), *(Variable(name, low[name], high[name]) for name in low)]


def valuations(model: Model, columns: list[Variable]) -> Iterator[npt.NDArray[Any]]:
    """Give all positions as records of their columns; the ends have 0 in all but the first."""
    form = np.dtype([(column.name, f"<{'i' if column.signed else 'u'}{column.bits // 8}") for column in columns])
    kind, first = columns[0].name, 0
    kinds = np.concatenate([np.zeros(model.graph.n_pendings, dtype=np.uint8), 1 + model.over.astype(np.uint8)])
    for block in _columns(model.explored):
        records = np.zeros(len(next(iter(block.values()))), dtype=form)
        records[kind] = kinds[first : first + len(records)]
        for name, values in block.items():
            records[name] = values
        first += len(records)
        yield records
    ends = np.zeros(model.n_ends, dtype=form)
    ends[kind] = 3 + np.arange(model.n_ends)
    yield ends


def _columns(explored: Explored) -> Iterator[dict[str, Ints]]:
    """Unpack all pendings, then all states, a block at a time."""
    for numbered in (explored.pendings, explored.states):
        found: Any = numbered
        for span in spans(len(found)):
            yield found.rules.columns(found.codes[span].astype(np.int64))
