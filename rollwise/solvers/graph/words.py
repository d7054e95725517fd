"""The words of a card in all decisions of a game at once: features as arrays, and the place of the action that a verb means.

Decisions that no word tells apart are one row: what a card does is asked once a row. Features of games in columns are read from
whole columns where they say that they can be. Verbs that go by numbers of the card are asked when a card comes with them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.abilities import prefetch
from rollwise.model.card import Card, CardFeature, CardLine, Verb, Vocabulary
from rollwise.model.game import Progress
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph.columns import CodedPositions
from rollwise.solvers.graph.explore import Explored

__all__ = ["Played", "WordTable", "read_words"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

BLOCK, MANY, MOST_KNOWN = 1 << 10, 1 << 15, 1 << 27
Numbers = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class Played:
    """What a card does: the line that is played and the place of the action, by decision; line -1: none fits."""

    line: Ints
    choice: Ints


@dataclass(frozen=True, eq=False)
class WordTable:
    """Features and verbs by row; `row` says which row a decision is. A verb that means nothing has place -1."""

    vocabulary: Vocabulary
    feature: dict[str, Ints]
    verb: dict[str, Ints]
    row: Ints
    rows: int
    by_numbers: Callable[[str, Numbers], Ints]
    known: dict[tuple[CardLine, Numbers], Bools] = field(default_factory=dict)
    """Where recently used lines fit."""

    def place(self, verb: str, numbers: Numbers = ()) -> Ints:
        """Give the place of the action that a verb means, on a card with these numbers, by row."""
        return self.verb[verb] if verb in self.verb else self.by_numbers(verb, numbers)

    def fits(self, line: CardLine, at: Any = slice(None)) -> Bools:
        """Say in which rows the condition of a line holds, among some rows."""

        def seen(name: str) -> Any:
            return self.feature[name][at]

        size = self.rows if isinstance(at, slice) else len(at)
        found = np.zeros(size, dtype=np.bool_)
        for every in line.condition:
            both = np.ones(size, dtype=np.bool_)
            for comparison in every:
                both &= comparison.holds(seen)
            found |= both
        return found

    def taken(self, line: CardLine, numbers: Numbers = ()) -> Bools:
        """Say in which rows a line fits: its condition holds, and its verb means something."""
        key = (line, numbers if line.verb not in self.verb else ())
        found = self.known.get(key)
        if found is None:
            if (len(self.known) + 1) * self.rows > MOST_KNOWN:
                self.known.clear()
            found = self.known[key] = self.fits(line) & (self.place(line.verb, numbers) >= 0)
        return found

    def play_rows(self, card: Card) -> Played:
        """Say what a card does, row by row."""
        fits = np.stack([self.taken(line, card.numbers) for line in card.lines])
        line = fits.argmax(axis=0)
        line[~fits[line, np.arange(self.rows)]] = -1
        choice = np.zeros(self.rows, dtype=np.int64)
        for verb in dict.fromkeys(one.verb for one in card.lines):
            ours = np.flatnonzero(np.array([*(one.verb == verb for one in card.lines), False])[line])
            choice[ours] = self.place(verb, card.numbers)[ours]
        return Played(line, choice)

    def play(self, card: Card) -> Played:
        """Say what a card does, decision by decision."""
        found = self.play_rows(card)
        return Played(found.line[self.row], found.choice[self.row])


def read_words(explored: Explored, states: Ints, progress: Progress | None = None, *, only: Card | None = None) -> WordTable:
    """Read all words of a game, or those of one card, in some of its states, which all offer a choice."""
    reader = _Reader(explored, states, progress)
    vocabulary = explored.game.vocabulary() if only is None else only.words(explored.game)
    features = {feature.name: reader.feature(feature) for feature in vocabulary.features}
    verbs = {verb.name: reader.verb(verb) for verb in vocabulary.verbs if not verb.numbers}
    numbered = {verb.name: verb for verb in vocabulary.verbs if verb.numbers}
    # A verb that goes by numbers may tell any two positions apart.
    row, first = (np.arange(len(states)),) * 2 if numbered else _merge([*features.values(), *verbs.values()], len(states))

    @lru_cache(maxsize=64)
    def by_numbers(verb: str, numbers: Numbers) -> Ints:
        return reader.verb(numbered[verb], numbers)

    features, verbs = ({name: column[first] for name, column in found.items()} for found in (features, verbs))
    return WordTable(vocabulary, features, verbs, row, len(first), by_numbers)


def _merge(columns: Sequence[Ints], count: int) -> tuple[Ints, Ints]:
    """Number what no column tells apart; give the numbers, and the first of each."""
    number, first = np.zeros(count, dtype=np.int64), np.arange(min(count, 1))
    for column in columns:
        low = int(column.min(initial=0))
        _, first, number = np.unique(
            number * (int(column.max(initial=0)) - low + 1) + (column - low), return_index=True, return_inverse=True
        )
    return number, first


class _Reader:
    """Reads words in many states, by whole columns where that can be done."""

    def __init__(self, explored: Explored, states: Ints, progress: Progress | None) -> None:
        self.explored, self.numbers, self.progress = explored, states, progress
        self.game: Any = explored.game
        made = explored.states
        self.rules: Any = made.rules if isinstance(made, CodedPositions) else None

    @cached_property
    def states(self) -> list[Any]:
        """The positions one by one."""
        if self.progress:
            self.progress("positions read", 0, len(self.numbers))
        return [self.explored.states[number] for number in self.numbers.tolist()]

    @cached_property
    def codes(self) -> Ints:
        found: Any = self.explored.states
        return np.asarray(found.codes)[self.numbers].astype(np.int64)

    @cached_property
    def columns(self) -> SimpleNamespace:
        return SimpleNamespace(**self.rules.columns(self.codes))

    @cached_property
    def offers(self) -> list[dict[Any, int]]:
        """What may be done and its place, by state."""
        found: list[dict[Any, int]] = []
        for low in range(0, len(self.states), BLOCK):
            part = self.states[low : low + BLOCK]
            prefetch(self.game, part)
            found += [{action: place for place, action in enumerate(self.game.actions(state))} for state in part]
            if self.progress:
                self.progress("positions read", low, len(self.numbers))
        return found

    @cached_property
    def named(self) -> tuple[Ints, Ints]:
        """The numbers of the names of what may be done, and how many each state has."""
        parts = [self.rules.named(self.codes[low : low + MANY]) for low in range(0, len(self.codes), MANY)]
        return np.concatenate(parts), np.diff(self.explored.graph.action_start)[self.numbers]

    def feature(self, feature: CardFeature) -> Ints:
        """Read a feature in all states."""
        if self.rules is not None and feature.many:
            return np.broadcast_to(np.asarray(feature.read(self.columns)), self.codes.shape).astype(np.int64)
        return np.array([feature.read(state) for state in self.states], dtype=np.int64)

    def verb(self, verb: Verb, numbers: Numbers = ()) -> Ints:
        """Find the place of the action that a verb means in all states. Raises `GameError` for one that is not legal."""
        if self.rules is not None and verb.action is not None:
            return self._named(verb)
        if self.rules is not None and verb.prefers is not None:
            return self._preferred(verb.prefers)
        rows, by_name = zip(self.states, self.offers, strict=True), dict(numbers)
        return np.array([self._place(verb, state, offered, by_name) for state, offered in rows], dtype=np.int64)

    def _named(self, verb: Verb) -> Ints:
        names, width = self.named
        wanted = [number for number in np.unique(names).tolist() if self.rules.name_of(number) == verb.action]
        owner = np.repeat(np.arange(len(width)), width)
        place = np.arange(len(names)) - np.repeat(np.cumsum(width) - width, width)
        found = np.full(len(width), -1, dtype=np.int64)
        here = np.isin(names, wanted)
        found[owner[here]] = place[here]
        return found

    def _preferred(self, prefers: Callable[[Any], Any]) -> Ints:
        """Find the first of the actions that lead to the most preferred position, in all states."""
        graph, pendings = self.explored.graph, cast("CodedPositions", self.explored.pendings)
        rank = np.asarray(prefers(SimpleNamespace(**self.rules.columns(np.asarray(pendings.codes)))))
        flat, begin = gather(graph.action_start, self.numbers)
        found = rank[graph.action_pending[flat]]
        most = np.maximum.reduceat(found, begin) if len(begin) else found
        best = np.flatnonzero(found == np.repeat(most, np.diff(begin, append=len(flat))))
        return best[np.searchsorted(best, begin)] - begin

    def _place(self, verb: Verb, state: Any, offered: dict[Any, int], numbers: dict[str, int]) -> int:
        action = verb.means(state, numbers)
        if action is None:
            return -1
        if action not in offered:
            raise GameError(
                f"the verb {verb.name!r} means {action!r} at state {self.game.show_state(state)}, which is no action there: "
                "a verb finds a legal action, or None"
            )
        return offered[action]
