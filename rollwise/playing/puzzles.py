"""Puzzles: decisions in which the move that looks best at once is a costly mistake.

Games are played by the rules, in turns by the best strategy and by the greedy one (`obvious_move`), so that positions are those
that good and hasty players meet. In every decision the greedy move is the *tempting* one, and what it loses is the cost. It
tempts only if it looks better than the best move: between two boxes that both pay nothing, there is no temptation. Kept are the
costliest decisions that differ:

    equal positions, and decisions whose losses are all the same (other names for the same choice), count once;
    decisions alike in their dice (four equal ones and another, whatever they show) and in the best or the tempting move count
    once as long as there are others; then those with the same dice and both moves the same.

Easy to hard: the more moves look at least as good at once as the best one, the harder it is to find; among equals, the less the
tempting move costs, the harder. The seed determines everything.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from rollwise.errors import GameError
from rollwise.model.abilities import heuristic
from rollwise.model.faults import blaming
from rollwise.model.formatting import infinite
from rollwise.model.game import Progress
from rollwise.model.view import view_of
from rollwise.playing.mistakes import MistakeThresholds, mistake_thresholds
from rollwise.playing.obvious import ROUNDING, obvious_move
from rollwise.playing.roll_source import RollSource, check_seed
from rollwise.solvers.base.abilities import HasGraph, ability
from rollwise.solvers.base.solution import Number, Ranked, Solution, require_solution

__all__ = ["Puzzle", "puzzles"]

MOST = 1000
DECISIONS = 800
"""Different decisions that are looked at."""
MOVES = 4000
"""Moves that are played at most, for games with few different decisions."""
GAMES = 2000
LONGEST = 300
"""Moves after which a game is left: a hasty player may never end it."""
NEAR = 9
"""Decimals to which losses are the same."""


@dataclass(frozen=True)
class Puzzle:
    """A decision: its best and its tempting move, what the latter loses, and all losses but the best move's.

    `hidden` counts the other moves that look at least as good at once as the best one; the tempting move looks better.
    """

    state: Any
    best: Any
    tempting: Any
    value: Number
    loss: Number
    hidden: int
    losses: tuple[float, ...]

    @property
    def difficulty(self) -> tuple[int, Number]:
        """What puzzles are ordered by, easy ones first."""
        return self.hidden, -self.loss


def puzzles(solution: Solution, n: int = 10, *, seed: int = 0, progress: Progress | None = None) -> list[Puzzle]:
    """Find the `n` decisions in which the tempting move costs most, from easy to hard; fewer if there are not so many.

    >>> import rollwise
    >>> solution = rollwise.solve("slots")
    >>> [(solution.game.show_state(one.state), one.best, one.tempting) for one in puzzles(solution, 1)]
    [('flip,bin 42 5', 'bin', 'flip')]

    Raises `GameError` for a number below 1, a negative seed, or a game that cannot surely be ended.
    """
    require_solution(solution, "puzzles")
    check_seed(seed)
    if not 1 <= n <= MOST:
        raise GameError(f"{n} puzzles: expected at least 1, and at most {MOST:,}")
    if infinite(solution.value()):
        raise GameError("the game is impossible: no strategy surely ends it, so there is no best move to find")
    with blaming(solution.game):
        return sorted(_costliest(solution, _collect(solution, seed, progress), n), key=lambda one: one.difficulty)


class _Decision(NamedTuple):
    """What is computed once of a state: its moves from best to worst, and the tempting one."""

    ranked: list[Ranked]
    tempting: Any


def _collect(solution: Solution, seed: int, progress: Progress | None) -> list[Puzzle]:
    """Play games and keep the decisions in which the tempting move is a mistake."""
    known: dict[Any, _Decision] = {}
    for _ in _played(solution, seed, known):
        if progress:
            progress("decisions", len(known), DECISIONS)
        if len(known) >= DECISIONS:
            break
    scale = mistake_thresholds(solution)
    found = (_puzzle(solution, scale, state, decision) for state, decision in known.items())
    return [one for one in found if one is not None]


def _played(solution: Solution, seed: int, known: dict[Any, _Decision]) -> Iterator[int]:
    """Play games, by the best strategy and by the greedy one in turn, and write down what is decided; gives moves played."""
    game, moves, canonical = solution.game, 0, ability(solution, HasGraph).canonical_state
    source = RollSource(game, Random())
    for number in range(GAMES):
        source.random, pending = Random(f"{seed} {number}"), game.start()
        for _ in range(LONGEST):
            state = canonical(source.draw(pending))
            if state not in known:
                if not game.actions(state):
                    break
                known[state] = _Decision(solution.ranked(state), obvious_move(game, state))
            moves += 1
            yield moves
            pending = game.play(state, known[state].tempting if number % 2 else known[state].ranked[0].action)
        if moves >= MOVES:
            return


def _puzzle(solution: Solution, scale: MistakeThresholds, state: Any, decision: _Decision) -> Puzzle | None:
    """Make a puzzle of a decision; None where the greedy move does not tempt, is good enough, or loses everything."""
    (best, *others), game = decision.ranked, solution.game
    loss = next(move.loss for move in decision.ranked if move.action == decision.tempting)
    looks = heuristic(game, state, best.action)
    tempts = heuristic(game, state, decision.tempting) > looks + ROUNDING * abs(looks)
    if not tempts or infinite(loss) or scale.classify(loss) is None:
        return None
    hidden = sum(heuristic(game, state, move.action) >= looks for move in others)
    losses = tuple(sorted(round(float(move.loss), NEAR) for move in others if not infinite(move.loss)))
    return Puzzle(state, best.action, decision.tempting, best.value, loss, hidden, losses)


def _costliest(solution: Solution, found: Iterable[Puzzle], n: int) -> list[Puzzle]:
    """Choose the costliest of those that differ; where they are too few, also those that differ less."""
    show = solution.game.show_state
    left = sorted(found, key=lambda one: (-one.loss, show(one.state)))
    chosen, losses = list[Puzzle](), set[tuple[float, ...]]()
    tiers: tuple[Callable[[Solution, Puzzle], list[Any]], ...] = (_theme, _look, lambda *_: [])
    for looks in tiers:
        seen = {look for one in chosen for look in looks(solution, one)}
        for one in left:
            alike = looks(solution, one)
            if len(chosen) < n and one.losses not in losses and seen.isdisjoint(alike):
                chosen.append(one)
                losses.add(one.losses)
                seen.update(alike)
    return chosen


def _dice(solution: Solution, one: Puzzle) -> list[str]:
    return sorted(map(str, view_of(solution.game).show_dice(one.state)))


def _look(solution: Solution, one: Puzzle) -> list[Any]:
    """What a player sees of a decision: the dice, the best move and the tempting one; without dice, about what is lost."""
    show, dice = solution.game.show_action, _dice(solution, one)
    return [(show(one.best), show(one.tempting), *(dice or [f"{float(one.loss):.1g}"]))]


def _theme(solution: Solution, one: Puzzle) -> list[Any]:
    """What a decision is about, whatever the dice show: how many are alike, with the best move and with the tempting one."""
    show, dice = solution.game.show_action, Counter(_dice(solution, one))
    if len(dice) < 2 or max(map(len, dice)) > 1:
        return _look(solution, one)
    alike = sorted(dice, key=lambda face: (-dice[face], face))
    names = str.maketrans({face: chr(ord("a") + place) for place, face in enumerate(alike)})
    shape = tuple(sorted(dice.values()))
    return [(word, shape, show(move).translate(names)) for word, move in (("best", one.best), ("tempting", one.tempting))]
