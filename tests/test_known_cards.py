"""The cards that long searches found: no longer than their names say, and worth what is said of them."""

import pytest

import rollwise
from rollwise.cards.library import known_cards
from rollwise.games import load
from rollwise.model.card import Card

WORTH = {
    ("slots", 10): 0.2933599108367626,
    ("slots", 22): 0.29614626200274347,
    ("yazy", 20): 162.10830755350585,
    ("yazy", 60): 164.43077446441262,
    ("yatzy", 30): 236.3092880847569,
    ("yatzy", 100): 238.88116142356623,
    ("yahtzee", 30): 247.0239682731612,
    ("yahtzee", 100): 248.6811927394772,
}
QUICK = [("yazy", 20), ("yahtzee", 30)]


def card_of(name: str, size: int) -> Card:
    """The largest card of at most this size."""
    return max((card for card in known_cards(name, load(name)) if card.size <= size), key=lambda card: card.size)


def value_of(name: str, size: int) -> float:
    return float(rollwise.evaluate(load(name), card_of(name, size)).value)


@pytest.mark.parametrize("one", QUICK)
def test_worth(one: tuple[str, int]) -> None:
    assert value_of(*one) == pytest.approx(WORTH[one], abs=1e-8)


@pytest.mark.audit
@pytest.mark.parametrize("one", [one for one in WORTH if one not in QUICK])
def test_worth_of_others(one: tuple[str, int]) -> None:
    assert value_of(*one) == pytest.approx(WORTH[one], abs=1e-8)


@pytest.mark.audit
@pytest.mark.parametrize("one", WORTH)
def test_simulated(one: tuple[str, int]) -> None:
    game = load(one[0])
    card = card_of(*one)
    played = rollwise.simulate(rollwise.solve(game), 200_000, seed=7, policy=card)
    assert abs(played.mean - WORTH[one]) < 4 * played.standard_error
