"""Pages, pictures and the spread command: right numbers, well-formed, complete or not written at all."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import rollwise
from rollwise import AtLeast, AtMost, Game
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.slots import Placed, Slots
from rollwise.reports.build import build_report, write_report
from rollwise.reports.page import as_html
from rollwise.reports.race import race_sections
from rollwise.reports.slots import target_values
from rollwise.solvers.base.blocks import Block, Facts, Figure, Grid, Heading, Page
from rollwise.solvers.base.pictures import HeatRow, Mark, Series, bar_list, bars, curve, heat_map, percent, standalone
from rollwise.solvers.graph.report import second_losses, visits
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.sheets.expected import SheetSolution
from rollwise.solvers.sheets.report import box_worths
from rollwise.views import View

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL_SLOTS = "double:2/4/6/8/10/12,flip:6/5/4/3/2/1,bin:0/0/0/0/0/0"


def graph_solution(**parameters: str) -> GraphSolution:
    solution = rollwise.solve(load("slots", **parameters), exact=True)
    assert isinstance(solution, GraphSolution)
    return solution


def headings(page: Page) -> list[str]:
    return [block.text for block in page.blocks if isinstance(block, Heading)]


def grid_after(page: Page, heading: str) -> Grid:
    blocks: list[Block] = list(page.blocks)
    start = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.text == heading)
    return next(block for block in blocks[start:] if isinstance(block, Grid))


PICTURES = {
    "bars": bars(
        "T <1>", "about", 3, [0.1] * 300, ("points", "chance"), marks=[Mark(10, "5 %: 10"), Mark(11, "25 %: 11")], split=50
    ),
    "curve": curve(
        "T <1>", "about", [Series("a", [(0, 0.0), (9, 0.99)]), Series("b", [(0, 0.5), (9, 0.1)])], ("x", "y"), dots=True
    ),
    "heat": heat_map(
        "T <1>", "about", ["a", "b"], [HeatRow("r", [0.2, None], "g"), HeatRow("s", [1, 0], "g")], label="x", show=percent
    ),
    "list": bar_list("T <1>", "about", [("a<b", 2.0), ("c", -1.0)], "share", show=percent),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_well_formed_and_described(name: str) -> None:
    tree = ElementTree.fromstring(standalone(PICTURES[name]))
    space = "{http://www.w3.org/2000/svg}"
    assert tree.tag == f"{space}svg"
    assert (tree.findtext(f"{space}title"), tree.findtext(f"{space}desc")) == ("T <1>", "about")
    assert "prefers-color-scheme" in str(tree.findtext(f"{space}style"))
    width, height = map(float, tree.attrib["viewBox"].split()[2:])
    for text in tree.iter(f"{space}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height


def test_slots_targets_are_exact() -> None:
    solution = graph_solution(slots=SMALL_SLOTS, target="12")
    found = target_values(solution)
    assert (min(found), max(found)) == (min(t for t in found), 19)
    assert found[19] == 0
    for target, value in found.items():
        assert value == rollwise.solve(solution.game, AtLeast(target), exact=True).value()


def test_visits_add_up_turn_by_turn() -> None:
    solution = graph_solution(slots=SMALL_SLOTS, target="12")
    seen = visits(solution)
    for free in range(4):
        met = sum(share for state, share in zip(solution.explored.states, seen, strict=True) if len(state.free) == free)
        assert met == pytest.approx(1)


@pytest.mark.parametrize("game", [load("slots", slots=SMALL_SLOTS, target="12"), load("pig", target=15), load("threes", dice=3)])
def test_losses_match_the_ranking_for_both_players(game: Any) -> None:
    solution = rollwise.solve(game)
    assert isinstance(solution, GraphSolution)
    losses = second_losses(solution)
    for state, loss in zip(solution.explored.states, losses, strict=True):
        ranked = solution.ranked(state)
        assert loss == pytest.approx(float(ranked[1].loss) if len(ranked) > 1 else 0.0, abs=1e-9)


def test_box_worth_is_the_loss_without_it() -> None:
    solution = rollwise.solve(load("yazy", boxes="ones,twos,straight"))
    assert isinstance(solution, SheetSolution)
    worth = box_worths(solution, lambda sheet: float(rollwise.solve(sheet).value()))
    less = rollwise.solve(load("yazy", boxes="ones,twos")).value()
    assert worth["straight"] == pytest.approx(float(solution.value()) - float(less))


def test_sheet_page_in_full() -> None:
    solution = rollwise.solve(load("yazy", boxes="ones,twos,straight"))
    page = build_report(solution, name="yazy")
    assert {"What each box is worth", "The hardest decisions of the first turn", "Against simpler players"} <= set(headings(page))
    players = {row[0]: row[1] for row in grid_after(page, "Against simpler players").rows}
    assert list(players) == ["best", "greedy", "random"]
    assert float(players["greedy"]) == pytest.approx(
        float(rollwise.evaluate(solution.game, rollwise.policies.Greedy()).value), abs=1e-3
    )


def test_words_page_says_what_to_hold() -> None:
    page = build_report(rollwise.solve(load("words", dice="AB,AB,CD", words="AAC")), name="words")
    rows = grid_after(page, "What to hold after the first roll").rows
    assert {row[0]: row[2] for row in rows}["AAD"] == "AA·"
    assert sum(float(row[1].split()[0]) for row in rows) == pytest.approx(100)


def test_groups_page_starts_at_the_value_and_knows_when_to_reroll() -> None:
    solution = rollwise.solve(load("groups", faces="6", sizes="1,2"))
    page = build_report(solution, name="groups")
    rows = grid_after(page, "Rolls left, by progress").rows
    assert [row[0] for row in rows] == ["0", "1", "2"]
    assert float(rows[0][1]) == pytest.approx(float(solution.value()), abs=1e-3)
    assert grid_after(page, "When a reroll is right").rows[2][2] in ("a new face", "a group of 1", "a group of 2", "never")


def test_html_is_one_file_that_fetches_nothing(tmp_path: Path) -> None:
    solution = rollwise.solve(load("groups", faces="6", sizes="3,2"))
    files = write_report(solution, tmp_path / "page.html", name="groups", parameters={"faces": "6"})
    text = files[0].read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script", text)
    assert str(tmp_path) not in text
    write_report(solution, tmp_path / "again.html", name="groups", parameters={"faces": "6"})
    assert (tmp_path / "again.html").read_text() == text


def test_markdown_has_its_pictures_beside_it(tmp_path: Path) -> None:
    solution = rollwise.solve(load("groups", faces="6", sizes="3,2"))
    files = write_report(solution, tmp_path / "page.md", name="groups")
    figures = [block for block in build_report(solution, name="groups").blocks if isinstance(block, Figure)]
    assert [file.name for file in files] == [*(f"page-{i}.svg" for i in range(1, len(figures) + 1)), "page.md"]
    text = files[-1].read_text()
    for file in files[:-1]:
        ElementTree.fromstring(file.read_text())
        assert f"(<{file.name}>)" in text


def test_a_duel_has_a_page_however_it_was_solved(tmp_path: Path) -> None:
    game = load("yazy", boxes="ones,straight", rerolls="0")
    page = build_report(rollwise.solve(game, rollwise.Duel()), name="yazy")
    assert page.title.startswith("Yazy")
    assert "duel" in page.title
    assert page.subtitle.endswith("Two optimal players take turns; a tie is half a win.")
    assert {"The rules in brief", "Where a duellist does something else"} <= set(headings(page))
    walked = rollwise.solve(game, rollwise.Duel(), engine="induction")
    (file,) = write_report(walked, tmp_path / "duel.html")
    text = file.read_text()
    assert (build_report(walked, name="yazy").title, build_report(walked, name="yazy").subtitle) == (page.title, page.subtitle)
    assert "checked position by position" in text
    assert "The decisions that matter most" in text
    assert not {"How results spread", "Against simpler players"} & set(headings(page))


def test_slots_add_sections_where_they_keep_their_rules() -> None:
    class Longer(Slots):
        def gain(self, state: Placed, action: str) -> int:
            return 0

    game: Any = load("slots", slots=SMALL_SLOTS, target="12")
    own = "How high can one aim?"
    assert own in headings(build_report(rollwise.solve(game)))
    assert own not in headings(build_report(rollwise.solve(Longer(game.target, game.slots))))


def test_costs_are_named_by_the_game() -> None:
    class TestsView(View):
        cost_word = "tests"

    class Tests(Game[int, int, str]):
        view = TestsView

        def start(self) -> int:
            return 0

        def roll(self, pending: int) -> dict[int, int]:
            return {0: 1, 1: 2} if pending == 0 else {1: 1}

        def actions(self, state: int) -> tuple[str, ...]:
            return ("again", "slowly") if state == 0 else ()

        def play(self, state: int, action: str) -> int:
            return 0

        def cost(self, pending: int) -> int:
            return 3

    page = build_report(rollwise.solve(Tests(), rollwise.Fewest()))
    assert page.subtitle == "Played for the fewest expected tests."
    assert {row[0]: row[1] for row in grid_after(page, "Against simpler players").rows}["random"] == "4.500"


def test_a_game_that_is_won_or_lost_has_no_statistics_of_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "pig.md"
    assert main(["report", "pig", "-p", "target=12", "-o", str(page), "--no-cache"]) == 0
    text = page.read_text()
    assert "race to 12 points" in text
    assert "first player's win probability" in text
    assert not any(word in text for word in ("100 points", "mean points", "median", "How results spread", "a total of"))
    assert main(["distribution", "pig", "-p", "target=12", "-o", str(tmp_path / "a.svg")]) == 2
    assert main(["distribution", "pig", "-p", "target=12", "--no-cache"]) == 0
    assert "mean points" not in capsys.readouterr().out


def texts(page: Page) -> str:
    """All that a page says, pictures included."""
    return as_html(page, "")


@pytest.mark.parametrize("name", PICTURES)
def test_axes_have_titles(name: str) -> None:
    space = "{http://www.w3.org/2000/svg}"
    shown = {text.text for text in ElementTree.fromstring(standalone(PICTURES[name])).iter(f"{space}text")}
    wanted = {"bars": {"points (bars of 5)", "chance"}, "curve": {"x", "y"}, "heat": {"x"}, "list": {"share"}}
    assert wanted[name] <= shown


@pytest.mark.parametrize(
    "solution",
    [
        rollwise.solve(load("slots", slots=SMALL_SLOTS, target="12")),
        rollwise.solve(load("yazy", boxes="ones,straight"), AtLeast(20)),
        rollwise.solve(load("pig", target=15)),
        rollwise.solve(load("shut-the-box", tiles=4)),
        rollwise.solve(load("yazy", boxes="ones", rerolls="0"), rollwise.Duel()),
    ],
)
def test_who_plays_to_win_gets_chances_and_no_statistics_of_points(solution: Any) -> None:
    page = build_report(solution)
    facts = next(block for block in page.blocks if isinstance(block, Facts))
    assert facts.rows[0][1].endswith(" %")
    assert not re.search("mean points|deviation|median|quantile|share of games", texts(page))


def test_few_points_are_said_from_below() -> None:
    page = build_report(rollwise.solve(load("threes", dice=2)))
    assert "chance of at most" in texts(page)
    assert "at least so many" not in texts(page)
    assert "At most 2, in the other colour" in texts(build_report(rollwise.solve(load("threes", dice=2), AtMost(2))))


def test_a_game_file_speaks_for_itself(tmp_path: Path) -> None:
    file = tmp_path / "pig.toml"
    file.write_text((EXAMPLES / "hog.toml").read_text().replace("100", "8"))
    page = tmp_path / "page.html"
    assert main(["report", str(file), "-o", str(page), "--no-cache"]) == 0
    text = page.read_text()
    assert "<h1>Hog" in text
    assert "say how many dice to roll; a 1 among them scores 1" in text
    assert all(f'scope="col" class="n">{label}</th>' in text for label in ("who moves has", "the other has"))


@pytest.mark.parametrize("game", [load("pig", target=25), load("two-dice-pig", target=20), load("hog", target=20)])
def test_races_are_drawn_by_both_scores(game: Any) -> None:
    solution = rollwise.solve(game)
    page = build_report(solution)
    drawn = [block for block in page.blocks if isinstance(block, Figure)]
    assert len(drawn) == 2
    assert all("own score (points)" in figure.svg for figure in drawn)
    assert "Neller and Presser" in drawn[0].caption
    if game.chooses == "hold":

        def known(state: Any) -> Any:
            return solution.best(state) if state.turn > 3 else None

        for own, other in ((0, 0), (10, 5), (15, 15)):
            turns = [turn for turn in range(4, game.target - own) if solution.best(f"{own} {other} first {turn}") == "hold"]
            assert game.choice_at(known, own, other) == min(turns, default=game.target - own)


def test_a_race_played_for_something_else_is_not_drawn() -> None:
    assert not race_sections(rollwise.solve(load("threes", dice=2)))
