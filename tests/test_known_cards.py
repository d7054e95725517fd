"""The cards that long searches found: no longer than their names say, and worth what is said of them."""

import pytest

import rollwise
from rollwise.cards.shelf import known_cards
from rollwise.games import load

WORTH = {
    ("yazy", 20): 162.10830755350585,
    ("yazy", 60): 164.43077446441262,
    ("yatzy", 30): 236.3092880847569,
    ("yatzy", 100): 238.88116142356623,
    ("yahtzee", 30): 247.0239682731612,
    ("yahtzee", 100): 248.6811927394772,
}
LONG = [one for one in WORTH if one[1] == 100]


def value_of(name: str, size: int) -> float:
    game = load(name)
    card = max((card for card in known_cards(name, game) if card.size <= size), key=lambda card: card.size)
    return float(rollwise.evaluate(game, card).value)


@pytest.mark.parametrize("one", [one for one in WORTH if one not in LONG])
def test_worth(one: tuple[str, int]) -> None:
    assert value_of(*one) == pytest.approx(WORTH[one], abs=1e-8)


@pytest.mark.audit
@pytest.mark.parametrize("one", LONG)
def test_worth_of_long_cards(one: tuple[str, int]) -> None:
    assert value_of(*one) == pytest.approx(WORTH[one], abs=1e-8)
