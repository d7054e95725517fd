"""Pig, in which two players race to a target with one die, and two-dice Pig, in which two 1s lose everything.

Rules. On a turn a player rolls the die once or more, as often as he likes, and adds up what it shows. A 1 loses the turn's
points and ends the turn; holding banks them and ends it. A player whose points reach the target, banked or not, has won.

The value is the first player's chance to win: the end pays 1 if the first player has won, else 0, and the second player
minimises. Between two throws a state is (both scores, player to move, turn total). A lost turn leads to the other player's state
with a turn total of 0, from which there is only one way to go on; so two lost turns in a row are a cycle.

Source: Neller, Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004): the first player wins with 0.5306.

Two-dice Pig. On a turn a player rolls both dice once or more, as often as he likes, and adds up what they show. A 1 on one of
them loses the turn's points and ends the turn; a 1 on both loses the player's whole score, too. Holding banks the turn's points
and ends the turn. Other doubles are plain sums. A player whose points reach the target, banked or not, wins, so there are
no ties.

The value is the first player's chance to win. As a score may fall to 0 at any time, nearly all positions lie on one cycle.

Sources: dicegamedepot.com, Pig Dice Game Rules, for the rules; Neller, Presser, Pigtail: A Pig Addendum, The UMAP Journal 26
(2005), for how variants of Pig are solved. No publication is known to us that prints the chance; it was computed twice.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from rollwise.errors import GameError, PositionError
from rollwise.games.columns import ColumnGame, Mover, Number, Relation, chance, choice, maximum, where
from rollwise.games.columns.column import PLAYERS
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.games.score_vocabulary import mine, score_features
from rollwise.model.abilities import Heuristic, Races
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.formatting import counted
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import not_a_position
from rollwise.model.objectives import AtLeast
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.plain_words import move_verb
from rollwise.model.reading import read_race
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.roll import dice
from rollwise.model.view import OfferedAim, Part, Rules, number_part, scores_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, more_than_ones

__all__ = ["Pig", "TwoDicePig"]


class PigNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "Pig"

    def show_state(self, state: Any) -> str:
        over = max(state.first, state.second) == self.game.target
        rest = "over" if over else f"{PLAYERS[state.mover]} {state.turn}"
        return f"{state.first} {state.second} {rest}"

    def read_state(self, text: str) -> Any:
        numbers, who = read_race(text, self.game.target)
        if who is None or len(numbers) > 3 - (who == "over") or "-" in numbers:
            raise not_a_position(text, "FIRST-SCORE SECOND-SCORE WHO-MOVES TURN-TOTAL", "'27 31 first 12'")
        first, second, turn = map(int, [*numbers, "0"][:3])
        if who == "over":
            return self._over(text, first, second)
        mover = PLAYERS.index(who)
        if max(first, second, (first, second)[mover] + turn) >= self.game.target:
            raise PositionError(
                f"{text!r} has a player with {self.game.target} points or more: write '{self.game.target} 31 over'"
            )
        return self.game.at(first=first, second=second, mover=mover, turn=turn)

    def _over(self, text: str, first: int, second: int) -> Any:
        if max(first, second) != self.game.target or first == second:
            raise PositionError(f"{text!r} has no winner: expected one score of {self.game.target} and one below")
        return self.game.at(first=first, second=second, mover=int(second == self.game.target))

    def show_pending(self, pending: Any) -> str:
        return f"{pending.first} {pending.second} {PLAYERS[pending.mover]} rolls on {pending.turn}"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {
            "first": str(state.first), "second": str(state.second), "mover": PLAYERS[state.mover], "turn total": str(state.turn),
        }  # fmt: skip


class PigView(ColumnView):
    """The board and the words of the game."""

    game: "Pig"
    compares = "nothing"
    look = "lanes"
    own_aim = OfferedAim.known("own", "", key="own-first")
    other_aims = ()

    def rules(self) -> Rules:
        points = {"points": self.game.target}
        race = Message("rules.pig.race", {**points, "faces": self.game.faces})
        return Rules((race, Message("rules.pig.turn"), Message("rules.pig.win", points)))

    def parts(self, state: Any) -> Sequence[Part]:
        over = max(state.first, state.second) == self.game.target
        scores = scores_part(
            "score", (state.first, state.second), self.game.target, None if over else state.mover, label="points"
        )
        return [scores, number_part("turn", state.turn, 0, self.game.target, label="turn total")]

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [self._name_roll_of(pending, state) for state in states]

    def _name_roll_of(self, pending: Any, state: Any) -> tuple[Text, Sequence[int]]:
        if state.mover != pending.mover:
            return Message("pig.lost"), (1,)
        if max(state.first, state.second) == self.game.target:
            least = self.game.target - (pending.first, pending.second)[pending.mover] - pending.turn
            return Message("pig.wins", {"points": max(2, least)}), ()
        return str(state.turn - pending.turn), (state.turn - pending.turn,)

    def because(self, move: Comparison) -> Text | None:
        state, odds = move.state, self._odds(move.state)
        score, other = (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        points: dict[str, Argument] = {"n": state.turn, "score": score, "other": other, "need": self.game.target - other}
        shares = {"lost": odds.lost, "both": odds.all_lost, "wins": odds.wins}
        found = {**points, **{name: round_chance(share) for name, share in shares.items()}, "made": score + state.turn}
        if not move.has_better:
            return Message("pig.begins-risks", found) if score and odds.all_lost and not state.turn else None
        risk = Message("pig.risk-all" if score and odds.all_lost else "pig.risk", found)
        found = {**found, "adds": round(odds.adds, 1), "costs": round(odds.costs, 1), "risk": risk}
        rolls = move.ordered[0] == "roll"
        pays = odds.adds > odds.costs if rolls else odds.costs > odds.adds
        kind = (
            "wins"
            if odds.wins >= odds.lost
            else "pays"
            if pays
            else "behind"
            if rolls and score + state.turn < other
            else "score"
        )
        chances = name_chances(move)
        wins = Message(f"pig.{move.action}-chances", chances.args) if chances else None
        return join_reasons(Message(f"pig.{'roll' if rolls else 'hold'}-{kind}", found), wins)

    def _odds(self, state: Any) -> "Odds":
        """What may come of a roll."""
        roll = self.game.roll(state)
        total, own = sum(roll.values()), ("first", "second")[state.mover]
        before, lost = getattr(state, own), {after: weight for after, weight in roll.items() if after.mover != state.mover}
        cost = sum(weight * (state.turn + before - getattr(after, own)) for after, weight in lost.items())
        fallen = sum(weight for after, weight in lost.items() if getattr(after, own) < before)
        won = sum(weight for after, weight in roll.items() if getattr(after, own) == self.game.target)
        return Odds(self.game.adds, cost / total, sum(lost.values()) / total, fallen / total, won / total)


class Odds(NamedTuple):
    """What a roll adds and costs on average, and the chances that it loses the turn, the score as well, and that it wins."""

    adds: float
    costs: float
    lost: float
    all_lost: float
    wins: float


class Pig(ColumnGame, Heuristic, Races, ThrowsDice):
    """Race to a target; a 1 loses the turn.

    >>> import rollwise
    >>> solution = rollwise.solve(Pig(target=25, faces=4))
    >>> round(solution.value(), 6), [solution.best(solution.game.read_state(f"0 0 first {turn}")) for turn in (10, 11)]
    (0.542912, ['roll', 'hold'])

    Raises `GameError` for a target below 2, or a die with fewer than 2 faces.
    """

    notation = PigNotation
    view = PigView
    objective = AtLeast(1)
    chooses = "hold"

    parameters = (
        Parameter.known("target", Integer(2), "100"),
        Parameter.known("faces", Integer(2), "6", key="pig-faces"),
        WEIGHTS,
    )

    gains = False

    def __init__(self, target: int = 100, faces: int = 6, weights: Sequence[int] | None = None) -> None:
        if target < 2 or faces < 2:
            raise GameError(f"a target of {target} with {counted(faces, 'face')} was given: expected at least 2 of each")
        self.target, self.faces = target, faces
        self.weights = more_than_ones(faces, weights)
        self.declare(first=Number(target), second=Number(target), mover=Mover(), turn=Number(target))

    def face(self) -> Relation:
        """The faces of the die that come; those that win with any score are one."""
        shown = Counter[int]()
        for face, weight in enumerate(self.weights, 1):
            shown[min(face, self.target)] += weight
        faces = [face for face, weight in shown.items() if weight]
        return Relation({"face": faces}, weight=[shown[face] for face in faces])

    @chance(face)
    def thrown(self, p: Any, die: Any) -> Any:
        """Add to the turn, lose it with a 1, or win with enough."""
        turn, mine, lost = p.turn + die.face, p.mover == 0, die.face == 1
        won = ~lost & (where(mine, p.first, p.second) + turn >= self.target)
        return p.but(
            first=where(won & mine, self.target, p.first),
            second=where(won & ~mine, self.target, p.second),
            mover=where(lost, 1 - p.mover, p.mover),
            turn=where(won | lost, 0, turn),
        )

    @choice("hold", when=lambda s: s.turn > 0)
    def hold(self, s: Any) -> Any:
        """Bank the turn's points."""
        first, second = s.first + (1 - s.mover) * s.turn, s.second + s.mover * s.turn
        return s.but(first=first, second=second, mover=1 - s.mover, turn=0)

    @choice("roll", when=lambda self, s: maximum(s.first, s.second) < self.target)
    def again(self, s: Any) -> Any:
        """Throw the die."""
        return s

    def final(self, s: Any) -> Any:
        return s.first == self.target

    @property
    def adds(self) -> float:
        """What a roll adds to the turn on average, a lost one nothing."""
        return self._adds / self.die.total

    @cached_property
    def _adds(self) -> int:
        """The faces but 1, each times its weight."""
        return sum(face * weight for face, weight in enumerate(self.weights, 1)) - self.weights[0]

    def heuristic(self, state: Any, action: str) -> float:
        """What a roll adds to the turn on average, times the faces: with six of them, hold at 20."""
        return float(self._adds - self.weights[0] * state.turn) if action == "roll" else 0.0

    def choice_at(self, best: Callable[[Any], Any], own: int, other: int) -> int | None:
        """Give the least turn total at which best play holds; what is missing to the target, where it rolls until it wins."""
        states = [self.at(first=own, second=other, mover=0, turn=turn) for turn in range(1, self.target - own)]
        self.prefetch(states)
        moves = list(map(best, states))
        held = next((state.turn for state, move in zip(states, moves, strict=True) if move == "hold"), self.target - own)
        return held if any(moves) else None

    def vocabulary(self) -> Vocabulary:
        most = self.target - 1
        turn = CardFeature("turn total", lambda s: s.turn, 0, most, "the points of this turn", many=True)
        total = CardFeature("my total", lambda s: mine(s) + s.turn, 0, most, "your score with the points of this turn", many=True)
        verbs = (
            move_verb(self, "hold", says="bank the points of the turn; not before the first roll of a turn"),
            move_verb(self, "roll", says="roll the die"),
        )
        return Vocabulary((turn, *score_features(self.target), total), verbs)


class TwoDicePigView(PigView):
    """The board and the words of the game."""

    game: "TwoDicePig"

    @property
    def title(self) -> str:
        return "Two-dice Pig"

    def rules(self) -> Rules:
        points = {"points": self.game.target}
        usual = Message("rules.two-dice-pig.race", points)
        race = usual if self.game.faces == 6 else Message("rules.two-dice-pig.faces", {**points, "faces": self.game.faces})
        return Rules((race, Message("rules.two-dice-pig.turn"), Message("rules.pig.win", points)))

    def _name_roll_of(self, pending: Any, state: Any) -> tuple[Text, Sequence[int]]:
        mover = pending.mover
        before, after = (pending.first, pending.second)[mover], (state.first, state.second)[mover]
        if state.mover == mover:
            least = max(4, self.game.target - before - pending.turn)
            if after == self.game.target:
                return Message("pig.wins", {"points": least}), ()
            return str(state.turn - pending.turn), ()
        return (Message("pig.all-lost"), (1, 1)) if after < before else (Message("pig.a-1-lost"), ())


class TwoDicePig(Pig):
    """Race to a target with two dice; a 1 loses the turn, two 1s the score.

    >>> import rollwise
    >>> solution = rollwise.solve(TwoDicePig(target=20))
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("0 0 first 12"))
    (0.602858, 'roll')

    Raises `GameError` for a target below 2, or dice with fewer than 2 faces.
    """

    view = TwoDicePigView

    parameters = (
        Parameter.known("target", Integer(2), "100"),
        Parameter.known("faces", Integer(2), "6"),
        WEIGHTS,
    )

    def pair(self) -> Relation:
        """What two dice show: how many 1s, and without a 1 their sum; sums that win with any score are one."""
        shown: Counter[tuple[int, int]] = Counter()
        for (a, b), weight in sorted(dice(2, self.die).items()):
            ones = (a, b).count(1)
            shown[ones, 0 if ones else min(a + b, self.target)] += weight
        rows = {"ones": [ones for ones, _ in shown], "sum": [total for _, total in shown]}
        return Relation(rows, weight=list(shown.values()))

    @chance(pair)
    def thrown(self, p: Any, pair: Any) -> Any:
        """Add to the turn, lose it or all, or win with enough."""
        mine, turn, lost = p.mover == 0, p.turn + pair.sum, pair.ones > 0
        won = ~lost & (where(mine, p.first, p.second) + turn >= self.target)
        scored = where(pair.ones == 2, 0, self.target)
        changes = won | (pair.ones == 2)
        return p.but(
            first=where(changes & mine, scored, p.first),
            second=where(changes & ~mine, scored, p.second),
            mover=where(lost, 1 - p.mover, p.mover),
            turn=where(won | lost, 0, turn),
        )

    @property
    def adds(self) -> float:
        whole = self.die.total
        return 2 * self._adds * (whole - self.weights[0]) / whole**2

    def heuristic(self, state: Any, action: str) -> float:
        """What a roll adds to the points on average, times the number of throws: with six faces about 25 * 8 - 11 * turn."""
        if action != "roll":
            return 0.0
        one, rest = self.weights[0], self.die.total - self.weights[0]
        lost = one * (2 * rest + one) * state.turn + one * one * (state.first, state.second)[state.mover]
        return float(2 * self._adds * rest - lost)
