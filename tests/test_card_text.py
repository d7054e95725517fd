"""Strategy cards as text: what is written is read back, and what is wrong is named."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import GameError, read_card
from rollwise.cards.remarks import remarks_on
from rollwise.games import load
from rollwise.model.card import Amount, CardFeature, CardLine, Comparison, StrategyCard, Verb, Vocabulary, true_or_not
from tests.examples import examples

PIG = load("pig").vocabulary()
NUMBERS = ("turn total", "gap", "points in +4odd", "+4odd", "a-b", "sand or water")
FLAGS = ("9 open", "not taken", "hot")
VERBS = ("hold", "keep the best 2", "+4odd", "roll: twice")


def nothing(_: Any) -> int:
    return 0


WORDS = Vocabulary(
    (*(CardFeature(name, nothing, -99, 99) for name in NUMBERS), *(CardFeature(name, nothing) for name in FLAGS)),
    tuple(Verb(name, nothing) for name in VERBS),
)

factors = st.integers(-99, 99)
terms = st.one_of(
    st.tuples(factors, st.just(""), st.sampled_from([1, 1, 3, 8])),
    st.tuples(factors.filter(bool), st.sampled_from(NUMBERS), st.sampled_from([1, 1, 2, 8])),
)
amounts = st.lists(terms, min_size=1, max_size=3).map(lambda found: Amount(tuple(found)))
comparisons = st.one_of(
    st.builds(Comparison, amounts, st.sampled_from([">=", "<=", "!=", ">", "<", "="]), amounts, st.just(False)),
    st.builds(true_or_not, st.sampled_from(FLAGS), st.booleans()),
)
conditions = st.lists(st.lists(comparisons, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)
lines = st.builds(CardLine, st.one_of(conditions, st.just(((),))), st.sampled_from(VERBS))
cards = st.builds(
    StrategyCard,
    st.lists(lines, min_size=1, max_size=5).map(tuple),
    st.sampled_from(["rules", "tree", "formula"]),
    st.sampled_from(["", "pig"]),
    st.sampled_from(["", "at-least 45"]),
)


@examples(60)
@given(cards)
def test_what_is_written_is_read_back(card: StrategyCard) -> None:
    assert read_card(str(card), WORDS) == card


@examples(60)
@given(st.text())
def test_any_text_is_a_card_or_is_refused(text: str) -> None:
    card = None
    with suppress(GameError):
        card = read_card(text, WORDS)
    assert card is None or read_card(str(card), WORDS) == card


@examples(100)
@given(
    st.lists(st.sampled_from([*NUMBERS, *FLAGS, *VERBS, "if", "and", "or", "not", ":", ">=", "+", "-", "*", "/", "7", "\n", "#"]))
)
def test_any_words_are_a_card_or_are_refused(words: list[str]) -> None:
    test_any_text_is_a_card_or_is_refused.hypothesis.inner_test(" ".join(words))  # type: ignore[attr-defined]


def test_people_write_in_many_ways() -> None:
    for text, meant in (
        ("If Turn Total ≥ 21 + GAP / 8 : Hold", "if turn total >= 21 + gap / 8: hold"),
        ("when turn total == 1,000: hold", "if turn total = 1000: hold"),
        ("turn total > 3: hold  # enough", "if turn total > 3: hold"),
        ("else if gap <> -3: roll", "if gap != -3: roll"),
        ("if 10 <= turn total < 20: hold", "if 10 <= turn total and turn total < 20: hold"),
        ("if gap * 2 - 3 * lead > 0: roll", "if 2 * gap - 3 * lead > 0: roll"),
        ("else: roll", "otherwise: roll"),
        ("always : roll", "otherwise: roll"),
        (": roll", "otherwise: roll"),
    ):
        assert str(read_card(text, PIG)) == f"{meant}\n"


def test_what_is_wrong_is_named() -> None:
    for text, said in (
        ("", "the card has no rules: expected lines such as 'if turn total >= 25: hold'"),
        ("\n\nhold", "line 3: expected WHEN: VERB, got 'hold': write 'if CONDITION: VERB' or 'otherwise: VERB'"),
        ("if turn toatl > 3: hold", "line 1: in 'turn toatl > 3': unknown feature 'turn toatl': did you mean 'turn total'?"),
        ("if turn total > 3: hodl", "line 1: unknown verb 'hodl': did you mean 'hold'? (known: hold, roll)"),
        ("if turn total: hold", "line 1: in 'turn total': 'turn total' is a number: expected a comparison"),
        ("if turn total > 2.5: hold", "in 'turn total > 2.5': the number '2.5': expected a whole number, without a point"),
        ("if turn total >: hold", "in 'turn total >': expected a feature or a whole number, got the end"),
        ("if gap / 0 > 3: hold", "in 'gap / 0 > 3': a division by 0"),
        ("if not gap > 3: hold", "'not' belongs before a feature that is true or false; turn the comparison round"),
        ("if (gap > 3): hold", "there are no parentheses on a card"),
        ("if gap > 3 gap: hold", "expected 'and', 'or' or ':', got 'gap'"),
        ("if gap > 12345678901: hold", "the number '12345678901': expected at most 1,000,000,000"),
        ("kind tee\nif gap > 3: hold", "line 1: unknown kind of card 'tee': did you mean 'tree'?"),
        ("game pig\ngame hog\nif gap > 3: hold", "line 2: 'game hog': the card says its game already, pig"),
        ("par ones = 3\nif gap > 3: hold", "line 1: unknown number 'par ones'; the verbs of this game go by none"),
    ):
        with pytest.raises(GameError) as error:
            read_card(text, PIG)
        assert said in str(error.value)


def test_the_first_line_that_fits_is_played() -> None:
    game = load("pig")
    card = read_card("if turn total >= 20: hold\nif turn total >= 10 and gap > 0 or lead > 5: roll", game.vocabulary())
    played = {
        text: card.choose(game, game.read_state(text)) for text in ("0 0 first 20", "0 5 first 10", "9 0 first 2", "0 0 second 3")
    }
    assert played == {
        "0 0 first 20": (0, "hold"), "0 5 first 10": (1, "roll"), "9 0 first 2": (1, "roll"), "0 0 second 3": (-1, "hold"),
    }  # fmt: skip


def test_a_verb_that_means_nothing_leaves_it_to_the_next_line() -> None:
    game = load("pig")
    card = read_card("otherwise: hold\nif gap > 90: hold\notherwise: roll", game.vocabulary())
    assert card.choose(game, game.read_state("0 0 first 0")) == (2, "roll")


def test_divisions_round_to_the_nearest_halves_up() -> None:
    for gap, worth in ((-13, -2), (-12, -1), (-4, 0), (-5, -1), (3, 0), (4, 1), (11, 1), (12, 2)):
        assert Amount(((1, "gap", 8),)).worth({"gap": gap}.__getitem__) == worth


def test_the_size_is_lines_or_whole_numbers() -> None:
    text = "if higher score >= 71: roll\nif turn total >= 21 + 2 * gap / 8: hold\notherwise: roll"
    assert read_card(text, PIG).size == 3
    assert read_card(f"kind formula\n{text}", PIG).size == 4
    box = load("shut-the-box").vocabulary()
    assert read_card("kind formula\nif 9 open and not 1 open and throw > 8: shut the 9", box).size == 1


def test_a_card_says_what_it_asks_for() -> None:
    assert read_card("if gap > lead and turn total > 3 or gap < 2: hold", PIG).features == ["gap", "lead", "turn total"]


def test_contradictions_are_named() -> None:
    for text, said in (
        ("if gap > 5 and gap < 5: hold", ["line 1 never fits: its condition contradicts itself"]),
        ("if 5 < gap and gap <= 6 and gap != 6: hold", ["line 1 never fits: its condition contradicts itself"]),
        ("if gap = 5 and lead = 3: hold", []),
        ("if gap > 5 and gap < 4 or lead > 3: hold", ["line 1: the part 1 of its condition contradicts itself"]),
        ("if gap > 5: hold\nif lead > 3: roll\nif gap > 5: hold", ["line 3 says the same as line 1"]),
        (
            "if gap > 5: hold\nif gap > 5: roll",
            ["line 2 contradicts line 1: the same condition, another verb; line 1 comes first"],
        ),
        ("otherwise: hold\notherwise: roll", []),
    ):
        assert list(remarks_on(read_card(text, PIG))) == said


def test_flags_contradict_themselves_too() -> None:
    box = load("shut-the-box").vocabulary()
    assert remarks_on(read_card("if 9 open and not 9 open: shut the 9", box)) == (
        "line 1 never fits: its condition contradicts itself",
    )


def test_words_of_another_game_are_refused() -> None:
    card = read_card("if gap > 5: hold", PIG)
    slots = load("slots")
    with pytest.raises(GameError, match=r"the card says 'gap', which is no word of this game as it is played here"):
        card.choose(slots, slots.read_state("all 0 6"))
