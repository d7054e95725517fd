"""Two-dice Pig: Pig with a pair of dice, of which two 1s lose everything.

Rules. On a turn a player rolls both dice once or more, as often as he likes, and adds up what they show. A 1 on one of them loses
the turn's points and ends the turn; a 1 on both loses the player's whole score, too. Holding banks the turn's points and ends the
turn. Other doubles are sums like any other. Whoever's points reach the target, banked or not, has won; so there are no ties.

The value is the first player's chance to win. As a score may fall to 0 at any time, nearly all positions lie on one cycle.

Sources: dicegamedepot.com, Pig Dice Game Rules, for the rules; Neller, Presser, Pigtail: A Pig Addendum, The UMAP Journal 26
(2005), for how variants of Pig are solved. No publication is known to us that prints the chance; it was computed twice.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

from rollwise.games.columns import Relation, chance, where
from rollwise.games.pig import Pig, PigView
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reasons import Comparison
from rollwise.model.view import Rules

__all__ = ["TwoDicePig"]


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

    def explain(self, move: Comparison) -> Text:
        state, action = move.state, move.action
        score, throws, one = (state.first, state.second)[state.mover], self.game.faces**2, 2 * self.game.faces - 2
        if action == "hold" or not score:
            return super().explain(move) if action == "hold" or not state.turn else self._risk(state, (one + 1) / throws)
        begins = self._risk(state, one / throws) if state.turn else Message("pig.begins")
        double = {"points": score + state.turn, "chance": round_chance(1 / throws)}
        return Message("pig.risks-too" if state.turn else "pig.begins-risks", {"does": begins, **double})


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
    )

    def pair(self) -> Relation:
        """What two dice show: how many 1s, and without a 1 their sum; sums that win with any score are one."""
        without = Counter(min(a + b, self.target) for a, b in product(range(2, self.faces + 1), repeat=2))
        weights = [1, 2 * (self.faces - 1), *without.values()]
        return Relation({"ones": [2, 1] + [0] * len(without), "sum": [0, 0, *without]}, weight=weights)

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

    def heuristic(self, state: Any, action: str) -> float:
        """What a roll adds to the points on average, times the number of throws: with six faces about 25 * 8 - 11 * turn."""
        if action != "roll":
            return 0.0
        rest = self.faces - 1
        return float(rest**2 * (self.faces + 2) - (2 * rest + 1) * state.turn - (state.first, state.second)[state.mover])
