"""Threes: five dice, at least one of which is set aside after every roll; a 3 counts nothing, and few points are good.

Rules. All dice are rolled. After every roll at least one of the dice just rolled is set aside, or several, or all; the rest are
rolled again, until none is left. Dice that are set aside stay as they are. What they show counts, but a 3 counts 0; so the
total of five dice is between 0 and 30, and the lowest one wins.

The value is the lowest expected total of a player who does not look at the others. Against a total that is known, say 6, the
objective `at-most 5` gives the best chance to beat it, and `at-most 6` the best chance to beat or to tie it. What a tie does is
the table's affair: usually nobody wins, and all play on for a larger pot.

Sources: icepool (github HighDiceRoller/icepool) has the game in a notebook, with 6.25398 for five dice; its rules are those of
question 4482277 at math.stackexchange.com. With two dice 79/18, printed as 4.4 (algomath.wordpress.com, 25 July 2012).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rollwise.errors import GameError
from rollwise.games.columns import ColumnGame, Dice, Hands, Number, Relation, chance, choice
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.formatting import counted
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import not_a_position
from rollwise.model.objectives import Lowest
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reasons import Comparison, name_keep
from rollwise.model.view import Part, Rules, dice_part, number_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["Threes"]

MOST_DICE = 10
FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def _points(face: int) -> int:
    return face if face != 3 else 0


class ThreesNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "Threes"

    def show_state(self, state: Any) -> str:
        return self.game.hands.show(state.hand)

    def read_state(self, text: str) -> Any:
        hand = self.game.hands.read(text)
        if hand is None:
            raise not_a_position(text, Message("error.just-rolled", {"dice": self.game.dice}), repr("13346"[: self.game.dice]))
        return self.game.at(hand=hand)

    def show_pending(self, pending: Any) -> str:
        return f"{counted(pending.left, 'die', 'dice')} to roll" if pending.left else "no dice left"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {"dice": self.game.hands.show(state.hand)}


class ThreesView(ColumnView):
    """The board and the words of the game."""

    game: "Threes"
    compares = "nothing"
    look = "threes"
    own_aim = Lowest.aims[0]
    other_aims = ("lowest", "at-most", "worst", "quantile")

    def board(self) -> Mapping[str, Any]:
        return {**super().board(), "dice": self.game.dice}

    def parts(self, state: Any) -> Sequence[Part]:
        if state.left:
            return [number_part("left", state.left, 0, self.game.dice, label="dice to roll")]
        return [dice_part("hand", self.game.hands.faces_of[state.hand], 6, label="just rolled")]

    def to_go(self, pending: Any) -> Text:
        return Message("n.die", {"n": pending.left}) if pending.left else ""

    def decision(self, state: Any) -> Text:
        return Message("threes.which")

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        return name_keep(action, beside)

    def because(self, move: Comparison) -> Text | None:
        state = move.state
        if not move.has_better:
            return Message("threes.counts", {"n": self.game.gain(state, move.action)}) if move.rival is None else None
        (mine, points, left), (other, points2, left2) = (self._side(state, action) for action in move.ordered)
        if left == left2:
            kept: dict[str, Argument] = {
                "dice": " ".join(mine.elements()),
                "dice2": " ".join(other.elements()),
                "n": points2 - points,
            }
            return Message("threes.fewer", kept) if points < points2 else None
        (_, points, left), (_, points2, left2) = (self._side(state, action) for action in (move.action, move.rival))
        found: dict[str, Argument] = {"points": points, "points2": points2, "n": abs(left - left2)}
        nested = mine <= other or other <= mine
        found.update(dice=" ".join(((mine - other) | (other - mine)).elements()), counts=abs(points2 - points))
        if move.objective.wins or move.value is None or move.rival_value is None:
            stops = [side == 0 for side in (left, left2)]
            if stops[0] != stops[1]:
                return self._stop_or_roll(move, stops[0])
            mean, keeps = self.game.mean * abs(left - left2), (mine > other) == (left < left2)
            supports = nested and (abs(points2 - points) < mean) == keeps
            return (
                Message("threes.dice", {**found, "mean": int(mean) if mean == int(mean) else round(float(mean), 2)})
                if supports
                else None
            )
        rest, rest2 = float(move.value) - points, float(move.rival_value) - points2
        if not nested:
            return Message("threes.sides", {**found, "rest": round(rest, 2), "rest2": round(rest2, 2)})
        found["adds"] = round(abs(rest2 - rest), 2)
        return Message("threes.keep" if mine >= other else "threes.roll", found)

    def _stop_or_roll(self, move: Comparison, stops: bool) -> Message | None:
        """Say how often the rival wins, where a move sets all dice aside and it does not (`stops`), or the other way round."""
        if move.rival_value is None:
            return None
        chance = round_chance(float(move.rival_value))
        if stops:
            return Message("threes.rolling", {"n": int(self.game.play(move.state, move.rival).left), "chance": chance})
        return Message("threes.stopping", {"dice": " ".join(move.rival.removeprefix("keep ")), "chance": chance})

    def _side(self, state: Any, action: str) -> tuple[Counter[str], int, int]:
        """What is kept, what it counts, and how many dice are left."""
        return Counter(action.removeprefix("keep ")), self.game.gain(state, action), int(self.game.play(state, action).left)

    def is_obvious(self, state: Any, action: Any, rival: Any) -> bool:
        """As many dice for more points are plainly worse."""
        mine, other = ((self.game.play(state, one).left, self.game.gain(state, one)) for one in (action, rival))
        return bool(mine[0] == other[0] and mine[1] < other[1])

    def rules(self) -> Rules:
        turn = Message("rules.threes.turn", {"dice": Message("n.die", {"n": self.game.dice})})
        return Rules((turn, Message("rules.threes.win")))


class Threes(ColumnGame, Heuristic, Sized, ThrowsDice):
    """Set dice aside for the lowest total; a 3 counts nothing.

    >>> import rollwise
    >>> solution = rollwise.solve(Threes(dice=2), exact=True)
    >>> solution.value(), solution.best(solution.game.read_state("24"))
    (Fraction(79, 18), 'keep 2')

    Raises `GameError` for fewer than one die, or more than ten.
    """

    notation = ThreesNotation
    view = ThreesView
    objective = Lowest()

    parameters = (Parameter.known("dice", Integer(1, MOST_DICE), "5", key="threes-dice"), WEIGHTS)

    def __init__(self, dice: int = 5, weights: Sequence[int] | None = None) -> None:
        if not 1 <= dice <= MOST_DICE:
            raise GameError(f"Threes with {counted(dice, 'die', 'dice')}: expected 1 to {MOST_DICE}")
        self.weights = weights_for(len(FACES), weights)
        self.dice, self.hands = dice, Hands(dice, len(FACES), self.weights)
        self.mean = self.die.map(_points).mean
        self.points = self.hands.of(lambda hand: sum(face for face in hand if face != 3))
        self.declare(left=Number(dice), hand=Dice(self.hands))
        self.begin = {"left": dice}

    @chance(lambda self: self.hands.throws(), on="left", unless=lambda p: p.left == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        """Throw the dice that are left."""
        return p.but(left=0, hand=throw.hand)

    def sets(self) -> Relation:
        """What may be set aside: any dice, but at least one."""
        found = self.hands.keeps()
        return found.plus(points=self.points[found.kept], left=self.hands.dice[found.rest]).only(found.kept > 0)

    @choice("keep", sets, on="hand")
    def keep(self, s: Any, aside: Any) -> Any:
        """Set dice aside, and throw the rest."""
        return s.but(left=aside.left, hand=0), aside.points

    @property
    def gains_nonnegative(self) -> bool:
        return True

    def heuristic(self, state: Any, action: str) -> float:
        """How far the dice set aside are below what a die counts on average."""
        pending = self.play(state, action)
        return float(self.mean * (self.hands.dice[state.hand] - pending.left) - self.gain(state, action))

    # The words of a strategy card

    def vocabulary(self) -> Vocabulary:
        dice = self.hands.dice
        best = self.hands.of(lambda hand: min(map(_points, hand), default=0))
        next_best = self.hands.of(lambda hand: sorted(map(_points, hand))[1] if len(hand) > 1 else 6)

        def see(name: str, read: Callable[[Any], Any], high: int, says: str) -> CardFeature:
            return CardFeature(name, read, 0, high, says, many=True)

        features = (
            see("dice rolled", lambda s: dice[s.hand], self.dice, "how many dice were rolled"),
            *(see(name, self._showing(face), self.dice, f"how many dice show a {face}") for face, name in enumerate(FACES, 1)),
            see("best", lambda s: best[s.hand], 6, "what the best die counts, a 3 nothing"),
            see("second best", lambda s: next_best[s.hand], 6, "what the second best die counts; 6 if there is only one"),
            see("points", lambda s: self.points[s.hand], 6 * self.dice, "what all dice rolled count"),
        )
        return Vocabulary(features, (*map(self._keep_best, range(1, self.dice + 1)), *map(self._keep_up_to, (0, 1, 2, 4, 5))))

    def _showing(self, face: int) -> Callable[[Any], Any]:
        return lambda position: self.hands.count[position.hand, face]

    def _keep_best(self, number: int) -> Verb:
        """Keep so many dice, if so many were rolled."""
        name = "keep all" if number == self.dice else "keep the best" if number == 1 else f"keep the best {number}"
        least = 1 if number == self.dice else number
        says = "set all dice aside" if number == self.dice else f"set the {counted(number, 'die', 'dice')} aside that count least"
        return Verb(name, lambda s: self._keep(sorted(self._faces(s), key=_points)[:number], least), says)

    def _keep_up_to(self, most: int) -> Verb:
        """Keep the dice that count at most so much, if there are any."""
        name, says = (
            ("keep the threes", "every 3") if not most else (f"keep up to {most}", f"every die that counts {most} or less")
        )
        return Verb(
            name, lambda s: self._keep([face for face in self._faces(s) if _points(face) <= most], 1), f"set {says} aside"
        )

    def _faces(self, state: Any) -> Sequence[int]:
        return self.hands.faces_of[state.hand]

    def _keep(self, faces: Sequence[int], least: int) -> str | None:
        return f"keep {self.hands.show(self.hands.number[tuple(sorted(faces))])}" if len(faces) >= least else None

    def dimensions(self) -> Mapping[str, int]:
        return {"dice": self.dice}
