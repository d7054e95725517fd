"""A game and its positions in JSON types, for pages that draw them."""

from importlib import import_module
from typing import Any

from rollwise.errors import GameError
from rollwise.games import CATALOGUE
from rollwise.games.groups import Groups, GroupsRaw
from rollwise.games.sheet import Sheet
from rollwise.games.slots import Slots
from rollwise.games.words import Words

__all__ = ["board", "catalogue", "position"]

WORDS_SHOWN = 200

Json = dict[str, Any]

_KINDS: dict[type, str] = {Sheet: "sheet", Slots: "slots", Words: "words", Groups: "groups"}


def catalogue() -> list[Json]:
    """List the games that the page can show."""
    return [
        {
            "name": name,
            "summary": entry.summary,
            "kind": kind,
            "parameters": [{"name": p.name, "help": p.help, "default": p.default} for p in entry.parameters],
        }
        for name, entry in CATALOGUE.items()
        if (kind := _kind(getattr(import_module(f"rollwise.games.{entry.module}"), entry.owner)))
    ]


def _kind(owner: type) -> str | None:
    return next((kind for base, kind in _KINDS.items() if issubclass(owner, base)), None)


def board(game: Any) -> Json:
    """Describe what lies on the table.

    >>> from rollwise.games import load
    >>> board(load("groups", faces=6, sizes=[2, 1]))
    {'kind': 'groups', 'faces': 6, 'goal': [2, 1], 'dice': 3, 'start': '-'}
    """
    start = game.show_pending(game.start())
    if isinstance(game, Sheet):
        return {**_sheet(game), "start": start}
    if isinstance(game, Slots):
        slots = [{"name": slot.name, "scores": list(slot.scores)} for slot in game.slots]
        return {"kind": "slots", "target": game.target, "slots": slots, "faces": len(game.faces), "start": start}
    if isinstance(game, Words):
        dice = ["".join(symbol * weight for symbol, weight in faces) for faces in game.dice]
        shown = list(game.words[:WORDS_SHOWN])
        return {"kind": "words", "dice": dice, "words": shown, "word_count": len(game.words), "start": start}
    if isinstance(game, Groups | GroupsRaw):
        return {"kind": "groups", "faces": game.faces, "goal": list(game.goal), "dice": sum(game.goal), "start": start}
    raise GameError(f"{type(game).__name__} has no board on the page: expected a score sheet, slots, words or groups")


def _sheet(game: Sheet) -> Json:
    pays = game.joker.pays if game.joker else {}
    boxes = [
        {"name": box.name, "face": box.face, "most": max(*game.scores[box.name].values(), pays.get(box.name, 0))}
        for box in game.boxes
    ]
    bonus = {"threshold": game.bonus.threshold, "points": game.bonus.points} if game.bonus else None
    joker = {"box": game.joker.box, "rule": game.joker.rule, "bonus": game.joker.bonus} if game.joker else None
    return {
        "kind": "sheet", "boxes": boxes, "dice": game.count, "faces": game.faces, "rerolls": game.rerolls,
        "bonus": bonus, "joker": joker, "in_order": game.in_order,
    }  # fmt: skip


def position(game: Any, state: Any) -> Json:
    """Describe a state.

    >>> from rollwise.games import load
    >>> slots = load("slots")
    >>> position(slots, slots.read_state("x3,bin 30 6"))
    {'kind': 'slots', 'free': ['x3', 'bin'], 'total': 30, 'roll': 6}
    """
    if isinstance(game, Sheet):
        opened = [name for i, name in enumerate(game.names) if state.open >> i & 1]
        upper = state.upper if game.bonus else None
        return {
            "kind": "sheet", "dice": list(state.dice), "left": state.left, "open": opened, "upper": upper, "primed": state.primed,
        }  # fmt: skip
    if isinstance(game, Slots):
        return {"kind": "slots", "free": list(state.free), "total": state.total, "roll": state.roll}
    if isinstance(game, Words):
        return {"kind": "words", "dice": list(state)}
    held, hit = state
    return {"kind": "groups", "held": list(held), "hit": hit}
