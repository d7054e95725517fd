"""The page's own files, read once, and what is made from them: one style sheet, the HTML, the service worker.

Scripts and style sheets have addresses that change with any of them, `static/EDITION/PATH`: a browser never runs a script of one
edition with one of another, wherever they were kept. All addresses are relative, so that the page can lie in any folder.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from posixpath import dirname, join, normpath
from typing import Any

from rollwise.games.catalogue import by_family
from rollwise.games.files import example_files, write_first
from rollwise.model.message import Message, Text
from rollwise.playing.samples import try_samples
from rollwise.texts import languages, read_texts
from rollwise.texts.render import render, spoken
from rollwise.wire.to_json import describe_catalogue, describe_tried

__all__ = ["POLICY", "Asset", "Files"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load: its own files, and nothing that is written into it."""

KINDS = {
    ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png",
    ".svg": "image/svg+xml", ".toml": "application/toml", ".webmanifest": "application/manifest+json",
}  # fmt: skip
"""Types by suffix: not the system's table, which differs, and browsers take scripts of the right type only."""
SMALL = 500
"""Bytes below which packing is not worth it."""
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[\w./-]+\.js)";', re.MULTILINE)
"""A module that a module imports, wherever it is run: not `import("./x.js")`, which waits until it is needed."""
LATER = re.compile(r'\bstyled\("([\w.-]+\.css)"\)')
"""A style sheet that a module loads when it is needed."""
FIRST, ALL_STYLES, FIRST_GAME, ENGLISH = "app/main.js", "all.css", "examples/first.toml", "texts/en.json"
FIRST_STYLES = ("styles/base.css", "styles/colours.css")
"""Style sheets that all others build on."""
INDEX, MANIFEST, WORKER = "index.html", "manifest.webmanifest", "sw.js"
AT_ROOT = frozenset({INDEX, MANIFEST, WORKER})
"""Files that lie beside the folder of the others."""
TABLE_TEXT = re.compile(
    r"(bear-off|cant-stop|edge|error|farkle|hog|hypergammon|margin|part|pays|pig|reason|report|shut|stand|threes|typed|ur)\.|rules\.[\w-]+\.",
)
"""Texts that the server writes itself, and the page only where it answers from a table: what games say."""
LEARN_TEXT = re.compile(r"(learn|score)\.|puzzle\.(?!card)")
"""Texts of puzzles, of what is learnt from games, and of how a game compares."""
DIAL_TEXT = re.compile(r"dial\.")
"""Texts of the risk dial."""
LOOK_TEXT = re.compile(r"(aside|columns|lanes|points|squares|threes-board|tiles)\.")
"""Texts of boards that are drawings of their own (`LOOKS` in `boards/registry.js`)."""
PARTS = {"-tables": TABLE_TEXT, "-learn": LEARN_TEXT, "-dial": DIAL_TEXT, "-looks": LOOK_TEXT}
"""Texts that the start page does without, by what their files are called."""
TRIES = 4
"""Positions to try on the start page: each takes a part of a second when the server starts."""
EDITION, PRELOADS, DATA, KEPT = "EDITION", "<!-- modules -->", "<!-- data -->", '{ edition: "", files: {} }'
"""What the HTML and the service worker are filled in at."""
HTML, HEAD = '<html lang="en"', '<meta charset="utf-8">'
"""Where a site of plain files says that it is one, and what the page may load."""


@dataclass(frozen=True)
class Asset:
    """A file, plain and packed."""

    kind: str
    digest: str
    plain: bytes
    packed: bytes

    @property
    def tag(self) -> str:
        """What a browser asks by whether it is still the same."""
        return f'"{self.digest[:16]}"'


class Files:
    """The files of the page by name.

    For a site of plain files, `site` is what its start page says about it, and `games` are the games on it.
    """

    def __init__(self, *, site: Mapping[str, Any] | None = None, games: Sequence[Mapping[str, Any]] | None = None) -> None:
        read = dict(_read_folder(files("rollwise.web") / "static"))
        read[ALL_STYLES] = b"\n".join(
            read[name] for name in sorted(_styles(read), key=lambda name: (name not in FIRST_STYLES, name))
        )
        read |= dict(_catalogues())
        read |= {f"examples/{name.replace('-', '_')}.toml": text.encode() for name, text in example_files().items()}
        read[FIRST_GAME] = write_first("mygame").encode()
        self.site, self.games = site, games
        self.assets = {name: make_asset(name, content) for name, content in read.items()}
        self.edition = sha256("".join(f"{name} {self.assets[name].digest} " for name in sorted(read)).encode()).hexdigest()[:12]
        self._modules = list(_needed({name: content.decode() for name, content in read.items() if name.endswith(".js")}))

    def find(self, path: str) -> Asset | None:
        """Find a file by its path in `static`, with the edition or without; one of another edition is not there."""
        return self.assets.get(path.removeprefix(f"{self.edition}/"))

    @property
    def listed(self) -> dict[str, Asset]:
        """The files that the page may ask for, by their addresses."""
        moved = {f"static/{self.edition}/{name}": asset for name, asset in self.assets.items() if name not in AT_ROOT}
        plain = {f"static/{name}": self.assets[name] for name in self.assets if name.startswith("icons/")}
        return {"": self.index, MANIFEST: self.assets[MANIFEST], **moved, **plain}

    @cached_property
    def index(self) -> Asset:
        """The HTML with its data: what the positions to try are worth takes a moment the first time."""
        links = [f'<link rel="modulepreload" href="static/{self.edition}/{name}">' for name in self._modules]
        links.append(f'<link rel="preload" href="static/{self.edition}/{ENGLISH}" as="fetch" crossorigin>')
        text = self.assets[INDEX].plain.decode().replace(EDITION, self.edition).replace(PRELOADS, "\n  ".join(links))
        if self.site is not None:
            text = text.replace(HTML, f"{HTML} data-site").replace(HEAD, f"{HEAD}\n  {_policy()}")
        return make_asset(INDEX, text.replace(DATA, _data(self._known())).encode())

    def _known(self) -> dict[str, Any]:
        """Give what the page knows before it asks anybody; it writes the messages in it."""
        games: Sequence[Mapping[str, Any]] = describe_catalogue() if self.games is None else self.games
        names = {game["name"] for game in games}
        return {
            "games": [
                {**game, "family": game["family"] or Message("family.others"), "titles": _titles(game["title"])} for game in games
            ],
            "tries": [tried for tried in _tries() if tried["game"] in names],
            "families": [Message(f"family.{family}") for family in by_family()], "languages": languages(),
            **({"examples": self._examples()} if self.site is None else {"examples": {}, "site": self.site}),
        }  # fmt: skip

    @cached_property
    def worker(self) -> Asset:
        """The service worker, which knows every file that it keeps, and what is in it."""
        kept = {path: asset.digest for path, asset in self.listed.items()}
        edition = sha256(json.dumps(kept).encode()).hexdigest()[:12]
        text = self.assets[WORKER].plain.decode()
        return make_asset(WORKER, text.replace(KEPT, json.dumps({"edition": edition, "files": kept}, indent=1)).encode())

    def _examples(self) -> dict[str, str]:
        """Name the game files to begin from, the first one first, by what they call themselves."""
        names = sorted((name for name in self.assets if name.endswith(".toml")), key=lambda name: (name != FIRST_GAME, name))
        return {name.removeprefix("examples/"): tomllib.loads(self.assets[name].plain.decode())["name"] for name in names}


def _titles(title: Text) -> list[str]:
    """Say what a game is called in every language, where that differs: it is found by each of them."""
    found = {render(title, language) for language in languages()}
    return sorted(found) if len(found) > 1 else []


@cache
def _tries() -> list[dict[str, Any]]:
    """Describe the positions to try, computed once."""
    return [describe_tried(tried) for tried in try_samples(TRIES)]


def _policy() -> str:
    """Write the policy of a page whose host may send none; what only a host can say is left out."""
    rules = "; ".join(rule for rule in POLICY.split("; ") if not rule.startswith("frame-ancestors"))
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">'


def _data(content: Any) -> str:
    """Write data into HTML: a block that no browser runs, and that nothing in the data can end."""
    text = _compact(spoken(content, None)).replace("<", "\\u003c")
    return f'<script type="application/json" id="data">{text}</script>'


def _read_folder(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """Read the files of a folder and of those in it, by their paths."""
    for path in folder.iterdir():
        if path.is_dir():
            yield from _read_folder(path, f"{prefix}{path.name}/")
        else:
            yield f"{prefix}{path.name}", path.read_bytes()


def _catalogues() -> Iterator[tuple[str, bytes]]:
    """Give each catalogue in parts, so that the start page is small: all but the first are loaded when they are needed."""
    for language in languages():
        parts: dict[str, dict[str, Any]] = {"": {}, **{name: {} for name in PARTS}}
        for key, text in read_texts(language).items():
            parts[next((name for name, keys in PARTS.items() if keys.match(key)), "")][key] = text
        for name, part in parts.items():
            yield f"texts/{language}{name}.json", _compact(part).encode()


def _compact(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def _styles(read: Mapping[str, bytes]) -> Iterator[str]:
    """Name the style sheets that every view needs."""
    later = {found for name, script in read.items() if name.endswith(".js") for found in LATER.findall(script.decode())}
    return (name for name in read if name.endswith(".css") and name.removeprefix("styles/") not in later)


def _needed(scripts: Mapping[str, str]) -> Iterator[str]:
    """Give the modules that the first one needs, by what they import, nearest first.

    >>> later = 'import("./d.js")'
    >>> main, b = 'import { b } from "../b.js";', f'import "./app/c.js"; {later}'
    >>> list(_needed({"app/main.js": main, "b.js": b, "app/c.js": "", "d.js": ""}))
    ['b.js', 'app/c.js']
    """
    seen, front = {FIRST}, [FIRST]
    while front:
        found = [normpath(join(dirname(script), path)) for script in front for path in IMPORT.findall(scripts[script])]
        front = [name for name in dict.fromkeys(found) if name not in seen]
        seen |= {*front}
        yield from front


def make_asset(name: str, content: bytes) -> Asset:
    """Make a file ready to be sent."""
    kind = KINDS.get(PurePath(name).suffix, "application/octet-stream")
    packed = compress(content, mtime=0) if len(content) > SMALL else content
    return Asset(kind, sha256(content).hexdigest(), content, packed)
