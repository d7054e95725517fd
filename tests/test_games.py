"""The catalogue: every game obeys the interface; the founding games give their published values."""

import csv
import gzip
from collections import Counter
from fractions import Fraction
from itertools import product
from math import isinf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, Expected, Fewest, GameError, PositionError, solve
from rollwise.games import load
from rollwise.games.slots import Slots
from rollwise.playing.contests import answer_contest
from rollwise.playing.strategy import write_policy
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.values import Engine
from tests.examples import examples
from tests.known import pig
from tests.reference import enumerate_policies, gap, recursion

DATA = Path(__file__).parent / "data"


def test_slots_after_a_first_six() -> None:
    solution = solve(load("slots"), exact=True)
    moves = {move.action: move.value for move in solution.ranked(solution.game.read_state("all 0 6"))}
    assert moves["x2even"] == Fraction(3773, 7776)
    assert moves["x3"] == Fraction(131, 288)


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


def test_a_designer_changes_a_slot() -> None:
    game = load("slots", slots="double:2/4/6,bin:0/0/0", target=6)
    assert solve(game, exact=True).value() == recursion(game, AtLeast(6)) == Fraction(5, 9)


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


@pytest.mark.parametrize(("target", "faces"), [(2, 2), (12, 3)])
def test_pig_by_value_iteration(target: int, faces: int) -> None:
    game = load("pig", target=target, faces=faces)
    truth = pig.value(target, faces)
    solution = solve(game)
    assert abs(solution.value() - truth) < 1e-12
    assert solution.certificate.error_bound < 1e-12
    assert solution.engine == "induction+return"
    assert (target == 2) == ("hold" not in {row.action for row in solution.policy()})
    assert gap(solve(game, exact=True).value(), solution.value()) <= solution.certificate.error_bound
    assert gap(solve(game, engine="policy").value(), truth) < 1e-12


def test_pig_is_the_same_from_either_side() -> None:
    """What the first player's chance is at some scores, the second's is with the scores exchanged."""
    solution = solve(load("pig", target=12, faces=3), exact=True)
    read = solution.game.read_state
    for text, other in (("0 0 first 0", "0 0 second 0"), ("3 7 first 4", "7 3 second 4"), ("6 0 first 2", "0 6 second 2")):
        assert solution.value(read(text), kind="state") + solution.value(read(other), kind="state") == 1
        assert solution.best(read(text)) == solution.best(read(other))


@pytest.mark.audit
def test_pig_to_100() -> None:
    solution = solve(load("pig"))
    turns = 99 + 98 + 96 * 97 // 2  # own scores 0 and 2 to 99 with turn totals of 0 and from 2 on; a score of 1 cannot be
    assert (solution.states, solution.pendings) == (2 * 99 * turns + 2 * 99, 2 * 99 * turns) == (961_092, 960_894)
    assert solution.certificate.error_bound < 1e-12


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


def test_words_that_cannot_be_spelled() -> None:
    assert isinf(solve(load("words", dice="AB,CD", words="XX")).value())
    assert isinf(solve(load("words", dice="AB,CD", words="XX"), exact=True).value())


@pytest.mark.parametrize(("faces", "sizes"), [(6, (1, 2)), (2, (5,)), (3, (2, 2)), (4, (2, 1, 1)), (5, (3, 1))])
def test_groups_views_agree(faces: int, sizes: tuple[int, ...]) -> None:
    grouped = solve(load("groups", faces=faces, sizes=sizes), exact=True)
    raw = solve(load("groups", faces=faces, sizes=sizes, view="raw"), exact=True)
    assert grouped.value() == raw.value()
    assert abs(float(solve(load("groups", faces=faces, sizes=sizes)).value()) - float(raw.value())) < 1e-12
    assert raw.states > grouped.states


@pytest.mark.parametrize("boxes", ["ones,five-of-a-kind", "full-house,straight"])
def test_yazy_two_boxes(boxes: str) -> None:
    game = load("yazy", boxes=boxes, rerolls=1)
    truth = recursion(game, Expected())
    assert solve(game, exact=True).value() == truth
    for engine in ("induction", "sheet-numpy", "sheet-numba"):
        solution = solve(game, engine=engine)
        assert abs(Fraction(solution.value()) - truth) <= solution.certificate.error_bound


def test_yazy_threshold_agrees_with_recursion() -> None:
    game = load("yazy", boxes="ones,twos", rerolls=0)
    for target in (0, 1, 4, 9, 15, 16):
        assert solve(game, AtLeast(target), exact=True).value() == recursion(game, AtLeast(target))


def test_yazy_needs_are_part_of_the_position() -> None:
    solution = solve(load("yazy", boxes="ones"), AtLeast(3))
    state = solution.game.read_state("11356 1 all needs 3")
    assert solution.game.show_action(solution.best(state)) == "keep 11"
    assert solution.game.show_state(state) == "11356 1 all needs 3"
    with pytest.raises(PositionError, match="needs 3"):
        solution.game.read_state("11356 1 all")


@examples(40)
@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.permutations(range(5)))
def test_dice_are_read_in_any_order(hand: list[int], order: list[int]) -> None:
    game = load("yazy")
    shuffled = "".join(str(hand[i]) for i in order)
    assert game.read_state(f"{shuffled} 2 all") == game.read_state(f"{','.join(map(str, hand))} 2 all")


@pytest.mark.parametrize(
    ("game", "text", "match"),
    [
        ("slots", "x3", "expected FREE-SLOTS TOTAL ROLL"),
        ("slots", "x4 0 1", "unknown slot 'x4'"),
        ("slots", "all 0 7", "from 1 to 6"),
        ("yazy", "1234 2 all", "expected 5 faces"),
        ("yazy", "12347 2 all", "from 1 to 6"),
        ("yazy", "12346 3 all", "at most 2"),
        ("yazy", "12346 2 f", "could be fours or fives or four-of-a-kind or full-house or five-of-a-kind"),
        ("yazy", "12346 2 nine", "is none of"),
        ("yazy", "12346 2 all upper 3", "was not understood"),
        ("yazy", "", "expected DICE REROLLS BOXES"),
        ("pig", "27 31 third 12", "expected FIRST-SCORE SECOND-SCORE WHO-MOVES TURN-TOTAL"),
        ("pig", "27 31 first ²", "expected FIRST-SCORE"),
        ("pig", "90 31 first 12", "100 points or more"),
        ("pig", "90 31 over", "no winner"),
    ],
)
def test_bad_positions(game: str, text: str, match: str) -> None:
    with pytest.raises(PositionError, match=match):
        load(game).read_state(text)


@pytest.mark.parametrize(
    ("name", "parameters", "match"),
    [
        ("slot", {}, "did you mean 'slots'"),
        ("yazy", {"boxs": "ones"}, "did you mean 'boxes'"),
        ("words", {"dice": ["AB"] * 17, "words": ["A" * 17]}, "17 dice have"),
    ],
)
def test_bad_parameters(name: str, parameters: dict[str, Any], match: str) -> None:
    with pytest.raises(GameError, match=match):
        load(name, **parameters)


def test_pendings_are_shared() -> None:
    graph = explore(load("words", dice=["123456"] * 3, words=["123"])).graph
    assert graph.n_pendings == 7**3 - sum(1 for faces in product(range(6), repeat=3) if len(faces) == 3)
    assert len(graph.outcome_state) == 12**3 - 6**3


def test_words_match_in_any_order() -> None:
    game = load("words", dice="AB,AB,AB", words="ABB")
    ends = [state for state in product("AB", repeat=3) if not game.actions(state)]
    assert all(Counter(state) == Counter("ABB") for state in ends)
    assert len(ends) == 3


def test_words_by_trying_every_strategy() -> None:
    game = load("words", dice="AAB,BC", words="AC,BB")
    assert solve(game, exact=True).value() == enumerate_policies(game, Fewest(), 10**6)
