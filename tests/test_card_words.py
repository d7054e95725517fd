"""The words of strategy cards, game by game: a verb means a legal move or none, a feature keeps to its range, everywhere."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from rollwise import AtLeast, AtMost, Duel
from rollwise.games import load
from rollwise.model.card import Verb, read_card, words_of
from rollwise.model.lift import HavingGame
from rollwise.solvers.base.abilities import HasGraph, ability
from rollwise.solvers.graph.words import read_words
from rollwise.solvers.solve import solve

SMALL: dict[str, dict[str, Any]] = {
    "pig": {"target": 8, "faces": 4},
    "two-dice-pig": {"target": 8},
    "hog": {"target": 7, "most_dice": 3},
    "slots": {"slots": "a:1/2/3,b:0/4/0,c:3/2/1", "target": 6},
    "farkle": {"dice": 3, "most": 400},
    "farkle rules=zilch": {"rules": "zilch", "dice": 2, "most": 400},
    "farkle players=2": {"players": 2, "dice": 2, "target": 200},
    "shut-the-box": {"tiles": 5, "most_tiles": 2},
    "shut-the-box one_die=789": {"tiles": 6, "one_die": "789"},
    "shut-the-box players=2": {"players": 2, "tiles": 3, "one_die": "sum6"},
    "threes": {"dice": 3},
    "groups": {"faces": 4, "sizes": "2,2,1"},
    "groups view=raw": {"faces": 3, "sizes": "2,1", "view": "raw"},
    "words": {"dice": "AB,CD,AC", "words": "CAC,DAB,BCA"},
    "bear-off": {"checkers": 3, "start": "1/0/1/1"},
    "bear-off players=2": {"checkers": 2, "start": "1/0/1", "players": 2},
    "cant-stop": {"sides": 2, "shortest": 2},
    "examples/pig.toml": {"target": "6"},
    "examples/farkle_turn.toml": {"most": "20"},
    "examples/shut_the_box.toml": {"tiles": "4"},
    "examples/best_of_three.toml": {},
    "examples/best_of_three.py": {},
}


def make(name: str) -> Any:
    first = name.split(maxsplit=1)[0]
    return load(first, **SMALL[name])


def positions(game: Any, most: int = 500) -> dict[Any, Any]:
    """Give the reachable states with what they offer, at most so many."""
    seen, left = {game.start()}, [game.start()]
    found: dict[Any, Any] = {}
    while left and len(found) < most:
        for state in game.roll(left.pop()):
            if state not in found:
                found[state] = game.actions(state)
                new = dict.fromkeys(game.play(state, action) for action in found[state])
                left += [pending for pending in new if pending not in seen]
                seen.update(new)
    return {state: actions for state, actions in found.items() if actions}


def test_words_are_right_everywhere() -> None:
    for name in SMALL:
        game = make(name)
        features, verbs = game.vocabulary()
        assert len({feature.name for feature in features}) == len(features) > 0
        assert len({verb.name for verb in verbs}) == len(verbs) > 0
        done = set()
        for state, actions in positions(game).items():
            for verb in verbs:
                action = verb.find(state)
                assert action is None or action in actions, (game.show_state(state), verb.name)
                assert verb.action is None or (action is not None) == (verb.action in actions)
                done |= {verb.name} if action is not None else set()
            for feature in features:
                assert feature.low <= feature.read(state) <= feature.high, (game.show_state(state), feature.name)
        assert done


def test_every_word_can_be_written_on_a_card() -> None:
    for name in SMALL:
        words = make(name).vocabulary()
        asked = [f"if {one.name}" if one.is_flag else f"if {one.name} >= {one.low}" for one in words.features]
        text = "".join(f"{when}: {words.verbs[0].name}\n" for when in asked) + "".join(
            f"otherwise: {verb.name}\n" for verb in words.verbs
        )
        assert str(read_card(text, words)) == text


def test_features_of_many_positions_are_those_of_each() -> None:
    compared = set()
    for name in SMALL:
        game = make(name)
        states = list(positions(game, 300))
        if not hasattr(states[0], "_fields") or not hasattr(game, "layout"):
            continue
        columns = SimpleNamespace(**{field: np.array([getattr(state, field) for state in states]) for field in states[0]._fields})
        for feature in game.vocabulary().features:
            if feature.many:
                compared.add(name)
                assert np.array_equal(feature.read(columns), [feature.read(state) for state in states]), feature.name
    assert compared


def test_verbs_of_many_positions_are_those_of_each() -> None:
    compared = set()
    for name in SMALL:
        game = make(name)
        if not any(verb.prefers for verb in game.vocabulary().verbs):
            continue
        explored: Any = ability(solve(game), HasGraph).graph()
        if explored is None:
            continue
        choices = np.flatnonzero(np.diff(explored.graph.action_start) > 1)
        found = read_words(explored, choices)
        for verb in found.vocabulary.verbs:
            if verb.prefers is not None:
                compared.add(name)
                for number, place in zip(choices.tolist(), found.verb[verb.name][found.row].tolist(), strict=True):
                    state = explored.states[number]
                    assert explored.game.actions(state)[place] == verb.find(state)
    assert compared


@cache
def known(text: str) -> Any:
    """Make a game from its name and parameters."""
    name, *given = text.split()
    return load(name, **dict(pair.split("=") for pair in given))


def sees(game: Any, text: str, *names: str) -> list[int]:
    state = game.read_state(text)
    return [int(words_of(game)[0][name].read(state)) for name in names]


def does(game: Any, text: str, verb: str) -> Any:
    found: Verb = words_of(game)[1][verb]
    return found.find(game.read_state(text))


def test_two_scores_are_seen_by_who_is_to_move() -> None:
    pig = load("pig")
    names = ("my score", "their score", "gap", "lead", "higher score", "points needed", "they need", "turn total", "my total")
    assert sees(pig, "27 31 first 12", *names) == [27, 31, 4, -4, 31, 73, 69, 12, 39]
    assert sees(pig, "27 31 second 12", *names) == [31, 27, -4, 4, 31, 69, 73, 12, 43]
    race = load("farkle", players=2)
    assert sees(race, "1200 800 second 200 1124", "my score", "gap", "points", "dice left") == [800, 400, 400, 2]


def test_verbs_mean() -> None:
    for game, state, verb, move in (
            ("hog", "97 0 first", "roll 6", "roll 2"),
            ("hog", "0 0 first", "roll 6", "roll 6"),
            ("slots", "all 0 6", "most points", "x3"),
            ("slots", "all 0 6", "least below best", "x3"),
            ("slots", "flip,+4odd,bin 20 5", "most above average", "+4odd"),
            ("slots", "flip,+4odd,bin 20 2", "fewest points", "bin"),
            ("slots", "flip,bin 20 2", "x3", None),
            ("farkle", "200 115234", "roll the rest", "keep 115"),
            ("farkle", "200 115234", "roll most dice", "keep 1"),
            ("farkle", "200 115234", "roll without fives", "keep 11"),
            ("farkle", "200 112225", "roll without singles", "keep 222"),
            ("farkle", "200 112225", "roll hot dice", "keep 112225"),
            ("farkle", "200 115234", "roll hot dice", None),
            ("shut-the-box", "all 12", "shut the highest", "shut 3+9"),
            ("shut-the-box", "all 12", "shut the fewest", "shut 3+9"),
            ("shut-the-box", "all 12", "shut the most", "shut 1+2+3+6"),
            ("shut-the-box", "all 12", "shut the lowest", "shut 1+2+3+6"),
            ("shut-the-box", "all 12", "shut the 7", "shut 5+7"),
            ("shut-the-box", "1,2,3 6", "leave most throws", "shut 1+2+3"),
            ("shut-the-box", "1,2,3 6", "shut the 9", None),
            ("threes", "13346", "keep the threes", "keep 33"),
            ("threes", "13346", "keep up to 1", "keep 133"),
            ("threes", "13346", "keep the best 4", "keep 1334"),
            ("threes", "46", "keep the best 4", None),
            ("threes", "46", "keep all", "keep 46"),
            ("threes", "46", "keep up to 2", None),
            ("groups faces=6 sizes=3,2", "3,1 0", "keep", None),
            ("words dice=AB,CD,AC words=CAC,DAB", "ADA", "hold for the nearest", "*DA"),
            ("words dice=AB,CD,AC words=CAC,DAB", "ADA", "roll all", "***"),
            ("cant-stop sides=2", "0/0/0 0/0/0 1122", "furthest, stop", "2,4 stop"),
            ("bear-off checkers=3 start=0/1/1/0/0/1", "0/1/1/0/0/1 2-1", "bear off most", "move 6/5 2/off"),
        ):  # fmt: skip
        made = known(game)
        found = does(made, state, verb)
        assert (None if found is None else made.show_action(found)) == move


def test_what_an_objective_remembers_is_seen() -> None:
    sheet = load("yazy", boxes="ones,sixes")
    needing = AtLeast(20).remember(sheet, floor=True)
    assert sees(needing, "33561 2 all needs 20", "points needed") == [20]
    having = HavingGame(load("threes", dice=2), AtMost(3))
    card = read_card("if total so far >= 3: keep all\notherwise: keep the best", having.vocabulary())
    assert [card.choose(having, having.read_state(f"24 has {points}")) for points in (3, 2)] == [(0, "keep 24"), (1, "keep 2")]
    duel = Duel().restate(sheet)
    card = read_card("if lead < 0: fill sixes\notherwise: fill ones", duel.vocabulary())
    played = [card.choose(duel, duel.read_state(f"66661 0 ones,sixes vs ones lead {lead}")) for lead in (-3, 3)]
    assert played == [(0, "sixes"), (1, "ones")]
