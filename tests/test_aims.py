"""What a game can be played for: offered with typed fields, written as text that is read again, and solved so."""

from fractions import Fraction

import pytest

from rollwise import (
    Against,
    AtLeast,
    AtMost,
    Duel,
    Expected,
    GameError,
    Objective,
    distribution,
    read_objective,
    solve,
)
from rollwise.games import CATALOGUE, load
from rollwise.model.against import SHARE_BITS, AgainstSelf, _power
from rollwise.model.objectives import aims_of
from rollwise.playing.opponents import resolve

SMALL = load("yazy", boxes="ones,five-of-a-kind")
VALUES = {
    "target": "7", "total": "7", "scores": "3:2,7", "players": "2", "begins": "first", "ties": "win", "share": "12.5%",
    "risk": "0.1",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_every_aim_writes_a_text_that_is_read(name: str) -> None:
    own, *others = aims_of(CATALOGUE[name].game)
    assert own.write({}) in ("", "expected", "fewest", "lowest")
    for aim in others:
        objective = read_objective(aim.write(VALUES))
        fields = dict(objective.fields)
        assert fields.pop("aim") == aim.name
        assert fields == {field.name: VALUES[field.name] for field in aim.fields}


@pytest.mark.parametrize(
    ("text", "objective", "written"),
    [
        ("against 187", Against({187: 1}), "against 187"),
        ("against a score of 7, ties win", Against({7: 1}, 1), "against 7, ties win"),
        ("against 180:2,200:5,240:1", Against({180: 2, 200: 5, 240: 1}), "against 180:2,200:5,240"),
        ("against 180:2, 200:4, ties lose", Against({180: 1, 200: 2}, 0), "against 180,200:2, ties lose"),
        ("against 1:0.5,2, best of 2", Against({1: 1, 2: 2}).best_of(2), "against 1,2:8"),
        ("against self", AgainstSelf(), "against self"),
        ("against self, best of 3, ties half", AgainstSelf(3), "against self, best of 3"),
        ("duel", Duel(), "duel"),
        ("duel ties win", Duel(1), "duel, ties win"),
        ("duel points second, ties 1/3", Duel(Fraction(1, 3), 1), "duel points, ties 1/3"),
        ("duel points first", Duel(points=0), "duel points first"),
        ("at-least 200", AtLeast(200), "at-least 200"),
        ("at-most -3", AtMost(-3), "at-most -3"),
    ],
)  # fmt: skip
def test_texts(text: str, objective: Objective, written: str) -> None:
    assert read_objective(text) == objective
    assert objective.text == written
    assert read_objective(written) == objective


@pytest.mark.parametrize("text", ["against", "against her", "against 1:2:3", "against 5:-1", "against 2 scores from 3 to 8",
                                  "against self, best of 0", "against 7, ties often", "duel first", "duel goals",
                                  "duel points third", "at-most", "at-most few", "lowest 3", "win 2"])  # fmt: skip
def test_what_is_not_an_opponent(text: str) -> None:
    with pytest.raises(GameError) as fault:
        read_objective(text)
    assert "\n" not in str(fault.value)


def test_a_total_is_beaten_as_a_target_is_reached() -> None:
    """More than 7 is at least 8; with ties that win, at least 7."""
    target = solve(SMALL, AtLeast(8))
    assert solve(SMALL, read_objective("against 7, ties lose")).value() == target.value()
    assert solve(SMALL, read_objective("against 7, ties win")).value() == target.for_target(7).value()  # type: ignore[attr-defined]


@pytest.mark.full
def test_self_is_one_who_plays_for_points() -> None:
    found = resolve(read_objective("against self, best of 2, ties win"), SMALL)
    assert found == Against.of(distribution(solve(SMALL)), 1).best_of(2)
    assert resolve(Expected(), SMALL) == Expected()
    with pytest.raises(GameError, match=r"depends on how .* resolve"):
        solve(SMALL, AgainstSelf())
    with pytest.raises(GameError, match="counts rolls, not points"):
        resolve(AgainstSelf(), load("groups", faces=2, sizes="1,1"))


def test_what_games_offer() -> None:
    names = {name: [aim.name for aim in aims_of(CATALOGUE[name].game)] for name in CATALOGUE}
    dial = ["worst", "quantile", "utility"]
    assert names["yazy"] == ["expected", "at-least", "total", "scores", "self", *dial, "duel", "duel-points"]
    assert names["yatzy"] == names["yazy"][:8]
    assert names["pig"] == ["own"]
    assert names["threes"] == ["lowest", "worst", "quantile", "at-most"]
    assert names["shut-the-box"] == ["own", "worst", "quantile", "lowest", "at-most"]
    assert names["words"] == names["groups"] == ["fewest"]


# Texts that are short and would take long


@pytest.mark.parametrize(
    "text",
    [
        f"against 187, best of {'1' * 5000}", f"against self, best of {'1' * 5000}", "against 187, ties 1e999999999",
        "against 187, ties 1e-999999999", "duel, ties 1e999999999", f"against 187, ties {'1' * 5000}", "against 187, ties 1/0",
    ],
)  # fmt: skip
def test_a_huge_number_in_an_objective_is_refused_at_once(text: str) -> None:
    with pytest.raises(GameError) as error:
        read_objective(text)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("count", [2, 50, 1000])
def test_the_best_of_many_is_the_same_by_short_powers(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Powers of 256 bits are rounded to the same weights as those of half a million."""
    opponent = Against({10: 3, 15: 10**15, 20: 1, 30: 2 * 10**14 + 7})
    short = opponent.best_of(count)
    monkeypatch.setattr("rollwise.model.against.EXACT_BITS", 10**6)
    assert short == opponent.best_of(count)


def test_powers_of_weights_stay_short() -> None:
    """Whatever the text: 400 weights of 52 bits, best of 10,000."""
    assert _power(2**52 - 1, 2**52, 10_000).bit_length() <= SHARE_BITS
    many = read_objective(f"against {','.join(f'{score}:{10**15 + score}' for score in range(150))}, best of 10000")
    assert sum(weight for _, weight in many.distribution) <= 2**53  # type: ignore[attr-defined]
