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
REST = 0.05
"""What is not named is left out below this share of the whole difference."""
LIKELY = 0.005
"""A chance below this is not named beside a larger one."""
FOR, AGAINST = (
    ("well", "more", "sparing", "rest-more"),
    ("risking", "passing", "giving", "less", "spending", "needing", "rest-less"),
)
"""What speaks for a move, and against it (`reason.more`, ...): what it aims at comes first, all that is not named last."""


def name_differences(sheet: "Sheet", move: Comparison, *, share: bool) -> tuple[Message | None, list[Reason]]:
    """Name the largest parts of the difference of two moves, the side that weighs more first; `share`: values are chances.

    The second is the parts that are named.
    """
    known = sorted((reason for reason in move.reasons if reason.kind != STANDS), key=lambda reason: -abs(float(reason.value)))
    scale = 100 if share else 1
    largest = scale * abs(float(known[0].value)) if known else 0.0
    places = 1 if largest >= 1 else 2
    least = max(SMALL * largest, 0.5 * 10**-places)
    edges = _Edges(scale, places, share=share)
    if isinstance(move.action, str) and isinstance(move.rival, str):
        return _compare_boxes(sheet, move, known, edges, least)
    named = [reason for reason in known[:NAMED] if scale * abs(float(reason.value)) >= least]
    if not named:
        return None, []
    whole = float(sum(reason.value for reason in known))
    roles = [_role(sheet, move, reason) for reason in named]
    leader = next((reason for reason, role in zip(named, roles, strict=True) if role == ("more" if whole >= 0 else "less")), None)
    found: dict[str, list[Reason]] = {}
    for reason, role in zip(named, roles, strict=True):
        found.setdefault(role, []).append(reason)
    rest = whole - float(sum(reason.value for reason in named))
    if scale * abs(rest) >= max(REST * scale * abs(whole), 0.5 * 10**-places):
        role = "more" if rest > 0 else "less"
        found.setdefault(role if role in found else f"rest-{role}", []).append(Reason("rest", "", rest, None, None))

    def clause(role: str) -> Message:
        if role.startswith("rest-"):
            return Message(f"reason.{role}", {"edge": edges(rest)})
        if role in ("well", "risking", "passing", "spending"):
            return _one(sheet, move, role, found[role][0], edges)
        items = [_item(sheet, reason, edges, leads=reason is leader) for reason in found[role]]
        return Message(f"reason.{role}", {"parts": items})

    sides = (FOR, AGAINST) if whole >= 0 else (AGAINST, FOR)
    first, other = ([clause(role) for role in side if role in found] for side in sides)
    return _join(first, other), named


class _Edges:
    """Writes how much a part matters; the first of a sentence has the unit, where that is not points."""

    def __init__(self, scale: int, places: int, *, share: bool) -> None:
        self.scale, self.places, self.unit = scale, places, "share" if share else "points"

    def __call__(self, value: Number) -> Message:
        key = f"edge.{self.unit}" + ("" if self.places == 1 else "-fine")
        self.unit = "points"
        return Message(key, {"n": round(self.scale * float(value), self.places)})


def _join(first: list[Message], other: list[Message]) -> Message:
    if first and other:
        return Message("reason.but", {"reasons": first, "others": other})
    return Message("reason.side", {"reasons": first or other})


def _compare_boxes(
    sheet: "Sheet", move: Comparison, known: list[Reason], edges: _Edges, least: float
) -> tuple[Message | None, list[Reason]]:
    """Compare filling two boxes: the points now, the bonuses, and what the box that stays open is worth more than the other."""
    ahead = move.gain >= 0
    sides: tuple[list[Message], list[Message]] = [], []  # what speaks for the better move, and for the other
    opened: dict[str, Argument] = {"mine": str(move.rival), "rival": str(move.action)}
    gains, points = ([pays(move.state, box) for box in (move.action, move.rival)] for pays in (sheet.gain, sheet.points))
    now = gains[0] - gains[1]
    if edges.unit == "share":
        # Points are no chances: only what comes first can be weighed against what stays open.
        leads = (now > 0) == ahead and now != 0
        if not leads:
            sides[0].append(Message("reason.open", opened))
        if now:
            sides[not leads].append(_now(now))
        return _join(*sides), []
    later = float(move.gain) - now
    # A bonus that is earned now is among the points; its part is all that is still to come where none is.
    more = [reason for reason in known if reason.kind != "box"] if gains == points else []
    named = [reason for reason in more if abs(float(reason.value)) >= least]
    if now:
        sides[(now > 0) != ahead].append(_now(now))
    for reason in named:
        later -= float(reason.value)
        part = Message("reason.part", {"what": reason.what, "edge": edges(reason.value)})
        sides[(reason.value > 0) != ahead].append(
            Message("reason.more" if reason.value > 0 else "reason.less", {"parts": [part]})
        )
    size = round(abs(later), edges.places)
    if size and abs(later) >= REST * abs(float(move.gain)):
        key = "reason.open-more" if later > 0 else "reason.open-less"
        sides[(later > 0) != ahead].append(Message(key, {**opened, "n": size}))
    return (_join(*sides) if any(sides) else None), named


def _now(points: int) -> Message:
    return Message("reason.now-more" if points > 0 else "reason.now-less", {"n": abs(points)})


def _role(sheet: "Sheet", move: Comparison, reason: Reason) -> str:
    """Say what a move does to a part: it fills a box now, risks it, needs it more or less often, or gets more or less from it."""
    better = reason.value > 0
    mine, other = reason.mine, reason.other
    chance, others = (float(part.chance or 0) if part else 0.0 for part in (mine, other))
    edge, edges = (float(part.edge) if part else 0.0 for part in (mine, other))
    if reason.kind == "box" and abs(chance - others) > ROUNDING:
        name = str(reason.what)
        if name == move.action:
            return "well" if better else "spending" if sheet.points(move.state, name) else "giving"
        if name == move.rival and not better and sheet.points(move.state, name):
            scored = mine.scored if mine else 0
            if scored is not None and scored < LIKELY:
                return "passing"
            return "risking" if scored is not None and _may_fail(sheet, name) else "less"
        if chance < others < 1 - ROUNDING and better and edge <= -edges:
            return "sparing"
        if chance > others and not better and edges <= -edge:
            return "needing"
    return "more" if better else "less"


def _one(sheet: "Sheet", move: Comparison, role: str, reason: Reason, edges: _Edges) -> Message:
    """Name a box that one of the moves fills: by its points now and, where the other may miss it, the chance to score it."""
    name = str(reason.what)
    part = reason.other if role == "well" else reason.mine
    chance = round_chance(float(part.scored or 0)) if part else 0.0
    if role == "well" and not (_may_fail(sheet, name) and LIKELY <= chance < 1):
        role = "well-open"
    known: dict[str, Argument] = {} if role == "risking" else {"points": sheet.points(move.state, name)}
    chances: dict[str, Argument] = {"chance": chance} if role in ("well", "risking") else {}
    return Message(f"reason.{role}", {"what": name, "edge": edges(reason.value), **known, **chances})


def _item(sheet: "Sheet", reason: Reason, edges: _Edges, *, leads: bool) -> Message:
    """Name a part; where it leads and may fail, by the chances to score it."""
    if reason.kind == "rest":
        return Message("reason.rest", {"edge": edges(reason.value)})
    known: dict[str, Argument] = {"what": reason.what, "edge": edges(reason.value)}
    if leads and reason.kind == "box" and _may_fail(sheet, str(reason.what)):
        chance, other = (round_chance(float(part.scored or 0)) if part else 0.0 for part in (reason.mine, reason.other))
        if chance and (chance > other) == (reason.value > 0) and chance != other:
            if other < LIKELY:
                return Message("reason.chance", {**known, "chance": chance})
            return Message("reason.chances", {**known, "chance": chance, "other": other})
    return Message("reason.part", known)


def _may_fail(sheet: "Sheet", name: str) -> bool:
    """Say whether a box asks for dice that do not always come."""
    return not min(sheet.scores[name].values()) and all(box.face is None for box in sheet.boxes if box.name == name)
