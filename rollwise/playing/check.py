"""Check a model before trusting its value: walk a bounded part of a game and name the position where a rule is faulty."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.forms.graph.explore import Explored, explore_part
from rollwise.model.game import Game

__all__ = ["Checked", "check_game"]


@dataclass(frozen=True)
class Checked:
    """How much of a game was checked; `complete` if that was all of it."""

    states: int
    pendings: int
    complete: bool


def check_game(game: Game[Any, Any, Any], *, max_states: int = 20_000) -> Checked:
    """Walk the first `max_states` positions of a game and check its rules.

    Checked are: positive integer weights, integer points and costs, movers 0 or 1, hashable positions, the same answer when asked
    twice, notation that reads back what it writes, and (if the walk is complete) that the end can be reached from everywhere.

    >>> from rollwise.games import load
    >>> check_game(load("slots"))
    Checked(states=8184, pendings=1404, complete=True)

    Raises `GameError`, naming the position, at the first fault.
    """
    if max_states < 2:
        raise GameError(f"{max_states} positions were to be checked: expected at least 2")
    found, complete = explore_part(game, max_states)
    for state in found.states[: found.graph.n_states]:
        where = _show(game, state)
        actions = list(game.actions(state))
        if actions != list(game.actions(state)):
            raise GameError(f"at state {where}: actions() differ when asked twice; rules must depend on the state only")
        if actions and game.mover(state) != game.mover(state):
            raise GameError(f"at state {where}: mover() differs when asked twice; rules must depend on the state only")
        _round_trip("state", state, where, game.show_state, game.read_state)
        _columns(game, state, where)
        for action in actions:
            _round_trip("action", action, where, game.show_action, game.read_action)
        if len({game.show_action(action) for action in actions}) != len(actions):
            raise GameError(f"at state {where}: two actions are written alike: {[game.show_action(a) for a in actions]}")
    for pending in found.pendings[: found.graph.n_pendings]:
        if dict(game.roll(pending)) != dict(game.roll(pending)):
            raise GameError(f"at pending {game.show_pending(pending)}: roll() differs when asked twice; list what may happen")
    if complete:
        _check_ends(found)
    return Checked(found.graph.n_states, found.graph.n_pendings, complete)


def _show(game: Game[Any, Any, Any], state: Any) -> str:
    try:
        return game.show_state(state)
    except Exception as error:
        raise GameError(f"at state {state!r}: show_state() failed with {type(error).__name__}: {error}") from error


def _columns(game: Game[Any, Any, Any], state: Any, where: str) -> None:
    try:
        texts = all(isinstance(text, str) for pair in game.columns(state).items() for text in pair)
    except Exception as error:
        raise GameError(f"at state {where}: columns() failed with {type(error).__name__}: {error}") from error
    if not texts:
        raise GameError(f"at state {where}: columns() must map texts to texts")


def _round_trip(what: str, thing: Any, where: str, show: Callable[[Any], str], read: Callable[[str], Any]) -> None:
    text = show(thing)
    try:
        back = read(text)
    except Exception as error:
        raise GameError(
            f"at state {where}: the {what} {thing!r} is written {text!r}, which cannot be read back: {error}"
        ) from error
    if back != thing:
        raise GameError(f"at state {where}: the {what} {thing!r} is written {text!r}, which reads back as {back!r}")


def _check_ends(found: Explored) -> None:
    """Every position must have a way to the end."""
    graph = found.graph
    state = np.diff(graph.action_start) == 0
    if not state.any():
        raise GameError("the game never ends: actions() is () in no reachable state")
    owner = np.repeat(np.arange(graph.n_states), np.diff(graph.action_start))
    count = 0
    while count != state.sum():
        count = int(state.sum())
        pending = np.logical_or.reduceat(state[graph.outcome_state], graph.outcome_start[:-1])
        state = state | (np.bincount(owner, pending[graph.action_pending], graph.n_states) > 0)
    if not state.all():
        stuck = found.states[int(np.argmin(state))]
        raise GameError(f"at state {found.game.show_state(stuck)}: no end can be reached from here; check actions() and play()")
