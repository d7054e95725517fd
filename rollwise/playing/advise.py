"""Advice at the table: every move of a position with its value, its loss, and what it leads to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rollwise.errors import GameError
from rollwise.model.abilities import unlift, unlifted
from rollwise.model.faults import blaming
from rollwise.model.formatting import counted, digits, fits_float, infinite
from rollwise.model.game import Progress
from rollwise.model.objective import Words
from rollwise.model.summary import Shown, Summary, cut
from rollwise.model.view import view_of
from rollwise.playing.distribution import Distribution, outlooks, quick_outlooks
from rollwise.playing.explain import explainer
from rollwise.solvers.base.abilities import Follows, HasGraph, ability
from rollwise.solvers.base.distribution import Work
from rollwise.solvers.base.solution import Number, Solution, require_solution
from rollwise.texts.render import render

__all__ = ["Advice", "Asked", "Move", "advise", "look_ahead"]

FEW = 5
SHOWN = 8
"""Moves that advice shows of itself."""
SHARES = (0.05, 0.5, 0.95)
"""What advice shows of an outlook."""
QUICK = 60_000
"""Follow moves to the end without being asked up to this many (turn start, score) rows."""
QUICK_ALL = 20_000
"""Follow every move when asked, rather than compute how it may end from all positions, up to this many rows for all moves."""
QUICK_WORK = 1_000_000
"""Outcomes of rolls that are followed without being asked, for all moves together: a fifth of a second."""

Asked = bool | Literal["exact"] | None
"""Which outlooks are wanted: all, as is quickest, or exactly; none; or what takes no time (None)."""


@dataclass(frozen=True, eq=False)
class Move:
    """An action: its value, how much worse it is than the best, and the distribution of what comes after it (None: not computed).

    The distribution counts points from this position on, the action's own gain included, or rolls still to come.
    """

    action: Any
    value: Number
    loss: Number
    outlook: Distribution | None


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Shown):
    """A position, its value, and its moves from best to worst. `solution` is what it came from, and speaks for the game."""

    state: Any
    value: Number
    moves: tuple[Move, ...]
    solution: Solution

    def line(self) -> str:
        found = ", ".join(f"{self._named(move)} {_brief(move.value)}" for move in self.moves[:3])
        more = f", ... {counted(len(self.moves), 'move')}" if len(self.moves) > 3 else ""
        return f"<Advice for {self._place}: {found or 'the game is over'}{more}>"

    @property
    def _place(self) -> str:
        return cut(str(self.solution.game.show_state(self.state)))

    def _named(self, move: Move) -> str:
        return cut(str(self.solution.game.show_action(move.action)))

    def summary(self) -> Summary:
        if not self.moves:
            return Summary(self._place, f"The game is over: {_brief(self.value)}.")
        words, why = self.solution.objective.words(self.solution.game), explainer(self.solution)
        whose = f"first player's {words.value}" if self.solution.two_players else words.value
        ahead = next((move.outlook.what for move in self.moves[:SHOWN] if move.outlook), "")
        header = [
            view_of(self.solution.game).action_word,
            whose,
            words.loss,
            *([f"{ahead} to come: 5 %", "half", "95 %"] if ahead else []),
        ]
        rows = [self._row(move, words, bool(ahead)) for move in self.moves[:SHOWN]]
        rows = [[*row, render(why(self.state, move.action))] for row, move in zip(rows, self.moves, strict=False)]
        more = f"and {counted(len(self.moves) - SHOWN, 'more move')}" if len(self.moves) > SHOWN else ""
        return Summary(self._place, f"{whose}: {_brief(self.value, words)}", header=[*header, "why"], rows=rows, more=more)

    def _row(self, move: Move, words: Words, ahead: bool) -> list[str]:
        shares = [str(move.outlook.quantile(share)) if move.outlook else "" for share in SHARES] if ahead else []
        return [
            self._named(move),
            _brief(move.value, words),
            words.cost(move.loss) if fits_float(move.loss) else "large",
            *shares,
        ]


def _brief(value: Number, words: Words | None = None) -> str:
    if not fits_float(value):
        return digits(value, 6)
    return words.brief(value) if words else "impossible" if infinite(value) else digits(value, 6)


def advise(
    solution: Solution, state: Any, *, top: int | None = None, outlook: Asked = None, progress: Progress | None = None
) -> Advice:
    """Rank the moves of a position, a state or its text; `top` limits how many.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("yazy", boxes="ones,straight"))
    >>> best = advise(solution, "12346 1 all", top=1).moves[0]
    >>> solution.game.show_action(best.action), round(best.value, 4), best.outlook.quantile(0.5)
    ('keep 1234', 16.7209, 2)

    `outlook` selects whether each move gets the distribution of the points (or rolls) still to come: True for the fastest way,
    which on a score sheet has a stated error (`Distribution.error`), "exact" for the exact one, False for none; default: where
    it takes no time. Under `AtLeast`, `AtMost`, `Against` and in a duel the value is the chance itself, so there is none.

    Raises `PositionError` for a position that does not occur.
    """
    require_solution(solution, "advise")
    if top is not None and top < 1:
        raise GameError(f"the {top} best moves: expected at least 1")
    with blaming(solution.game):
        return _advise(solution, ability(solution, HasGraph).canonical_state(state), top, outlook, progress)


def _advise(solution: Solution, state: Any, top: int | None, outlook: Asked, progress: Progress | None) -> Advice:
    if outlook not in (None, True, False, "exact"):
        raise GameError(f"outlook={outlook!r}: expected True, False, None or 'exact'")
    ranked = solution.ranked(state)[:top]
    advice = Advice(state, solution.value(state, kind="state"), tuple(Move(*row, None) for row in ranked), solution)
    return advice if outlook is False else look_ahead(solution, advice, outlook=outlook, progress=progress)


def look_ahead(solution: Solution, advice: Advice, *, outlook: Asked = None, progress: Progress | None = None) -> Advice:
    """Add outlooks to advice: to every move if requested, else as far as it is quick."""
    if solution.objective.wins or outlook is False:
        return advice
    lasting = [move for move in advice.moves if _lasts(move.value)]
    found: Sequence[Distribution | None] | None
    found = None if outlook == "exact" else _kept(solution, advice.state, lasting, bool(outlook), progress)
    if found is None and outlook is None:
        lasting = lasting[:FEW] if quick(solution, advice.state) else []
    if found is None:
        found = _followed(solution, advice.state, lasting, progress, Work(QUICK_WORK) if outlook is None else None)
    ahead = {id(move): after for move, after in zip(lasting, found, strict=True)}
    return replace(advice, moves=tuple(replace(move, outlook=ahead.get(id(move))) for move in advice.moves))


def quick(solution: Solution, state: Any) -> bool:
    """Say whether following the moves of a state to the end takes well under a second each."""
    return ability(solution, Follows).steps(state) <= QUICK


def _lasts(value: Number) -> bool:
    """Say whether a move can be followed: a value beyond all floats takes more rolls than anyone has time for."""
    return fits_float(value) and not infinite(value)


def _kept(
    solution: Solution, state: Any, moves: list[Move], asked: bool, progress: Progress | None
) -> Sequence[Distribution] | None:
    """What is still to come with each move as it is kept; None: it is not, and following the moves takes less."""
    build = asked and len(moves) * ability(solution, Follows).steps(state) > QUICK_ALL
    found = quick_outlooks(solution, _pendings(solution, state, moves), progress, build=build)
    return found and [after + gain for after, gain in zip(found, _gains(solution, state, moves), strict=True)]


def _followed(
    solution: Solution, state: Any, moves: list[Move], progress: Progress | None, work: Work | None
) -> Sequence[Distribution | None]:
    """What is still to come with each move, followed to the end, its own gain included."""
    found = outlooks(solution, _pendings(solution, state, moves), progress, work=work)
    return [after and after + gain for after, gain in zip(found, _gains(solution, state, moves), strict=True)]


def _pendings(solution: Solution, state: Any, moves: list[Move]) -> list[Any]:
    return [solution.game.play(state, move.action) for move in moves]


def _gains(solution: Solution, state: Any, moves: list[Move]) -> list[int]:
    """What each move gains at once; 0 where rolls are counted."""
    if solution.objective.counts != "points":
        return [0] * len(moves)
    rules, plain = unlifted(solution.game), unlift(solution.game, state)
    return [rules.gain(plain, move.action) for move in moves]
