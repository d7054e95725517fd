"""Why a move is good, in one plain sentence for players: what the game says, from what the solution knows.

The reasons of a move are the parts of the difference to another move: of the best move to the second best, of any other to the
best. They add up to that difference.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rollwise.errors import PositionError
from rollwise.model.formatting import infinite
from rollwise.model.message import Text
from rollwise.model.reasons import Comparison, Part, Reason, differences, outcomes
from rollwise.model.view import view_of
from rollwise.solvers.base.abilities import Explains, HasGraph, ability
from rollwise.solvers.base.solution import Number, Ranked, Solution, require_solution
from rollwise.texts.render import render

__all__ = ["Reasons", "explain", "explainer", "parts", "reasons"]

NEAR = 5
"""The next best moves among which something in hand is looked for."""


def explain(solution: Solution, state: Any, action: Any, *, language: str = "en") -> str:
    """Explain in one sentence why a move is good or bad; state and action may be given as text.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve("yazy")
    >>> state = "23455 1 straight,five-of-a-kind"
    >>> sentence, _, reason = explain(solution, state, "keep 2345").partition(": ")
    >>> sentence
    'Keep 2 3 4 5 rather than 2 3 4 (7.1 points better)'
    >>> reason
    'more from straight (+5.2: 33 % this turn, not 11 %) and less need to use up five of a kind (+1.9).'
    >>> explain(solution, state, "keep 2345", language="de").partition(": ")[0]
    '2 3 4 5 halten statt 2 3 4 (7,1 Punkte besser)'

    Raises `PositionError` for a position that does not occur, or a move that is not allowed there.
    """
    require_solution(solution, "explain")
    state = ability(solution, HasGraph).canonical_state(state)
    return render(explainer(solution)(state, solution._read_action(state, action)), language)


def explainer(solution: Solution) -> Callable[[Any, Any], Text]:
    """Give what says so of any state and action, as a message; who speaks for the game is found out once."""
    return Reasons(solution).explainer()


def parts(solution: Solution, state: Any, action: Any) -> tuple[Part, ...]:
    """Take the value of a move apart by where it comes from; the parts add up to it. Raises `PositionError`.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("pig", target=5), exact=True)
    >>> state = solution.game.read_state("0 0 first 2")
    >>> solution.ranked(state)[0].value == sum(part.value for part in parts(solution, state, solution.best(state)))
    True
    """
    return Reasons(solution).parts(state, action)


def reasons(solution: Solution, state: Any, action: Any, other: Any = None) -> tuple[Reason, ...]:
    """Compare a move with another part by part, to the benefit of who moves; default: with the best other move.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("yazy", boxes="ones,straight"), exact=True)
    >>> state = solution.game.read_state("12345 0 all")
    >>> solution.ranked(state)[1].loss == sum(reason.value for reason in reasons(solution, state, "straight"))
    True
    """
    known = Reasons(solution)
    return known.between(state, action, known.rival(state, action) if other is None else other)


class Reasons:
    """The parts of the moves of positions, compared; those of the last positions are kept in mind."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.known, view = solution, ability(solution, Explains), view_of(solution.game)
        self.ends_turn, self.is_obvious = view.ends_turn, view.is_obvious
        self.ranked = lru_cache(maxsize=4)(solution.ranked)
        self.parts = lru_cache(maxsize=256)(self._parts)
        self.values = lru_cache(maxsize=4)(self._values)

    def explainer(self) -> Callable[[Any, Any], Text]:
        """Give what says in a sentence what a move does and why."""
        view = view_of(self.solution.game)
        return lambda state, action: view.explain(self.compare(state, action, view.compares))

    def compare(self, state: Any, action: Any, what: str) -> Comparison:
        """Compare a move with the best other one, as far as its view wants to know."""
        rival = self.rival(state, action)
        if what == "nothing":
            found: tuple[Reason, ...] = ()
        else:
            found = (self.between if what == "reasons" else self.coming)(state, action, rival)
        facts, gain = self.known.facts(state, action), self._gain(state, action, rival)
        mine, theirs = (self._own_value(state, move) for move in (action, rival))
        rival_facts = {} if rival is None else self.known.facts(state, rival)
        return Comparison(state, action, self.solution.objective, found, facts, rival, gain, mine, theirs, rival_facts)

    def _own_value(self, state: Any, action: Any) -> Number | None:
        """Give what a move is worth to the player to move, whose chance is what the other one's leaves."""
        value = self.values(state).get(action)
        theirs = value is not None and self.solution.objective.wins and self.solution.game.mover(state)
        return 1 - value if theirs and value is not None else value

    def _gain(self, state: Any, action: Any, rival: Any) -> Number:
        """How much better a move is than another to the player to move; 0 without one, or where both may never end."""
        values = self.values(state)
        if rival is None or values.get(action) is None or (infinite(values[action]) and infinite(values[rival])):
            return 0
        return self._sign(state) * (values[action] - values[rival])

    def _parts(self, state: Any, action: Any) -> tuple[Part, ...]:
        value = self.values(state).get(action)
        if value is None:
            game = self.solution.game
            raise PositionError(f"{game.show_action(action)} is no move of state {game.show_state(state)}")
        return self.known.parts(state, action, value)

    def rival(self, state: Any, action: Any) -> Any:
        """Give the move to compare with: the best other one; None where there is none.

        The best move, if it plays on, is compared with what is in hand, where one of the next best ends the turn with more than
        that is worth when it is left.
        """
        others: list[Ranked] = [row for row in self.ranked(state) if row.action != action]
        if not others:
            return None
        if self.ranked(state)[0].action == action:
            playing = self.ends_turn(state, action) == ""
            ends = next((row.action for row in others[:NEAR] if playing and self.ends_turn(state, row.action)), None)
            if ends is not None and self._pays(state, ends):
                return ends
            others = [row for row in others if not self.is_obvious(state, action, row.action)] or others
        return others[0].action

    def _pays(self, state: Any, action: Any) -> bool:
        """Say whether a move that ends the turn has more of it than what it ends with is worth when it is left."""
        sign = self._sign(state)
        return any(part.certain and sign * part.edge > 0 for part in self.parts(state, action) if part.kind == "box")

    def between(self, state: Any, action: Any, other: Any) -> tuple[Reason, ...]:
        """Compare a move with another; with none (None), or where all is decided or may never end, nothing."""
        if not self._comparable(state, action, other):
            return ()
        return differences(self.parts(state, action), self.parts(state, other), self._sign(state))

    def coming(self, state: Any, action: Any, other: Any) -> tuple[Reason, ...]:
        """Compare what may come of a move with the value of another; of the only move (None), it is as it is."""
        if other is None:
            return outcomes(self.parts(state, action), 0, 0)
        if any(infinite(self.values(state)[move]) for move in (action, other)):
            return ()
        return outcomes(self.parts(state, action), self.values(state)[other], self._sign(state))

    def _comparable(self, state: Any, action: Any, other: Any) -> bool:
        """Say whether two moves are finite and not both decided: where all is won or lost there are no reasons."""
        if other is None:
            return False
        mine, theirs = (self.values(state)[move] for move in (action, other))
        decided = self.solution.objective.wins and mine == theirs and mine in (0, 1)
        return not decided and not infinite(mine) and not infinite(theirs)

    def _sign(self, state: Any) -> int:
        """1 where a high value is good for who moves, else -1."""
        lower = self.solution.objective.better == "lower"
        return -1 if lower != bool(self.solution.game.mover(state)) else 1

    def _values(self, state: Any) -> dict[Any, Number]:
        """Give the value of every move."""
        return {row.action: row.value for row in self.ranked(state)}
