"""Help for tests without a connection: servers that end when told, and a service worker that is there."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

__all__ = ["CONTROLLED", "Host", "app", "ask", "free_port", "kept"]

CONTROLLED = """() => new Promise((found) => {
  if (navigator.serviceWorker.controller) found();
  else navigator.serviceWorker.addEventListener("controllerchange", () => found(), { once: true });
})"""
"""Wait until the service worker has kept everything and answers."""
ASK = """async ([name, request]) => {
  const api = await import(document.querySelector("script[src]").src.replace("main.js", "api.js"));
  return api[name](request);
}"""
"""Ask as the page asks: the server, or the tables on this device."""


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Host:
    """Something that serves the page on a port of its own, and can be stopped and started again."""

    def __init__(self, command: list[str], port: int, path: str = "") -> None:
        self.command, self.port = command, port
        self.address = f"http://127.0.0.1:{port}/{path}"
        self.process: subprocess.Popen[str] | None = None

    @classmethod
    def server(cls, store: Path) -> "Host":
        """`rollwise serve`."""
        port = free_port()
        return cls([str(Path(sys.executable).parent / "rollwise"), "serve", "--port", str(port), "--cache", str(store)], port)

    @classmethod
    def folder(cls, folder: Path, path: str = "") -> "Host":
        """`python -m http.server`."""
        port = free_port()
        return cls([sys.executable, "-u", "-m", "http.server", str(port), "-b", "127.0.0.1", "-d", str(folder)], port, path)

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        assert re.search(r"http://", self.process.stdout.readline()), "the server did not say where it is"

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.communicate()
            self.process = None

    def __enter__(self) -> "Host":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextmanager
def app(browser: Browser, **options: Any) -> Iterator[Page]:
    """Give a page whose service worker may work; what is not caught in it is a fault."""
    context = browser.new_context(service_workers="allow", **options)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


def kept(page: Page) -> None:
    """Wait until the page is kept on the device."""
    page.evaluate(CONTROLLED)


def ask(page: Page, name: str, **request: Any) -> Any:
    """Ask what the page may ask."""
    return page.evaluate(ASK, [name, {"parameters": {}, **request}])
