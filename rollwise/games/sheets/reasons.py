"""What a player says for and against a move on a score sheet: the largest parts of the difference, in words."""

from typing import TYPE_CHECKING

from rollwise.model.message import Argument, Message, round_chance
from rollwise.model.reasons import STANDS, Comparison, Number, Reason

if TYPE_CHECKING:
    from rollwise.games.sheets.rules import Sheet

__all__ = ["name_differences"]

ROUNDING = 1e-9
"""Chances that differ by less are the same to a sentence."""
NAMED = 4
"""How many parts a sentence names; all others are one more."""
SMALL = 0.1
"""A part below this share of the largest is not named."""
LIKELY = 0.005
"""A chance below this is not named beside a larger one."""
FOR, AGAINST = ("well", "more", "saving", "rest-more"), ("passing", "giving", "less", "spending", "rest-less")
"""What speaks for a move, and against it (`reason.more`, ...): what it aims at comes first, all that is not named last."""


def name_differences(sheet: "Sheet", move: Comparison, *, share: bool) -> tuple[list[Message], list[Reason]]:
    """Name the largest parts of the difference of two moves, the side that weighs more first; `share`: values are chances.

    The second is the parts that are named.
    """
    known = sorted((reason for reason in move.reasons if reason.kind != STANDS), key=lambda reason: -abs(float(reason.value)))
    scale = 100 if share else 1
    largest = scale * abs(float(known[0].value)) if known else 0.0
    places = 1 if largest >= 1 else 2
    least = max(SMALL * largest, 0.5 * 10**-places)
    named = [reason for reason in known[:NAMED] if scale * abs(float(reason.value)) >= least]
    if not named:
        return [], []

    def edge(value: Number) -> Message:
        return Message("edge.points" if places == 1 else "edge.points-fine", {"n": round(scale * float(value), places)})

    ahead = sum(reason.value for reason in known) >= 0
    roles = [_role(sheet, move, reason) for reason in named]
    leader = next((reason for reason, role in zip(named, roles, strict=True) if role == ("more" if ahead else "less")), None)
    parts: dict[str, list[Argument]] = {}
    for reason, role in zip(named, roles, strict=True):
        key, more = _item(sheet, move, reason, role, leads=reason is leader)
        parts.setdefault(role, []).append(Message(key, {"what": reason.what, "edge": edge(reason.value), **more}))
    rest = float(sum(reason.value for reason in known[len(named) :]))
    if scale * abs(rest) >= least:
        others = Message("reason.part", {"what": Message("reason.rest"), "edge": edge(rest)})
        role = "more" if rest > 0 else "less"
        parts.setdefault(role if role in parts else f"rest-{role}", []).append(others)
    sides = [
        [Message(f"reason.{role.removeprefix('rest-')}", {"parts": parts[role]}) for role in side if role in parts]
        for side in (FOR, AGAINST)
    ]
    first, other = sides if ahead else sides[::-1]
    if first and other:
        return [Message("reason.but", {"reasons": first, "others": other})], named
    return [Message("reason.side", {"reasons": first or other})], named


def _role(sheet: "Sheet", move: Comparison, reason: Reason) -> str:
    """Say what a move does to a part: it fills a box now, leaves it open for later, uses it up, or gets more or less from it."""
    better, points = reason.value > 0, 0
    chance, others, mine, other = _sides(reason)
    if reason.kind == "box" and abs(chance - others) > ROUNDING:
        points = sheet.points(move.state, str(reason.what)) if ROUNDING + max(chance, others) >= 1 else 0
        if reason.what == move.action:
            return "well" if better else "spending" if points else "giving"
        if chance < others and better and mine <= -other:
            return "saving"
        if reason.what == move.rival and not better and points:
            return "passing"
        if chance > others and not better and other <= -mine:
            return "spending"
    return "more" if better else "less"


def _sides(reason: Reason) -> tuple[float, float, float, float]:
    """The chances of the two moves to end the turn with a box, and what comes of it then."""
    mine, other = reason.mine, reason.other
    chances = [float(part.chance or 0) if part else 0.0 for part in (mine, other)]
    edges = [float(part.edge) if part else 0.0 for part in (mine, other)]
    return chances[0], chances[1], edges[0], edges[1]


def _item(sheet: "Sheet", move: Comparison, reason: Reason, role: str, *, leads: bool) -> tuple[str, dict[str, Argument]]:
    """Choose how a part is named: by the points passed up or, where it leads and may fail, by the chances to score it."""
    if role == "passing":
        return "reason.points", {"points": sheet.points(move.state, str(reason.what))}
    if leads and reason.kind == "box" and _may_fail(sheet, str(reason.what)):
        chance, other = (round_chance(float(part.scored or 0)) if part else 0.0 for part in (reason.mine, reason.other))
        if chance and (chance > other) == (reason.value > 0) and chance != other:
            known: dict[str, Argument] = {"chance": chance, "other": other}
            return ("reason.chances", known) if other >= LIKELY else ("reason.chance", {"chance": chance})
    return "reason.part", {}


def _may_fail(sheet: "Sheet", name: str) -> bool:
    """Say whether a box asks for dice that do not always come."""
    return not min(sheet.scores[name].values()) and all(box.face is None for box in sheet.boxes if box.name == name)
