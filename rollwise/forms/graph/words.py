"""The words of a card in all decisions of a game at once: features as arrays, and the place of the action that a verb means.

Decisions that no word tells apart are one row: what a card does is asked once a row. Features of games in columns are read from
whole columns where the function that reads one position can do that too; a sample is compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.forms.graph.columns import CodedPositions
from rollwise.forms.graph.explore import Explored
from rollwise.model.card import Card, CardFeature, CardLine, Verb, Vocabulary
from rollwise.model.game import Progress

__all__ = ["Played", "WordTable", "read_words"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SAMPLE = 64
BLOCK = 1 << 10


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

    @cached_property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.verb.values())))

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

    def play_rows(self, card: Card) -> Played:
        """Say what a card does, row by row."""
        played, choice = np.full(self.rows, -1, dtype=np.int64), np.zeros(self.rows, dtype=np.int64)
        left = np.arange(self.rows)
        for number, line in enumerate(card.lines):
            place = self.verb[line.verb][left]
            taken = (place >= 0) & self.fits(line, left)
            played[left[taken]], choice[left[taken]] = number, place[taken]
            left = left[~taken]
            if not len(left):
                break
        return Played(played, choice)

    def play(self, card: Card) -> Played:
        """Say what a card does, decision by decision."""
        found = self.play_rows(card)
        return Played(found.line[self.row], found.choice[self.row])


def read_words(explored: Explored, states: Ints, progress: Progress | None = None) -> WordTable:
    """Read all words of a game in some of its states, which all offer a choice."""
    reader = _Reader(explored, states, progress)
    vocabulary = explored.game.alone().vocabulary()
    features = {feature.name: reader.feature(feature) for feature in vocabulary.features}
    verbs = {verb.name: reader.verb(verb) for verb in vocabulary.verbs}
    row, first = _merge([*features.values(), *verbs.values()], len(states))
    return WordTable(
        vocabulary,
        {name: found[first] for name, found in features.items()},
        {name: found[first] for name, found in verbs.items()},
        row,
    )


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
    """Reads words in many states, by whole columns where that gives the same."""

    def __init__(self, explored: Explored, states: Ints, progress: Progress | None) -> None:
        self.explored, self.numbers, self.progress = explored, states, progress
        self.game: Any = explored.game
        self.rules = self._rules()

    def _rules(self) -> Any:
        states = self.explored.states
        return states.rules if isinstance(states, CodedPositions) and self.game.alone() is self.game else None

    @cached_property
    def alone(self) -> list[Any]:
        """The positions as a player alone sees them."""
        made, at = self.explored.states, self.game.alone_at
        return [at(made[number]) for number in self._told("positions read")]

    @cached_property
    def codes(self) -> Ints:
        found: Any = self.explored.states
        return np.asarray(found.codes)[self.numbers].astype(np.int64)

    @cached_property
    def columns(self) -> SimpleNamespace:
        return SimpleNamespace(**self.rules.columns(self.codes))

    @cached_property
    def offers(self) -> list[Sequence[Any]]:
        """What may be done, by state."""
        found: list[Sequence[Any]] = []
        for low in range(0, len(self.alone), BLOCK):
            part = [self.explored.states[number] for number in self.numbers[low : low + BLOCK].tolist()]
            self.game.expect(part)
            found += [self.game.actions(state) for state in part]
        return found

    @cached_property
    def named(self) -> tuple[Ints, Ints]:
        """The numbers of the names of what may be done, and where each state's begin."""
        parts = [self.rules.named(self.codes[low : low + (1 << 15)]) for low in range(0, len(self.codes), 1 << 15)]
        width = np.diff(self.explored.graph.action_start)[self.numbers]
        return np.concatenate(parts), np.cumsum(width) - width

    def _told(self, doing: str) -> list[int]:
        if self.progress:
            self.progress(doing, 0, len(self.numbers))
        return self.numbers.tolist()

    def feature(self, feature: CardFeature) -> Ints:
        """Read a feature in all states."""
        if self.rules is not None:
            found = self._at_once(feature)
            if found is not None:
                return found
        return np.array([feature.read(state) for state in self.alone], dtype=np.int64)

    def _at_once(self, feature: CardFeature) -> Ints | None:
        """Read a feature from columns; None where its function takes one position only, or says something else of many."""
        try:
            found = np.broadcast_to(np.asarray(feature.read(self.columns)), self.codes.shape).astype(np.int64)
        except Exception:
            return None
        places = np.linspace(0, len(self.codes) - 1, min(SAMPLE, len(self.codes))).astype(np.int64).tolist()
        alone = [feature.read(self.rules.position(int(self.codes[place]))) for place in places]
        return found if [int(found[place]) for place in places] == alone else None

    def verb(self, verb: Verb) -> Ints:
        """Find the place of the action that a verb means in all states. Raises `GameError` for one that is not legal."""
        if self.rules is not None and verb.action is not None:
            return self._named(verb)
        rows = zip(self.alone, self.offers, strict=True)
        return np.array([self._place(verb, state, offered) for state, offered in rows], dtype=np.int64)

    def _named(self, verb: Verb) -> Ints:
        names, begin = self.named
        place = np.arange(len(names)) - np.repeat(begin, np.diff(begin, append=len(names)))
        wanted = [number for number in np.unique(names).tolist() if self.rules.name_of(number) == verb.action]
        found = np.full(len(begin), -1, dtype=np.int64)
        here = np.isin(names, wanted)
        found[np.repeat(np.arange(len(begin)), np.diff(begin, append=len(names)))[here]] = place[here]
        return found

    def _place(self, verb: Verb, state: Any, offered: Sequence[Any]) -> int:
        action = verb.find(state)
        if action is None:
            return -1
        try:
            return list(offered).index(action)
        except ValueError:
            raise GameError(
                f"the verb {verb.name!r} means {action!r} at state {self.game.alone().show_state(state)}, which is no action "
                "there: a verb finds a legal action, or None"
            ) from None
