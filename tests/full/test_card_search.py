"""The search for cards: what is found is what it is worth, the same seed gives the same card, and enough lines lose nothing."""

from typing import Any

import numpy as np
import pytest

from rollwise import GameError, solve
from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.formula_search import FormulaSearch
from rollwise.cards.rules_search import RulesSearch, SearchState
from rollwise.cards.search import Found, find_card
from rollwise.games import load
from rollwise.games.slots import Slot, Slots
from rollwise.model.card import read_card
from rollwise.solvers.base import card_evaluator
from rollwise.solvers.base.card_evaluator import Effort, Spent
from rollwise.solvers.graph.cuts import Ranked


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the effort alone: how busy the machine is must not matter."""
    monkeypatch.setattr(card_evaluator, "OVERTIME", 1e6)


SMALL = Slots(target=9, slots=[Slot("double", (2, 4, 6)), Slot("flip", (3, 2, 1)), Slot("bin", (0, 0, 0))])


def state_of(evaluator: Any, seconds: float) -> SearchState:
    evaluator.effort = Effort(seconds)
    return SearchState(evaluator)


def is_sound(found: Found, game: Any) -> None:
    """Check a result against its own words."""
    evaluator = evaluator_of(solve(game))
    again = read_card(str(found.card), solve(game).game.vocabulary())
    assert again == found.card
    assert evaluator.value(again) == pytest.approx(found.value, abs=1e-13)
    assert found.loss == pytest.approx(evaluator.loss(found.value), abs=1e-13)
    assert found.loss >= -1e-13
    assert [point.size for point in found.curve] == sorted({point.size for point in found.curve})
    assert [point.loss for point in found.curve] == sorted((point.loss for point in found.curve), reverse=True)
    assert all(point.card.size == point.size for point in found.curve)


def test_a_card_as_long_as_it_likes_loses_nothing_on_a_small_game() -> None:
    found = find_card(SMALL, size=None, seconds=3)
    is_sound(found, SMALL)
    assert found.loss <= 1e-12
    assert found.proved


def test_the_same_seed_gives_the_same_card() -> None:
    game = load("threes", dice=3)
    one, two = (find_card(game, size=3, seconds=1.5, seed=5) for _ in range(2))
    assert str(one.card) == str(two.card)
    assert one.curve == two.curve
    is_sound(one, game)
    assert one.size <= 3


def test_one_number_of_pig_is_searched_in_full() -> None:
    game = load("pig", target=30)
    bench: Any = evaluator_of(solve(game))
    table = state_of(bench, 30)
    search = FormulaSearch(table, bench)
    search.run(1)
    assert search.proved
    words = game.vocabulary()
    texts = [f"kind formula\nif turn total >= {number}: hold\notherwise: roll" for number in range(2, 30)]
    assert table.formulas[1].worth >= max(bench.value(read_card(text, words)) for text in texts) - 1e-15


def test_formulas_grow_until_they_lose_next_to_nothing() -> None:
    bench: Any = evaluator_of(solve(load("pig", target=40)))
    table = state_of(bench, 20)
    FormulaSearch(table, bench).run(2)
    losses = [table.optimum - table.formulas[size].worth for size in sorted(table.formulas)]
    assert losses[-1] <= 1e-4
    assert all(known.card.kind == "formula" for known in table.formulas.values())


def test_effort_ends_a_search_and_leaves_the_best_so_far() -> None:
    bench: Any = evaluator_of(solve(load("threes", dice=4)))
    table = state_of(bench, 0.05)
    with pytest.raises(Spent):
        RulesSearch(table, 0).run(6)
    assert table.best
    assert bench.effort.within(1.0, lambda: bench.effort.spend(1e12))


def test_an_interrupt_gives_the_best_so_far() -> None:
    told: list[int] = []

    def interrupt(what: str, done: int, total: int | None) -> None:
        if what == "looking for a card":
            told.append(done)
            raise KeyboardInterrupt

    found = find_card(load("threes", dice=4), size=6, seconds=20, progress=interrupt)
    assert told
    assert found.stopped


def test_the_best_cuts_are_those_of_trying_all() -> None:
    random = np.random.default_rng(3)
    columns = {"a": random.integers(0, 5, 60), "b": random.integers(0, 3, 60), "same": np.zeros(60, dtype=np.int64)}
    columns["mirrored"] = 7 - columns["a"]
    ranked, gain = Ranked.of(columns, set()), random.normal(size=60)
    assert ranked.names == ("a", "b")
    tried = [
        gain[(columns[x] >= s) & (columns[x] <= t) & (columns[y] >= u) & (columns[y] <= v)].sum()
        for x, y in (("a", "b"),)
        for s in range(5) for t in range(s, 5) for u in range(3) for v in range(u, 3)
    ]  # fmt: skip
    best = ranked.conditions(np.arange(60), gain, depth=4, width=40)[0]
    assert best.gain == pytest.approx(max(tried))


def test_what_cannot_be_a_card_is_refused() -> None:
    with pytest.raises(GameError, match="expected 1 or more lines"):
        find_card(SMALL, size=0)


@pytest.mark.audit
def test_the_reach_of_small_games() -> None:
    """Within 1 % of the optimum in at most 6 lines."""
    for name in ("threes", "shut-the-box", "farkle"):
        found = find_card(load(name), size=6, seconds=120)
        assert found.loss <= 0.01 * abs(found.optimum)


@pytest.mark.audit
def test_the_reach_of_slots() -> None:
    assert find_card(load("slots"), size=10, seconds=300).loss <= 0.005


@pytest.mark.audit
def test_the_reach_of_pig() -> None:
    found = find_card(load("pig"), size=5, seconds=900)
    losses = {point.size: 100 * point.loss for point in found.curve}
    assert losses[1] <= 2.1069 + 5e-5
    assert losses[5] <= 0.3127 + 5e-5
