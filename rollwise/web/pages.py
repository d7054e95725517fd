"""The page's own files, read once: a request never reaches the file system.

The start page is there after two round trips: its HTML carries the catalogue and positions to try as data, and names the modules
that it needs, and those that they need, so that a browser asks for all of them at once. The style sheets come as one.
"""

import asyncio
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import Response

from rollwise.games.catalogue import by_family
from rollwise.games.files.first import write_first
from rollwise.playing.samples import try_samples
from rollwise.wire.to_json import describe_catalogue, describe_tried

__all__ = ["Pages"]

KINDS = {
    ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".toml": "application/toml",
}  # fmt: skip
"""Types by suffix: not the system's table, which differs, and browsers take scripts of the right type only."""
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
"""A browser that takes gzip, and does not say that it would rather not."""
SMALL = 500
"""Bytes below which packing is not worth it."""
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"\./([\w.-]+\.js)";', re.MULTILINE)
"""A module that a module imports, wherever it is run: not `import("./x.js")`, which waits until it is needed."""
LATER = re.compile(r'\bstyled\("([\w.-]+\.css)"\)')
"""A style sheet that a module loads when it is needed."""
FIRST, STYLE, ALL_STYLES, FIRST_GAME = "main.js", "style.css", "all.css", "first.toml"
TRIES = 4
"""Positions to try on the start page: each takes a part of a second when the server starts."""
PRELOADS, DATA = "<!-- modules -->", "<!-- data -->"
"""What the HTML is filled in at."""


@dataclass(frozen=True)
class Asset:
    """A file, plain and packed."""

    kind: str
    tag: str
    plain: bytes
    packed: bytes


class Pages:
    """The files of the page by name."""

    def __init__(self) -> None:
        folder = files("rollwise.web") / "static"
        read = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        read[ALL_STYLES] = b"\n".join(read[name] for name in sorted(_styles(read), key=lambda name: (name != STYLE, name)))
        read[FIRST_GAME] = write_first("mygame").encode()
        self.assets = {name: _asset(name, content) for name, content in read.items()}
        self._modules = list(_needed({name: content.decode() for name, content in read.items() if name.endswith(".js")}))
        self._index: Asset | None = None

    async def prepare(self) -> Asset:
        """Fill in the HTML, in a thread: what the positions to try are worth takes a moment the first time."""
        if self._index is None:
            self._index = await asyncio.to_thread(self._fill)
        return self._index

    async def index(self, request: Request) -> Response:
        """Answer with the page."""
        return _answer(request, await self.prepare())

    async def asset(self, request: Request, name: str) -> Response:
        """Answer with one of its files."""
        found = self.assets.get(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
        return _answer(request, found)

    def _examples(self) -> dict[str, str]:
        """Name the game files to begin from, the first one first, by what they call themselves."""
        names = sorted((name for name in self.assets if name.endswith(".toml")), key=lambda name: (name != FIRST_GAME, name))
        return {name: tomllib.loads(self.assets[name].plain.decode())["name"] for name in names}

    def _fill(self) -> Asset:
        links = "\n  ".join(f'<link rel="modulepreload" href="/static/{name}">' for name in self._modules)
        data = _data(
            {"games": describe_catalogue(), "families": list(by_family()), "tries": _tries(), "examples": self._examples()}
        )
        text = self.assets["index.html"].plain.decode().replace(PRELOADS, links).replace(DATA, data)
        return _asset("index.html", text.encode())


@cache
def _tries() -> list[dict[str, Any]]:
    """Describe the positions to try, worked out once."""
    return [describe_tried(tried) for tried in try_samples(TRIES)]


def _data(content: Any) -> str:
    """Write data into HTML: a block that no browser runs, and that nothing in the data can end."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="data">{text}</script>'


def _styles(read: Mapping[str, bytes]) -> Iterator[str]:
    """Name the style sheets that every view needs."""
    later = {found for name, script in read.items() if name.endswith(".js") for found in LATER.findall(script.decode())}
    return (name for name in read if name.endswith(".css") and name not in later)


def _needed(scripts: Mapping[str, str]) -> Iterator[str]:
    """Give the modules that the first one needs, by what they import, nearest first.

    >>> scripts = {"main.js": 'import { a } from "./a.js";', "a.js": 'import "./b.js"; import("./c.js")', "b.js": "", "c.js": ""}
    >>> list(_needed(scripts))
    ['a.js', 'b.js']
    """
    seen, front = {FIRST}, [FIRST]
    while front:
        found = [name for script in front for name in IMPORT.findall(scripts[script])]
        front = [name for name in dict.fromkeys(found) if name not in seen]
        seen |= {*front}
        yield from front


def _answer(request: Request, found: Asset) -> Response:
    packed = GZIP.search(request.headers.get("accept-encoding", "")) and len(found.packed) < len(found.plain)
    headers = {"etag": found.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(found.packed if packed else found.plain, media_type=found.kind, headers=headers)


def _asset(name: str, content: bytes) -> Asset:
    kind = KINDS.get(PurePath(name).suffix, "application/octet-stream")
    packed = compress(content, mtime=0) if len(content) > SMALL else content
    return Asset(kind, f'"{sha256(content).hexdigest()[:16]}"', content, packed)
