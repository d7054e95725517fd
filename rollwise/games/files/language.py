"""The shape of a game file: which tables and keys there are, and what each may hold.

Reading checks the shape and parses every expression; what they mean, with parameters, is computed by `FileGame`.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from rollwise.errors import brief
from rollwise.games.files.grammar import FUNCTIONS, RESERVED, Expression, check_name, parse
from rollwise.games.files.nodes import LARGEST_NUMBER, Array
from rollwise.games.files.source import Item, Spot, did_you_mean, read_source
from rollwise.model.objective import Expected
from rollwise.model.objectives import Fewest, Lowest, Win, split_objective
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.risk import Quantile, Utility, Worst

__all__ = [
    "ActionText",
    "Case",
    "Change",
    "ChooseText",
    "ColumnText",
    "FacesText",
    "GameText",
    "Range",
    "RollText",
    "read_game_text",
]

FORMAT = 1
MOST_ENTRIES = 100
LONGEST_WORDS = 500
MOST_SIDES = 1_000
MOST_ROLLS = 20
MOST_NAMED = 20

KEYS = ("format", "name", "about", "source", "objective", "parameters", "define", "dice", "columns", "roll", "action", "end")
SHOWN = {"range": ("number", "counter", "track", "die", "tiles"), "set": ("tiles",)}
"""How the page may draw columns, by their kind."""
SIDE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}|-?[0-9]{1,9}", re.ASCII)
ENTRY = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*\[(?P<place>.*)\]\s*", re.ASCII | re.DOTALL)
"""A place of a row: `cells[2]`."""
AIM = re.compile(r"\s*at[ -](?:least|most)\s+(?P<number>.+)", re.DOTALL)
SHARE = re.compile(r"\s*(?:quantile|worst)\s+(?P<number>[^%]*[A-Za-z][^%]*)%\s*", re.DOTALL)
"""Objectives with an expression; a share such as 2.5 is none."""
CHOICE = re.compile(r"\s*(?P<what>subset|member|dice) of (?P<of>.+)", re.DOTALL)


@dataclass(frozen=True)
class Range:
    """Two numbers, `low..high`."""

    item: Item
    low: Expression
    high: Expression


@dataclass(frozen=True)
class FacesText:
    """The faces of a die: a number of them (or the name of a die), or every face with its weight."""

    item: Item
    number: Expression | None = None
    weights: Mapping[int | str, Expression | int] | None = None


@dataclass(frozen=True)
class ColumnText:
    """A column as it is written: a range, a set, dice, or whose move it is; `count` of them if it is a row."""

    item: Item
    span: Range | None = None
    members: Range | tuple[int | str, ...] | None = None
    dice: Expression | None = None
    faces: FacesText | None = None
    player: bool = False
    count: Expression | None = None
    start: Item | None = None
    label: str = ""
    shown: str = ""


@dataclass(frozen=True)
class Change:
    """What a column becomes, or a place of a row; `value` is None for a list, which is read by what the column holds."""

    item: Item
    name: str
    place: Expression | None
    value: Expression | None


@dataclass(frozen=True)
class Case:
    """What columns become, where a condition holds."""

    item: Item
    when: Expression | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class RollText:
    """What is rolled: dice, dice by name (`named`), or what is drawn from `named` things."""

    item: Item
    dice: Expression | None
    named: Mapping[str, Expression]
    draw: Expression | None
    faces: FacesText | None
    unless: Expression | None
    cost: Expression | None
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class ChooseText:
    """What an action chooses: `name` is bound to it."""

    item: Item
    name: str
    what: str
    of: Expression | None = None
    span: Range | None = None
    total: Expression | None = None
    size: Range | None = None


@dataclass(frozen=True)
class ActionText:
    """What may be done."""

    item: Item
    name: str
    when: Expression | None
    choose: ChooseText | None
    cases: tuple[Case, ...]
    gain: Expression | None


@dataclass(frozen=True)
class ObjectiveText:
    """What is played for; `number` is what stands at {} in the text."""

    item: Item
    text: str
    number: Expression | None = None


@dataclass(frozen=True)
class GameText:
    """A game file that has the right shape."""

    item: Item
    name: str
    about: str
    parameters: tuple[Parameter, ...]
    definitions: Mapping[str, Expression]
    tables: Mapping[str, Array]
    dice: Mapping[str, FacesText]
    columns: Mapping[str, ColumnText]
    rolls: tuple[RollText, ...]
    actions: tuple[ActionText, ...]
    pays: Expression | None
    objective: ObjectiveText | None

    def expressions(self, roll: RollText) -> Iterable[Expression]:
        """Give the expressions in which a roll may be read."""
        yield from self.definitions.values()
        for case in roll.cases:
            found = [case.when, *(part for change in case.changes for part in (change.place, change.value))]
            yield from (part for part in found if part is not None)


@lru_cache(maxsize=8)
def read_game_text(name: str, content: bytes) -> GameText:
    """Read a game file. Raises `GameError` that names the line and the column."""
    item = read_source(name, content)
    _check_format(item)
    _keys(item, KEYS)
    _check_whole(item)
    parameters = _parameters(item)
    definitions, tables = _definitions(item)
    found = GameText(
        item, _words(item, "name", ""), _words(item, "about", ""), parameters, definitions, tables, _kinds_of_dice(item),
        _columns(item["columns"]), _rolls(item["roll"]), _actions(item), _end(item), _objective(item),
    )  # fmt: skip
    _words(item, "source", "")
    _check_names(found)
    return found


def _check_format(item: Item) -> None:
    if "format" not in item.value:
        raise item.source.fault(0, f"expected 'format = {FORMAT}' as the first line, got none: add it")
    if type(item["format"].value) is not int or item["format"].value != FORMAT:
        got = brief(item["format"].value, 40)
        raise item["format"].fault(f"expected format {FORMAT}, got {got}: this version of rollwise reads no other")


def _check_whole(item: Item) -> None:
    """Refuse a file without columns or a roll, where it ends."""
    for key, example in (("columns", 'total = "0..100"'), ("roll", "dice = 1")):
        if key not in item.value:
            end = len(item.source.text.rstrip())
            raise item.source.fault(end, f"expected a table [{key}] up to here, got none: write [{key}] and, below it, {example}")


def _keys(item: Item, known: Iterable[str], needed: Iterable[str] = ()) -> None:
    """Refuse a table with unknown keys, or without a required one."""
    names = list(known)
    if not isinstance(item.value, dict):
        raise item.fault(f"expected a table with {_listed(names)}, got {_got(item.value)}")
    for key in item.value:
        if key not in names:
            hint = did_you_mean(key, names)
            raise item[key].key_fault(f"expected one of the keys {_listed(names)}, got {brief(key, 40)}{hint}")
    for key in needed:
        if key not in item.value:
            raise item.fault(f"expected the key {key!r} here, got none")


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def _got(value: Any) -> str:
    return "a table" if isinstance(value, dict) else "an array" if isinstance(value, list) else brief(value, 40)


def _words(item: Item, key: str, default: str) -> str:
    """Read a text for people, in one line."""
    if key not in item.value:
        return default
    words = item[key].value
    if not isinstance(words, str) or len(words) > LONGEST_WORDS or not words.strip() or not words.isprintable():
        raise item[key].fault(f"expected a line of text of at most {LONGEST_WORDS} letters, got {_got(words)}")
    return words


def _table(item: Item, what: str, *, some: bool = False) -> dict[str, Item]:
    """Read a table whose keys are names of one's own."""
    if not isinstance(item.value, dict):
        raise item.fault(f"expected a table of {what}s, got {_got(item.value)}")
    if len(item.value) > MOST_ENTRIES or (some and not item.value):
        raise item.fault(f"expected {'1' if some else '0'} to {MOST_ENTRIES} {what}s, got {len(item.value)}")
    for name, entry in item.items().items():
        check_name(entry, name, f"a {what}")
    return item.items()


def _parameters(item: Item) -> tuple[Parameter, ...]:
    found = _table(item["parameters"], "parameter") if "parameters" in item.value else {}
    return tuple(_parameter(name, entry) for name, entry in found.items())


def _parameter(name: str, item: Item) -> Parameter:
    if not isinstance(item.value, dict):
        return Parameter(name, Integer(-LARGEST_NUMBER, LARGEST_NUMBER), f"{name} of the game", str(_integer(item)))
    _keys(item, ("default", "from", "to", "help"), ("default",))
    low = _integer(item["from"]) if "from" in item.value else -LARGEST_NUMBER
    high = _integer(item["to"]) if "to" in item.value else LARGEST_NUMBER
    default = _integer(item["default"])
    if not low <= default <= high:
        raise item["default"].fault(f"expected a default from {low} to {high}, got {default}")
    return Parameter(name, Integer(low, high), _words(item, "help", f"{name} of the game"), str(default))


def _integer(item: Item) -> int:
    if type(item.value) is not int or abs(item.value) > LARGEST_NUMBER:
        raise item.fault(f"expected a whole number of at most 2**53, got {_got(item.value)}")
    return int(item.value)


def _definitions(item: Item) -> tuple[dict[str, Expression], dict[str, Array]]:
    found = _table(item["define"], "definition") if "define" in item.value else {}
    tables = {name: _numbers(entry) for name, entry in found.items() if isinstance(entry.value, list)}
    return {name: parse(entry) for name, entry in found.items() if name not in tables}, tables


def _numbers(item: Item) -> Array:
    """Read a table of numbers, in one dimension or two."""
    if not item.value:
        raise item.fault("expected a table of numbers, got an empty array")
    if not any(isinstance(entry, list) for entry in item.value):
        return np.array([_integer(entry) for entry in item.each()], dtype=np.int64)
    rows = item.each()
    for row in rows:
        if not isinstance(row.value, list) or len(row.value) != len(rows[0].value) or not row.value:
            raise row.fault(
                f"expected rows of {len(rows[0].value) if isinstance(rows[0].value, list) else 'as many'} numbers each"
            )
    return np.array([[_integer(entry) for entry in row.each()] for row in rows], dtype=np.int64)


def _objective(item: Item) -> ObjectiveText | None:
    if "objective" not in item.value:
        return None
    found = item["objective"]
    words = found.value if isinstance(found.value, str) else ""
    kind, rest = split_objective(words)
    for pattern, sign in ((AIM, ""), (SHARE, "%")):
        aim = pattern.fullmatch(words)
        if aim:
            return ObjectiveText(found, f"{kind} {{}}{sign}", parse(found.part(*aim.span("number"))))
    known = (Expected.name, Fewest.name, Lowest.name, Win.name)
    if (kind in known and not rest) or kind in (Quantile.name, Utility.name, Worst.name):
        return ObjectiveText(found, words)
    expected = ", ".join(
        f'"{name}"' for name in (*known, "at least 45", "at most 45", "quantile 10%", "worst 10%", "utility ...")
    )
    raise found.fault(f"expected one of {expected}, got {_got(found.value)}")


def _kinds_of_dice(item: Item) -> dict[str, FacesText]:
    found = _table(item["dice"], "die") if "dice" in item.value else {}
    return {name: _faces(entry) for name, entry in found.items()}


def _faces(item: Item) -> FacesText:
    """Read the faces of a die: how many, a list of its sides, or a table of faces with their weights."""
    if not isinstance(item.value, list | dict):
        return FacesText(item, parse(item))
    if not 1 <= len(item.value) <= MOST_SIDES:
        raise item.fault(f"expected 1 to {MOST_SIDES} faces, got {len(item.value)}")
    weights: dict[int | str, Expression | int] = {}
    if isinstance(item.value, dict):
        return FacesText(item, weights={_side(entry, name, by_key=True): parse(entry) for name, entry in item.items().items()})
    for entry in item.each():
        side = _side(entry, entry.value)
        weights[side] = 1 + int(str(weights.get(side, 0)))
    return FacesText(item, weights=weights)


def _side(item: Item, side: Any, *, by_key: bool = False) -> int | str:
    if type(side) not in (int, str) or not SIDE.fullmatch(str(side)):
        what = f"expected faces that are whole numbers, or names of letters, digits, - and _, got {_got(side)}"
        raise item.key_fault(what) if by_key else item.fault(what)
    return int(side) if re.fullmatch("-?[0-9]+", str(side)) else str(side)


def _columns(item: Item) -> dict[str, ColumnText]:
    found = {name: _column(entry) for name, entry in _table(item, "column", some=True).items()}
    players = [text for text in found.values() if text.player]
    if len(players) > 1:
        raise players[1].item.fault('expected one column "player", got two')
    return found


def _column(item: Item) -> ColumnText:
    if item.value == "player":
        return ColumnText(item, player=True)
    if isinstance(item.value, str):
        return ColumnText(item, span=_span(item))
    if not isinstance(item.value, dict):
        raise item.fault(
            f'expected a column such as "0..100", "player", {{ set = "1..9" }} or {{ dice = 5 }}, got {_got(item.value)}'
        )
    _keys(item, ("range", "set", "dice", "faces", "count", "start", "label", "show"))
    kinds = [key for key in ("range", "set", "dice") if key in item.value]
    if len(kinds) != 1 or ("faces" in item.value and kinds != ["dice"]):
        raise item.fault("expected one of range, set or dice (with faces), and start, got another mixture")
    start = item["start"] if "start" in item.value else None
    every = ColumnText(
        item, start=start, label=_words(item, "label", ""), shown=_shown(item, kinds[0]), count=_optional(item, "count")
    )
    if kinds == ["dice"]:
        return replace(every, dice=parse(item["dice"]), faces=_optional_faces(item))
    if kinds == ["set"]:
        return replace(every, members=_members(item["set"]))
    return replace(every, span=_span(item["range"]))


def _shown(item: Item, kind: str) -> str:
    """Read how a column of this kind is drawn."""
    if "show" not in item.value:
        return ""
    found, known = item["show"], SHOWN.get(kind, ())
    if not known:
        raise found.key_fault(f"expected no 'show' for {kind}, which are always drawn as they lie, got {_got(found.value)}")
    if found.value not in known:
        hint = did_you_mean(str(found.value), known)
        raise found.fault(f"expected one of {_listed(list(known))} for a {kind}, got {_got(found.value)}{hint}")
    return str(found.value)


def _optional(item: Item, key: str) -> Expression | None:
    return parse(item[key]) if key in item.value else None


def _optional_faces(item: Item) -> FacesText | None:
    return _faces(item["faces"]) if "faces" in item.value else None


def _members(item: Item) -> Range | tuple[int | str, ...]:
    if isinstance(item.value, str):
        return _span(item)
    if not isinstance(item.value, list) or not 1 <= len(item.value) <= 40:
        raise item.fault(f'expected members such as "1..9" or ["ones", "twos"], 1 to 40 of them, got {_got(item.value)}')
    kind = type(item.value[0])
    for member in item.each():
        named = (
            isinstance(member.value, str) and re.fullmatch(r"[!-~]{1,40}", member.value) and not set(member.value) & set(",'\"")
        )
        if type(member.value) is not kind or not (named or (kind is int and abs(_integer(member)) < 2**53)):
            raise member.fault(
                f"expected names without blanks and commas, of plain letters, or whole numbers, got {_got(member.value)}"
            )
        if item.value.count(member.value) > 1 or member.value in ("all", "none"):
            raise member.fault(f"expected different members, none of them called all or none, got {_got(member.value)}")
    return tuple(item.value)


def _ends(text: str) -> tuple[int, int, int, int] | None:
    """Find where the numbers of `low..high` begin and end; None unless there are two.

    >>> _ends(" 0 .. 9"), _ends("0..")
    ((1, 2, 6, 7), None)
    """
    low, dots, high = text.partition("..")
    if not dots or not low.strip() or not high.strip():
        return None
    after = len(low) + len(dots)
    return len(low) - len(low.lstrip()), len(low.rstrip()), after + len(high) - len(high.lstrip()), after + len(high.rstrip())


def _span(item: Item) -> Range:
    """Read `low..high`."""
    found = _ends(item.value) if isinstance(item.value, str) else None
    if found is None:
        raise item.fault(f'expected a range such as "0..100", got {_got(item.value)}')
    return Range(item, parse(item.part(*found[:2])), parse(item.part(*found[2:])))


def _rolls(item: Item) -> tuple[RollText, ...]:
    """Read what is rolled: a table [roll], or several [[roll]] that follow one another."""
    entries = item.each() if isinstance(item.value, list) else [item]
    if not 1 <= len(entries) <= MOST_ROLLS:
        raise item.fault(f"expected 1 to {MOST_ROLLS} tables [[roll]], got {len(entries)}")
    found = tuple(_roll(entry) for entry in entries)
    for roll in found[1:]:
        if roll.cost is not None:
            raise roll.item["cost"].key_fault("expected 'cost' only in the first [[roll]], for all of them together, got it here")
    return found


def _roll(item: Item) -> RollText:
    keys = ("dice", "draw", "from", "faces", "unless", "cost", "to")
    if isinstance(item.value, dict) and "draw" in item.value:
        _keys(item, [key for key in keys if key not in ("dice", "faces")], ("from", "to"))
        if not isinstance(item["from"].value, dict):
            raise item["from"].fault(
                f"expected what is drawn from, such as {{ red = 3, blue = 4 }}, got {_got(item['from'].value)}"
            )
        dice, named = None, _named_numbers(item["from"], "what is drawn")
    else:
        _keys(item, [key for key in keys if key not in ("draw", "from")], ("dice", "to"))
        by_name = isinstance(item["dice"].value, dict)
        dice = None if by_name else parse(item["dice"])
        named = _named_numbers(item["dice"], "a die") if by_name else {}
    unless, cost, draw = (_optional(item, key) for key in ("unless", "cost", "draw"))
    return RollText(item, dice, named, draw, _optional_faces(item), unless, cost, _cases(item["to"]))


def _named_numbers(item: Item, what: str) -> dict[str, Expression]:
    if not 1 <= len(item.value) <= MOST_NAMED:
        raise item.fault(f"expected 1 to {MOST_NAMED} names with a number each, got {len(item.value)}")
    for name, entry in item.items().items():
        check_name(entry, name, what)
    return {name: parse(entry) for name, entry in item.items().items()}


def _cases(item: Item) -> tuple[Case, ...]:
    """Read what columns become: a table, or an array of them, of which the first that fits counts."""
    cases = item.each() if isinstance(item.value, list) else [item]
    if not 1 <= len(cases) <= MOST_ENTRIES:
        raise item.fault(f"expected 1 to {MOST_ENTRIES} cases, got {len(cases)}")
    found = [_case(case) for case in cases]
    for case in found[:-1]:
        if case.when is None:
            raise case.item.fault("expected 'when' in every case but the last, got none: what follows would never count")
    return tuple(found)


def _case(item: Item) -> Case:
    if not isinstance(item.value, dict):
        raise item.fault(f"expected what columns become, such as {{ turn = 0 }}, got {_got(item.value)}")
    changes = tuple(_change(key, entry) for key, entry in item.items().items() if key != "when")
    return Case(item, _optional(item, "when"), changes)


def _change(key: str, item: Item) -> Change:
    """Read what `column` or `"row[place]"` becomes."""
    found = ENTRY.fullmatch(key)
    value = None if isinstance(item.value, list) else parse(item)
    if not found:
        return Change(item, key, None, value)
    begin = item.spot.key + 1  # after the quote
    letters = tuple(range(begin + found.start("place"), begin + found.end("place") + 1))
    place = Item(item.source, item.path, found["place"], Spot(item.spot.key, letters[0], letters))
    return Change(item, found["name"], parse(place), value)


def _actions(file: Item) -> tuple[ActionText, ...]:
    """Read the actions; a file without any is a game of chance."""
    if "action" not in file.value:
        return ()
    item = file["action"]
    if not isinstance(item.value, list) or not 1 <= len(item.value) <= MOST_ENTRIES:
        tip = ": write [[action]], with two brackets" if isinstance(item.value, dict) else ""
        raise item.fault(f"expected 1 to {MOST_ENTRIES} tables [[action]], got {_got(item.value)}{tip}")
    found = tuple(_action(entry) for entry in item.each())
    for place, action in enumerate(found):
        if action.name in [before.name for before in found[:place]]:
            raise action.item["name"].fault(f"expected actions with different names, got {brief(action.name, 40)} again")
    return found


def _action(item: Item) -> ActionText:
    _keys(item, ("name", "when", "choose", "to", "gain"), ("name",))
    name = _words(item, "name", "")
    if name != " ".join(name.split()) or len(name) > 40:
        raise item["name"].fault(f"expected a name of at most 40 letters, with single blanks, got {brief(name, 60)}")
    choose = _choose(item["choose"]) if "choose" in item.value else None
    cases = _cases(item["to"]) if "to" in item.value else ()
    return ActionText(item, name, _optional(item, "when"), choose, cases, _optional(item, "gain"))


def _choose(item: Item) -> ChooseText:
    if not isinstance(item.value, dict):
        raise item.fault(f'expected what is chosen, such as {{ tile = "member of open" }}, got {_got(item.value)}')
    names = [key for key in item.value if key not in ("sum", "size")]
    if len(names) != 1:
        raise item.fault(f"expected one name for what is chosen, with sum and size, got {len(names)} of them")
    entry = item[names[0]]
    check_name(entry, names[0], "what is chosen")
    text = entry.value if isinstance(entry.value, str) else ""
    found = CHOICE.fullmatch(text)
    what = found["what"] if found else "number" if _ends(text) else ""
    if not what:
        raise entry.fault(f'expected "subset of SET", "member of SET", "dice of HAND" or "low..high", got {_got(entry.value)}')
    _check_extras(item, what)
    of = parse(entry.part(found.start("of"), found.end("of"))) if found else None
    size = _span(item["size"]) if "size" in item.value else None
    return ChooseText(item, names[0], what, of, None if found else _span(entry), _optional(item, "sum"), size)


def _check_extras(item: Item, what: str) -> None:
    for key, kinds in (("sum", ("subset",)), ("size", ("subset", "dice"))):
        if key in item.value and what not in kinds:
            raise item[key].key_fault(f"expected {key!r} only with a {' or '.join(kinds)} that is chosen, got it with a {what}")


def _end(item: Item) -> Expression | None:
    if "end" not in item.value:
        return None
    _keys(item["end"], ("pays",), ("pays",))
    return parse(item["end"]["pays"])


def _check_names(text: GameText) -> None:
    """Refuse a name that means two things, a definition that reads an unknown name, and definitions in a circle."""
    owners: dict[str, str] = {}
    for what, items in _named(text):
        for name, item in items:
            if owners.get(name, what) != what or (name in owners and what not in ("choice", "die")):
                raise item.key_fault(f"expected a name that is not taken, got {name!r}, which is a {owners[name]} already")
            owners[name] = what
    for name, definition in text.definitions.items():
        parts = list(ast.walk(definition.tree))
        bound = {part.target.id for part in parts if isinstance(part, ast.comprehension) and isinstance(part.target, ast.Name)}
        for part in parts:
            if isinstance(part, ast.Name) and part.id not in {*owners, *RESERVED, *FUNCTIONS, *bound}:
                hint = did_you_mean(part.id, owners)
                raise definition.fault(part, f"expected a name of this file, got {brief(part.id, 50)} in {name!r}{hint}")
    _check_circles(text.definitions)


def _named(text: GameText) -> Iterable[tuple[str, list[tuple[str, Item]]]]:
    for what, key in (("parameter", "parameters"), ("definition", "define"), ("column", "columns")):
        yield what, list(text.item[key].items().items()) if key in text.item.value else []
    yield "die", list(text.item["dice"].items().items()) if "dice" in text.item.value else []
    for roll in text.rolls:
        key = "from" if roll.draw is not None else "dice"
        yield "die", [(name, roll.item[key][name]) for name in roll.named]
    chosen = [action.choose for action in text.actions if action.choose is not None]
    yield "choice", [(choose.name, choose.item[choose.name]) for choose in chosen]


def _check_circles(definitions: Mapping[str, Expression]) -> None:
    reads = {
        name: {part.id for part in ast.walk(found.tree) if isinstance(part, ast.Name) and part.id in definitions}
        for name, found in definitions.items()
    }
    try:
        TopologicalSorter(reads).prepare()
    except CycleError as circle:
        names: list[str] = list(reversed(circle.args[1]))
        first = definitions[names[0]]
        shown = " -> ".join(names if len(names) < 8 else [*names[:6], "...", names[-1]])
        raise first.item.key_fault(f"expected a definition that does not come back to itself, got {shown}") from None
