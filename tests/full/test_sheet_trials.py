"""Trials of cards on sheets agree with the definition: the card asked position by position, and `evaluate`."""

import pytest

import rollwise
from rollwise.cards.sheet_trials import Trials
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, total, upper_boxes
from rollwise.model.card import read_card

CARD = """
par ones = 1
par chance = 6
if largest set = 3: fill the best if 4 over par
if rolls left >= 1 and upper pace < 0: keep the largest open set
if rolls left = 1 and not chance open: reroll all
if rolls left >= 1 and sum <= 9: go for chance
if open boxes <= 2 or upper total >= 4: fill the box with the most points
otherwise: fill the best over par
"""


def small(**rules: object) -> Sheet:
    boxes = [*upper_boxes()[:2], Box("same", all_equal(10)), Box("chance", total)]
    return Sheet(boxes, count=3, faces=3, rerolls=2, bonus=UpperBonus(6, 7), **rules)  # type: ignore[arg-type]


JOKERS = {"forced": Joker("same", "forced", 9, {"chance": 8}), "free": Joker("same", "free", 9, {"chance": 8})}


SHORT = """
par ones = -10
if rolls left >= 1: keep the largest set
otherwise: fill the best over par
"""


@pytest.mark.parametrize("text", [CARD, SHORT])
@pytest.mark.parametrize("rules", [{}, {"in_order": True}, *({"joker": joker} for joker in JOKERS.values())])
def test_value_is_that_of_the_graph(rules: dict[str, object], text: str) -> None:
    sheet = small(**rules)
    card = read_card(text, sheet.vocabulary())
    exact = rollwise.evaluate(sheet, card, exact=True).value
    assert Trials(sheet).value(card) == pytest.approx(float(exact), abs=1e-9)
