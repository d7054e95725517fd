"""The card evaluator of the graph: cards computed on an explored game, all decisions at once."""

from functools import cached_property
from random import Random

import numpy as np
import numpy.typing as npt

from rollwise.model.card import Card, CardLine
from rollwise.model.game import Progress
from rollwise.solvers.base.card_evaluator import Account, CardEvaluator, Effort, Misplay
from rollwise.solvers.graph.card_play import ALWAYS, GraphCardPlay
from rollwise.solvers.graph.cuts import Ranked
from rollwise.solvers.graph.evaluate import StrategyEvaluator, make_evaluator
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.values import Floats, Ints, Values
from rollwise.solvers.graph.words import Played, WordTable, read_words

__all__ = ["GraphCardEvaluator"]

KEPT = 20_000
"""Values that are remembered."""


class GraphCardEvaluator(CardEvaluator):
    """Computes cards on the graph of a game that is solved."""

    def __init__(self, explored: Explored, values: Values, progress: Progress | None = None) -> None:
        graph, self.explored, self.best = explored.graph, explored, values
        self.two = bool(graph.two_players)
        self.higher = graph.maximise or self.two
        choice = np.asarray(values.choice)
        self.evaluators: list[StrategyEvaluator] = [
            make_evaluator(graph, player, choice) for player in range(2 if self.two else 1)
        ]
        self.states: Ints = np.concatenate([evaluator.state for evaluator in self.evaluators])
        self.whole = 1.0 if self.two and explored.objective.wins else 0.0
        self.optimum = self.whole / 2 if self.two else self._own(float(values.pending[0]))
        self.progress, self.effort = progress, Effort()
        self.edges = sum(len(evaluator.arrays.target) + len(evaluator.pick) for evaluator in self.evaluators) + 30_000
        """Steps that one value takes."""
        self.known: dict[int, float] = {}

    @cached_property
    def words(self) -> WordTable:
        """The words of the game in all decisions."""
        return read_words(self.explored, self.states, self.progress)

    @cached_property
    def best_choice(self) -> Ints:
        """The best action by decision."""
        return np.asarray(self.best.choice)[self.states].astype(np.int64)

    @cached_property
    def ranked(self) -> Ranked:
        """The features as ranks, in which conditions are cut."""
        flags = {feature.name for feature in self.words.vocabulary.features if feature.is_flag}
        return Ranked.of(self.words.feature, flags)

    def value(self, card: Card) -> float:
        choice = self.words.play_rows(card).choice
        key = hash(choice.astype(np.int16).tobytes())
        if key not in self.known:
            self.effort.spend(self.edges + len(card.lines) * self.words.rows / 4)
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[key] = self.choice_value(choice[self.words.row])
        return self.known[key]

    def prepare(self, size: int) -> None:
        choice = np.zeros(len(self.states), dtype=np.int64)
        self.choice_value(choice)
        self.visits(choice)
        self.ranked.conditions(np.zeros(1, dtype=np.int64), np.ones(1), depth=2, width=2)

    def first_cards(self, size: int) -> list[Card]:
        return [Card((CardLine(ALWAYS, verb),)) for verb in self.words.verb]

    def play(self, card: Card, random: Random) -> GraphCardPlay:
        return GraphCardPlay(self, card)

    def choice_value(self, choice: Ints) -> float:
        """Give what choices are worth, one for every decision."""
        found = [evaluator.value(part) for evaluator, part in zip(self.evaluators, self._parted(choice), strict=True)]
        return self._own((sum(found) + self.whole * (len(found) - 1) * self.explored.unit) / len(found))

    def _own(self, value: float) -> float:
        """A value as the objective counts it, from one of which more is better."""
        return (value if self.higher else 0.0 - value) / self.explored.unit

    def _parted(self, by_decision: npt.NDArray[np.int64]) -> list[Ints]:
        return np.split(by_decision, np.cumsum([len(evaluator.state) for evaluator in self.evaluators])[:-1])

    def visits(self, choice: Ints) -> Floats:
        """Give how often a game comes to each decision; where two play, the mean of going first and second."""
        found = [evaluator.visits(part) for evaluator, part in zip(self.evaluators, self._parted(choice), strict=True)]
        return np.concatenate(found) / len(found)

    def action_values(self, choice: Ints) -> Floats:
        """Give what every action of every decision is worth under choices, one decision after another; more is better."""
        parts = zip(self.evaluators, self._parted(choice), strict=True)
        return np.concatenate([evaluator.action_values(evaluator.values(part)) for evaluator, part in parts]) / self.explored.unit

    @cached_property
    def starts(self) -> Ints:
        """Where the actions of a decision begin among all."""
        width = np.concatenate([evaluator.widths for evaluator in self.evaluators])
        return np.asarray(np.cumsum(width) - width)

    def account(self, card: Card, worst: int = 10) -> Account:
        played = self.words.play(card)
        times, loss = self.visits(played.choice), self.regret(played.choice)
        cost, lines = times * loss, len(card.lines) + 1
        by_line = np.where(played.line < 0, lines - 1, played.line)
        return Account(
            self.choice_value(played.choice),
            tuple(np.bincount(by_line, cost, lines).tolist()),
            tuple(np.bincount(by_line, times, lines).tolist()),
            tuple(self._misplay(place, played, times, loss) for place in self._dearest(cost, worst)),
        )

    def regret(self, choice: Ints) -> Floats:
        """Give what each choice loses against the best, if all later ones are best."""
        worth = self.best_worth
        lost: Floats = worth[self.starts + self.best_choice] - worth[self.starts + choice]
        return np.maximum(lost, 0.0)

    @cached_property
    def best_worth(self) -> Floats:
        """What every action of every decision is worth if all later ones are best."""
        return self.action_values(self.best_choice)

    @cached_property
    def best_times(self) -> Floats:
        """How often a game comes to each decision under best play."""
        return self.visits(self.best_choice)

    def _dearest(self, cost: Floats, worst: int) -> list[int]:
        found = np.argsort(-cost, kind="stable")[:worst]
        return found[cost[found] > 0].tolist()  # type: ignore[no-any-return]

    def _misplay(self, place: int, played: Played, times: Floats, loss: Floats) -> Misplay:
        state = self.explored.states[int(self.states[place])]
        actions = self.explored.game.actions(state)
        chosen, best = actions[int(played.choice[place])], actions[int(self.best_choice[place])]
        return Misplay(state, int(played.line[place]), chosen, best, float(times[place]), float(loss[place]))
