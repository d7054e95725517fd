"""The cards that come with the package: good, no longer than their names say, and worth what their figures say."""

import pytest

import rollwise
from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.library import is_good, known_cards, measured_cards
from rollwise.games import load
from rollwise.model.card import Card
from rollwise.model.game import objective_of
from rollwise.reports.card_print import lay_out, measure
from tests.make_cards import KNOWN, all_games, cards_in

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


NAMES = [name for name in all_games() if known_cards(name, load(name))]
SMALL = ("crag", "generala", "shut-the-box", "slots", "threes", "yacht", "yazy")


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_those_of_good_cards(name: str) -> None:
    """Longer cards are better, and each is worth showing."""
    known = measured_cards(name, load(name))
    assert all(is_good(figures.value, figures.optimum) for _, figures in known)
    losses = [abs(figures.optimum - figures.value) for _, figures in known]
    assert losses == sorted(losses, reverse=True)
    assert len({card.size for card, _ in known}) == len(known)
    for card, figures in known:
        assert set(figures.examples) <= set(range(len(card.lines)))
        assert figures.beaten is None or 0.5 - 1e-3 < figures.beaten < 1
        assert lay_out(load(name), objective_of(load(name)), card, figures).worth


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files(name: str) -> None:
    assert all(card.size <= int(path.stem.rpartition("-")[2]) for path, card in cards_in(KNOWN, name).items())


def test_every_figure_has_a_card() -> None:
    assert {path.stem for path in KNOWN.glob("*.json")} == {path.stem for path in KNOWN.glob("*.card")}


def check_figures(name: str) -> None:
    """Compute the figures of the cards of a game again."""
    solution = rollwise.solve(name)
    evaluator = evaluator_of(solution)
    for card, figures in measured_cards(name, load(name)):
        found = measure(solution, card, evaluator.value(card), evaluator.optimum)
        assert (found.value, found.optimum) == pytest.approx((figures.value, figures.optimum), rel=1e-9)
        assert found.examples == figures.examples
        if figures.beaten is not None:
            assert found.beaten == pytest.approx(figures.beaten, abs=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("name", SMALL)
def test_figures_of_small_games(name: str) -> None:
    check_figures(name)


@pytest.mark.audit
@pytest.mark.parametrize("name", [name for name in NAMES if name not in SMALL])
def test_figures_of_others(name: str) -> None:
    check_figures(name)


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
