"""Cards with the evaluator of the graph: the same values as asking the card position by position."""

from typing import Any

import pytest

from rollwise import AtLeast, Expected, Fewest, Game, certain, die, evaluate, solve
from rollwise.cards.evaluate import count_listed, evaluator_of
from rollwise.errors import GameError
from rollwise.games import load
from rollwise.model.card import Card, CardFeature, CardLine, Verb, Vocabulary, read_card
from rollwise.model.plain_words import move_verb
from rollwise.policies import Optimal, PolicyPair


class Asked:
    """A card without its name: whoever follows it has to ask it everywhere."""

    def __init__(self, card: Card) -> None:
        self.card = card

    def weights(self, game: Any, state: Any) -> Any:
        return self.card.weights(game, state)


def both(game: Any, card: Card) -> tuple[float, float]:
    """What a card is worth by the evaluator, and by asking it."""
    solution = solve(game)
    evaluator, policy = evaluator_of(solution), Asked(card)
    if not solution.two_players:
        return evaluator.value(card), float(evaluate(game, policy).value)
    best = Optimal(solution)
    first, second = evaluate(game, PolicyPair(policy, best)).value, evaluate(game, PolicyPair(best, policy)).value
    return evaluator.value(card), (float(first) + 1 - float(second)) / 2


CARDS: dict[str, tuple[dict[str, Any], str | None]] = {
    "pig": ({"target": 18}, "if turn total >= 6 + gap / 3: hold\nif my total >= 15 or they need <= 3: roll\nif lead < -8: roll"),
    "slots": ({}, "if roll >= 5 and x3 free: x3\nif roll = 1: flip\nif total >= 20: least below best\notherwise: most points"),
    "threes": ({"dice": 4}, "if threes >= 1: keep the threes\nif best <= 1: keep up to 1\notherwise: keep the best"),
    "shut-the-box": ({"tiles": 7}, "if throw >= 7: shut the fewest\notherwise: shut the most"),
    "hog": ({"target": 12}, None),
    "groups": ({"faces": 6, "sizes": [1, 2]}, None),
}


@pytest.mark.parametrize("name", CARDS)
def test_the_evaluator_agrees_with_asking_the_card_everywhere(name: str) -> None:
    parameters, text = CARDS[name]
    game = load(name, **parameters)
    verbs = [verb.name for verb in game.vocabulary().verbs]
    for card in [read_card(text, game.vocabulary())] if text else [Card((CardLine(((),), verb),)) for verb in verbs[:3]]:
        quick, slow = both(game, card)
        assert quick == pytest.approx(slow, abs=1e-12, rel=1e-12) or quick == slow


def test_perfect_choices_lose_nothing() -> None:
    for name, parameters in (("pig", {"target": 20}), ("slots", {}), ("threes", {}), ("shut-the-box", {})):
        bench: Any = evaluator_of(solve(load(name, **parameters)))
        assert bench.choice_value(bench.best_choice) == pytest.approx(bench.optimum, abs=1e-13)


def test_pig_to_100_held_at_25_and_the_published_card() -> None:
    """Hold at 25, and "keep pace and end race" (Neller, Presser, Practical Play of the Dice Game Pig, 2010)."""
    game = load("pig")
    evaluator = evaluator_of(solve(game))
    hold = read_card("if turn total >= 25: hold\notherwise: roll", game.vocabulary())
    pace = read_card("if higher score >= 71: roll\nif turn total >= 21 + gap / 8: hold\notherwise: roll", game.vocabulary())
    assert [round(100 * evaluator.loss(evaluator.value(card)), 4) for card in (hold, pace)] == [2.1069, 0.461]


class Twice(Game[Any, Any, Any]):
    """Roll until you keep, or give up; two ways round, so that no single place cuts all loops."""

    def start(self) -> Any:
        return "left"

    def roll(self, pending: Any) -> Any:
        return certain(pending) if isinstance(pending, int) else die(4).map(lambda face: (pending, face))

    def actions(self, state: Any) -> Any:
        return () if isinstance(state, int) else ("keep", "left", "right")

    def play(self, state: Any, action: Any) -> Any:
        return state[1] if action == "keep" else action

    def payoff(self, state: Any) -> int:
        return int(state)

    def vocabulary(self) -> Vocabulary:
        face = CardFeature("face", lambda state: state[1], 1, 4)
        right = CardFeature("on the right", lambda state: int(state[0] == "right"))
        return Vocabulary((face, right), tuple(move_verb(self, action) for action in ("keep", "left", "right")))


def test_loops_that_no_single_place_cuts() -> None:
    game = Twice()
    card = read_card(
        "if face >= 3 and on the right: keep\nif on the right: left\nif face = 2: left\notherwise: right", game.vocabulary()
    )
    assert both_for(game, card, Expected()) == pytest.approx(3.5, abs=1e-12)


def test_a_card_that_never_ends_is_infinitely_bad() -> None:
    game = Twice()
    card = read_card("otherwise: left", game.vocabulary())
    assert evaluator_of(solve(game, Fewest())).value(card) == float("inf")


def both_for(game: Any, card: Card, objective: Any) -> float:
    value = evaluator_of(solve(game, objective)).value(card)
    assert value == pytest.approx(float(evaluate(game, Asked(card), objective, exact=True).value), abs=1e-12)
    return value


def test_objectives_that_remember_points() -> None:
    game = load("threes", dice=3)
    solution = solve(game, AtLeast(5))
    card = read_card("if threes >= 1: keep the threes\notherwise: keep the best", solution.game.vocabulary())
    assert both_for(game, card, AtLeast(5)) > 0


def test_a_verb_that_means_something_illegal_is_named() -> None:
    class Wrong(Twice):
        def vocabulary(self) -> Vocabulary:
            return Vocabulary(super().vocabulary().features, (Verb("jump", lambda state: "up"),))

    game = Wrong()
    with pytest.raises(Exception, match=r"the verb 'jump' means 'up' at .*which is no action"):
        evaluator_of(solve(game)).value(Card((CardLine(((),), "jump"),)))


def test_too_many_positions_are_refused_before_they_are_listed() -> None:
    solution = solve(load("cant-stop", sides=3))
    listed = count_listed(solution)
    with pytest.raises(GameError, match=f"{listed:,}"):
        evaluator_of(solution, max_states=listed - 1)
