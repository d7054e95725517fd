"""Cards that are decision trees, which STreeD finds."""

from typing import Any

import pytest

from rollwise import solve
from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.rules_search import SearchState
from rollwise.cards.trees import TreeSearch
from rollwise.games import load
from rollwise.model.card import read_card
from rollwise.solvers.base import card_evaluator
from tests.full.libraries import need


def test_trees_are_lines_whose_conditions_need_not_say_what_earlier_ones_took(monkeypatch: pytest.MonkeyPatch) -> None:
    need("pystreed", "rollwise[cards]")
    monkeypatch.setattr(card_evaluator, "OVERTIME", 1e6)  # count the effort alone
    bench: Any = evaluator_of(solve(load("threes", dice=4)))
    bench.effort = card_evaluator.Effort(60)
    table = SearchState(bench)
    TreeSearch(table, bench).run(4)
    card = table.best[max(table.best)].card
    assert card.kind == "tree"
    assert card.lines[-1].always
    assert read_card(str(card), load("threes", dice=4).vocabulary()) == card
