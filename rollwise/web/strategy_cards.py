"""Strategy cards for the page, as text and as the sheet to print: known ones at once, others found in a few seconds.

A known card is for the usual rules of a game. With other rules, or another objective, the search begins with the known cards.
What loses more than a tenth of the optimum is not shown (`is_good`).
"""

from time import monotonic
from typing import Any

from rollwise.cards.evaluate import count_listed
from rollwise.cards.library import CardFigures, is_good, known_cards, measured_cards
from rollwise.cards.search import find_card
from rollwise.errors import GameError
from rollwise.games import load
from rollwise.model.abilities import unlifted
from rollwise.model.card import Card
from rollwise.model.game import Game, Progress, objective_of
from rollwise.model.message import Message
from rollwise.model.objective import Objective
from rollwise.reports.card_page import card_svg
from rollwise.reports.card_print import lay_out, measure
from rollwise.solvers.base.card_evaluator import SEARCHING
from rollwise.solvers.base.solution import Solution
from rollwise.web.limits import TooLarge

__all__ = ["find_answer", "known_answer"]

Json = dict[str, Any]

HANDY = 30
"""Lines that a person may carry: of the known cards the largest up to this is shown first."""
USUAL = 10
"""Lines of a card where neither the client nor a known card says how many."""
SECONDS = 2.0
"""How long a card is looked for; three times as long on a busy machine."""
PREPARING = 8.0
"""Seconds that may pass before the search begins: a game whose positions take longer to list is too large."""
MANY = 300_000
"""Positions beyond which a card is not looked for while a client waits."""


def known_answer(name: str, size: int | None = None) -> Json | None:
    """Describe the known card of a game with its usual rules that has at most so many lines; None: no card is known.

    Nothing is solved for it. Raises `GameError` where all known cards are longer.
    """
    game = load(name)
    known = measured_cards(name, game)
    if not known:
        return None
    fitting = [one for one in known if one.card.size <= (size or HANDY)]
    if not fitting and size is not None:
        raise GameError(Message("server.card.size", {"size": size, "least": known[0].card.size}))
    return _describe(game, objective_of(game), *(fitting or known[:1])[-1], [one.card.size for one in known])


def find_answer(solution: Solution, name: str | None, size: int | None, progress: Progress | None) -> Json:
    """Look for a card of at most so many lines; `name` is that of the game in the catalogue.

    Raises `TooLarge` for a game that is too large for that, and `GameError` where no card is good enough.
    """
    known = known_cards(name, solution.game) if name else []
    if count_listed(solution) > MANY:
        raise TooLarge(Message("server.card.usual" if known else "server.card.large"))
    size = size or next((card.size for card in reversed(known) if card.size <= HANDY), USUAL)
    begun = monotonic()

    def in_time(what: str, done: int, total: int | None) -> None:
        if progress:
            progress(what, done, total)
        if what != SEARCHING and monotonic() - begun > PREPARING:
            raise TooLarge(Message("server.card.large"))

    game, objective = unlifted(solution.game), solution.objective
    found = find_card(game, objective, size=size, seconds=SECONDS, progress=in_time, solution=solution, known=known)
    if not is_good(found.value, found.optimum):
        raise GameError(Message("server.card.weak", {"size": size}))
    figures = measure(solution, found.card, found.value, found.optimum, progress=progress)
    return _describe(solution.game, solution.objective, found.card, figures, [])


def _describe(game: Game[Any, Any, Any], objective: Objective, card: Card, figures: CardFigures, sizes: list[int]) -> Json:
    """Describe a card in JSON types, with the sheet to print."""
    printed, value, optimum = lay_out(game, objective, card, figures), figures.value, figures.optimum
    return {
        "title": printed.title, "worth": list(printed.worth), "size": card.size, "sizes": sizes, "kind": card.kind,
        "value": value, "optimum": optimum, "loss": abs(optimum - value), "text": str(card), "svg": card_svg(printed),
    }  # fmt: skip
