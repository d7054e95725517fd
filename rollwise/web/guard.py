"""What every request and answer goes through: limits on bodies, names of the host, headers that keep the page to itself."""

from contextlib import nullcontext
from typing import Any
from urllib.parse import urlsplit

from pydantic_core import to_json
from starlette.exceptions import HTTPException

from rollwise.web.pace import PACE
from rollwise.web.policy import POLICY

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
        self._too_long = f"the body is longer than {body_bytes:,} bytes"

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
            await _answer(headed, 400, "this server does not go by that name: use the address it was started with")
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > self.body_bytes:
            await _answer(headed, 413, self._too_long)
            return
        try:
            with PACE.answer() if scope["path"] in AT_ONCE else nullcontext():
                await self.app(scope, counted, headed)
        except Exception:
            if not started:
                await _answer(headed, 500, "the server failed: its log says why")
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


async def _answer(send: Any, status: int, text: str) -> None:
    body = to_json({"detail": text})
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
