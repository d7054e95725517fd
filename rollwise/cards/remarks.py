"""What is odd about a card, by its text alone: conditions that contradict themselves, lines that say what others said before."""

from collections.abc import Iterator
from math import inf

from rollwise.model.card import Amount, Card, CardLine, Comparison

__all__ = ["remarks_on"]

TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "!="}


def remarks_on(card: Card) -> tuple[str, ...]:
    r"""List what is odd about a card, line by line.

    >>> from rollwise.games import load
    >>> from rollwise.model.card import read_card
    >>> words = load("pig").vocabulary()
    >>> remarks_on(read_card("if gap > 5 and gap < 3: hold\nif gap > 5: roll\nif gap > 5: roll", words))
    ('line 1 never fits: its condition contradicts itself', 'line 3 says the same as line 2')
    """
    return tuple(text for number, line in enumerate(card.lines, 1) for text in _remarks(card, number, line))


def _remarks(card: Card, number: int, line: CardLine) -> Iterator[str]:
    impossible = [not _possible(every) for every in line.condition]
    if all(impossible):
        yield f"line {number} never fits: its condition contradicts itself"
    elif any(impossible):
        yield f"line {number}: the part {impossible.index(True) + 1} of its condition contradicts itself"
    earlier = next((place for place, other in enumerate(card.lines[: number - 1], 1) if other.condition == line.condition), None)
    if earlier is None:
        return
    if card.lines[earlier - 1].verb == line.verb:
        yield f"line {number} says the same as line {earlier}"
    elif not line.always:
        yield f"line {number} contradicts line {earlier}: the same condition, another verb; line {earlier} comes first"


def _possible(every: tuple[Comparison, ...]) -> bool:
    """Say whether comparisons can hold together, as far as those of one feature with a number tell."""
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    barred: dict[str, set[int]] = {}
    for name, operator, number in filter(None, map(_simple, every)):
        if operator in (">=", ">", "="):
            low[name] = max(low.get(name, -inf), number + (operator == ">"))
        if operator in ("<=", "<", "="):
            high[name] = min(high.get(name, inf), number - (operator == "<"))
        if operator == "!=":
            barred.setdefault(name, set()).add(number)
    single = [name for name in low if low[name] == high.get(name)]
    return all(low[name] <= high.get(name, inf) for name in low) and not any(low[name] in barred.get(name, ()) for name in single)


def _simple(comparison: Comparison) -> tuple[str, str, int] | None:
    """Read a comparison of a feature with a number; None: it is another one."""
    left, right = comparison.left, comparison.right
    for one, other, operator in ((left, right, comparison.operator), (right, left, TURNED[comparison.operator])):
        name, number = _name(one), _number(other)
        if name and number is not None:
            return name, operator, number
    return None


def _name(amount: Amount) -> str:
    return amount.terms[0][1] if len(amount.terms) == 1 and amount.terms[0][0] == amount.terms[0][2] == 1 else ""


def _number(amount: Amount) -> int | None:
    return amount.terms[0][0] if len(amount.terms) == 1 and amount.terms[0][1:] == ("", 1) else None
