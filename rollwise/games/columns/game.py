"""Games whose rules are written over columns: the same text serves one position and a million at once.

A position is a row of named integer columns. Rules are elementwise functions of `p` (a position before its roll) or `s` (one in
which a player chooses): read `s.turn`, change by `s.but(turn=0)`, decide by `where`. What is not elementwise is a table. See
`docs/model-a-game.md`.
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import cache
from keyword import iskeyword
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from rollwise.errors import GameError, PositionError, brief, one_of
from rollwise.games.columns.coded import Coded, ColumnRules
from rollwise.games.columns.column import Column, Mover
from rollwise.games.columns.positions import Layout
from rollwise.games.columns.relation import Relation
from rollwise.games.columns.rules import Chance, Choice, Mark, bound, marks_of
from rollwise.model.abilities import InColumns, KnowsGains, Prefetches, overridden
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.features import Feature, Features, features_of
from rollwise.model.game import Game
from rollwise.model.message import Message, Text
from rollwise.model.notation import Notation, not_a_position
from rollwise.model.plain_words import choosing_verbs, move_verb
from rollwise.model.reading import join_commas
from rollwise.model.view import Part, View, spoken

__all__ = ["ColumnGame", "Position"]

Position = Any
"""A named tuple of the values of the columns."""

DERIVED = ("start", "roll", "actions", "play", "gain", "payoff", "mover", "cost")
KEPT = 2048
"""Positions whose actions are remembered, as `play` and `gain` ask for what `actions` has just computed."""
FEW = 100
"""Moves by name that are words of a strategy card; of more, only what chooses among them is."""


@cache
def _kind_of_position(names: tuple[str, ...]) -> Any:
    """A named tuple class for these columns, the same one for every game that has them."""
    made: Any = namedtuple
    kind = made("Position", names)
    kind.__reduce__ = lambda self: (_rebuilt, (names, tuple(self)))
    return kind


def _rebuilt(names: tuple[str, ...], values: tuple[int, ...]) -> Any:
    return _kind_of_position(names)(*values)


class ColumnNotation(Notation):
    """How positions and moves are written."""

    game: "ColumnGame"

    def show_state(self, state: Position) -> str:
        columns = self.game._all_columns().values()
        return " ".join(column.show(value) for column, value in zip(columns, state, strict=True))

    def read_state(self, text: str) -> Position:
        columns = self.game._all_columns()
        words = self.split(text)
        if len(words) != len(columns):
            example = self.show_state(self.game.start())
            raise not_a_position(text, " ".join(columns).upper(), repr(example))
        values = []
        for (name, column), word in zip(columns.items(), words, strict=True):
            try:
                values.append(column.read(word))
            except PositionError as error:
                raise PositionError(f"{brief(text)} is not a position: {name}: {error}") from None
        return _kind_of_position(tuple(columns))(*values)

    def split(self, text: str) -> list[str]:
        """Split the text of a position into those of its columns."""
        return join_commas(text).split()

    def read_action(self, text: str) -> str:
        return text

    def show_pending(self, pending: Position) -> str:
        return self.show_state(pending)

    def columns(self, state: Position) -> Mapping[str, str]:
        found = zip(self.game._all_columns().items(), state, strict=True)
        return {name: column.show(value) for (name, column), value in found}


class ColumnView(View):
    """The board and the words of the game."""

    game: "ColumnGame"

    def show_dice(self, state: Position) -> Sequence[int | str]:
        return tuple(
            face for column, value in zip(self.game._all_columns().values(), state, strict=True) for face in column.dice(value)
        )

    def parts(self, state: Position) -> Sequence[Part]:
        found = zip(self.game._all_columns().items(), state, strict=True)
        return [column.part(name, value, self.game.labels.get(name, "")) for (name, column), value in found]

    def before_roll(self, pending: Position) -> Mapping[str, Any]:
        return {"kind": View.board_kind, "parts": list(self.parts(pending))}

    def name_rolls(self, pending: Position, states: Sequence[Position]) -> Sequence[tuple[Text, Sequence[Any]]]:
        """By the columns that the roll changed, and not to the same whatever was rolled."""
        columns = list(self.game._all_columns().items())
        told = [place for place in range(len(columns)) if len({state[place] for state in states}) > 1]
        return [self._name_roll([(*columns[place], pending[place], state[place]) for place in told]) for state in states]

    def _name_roll(self, told: Sequence[tuple[str, Column, int, int]]) -> tuple[Text, Sequence[int | str]]:
        """Name a roll by columns with what they held before and after it."""
        changed = [one for one in told if one[2] != one[3]]
        dice = [face for _, column, before, after in changed for face in column.rolled(before, after)]
        plain = [one for one in changed if not one[1].rolled(*one[2:])]
        shown: list[Text] = [" ".join(map(str, dice))] if dice else []
        shown += [
            Message("part.value", {"name": self.game.labels.get(name) or spoken(name), "text": column.show(after)})
            for name, column, _, after in plain
        ]
        return Message("part.list", {"parts": shown}) if shown else Message("any.no-change"), dice


class ColumnFeatures(Features):
    """Positions as numbers."""

    game: "ColumnGame"

    def features(self, state: Position) -> Mapping[str, Feature] | None:
        return {
            name: column.feature(value) for (name, column), value in zip(self.game._all_columns().items(), state, strict=True)
        }

    def every_action(self) -> Sequence[str] | None:
        rules = self.game._rules()
        return tuple(dict.fromkeys(rules.name_of(number) for number in range(rules.names)))


class ColumnGame(Game[Any, Any, str], InColumns, KnowsGains, Prefetches):
    """A game over columns: declare them in the class, or in `__init__` by `declare`; mark the rules by `@chance` and `@choice`.

    >>> import rollwise
    >>> from rollwise.columns import Number, chance, choice, throws
    >>> class TwoRolls(ColumnGame):
    ...     '''Roll a die; keep what it shows, or roll once more.'''
    ...     face, left = Number(6), Number(2)
    ...     begin = dict(left=2)
    ...     @chance(throws(1), unless=lambda p: p.left == 0)
    ...     def thrown(self, p, die): return p.but(face=die.sum, left=p.left - 1)
    ...     @choice("keep", when=lambda s: s.left == 1)
    ...     def keep(self, s): return s.but(left=0)
    ...     @choice("again", when=lambda s: s.left == 1)
    ...     def again(self, s): return s.but(face=0)
    ...     def final(self, s): return s.face
    >>> rollwise.solve(TwoRolls(), exact=True).value()
    Fraction(17, 4)

    In a game for two, the column of type `Mover()` says whose choice it is.
    """

    notation = ColumnNotation
    view = ColumnView
    features = ColumnFeatures

    begin: Mapping[str, int] = {}
    """What the columns hold before the first roll; others hold their lowest value."""
    gains: bool = True
    """Whether a choice may give a gain; where none does, say so, and positions can be read before the game is explored."""
    labels: Mapping[str, str] = {}
    """What boards call the columns; others go by their names."""
    _class_columns: ClassVar[Mapping[str, Column]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Take the columns out of the class, so that none hides a method."""
        super().__init_subclass__(**options)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Column)}
        for name in own:
            delattr(cls, name)
        cls._class_columns = {**cls._class_columns, **own}

    def declare(self, **columns: Column) -> None:
        """Say which columns a position has, in this order, after those of the class."""
        self.__dict__["_columns"] = {**self._class_columns, **columns}
        self.__dict__.pop("_coded", None)

    def at(self, **columns: int) -> Position:
        """Give the position with these values in its columns, and the lowest in others. Raises `PositionError`."""
        known = self._all_columns()
        for name, value in columns.items():
            column = known[one_of("column", name, known)]
            if type(value) is not int or not column.low <= value <= column.high:
                raise PositionError(f"{name} is {brief(value)}: expected {column.low} to {column.high}")
        return _kind_of_position(tuple(known))(*(columns.get(name, column.low) for name, column in known.items()))

    # The rules, as the author writes them

    def chance_rule(self) -> Chance | None:
        """Give what is rolled; the default is the method marked by `@chance`. None: nothing ever is."""
        found = [(name, mark) for name, mark in marks_of(type(self)).items() if mark.name is None]
        if len(found) > 1:
            names = " and ".join(f"{name}()" for name, _ in found)
            raise GameError(f"{type(self).__name__} has two rolls, {names}: mark one method by @chance")
        return self._chance(*found[0]) if found else None

    def choice_rules(self) -> Sequence[Choice]:
        """Give what may be chosen; the default is the methods marked by `@choice`, in the order in which they are written."""
        return [self._choice(name, mark) for name, mark in marks_of(type(self)).items() if mark.name is not None]

    def final(self, s: Any) -> Any:
        """Say what the end pays, in a state without a legal choice."""
        return 0

    def price(self, p: Any) -> Any:
        """Say what `Fewest` counts for a roll; None: one for a roll that can go more than one way."""
        return None

    def _chance(self, name: str, mark: Mark) -> Chance:
        unless = None if mark.condition is None else bound(mark.condition, self, 1)
        return Chance(self._table(mark.table), getattr(self, name), self._on(mark, self._table(mark.table)), unless, f"{name}()")

    def _choice(self, name: str, mark: Mark) -> Choice:
        table = None if mark.table is None else self._table(mark.table)
        when = None if mark.condition is None else bound(mark.condition, self, 1 if table is None else 2)
        return Choice(str(mark.name), getattr(self, name), table, self._on(mark, table), when, f"{name}()")

    def _table(self, table: Any) -> Relation:
        found = table if isinstance(table, Relation) or not callable(table) else table(self)
        if not isinstance(found, Relation):
            raise GameError(f"a rule of {type(self).__name__} is joined with {brief(found)}: expected a table, such as throws(2)")
        return found

    def _on(self, mark: Mark, table: Relation | None) -> Any:
        if mark.on is None:
            if table is not None and table.key is not None:
                raise GameError(f"a table with the key {table.key!r} needs on=, a column or a function that gives the key")
            return None
        if table is None or table.key is None:
            raise GameError(f"on={brief(mark.on)} needs a table with a key, such as throws((1, 2))")
        if not isinstance(mark.on, str):
            return bound(mark.on, self, 1)
        name = one_of("column", mark.on, self._all_columns())
        return lambda position: getattr(position, name)

    # What is made of them

    def _all_columns(self) -> Mapping[str, Column]:
        found: Mapping[str, Column] = self.__dict__.get("_columns", self._class_columns)
        return found

    @property
    def layout(self) -> Layout:
        """How positions are packed."""
        return self._rules().layout

    def _rules(self) -> ColumnRules:
        found: ColumnRules | None = self.__dict__.get("_coded")
        if found is None:
            found = self.__dict__["_coded"] = self._packed()
            self.__dict__["_met"] = {}
        return found

    def _packed(self) -> ColumnRules:
        columns = self._all_columns()
        if not columns:
            raise GameError(f"{type(self).__name__} has no columns: declare them, such as turn = Number(100)")
        for name, column in columns.items():
            if not name.isidentifier() or iskeyword(name) or name.startswith("_") or name == "but":
                raise GameError(f"a column is called {name!r}: expected a name of letters, digits and '_'")
            if not isinstance(column, Column):
                raise GameError(f"column {name!r} is {brief(column)}: expected Number, Subset, Dice or Mover")
        if sum(isinstance(column, Mover) for column in columns.values()) > 1:
            raise GameError(f"{type(self).__name__} has two columns of type Mover(): expected one")
        layout, kind = Layout(columns), _kind_of_position(tuple(columns))
        return ColumnRules(self, layout, self._begin(layout), lambda values: kind(*values))

    def _begin(self, layout: Layout) -> int:
        for name in self.begin:
            one_of("column", name, layout.names)
        values = tuple(self.begin.get(name, column.low) for name, column in layout.columns.items())
        code = layout.code(values)
        if code is None:
            raise GameError(f"the game begins with {dict(self.begin)}: expected values within the ranges of the columns")
        return code

    @property
    def has_gains(self) -> bool:
        return self.gains or bool(overridden(self, ColumnGame, ("gain",)))

    def in_columns(self) -> Coded | None:
        """Give the rules over codes; None where a method of one position replaces them."""
        return None if overridden(self, ColumnGame, DERIVED) else self._rules()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_coded", "_met")}

    # One position at a time

    def start(self) -> Position:
        rules = self._rules()
        return rules.position(rules.first())

    def roll(self, pending: Position) -> Mapping[Any, int]:
        found = self._rules().rolled(self._code(pending))
        states = [self._rules().position(code) for code in found.state.tolist()]
        return dict(zip(states, found.weight.tolist(), strict=True))

    def actions(self, state: Position) -> Sequence[str]:
        return tuple(self._offers(state))

    def play(self, state: Position, action: str) -> Position:
        return self._rules().position(self._offer(state, action)[0])

    def gain(self, state: Position, action: str) -> int:
        return self._offer(state, action)[1]

    def payoff(self, state: Position) -> int:
        return int(self._rules().offered(self._code(state)).payoff[0])

    def mover(self, state: Position) -> int:
        rules = self._rules()
        if rules.mover is None or not self._offers(state):
            return 0
        return int(rules.layout.column(self._code(state), rules.mover)[0])

    def cost(self, pending: Position) -> int:
        return int(self._rules().rolled(self._code(pending)).cost[0])

    def _code(self, position: Position) -> Any:
        code = self._rules().code(position)
        if code is None:
            raise PositionError(f"{brief(position)} is not a position of {', '.join(self._rules().layout.names)}")
        return np.array([code], dtype=np.int64)

    def _offer(self, state: Position, action: str) -> tuple[int, int]:
        offers = self._offers(state)
        if action not in offers:
            raise PositionError(
                f"{brief(action)} is not an action at {self.show_state(state)}: choose {', '.join(offers) or 'none'}"
            )
        return offers[action]

    def _offers(self, state: Position) -> dict[str, tuple[int, int]]:
        """Every action of a state, with the code it leads to and its gain."""
        self._rules()
        key = int(self._code(state)[0])
        met: dict[int, dict[str, tuple[int, int]]] = self.__dict__["_met"]
        if key not in met:
            self._meet([key])
        return met[key]

    def prefetch(self, states: Sequence[Position]) -> None:
        """Compute the actions of many states at once, which takes little longer than those of one."""
        rules = self._rules()
        codes = dict.fromkeys(rules.code(state) for state in states[: KEPT // 2])
        self._meet([code for code in codes if code is not None and code not in self.__dict__["_met"]])

    def _meet(self, codes: list[int]) -> None:
        """Compute every action of some states."""
        rules, met = self._rules(), self.__dict__["_met"]
        found: list[dict[str, tuple[int, int]]] = [{} for _ in codes]
        picks = rules.picks(np.array(codes if len(codes) > 1 else codes * 2, dtype=np.int64)) if codes else []
        for choice, pick in zip(rules.choices, picks, strict=bool(codes)):
            for owner, row, *after in zip(*(column.tolist() for column in pick), strict=True):
                self._note(found, codes, owner, choice.action(row), *after)
        for code, offers in zip(codes, found, strict=True):
            while len(met) >= KEPT:
                del met[next(iter(met))]
            met[code] = offers

    def _note(self, found: list[dict[str, tuple[int, int]]], codes: list[int], owner: int, name: str, *after: int) -> None:
        if owner >= len(codes):
            return
        if name in found[owner]:
            where = self.show_state(self._rules().position(codes[owner]))
            raise GameError(f"there are two actions {name!r} at {where}: give them different labels")
        found[owner][name] = (after[0], after[1])

    # How it looks

    def vocabulary(self) -> Vocabulary:
        """The words of a strategy card: what each column shows, the moves, and how to choose among many."""
        names = features_of(self).every_action() or ()
        moves = tuple(move_verb(self, name) for name in names) if len(names) <= FEW else ()
        known = {verb.name for verb in moves}
        features: list[CardFeature] = []
        for name, column in self._all_columns().items():
            features += column.card_features(spoken(name), attrgetter(name), self.labels.get(name) or spoken(name))
        different = {feature.name: feature for feature in features}.values()
        return Vocabulary(tuple(different), (*moves, *(verb for verb in choosing_verbs(self, names) if verb.name not in known)))

    @property
    def players(self) -> int:
        return 1 + any(isinstance(column, Mover) for column in self._all_columns().values())
