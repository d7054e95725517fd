"""Cards on score sheets are followed by several threads at once: the same bits, also where a box is filled several times."""

import numpy as np
import pytest

import rollwise
from rollwise.cards.evaluate import evaluator_of
from rollwise.games import load
from rollwise.model.card import read_card
from rollwise.solvers.base.backends import at_most
from rollwise.solvers.sheets import card_script

CARD = """
if rolls left >= 1: keep the largest set
if largest set >= 3: fill an upper box with 3 or more dice
otherwise: fill the best over par
"""


@pytest.mark.parametrize(("name", "boxes"), [("balut", "fours,choice,balut"), ("yatzy", "ones,twos,pair,chance,yatzy")])
def test_threads_do_not_change_a_bit(name: str, boxes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_script, "PIECE", 2)
    card_script.scripter_of.cache_clear()
    game = load(name, boxes=boxes)
    card, solution = read_card(CARD, game.vocabulary()), rollwise.solve(game)
    found = []
    for threads in (1, 4):
        with at_most(threads):
            followed = evaluator_of(solution).followed(card)  # type: ignore[attr-defined]
            found.append((followed.values(), followed.visits()))
    (values, visits), (others, more) = found
    assert np.array_equal(values, others, equal_nan=True)
    assert np.array_equal(visits, more)
    arrays = followed.arrays
    turns = arrays.turns(np.arange(arrays.n_masks))
    assert [visits[turns == left].sum() for left in range(arrays.n_turns + 1)] == pytest.approx(np.ones(arrays.n_turns + 1))
    assert values[arrays.full, 0] == pytest.approx(float(rollwise.evaluate(game, card).value))
    card_script.scripter_of.cache_clear()
