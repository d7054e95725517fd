"""`rollwise site`: which games, what is written where, and what is left alone."""

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise.cli.main import main
from rollwise.errors import GameError
from rollwise.games.catalogue import CATALOGUE
from rollwise.web.site import known_games, read_question
from rollwise.web.table_file import MARK, write_file
from rollwise.web.tables import Asked

SMALL = "yazy?p.boxes=ones,straight"


def write(folder: Path, *games: str) -> Any:
    """Write a site, and give what is said about it."""
    assert main(["site", "-o", str(folder), *(games or (SMALL,)), "--json"]) == 0
    return json.loads((folder / "rollwise-site.json").read_text())["files"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites") / "coach"
    write(folder, SMALL, "yazy?p.boxes=ones,twos&p.rerolls=1")
    return folder


def test_the_files_are_those_that_are_named(site: Path) -> None:
    found = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert found == {*json.loads((site / "rollwise-site.json").read_text())["files"]}


def test_all_addresses_are_relative(site: Path) -> None:
    """So that the folder can lie anywhere on a host."""
    text = (site / "index.html").read_text()
    addresses = re.findall(r'(?:href|src)="([^"]*)"', text)
    assert not [address for address in addresses if address.startswith("/") or ":" in address]
    files = [address for address in addresses if address.startswith("static/") or address.endswith("manifest")]
    assert all((site / address).is_file() for address in files)
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    assert all((site / icon["src"]).is_file() for icon in manifest["icons"])


def test_the_service_worker_knows_every_file(site: Path) -> None:
    found = re.search(r"const PAGE = (\{.*?\n\});", (site / "sw.js").read_text(), re.DOTALL)
    assert found
    kept = json.loads(found[1])["files"]
    for path, digest in kept.items():
        assert sha256((site / (path or "index.html")).read_bytes()).hexdigest() == digest, path
    written = {path for path in json.loads((site / "rollwise-site.json").read_text())["files"] if "/" in path}
    assert {path for path in written if path.startswith("static/")} == {path for path in kept if path.startswith("static/")}


def test_tables_and_their_sizes_are_listed(site: Path) -> None:
    listed = json.loads((site / "tables.json").read_text())
    assert [table["parameters"] for table in listed["tables"]] == [
        {"boxes": "ones,straight"},
        {"boxes": "ones,twos", "rerolls": "1"},
    ]
    for table in listed["tables"]:
        content = (site / table["file"]).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (table["bytes"], table["sha"])
    assert "yahtzee" in {game["name"] for game in listed["games"]}, "which parameters are as always"


def test_the_page_says_what_is_on_it(site: Path) -> None:
    text = (site / "index.html").read_text()
    assert '<html lang="en" data-site>' in text
    assert "default-src 'none'" in text
    found = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert [table["title"] for table in data["site"]["tables"]] == [{"key": "game.yazy.title", "args": {}}] * 2
    assert data["games"] == [], "a card stands for the standard rules"
    assert (data["site"]["left"], data["examples"]) == ([], {})


def test_a_site_is_renewed_and_what_else_lies_there_stays(tmp_path: Path) -> None:
    folder = tmp_path / "coach"
    before = write(folder)
    (folder / "CNAME").write_text("dice.example")
    (folder / "static" / "notes").mkdir()
    after = write(folder, "yazy?p.boxes=twos")
    gone = {*before} - {*after}
    assert gone == {name for name in before if name.startswith("tables/")}
    assert not [name for name in gone if (folder / name).exists()]
    assert (folder / "CNAME").read_text() == "dice.example"
    assert (folder / "static" / "notes").is_dir()


def test_a_folder_with_other_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    assert main(["site", "-o", str(tmp_path), SMALL]) == 2
    assert "it holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_mark_that_names_files_elsewhere_removes_none(tmp_path: Path) -> None:
    folder, outside = tmp_path / "coach", tmp_path / "precious.txt"
    write(folder)
    outside.write_text("stays")
    mark = folder / "rollwise-site.json"
    told = json.loads(mark.read_text())
    mark.write_text(json.dumps({**told, "files": [*told["files"], "../precious.txt", str(outside)]}))
    write(folder)
    assert outside.read_text() == "stays"


def test_a_game_too_large_is_left_out_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "coach"
    assert main(["site", "-o", str(folder), SMALL, "shut-the-box", "--max-states", "5"]) == 0
    said = capsys.readouterr()
    assert re.search(r"Yazy \(boxes ones,straight\) +\S+ +\d+ kB", said.out)
    assert re.search(r"Shut the Box +left out", said.out)
    assert "1 game, " in said.out
    assert "Shut the Box is left out: " in said.err
    assert "Shut the Box" in (folder / "index.html").read_text()


def test_the_only_game_is_not_left_out_silently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", "-o", str(tmp_path / "coach"), "shut-the-box", "--max-states", "5"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "coach").exists()


def test_a_game_file_is_on_the_site_with_its_text(tmp_path: Path) -> None:
    asked = read_question(str(Path(__file__).parents[1] / "examples" / "shut_the_box.toml"))
    assert asked.game is None
    assert asked.file is not None
    assert "name = " in asked.file


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("slots", Asked("slots")),
        ("slots?aim=at-least+40", Asked("slots", objective="at-least 40")),
        ("yatzy?p.in_order=yes&p.bonus=35", Asked("yatzy", parameters={"in_order": "yes", "bonus": "35"})),
    ],
)
def test_games_are_read_as_an_address_has_them(text: str, asked: Asked) -> None:
    assert read_question(text) == asked


@pytest.mark.parametrize("text", ["slots?target=3", "slots?p.target=1&p.target=2", "slots?=", "slots?aim", "mine.py"])
def test_what_is_no_game(text: str) -> None:
    with pytest.raises(GameError):
        read_question(text)


def test_the_games_that_everybody_knows_need_no_parameters() -> None:
    assert known_games()[0] == "yahtzee"
    assert {*known_games()} <= {*known_games(everything=True)} <= {*CATALOGUE}


def test_a_table_file_is_laid_out_as_the_page_reads_it() -> None:
    content = gzip.decompress(write_file({"kind": "x"}, {"none": np.zeros(3), "some": np.array([0, 300, -1])}))
    start = len(MARK) + 4
    size = int.from_bytes(content[len(MARK) : start], "little")
    about = json.loads(content[start : start + size])
    assert content.startswith(MARK)
    assert [(row["name"], row["count"], row["planes"]) for row in about["arrays"]] == [("none", 3, 0), ("some", 3, 2)]
    assert len(content) == start + size + 3 * 2
    assert content[start + size] == 0, 'the first number of "some"'
