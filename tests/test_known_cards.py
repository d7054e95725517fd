"""The cards that long searches found: no longer than their names say, and worth what is said of them."""

import pytest

import rollwise
from rollwise.cards.shelf import known_cards
from rollwise.games import load

WORTH = {
    ("yazy", 20): 162.10830755350585,
    ("yazy", 60): 164.43077446441262,
    ("yatzy", 30): 236.3092880847569,
    ("yatzy", 35): 237.85507013379012,
    ("yahtzee", 30): 246.6335629458345,
    ("yahtzee", 36): 247.87052400345976,
}
QUICK = [("yazy", 20), ("yahtzee", 30)]


def value_of(name: str, size: int) -> float:
    game = load(name)
    card = max((card for card in known_cards(name, game) if card.size <= size), key=lambda card: card.size)
    return float(rollwise.evaluate(game, card).value)


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
    card = next(card for card in known_cards(one[0], game) if card.size == one[1])
    played = rollwise.simulate(rollwise.solve(game), 200_000, 7, choose=card)
    assert abs(played.mean - WORTH[one]) < 4 * played.standard_error
