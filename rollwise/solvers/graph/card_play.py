"""A card's own play on the graph of a game: what its actions are worth, and which lines would gain most.

With the values of all moves under the card itself, and how often its play comes to each position, the gain of every candidate
line at every place follows in one pass over the rows of the table (`cuts`): the first step of policy improvement, restricted to
what a line can say.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rollwise.model.card import Card, CardLine
from rollwise.solvers.base.card_evaluator import CardPlay
from rollwise.solvers.graph.cuts import Proposal
from rollwise.solvers.graph.values import Floats, Ints
from rollwise.solvers.graph.words import Played

if TYPE_CHECKING:
    from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator

__all__ = ["ALWAYS", "GraphCardPlay", "Standing"]

ALWAYS: tuple[tuple[()], ...] = ((),)
"""A condition that always holds."""
NEVER = -1e6
"""What never ending the game counts for in the search."""
DEPTH, WIDTH = 3, 5
"""How many comparisons a line may have, and how many conditions are followed up at each."""
MANY_ROWS = 50_000
"""Rows beyond which fewer are tried."""
CHECKED, EXCHANGED = 12, 4
"""Candidates that are given at a time, and where a line is exchanged."""


@dataclass(frozen=True, eq=False)
class Standing:
    """What single moves are worth: how often decisions occur, and the worth of their actions with all later moves given."""

    evaluator: "GraphCardEvaluator"
    card: Card
    times: Floats
    worth: Floats
    verbs: dict[str, Floats]
    """By row, what doing as a verb says is worth, times how often it occurs; 0 where it means nothing."""

    @classmethod
    def of(cls, evaluator: "GraphCardEvaluator", card: Card) -> "Standing":
        """Compute it with all later moves the card's."""
        evaluator.effort.spend(6 * evaluator.edges)
        choice = evaluator.words.play(card).choice
        return cls._made(evaluator, card, evaluator.visits(choice), evaluator.action_values(choice))

    @classmethod
    def at_best(cls, evaluator: "GraphCardEvaluator", card: Card) -> "Standing":
        """Compute it as if later moves were the best ones, where the card's play leads and where the best play does."""
        evaluator.effort.spend(2 * evaluator.edges)
        own = evaluator.visits(evaluator.words.play(card).choice)
        return cls._made(evaluator, card, (np.where(np.isfinite(own), own, 0.0) + evaluator.best_times) / 2, evaluator.best_worth)

    @classmethod
    def _made(cls, evaluator: "GraphCardEvaluator", card: Card, times: Floats, worth: Floats) -> "Standing":
        """Put it together; a card that may never end the game has no values in some places."""
        times = np.where(np.isfinite(times), times, 0.0)
        found = cls(evaluator, card, times, np.where(np.isfinite(worth), worth, NEVER), {})
        found.verbs.update({name: found.by_row(place) for name, place in evaluator.words.verb.items()})
        return found

    def by_row(self, place: Ints) -> Floats:
        """Add up by row what actions are worth, given by their places (below 0: none)."""
        words = self.evaluator.words
        chosen = place[words.row]
        own = np.where(chosen >= 0, self.worth[self.evaluator.starts + np.maximum(chosen, 0)], 0.0) * self.times
        return np.bincount(words.row, own, words.rows).astype(np.float64)

    @cached_property
    def played(self) -> Played:
        """What the card does, by row."""
        return self.evaluator.words.play_rows(self.card)

    @cached_property
    def own(self) -> Floats:
        """By row, what the card's moves are worth."""
        return self.by_row(self.played.choice)

    @cached_property
    def met(self) -> npt.NDArray[np.bool_]:
        """The rows that occur."""
        words = self.evaluator.words
        return np.bincount(words.row, self.times, words.rows) > 0

    def open_to(self, place: int) -> Ints:
        """The rows that occur and that no line before a place takes."""
        line = self.played.line
        return np.flatnonzero(self.met & ((line >= place) | (line < 0)))


class GraphCardPlay(CardPlay):
    """A card's own play on the graph."""

    def __init__(self, evaluator: "GraphCardEvaluator", card: Card) -> None:
        self.evaluator, self.card = evaluator, card
        self.words, self.ranked = evaluator.words, evaluator.ranked

    @cached_property
    def standing(self) -> Standing:
        """The worth of single moves under the card."""
        return Standing.of(self.evaluator, self.card)

    def longer(self, room: int) -> Iterator[list[Card]]:
        best = Standing.at_best(self.evaluator, self.card)
        yield [*self.added(self.standing), *self.added(best)]
        yield list(self.singled_out())

    def changed(self) -> Iterator[list[Card]]:
        yield list(self.remade())
        for shorter in self.shorter():
            # A line is taken away, and another added somewhere.
            play = GraphCardPlay(self.evaluator, shorter)
            yield [*play.added(play.standing, EXCHANGED), shorter]
        lines = self.card.lines
        yield [self.card.with_lines(*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]) for at in range(len(lines) - 2)]

    def shorter(self) -> list[Card]:
        return [self.card.without(place) for place in range(len(self.card.lines) - 1)]

    def added(self, standing: Standing, checked: int = CHECKED) -> Iterator[Card]:
        """Give the cards with one line more that should gain most."""
        lines = standing.card.lines
        found: list[tuple[Proposal, int, str]] = []
        for place in range(len(lines)):
            rows = standing.open_to(place)
            for verb in self.words.verb:
                found += [(one, place, verb) for one in self._conditions(standing, rows, verb, standing.own)]
        for proposal, place, verb in _most(found, checked):
            yield standing.card.with_lines(*lines[:place], self._line(proposal, verb), *lines[place:])

    def remade(self) -> Iterator[Card]:
        """Give the cards with one line made again that should gain most; the last line keeps that it always fits."""
        standing, lines = self.standing, self.card.lines
        found: list[tuple[Proposal, int, str]] = []
        for place, shorter in enumerate(self.shorter()):
            fallen = standing.by_row(self.words.play_rows(shorter).choice)
            self.evaluator.effort.spend(len(lines) * self.words.rows)
            rows = standing.open_to(place)
            now = float((standing.own - fallen)[rows].sum())
            for verb in self.words.verb:
                proposals = self._conditions(standing, rows, verb, fallen)
                found += [(Proposal(one.gain - now, one.cuts), place, verb) for one in proposals]
        for proposal, place, verb in _most(found, CHECKED):
            yield self.card.with_lines(*lines[:place], self._line(proposal, verb), *lines[place + 1 :])
        for verb in self.words.verb:
            yield self.card.with_lines(*lines[:-1], CardLine(ALWAYS, verb))

    def singled_out(self) -> Iterator[Card]:
        """Give cards with a first line for just one row: where a card can be as long as it likes, it loses nothing in the end."""
        standing, ranked = self.standing, self.ranked
        options: list[tuple[float, int, str]] = []
        for verb, worth in standing.verbs.items():
            gain = np.where(self.words.verb[verb] >= 0, worth - standing.own, 0.0)
            options += [(float(gain[row]), row, verb) for row in np.argsort(-gain, kind="stable")[:4].tolist()]
        for most, row, verb in sorted(options, key=lambda one: -one[0])[:CHECKED]:
            if most > 0.0:
                values = [numbers[rank] for numbers, rank in zip(ranked.numbers, ranked.ranks[row], strict=True)]
                cuts = tuple(ranked.cut(column, int(value)) for column, value in enumerate(values))
                yield self.card.with_lines(self._line(Proposal(most, cuts), verb), *self.card.lines)

    def _conditions(self, standing: Standing, rows: Ints, verb: str, instead: Floats) -> list[Proposal]:
        """Give the best conditions for doing as a verb says, among some rows, in place of what is done now."""
        rows = rows[self.words.verb[verb][rows] >= 0]
        if not len(rows):
            return []
        gain = (standing.verbs[verb] - instead)[rows]
        if not (gain > 0).any():
            return []
        depth, width = (DEPTH - 1, WIDTH - 2) if self.words.rows > MANY_ROWS else (DEPTH, WIDTH)
        self.evaluator.effort.spend(2000 + len(rows) * len(self.ranked.names) * (1 + width * (depth - 1)) / 8)
        return self.ranked.conditions(rows, gain, depth=depth, width=width)[:4]

    def _line(self, proposal: Proposal, verb: str) -> CardLine:
        return CardLine((tuple(map(self.ranked.comparison, proposal.cuts)),), verb)


def _most(found: list[tuple[Proposal, int, str]], count: int) -> list[tuple[Proposal, int, str]]:
    """Give those that should gain most, not more than a few for the same place."""
    chosen, places = [], dict[int, int]()
    for one in sorted((one for one in found if one[0].gain > 0), key=lambda one: -one[0].gain):
        if places.get(one[1], 0) < 3:
            chosen.append(one)
            places[one[1]] = places.get(one[1], 0) + 1
        if len(chosen) == count:
            break
    return chosen
