"""Strategy cards for the page: a known one, or one that is found in a few seconds; as text, and as the sheet to print."""

from typing import Any

from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.library import known_cards
from rollwise.cards.search import find_card
from rollwise.errors import GameError
from rollwise.model.abilities import unlifted
from rollwise.model.card import Card
from rollwise.model.game import Progress
from rollwise.model.message import Message
from rollwise.reports.card_page import card_svg
from rollwise.reports.card_print import print_card
from rollwise.solvers.base.solution import Solution

__all__ = ["find_answer", "table_card"]

Json = dict[str, Any]

HANDY = 30
"""Lines that a person may carry: of the known cards the largest up to this is shown first."""
USUAL = 10
"""Lines of a card where nobody says how many."""
SECONDS = 2.0
"""How long a card is looked for; three times as long on a busy machine."""
MANY = 300_000
"""Positions beyond which a card is not looked for while a client waits."""


def table_card(solution: Solution, name: str | None, progress: Progress | None = None) -> Json | None:
    """Give the card that goes with a table: a known one, as nobody waits for a search there; None where there is none."""
    if name is None or not known_cards(name, solution.game):
        return None
    try:
        return find_answer(solution, name, None, progress)
    except GameError:
        return None


def find_answer(solution: Solution, name: str | None, size: int | None, progress: Progress | None) -> Json:
    """Find a card of at most so many lines; `name` is that of a game with its usual rules. Raises `GameError`."""
    known = known_cards(name, solution.game) if name is not None else []
    sizes = [card.size for card in known]
    fitting = [card for card in known if card.size <= (size or HANDY)] or (known[:1] if size is None else [])
    if fitting:
        card = fitting[-1]
        evaluator = evaluator_of(solution, progress=progress)
        return _describe(solution, card, evaluator.value(card), evaluator.optimum, sizes, progress)
    if solution.states > MANY:
        raise GameError(Message("server.no-card"))
    game = unlifted(solution.game)
    found = find_card(game, solution.objective, size=size or USUAL, seconds=SECONDS, progress=progress, solution=solution)
    return _describe(solution, found.card, found.value, found.optimum, sizes, progress)


def _describe(solution: Solution, card: Card, value: float, optimum: float, sizes: list[int], progress: Progress | None) -> Json:
    """Describe a card in JSON types, with the sheet to print."""
    printed = print_card(solution, card, value, optimum, progress=progress)
    return {
        "title": printed.title, "worth": list(printed.worth), "size": card.size, "sizes": sizes, "kind": card.kind,
        "value": value, "optimum": optimum, "loss": abs(optimum - value), "text": str(card), "svg": card_svg(printed),
    }  # fmt: skip
