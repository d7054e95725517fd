"""The rules of every game in words: what they say of a box is what the box pays, for any house rules."""

from typing import Any

from rollwise.games import CATALOGUE, load
from rollwise.games.sheets.rules import Sheet
from rollwise.games.yahtzee import Yahtzee
from rollwise.texts.render import spoken
from rollwise.wire import to_json
from tests.web_client import SMALL, ask, connect

SHEETS = ["crag", "kismet", "kniffel", "maxi-yatzy", "yacht", "yacht-dice", "yahtzee", "yatzy", "yazy"]
NEEDED = {"groups": {"faces": "6", "sizes": "3,2"}, "words": {"dice": "ABC,ABD", "words": "AB,CD"}}


def describe_rules(game: Any) -> dict[str, Any]:
    return spoken(to_json.describe_rules(game), "en")  # type: ignore[no-any-return]


def rules_of(name: str, **parameters: str) -> dict[str, Any]:
    return describe_rules(load(name, **{**NEEDED.get(name, {}), **parameters}))


def test_every_game_is_described() -> None:
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


def test_house_rules_are_described() -> None:
    for name, parameters, words in (
        ("yazy", {"rerolls": "0"}, "On each turn roll 5 dice."),
        ("yatzy", {"in_order": "yes"}, "the next box from top to bottom"),
        ("yatzy", {"four_as_two_pairs": "yes"}, "of faces that may be the same"),
        (
            "yahtzee",
            {"joker": "free"},
            "they may go to any open box; once the upper box of their face is filled, full house pays 25",
        ),
        ("yahtzee", {"five_as_full_house": "yes"}, "five equal dice count, too"),
        ("kismet", {}, "earn 35 points more once they hold 63 in all, 55 from 71 on, 75 from 78 on."),
        ("yacht-dice", {"five_as_four": "no"}, "if at least four of them are equal, but not all"),
        ("pig", {"target": "30", "faces": "8"}, "race to 30 points with one die of 8 faces"),
    ):
        told = rules_of(name, **parameters)
        assert words in " ".join([*told["paragraphs"], *(box["pays"] for box in told["boxes"])])


def test_changed_rules_describe_themselves() -> None:
    """What a class says speaks of its own rules; a class that changes them speaks for itself."""

    class Doubled(Yahtzee):
        """Yahtzee, in which everything counts twice."""

        def gain(self, state: Any, action: Any) -> int:
            return 2 * super().gain(state, action)

    assert describe_rules(Doubled()) == {"paragraphs": ["Yahtzee, in which everything counts twice."], "boxes": []}


def test_a_game_file_tells_what_it_says() -> None:
    told = describe_rules(load("examples/hog.toml", goal="50"))["paragraphs"]
    assert told[0].startswith("Two players race to 100")
    assert "points to reach: 50" in told[1]
    assert "free bacon, roll" in told[2]


def test_the_server_tells_them(tmp_path: Any) -> None:
    """Without solving anything."""
    with connect(tmp_path) as client:
        for asked in SMALL.values():
            assert ask(client, "/api/rules", **asked) == describe_rules(load(asked["game"], **asked["parameters"]))
        assert client.get("/api/health").json()["solved"] == 0
