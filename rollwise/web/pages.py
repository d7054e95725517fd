"""Answers with the page's own files: a request never reaches the file system.

The start page is there after two round trips: its HTML carries the catalogue and positions to try as data, and names the modules
that it needs, and those that they need, so that a browser asks for all of them at once. The style sheets come as one.
"""

import asyncio
import re

from fastapi import HTTPException, Request
from fastapi.responses import Response

from rollwise.model.message import Message
from rollwise.web.files import MANIFEST, Asset, Files

__all__ = ["Pages"]

GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
"""A browser that takes gzip, and does not say that it would rather not."""
ASK, FOREVER = "no-cache", "public, max-age=31536000, immutable"
"""How long a browser keeps a file: until it has asked again, or, under an address that changes with the files, for ever."""


class Pages(Files):
    """The files of the page, as answers."""

    async def prepare(self) -> Asset:
        """Fill in the HTML, in a thread: it takes a moment the first time."""
        return await asyncio.to_thread(lambda: self.index)

    async def first(self, request: Request) -> Response:
        """Answer with the page."""
        return _answer(request, await self.prepare())

    async def manifest(self, request: Request) -> Response:
        """Answer with what a device needs to know to install the page."""
        return _answer(request, self.assets[MANIFEST])

    async def service_worker(self, request: Request) -> Response:
        """Answer with what keeps the page for when there is no connection."""
        return _answer(request, await asyncio.to_thread(lambda: self.worker))

    async def asset(self, request: Request, name: str) -> Response:
        """Answer with one of its files."""
        found = self.find(name)
        if found is None:
            raise HTTPException(404, Message("server.no-file"))
        return _answer(request, found, FOREVER if name.startswith(f"{self.edition}/") else ASK)


def _answer(request: Request, found: Asset, kept: str = ASK) -> Response:
    packed = GZIP.search(request.headers.get("accept-encoding", "")) and len(found.packed) < len(found.plain)
    headers = {"etag": found.tag, "cache-control": kept, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(found.packed if packed else found.plain, media_type=found.kind, headers=headers)
