"""The shape of a game file: which tables and keys there are, and what each may hold.

Reading checks the shape and parses every expression; what they mean, with parameters, is computed by `FileGame`.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from rollwise.errors import GameError, brief
from rollwise.games.files.grammar import RESERVED, Expression, check_name, parse
from rollwise.games.files.nodes import LARGEST_NUMBER, Array
from rollwise.games.files.source import Item, did_you_mean, read_source
from rollwise.model.objectives import read_objective, split_objective
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.risk import Quantile, Utility, Worst

__all__ = ["ActionText", "Case", "ChooseText", "ColumnText", "GameText", "Range", "RollText", "read_game_text"]

FORMAT = 1
MOST_ENTRIES = 100
LONGEST_WORDS = 500

KEYS = ("format", "name", "about", "source", "objective", "parameters", "define", "columns", "roll", "action", "end")
SHOWN = {"range": ("number", "counter", "track", "die", "tiles"), "set": ("tiles",)}
"""How the page may draw columns, by their kind."""
CHOICE = re.compile(r"\s*(?P<what>subset|member|dice) of (?P<of>.+)", re.DOTALL)


@dataclass(frozen=True)
class Range:
    """Two numbers, `low..high`."""

    item: Item
    low: Expression
    high: Expression


@dataclass(frozen=True)
class ColumnText:
    """A column as it is written: a range, a set, dice, or whose move it is."""

    item: Item
    span: Range | None = None
    members: Range | tuple[int | str, ...] | None = None
    dice: Expression | None = None
    faces: Expression | None = None
    player: bool = False
    start: Item | None = None
    label: str = ""
    shown: str = ""


@dataclass(frozen=True)
class Case:
    """What columns become, where a condition holds."""

    item: Item
    when: Expression | None
    to: Mapping[str, Item]
    parsed: Mapping[str, Expression]


@dataclass(frozen=True)
class RollText:
    """What is rolled."""

    item: Item
    dice: Expression
    faces: Expression | None
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
class GameText:
    """A game file that has the right shape."""

    item: Item
    name: str
    about: str
    parameters: tuple[Parameter, ...]
    definitions: Mapping[str, Expression]
    tables: Mapping[str, Array]
    columns: Mapping[str, ColumnText]
    roll: RollText
    actions: tuple[ActionText, ...]
    pays: Expression | None
    objective: Item | None
    target: Expression | None

    def expressions(self) -> Iterable[Expression]:
        """Give the expressions in which a roll may be read."""
        yield from self.definitions.values()
        for case in self.roll.cases:
            yield from case.parsed.values()
            if case.when is not None:
                yield case.when


@lru_cache(maxsize=8)
def read_game_text(name: str, content: bytes) -> GameText:
    """Read a game file. Raises `GameError` that names the line and the column."""
    item = read_source(name, content)
    _check_format(item)
    _keys(item, KEYS, ("columns", "roll", "action"))
    parameters = _parameters(item)
    definitions, tables = _definitions(item)
    objective, target = _objective(item)
    found = GameText(
        item, _words(item, "name", ""), _words(item, "about", ""), parameters, definitions, tables, _columns(item["columns"]),
        _roll(item["roll"]), _actions(item["action"]), _end(item), objective, target,
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


def _objective(item: Item) -> tuple[Item | None, Expression | None]:
    if "objective" not in item.value:
        return None, None
    found = item["objective"]
    words = found.value if isinstance(found.value, str) else ""
    if words in ("expected", "fewest"):
        return found, None
    if split_objective(words)[0] in (Quantile.name, Utility.name, Worst.name):
        try:
            read_objective(words)
        except GameError as error:
            raise found.fault(str(error)) from None
        return found, None
    aim = re.fullmatch(r"at least (.+)", words)
    if not aim:
        raise found.fault(f'expected "expected", "fewest", "at least NUMBER" or "worst SHARE%", got {_got(found.value)}')
    return found, parse(found.part(aim.start(1), aim.end(1)))


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
    _keys(item, ("range", "set", "dice", "faces", "start", "label", "show"))
    kinds = [key for key in ("range", "set", "dice") if key in item.value]
    if len(kinds) != 1 or ("faces" in item.value and kinds != ["dice"]):
        raise item.fault("expected one of range, set or dice (with faces), and start, got another mixture")
    start = item["start"] if "start" in item.value else None
    label, shown = _words(item, "label", ""), _shown(item, kinds[0])
    if kinds == ["dice"]:
        return ColumnText(item, dice=parse(item["dice"]), faces=_optional(item, "faces"), start=start, label=label)
    if kinds == ["set"]:
        return ColumnText(item, members=_members(item["set"]), start=start, label=label, shown=shown)
    return ColumnText(item, span=_span(item["range"]), start=start, label=label, shown=shown)


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


def _roll(item: Item) -> RollText:
    _keys(item, ("dice", "faces", "unless", "cost", "to"), ("dice", "to"))
    faces, unless, cost = (_optional(item, key) for key in ("faces", "unless", "cost"))
    return RollText(item, parse(item["dice"]), faces, unless, cost, _cases(item["to"]))


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
    to = {key: entry for key, entry in item.items().items() if key != "when"}
    parsed = {key: parse(entry) for key, entry in to.items() if not isinstance(entry.value, list)}
    return Case(item, _optional(item, "when"), to, parsed)


def _actions(item: Item) -> tuple[ActionText, ...]:
    if not isinstance(item.value, list) or not 1 <= len(item.value) <= MOST_ENTRIES:
        raise item.fault(f"expected 1 to {MOST_ENTRIES} tables [[action]], got {_got(item.value)}")
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
            if owners.get(name, what) != what or (name in owners and what != "choice"):
                raise item.key_fault(f"expected a name that is not taken, got {name!r}, which is a {owners[name]} already")
            owners[name] = what
    for name, definition in text.definitions.items():
        for part in ast.walk(definition.tree):
            if isinstance(part, ast.Name) and part.id not in owners and part.id not in RESERVED:
                hint = did_you_mean(part.id, owners)
                raise definition.fault(part, f"expected a name of this file, got {brief(part.id, 50)} in {name!r}{hint}")
    _check_circles(text.definitions)


def _named(text: GameText) -> Iterable[tuple[str, list[tuple[str, Item]]]]:
    for what, key in (("parameter", "parameters"), ("definition", "define"), ("column", "columns")):
        yield what, list(text.item[key].items().items()) if key in text.item.value else []
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
