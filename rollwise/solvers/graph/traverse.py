"""The walk from rules to rows, one position at a time: every reachable state and pending roll gets a number and a row.

Pendings and states are numbered in the order they turn up, and expanded in that order. Numbers only depend on the order within
each kind, so the walk may expand many pendings, then many states. Rules that answer as they should are taken down in bulk; a
bulk in which anything is unusual is expanded again position by position, with every check, so that a fault names its position.

In bulk a new position first gets a *mark*, -1 minus its place among the edges of the bulk, and its number at the end of the bulk:
so one look-up an edge finds the number or adds the position.
"""

import gc
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from math import gcd
from operator import index
from struct import pack
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, brief
from rollwise.model.abilities import overridden, unlifted
from rollwise.model.faults import blame, check_signatures
from rollwise.model.game import Game, Progress
from rollwise.model.notation import notation_of, own_classes
from rollwise.model.roll import LARGEST, Roll, positive_weight
from rollwise.model.view import view_of
from rollwise.solvers.graph.arrays import Growing

__all__ = ["OverBudget", "Traversal", "check_budget", "integer", "name_node"]

MEANT = {"pending": "roll", "state": "actions"}
"""The rule that a fault at a node is about where it names none."""
EDGES_PER_STATE = 40
AT_ONCE = 1024
"""Positions in a bulk."""
EDGES_AT_ONCE = 2**14
"""A bulk ends when it has more edges than this, so that it stays small beside the result."""
NEW_BEFORE_COLLECTION = 100_000
"""Objects that are made and kept before Python looks for garbage in circles."""

Ints = npt.NDArray[Any]


@cache
def _marks() -> list[int]:
    """The marks of a bulk, made once: new objects for every bulk would take longer than the look-ups."""
    return [-1 - place for place in range(4 * EDGES_AT_ONCE)]


class OverBudget(GameError):
    """A game with more than `most` positions, or too many moves and outcomes, to be explored."""

    def __init__(self, text: str, most: int = 0) -> None:
        super().__init__(text)
        self.most = most


def check_budget(found: int, edges: int, max_states: int) -> None:
    """Stop where there are more positions, or moves and outcomes, than may be explored. Raises `OverBudget`."""
    if found > max_states or edges > EDGES_PER_STATE * max_states:
        raise OverBudget(
            f"the game has more than {found:,} positions with {edges:,} moves and outcomes, over the budget of "
            f"{max_states:,}: make it smaller or raise max_states (on the command line: --max-states N)",
            max_states,
        )


class _Located(GameError):
    """A fault of the rules whose text already names its position."""


class _Unusual(Exception):
    """Something in a bulk that is looked at one position at a time."""


class Traversal:
    """One walk through a game; `run` it, then read its columns: rows of `actions` and of `outcomes`, given by their lengths."""

    def __init__(self, game: Game[Any, Any, Any], max_states: int, progress: Progress | None, *, alone: bool = False) -> None:
        self.game, self.max_states, self.progress, self.alone = game, max_states, progress, alone
        self.states: list[Any] = []
        self.pendings: list[Any] = []
        self.state_index: dict[Any, int] = {}
        self.pending_index: dict[Any, int] = {}
        self.state_payoff, self.pending_cost = Growing(), Growing()
        self.actions, self.action_pending, self.action_gain = Growing(), Growing(), Growing()
        self.outcomes, self.outcome_state, self.outcome_weight = Growing(), Growing(), Growing()
        self.state_mover = bytearray()
        own = overridden(game, Game, ("gain", "mover", "cost"))
        self.of_user = any(own_classes(unlifted(game)))
        self.has_gain, self.has_mover, self.has_cost = "gain" in own, "mover" in own, "cost" in own

    def run(self, *, stop: bool = False) -> None:
        """Walk everything, or with `stop` end quietly at the budget."""
        check_signatures(self.game)
        self._guard(lambda _: self._begin(), "the beginning", "", str)
        size = 1
        with _rare_collections():
            while self.left():
                room = self.max_states - len(self.outcomes) - len(self.actions)
                if stop and room <= 0:
                    return
                self._expand(min(size, room) if stop else size)
                size = min(2 * size, AT_ONCE)
                if not stop:
                    self._check_budget()

    def left(self) -> bool:
        """Say whether some position has a number and no row."""
        return len(self.outcomes) < len(self.pendings) or len(self.actions) < len(self.states)

    def _begin(self) -> None:
        self._number(self.game.start(), self.pendings, self.pending_index, "the start")

    def _expand(self, size: int) -> None:
        """Expand up to `size` positions, of the kind that has fewer rows."""
        pending, state, game = len(self.outcomes), len(self.actions), self.game
        if pending < len(self.pendings) and (pending <= state or state == len(self.states)):
            nodes = self.pendings[pending : pending + size]
            self._try(nodes, self._expand_pendings, self._expand_pending, "pending", notation_of(game).show_pending)
        else:
            nodes = self.states[state : state + size]
            self._try(nodes, self._expand_states, self._expand_state, "state", game.show_state)

    def _try(self, nodes: list[Any], in_bulk: Any, expand: Any, kind: str, show: Any) -> None:
        try:
            in_bulk(nodes)
        except (Exception, SystemExit):
            _number_new(self.state_index, self.states)
            _number_new(self.pending_index, self.pendings)
            for node in nodes:
                self._guard(expand, node, kind, show)

    def _expand_pendings(self, pendings: list[Any]) -> None:
        """Take down what rolls may give; anything unusual raises some exception, and nothing is taken down."""
        roll, number, marks = self.game.roll, self.state_index.setdefault, iter(_marks())
        found: list[int] = []
        weights: list[int] = []
        sizes: list[int] = []
        for pending in pendings:
            outcomes = roll(pending)
            if outcomes.__class__ is not dict:
                outcomes = _plain(outcomes)
            sizes.append(len(outcomes))
            found.extend(map(number, outcomes, marks))
            weights.extend(outcomes.values())
            if len(found) > EDGES_AT_ONCE:
                break
        weight = _lowest_terms(_packed(weights), sizes)
        # What `Game.cost` says, without asking for the roll again.
        cost = _checked(map(self.game.cost, pendings[: len(sizes)])) if self.has_cost else array("i", [n > 1 for n in sizes])
        self.outcome_state.add(_settled(found, weights, self.state_index, self.states))
        self.outcome_weight.add(weight)
        self.pending_cost.add(cost)
        self.outcomes.add(sizes)

    def _expand_states(self, states: list[Any]) -> None:
        """Take down what may be done; anything unusual raises some exception, and nothing is taken down."""
        actions, play, careful = self.game.actions, self.game.play, self.of_user
        after: list[Any] = []
        offers: list[tuple[Any, ...]] = []
        for state in states:
            offered = actions(state)
            if offered.__class__ is not tuple:
                offered = tuple(offered) if offered.__class__ is list else _as_tuple(offered)
            hash(offered)
            if careful and len(set(offered)) < len(offered):
                raise _Unusual
            offers.append(offered)
            for action in offered:
                after.append(play(state, action))  # noqa: PERF401  (a comprehension is a call more a state)
            if len(after) > EDGES_AT_ONCE:
                break
        found = list(map(self.pending_index.setdefault, after, _marks()))
        gain, payoff, mover = self._points(states, offers)
        self.action_pending.add(_settled(found, gain, self.pending_index, self.pendings))
        self.action_gain.add(gain)
        self.state_payoff.add(payoff)
        self.state_mover += mover
        self.actions.add(list(map(len, offers)))

    def _points(self, states: list[Any], offers: list[tuple[Any, ...]]) -> "tuple[array[int], array[int], bytes]":
        """Give what the actions gain, what the ends pay, and who chooses."""
        gain, pay, choose = self.game.gain, self.game.payoff, self.game.mover
        pairs = list(zip(states, offers))  # noqa: B905  (a bulk may end before its states do)
        if self.has_gain:
            gains = _checked([gain(state, action) for state, offered in pairs for action in offered])
        else:
            gains = _zeros(sum(map(len, offers)))
        payoff = _zeros(len(pairs)) if all(offers) else _checked([0 if some else pay(state) for state, some in pairs])
        mover = bytes([choose(state) if some else 0 for state, some in pairs]) if self.has_mover else b""
        if mover and max(mover) > (not self.alone):
            raise _Unusual
        return gains, payoff, mover

    # One position at a time, with every check.

    def _guard(self, expand: Any, node: Any, kind: str, show: Any) -> None:
        """Expand a node; whatever goes wrong in the rules is reported with its position."""
        try:
            expand(node)
        except _Located:
            raise
        except (Exception, SystemExit) as error:
            raise _Located(
                blame(error, self.game, f"{kind} {name_node(show, node)}".strip(), MEANT.get(kind, "start"))
            ) from error

    def _expand_pending(self, pending: Any) -> None:
        roll = self.game.roll(pending)
        if not isinstance(roll, Mapping):
            raise GameError(f"roll() returned {brief(roll)}: expected a Roll or another mapping from outcome to integer weight")
        weights = [positive_weight(outcome, weight) for outcome, weight in roll.items()]
        if not weights:
            raise GameError("roll() returned no outcomes: expected at least one (use certain(state) for a certain one)")
        divisor = gcd(*weights)
        if sum(weights) // divisor >= LARGEST:
            raise GameError("the weights add up to 2**62 or more: split the roll into several smaller ones")
        self.outcome_state.add([self._number(outcome, self.states, self.state_index, "an outcome") for outcome in roll])
        self.outcome_weight.add([weight // divisor for weight in weights])
        self.pending_cost.add([integer("cost()", self.game.cost(pending)) if self.has_cost else int(len(weights) > 1)])
        self.outcomes.add([len(weights)])

    def _expand_state(self, state: Any) -> None:
        game = self.game
        actions = game.actions(state)
        _check_actions(actions)
        seen = set()
        for action in actions:
            _check_hash(action)
            if self.of_user and action in seen:
                raise GameError(f"actions() lists {brief(action)} twice: list every action once")
            seen.add(action)
            pending = self._number(game.play(state, action), self.pendings, self.pending_index, "what play() returned")
            self.action_pending.add([pending])
            self.action_gain.add([integer("gain()", game.gain(state, action)) if self.has_gain else 0])
        self.state_payoff.add([0 if len(actions) else integer("payoff()", game.payoff(state))])
        if self.has_mover:
            self.state_mover.append(_player(game.mover(state)) if len(actions) else 0)
            if self.alone and self.state_mover[-1]:
                raise GameError(
                    f"player 1 moves, and Fewest counts the {view_of(game).cost_word} of one player: use Expected() or AtLeast(t)"
                )
        self.actions.add([len(actions)])

    def _number(self, node: Hashable, nodes: list[Any], numbers: dict[Any, int], what: str) -> int:
        try:
            number = numbers.get(node)
        except TypeError:
            raise GameError(
                f"{what}, {brief(node)}, is not hashable: use tuples, strings, numbers or frozen dataclasses"
            ) from None
        if number is None:
            number = numbers[node] = len(nodes)
            nodes.append(node)
        return number

    def _check_budget(self) -> None:
        found = len(self.states) + len(self.pendings)
        check_budget(found, len(self.action_pending) + len(self.outcome_state), self.max_states)
        if self.progress:
            self.progress("exploring", found, None)


def _settled(found: list[int], beside: Sequence[Any], numbers: dict[Any, int], nodes: list[Any]) -> "array[int]":
    """Number the new positions of a bulk and give the number of every edge; there are as many `beside`, or marks ran out."""
    if len(found) != len(beside):
        raise _Unusual
    known, result = len(nodes), array("i", pack(f"{len(found)}i", *found))
    new = _number_new(numbers, nodes)
    if new:
        edge: Ints = np.frombuffer(result, dtype=np.int32)
        marked = np.flatnonzero(edge < 0)
        place = -1 - edge[marked]
        number = np.empty(len(edge), dtype=np.int32)
        number[marked[place == marked]] = np.arange(known, known + new)
        edge[marked] = number[place]
    return result


def _number_new(numbers: dict[Any, int], nodes: list[Any]) -> int:
    """Turn the marks of new positions into numbers, in the order in which they came; say how many there are."""
    new = list(islice(reversed(numbers), len(numbers) - len(nodes)))
    new.reverse()
    numbers.update(zip(new, range(len(nodes), len(numbers)), strict=True))
    nodes += new
    return len(new)


def _plain(outcomes: Any) -> Mapping[Any, int]:
    """Give any mapping as one whose outcomes and weights are quickly listed."""
    if outcomes.__class__ is Roll:
        weights: Mapping[Any, int] = outcomes._weights
        return weights
    if not isinstance(outcomes, Mapping):
        raise _Unusual
    items = list(outcomes.items())
    found = dict(items)
    if len(found) != len(items):
        raise _Unusual
    return found


def _as_tuple(actions: Any) -> tuple[Any, ...]:
    _check_actions(actions)
    return tuple(actions)


def _lowest_terms(weight: "array[int]", sizes: list[int]) -> "array[int]":
    """Divide the weights of every roll by what they have in common."""
    values: Ints = np.frombuffer(weight, dtype=weight.typecode)
    if 0 in sizes or values.min() <= 0 or int(values.max()) * max(sizes) >= LARGEST:
        raise _Unusual
    if values.max() == 1:
        return weight
    row_start = np.cumsum([0, *sizes[:-1]])
    if np.minimum.reduceat(values, row_start).max() > 1:
        values //= np.repeat(np.gcd.reduceat(values, row_start), sizes)
    return weight


def _checked(numbers: Iterable[Any]) -> "array[int]":
    """Take down integers between -2**62 and 2**62; an array refuses what is no integer."""
    result = _packed(list(numbers))
    if result.typecode == "q" and not (min(result) > -LARGEST and max(result) < LARGEST):
        raise _Unusual
    return result


def _packed(numbers: list[int]) -> "array[int]":
    """Take down integers. Raises `TypeError` for what is none, `OverflowError` for what needs more than 64 bits."""
    try:
        # Most weights and gains are small, and bytes are three times as fast.
        return array("i", np.frombuffer(bytes(numbers), dtype=np.uint8).astype(np.int32).tobytes())
    except ValueError:
        pass
    try:
        return array("i", numbers)
    except OverflowError:
        return array("q", numbers)


def _zeros(count: int) -> "array[int]":
    return array("i", bytes(4 * count))


_COLLECTIONS = Lock()
_walking: list[tuple[int, int, int]] = []


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for garbage in circles more rarely: millions of new positions are none, and looking costs more than the walk."""
    with _COLLECTIONS:
        _walking.append(gc.get_threshold())
        gc.set_threshold(NEW_BEFORE_COLLECTION if _walking[0][0] else 0, *_walking[0][1:])
    try:
        yield
    finally:
        with _COLLECTIONS:
            usual = _walking.pop()
            if not _walking:
                gc.set_threshold(*usual)


def name_node(show: Any, node: Any) -> str:
    """Write a node for a message, shortened, whatever its own notation does."""
    try:
        text = str(show(node))
    except Exception:
        return brief(node)
    return text if len(text) <= 120 else f"{text[:100]}... ({len(text):,} characters)"


def _check_actions(actions: object) -> None:
    """Refuse what looks like actions and is none. Raises `GameError`."""
    tip = "expected a tuple of actions, () when the game is over"
    if isinstance(actions, str | bytes):
        raise GameError(f"actions() returned the text {brief(actions)}: {tip}; one action is ({brief(actions)},)")
    if not (hasattr(actions, "__len__") and hasattr(actions, "__iter__")) or hasattr(actions, "__array__"):
        raise GameError(f"actions() returned {brief(actions)}: {tip}")


def _check_hash(action: object) -> None:
    try:
        hash(action)
    except TypeError:
        raise GameError(
            f"the action {brief(action)} is not hashable: use tuples, strings, numbers or frozen dataclasses"
        ) from None


def integer(what: str, value: object) -> int:
    """Give what a rule returned as an integer. Raises `GameError` if it is none or too large."""
    try:
        result = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"{what} is {brief(value)}: expected an integer") from None
    if not -LARGEST < result < LARGEST:
        raise GameError(f"{what} is {brief(result)}: expected an integer between -2**62 and 2**62")
    return result


def _player(value: object) -> int:
    player = integer("mover()", value)
    if player not in (0, 1):
        raise GameError(f"mover() is {player}: expected 0, who maximises, or 1, who minimises")
    return player
