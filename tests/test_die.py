"""`rollwise die`: recorded rolls become a die, with what is known of it."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rollwise import GameError, solve
from rollwise.games import load
from rollwise.playing.fairness import DieEstimate, read_rolls
from tests.terminal import run


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("3 5 6 6 1", (1, 0, 1, 0, 1, 2)), ("3,5;6\n6 1", (1, 0, 1, 0, 1, 2)), ("1:10 6=4", (10, 0, 0, 0, 0, 4)),
        ("6", (0, 0, 0, 0, 0, 1)), ("1 8:0", None), ("8:0 1:3", (3, 0, 0, 0, 0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_rolls_are_read(text: str, counts: tuple[int, ...] | None) -> None:
    if counts is None:
        with pytest.raises(GameError):
            read_rolls(text)
    else:
        assert read_rolls(text) == counts


@pytest.mark.parametrize("text", ["", "abc", "3566", "0 1", "101", "1:0 2:0", "-1 2", "1:99999999999", "3.5"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(GameError, match=r"expected"):
        read_rolls(text)


def test_few_rolls_are_counted_exactly() -> None:
    def uneven(counts: tuple[int, ...]) -> int:
        return sum(count**2 for count in counts)

    for counts in ((2, 1, 0, 0, 1, 0), (4, 0, 0, 0, 0, 0), (1, 1, 1, 1, 0, 0)):
        series = [tuple(throw.count(face) for face in range(1, 7)) for throw in product(range(1, 7), repeat=4)]
        tail = Fraction(sum(uneven(one) >= uneven(counts) for one in series), len(series))
        assert DieEstimate(counts).p_value == pytest.approx(float(tail), rel=1e-14)


def test_many_rolls_agree_with_what_is_published() -> None:
    """The critical values of the chi-square distribution with 5 degrees of freedom: 11.0705 at 5 %, 15.0863 at 1 %."""
    for statistic, chance in ((11.0705, 0.05), (15.0863, 0.01)):
        apart = (statistic * 10_000 / 2) ** 0.5
        counts = (10_000 + round(apart), 10_000 - round(apart), *(10_000,) * 4)
        assert DieEstimate(counts).p_value == pytest.approx(chance, rel=0.03)


def test_the_interval_holds_the_posterior_mean() -> None:
    found = DieEstimate((8, 9, 12, 9, 10, 24))
    assert sum(one.chance for one in found.faces) == 1
    for one in found.faces:
        assert one.low < one.chance < one.high
    # The median of three rolls of one kind: Beta(1, n) has the quantile 1 - (1 - q)^(1/n).
    never = DieEstimate((3, 0)).faces[1]
    assert never.high == pytest.approx(1 - 0.025**0.25)


def test_the_verdict_follows_the_evidence() -> None:
    keys = [DieEstimate(counts).verdict.key for counts in ((10,) * 6, (8, 9, 12, 9, 10, 24), (0, 0, 0, 0, 0, 40))]
    assert keys == ["die.fair", "die.unclear", "die.loaded"]


def test_the_die_can_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    assert run(capsys, "die", "1:8 2:9 3:12 4:9 5:10 6:24", "-o", str(path))[::2] == (0, "")
    assert solve(load("slots", weights=f"@{path}")).value() == solve(load("slots", weights=(9, 10, 13, 10, 11, 25))).value()
    rolls = tmp_path / "rolls.txt"
    rolls.write_text("3 5 6\n6 1\n")
    said = json.loads(run(capsys, "die", f"@{rolls}", "--json")[1])
    assert (said["rolls"], said["weights"]) == (5, [2, 1, 2, 1, 2, 3])
    many = DieEstimate((10**6, 10**6, 10**6, 10**6, 10**6, 2 * 10**6))
    assert sum(many.weights) <= 1_002


@pytest.mark.parametrize("words", [["x"], ["@missing.txt"], ["1 2", "-o", "missing/die.toml"]])
def test_bad_input_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "die", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
