"""Play one game and grade it: what each roll gave, and what each move lost.

The value V of a position is what the best strategy still gets from it. Along a game it changes in two ways only:

    luck of a roll     = V(state) - V(pending)                      above 0: better than the average roll
    loss of a move     = V(state) - (gain + V(next pending))        0 for a best move, never below

so that at any time, what is banked plus the value of what is left equals V(start) + all luck - all losses; at the end the left
side is the total. Where rolls are counted (`Fewest`), less is better: a roll's cost is added to V(state), both differences change
their sign, and total = V(start) - luck + losses. Positive luck is good for the player either way.

In a game for two V is player 0's. Luck is what the rolls gave player 0; a loss is that of the player who moved, so player 1's are
added: total = V(start) + all luck - player 0's losses + player 1's.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from rollwise.errors import GameError, PositionError, RollwiseError
from rollwise.model.abilities import can_follow, draw
from rollwise.model.faults import blaming
from rollwise.model.formatting import infinite
from rollwise.model.game import Game, Progress
from rollwise.model.ids import read_position
from rollwise.model.moves import read_move
from rollwise.model.notation import notation_of
from rollwise.playing.record import Record
from rollwise.solvers.base.abilities import HasGraph, ability
from rollwise.solvers.base.solution import Number, Solution, require_solution

__all__ = ["Grade", "Step", "grade", "rehearse", "start_game"]


@dataclass(frozen=True)
class Step:
    """A roll and the move made on it.

    `value` is the value of the state that was rolled, `luck` what the roll gave. If `moved`, `action` is the move, `loss` what it
    lost, `best` the best action, and `mover` the player.
    """

    state: Any
    value: Number
    luck: Number
    action: Any = None
    loss: Number = 0
    best: Any = None
    moved: bool = False
    mover: int = 0


@dataclass(frozen=True, eq=False)
class Grade:
    """A game so far: every roll with its luck, every move with its loss, and their sums.

    >>> import rollwise
    >>> game = start_game(rollwise.solve("slots", exact=True)).rolled("all 0 6").moved("x3")
    >>> game.luck, game.mistakes, game.total == game.start + game.luck - game.mistakes
    (Fraction(8821, 46656), Fraction(59, 1944), True)
    """

    solution: Solution = field(repr=False)
    steps: tuple[Step, ...] = ()
    pending: Any = None
    banked: Number = 0

    @property
    def game(self) -> Any:
        """The game in the form it was solved."""
        return self.solution.game

    @property
    def fewest(self) -> bool:
        """Whether costs are counted, not points."""
        return self.solution.objective.counts == "costs"

    @property
    def rolling(self) -> bool:
        """Whether the dice are to be rolled next; else it is the player's move, or the game is over."""
        return not self.steps or self.steps[-1].moved

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.rolling and not self.game.actions(self.steps[-1].state)

    @property
    def start(self) -> Number:
        """The value before the first roll."""
        return self.solution.value()

    @property
    def luck(self) -> Number:
        """What the rolls gave beyond the average; above 0 is good for the player."""
        return sum((step.luck for step in self.steps), _zero(self.solution))

    @property
    def mistakes(self) -> Number:
        """What the moves (of player 0) lost against the best ones; never below 0."""
        return sum((step.loss for step in self.steps if step.mover == 0), _zero(self.solution))

    @property
    def rival_mistakes(self) -> Number:
        """What the moves of player 1 lost against the best ones; never below 0."""
        return sum((step.loss for step in self.steps if step.mover == 1), _zero(self.solution))

    @property
    def two_players(self) -> bool:
        """Whether player 1 has moved."""
        return any(step.mover for step in self.steps)

    @property
    def total(self) -> Number:
        """What is banked and the value of what is left: at the end of the game, its result."""
        left = self.solution.value(self.pending, kind="pending") if self.rolling else self.steps[-1].value
        return self.banked + left

    def rolled(self, state: Any) -> "Grade":
        """Return the game after a roll, given as a state or its text.

        Raises `PositionError` if it is not time to roll, or the dice cannot give this.
        """
        game, pending = self.game, self.pending
        state = ability(self.solution, HasGraph).canonical_state(state)
        if not self.rolling:
            raise PositionError(f"a roll to {game.show_state(state)} came when a move was expected")
        _check_roll(game, pending, state)
        value = self.solution.value(state, kind="state")
        before = self.solution.value(pending, kind="pending")
        cost = game.cost(pending) if self.fewest else 0
        lower = self.solution.objective.better == "lower"
        luck = _minus(before, cost + value) if lower else _minus(value, before)
        return replace(self, steps=(*self.steps, Step(state, value, luck)), banked=self.banked + cost)

    def moved(self, action: Any) -> "Grade":
        """Return the game after a move, given as an action or its text.

        Raises `PositionError` if it is not time to move, or the rules do not allow the move.
        """
        game = self.game
        if self.rolling or self.over:
            why = "the game is over" if not self.rolling else "a roll was expected"
            raise PositionError(_late(game, action, why))
        last = self.steps[-1]
        action = self.solution._read_action(last.state, action)
        ranked = self.solution.ranked(last.state)
        made = next(move for move in ranked if move.action == action)
        step = replace(last, action=action, loss=made.loss, best=ranked[0].action, moved=True, mover=game.mover(last.state))
        gain = game.gain(last.state, action) if self.solution.objective.adds and not self.fewest else 0
        steps = (*self.steps[:-1], step)
        return replace(self, steps=steps, pending=game.play(last.state, action), banked=self.banked + gain)


def start_game(solution: Solution) -> Grade:
    """Start a game that is graded move by move.

    >>> import rollwise
    >>> game = start_game(rollwise.solve("slots", exact=True))
    >>> game.total, game.rolled("all 0 6").moved("x3").mistakes
    (Fraction(13817, 46656), Fraction(59, 1944))
    """
    require_solution(solution, "start_game")
    with blaming(solution.game):
        return Grade(solution, pending=solution.game.start())


def _zero(solution: Solution) -> Number:
    return 0 * solution.value() if solution.exact else 0.0


def _minus(a: Number, b: Number) -> Number:
    """The difference; of two infinite values, none."""
    return 0.0 if a == b and infinite(a) else a - b


def grade(solution: Solution, record: Record, *, progress: Progress | None = None) -> Grade:
    r"""Grade a recorded game: the luck of every roll, the loss of every move, and their sums.

    >>> import rollwise
    >>> record = rollwise.read_record("game: slots\nroll: all 0 6\nmove: x3")
    >>> float(round(grade(rollwise.solve("slots"), record).mistakes, 6))
    0.03035

    The record may omit a last roll that has only one outcome. Raises `GameError` with the line of the first roll or move that
    cannot be read or is not possible.
    """
    require_solution(solution, "grade")
    with blaming(solution.game):
        return _grade(solution, record, progress)


def _grade(solution: Solution, record: Record, progress: Progress | None) -> Grade:
    game = start_game(solution)
    for done, line in enumerate(record.lines):
        if progress:
            progress("lines graded", done, len(record.lines))
        try:
            if line.kind == "roll":
                game = game.rolled(read_position(solution.game, line.text))
            else:
                game = game.moved(_read_move(solution.game, game.steps[-1].state if not game.rolling else None, line.text))
        except RollwiseError as error:
            raise GameError(f"line {line.number}: {error}" if line.number else str(error)) from None
    if game.steps and game.rolling and draw(solution.game, game.pending, Random(0)) is None:
        outcomes = list(solution.game.roll(game.pending))
        if len(outcomes) == 1 and not solution.game.actions(outcomes[0]):
            game = game.rolled(outcomes[0])
    return game


def rehearse(game: Game[Any, Any, Any], record: Record) -> None:
    """Follow a record by the rules alone, which takes no solution. Raises `GameError` as `grade` does."""
    pending, state = game.start(), None
    for line in record.lines:
        try:
            if line.kind == "roll":
                state = read_position(game, line.text)
                _check_roll(game, pending, state)
            else:
                action = _read_move(game, state, line.text)
                if action not in game.actions(state):
                    over = not game.actions(state)
                    raise _forbidden(game, state, action) if not over else PositionError(_late(game, action))
                pending = game.play(state, action)
        except RollwiseError as error:
            raise GameError(f"line {line.number}: {error}" if line.number else str(error)) from None


def _read_move(game: Game[Any, Any, Any], state: Any, text: str) -> Any:
    """Read a move, also one that comes after the end of a game."""
    return read_move(game, state, text) if state is not None and game.actions(state) else game.read_action(text)


def _check_roll(game: Game[Any, Any, Any], pending: Any, state: Any) -> None:
    if not can_follow(game, pending, state):
        raise PositionError(
            f"state {game.show_state(state)} cannot follow: the roll was {notation_of(game).show_pending(pending)}"
        )


def _forbidden(game: Game[Any, Any, Any], state: Any, action: Any) -> PositionError:
    return PositionError(f"the move {game.show_action(action)} is not allowed at state {game.show_state(state)}")


def _late(game: Game[Any, Any, Any], action: Any, why: str = "the game is over") -> str:
    return f"the move {game.show_action(action)} came, but {why}"
