"""Check a model before trusting its value: walk a bounded part of a game and name the position where a rule is faulty.

What makes a value wrong or impossible is an error. What only looks wrong is a warning: a method that is spelt almost like a
rule, an attribute that changes while the rules are asked, actions without an order, a rule that keeps the game from the solver
of its family.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from pickle import dumps
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.users import GameLike, game_of
from rollwise.model.abilities import in_columns
from rollwise.model.faults import blaming, describe_error, misspelt
from rollwise.model.game import Game, objective_of
from rollwise.model.ids import position_id, read_id
from rollwise.model.notation import notation_of, own_classes
from rollwise.model.objective import Expected, Objective
from rollwise.solvers.choose_solver import overridden_rules
from rollwise.solvers.graph.explore import Explored, OverBudget, explore_part, walked
from rollwise.solvers.graph.recheck import call_again, call_rule, recheck_pending, recheck_state, sample

__all__ = ["Checked", "check_game"]

AnyGame = Game[Any, Any, Any]

ALONE = 300
"""Positions of rules in columns that are asked about one at a time, which takes far longer than all at once."""


@dataclass(frozen=True, repr=False)
class Checked:
    """How much of a game was checked; `complete` if that was all of it. `warnings` say what only looks wrong, a line each."""

    states: int
    pendings: int
    complete: bool
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        more = f", warnings={self.warnings!r}" if self.warnings else ""
        return f"Checked(states={self.states}, pendings={self.pendings}, complete={self.complete}{more})"


def check_game(game: GameLike, *, max_states: int = 20_000) -> Checked:
    """Check the rules of a game on its first `max_states` positions, and report what looks wrong.

    >>> check_game("slots")
    Checked(states=8184, pendings=1404, complete=True)

    It checks the objective, the weights, points, costs and players, that positions are hashable, that every rule gives the same
    answer twice, that notation reads back what it writes, and, if all positions are checked, that the game can end from each of
    them. It warns of methods that look like misspelt rules, attributes that change while the rules run, actions given as a set,
    and rules that keep the game from the fast solver of its family. Of rules in columns, it checks a sample of the positions.

    Raises `GameError`, naming the position, at the first fault.
    """
    game = game_of(game, "check_game")
    if max_states < 2:
        raise GameError(f"{max_states} positions were to be checked: expected at least 2")
    with blaming(game):
        return _checked(game, max_states)


def _checked(game: AnyGame, max_states: int) -> Checked:
    objective = objective_of(game)
    before = _kept(game)
    found, complete = _walked(game, max_states)
    call_again(game, "start", "the beginning", found.pendings[0])
    for number in _some(game, found.graph.n_states):
        _check_state(found, number, found.states[number])
    for number in _some(game, found.graph.n_pendings):
        pending = found.pendings[number]
        where = f"pending {_text('show_pending', notation_of(game).show_pending, pending, f'pending {brief(pending)}')}"
        recheck_pending(found, number, where)
    if objective.counts == "costs":
        _check_costs(found)
    if complete:
        _check_ends(found)
    warnings = (*misspelt(game), *_changed(game, before), *_unordered(found), *_general(game, objective))
    return Checked(found.graph.n_states, found.graph.n_pendings, complete, warnings)


def _walked(game: AnyGame, max_states: int) -> tuple[Explored, bool]:
    """Walk a game, and say whether that is all of it; rules in columns are asked about all positions at once, if they are few."""
    if in_columns(game) is not None:
        with suppress(OverBudget):
            return walked(game, Expected(), max_states), True
        max_states = min(max_states, ALONE)
    return explore_part(game, max_states)


def _some(game: AnyGame, count: int) -> list[int]:
    """Number the positions that are asked about one at a time: all, or a sample of those that were asked about together."""
    return sample(count, count if in_columns(game) is None else ALONE)


def _check_state(found: Explored, number: int, state: Any) -> None:
    """Ask every rule about a state again, and read back what it is written as."""
    game = found.game
    where = f"state {_text('show_state', game.show_state, state, f'state {brief(state)}')}"
    actions = recheck_state(found, number, where)
    # The library's own heuristics are known to be right, and take long.
    guesses = any("heuristic" in vars(kind) for kind in own_classes(game))
    for action in actions:
        if guesses:
            _check_heuristic(game, where, state, action)
        _round_trip("action", action, where, game.show_action, game.read_action)
    _round_trip("state", state, where, game.show_state, game.read_state)
    if any("notation" in vars(kind) for kind in own_classes(game)):
        _check_id(game, state, where)
    _columns(game, state, where)


def _check_heuristic(game: AnyGame, where: str, state: Any, action: Any) -> None:
    """Ask for the heuristic worth of an action, which must be a number."""
    worth = call_rule(game, "heuristic", where, state, action)
    if not isinstance(worth, Real) or worth != worth:  # noqa: PLR0124  (NaN)
        raise GameError(f"at {where}: heuristic() is {brief(worth)}: expected a number")
    call_again(game, "heuristic", where, worth, state, action)


def _columns(game: AnyGame, state: Any, where: str) -> None:
    columns = call_rule(game, "columns", where, state, part=notation_of(game))
    if not isinstance(columns, Mapping) or not all(isinstance(text, str) for pair in columns.items() for text in pair):
        raise GameError(f"at {where}: columns() must map texts to texts, got {brief(columns)}")


def _text(rule: str, show: Callable[[Any], str], thing: Any, where: str) -> str:
    try:
        text: object = show(thing)
    except (Exception, SystemExit) as error:
        raise GameError(f"{rule}() failed at {where}: {describe_error(error)}") from error
    if not isinstance(text, str):
        raise GameError(f"at {where}: {rule}() returned {brief(text)}: expected text")
    return text


def _round_trip(what: str, thing: Any, where: str, show: Callable[[Any], str], read: Callable[[str], Any]) -> None:
    text = _text(f"show_{what}", show, thing, where)
    try:
        back = read(text)
    except (Exception, SystemExit) as error:
        raise GameError(
            f"at {where}: the {what} {brief(thing)} is written {brief(text)}, which cannot be read back: {describe_error(error)}"
        ) from error
    if back != thing:
        raise GameError(f"at {where}: the {what} {brief(thing)} is written {brief(text)}, which reads back as {brief(back)}")


def _check_id(game: AnyGame, state: Any, where: str) -> None:
    """Make the id of a state, by the game's own numbers, and read it back."""
    try:
        back = read_id(game, position_id(game, state))
    except (Exception, SystemExit) as error:
        raise GameError(f"at {where}: unpack_state() does not read what pack_state() gives: {describe_error(error)}") from error
    if back != state:
        raise GameError(f"at {where}: unpack_state() reads what pack_state() gives as {brief(back)}")


def _check_costs(found: Explored) -> None:
    worst = int(found.graph.pending_cost.argmin())
    if found.graph.pending_cost[worst] < 0:
        where = notation_of(found.game).show_pending(found.pendings[worst])
        raise GameError(f"pending {where} has a negative cost: Fewest needs costs of 0 or more")


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


# What only looks wrong


def _kept(game: AnyGame) -> dict[str, Any]:
    """Copy what a game keeps in itself and its own classes, as far as that can be copied."""
    kept: dict[str, Any] = {}
    for name, value in _attributes(game).items():
        try:
            kept[name] = deepcopy(value)
        except Exception:
            kept[name] = value
    return kept


def _attributes(game: AnyGame) -> dict[str, Any]:
    shared = {
        name: value
        for kind in reversed(list(own_classes(game)))
        for name, value in vars(kind).items()
        if not name.startswith("__") and isinstance(value, list | dict | set | bytearray | int | str)
    }
    slots = {name: getattr(game, name) for kind in own_classes(game) for name in _slots(kind) if hasattr(game, name)}
    return {**shared, **slots, **_own(game)}


def _own(game: AnyGame) -> dict[str, Any]:
    """What a game keeps in itself, as it would be copied: without what it only remembers, if it says so."""
    kept = game.__getstate__()
    return kept if isinstance(kept, dict) else getattr(game, "__dict__", {})


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return tuple(name for name in ((slots,) if isinstance(slots, str) else slots) if name != "__dict__")


def _changed(game: AnyGame, before: dict[str, Any]) -> Iterator[str]:
    """Find attributes that differ from what they were; what only remembers answers may grow."""
    for name, value in _attributes(game).items():
        fresh = name not in before
        if fresh and isinstance(getattr(type(game), name, None), cached_property):
            continue
        if fresh or not (_same(before[name], value) or _grew(before[name], value)):
            yield f"self.{name} changes while the rules are called: put what they depend on into the positions"


def _same(before: Any, after: Any) -> bool:
    """Say whether two things are equal, by their own word or by what they hold."""
    with suppress(Exception):
        if before is after or bool(before == after):
            return True
    with suppress(Exception):
        return dumps(before) == dumps(after)
    return type(before) is type(after) and _same(getattr(before, "__dict__", {}), getattr(after, "__dict__", {}))


def _grew(before: Any, after: Any) -> bool:
    """Say whether a mapping only got more entries, as a memory of answers does."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    return all(key in after and _same(value, after[key]) for key, value in before.items())


def _general(game: AnyGame, objective: Objective) -> Iterator[str]:
    """Find what keeps a game from the solver of its family: it is right, but may be slow, or too large."""
    why = overridden_rules(game, objective)
    if why is not None:
        yield f"{why}: it is solved position by position"


def _unordered(found: Explored) -> Iterator[str]:
    game = found.game
    for state in (found.states[number] for number in _some(game, found.graph.n_states)):
        if isinstance(game.actions(state), set | frozenset):
            yield (
                f"at state {game.show_state(state)}: actions() returned a set, which has no order: return a tuple, so that ties "
                "are always broken alike"
            )
            return
