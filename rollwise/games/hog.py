"""Hog: two players race to a target; a turn is one roll of as many dice as one likes, and any 1 scores nothing.

Rules. The player whose turn it is says how many dice to roll, one or more, and rolls them once. If any of them shows a 1 the turn
scores nothing, else what all of them show. Then it is the other's turn. The first to reach the target wins; so there are no
ties. Nothing that is scored is lost again. (The games of the same name in which a 1 scores one point, in which no dice may be
rolled, or in which scores are swapped, are others: `examples/hog.toml` is one of them.)

Up to `most_dice` dice are rolled. More dice than would surely reach the target, each showing 2 or more, are not offered: one more
could only be a 1. From 24 dice on, the 6 ** 24 throws and more are too many for the integers that chances are made of; they are
rounded there to multiples of 2 ** -61, also where the value is asked for as a fraction. Of loaded dice fewer are that many.

The value is the first player's chance to win. Two turns that score nothing lead back to the same position.

Sources: Feldman, Morgan, The Pedagogy and Probability of the Dice Game HOG, Journal of Statistics Education 11 (2003), for the
game; Neller, Presser, Pigtail: A Pig Addendum, The UMAP Journal 26 (2005), for how variants of Pig are solved. On average 5 or 6
dice score most, 4 n (5/6)^n = 8.0376. No publication is known to us that prints the chance to win; it was computed twice.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np

from rollwise.errors import GameError, PositionError
from rollwise.games.columns import ColumnGame, Mover, Number, Relation, chance, choice, maximum, where
from rollwise.games.columns.column import PLAYERS
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.games.score_vocabulary import score_features
from rollwise.model.abilities import Heuristic, Races
from rollwise.model.card import Verb, Vocabulary
from rollwise.model.formatting import counted
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import not_a_position
from rollwise.model.objectives import AtLeast
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reading import read_race
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.roll import LARGEST
from rollwise.model.view import OfferedAim, Part, Rules, number_part, scores_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, more_than_ones

__all__ = ["Hog"]

HIGHEST, MOST_DICE = 200, 60
FINE = LARGEST // 2
"""What the weights of a roll add up to where they must be rounded."""


class HogNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "Hog"

    def show_state(self, state: Any) -> str:
        return f"{state.first} {state.second} {'over' if self.game.is_over(state) else PLAYERS[state.mover]}"

    def read_state(self, text: str) -> Any:
        numbers, who = read_race(text, self.game.target)
        if who is None or len(numbers) > 2:
            raise not_a_position(text, "FIRST-SCORE SECOND-SCORE WHO-MOVES", "'27 31 first'")
        first, second, over = *map(int, numbers), who == "over"
        if over and (max(first, second) != self.game.target or first == second):
            raise PositionError(f"{text!r} has no winner: expected one score of {self.game.target} and one below")
        if not over and max(first, second) >= self.game.target:
            raise PositionError(
                f"{text!r} has a player with {self.game.target} points or more: write '{self.game.target} 31 over'"
            )
        return self.game.at(first=first, second=second, mover=int(first == self.game.target) if over else PLAYERS.index(who))

    def show_pending(self, pending: Any) -> str:
        rolls = f" rolls {counted(pending.dice, 'die', 'dice')}" if pending.dice else ""
        return f"{pending.first} {pending.second} {PLAYERS[pending.mover]}{rolls}"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {"first": str(state.first), "second": str(state.second), "mover": PLAYERS[state.mover]}


class HogView(ColumnView):
    """The board and the words of the game."""

    game: "Hog"
    compares = "nothing"
    look = "hog"
    own_aim = OfferedAim.known("own", "", key="own-first")
    other_aims = ()

    def parts(self, state: Any) -> Sequence[Part]:
        mover = None if self.game.is_over(state) else state.mover
        scores = scores_part("score", (state.first, state.second), self.game.target, mover, label="points")
        return [
            scores,
            *([number_part("dice", state.dice, 0, self.game.most, label="dice to roll")] if state.dice else []),
        ]

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [(self._name(pending, state), ()) for state in states]

    def _name(self, pending: Any, state: Any) -> Text:
        """Name a roll; before the first turn nothing is rolled.

        >>> game = Hog(20)
        >>> HogView(game)._name(game.start(), game.read_state("0 0 first")).key
        'hog.no-roll'
        """
        if not pending.dice:
            return Message("hog.no-roll")
        points = state.first - pending.first + state.second - pending.second
        if self.game.is_over(state):
            return Message("pig.wins", {"points": int(points)})
        return Message("hog.points", {"points": int(points)}) if points else Message("hog.nothing")

    def decision(self, state: Any) -> Text:
        return Message("hog.how-many")

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        dice = int(action.removeprefix("roll "))
        return Message("hog.move", {"n": dice}) if beside is None else str(dice)

    def because(self, move: Comparison) -> Text | None:
        state = move.state
        if not move.has_better:
            wins = 0 if move.rival else self._scores(state, move.action)["wins"]
            return Message("hog.wins-alone", {"chance": wins}) if wins else None
        better, worse = (self._scores(state, action) for action in move.ordered)
        score, other = (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        found = {**better, **{f"{name}2": value for name, value in worse.items()}, "score": score, "other": other}
        kind = "wins" if better["wins"] > worse["wins"] else "mean" if better["mean"] > worse["mean"] else "bolder"
        kind = "safer" if kind == "bolder" and better["n"] < worse["n"] else kind
        of = {name: Message("n.with-dice", {"n": side["n"]}) for name, side in (("dice", better), ("dice2", worse))}
        return join_reasons(Message(f"hog.{kind}", {**found, **of}), name_chances(move))

    def _scores(self, state: Any, action: str) -> dict[str, float]:
        """What a roll scores on average, when it scores as well, and the chances that it scores and that it wins."""
        dice, need = int(action.removeprefix("roll ")), int(self.game.need(state))
        weights = dict(self.game.scored(dice, need))
        total = sum(weights.values())
        mean, scores = sum(points * weight for points, weight in weights.items()) / total, 1 - weights.get(0, 0) / total
        chances = {"scores": round_chance(scores), "wins": round_chance(weights.get(need, 0) / total)}
        return {"n": dice, "mean": round(mean, 2), "then": round(mean / scores, 1), **chances}

    def rules(self) -> Rules:
        about = {"points": self.game.target, "most": self.game.most}
        usual = Message("rules.hog.race", about)
        race = usual if self.game.faces == 6 else Message("rules.hog.faces", {**about, "faces": self.game.faces})
        return Rules((race, Message("rules.hog.turn"), Message("rules.hog.win", {"points": self.game.target})))


class Hog(ColumnGame, Heuristic, Races, ThrowsDice):
    """Race to a target with one roll a turn, of any number of dice.

    >>> import rollwise
    >>> solution = rollwise.solve(Hog(target=20))
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("0 0 first"))
    (0.593419, 'roll 6')

    Raises `GameError` for a target below 2 or above 200, dice with fewer than 2 faces, or fewer than 1 or more than 60 of them.
    """

    notation = HogNotation
    view = HogView
    objective = AtLeast(1)
    chooses = "dice"

    parameters = (
        Parameter.known("target", Integer(2, HIGHEST), "100"),
        Parameter.known("most_dice", Integer(1, MOST_DICE), "30"),
        Parameter.known("faces", Integer(2, 100), "6"),
        WEIGHTS,
    )
    gains = False

    def __init__(self, target: int = 100, most_dice: int = 30, faces: int = 6, weights: Sequence[int] | None = None) -> None:
        if not 2 <= target <= HIGHEST or not 2 <= faces <= 100 or not 1 <= most_dice <= MOST_DICE:
            raise GameError(
                f"a target of {target} with up to {counted(most_dice, 'die', 'dice')} of {counted(faces, 'face')} was given: "
                f"expected 2 to {HIGHEST}, 1 to {MOST_DICE} and 2 to 100"
            )
        self.target, self.faces, self.weights = target, faces, more_than_ones(faces, weights)
        self.most = min(most_dice, self.enough(target))
        self.declare(first=Number(target), second=Number(target), mover=Mover(), dice=Number(self.most))

    def enough(self, need: Any) -> Any:
        """How many dice surely make up for what is needed, if none shows a 1."""
        return (need + 1) // 2

    @cached_property
    def ways(self) -> list[list[int]]:
        """By the number of dice: in how many throws none shows a 1, by their sum."""
        found = [np.array([1], dtype=object)]
        for _ in range(self.most):
            last = found[-1]
            more = np.zeros(len(last) + self.faces, dtype=object)
            for face, weight in enumerate(self.weights[1:], 2):
                more[face : face + len(last)] += weight * last
            found.append(more)
        return [ways.tolist() for ways in found]

    def scored(self, dice: int, need: int) -> list[tuple[int, int]]:
        """What a roll scores, with its weight; whatever reaches the target is one."""
        sums = self.ways[dice]
        scored = {total: ways for total, ways in enumerate(sums[:need]) if ways}
        scored[need] = sum(sums[need:])
        every = sum(self.weights) ** dice
        scored[0] = every - sum(scored.values())
        if every >= LARGEST:
            scored = {total: ways * FINE // every for total, ways in scored.items()}
            scored[0] += FINE - sum(scored.values())
        divisor = gcd(*scored.values())
        return [(total, ways // divisor) for total, ways in sorted(scored.items()) if ways]

    def rolls(self) -> Relation:
        """What is scored, by what is needed and the number of dice."""
        rows = [
            (self._key(need, dice), total, weight)
            for need in range(1, self.target + 1)
            for dice in range(1, min(self.most, self.enough(need)) + 1)
            for total, weight in self.scored(dice, need)
        ]
        key, points, weight = zip(*rows, strict=True)
        return Relation({"roll": key, "points": points}, key="roll", weight=weight)

    def _key(self, need: Any, dice: Any) -> Any:
        return need * (self.most + 1) + dice

    def need(self, position: Any) -> Any:
        """What the mover needs."""
        return self.target - where(position.mover == 0, position.first, position.second)

    @chance(rolls, on=lambda self, p: self._key(self.need(p), p.dice), unless=lambda p: p.dice == 0)
    def thrown(self, p: Any, roll: Any) -> Any:
        """Score what the dice show, or nothing; then it is the other's turn."""
        return p.but(
            first=p.first + (1 - p.mover) * roll.points,
            second=p.second + p.mover * roll.points,
            mover=1 - p.mover,
            dice=0,
        )

    def numbers(self) -> Relation:
        """How many dice may be rolled."""
        return Relation({"dice": range(1, self.most + 1)})

    @choice("roll", numbers, when=lambda self, s, some: ~self.is_over(s) & (some.dice <= self.enough(self.need(s))))
    def rolled(self, s: Any, some: Any) -> Any:
        """Say how many dice to roll."""
        return s.but(dice=some.dice)

    def is_over(self, position: Any) -> Any:
        """Say where a player has reached the target."""
        return maximum(position.first, position.second) == self.target

    def final(self, s: Any) -> Any:
        return s.first == self.target

    # How it looks and speaks

    def clean(self, dice: int) -> float:
        """The chance that no die shows a 1."""
        return float((1 - self.weights[0] / sum(self.weights)) ** dice)

    def heuristic(self, state: Any, action: str) -> float:
        """What the roll scores on average."""
        dice = int(action.removeprefix("roll "))
        return self.clean(dice) * dice * self._mean

    @cached_property
    def _mean(self) -> float:
        """What a die shows on average that does not show a 1."""
        whole = sum(face * weight for face, weight in enumerate(self.weights[1:], 2))
        return whole / sum(self.weights[1:])

    def choice_at(self, best: Callable[[Any], Any], own: int, other: int) -> int | None:
        """Give how many dice best play rolls."""
        move = best(self.at(first=own, second=other, mover=0))
        return int(move.removeprefix("roll ")) if move else None

    def vocabulary(self) -> Vocabulary:
        """Rolling so many dice means fewer where fewer are offered, as they surely are enough."""
        verbs = tuple(map(self._roll_verb, range(1, self.most + 1)))
        return Vocabulary(score_features(self.target), verbs)

    def _roll_verb(self, dice: int) -> Verb:
        says = "roll one die" if dice == 1 else f"roll {dice} dice, or as many as may be rolled"
        return Verb(f"roll {dice}", lambda s: self._rolling(dice, s), says)

    def _rolling(self, dice: int, state: Any) -> str | None:
        return None if self.is_over(state) else f"roll {min(dice, self.enough(int(self.need(state))))}"
