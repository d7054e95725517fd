"""The search for cards on score sheets: what it finds is exact, no longer than asked for, and the same for the same seed."""

from random import Random
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.search import find_card
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, total, upper_boxes
from rollwise.model.card import Amount, CardLine, Comparison, read_card
from rollwise.solvers.base import card_evaluator
from rollwise.solvers.sheets.card_conditions import simpler


@pytest.fixture(autouse=True, scope="module")
def no_clock() -> Any:
    """Count the effort alone: how busy the machine is must not matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_evaluator, "OVERTIME", 1e6)
        yield


def small() -> Sheet:
    boxes = [*upper_boxes()[:3], Box("same", all_equal(10)), Box("chance", total)]
    return Sheet(boxes, count=3, faces=3, rerolls=1, bonus=UpperBonus(9, 7))


@pytest.fixture(scope="module")
def found() -> Any:
    return find_card(small(), size=9, seconds=3, seed=3)


def test_value_is_exact_and_near_the_optimum(found: Any) -> None:
    sheet = small()
    optimum = rollwise.solve(sheet).value()
    assert found.value == pytest.approx(float(rollwise.evaluate(sheet, found.card).value), abs=1e-9)
    assert optimum - 0.7 < found.value <= optimum + 1e-9
    assert found.card.size <= 9


def test_curve_rises_to_the_value(found: Any) -> None:
    sizes, values = zip(*((point.size, point.value) for point in found.curve), strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(values) == sorted(values)
    assert values[-1] == found.value


def test_card_is_read_back(found: Any) -> None:
    assert read_card(str(found.card), small().vocabulary()) == found.card


def test_same_seed_same_card(found: Any) -> None:
    assert find_card(small(), size=9, seconds=3, seed=3).card == found.card


def test_ctrl_c_gives_the_best_so_far() -> None:
    def interrupt(what: str, *_: object) -> None:
        if what == "looking for a card":
            raise KeyboardInterrupt

    found = find_card(small(), size=9, seconds=60, progress=interrupt)
    evaluator = evaluator_of(rollwise.solve(small()))
    assert found.stopped
    assert found.value >= max(evaluator.value(card) for card in evaluator.first_cards(9))


@pytest.mark.parametrize("size", [1, 2, 4])
def test_small_sizes_are_obeyed(size: int) -> None:
    assert find_card(small(), size=size, seconds=1).card.size <= size


def test_what_verbs_gain_is_what_lines_for_single_hands_gain() -> None:
    """A line that fits one hand with one number of rolls left gains what weighing its verb in that slot says."""
    joker = Joker("same", "forced", 9, {"chance": 8})
    sheet = Sheet(small().boxes, count=3, faces=3, rerolls=1, bonus=UpperBonus(9, 7), joker=joker)
    evaluator: Any = evaluator_of(rollwise.solve(sheet))
    play = evaluator.play(evaluator.first_cards(9)[0], Random(2))
    sample, verbs = play.sample(), evaluator.line_verbs
    gains, _ = play._weigh(sample, verbs)
    scripter, checked = evaluator.scripter, 0
    for slot in range(0, len(scripter.slots), 3):
        left, hand = scripter.slots[slot]
        counts = {"rolls left": left, **{f"count of {face}": hand.count(face) for face in (1, 2, 3)}}
        only = tuple(compare(name, "=", number) for name, number in counts.items())
        for verb in range(0, len(verbs), 4):
            card = play.card.with_lines(CardLine((only,), verbs[verb]), *play.card.lines)
            assert play.gain(sample, card) == pytest.approx(float(gains[:, verb, slot].sum()), abs=1e-4)
            checked += bool(np.abs(gains[:, verb, slot]).max() > 1e-3)
    assert checked > 10


def compare(name: str, operator: str, number: int) -> Comparison:
    return Comparison(Amount(((1, name, 1),)), operator, Amount(((number, "", 1),)))


def test_simpler_conditions() -> None:
    assert simpler([compare("sum", ">=", 3), compare("sum", ">=", 5)]) == (compare("sum", ">=", 5),)
    assert simpler([compare("sum", ">=", 3), compare("sum", "=", 5)]) == (compare("sum", "=", 5),)


def test_pars_are_ordered_as_their_verbs_say() -> None:
    """Writing pars fast gives what the verbs themselves list."""
    sheet = small()
    evaluator: Any = evaluator_of(rollwise.solve(sheet))
    numbers = (("par ones", -2), ("par chance", 6), ("par same", 3))
    for name in ("fill the best over par", "fill the best if 2 over par"):
        verb: Any = evaluator.scripter.verbs[name]
        assert all(
            np.array_equal(fast, slow)
            for fast, slow in zip(
                evaluator.scripter.meanings(name, numbers), evaluator.scripter._meanings(verb, dict(numbers)), strict=True
            )
        )
