"""Farkle: roll six dice, set aside what scores, and bank before a roll without points loses the turn.

Rules. A turn begins with six dice. After each roll at least one scoring die must be set aside; then the player banks, which
ends the turn, or rolls the dice that are left. When all six have scored there are six new dice ("hot dice"). A roll in which
nothing scores, a farkle, ends the turn and loses all its points. Combinations count within one roll only: two ones set aside
and a third one rolled later are three single ones. Banking banks everything that scores in the last roll. The dice of a
set may be split into combinations in any way, and count in the best one; setting aside fewer dice than possible is allowed.

`rules=basic`: a 1 is 100, a 5 is 50, three alike are 100 times their face, three ones 1,000. The other rule sets:

facebook  four, five, six alike 2, 3, 4 times the three; straight 1,500; three pairs 750 (the combinations: Graham, Farkle Odds,
          2009; the points: Busche's strategy generator, see below).
patch     the boxed game: three ones 300; four, five, six alike 1,000, 2,000, 3,000; straight, three pairs, or four alike and a
          pair 1,500; two triplets 2,500; a player's first bank needs 500 (howdoyouplayit.com/farkle-dice-game-rules).
kcd       Kingdom Come: Deliverance: each die beyond three alike doubles; 1-5 500, 2-6 750, 1-6 1,500, and a die besides 1-5 may
          count too (kingdomcomedeliverance.wiki.gg/wiki/Farkle).
zilch     zilch.playr.co.uk/rules.php: each die beyond three alike doubles; straight and three pairs 1,500; six dice without
          points 500, so that six dice never lose; a bank needs 300.

Two questions that these texts leave open are settled by published figures. In `zilch` four alike and a pair count as three
pairs: only then a player who loses 500 with every third farkle in a row gets 620.855 a turn in the long run (Busche, Maximizing
Expected Scores in the Game of Zilch, 2010; we get 620.8547, or else 611.79). In `facebook` they do not: only then six dice are
rolled below 16,400 points (Busche; the bound is 16,397, or else 16,424). The penalty for three farkles in a row is left out
here.

One turn (`players=1`) is played for the highest expected points. It has no limit, but at a certain total banking is best,
whatever dice are left: let e(n) be the mean of the best score of n dice, 0 for a farkle, and f(n) the chance of a farkle. With
T points, rolling n dice once and banking gives T + e(n) - T f(n) on average, no more than T if T >= e(n) / f(n). From the
largest of these totals on that holds for all n, and it stays so, as points only grow; so "T" satisfies the inequality of
optimality there, and rolling is worth at most T. Rolling on is therefore offered below that total only (10,050 in `basic`), and
the value is that of the game without a limit. In `zilch` f(6) is 0: six dice are always rolled, which is worth c = e(6) / (1 -
q) in all if they all score with chance q; with e(n) taken to include c where all dice score, the same holds for n < 6. Beyond
it only six dice that score at once lead on, and rolling on ends where the chance to get there, times c, is below 1e-10: the
value is too low by less than that. `most` sets another limit; `--at-least N` with N above it needs one.

The race (`players=2`): in turn, a player who banks a score of at least `target` wins at once; there is no final round. A farkle
passes the dice. The value is the first player's chance. With `target` in reach of the turn's points rolling on is not offered:
a bank wins. `opening` is what the first bank of a player needs; in one turn it says that it is such a turn.

Dice may be loaded, each in its own way (`weights`). Where they differ, a position says which dice were rolled and which are left:
hands are written die by die, `1-24--` (`games/farkle/hands.py`). The limit of a turn is then as above, for all dice that may be
left, or a total that is hardly ever reached (`enough_loaded`).

Other figures. A README (github.com/Phwatang/kcd_farkle_solver) has 399, 517.9492 and 517.9492 points for at most one, two and
three rolls with the rules `kcd`; they are 399.11, 505.51 and 547.36, and 564.44 without a limit. Its program packs rolls with
faces from 1 on and unpacks them from 0 on, so that what a roll is worth if one goes on is looked up for a roll with each face
one higher; it never sets aside all dice and goes on; and it drops the result of its third round, to print the second again.
With the first two faults, adding in single precision, we get its 517.9492.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rollwise.errors import GameError, PositionError, one_of
from rollwise.games.columns import ColumnGame, Dice, Hands, Mover, Number, Relation, chance, choice, where
from rollwise.games.columns.column import PLAYERS
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.games.columns.relation import Ints
from rollwise.games.farkle.hands import FACES, hands_of
from rollwise.games.farkle.scores import FIFTY, RULES, Scores
from rollwise.games.farkle.vocabulary import Aside, turn_features, turn_verbs
from rollwise.games.score_vocabulary import score_features
from rollwise.model.abilities import Heuristic
from rollwise.model.card import Vocabulary
from rollwise.model.formatting import counted, is_number
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import not_a_position
from rollwise.model.objectives import AtLeast
from rollwise.model.parameter import Choice, Integer, Parameter
from rollwise.model.plain_words import move_verb
from rollwise.model.reading import SEPARATORS, Typed, join_commas, read_race
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.view import BoxRule, Example, OfferedAim, Part, Rules, dice_part, number_part, scores_part
from rollwise.model.weights import Faces, ThrowsDice, WeightsOfDice, show_weights, weights_of_dice

__all__ = ["Farkle", "FarkleRace", "FarkleTable", "farkle"]

SMALL = 1e-10
"""The most by which a limit of a turn in which six dice never lose may lower its value."""
LARGEST = 100_000
"""Points of a limit or a target that can be asked for."""
SLOPES, ROUNDS, HUGE = 18, 500, 1e60
"""Slopes of moments that are tried to find a limit, rounds in which one must come to rest, and where it has not."""
TARGET = 10_000


class Rolls(NamedTuple):
    """What a roll of so many dice brings, by their number: the mean of its best score in fifties, the chance of a farkle."""

    mean: tuple[float, ...]
    farkle: tuple[float, ...]


class FarkleTableNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "FarkleTable"

    def is_dice(self, word: str) -> bool:
        """Say whether a word is dice, or none of them; points end with a 0."""
        return word != "" and set(word) <= set("123456-")

    def split_dice(self, text: str) -> tuple[str, list[str]]:
        """Take the dice that are written one by one out of a text, where dice differ."""
        words = join_commas(text).split()
        found = [word for word in words if self.game.hands.is_written(word)][-1:]
        return " ".join(word for word in words if word not in found) if found else text, found

    def dice_of(self, text: str, dice: str) -> int:
        """Read a hand. Raises `PositionError`."""
        found = self.game.hands.read(dice)
        if found is None:
            raise PositionError(f"{text!r} has the dice {dice!r}: expected {self.game.hands.example}, or -")
        for face, weights in zip(self.game.hands.show(found), self.game.loads, strict=False):
            if face != "-" and not weights[int(face) - 1]:
                raise PositionError(Message("error.never-shown", {"face": int(face), "weights": show_weights([weights])}))
        return found

    def fifties_of(self, text: str, points: str) -> int:
        """Read points in fifties. Raises `PositionError`."""
        if int(points) % FIFTY:
            raise PositionError(f"{text!r} has {points} points: expected a multiple of {FIFTY}")
        return int(points) // FIFTY


class FarkleTableView(ColumnView):
    """The board and the words of the game."""

    game: "FarkleTable"
    compares = "nothing"
    look = "farkle"

    def board(self) -> Mapping[str, Any]:
        if self.game.differ:  # dice that differ are not drawn as dice that are alike
            return {name: value for name, value in super().board().items() if name != "look"}
        hands, worth = self.game.hands, self.game.worth.tolist()
        sets = {hands.show(hand): FIFTY * points for hand, points in enumerate(worth) if points}
        return {**super().board(), "sets": sets, "dice": self.game.number}

    def show_dice(self, state: Any) -> Sequence[int]:
        return self.game.hands.faces_of[state.hand]

    def parts(self, state: Any) -> Sequence[Part]:
        points = number_part("points", FIFTY * state.points, 0, None, label="points set aside this turn")
        dice = dice_part("dice", self.show_dice(state), 6, label="dice rolled")
        left = self.game.hands.dice_left[state.left]
        to_roll = [number_part("left", left, 0, self.game.number, label="dice to roll")] if left else []
        return [points, dice, *to_roll]

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        if not action.startswith("keep "):
            return super().name_move(state, action, beside=beside)
        kept = action.removeprefix("keep ")
        dice = kept if self.game.differ else " ".join(kept)
        if beside is not None and beside.startswith("keep "):
            return Message("farkle.aside-beside", {"dice": dice})
        every = sum(face != "-" for face in kept) == len(self.show_dice(state))
        left = self.game.hands.dice_left[self.game.play(state, action).left]
        kind = f"set-{'all' if every else 'aside'}{'' if beside is None else '-beside'}"
        return Message(f"farkle.{kind}", {"dice": dice, "n": left})

    def because(self, move: Comparison) -> Text | None:
        if not move.has_better:
            only = move.rival is None and move.action.startswith("keep")
            return Message("farkle.stake", self._rolling(move.state, move.action)) if only else None
        better, worse = move.ordered
        if "bank" in move.ordered:
            return self._or_bank(move.state, worse if better == "bank" else better, rolls=better != "bank")
        mine, other = (self._rolling(move.state, action) for action in move.ordered)
        more, safer = mine["points"] - other["points"], other["lost"] - mine["lost"]
        found = {
            **mine,
            "dice2": other["dice"],
            "lost2": other["lost"],
            "more": abs(more),
            "kept": ("" if self.game.differ else " ").join(better.removeprefix("keep ")),
        }
        if self.game.play(move.state, better).left == self.game.play(move.state, worse).left:
            return Message("farkle.more", found) if more > 0 else None
        kind = "even" if not more else "both" if more > 0 and safer >= 0 else "richer" if more > 0 else "safer"
        return None if more <= 0 and safer <= 0 else Message(f"farkle.{kind}", found)

    def is_obvious(self, state: Any, action: Any, rival: Any) -> bool:
        """Fewer points with as many dice left are plainly worse."""
        if "bank" in (action, rival):
            return False
        mine, other = (self.game.play(state, one) for one in (action, rival))
        return bool(mine.left == other.left and mine.points > other.points)

    def _or_bank(self, state: Any, keep: str, *, rolls: bool) -> Message:
        """Weigh a roll against banking: what it may lose and add, and whether it pays on average to roll once and then bank."""
        found = {**self._rolling(state, keep), "safe": self.game.banked(state)}
        if not found["lost"]:
            return Message("farkle.safe", found)
        pays = self.game.heuristic(state, keep) > self.game.banked(state)
        return Message(f"farkle.{'roll' if rolls else 'bank'}{'' if pays == rolls else '-still'}", found)

    def _rolling(self, state: Any, action: str) -> dict[str, Any]:
        """What is at stake when dice are set aside and the others rolled, and what the next roll adds unless it loses all."""
        after, rolls = self.game.play(state, action), self.game.rolls
        left, lost = self.game.hands.dice_left[after.left], rolls.farkle[after.left]
        adds = round(FIFTY * rolls.mean[after.left] / (1 - lost)) if lost < 1 else 0
        dice = Message("n.with-dice", {"n": left})
        return {"points": FIFTY * int(after.points), "left": left, "dice": dice, "lost": round_chance(lost), "adds": adds}

    def decision(self, state: Any) -> Text:
        return Message("farkle.bank-or-roll" if "bank" in self.game.actions(state) else "farkle.which")

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [self._name_hand(state) for state in states]

    def _name_hand(self, state: Any) -> tuple[Text, Sequence[int]]:
        faces = self.game.hands.faces_of[state.hand]
        if not faces:
            return Message("farkle.lost"), ()
        shown = " ".join(map(str, faces))
        return (shown if self.game.best[state.hand] else Message("farkle.farkle", {"dice": shown})), faces

    def score_rules(self) -> tuple[BoxRule, ...]:
        """What scores, for people, with examples."""
        scores = self.game.scores
        rows: list[tuple[str, str, tuple[int, ...]]] = [
            ("1", "each", (1,)), ("5", "each", (5,)), ("three ones", "points", (1, 1, 1)),
            ("three alike", "times-face", (4, 4, 4)), ("four alike", self._told_more(0), (2, 2, 2, 2)),
            ("five alike", self._told_more(1), (2,) * 5), ("six alike", self._told_more(2), (2,) * 6),
            ("straight", "all-faces", (1, 2, 3, 4, 5, 6)), ("1 to 5", "points", (1, 2, 3, 4, 5)),
            ("2 to 6", "points", (2, 3, 4, 5, 6)), ("three pairs", "points", (2, 2, 3, 3, 4, 4)),
            ("four alike and a pair", "points", (2, 2, 2, 2, 3, 3)), ("two triplets", "points", (2, 2, 2, 3, 3, 3)),
            ("nothing that scores", "six-dice", (2, 2, 3, 3, 4, 6)),
        ]  # fmt: skip
        plain, always = replace(RULES["basic"], three_ones=scores.three_ones, nothing=scores.nothing), (0, 1, 2, 3, len(rows) - 1)
        told = []
        for place, (name, pays, dice) in enumerate(rows):
            points = scores.points(dice)
            if len(dice) <= self.game.number and points and (place in always or points != plain.points(dice)):
                told.append(BoxRule(name, Message(f"pays.farkle.{pays}", {"points": points}), (Example(dice, points),)))
        return tuple(told)

    def _told_more(self, place: int) -> str:
        told = {"multiply": ("twice", "thrice", "four-times"), "double": ("twice", "four-times", "eight-times")}
        return told[self.game.scores.more][place] if self.game.scores.more in told else "points"

    def turn_rules(self) -> Message:
        """How a turn goes, for people."""
        return Message("rules.farkle.turn", {"dice": Message("n.die", {"n": self.game.number})})

    def dice_rules(self) -> tuple[Message, ...]:
        """Which dice there are, where they differ."""
        weights = show_weights(self.game.loads).replace("/", "; ")
        return (Message("rules.farkle.dice", {"weights": weights}),) if self.game.differ else ()


class FarkleTable(ColumnGame, Heuristic, ThrowsDice):
    """What one turn and the race share: the dice, what they score, and how they are told of."""

    notation = FarkleTableNotation
    view = FarkleTableView

    parameters = (
        Parameter.known("rules", Choice(*RULES), "basic"),
        Parameter.known("more", Choice("rules", "none", "multiply", "double", "flat"), "rules"),
        Parameter.known("straight", Integer(-1, LARGEST), "-1"),
        Parameter.known("three_pairs", Integer(-1, LARGEST), "-1"),
        Parameter.known("two_triplets", Integer(-1, LARGEST), "-1"),
        Parameter.known("opening", Integer(-1, LARGEST), "-1"),
        Parameter.known("dice", Integer(1, 6), "6", key="farkle-dice"),
        Parameter.known("most", Integer(-1, LARGEST), "-1"),
        Parameter.known("players", Integer(1, 2), "1", key="farkle-players"),
        Parameter.known("target", Integer(FIFTY, LARGEST), str(TARGET), key="farkle-target"),
        Parameter.known("weights", WeightsOfDice(), usual="fair", key="weights-of-dice"),
    )  # fmt: skip

    def lay_table(self, scores: Scores, dice: int, weights: Sequence[Any] | None) -> None:
        """Compute what hands and sets are worth, in fifties."""
        self.scores, self.number, self.loads = scores, dice, weights_of_dice(dice, FACES, weights)
        self.hands, self.weights = hands_of(self.loads), self.loads[0]
        self.worth = self.hands.of_alike(lambda hands: hands.of(scores.points) // FIFTY)
        self.best = self.hands.of_alike(self._best_of)
        if not any(self.rolls.mean):
            raise GameError(f"weights {show_weights(self.loads)}: no throw of these dice scores; change them")

    def _best_of(self, hands: Hands) -> Ints:
        """The most points in each hand, by its faces."""
        worth = hands.of(self.scores.points) // FIFTY
        found = self.sets if hands is self.hands else hands.keeps()
        best = np.zeros(len(hands), dtype=np.int64)
        np.maximum.at(best, found.hand, worth[found.kept])
        return best

    @cached_property
    def sets(self) -> Relation:
        """The sets that may be taken from a hand, by hand: their points, and which dice are left to roll."""
        found = self.hands.keeps(self.worth > 0)
        left = where(found.rest == 0, self.hands.full, self.hands.left[found.rest])
        return found.plus(points=self.worth[found.kept], left=left)

    @cached_property
    def rolls(self) -> Rolls:
        """What rolls bring, from no dice on."""
        thrown, weight = self.throws(), self.throws().weight.astype(np.float64)
        totals = np.bincount(thrown.dice, weight)
        mean = np.bincount(thrown.dice, weight * self.best[thrown.hand]) / totals
        lost = np.bincount(thrown.dice, weight * (self.best[thrown.hand] == 0)) / totals
        return Rolls(tuple(mean.tolist()), tuple(lost.tolist()))

    @property
    def loaded(self) -> tuple[Faces, ...]:
        """The weights of loaded dice: one for all, or of each die; none of fair ones."""
        return self.loads if self.differ else super().loaded

    @property
    def differ(self) -> bool:
        """Whether some dice differ from others."""
        return len(set(self.loads)) > 1

    def throws(self) -> Relation:
        """The throws by which dice are thrown."""
        return self.hands.throws()

    def name_left(self, left: int) -> str:
        """Name the dice that are left to roll."""
        number = counted(self.hands.dice_left[left], "die", "dice")
        names = self.hands.name_left(left)
        return f"{number} ({names})" if names else number

    def set_sizes(self) -> Relation:
        """The sets that may be taken from a hand, by hand."""
        return self.sets

    def heuristic(self, state: Any, action: str) -> float:
        """What an action gives on average if the turn ends with the next roll."""
        if action == "bank":
            return float(self.banked(state))
        after = self.play(state, action)
        mean, lost = self.rolls.mean[after.left], self.rolls.farkle[after.left]
        return float(FIFTY * (after.points * (1 - lost) + mean))

    def banked(self, state: Any) -> int:
        """Give the points that banking brings."""
        return FIFTY * int(state.points + self.best[state.hand])

    @cached_property
    def _asides(self) -> list[list[Aside]]:
        """By hand: the sets that may be put aside."""
        found: list[list[Aside]] = [[] for _ in range(len(self.hands))]
        rows = zip(
            *(column.tolist() for column in (self.sets.hand, self.sets.kept, self.sets.points, self.sets.left)), strict=True
        )
        for hand, kept, points, left in rows:
            ones, fives = (number if number < 3 else 0 for number in self.hands.count[kept, [1, 5]].tolist())
            dice = self.hands.dice_left[left]
            found[hand].append(Aside(points, dice, fives, ones + fives, f"keep {self.hands.show(kept)}"))
        return found


class FarkleNotation(FarkleTableNotation):
    """How positions and moves are written."""

    game: "Farkle"

    def show_state(self, state: Any) -> str:
        return f"{FIFTY * state.points} {self.game.hands.show(state.hand)}"

    def read_state(self, text: str) -> Any:
        rest, own = self.split_dice(text)
        typed = Typed(rest)
        numbers = [*typed.numbers("-"), *own]
        typed.take("filler", *SEPARATORS)
        faces, others = list(filter(self.is_dice, numbers)), [word for word in numbers if not self.is_dice(word)]
        dice = "".join(faces) if len(faces) == 1 or all(len(face) == 1 for face in faces) else ""
        begins = len(dice) == self.game.number and not others and "-" not in "".join(own)
        if typed.words or not dice or not (begins or list(map(is_number, others)) == [True]):
            raise not_a_position(text, "POINTS-OF-THE-TURN DICE", "'200 1124'")
        hand, points = self.dice_of(text, dice), 0 if begins else self.fifties_of(text, others[0])
        return self.game.at(points=points if self.game.best[hand] else 0, hand=hand)

    def show_pending(self, pending: Any) -> str:
        return f"{FIFTY * pending.points} and {self.game.name_left(pending.left)} to roll" if pending.left else "over"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {"points": str(FIFTY * state.points), "dice": self.game.hands.show(state.hand)}


class FarkleView(FarkleTableView):
    """The board and the words of the game."""

    game: "Farkle"
    own_aim = OfferedAim.known("own", "", key="own-turn")

    def to_go(self, pending: Any) -> Text | None:
        return None if pending.left else ""

    def because(self, move: Comparison) -> Text | None:
        told, target = super().because(move), move.objective.mark
        if target is None:
            return told
        safe = self.game.banked(move.state)
        if move.has_better and "bank" in move.ordered and safe < target:
            told = Message("farkle.reach", {"safe": safe})
        if move.action == "bank":
            return told
        points = FIFTY * int(self.game.play(move.state, move.action).points)
        stake = (
            Message("farkle.at-stake", {"points": points, "target": target, "missing": target - points})
            if points < target
            else None
        )
        return join_reasons(told, stake)

    def rules(self) -> Rules:
        needs = [Message("rules.farkle.needs", {"points": FIFTY * self.game.needed})] if self.game.needed else []
        limit = Message(
            "rules.farkle.must-bank" if self.game.must_bank else "rules.farkle.bank", {"points": FIFTY * self.game.limit}
        )
        return Rules((self.turn_rules(), *self.dice_rules(), *needs, limit), self.score_rules())


class Farkle(FarkleTable):
    """One turn of Farkle, for the most points.

    >>> import rollwise
    >>> solution = rollwise.solve(Farkle(Scores(), dice=2), exact=True)
    >>> solution.value(), solution.best(solution.game.read_state("0 15"))
    (Fraction(8125, 162), 'bank')
    """

    notation = FarkleNotation
    view = FarkleView

    gains_nonnegative = True

    def __init__(self, scores: Scores, dice: int = 6, most: int = -1, weights: Sequence[Any] | None = None) -> None:
        self.lay_table(scores, dice, weights)
        needed = max(scores.least, scores.opening)
        if most != -1 and most < max(needed, FIFTY):
            raise GameError(f"most={most}: expected at least the {max(needed, FIFTY)} points that a bank needs")
        self.needed = -(-needed // FIFTY)
        self.limit = -(-most // FIFTY) if most != -1 else max(enough(self), self.needed, 1)
        self.must_bank = most != -1
        self.declare(points=Number(self.limit - 1), left=Number(self.hands.full), hand=Dice(self.hands))
        self.begin = {"left": self.hands.full}

    @chance(FarkleTable.throws, on="left", unless=lambda p: p.left == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        """Lose the points, or choose among the dice."""
        return p.but(points=where(self.best[throw.hand] > 0, p.points, 0), left=0, hand=throw.hand)

    @choice("bank", when=lambda self, s: (self.best[s.hand] > 0) & (s.points + self.best[s.hand] >= self.needed))
    def bank(self, s: Any) -> Any:
        """End the turn with all that scores."""
        return s.but(points=0, hand=0), FIFTY * (s.points + self.best[s.hand])

    @choice("keep", FarkleTable.set_sizes, on="hand", when=lambda self, s, k: s.points + k.points < self.limit)
    def keep(self, s: Any, k: Any) -> Any:
        """Set dice aside, and roll the others."""
        return s.but(points=s.points + k.points, left=k.left, hand=0)

    def vocabulary(self) -> Vocabulary:
        bank = move_verb(self, "bank", says="end the turn with all that scores")
        return Vocabulary(turn_features(self, FIFTY * (self.limit - 1)), turn_verbs(self, bank, self._offered_sets))

    def _offered_sets(self, state: Any) -> list[Aside]:
        return [aside for aside in self._asides[state.hand] if state.points + aside.points < self.limit]


def enough(game: FarkleTable) -> int:
    """Give the total, in fifties, from which on banking is best (see the module), or a roll does no more than `SMALL`."""
    if game.loaded:
        return enough_loaded(game)
    thrown, best = game.throws(), game.best
    full = (thrown.dice > 0) & (game.worth[thrown.hand] > 0)
    totals = np.bincount(thrown.dice, thrown.weight)
    lost = np.array(game.rolls.farkle)
    all_score = np.bincount(thrown.dice, thrown.weight * full) / totals
    free = game.rolls.mean[-1] / (1 - all_score[-1]) if not lost[-1] else 0.0
    mean = np.bincount(thrown.dice, thrown.weight * (best[thrown.hand] + free * full)) / totals
    at = max(float(mean[n] / lost[n]) for n in range(1, game.hands.full + 1) if lost[n])
    # A little more than the quotient, so that rounding does not matter.
    total = int(at * (1 + 1e-12)) + 1
    if not free:
        return total
    last = (thrown.dice == game.hands.full) & full
    steps, chances = game.worth[thrown.hand][last], thrown.weight[last] / totals[-1]
    return total + int(steps.max()) + _climb(steps, chances, SMALL / free)


def enough_loaded(game: FarkleTable) -> int:
    """Give such a total for loaded dice: the one from which on banking is best, or, if less, one that is hardly ever reached.

    Let m(n) be the most that a turn goes on from n dice can bring of the mean of z^G, where G is what it banks, and z > 1. By
    Markov's inequality a limit L lowers the value by less than m(all) / (z^L e log z). Raises `GameError` where a turn may go on
    for ever.
    """
    mean, lost = (np.array(part[1:]) for part in game.rolls)
    banks = math.inf if not lost.all() else float((mean / lost).max()) * (1 + 1e-12) + 1
    if banks <= LARGEST / FIFTY:
        return int(banks)
    thrown, sets, start = game.throws(), game.sets, game.sets.start
    some = np.flatnonzero(np.diff(start))
    totals = np.bincount(thrown.dice, thrown.weight.astype(np.float64))
    for slope in 2.0 ** -np.arange(1, SLOPES):
        most = np.ones(game.hands.full + 1)
        steps, banked = np.exp(slope * sets.points), np.where(game.best > 0, np.exp(slope * game.best), 0.0)
        for _ in range(ROUNDS):
            if most.max() > HUGE:
                break
            hand = banked.copy()
            np.maximum.at(hand, some + sets.first_key, np.maximum.reduceat(steps * most[sets.left], start[some]))
            after = np.bincount(thrown.dice, thrown.weight * hand[thrown.hand]) / totals
            if np.all(after[1:] <= most[1:] * (1 + 1e-6)):
                rare = (math.log(2 * most[-1]) + math.log(FIFTY / (SMALL * math.e * slope))) / slope
                return int(min(banks, rare)) + 1
            most = np.maximum(most, after)
    raise GameError(f"weights {show_weights(game.loads)}: a turn with these dice need not end; give most=N, where one must bank")


def _climb(steps: Any, chances: Any, small: float) -> int:
    """Give a height that is climbed by such steps, as long as there is one, with at most a small chance."""
    reached = [1.0]
    while reached[-1] > small:
        height = len(reached)
        reached.append(
            sum(float(chance) * reached[max(height - int(step), 0)] for step, chance in zip(steps, chances, strict=True))
        )
    return len(reached) - 1


class FarkleRaceNotation(FarkleTableNotation):
    """How positions and moves are written."""

    game: "FarkleRace"

    def show_state(self, state: Any) -> str:
        rest = (
            "over"
            if self.game.over(state)
            else f"{PLAYERS[state.mover]} {FIFTY * state.points} {self.game.hands.show(state.hand)}"
        )
        return f"{FIFTY * state.first} {FIFTY * state.second} {rest}"

    def read_state(self, text: str) -> Any:
        rest, own = self.split_dice(text)
        numbers, who = read_race(rest, FIFTY * self.game.goal)
        numbers += own
        turn, dice = (numbers[2], "".join(numbers[3:])) if len(numbers) > 2 else ("0", "-")
        if who is None or not is_number(turn) or not self.is_dice(dice) or (who == "over" and len(numbers) > 2):
            shown = Message("error.farkle-race", {"example": "'1200 800 first 200 1124'"})
            raise not_a_position(text, "FIRST-SCORE SECOND-SCORE WHO-MOVES POINTS-OF-THE-TURN DICE", shown)
        first, second = (self.fifties_of(text, number) for number in numbers[:2])
        if who == "over":
            return self._read_over(text, first, second)
        if max(first, second) >= self.game.goal:
            raise PositionError(f"{text!r} has a winner: write '{FIFTY * self.game.goal} 800 over'")
        hand, points = self.dice_of(text, dice), self.fifties_of(text, turn)
        if not self.game.best[hand] and (hand or points):
            raise PositionError(
                f"{text!r} has no dice that score: after a farkle it is the other player's turn, with 0 points and -"
            )
        return self.game.at(first=first, second=second, mover=PLAYERS.index(who), points=points, hand=hand)

    def _read_over(self, text: str, first: int, second: int) -> Any:
        if max(first, second) != self.game.goal or first == second:
            raise PositionError(f"{text!r} has no winner: expected one score of {FIFTY * self.game.goal} and one below")
        return self.game.at(first=first, second=second, mover=int(second == self.game.goal))

    def show_pending(self, pending: Any) -> str:
        scores = f"{FIFTY * pending.first} {FIFTY * pending.second}"
        if not pending.left:
            return f"{scores} over"
        dice = self.game.name_left(pending.left)
        return f"{scores} {PLAYERS[pending.mover]} with {FIFTY * pending.points} and {dice} to roll"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {
            "first": str(FIFTY * state.first), "second": str(FIFTY * state.second), "mover": PLAYERS[state.mover],
            "points": str(FIFTY * state.points), "dice": self.game.hands.show(state.hand),
        }  # fmt: skip


class FarkleRaceView(FarkleTableView):
    """The board and the words of the game."""

    game: "FarkleRace"
    own_aim = OfferedAim.known("own", "", key="own-first")
    other_aims = ()

    def parts(self, state: Any) -> Sequence[Part]:
        scores = (FIFTY * state.first, FIFTY * state.second)
        told = scores_part(
            "score", scores, FIFTY * self.game.goal, None if self.game.over(state) else state.mover, label="points"
        )
        return [told, *super().parts(state)]

    def because(self, move: Comparison) -> Text | None:
        if "bank" in (move.action, move.rival) and self.game.over(self.game.play(move.state, "bank")):
            return Message("farkle.bank-wins")
        state = move.state
        score, other = (FIFTY * int(points) for points in (state.first, state.second)[:: -1 if state.mover else 1])
        told = super().because(move)
        score_matters = isinstance(told, Message) and told.key.endswith("-still")
        stands = Message("farkle.score", {"score": score, "other": other}) if score_matters else None
        return join_reasons(told, stands, name_chances(move) if move.has_better else None)

    def rules(self) -> Rules:
        least, opening = FIFTY * self.game.least, FIFTY * self.game.opening
        needs = [Message("rules.farkle.needs", {"points": least})] if least else []
        needs += [Message("rules.farkle.opening", {"points": opening})] if opening else []
        race = Message("rules.farkle.race", {"points": FIFTY * self.game.goal})
        return Rules((race, self.turn_rules(), *self.dice_rules(), *needs), self.score_rules())


class FarkleRace(FarkleTable):
    """Two players race to a target: the first player's chance to win.

    >>> import rollwise
    >>> solution = rollwise.solve(FarkleRace(Scores(), target=100, dice=2))
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("50 0 first 0 15"))
    (0.627907, 'bank')
    """

    notation = FarkleRaceNotation
    view = FarkleRaceView
    objective = AtLeast(1)

    gains = False

    def __init__(
        self, scores: Scores, target: int = 10_000, dice: int = 6, weights: Sequence[Any] | None = None
    ) -> None:  # fmt: skip
        if target < FIFTY or target % FIFTY:
            raise GameError(f"target={target}: expected {FIFTY} or a multiple of it, as all points are")
        self.lay_table(scores, dice, weights)
        self.goal, self.least, self.opening = target // FIFTY, -(-scores.least // FIFTY), -(-scores.opening // FIFTY)
        self.declare(
            first=Number(self.goal), second=Number(self.goal), mover=Mover(),
            points=Number(max(self.goal, self.least, self.opening) - 1), left=Number(self.hands.full), hand=Dice(self.hands),
        )  # fmt: skip
        self.begin = {"left": self.hands.full}

    def own(self, p: Any) -> Any:
        """The mover's score."""
        return where(p.mover == 0, p.first, p.second)

    def needs(self, p: Any) -> Any:
        """What the mover must have to bank."""
        return where(self.own(p) == 0, max(self.opening, self.least), self.least)

    @chance(FarkleTable.throws, on="left", unless=lambda p: p.left == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        """Pass the dice, or choose among them."""
        scored = self.best[throw.hand] > 0
        return p.but(
            points=where(scored, p.points, 0), left=0, hand=where(scored, throw.hand, 0),
            mover=where(scored, p.mover, 1 - p.mover),
        )  # fmt: skip

    @choice("bank", when=lambda self, s: (s.hand > 0) & (s.points + self.best[s.hand] >= self.needs(s)))
    def bank(self, s: Any) -> Any:
        """End the turn with all that scores, or win."""
        own = np.minimum(self.own(s) + s.points + self.best[s.hand], self.goal)
        won = own == self.goal
        return s.but(
            first=where(s.mover == 0, own, s.first), second=where(s.mover == 0, s.second, own), points=0, hand=0,
            mover=where(won, s.mover, 1 - s.mover), left=where(won, 0, self.hands.full),
        )  # fmt: skip

    def goes_on(self, s: Any, k: Any) -> Any:
        """Whether rolling on is offered: not where a bank would win."""
        return (self.own(s) + s.points + k.points < self.goal) | (s.points + k.points < self.needs(s))

    @choice("keep", FarkleTable.set_sizes, on="hand", when=goes_on)
    def keep(self, s: Any, k: Any) -> Any:
        """Set dice aside, and roll the others."""
        return s.but(points=s.points + k.points, left=k.left, hand=0)

    @choice("begin", when=lambda self, s: (s.hand == 0) & (np.maximum(s.first, s.second) < self.goal))
    def start_turn(self, s: Any) -> Any:
        """Roll, after the other player's farkle."""
        return s.but(left=self.hands.full)

    def final(self, s: Any) -> Any:
        return s.first == self.goal

    def over(self, state: Any) -> bool:
        """Whether a player has won."""
        return bool(max(state.first, state.second) == self.goal)

    def vocabulary(self) -> Vocabulary:
        bank = move_verb(self, "bank", says="end the turn with all that scores")
        most = FIFTY * max(self.goal, self.least, self.opening) - FIFTY
        features = (*turn_features(self, most), *score_features(self.goal, FIFTY))
        return Vocabulary(features, turn_verbs(self, bank, self._offered_sets))

    def _offered_sets(self, state: Any) -> list[Aside]:
        return [aside for aside in self._asides[state.hand] if self.goes_on(state, aside)]


def farkle(
    rules: str = "basic",
    more: str = "rules",
    straight: int = -1,
    three_pairs: int = -1,
    two_triplets: int = -1,
    opening: int = -1,
    dice: int = 6,
    most: int = -1,
    players: int = 1,
    target: int = TARGET,
    weights: Sequence[Any] | None = None,
) -> Farkle | FarkleRace:
    """Make one turn of Farkle, or the race of two players.

    >>> type(farkle(players=2, target=500)).__name__
    'FarkleRace'

    Raises `GameError` for rules that are not known, and options that do not go together.
    """
    given = {"straight": straight, "three_pairs": three_pairs, "two_triplets": two_triplets, "opening": opening}
    changes: dict[str, Any] = {name: points for name, points in given.items() if points != -1}
    if more != "rules":
        changes["more"] = more
    known = RULES[one_of("rules", rules, RULES)]
    if known.four_and_pair and three_pairs != -1:
        changes["four_and_pair"] = three_pairs
    scores = replace(known, **changes)
    if not 1 <= dice <= 6:
        raise GameError(f"dice={dice}: expected 1 to 6 dice of a turn")
    uneven = next((name for name, points in given.items() if points != -1 and points % FIFTY), None)
    if uneven:
        raise GameError(f"{uneven}={given[uneven]}: expected a multiple of {FIFTY}, as all points are")
    if players == 2:
        if most != -1:
            raise GameError(f"most={most} belongs to one turn: leave it out with players=2")
        return FarkleRace(scores, target, dice, weights)
    if target != TARGET:
        raise GameError(f"target={target} belongs to the race: give players=2 too")
    return Farkle(scores if opening != -1 else replace(scores, opening=0), dice, most, weights)
