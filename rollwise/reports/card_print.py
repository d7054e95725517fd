"""What a printed card says about itself: its worth in the game's own terms, what its words mean, an example of each line."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from rollwise.cards.library import CardFigures, Example
from rollwise.errors import GameError
from rollwise.model.abilities import draw
from rollwise.model.card import Card
from rollwise.model.formatting import counted
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Objective
from rollwise.model.view import view_of
from rollwise.playing.distribution import distribution
from rollwise.reports.card_page import PrintedCard, card_html, card_markdown, card_svg
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.writing import write_whole

__all__ = ["beaten", "find_examples", "lay_out", "measure", "print_card", "say_worth", "write_card"]

_WRITERS = {".html": card_html, ".md": card_markdown, ".svg": card_svg}
NOTHING = 1e-9
"""A loss below this is rounding."""
GAMES = 100
"""Games that are played for examples."""
LONGEST = 500
"""Decisions after which a game played for examples is left."""


def print_card(solution: Solution, card: Card, value: float, optimum: float, *, progress: Progress | None = None) -> PrintedCard:
    """Put together what is printed of a card that has this value."""
    return lay_out(solution.game, solution.objective, card, measure(solution, card, value, optimum, progress=progress))


def measure(solution: Solution, card: Card, value: float, optimum: float, *, progress: Progress | None = None) -> CardFigures:
    """Compute what a sheet shows of a card that has this value."""
    return CardFigures(value, optimum, beaten(solution, card, progress), find_examples(solution.game, card))


def lay_out(game: Game[Any, Any, Any], objective: Objective, card: Card, figures: CardFigures) -> PrintedCard:
    """Put together what is printed of a card with these figures; nothing is computed."""
    size = counted(card.size, "number" if card.kind == "formula" else "line")
    worth = [say_worth(game, objective, figures.value, figures.optimum)]
    if figures.beaten is not None:
        worth.append(f"A perfect player beats it in {100 * figures.beaten:.1f} % of games (a tie counts half).")
    foot = "Read the lines from the top: the first that fits is played. Computed exactly by rollwise."
    return PrintedCard(f"{view_of(game).title} in {size}", card, worth, list(_meanings(game, card)), figures.examples, foot)


def say_worth(game: Game[Any, Any, Any], objective: Objective, value: float, optimum: float) -> str:
    """Say in a sentence what a card is worth, and what it loses."""
    words = objective.words(game)
    loss = abs(optimum - value)
    if loss < NOTHING:
        return "It plays perfectly: nothing is lost."
    if game.players > 1:
        short = f"{100 * loss:.3g} percentage points short of half"
        return f"Against a perfect player, going first and second in turn, it wins {_percent(value)}: {short}."
    if words.share:
        less = f"{100 * loss:.3g} percentage points less"
        return f"It succeeds in {_percent(value)} of games, perfect play in {_percent(optimum)}: {less}."
    more = "fewer" if objective.better == "higher" else "more"
    return f"{value:.2f} {words.unit} a game; that is {loss:.2f} {more} than perfect play ({optimum:.2f})."


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def beaten(solution: Solution, card: Card, progress: Progress | None = None) -> float | None:
    """Give the chance that perfect play beats a card, ties half; None where no totals are compared, or they are too many."""
    if solution.two_players or not solution.objective.adds or solution.objective.counts != "points":
        return None
    with suppress(GameError):
        best, own = distribution(solution, progress=progress), distribution(solution, card, progress=progress)
        return _above(own, best) if solution.objective.few else _above(best, own)
    return None


def _above(one: Distribution, other: Distribution) -> float:
    """Give the chance that one total is above another, that both are the same counting half."""
    order = np.argsort(other.values)
    values, below = other.values[order], np.concatenate([[0.0], np.cumsum(other.chance[order])])
    left, right = np.searchsorted(values, one.values, "left"), np.searchsorted(values, one.values, "right")
    return float(one.chance @ (below[left] + below[right]) / 2)


def _meanings(game: Any, card: Card) -> Iterator[tuple[str, str]]:
    """Say what the words of a card mean, as far as the game explains them."""
    features, verbs = game.vocabulary()
    asked, done = set(card.features), {line.verb for line in card.lines}
    yield from ((one.name, one.says) for one in features if one.name in asked and one.says)
    yield from ((verb.name, verb.says) for verb in verbs if verb.name in done and verb.says)


# Examples: rolls for which each line is played, found by playing games by the card.


def find_examples(game: Game[Any, Any, Any], card: Card) -> dict[int, Example]:
    """Give for each line the roll that it is played for most often; none for lines that do not come up, or without dice."""
    random = Random(0)
    seen: dict[int, Counter[Example]] = {}
    for _ in range(GAMES):
        _play(game, card, random, seen)
    return {line: _commonest(found) for line, found in seen.items() if line >= 0}


def _commonest(found: Counter[Example]) -> Example:
    """Give the most frequent example; of several the one with the lowest dice, whatever order they came in."""
    most = max(found.values())
    return min((example for example, times in found.items() if times == most), key=lambda example: str(example.dice))


def _play(game: Game[Any, Any, Any], card: Card, random: Random, seen: dict[int, Counter[Example]]) -> None:
    pending, show_dice = game.start(), view_of(game).show_dice
    for _ in range(LONGEST):
        state = _rolled(game, pending, random)
        if not game.actions(state):
            return
        line, action = card.choose(game, state)
        dice = tuple(show_dice(state))
        if dice:
            seen.setdefault(line, Counter())[Example(dice, _kept(dice, action))] += 1
        pending = game.play(state, action)


def _rolled(game: Game[Any, Any, Any], pending: Any, random: Random) -> Any:
    drawn = draw(game, pending, random)
    if drawn is not None:
        return drawn
    roll = game.roll(pending)
    return random.choices(list(roll), weights=list(roll.values()))[0]


def _kept(dice: tuple[Any, ...], action: Any) -> tuple[Any, ...] | None:
    """Say which dice stay, where the move is dice of the roll; None: all of them."""
    return action if isinstance(action, tuple) and Counter(action) <= Counter(dice) else None


def write_card(printed: PrintedCard, path: Path) -> None:
    """Write a printed card by the ending of its file."""
    write_whole(path, _WRITERS[path.suffix.lower()](printed))
