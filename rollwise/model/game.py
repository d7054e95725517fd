"""The modelling interface: what a dice game is.

A game is a graph of two kinds of nodes. In a *state* the player chooses; in a *pending* roll nature chooses. A game says where
it starts, what a roll may give, which actions a state offers and what each leads to. Points are integers: `gain` when an
action is taken, `payoff` at the end. `cost` is what `Fewest` counts for a roll. In a game for two, `mover` says whose choice
a state is; all points are those of player 0, who wants many, and player 1 wants few.

Everything a game returns is immutable and hashable; equal states are one state. Pendings are shared: many states may lead to
the same pending, and its outcomes are stored once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import unwrap
from random import Random
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakKeyDictionary

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.aim import Aim
from rollwise.model.card import Vocabulary
from rollwise.model.expected import Expected
from rollwise.model.features import Feature
from rollwise.model.notation import percent
from rollwise.model.objective import Objective
from rollwise.model.packing import pack_text, unpack_text
from rollwise.model.parameter import Parameter
from rollwise.model.parts import Part, dice_part, mover_part, text_part
from rollwise.model.plain_words import plain_vocabulary
from rollwise.model.reasons import Reason, name_reasons, reasons_in
from rollwise.model.rules import Rules, told_by
from rollwise.model.values import classes_in, has_notation, read_value, write_value

__all__ = ["RULES", "Facts", "Game", "Parameter", "Progress", "aim_of", "own_classes", "wants_game"]

State = TypeVar("State", bound=Hashable)
Pending = TypeVar("Pending", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much is done, and how much there is (None if unknown)."""

Facts = Mapping[str, Any]
"""What a solution knows about a move: always `objective`; a form adds what it has, such as what dice are kept for."""


class Game(ABC, Generic[State, Pending, Action]):
    """A dice game; subclass it and write down the rules.

    >>> import rollwise
    >>> class TwoRolls(Game[tuple[int, int], tuple[int, int], str]):
    ...     '''Roll a die; keep what it shows, or roll once more.'''
    ...     def start(self): return (0, 2)
    ...     def roll(self, pending):
    ...         kept, rolls = pending
    ...         return rollwise.die(6).map(lambda face: (face, rolls - 1)) if rolls else {(kept, -1): 1}
    ...     def actions(self, state): return ("keep", "again")[: state[1] + 1]
    ...     def play(self, state, action): return (0, state[1]) if action == "again" else (state[0], 0)
    ...     def payoff(self, state): return state[0]
    >>> rollwise.solve(TwoRolls(), exact=True).value()
    Fraction(17, 4)
    """

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    action_word: ClassVar[str] = "action"
    cost_word: ClassVar[str] = "rolls"
    """What `cost` counts, in the plural."""
    board_kind: ClassVar[str] = "any"
    """What draws the board of the game; "any": a page that knows nothing about it."""
    own_aim: ClassVar[Aim] = Aim("own", "The game's own", "What the game itself is played for.", "")
    """How its `objective` is offered to people."""
    other_aims: ClassVar[tuple[str, ...]] = ("expected", "at-least", "against")
    """The names of objectives that suit it, whatever its own is."""
    rule_names: ClassVar[tuple[str, ...]] = ("start", "roll", "actions", "play", "gain", "payoff", "mover", "cost")
    """The methods that are the rules. What else a class says, such as `say`, speaks of these; a family may add to them."""

    @property
    def objective(self) -> Objective:
        """What is best when the caller does not say."""
        return Expected()

    @abstractmethod
    def start(self) -> Pending:
        """Give the first roll, before it is rolled."""

    @abstractmethod
    def roll(self, pending: Pending) -> Mapping[State, int]:
        """Say what a pending roll may give: states with positive integer weights."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """List what the player may do; an empty sequence means the game is over. Earlier actions win ties."""

    @abstractmethod
    def play(self, state: State, action: Action) -> Pending:
        """Say which roll an action leads to."""

    def gain(self, state: State, action: Action) -> int:
        """Say how many points an action banks."""
        return 0

    def payoff(self, state: State) -> int:
        """Say how many points the end of the game adds."""
        return 0

    def mover(self, state: State) -> int:
        """Say who chooses: player 0, who maximises, or player 1, who minimises what player 0 gets."""
        return 0

    def cost(self, pending: Pending) -> int:
        """Say what `Fewest` counts for this roll; the default counts rolls, but not one that can go only one way."""
        return int(len(self.roll(pending)) > 1)

    def greed(self, state: State, action: Action) -> float:
        """Say how good an action looks at once, for the `Greedy` policy; the default is its gain."""
        return self.gain(state, action)

    def show_state(self, state: State) -> str:
        """Write a state as text; `read_state` is its inverse. Whoever writes only that reads what `repr` gives."""
        return write_value(state) if type(self).read_state is Game.read_state else repr(state)

    def read_state(self, text: str) -> State:
        """Read a state; the default reads Python literals and the game's own classes. Raises `PositionError`."""
        return _read(self, "state", text)  # type: ignore[no-any-return]

    def show_action(self, action: Action) -> str:
        """Write an action as text; `read_action` is its inverse."""
        if isinstance(action, str) and not has_notation(type(action)):
            return action
        return write_value(action) if type(self).read_action is Game.read_action else repr(action)

    def read_action(self, text: str) -> Action:
        """Read an action; the default reads as for states, and any other text as itself. Raises `PositionError`."""
        try:
            return _read(self, "action", text)  # type: ignore[no-any-return]
        except PositionError:
            return text  # type: ignore[return-value]

    def show_pending(self, pending: Pending) -> str:
        """Write a pending roll as text, for messages."""
        return repr(pending)

    def pack_state(self, state: State) -> int:
        """Write a state as a whole number from 0 on, for its id; the default packs its text. Never to be changed afterwards."""
        return pack_text(self.show_state(state))

    def unpack_state(self, number: int) -> State:
        """Read what `pack_state` wrote. Raises `PositionError` for a number that it does not give."""
        return self.read_state(unpack_text(number))

    def packed_by(self) -> str:
        """Say what the numbers of `pack_state` depend on besides the state, so that ids of another game are noticed."""
        return ""

    def columns(self, state: State) -> Mapping[str, str]:
        """Split a state into named columns, for tables of the strategy."""
        return {"state": self.show_state(state)}

    def read_column(self, name: str, text: str) -> str:
        """Write what a column is to read as `columns` writes it. Raises `GameError` for what it never reads."""
        return text

    # How the game looks and speaks. All of it has defaults; none of it changes a value.

    def unlifted(self) -> "Game[Any, Any, Any]":
        """Give the game that was described; where an objective added to its positions, the game without that."""
        return self

    def unlift(self, position: Any) -> Any:
        """Give the position of `unlifted` that a position of this game stands for."""
        return position

    def alone(self) -> "Game[Any, Any, Any]":
        """Give the game of one player by whose strategies this one can be played too: `unlifted`, or a duel's sheet."""
        return self.unlifted()

    def alone_at(self, position: Any) -> Any:
        """Give the mover's position in `alone`."""
        return self.unlift(position)

    def show_dice(self, state: State) -> Sequence[Any]:
        """List the dice that lie on the table."""
        return ()

    def say(self, state: State, action: Action, facts: Facts) -> str:
        """Say in one sentence what a move does, and what speaks for it and against it: what may come of it."""
        coming = reasons_in(facts, "outcomes")
        named = name_reasons(coming, _name_outcome, share=facts["objective"].words(self).share)
        text = self._say_at_once(state, action, facts)
        if not text and not named:
            return _name_outcome(max(coming, key=_likely)) if coming else "goes on"
        return f"{text}: {named}" if text and named and len(coming) > 1 else text or named

    def _say_at_once(self, state: State, action: Action, facts: Facts) -> str:
        """Say what a move gains, or that it ends the game; "" where it does neither."""
        roll = self.roll(self.play(state, action))
        self.expect(list(roll))
        over = sum(weight for after, weight in roll.items() if not self.actions(after)) / sum(roll.values())
        gain, objective = self.gain(state, action), facts["objective"]
        if objective.counts == "costs":
            return f"the next roll ends the game with {percent(over)}"
        if gain and not objective.wins:
            return f"gains {gain} at once"
        if over < 1:
            return ""
        pays = {self.payoff(after) for after in roll}
        return "then the game is over" + (
            f", and pays {pays.pop()}" if objective.adds and not objective.wins and len(pays) == 1 else ""
        )

    def ends_turn(self, state: State, action: Action) -> str | None:
        """Name what an action ends a turn with, such as a box, or "" if the turn goes on; None: there are no turns."""
        return None

    def to_go(self, pending: Pending) -> str | None:
        """Say how much is still to be played, such as "2 boxes", or "" for nothing; None where there is no saying."""
        return None

    def describe(self, state: State) -> str:
        """Describe a position in a line, for a player who knows the rules."""
        return ", ".join(f"{name} {text}" for name, text in self.columns(state).items())

    def decision(self, state: State) -> str:
        """Name the kind of decision that a state is, such as "hold or roll", to count mistakes by; the default is its moves."""
        words = list(dict.fromkeys((self.show_action(action).split() or [""])[0] for action in self.actions(state)))
        return " or ".join(words) if len(words) <= 3 else f"which {self.action_word}"

    def lay_out(self, state: State) -> Mapping[str, str]:
        """Lay a position out in named lines, to be drawn one below the other; the default is its columns."""
        return self.columns(state)

    def choices(self, state: State) -> str:
        """List what may be done, in a line that begins with a word for it; "" for the plain list of moves."""
        return ""

    def tidy(self, text: str) -> str:
        """Write what a player types as an action is written."""
        return " ".join(text.split())

    def rules(self) -> Rules:
        """Tell people how the game is played; the default is what its class says about itself."""
        return told_by(type(self))

    def board(self) -> Mapping[str, Any]:
        """Describe what lies on the table, in JSON types; `kind` says what draws it (`board_kind`)."""
        return {"kind": Game.board_kind, "start": self.show_pending(self.start()), "players": self.players}

    def position(self, state: State) -> Mapping[str, Any]:
        """Describe a state, in JSON types."""
        return {
            "kind": Game.board_kind,
            "dice": [str(face) for face in self.show_dice(state)],
            "columns": dict(self.columns(state)),
            "parts": list(self.parts(state)),
        }

    def before_roll(self, pending: Pending) -> Mapping[str, Any]:
        """Describe what lies on the table before a roll, like a position."""
        return {"kind": Game.board_kind, "parts": [text_part("roll", self.show_pending(pending))]}

    def parts(self, state: State) -> Sequence[Part]:
        """List what lies on the table, for a board that does not know the game: see `model/parts.py`."""
        dice = self.show_dice(state)
        texts = [text_part(name, text) for name, text in self.columns(state).items()]
        mover = [mover_part("mover", self.mover(state), label="to move")] if self.players > 1 and self.actions(state) else []
        return [*([dice_part("dice", dice)] if dice else []), *texts, *mover]

    def name_rolls(self, pending: Pending, states: Sequence[State]) -> Sequence[tuple[str, Sequence[Any]]]:
        """Name what a roll gave, for each of these states: in a few words, and by the dice that were rolled, if known."""
        return [(self.show_state(state), self.show_dice(state)) for state in states]

    @property
    def players(self) -> int:
        """How many players choose."""
        return 1 if type(self).mover is Game.mover else 2

    @property
    def title(self) -> str:
        """What to call the game."""
        return type(self).__name__

    @property
    def about(self) -> str:
        """What the game is, in a sentence."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    def offered(self, parameter: str) -> tuple[str, ...]:
        """List values to choose from for a parameter, as far as they can be: a shell completes them."""
        return next((known.offers for known in self.parameters if known.name == parameter), ())

    def dimensions(self) -> Mapping[str, int]:
        """Count what makes the game large, by name, so that a server can refuse it before it is solved."""
        return {}

    @property
    def only_gains(self) -> bool | None:
        """Say whether some action gains points and no rule takes any away; None where only following the rules tells."""
        return None

    @property
    def banks(self) -> bool:
        """Say whether an action may gain points, as far as that is known before the rules are followed."""
        return "gain" in getattr(self, "__dict__", ()) or type(self).gain is not Game.gain

    def in_columns(self) -> Any:
        """Give the same rules over packed codes, many positions at once, where the game has them; None: it has not."""
        return None

    def expect(self, states: Sequence[State]) -> None:
        """Hear that these states will be asked about, so as to work them out together; the default does nothing."""

    def draw(self, pending: Pending, random: Random) -> State | None:
        """Roll without listing what may come, where that is too much; None: `roll` lists it."""
        return None

    def features(self, state: State) -> Mapping[str, Feature] | None:
        """Give a state as named rows of numbers, for programs that learn: different states differ in them. None: it has none."""
        return None

    def every_action(self) -> Sequence[Action] | None:
        """List all actions that some state may offer, each once; None: only following the rules tells."""
        return None

    def vocabulary(self) -> Vocabulary:
        """Give the words of a strategy card: what a player sees in a position, and what moves are called."""
        return plain_vocabulary(self)

    def can_follow(self, pending: Pending, state: State) -> bool:
        """Say whether a roll may give this state."""
        return state in self.roll(pending)

    def duel(self, ties: Fraction) -> "Game[Any, Any, Any]":
        """Give the game of two players who take turns at this one. Raises `GameError` where that is not defined."""
        raise GameError("a duel is played on score sheets: for another game write both players into the rules, with mover()")


RULES = tuple(name for name in vars(Game) if not name.startswith("_"))
"""What a game may say about itself."""

MET = 100
"""Positions that are looked at for the classes of a game."""

_CLASSES: WeakKeyDictionary[type, dict[str, type]] = WeakKeyDictionary()


def wants_game(thing: object, asker: str) -> None:
    """Refuse what is not a game, with the way to one. Raises `GameError`.

    >>> wants_game("slots", "solve")
    Traceback (most recent call last):
        ...
    rollwise.errors.GameError: solve was given the text 'slots': make a game of it first, rollwise.games.load('slots')
    """
    if isinstance(thing, Game):
        return
    if isinstance(thing, type) and issubclass(thing, Game):
        raise GameError(f"{asker} was given the class {thing.__name__}: make a game of it first, {thing.__name__}()")
    if isinstance(thing, str):
        own = thing.endswith((".py", ".toml"))
        way = f"rollwise.games.users.find_game({thing!r}, {{}})" if own else f"rollwise.games.load({thing!r})"
        raise GameError(f"{asker} was given the text {brief(thing)}: make a game of it first, {way}")
    raise GameError(f"{asker} was given {brief(thing)}: expected a game, such as rollwise.games.load('slots')")


def aim_of(game: Game[Any, Any, Any], objective: Objective | None = None) -> Objective:
    """Give the objective, or the game's own. Raises `GameError` for anything that is none."""
    found: object = game.objective if objective is None else objective
    if isinstance(found, Objective):
        return found
    tip = "expected Expected(), AtLeast(t), Against(scores), Lowest(), AtMost(t), Win(), Fewest() or Duel()"
    if isinstance(found, type) and issubclass(found, Objective):
        tip = f"expected one that is made, {found.__name__}(...)"
    elif callable(found):
        tip = "expected a property, put @property above it"
    raise GameError(f"the objective is {brief(found)}: {tip}")


def own_classes(game: Game[Any, Any, Any]) -> Iterator[type]:
    """Give the classes that a game is made of and that are not this library's, its own first."""
    for kind in type(game).__mro__:
        if issubclass(kind, Game) and kind.__module__.split(".")[0] != "rollwise":
            yield kind


def _name_outcome(reason: Reason) -> str:
    """Name what may come of a move where the game has no words of its own."""
    name = f"then {reason.what}" if reason.kind == "next" and reason.what != "all else" else reason.what
    return f"{name} ({percent(float(reason.mine.chance or 0))})" if reason.mine and not reason.mine.sure else name


def _likely(reason: Reason) -> float:
    return float(reason.mine.chance or 0) if reason.mine else 0.0


def _read(game: Game[Any, Any, Any], what: str, text: str) -> Any:
    try:
        return read_value(text, lambda name: _class(game, name))
    except ValueError as error:
        tip = "expected a Python literal such as (1, 2)" if str(error).startswith(("malformed", "it is no")) else error
        raise PositionError(f"{brief(text)} is not a {what}: {tip}") from None


def _class(game: Game[Any, Any, Any], name: str) -> type | None:
    """Find a class by its name among those that a game uses."""
    known = _CLASSES.get(type(game))
    if known is None:
        found = {kind.__name__: kind for kind in (*_in_reach(game), *_met(game))}
        known = _CLASSES[type(game)] = {name: kind for name, kind in found.items() if not issubclass(kind, Game)}
    return known.get(name)


def _in_reach(game: Game[Any, Any, Any]) -> Iterator[type]:
    """Give the classes with a notation that a game's own file and class name."""
    for kind in own_classes(game):
        rules = [unwrap(rule) for rule in vars(kind).values() if callable(rule) and not isinstance(rule, type)]
        spaces = {id(space): space for rule in rules if (space := getattr(rule, "__globals__", None)) is not None}
        for space in (*spaces.values(), vars(kind)):
            yield from (value for value in tuple(space.values()) if isinstance(value, type) and has_notation(value))


def _met(game: Game[Any, Any, Any]) -> list[type]:
    """Give the classes of the first positions and actions, as far as the rules answer."""
    found: list[type] = []
    try:
        pendings = [game.start()]
        states = [state for state, _ in zip(game.roll(pendings[0]), range(MET), strict=False)]
        found += classes_in([*pendings, *states])
        for state in states:
            actions = list(game.actions(state))
            found += classes_in([*actions, *(game.play(state, action) for action in actions)])
    except Exception:
        return found
    return found
