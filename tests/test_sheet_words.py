"""The words of strategy cards for score sheets: every verb means a legal move, everywhere, and what it says."""

from itertools import product

from rollwise.games.balut import Balut
from rollwise.games.generala import Generala
from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.vocabulary import Choice, HandFeature, OpenFeature, SheetVerb
from rollwise.games.yahtzee import Yahtzee, Yazy
from rollwise.games.yatzy import Yatzy
from rollwise.model.card import read_card, words_of

SHEETS = {
    "yazy": Yazy(),
    "yatzy": Yatzy(),
    "yatzy in order": Yatzy(in_order=True),
    "yahtzee": Yahtzee(),
    "yahtzee, free jokers": Yahtzee(joker="free"),
    "balut": Balut(),
    "generala": Generala(),
}


def some_states(sheet: Sheet) -> list[Turn]:
    """Positions with every hand and with each of a few sets of open boxes."""
    halves = [
        sum(unit for i, unit in enumerate(sheet.unit) if i % k in kept) for k, kept in ((2, {0}), (2, {1}), (3, {2}), (1, {0}))
    ]
    if sheet.in_order:
        halves = [sum(sheet.unit[i:]) for i in (0, 3, len(sheet.boxes) - 1)]
    hands = sheet.hands[::7] + tuple((face,) * sheet.count for face in range(1, sheet.faces + 1))
    return [
        Turn(open_, 10 if sheet.bonus else 0, False, hand, left)
        for open_, hand, left in product(halves, hands, (0, 1, sheet.rerolls))
    ]


def test_every_verb_means_a_legal_move_or_none() -> None:
    for name in SHEETS:
        sheet = SHEETS[name]
        pars = {f"par {box}": number for number, box in enumerate(sheet.names)}
        verbs = [
            verb for verb in words_of(sheet)[1].values() if not verb.name.startswith("fill the best if") or "20" in verb.name
        ]
        met = set()
        for state in some_states(sheet):
            actions = sheet.actions(state)
            for verb in verbs:
                action = verb.means(state, pars)
                assert action is None or action in actions, (verb.name, state)
                met |= {verb.name} if action is not None else set()
        assert sheet.in_order or met == {verb.name for verb in verbs}


def test_choices_alone_say_what_a_verb_means() -> None:
    for name in SHEETS:
        sheet = SHEETS[name]
        for state in some_states(sheet)[::11]:
            for verb in words_of(sheet)[1].values():
                assert isinstance(verb, SheetVerb)
                assert verb.means(state, {}) == next(
                    (one.action for one in verb.choices(state.dice, state.left, {}) if fits(sheet, state, one)), None
                )


def fits(sheet: Sheet, state: Turn, choice: Choice) -> bool:
    opened = {i for i, field in enumerate(sheet.field) if state.open & field}
    return opened >= set(choice.open) and not opened & set(choice.filled)


def test_features_stay_in_their_range_and_read_one_part() -> None:
    for name in SHEETS:
        sheet = SHEETS[name]
        for state in some_states(sheet)[::5]:
            for feature in words_of(sheet)[0].values():
                number = feature.read(state)
                assert feature.low <= number <= feature.high, feature.name
                if isinstance(feature, HandFeature):
                    assert number == feature.see(state.dice, state.left)
                else:
                    assert isinstance(feature, OpenFeature)
                    assert number == feature.see(state.open, state.upper, state.primed)


def test_what_verbs_mean() -> None:
    for state, verb, action in (
        ("11266 2 all upper 0", "keep the largest set", (6, 6)),
        ("11266 2 all upper 0", "keep the pairs", (1, 1, 6, 6)),
        ("11266 2 ones,pair upper 0", "keep the largest open set", (1, 1)),
        ("11266 2 twos,pair upper 0", "keep an open pair", None),
        ("13456 2 all upper 0", "keep the run", (3, 4, 5, 6)),
        ("13456 2 all upper 0", "go for large-straight", (3, 4, 5, 6)),
        ("23456 2 all upper 0", "go for large-straight", None),
        ("23456 0 all upper 0", "fill large-straight", "large-straight"),
        ("23456 0 ones upper 0", "fill large-straight", None),
        ("33344 2 all upper 0", "keep the pairs", None),
        ("11144 1 all upper 0", "keep 4 and up", (4, 4)),
        ("11222 0 ones,twos,chance upper 0", "fill the box with the most points", "chance"),
        ("11222 0 ones,twos,chance upper 0", "fill the upper box with the most dice", "twos"),
        ("11222 0 ones,twos,chance upper 0", "fill an upper box with 4 or more dice", None),
        ("11222 0 ones,twos,chance upper 0", "fill the best over par", "twos"),
        ("11222 0 ones,twos,chance upper 0", "fill the best if 2 over par", None),
    ):
        sheet = SHEETS["yatzy"]
        numbers = {"par ones": 3, "par twos": 5, "par chance": 20}
        assert words_of(sheet)[1][verb].means(sheet.read_state(state), numbers) == action


def test_what_features_see() -> None:
    sheet = SHEETS["yatzy"]
    seen = {
        "largest set": 2, "set face": 6, "pairs": 2, "longest run": 2, "sum": 16, "count of 6": 2, "points in sixes": 12,
        "dice short of full-house": 1, "dice short of large-straight": 3, "open boxes": 3, "upper boxes open": 2, "twos open": 0,
        "sixes open": 1, "upper total": 20, "bonus missing": 43, "upper pace": 20 - 63 + 33,
    }  # fmt: skip
    state = sheet.read_state("11266 1 fives,sixes,chance upper 20")
    assert {name: words_of(sheet)[0][name].read(state) for name in seen} == seen


def test_pars_are_lines_of_the_card() -> None:
    text = "par ones = 2\npar chance = -22\nif rolls left > 0: reroll all\notherwise: fill the best over par\n"
    card = read_card(text, SHEETS["yatzy"].vocabulary())
    assert str(card) == text
    assert card.size == 4
    state = SHEETS["yatzy"].read_state("11266 0 ones,sixes,chance upper 0")
    assert card.choose(SHEETS["yatzy"], state) == (1, "chance")
