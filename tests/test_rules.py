"""The rules of every game in words: what they say of a box is what the box pays, for any house rules."""

from typing import Any

import pytest

from rollwise import Game
from rollwise.games import CATALOGUE, load
from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.games.users import find_game
from rollwise.games.yahtzee import Yahtzee
from rollwise.texts.render import spoken
from rollwise.wire import to_json
from tests.terminal import run
from tests.web_client import SMALL, ask, assert_refused, connect

SHEETS = ["crag", "kismet", "kniffel", "maxi-yatzy", "yacht", "yacht-dice", "yahtzee", "yatzy", "yazy"]
NEEDED = {"groups": {"faces": "6", "sizes": "3,2"}, "words": {"dice": "ABC,ABD", "words": "AB,CD"}}


def describe_rules(game: Any) -> dict[str, Any]:
    return spoken(to_json.describe_rules(game), "en")  # type: ignore[no-any-return]


def rules_of(name: str, **parameters: str) -> dict[str, Any]:
    return describe_rules(load(name, **{**NEEDED.get(name, {}), **parameters}))


def test_every_game_is_told() -> None:
    for name in CATALOGUE:
        told = rules_of(name)
        assert told["paragraphs"]
        assert all(text.endswith(".") and text.splitlines() == [text] for text in told["paragraphs"])


def test_every_box_has_words_and_an_example_that_it_pays() -> None:
    for name in SHEETS:
        game = load(name)
        assert isinstance(game, Sheet)
        boxes = rules_of(name)["boxes"]
        assert [box["name"] for box in boxes] == list(game.names)
        rest = " upper 0" if game.bonus else ""
        for box in boxes:
            assert "at most" not in box["pays"], "a box of the catalogue says what it pays"
            paid = []
            for shown in box["examples"]:
                state = game.read_state(f"{''.join(shown['dice'])} 0 all{rest}")
                paid.append(game.points(state, box["name"]))
                assert shown["points"] == paid[-1]
            assert paid[0] > 0
            assert paid[1:] in ([], [0])


def test_a_near_miss_is_shown_where_there_is_one() -> None:
    missed = {box["name"]: len(box["examples"]) == 2 for box in rules_of("yahtzee")["boxes"]}
    assert {name for name, shown in missed.items() if shown} == {
        "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee",
    }  # fmt: skip


def test_house_rules_are_told() -> None:
    for name, parameters, words in (
        ("yazy", {"rerolls": "0"}, "On each turn roll 5 dice."),
        ("yazy", {"rerolls": "1"}, "up to 1 time."),
        ("yatzy", {"in_order": "yes"}, "the next box from top to bottom"),
        ("yatzy", {"four_as_two_pairs": "yes"}, "of faces that may be the same"),
        (
            "yahtzee",
            {"joker": "free"},
            "they may go to any open box; once the upper box of their face is filled, full-house pays 25",
        ),
        ("yahtzee", {"upper_bonus": "50"}, "earn 50 points more"),
        ("yahtzee", {"five_as_full_house": "yes"}, "five equal dice count, too"),
        ("kismet", {}, "earn 35 points more once they hold 63 in all, 55 from 71 on, 75 from 78 on."),
        ("yacht-dice", {"five_as_four": "no"}, "if at least four of them are equal, but not all"),
        ("slots", {"target": "40"}, "at least 40"),
        ("pig", {"target": "30", "faces": "8"}, "race to 30 points with one die of 8 faces"),
        ("groups", {"sizes": "2,2,1"}, "groups of 2, 2 and 1"),
    ):
        told = rules_of(name, **parameters)
        assert words in " ".join([*told["paragraphs"], *(box["pays"] for box in told["boxes"])])


def test_without_jokers_none_are_told() -> None:
    assert "joker" not in " ".join(rules_of("yahtzee", joker="none")["paragraphs"])


def test_a_box_without_words_says_the_most_it_pays() -> None:
    box = describe_rules(Sheet([Box("sum", sum)], count=2))["boxes"][0]
    assert box["pays"] == "at most 12 points"
    assert box["examples"] == [{"dice": ["1", "6"], "points": 7}] or sum(map(int, box["examples"][0]["dice"])) == 7


def test_changed_rules_are_not_told_as_if_they_were_not() -> None:
    """What a class says speaks of its own rules; a class that changes them speaks for itself."""

    class Doubled(Yahtzee):
        """Yahtzee, in which everything counts twice."""

        def gain(self, state: Any, action: Any) -> int:
            return 2 * super().gain(state, action)

    assert describe_rules(Doubled()) == {"paragraphs": ["Yahtzee, in which everything counts twice."], "boxes": []}


def test_a_game_without_words_says_so() -> None:
    class Silent(Game[int, int, str]):
        def start(self) -> int:
            return 0

        def roll(self, pending: int) -> dict[int, int]:
            return {1: 1}

        def actions(self, state: int) -> tuple[str, ...]:
            return ()

        def play(self, state: int, action: str) -> int:
            return 0

    assert "Nobody has written down the rules" in describe_rules(Silent())["paragraphs"][0]


def test_a_game_file_tells_what_it_says() -> None:
    told = describe_rules(find_game("examples/hog.toml", {"goal": "50"}))["paragraphs"]
    assert told[0].startswith("Two players race to 100")
    assert "points to reach: 50" in told[1]
    assert "free bacon, roll" in told[2]


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "yatzy")
    assert code == 0
    assert "On each turn roll 5 dice, then any of them again, up to 2 times." in out
    assert "4 4 4 4 6 pays 16" in out
    code, out, _ = run(capsys, "rules", "slots", "-p", "target=40", "--json")
    assert code == 0
    assert '"parameters": {"target": "40"}' in out


def test_the_server_tells_them(tmp_path: Any) -> None:
    """Without solving anything."""
    with connect(tmp_path) as client:
        for asked in SMALL.values():
            assert ask(client, "/api/rules", **asked) == describe_rules(load(asked["game"], **asked["parameters"]))
        assert client.get("/api/health").json()["solved"] == 0


def test_the_server_refuses_what_is_no_game(tmp_path: Any) -> None:
    with connect(tmp_path) as client:
        assert "yazzy" in assert_refused(client.post("/api/rules", json={"game": "yazzy"}), 422)
        assert_refused(client.post("/api/rules", json={"game": "yazy", "parameters": {"rerolls": "99"}}), 413)
