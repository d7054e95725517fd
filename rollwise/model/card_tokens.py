"""The pieces of a condition on a strategy card: features by their names, whole numbers, signs and joining words."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from rollwise.errors import GameError, brief, hint

__all__ = ["Token", "Tokens", "listed"]

SAME = {"==": "=", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!="}
"""Other ways to write an operator."""
REST = r"""
    | (?P<number>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?![\w.,])
    | (?P<operator>>=|<=|!=|==|<>|[≥≤≠><=])
    | (?P<sign>[-+*/])
    | (?P<word>and|or|not)\b
    | (?P<unknown>.+?(?=[≥≤≠><=*/+!]|\b(?:and|or)\b|$))
"""
LARGEST = 10**9
LISTED = 20
"""Names that a message lists."""


class Token(NamedTuple):
    """A piece: feature, number, operator, sign or word; and its text."""

    kind: str
    text: str


class Tokens:
    """Splits conditions into pieces; features are found whatever they are made of, in capitals or not.

    >>> [token.text for token in Tokens(["turn total", "gap"]).split("Turn total ≥ 21 + gap / 8")]
    ['turn total', '>=', '21', '+', 'gap', '/', '8']

    Raises `GameError` for what is none of these.
    """

    def __init__(self, features: Iterable[str]) -> None:
        self.names = {name.lower(): name for name in features if not name.isdecimal()}
        longest = sorted(map(re.escape, self.names), key=len, reverse=True)
        feature = rf"(?P<feature>{'|'.join(longest)})(?![\w-])" if longest else r"(?P<feature>(?!))"
        self.pattern = re.compile(rf"\s*(?:{_spaced(feature)}{REST})", re.IGNORECASE | re.VERBOSE)

    def split(self, text: str) -> list[Token]:
        """Give the pieces of a text, in order."""
        found, place = [], 0
        while place < len(text):
            piece = self.pattern.match(text, place)
            if piece is None:
                break
            found.append(self._token(str(piece.lastgroup), piece[str(piece.lastgroup)], text))
            place = piece.end()
        return found

    def _token(self, kind: str, piece: str, whole: str) -> Token:
        if kind == "unknown":
            raise GameError(f"in {brief(whole)}: {self._refused(piece.strip())}")
        if kind == "number":
            piece = piece.replace(",", "")
            if int(piece) > LARGEST:
                raise GameError(f"in {brief(whole)}: the number {brief(piece)}: expected at most {LARGEST:,}")
        return Token(kind, self.names[piece.lower()] if kind == "feature" else SAME.get(piece, piece.lower()))

    def _refused(self, piece: str) -> str:
        if re.fullmatch(r"[0-9.,]+", piece):
            return f"the number {brief(piece)}: expected a whole number, without a point"
        if "(" in piece or ")" in piece:
            return "there are no parentheses on a card: 'and' binds tighter than 'or', or write a line for each way"
        return f"unknown feature {brief(piece)}{hint(piece.lower(), self.names)} (known: {listed(self.names.values())})"


def listed(names: Iterable[str]) -> str:
    """List names for a message, the first of them if they are many.

    >>> listed(map(str, range(30)))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, ... (30 in all)'
    """
    found = list(names)
    return ", ".join(found) if len(found) <= LISTED else f"{', '.join(found[:LISTED])}, ... ({len(found)} in all)"


def _spaced(pattern: str) -> str:
    """Write the blanks of names so that a pattern with comments keeps them."""
    return pattern.replace("\\ ", r"\s+").replace("#", r"\#")
