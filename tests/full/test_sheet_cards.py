"""Strategy cards on score sheets: the arrays give what the card says position by position, on sheets of every kind."""

from fractions import Fraction
from random import Random as Source
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwise.solvers.sheets.solution as sheet_solution
from rollwise import AtLeast, Expected, GameError, distribution, evaluate, simulate, solve
from rollwise.cards.evaluate import evaluator_of
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, count_face, total
from rollwise.model.card import Amount, Card, CardLine, Comparison, read_card, words_of
from rollwise.solvers.base.distribution import Follow
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.explore import Explored
from rollwise.solvers.graph.follow import graph_distribution
from rollwise.solvers.sheets.card_evaluator import SheetCardEvaluator
from rollwise.solvers.sheets.card_follow import evaluate_card, follow_card
from rollwise.solvers.sheets.expected import SheetSolution
from rollwise.solvers.sheets.targets import evaluate_target_card
from tests.examples import examples
from tests.test_sheets import sheets

EXAMPLES = examples(25)

PLAIN = """
if points in yahtzee > 0: fill yahtzee
if points in large-straight > 0: fill large-straight
if points in small-straight > 0 and rolls left <= 1: fill small-straight
if rolls left >= 1 and largest set >= 3: keep the largest open set
if dice short of large-straight <= 1 and rolls left >= 1 and upper pace >= -8: go for large-straight
if rolls left >= 1 and jokers pay: keep the largest set
if rolls left >= 1: keep the largest open set
if rolls left >= 1 and chance open: go for chance
if open boxes < 5 and upper total < 40: fill the box with the most points
otherwise: fill the best if 0 over par
"""


def random_card(sheet: Sheet, seed: int) -> Card:
    """A card of a few lines with any words of the sheet, some of them nonsense."""
    source = Source(seed)
    features, verbs = words_of(sheet)

    def amount() -> Amount:
        name = source.choice(["", *features])
        low, high = (features[name].low, features[name].high) if name else (-3, 9)
        factor = source.choice([1, 1, 1, -1, 2]) if name else source.randint(low, high)
        terms = [(factor, name, source.choice([1, 1, 2, 3]) if name else 1)]
        return Amount((*terms, *([] if source.random() < 0.7 else amount().terms)))

    def comparison() -> Comparison:
        name = source.choice(list(features))
        number = source.randint(features[name].low, features[name].high)
        right = Amount(((number, "", 1),)) if source.random() < 0.6 else amount()
        return Comparison(Amount(((1, name, 1),)), source.choice([">=", "<=", "=", "!=", "<", ">"]), right)

    def line() -> CardLine:
        condition = tuple(tuple(comparison() for _ in range(source.randint(0, 3))) for _ in range(source.choice([1, 1, 2])))
        return CardLine(condition, source.choice(list(verbs)))

    named = sorted({name for verb in verbs.values() for name in verb.numbers})
    numbers = tuple((name, source.randint(-3, 9)) for name in named if source.random() < 0.5)
    return Card(tuple(line() for _ in range(source.randint(1, 8))), numbers=numbers)


cards = st.integers(0, 10**6)


@EXAMPLES
@given(sheets(), cards)
def test_the_arrays_give_what_the_card_says_position_by_position(sheet: Sheet, seed: int) -> None:
    card = random_card(sheet, seed)
    found = evaluate_card(sheet, card)
    assert found is not None
    exact = evaluate(sheet, card, exact=True).value
    assert isinstance(exact, Fraction)
    assert abs(found.value - float(exact)) <= found.certificate.error_bound + 1e-12


@pytest.mark.full
@EXAMPLES
@given(sheets(), cards)
def test_what_lines_lose_adds_up_and_is_what_the_graph_finds(sheet: Sheet, seed: int) -> None:
    card, solution = random_card(sheet, seed), solve(sheet)
    assert isinstance(solution, SheetSolution)
    evaluator, graph = SheetCardEvaluator(solution), evaluator_of(solve(sheet, engine="induction"))
    mine, other = evaluator.account(card), graph.account(card)
    assert abs(sum(mine.line_loss) - (evaluator.optimum - mine.value)) < 1e-9
    assert np.allclose(mine.line_loss, other.line_loss, atol=1e-9)
    assert np.allclose(mine.line_times, other.line_times, atol=1e-9)
    assert np.allclose([one.cost for one in mine.costliest], [one.cost for one in other.costliest if one.cost > 1e-12][:10])
    for one in mine.costliest:
        assert card.choose(sheet, one.state) == (one.line, one.action)
        values = {move.action: float(move.value) for move in solution.ranked(one.state)}
        assert abs(values[one.best] - values[one.action] - one.loss) < 1e-9


@examples(12)
@given(sheets(), cards, st.integers(1, 12))
def test_totals_of_a_card_are_spread_as_on_the_graph(sheet: Sheet, seed: int, target: int) -> None:
    card, solution = random_card(sheet, seed), solve(sheet)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet_solution, "FEW_POSITIONS", 0)
        found = solution.card_distribution(card, Follow())  # type: ignore[attr-defined]
        chance = evaluate_target_card(sheet, card, AtLeast(target), None)
    slow = on_graph(sheet, card)
    assert found.values.tolist() == slow.values.tolist()
    assert np.allclose(found.chance, slow.chance, atol=1e-12)
    assert chance is not None
    assert abs(chance.value - float(evaluate(sheet, card, AtLeast(target), exact=True).value)) < 1e-12


def on_graph(sheet: Sheet, card: Card) -> Any:
    explored: Explored = explore_rules(sheet, Expected(), max_states=10**6, progress=None, policy=card)
    return graph_distribution(explored, card, sheet.start(), Follow())


def reduced(rule: Any) -> Sheet:
    """Three dice, and what jokers need: some thousand positions."""
    boxes = [Box("ones", count_face(1), 1), Box("fours", count_face(4), 4), Box("equal", all_equal(9)), Box("total", total)]
    joker = Joker("equal", rule, 5, {"total": 12}) if rule != "none" else None
    return Sheet(boxes, count=3, faces=4, rerolls=1, bonus=UpperBonus(8, 10), joker=joker)


@pytest.mark.full
@pytest.mark.parametrize("rule", ["free", "forced", "none"])
def test_games_by_a_card_come_to_its_value(rule: str) -> None:
    sheet = reduced(rule)
    card = read_card(
        "par total = 8\nif upper total < 5 and rolls left >= 1: keep the largest open set\n"
        "if rolls left >= 1 and largest set <= 2: keep the largest set\notherwise: fill the best over par",
        sheet.vocabulary(),
    )
    solution = solve(sheet)
    value = float(evaluate(sheet, card).value)
    played = simulate(solution, 40_000, seed=3, policy=card)
    assert abs(played.mean - value) < 4 * played.standard_error
    assert abs(distribution(solution, card).mean - value) < 1e-9
    aim = AtLeast(20)
    won = simulate(solve(sheet, aim), 40_000, seed=3, policy=card)
    assert abs(won.mean - distribution(solution, card).at_least(20)) < 4 * won.standard_error


def test_a_card_may_tell_apart_what_is_equally_good() -> None:
    """The upper total makes no difference where the bonus is out of reach, but a card may look at it."""
    sheet = reduced("free")
    card = read_card("if upper total >= 2: fill ones\nif upper total = 1: reroll all", sheet.vocabulary())
    found = follow_card(sheet, card)
    assert found is not None
    assert abs(found.values()[found.arrays.full, 0] - float(evaluate(sheet, card).value)) < 1e-12


def test_a_whole_sheet() -> None:
    game: Any = load("yahtzee")
    card = read_card(PLAIN, game.vocabulary())
    found = evaluate(game, card)
    solution = solve(game)
    assert found.certificate.residual < 1e-10
    played = simulate(solution, 5_000, seed=1, policy=card)
    assert abs(played.mean - float(found.value)) < 4 * played.standard_error


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yazy", "yatzy", "yahtzee", "kniffel", "yacht", "balut", "generala", "kismet", "crag"])
def test_every_sheet_of_the_catalogue(name: str) -> None:
    game: Any = load(name)
    solution = solve(game)
    for seed in range(3):
        card = random_card(game, seed)
        found = evaluate(game, card)
        played = simulate(solution, 20_000, seed=seed, policy=card)
        assert abs(played.mean - float(found.value)) <= 4 * played.standard_error + 1e-9


def test_more_questions_about_the_sheet_than_fit_into_a_word() -> None:
    sheet = reduced("forced")
    lines = [f"if sum >= {factor} * upper total and open boxes >= 2: fill ones" for factor in range(2, 10)]
    card = read_card("\n".join([*lines, "if rolls left >= 1: go for total"]), sheet.vocabulary())
    found = follow_card(sheet, card)
    assert found is not None
    assert len(found.script.open_bits) > 1
    assert abs(found.values()[found.arrays.full, 0] - float(evaluate(sheet, card).value)) < 1e-12


def test_saved_rolls_go_the_general_way() -> None:
    small: Any = load("yatzy", boxes="ones,twos", rerolls="1", saved_rolls="yes")
    card = read_card("if rolls left >= 1: keep the largest open set", small.vocabulary())
    assert 0 < float(evaluate(small, card).value) < float(solve(small).value())
    large: Any = load("yatzy", saved_rolls="yes")
    with pytest.raises(GameError, match="use fewer boxes"):
        evaluate(large, card)
