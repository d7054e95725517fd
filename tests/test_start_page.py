"""What the start page is made of: positions to try, data, styles, preloaded scripts, examples, kinds of games."""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest

import rollwise
from rollwise.games import CATALOGUE, load
from rollwise.model.message import Message
from rollwise.playing.samples import try_sample, try_samples
from rollwise.solvers.solve import solve
from rollwise.texts import languages, read_texts
from rollwise.web.files import PARTS, TRIES
from rollwise.web.pages import Pages
from rollwise.wire import schema
from rollwise.wire.to_json import describe_tried
from tests.web_client import connect

STATIC = Path(rollwise.__file__).parent / "web" / "static"
EXAMPLES = Path(__file__).parents[1] / "examples"
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom\s+\"(\.[\w./-]+)\";|^import\s+\"(\.[\w./-]+)\";", re.MULTILINE)


@pytest.mark.full
def test_samples_are_as_the_whole_game_says() -> None:
    """What a position played on from is worth is what it is worth in the whole game."""
    for tried in try_samples(TRIES):
        solution = solve(load(tried.name))
        ranked = {move.action: float(move.value) for move in solution.ranked(tried.state)}
        for move in tried.moves:
            assert abs(float(move.value) - ranked[move.action]) < 1e-9


@pytest.mark.full
def test_every_sample_has_one_best_move_and_hunches_that_cost() -> None:
    for name, entry in CATALOGUE.items():
        for sample in entry.samples:
            told = describe_tried(try_sample(name, sample))
            losses = sorted(move["loss"] for move in told["moves"])
            assert losses[0] < 1e-9 < (0.01 if told["value_name"] == "win probability" else 0.1) < losses[1]
            assert len(losses) == 3


def written(value: Any) -> Any:
    """Give data with its messages in English."""
    if isinstance(value, dict):
        is_message = value.keys() == {"key", "args"}
        return str(Message.from_dict(value)) if is_message else {name: written(each) for name, each in value.items()}
    return [written(each) for each in value] if isinstance(value, list) else value


def test_the_data_cannot_end_its_block(tmp_path: Any) -> None:
    with connect(tmp_path) as client:
        answer = client.get("/")
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', answer.text, re.DOTALL)
        assert found
        assert "<" not in found[1]
        data = json.loads(found[1])
        games = [{name: value for name, value in game.items() if name != "titles"} for game in written(data["games"])]
        assert games == client.get("/api/games").json()
        assert data["languages"] == languages()
        assert client.get("/", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
        assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_every_stylesheet_is_in_the_one_that_is_asked_for(tmp_path: Any) -> None:
    with connect(tmp_path) as client:
        together = client.get("/static/all.css").text
        assets = client.app.state.pages.assets  # type: ignore[attr-defined]
        scripts = [asset.plain.decode() for name, asset in assets.items() if name.endswith(".js")]
        for name in assets:
            if name.endswith(".css"):
                is_later = any(f'styled("{name.removeprefix("styles/")}")' in script for script in scripts)
                assert (client.get(f"/static/{name}").text in together) is not is_later


def imported(name: str) -> set[str]:
    """List what a script needs before it runs, itself included."""
    found, waiting = set[str](), [name]
    while waiting:
        script = waiting.pop()
        if script not in found:
            found.add(script)
            paths = [one or other for one, other in IMPORT.findall((STATIC / script).read_text())]
            waiting += [normpath(join(dirname(script), path)) for path in paths]
    return found


def test_every_script_of_the_start_page_is_preloaded(tmp_path: Path) -> None:
    """Else a script would be asked for only when the one that imports it has arrived, and the texts after all scripts."""
    with connect(tmp_path) as client:
        page = client.get("/").text
        (texts,) = re.findall(r'<link rel="preload" href="([^"]+)" as="fetch" crossorigin>', page)
        first = client.get(texts).json()
        parts = [client.get(texts.replace("/en.json", f"/en{name}.json")).json() for name in PARTS]
        assert {key: text for part in (first, *parts) for key, text in part.items()} == read_texts("en")
        assert not [key for key in first if key.startswith("dial.")]
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)"|<script type="module" src="([^"]+)"', page)
    assert {(link or script).split("/", 2)[2] for link, script in named} == imported("app/main.js")


def test_examples_are_those_of_the_library() -> None:
    shipped = {
        name: asset.plain for name, asset in Pages().assets.items() if name.endswith(".toml") and name != "examples/first.toml"
    }
    assert len(shipped) >= 4
    assert all(plain == (EXAMPLES.parent / name).read_bytes() for name, plain in shipped.items())


def test_kinds_are_registered_once() -> None:
    """What the catalogue's games name, and what the server describes, is in the page's two lists, and listed nowhere else."""
    kinds = STATIC / "boards" / "registry.js"
    listed, looks = (
        set(re.findall(r'^  "?([\w-]+)"?: async', part, re.MULTILINE)) for part in kinds.read_text().split("export const LOOKS")
    )
    assert {entry.game.view.board_kind for entry in CATALOGUE.values()} <= listed
    assert {entry.game.view.look for entry in CATALOGUE.values()} - {""} == looks
    assert set(schema.KNOWN) | {"any"} == listed
    others = [path for path in STATIC.rglob("*.js") if path != kinds and '/generic.js")' in path.read_text()]
    assert others == []


def test_styles_of_boards_leave_the_start_page_alone() -> None:
    """Sheets that come with a board stay in the page: none styles a class that the start page uses."""
    styles = {path.stem: path.read_text(encoding="utf-8") for path in (STATIC / "styles").glob("*.css")}
    alone = {name: set(re.findall(r"(?:^|[},])\s*\.([\w-]+)\s*(?=[,{])", text)) for name, text in styles.items()}
    boards = ("aside", "columns", "groups", "lanes", "points", "tiles", "words")
    assert not {name: both for name in boards if (both := alone[name] & (alone["base"] | alone["home"]))}
