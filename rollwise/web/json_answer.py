"""Answers as JSON: what is said in them is written in the language that the request asks for (`Accept-Language`)."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.datastructures import Headers
from starlette.responses import Response

from rollwise.texts import choose_language
from rollwise.texts.render import spoken

__all__ = ["Fault", "JsonAnswer", "one_line", "write_json"]

LONGEST_LINE = 500
"""Characters of a fault: what was sent is not sent back whole."""


class JsonAnswer(Response):
    """An answer that is written when it is sent, since messages wait for the language of the request."""

    def __init__(self, content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(None, status)
        self.content, self.more = content, headers or {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Write the answer and send it."""
        language = choose_language(Headers(scope=scope).get("accept-language", ""))
        headers = {**self.more, "content-language": language, "vary": "accept-language"}
        await Response(self.write(language), self.status_code, headers, "application/json")(scope, receive, send)

    def write(self, language: str) -> bytes:
        """Write the answer in a language."""
        return write_json(self.content, language)


class Fault(JsonAnswer):
    """A fault, in one line that is not too long."""

    def write(self, language: str) -> bytes:
        said = spoken(self.content, language)
        return write_json({**said, "detail": one_line(said["detail"])}, language)


def write_json(content: Any, language: str) -> bytes:
    """Write an answer as bytes, its messages in a language."""
    return to_json(spoken(content, language), inf_nan_mode="null")


def one_line(text: str) -> str:
    """Write a fault in one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}..."
