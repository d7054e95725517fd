"""The catalogue: every game obeys the interface; the founding games give their published values."""

import csv
import gzip
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, PositionError, solve
from rollwise.games import load
from rollwise.games.slots import Slots
from rollwise.games.ur import VARIANTS
from rollwise.games.ur_board import lay_out
from rollwise.playing.contests import answer_contest
from rollwise.playing.strategy import write_policy
from rollwise.solvers.graph.values import Engine
from tests.examples import examples

DATA = Path(__file__).parent / "data"


def test_slots_policy_replayed_over_all_rolls(tmp_path: Path) -> None:
    path = tmp_path / "slots.csv"
    rows = write_policy(solve(load("slots")), path)
    with path.open(newline="") as file:
        table = list(csv.DictReader(file))
    assert rows == len(table) == 8136
    assert list(table[0]) == ["free slots", "total", "roll", "slot", "win probability", "loss of second best"]
    policy = {(row["free slots"], int(row["total"]), int(row["roll"])): row["slot"] for row in table}
    score = {slot.name: slot.scores for slot in Slots().slots}
    wins = 0
    for rolls in product(range(1, 7), repeat=6):
        free, total = list(score), 0
        for roll in rolls:
            slot = policy[",".join(free), total, roll]
            total += score[slot][roll - 1]
            free.remove(slot)
        wins += total >= 45
    assert wins == 13817


def answers(name: str) -> tuple[str, str]:
    path = DATA / f"{name}.in"
    text = path.read_text() if path.exists() else gzip.decompress(path.with_suffix(".in.gz").read_bytes()).decode()
    return text, (DATA / f"{name}.ans").read_text().strip()


def close(got: str, want: str) -> bool:
    """Equal within 1e-9, or to the digits that the answer file has if those are fewer."""
    if want == "impossible":
        return got == want
    digits = len(want.partition(".")[2])
    return abs(float(got) - float(want)) <= max(1e-9, 0.5 * 10**-digits if 2 < digits < 9 else 0)


SMALL_WORDS = sorted(path.stem for path in (DATA / "words").glob("*.ans") if not path.stem.startswith("d6"))
LARGE_WORDS = sorted(path.stem for path in (DATA / "words").glob("d6*.ans"))


@pytest.mark.parametrize("name", SMALL_WORDS + LARGE_WORDS)
def test_contest_words(name: str) -> None:
    text, want = answers(f"words/{name}")
    (got,) = answer_contest("words", text)
    assert close(got, want)


@pytest.mark.parametrize("name", ["sample", "set1"])
def test_contest_groups(name: str) -> None:
    text, want = answers(f"groups/{name}")
    for got, line in zip(answer_contest("groups", text), want.splitlines(), strict=True):
        assert got.split(":")[0] == line.split(":")[0]
        assert close(got.split(": ")[1], line.split(": ")[1])


def test_pig_is_the_same_from_either_side() -> None:
    """What the first player's chance is at some scores, the second's is with the scores exchanged."""
    solution = solve(load("pig", target=12, faces=3), exact=True)
    read = solution.game.read_state
    for text, other in (("0 0 first 0", "0 0 second 0"), ("3 7 first 4", "7 3 second 4"), ("6 0 first 2", "0 6 second 2")):
        assert solution.value(read(text), kind="state") + solution.value(read(other), kind="state") == 1
        assert solution.best(read(text)) == solution.best(read(other))


@pytest.mark.audit
def test_words_sample_in_fractions() -> None:
    text, _ = answers("words/sample1")
    lines = text.split()
    solution = solve(load("words", dice=lines[2:7], words=lines[7:]), exact=True)
    assert str(solution.value()) == "32205152292691266641408581027811/3327704882507376813095160605280"


def test_words_in_fractions() -> None:
    game = load("words", dice="AAB,ABC,BCC", words="ABC,CAA")
    exact = solve(game, exact=True)
    engines: tuple[Engine, ...] = ("shortest", "policy")
    for engine in engines:
        assert solve(game, exact=True, engine=engine).value() == exact.value()
        assert abs(float(solve(game, engine=engine).value()) - float(exact.value())) < 1e-12


@pytest.mark.parametrize(("faces", "sizes"), [(6, (1, 2)), (2, (5,)), (3, (2, 2)), (4, (2, 1, 1)), (5, (3, 1))])
def test_groups_views_agree(faces: int, sizes: tuple[int, ...]) -> None:
    grouped = solve(load("groups", faces=faces, sizes=sizes), exact=True)
    raw = solve(load("groups", faces=faces, sizes=sizes, view="raw"), exact=True)
    assert grouped.value() == raw.value()
    assert abs(float(solve(load("groups", faces=faces, sizes=sizes)).value()) - float(raw.value())) < 1e-12
    assert raw.states > grouped.states


def test_yazy_needs_are_part_of_the_position() -> None:
    solution = solve(load("yazy", boxes="ones"), AtLeast(3))
    state = solution.game.read_state("11356 1 all needs 3")
    assert solution.game.show_action(solution.best(state)) == "keep 11"
    assert solution.game.show_state(state) == "11356 1 all needs 3"
    assert solution.game.read_state("11356 1 all") == state
    with pytest.raises(PositionError, match="needs 3"):
        solution.game.read_state("11356 0 none")


@examples(40)
@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.permutations(range(5)))
def test_dice_are_read_in_any_order(hand: list[int], order: list[int]) -> None:
    game = load("yazy")
    shuffled = "".join(str(hand[i]) for i in order)
    assert game.read_state(f"{shuffled} 2 all") == game.read_state(f"{','.join(map(str, hand))} 2 all")


@pytest.mark.parametrize("variant", VARIANTS)
def test_paths_of_ur_meet_on_the_board_where_the_rules_say(variant: str) -> None:
    first, second = (list(map(tuple, path)) for path in lay_out(variant, VARIANTS[variant].rosettes)["paths"])
    squares = range(1, VARIANTS[variant].squares + 1)
    assert len(first) == len({*first}) == VARIANTS[variant].squares + 2
    assert {one: other for one in squares for other in squares if first[one] == second[other]} == VARIANTS[variant].meets
