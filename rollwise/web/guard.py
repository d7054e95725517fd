"""What every request and answer goes through: limits on bodies, names of the host, headers that keep the page to itself."""

from contextlib import nullcontext
from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException

from rollwise.model.message import Message
from rollwise.web.files import POLICY
from rollwise.web.json_answer import Fault
from rollwise.web.work import PACE

__all__ = ["Guard"]

AT_ONCE = frozenset({"/api/advise", "/api/rolls"})
"""What is answered at once: long work stands back for it."""

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Guard:
    """Refuses bodies beyond `body_bytes` and, unless `hosts` is None, other host names (against rebinding); adds the headers."""

    def __init__(self, app: Any, body_bytes: int, hosts: frozenset[str] | None) -> None:
        self.app, self.body_bytes, self.hosts = app, body_bytes, hosts
        self._too_long = Message("server.body", {"bytes": body_bytes})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False
        read = 0

        async def counted() -> Any:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.body_bytes:
                raise HTTPException(413, self._too_long)
            return message

        async def headed(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message.get("headers", []), *HEADERS, *_freshness(message)]}
            await send(message)

        headers = dict(scope["headers"])
        if self.hosts is not None and _host(headers.get(b"host", b"")) not in self.hosts:
            await _refuse(Message("server.host"), 400)(scope, receive, headed)
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > self.body_bytes:
            await _refuse(self._too_long, 413)(scope, receive, headed)
            return
        try:
            with PACE.answer() if scope["path"] in AT_ONCE else nullcontext():
                await self.app(scope, counted, headed)
        except Exception:
            if not started:
                await _refuse(Message("server.failed"), 500)(scope, receive, headed)
            raise


def _freshness(message: Any) -> list[tuple[bytes, bytes]]:
    """Nothing is kept by browsers unless the answer says so itself."""
    named = {name for name, _ in message.get("headers", [])}
    return [] if b"cache-control" in named else [(b"cache-control", b"no-store")]


def _host(value: bytes) -> str:
    try:
        return urlsplit("//" + value.decode("ascii")).hostname or ""
    except ValueError:
        return ""


def _refuse(said: Message, status: int) -> Fault:
    return Fault({"detail": said}, status, {"connection": "close"})
