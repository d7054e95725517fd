"""The page's own files, read once: a request never reaches the file system."""

import re
from dataclasses import dataclass
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath

from fastapi import HTTPException, Request
from fastapi.responses import Response

__all__ = ["Pages"]

KINDS = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Types by suffix: not the system's table, which differs, and browsers take scripts of the right type only."""
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
"""A browser that takes gzip, and does not say that it would rather not."""
SMALL = 500
"""Bytes below which packing is not worth it."""


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
        self.assets = {path.name: _asset(path.name, path.read_bytes()) for path in folder.iterdir() if path.is_file()}

    async def index(self, request: Request) -> Response:
        """Answer with the page."""
        return self._answer(request, "index.html")

    async def asset(self, request: Request, name: str) -> Response:
        """Answer with one of its files."""
        return self._answer(request, name)

    def _answer(self, request: Request, name: str) -> Response:
        found = self.assets.get(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
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
