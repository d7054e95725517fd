"""`rollwise serve`: the coach in the browser."""

import argparse
import sys
from collections.abc import Callable
from threading import Timer
from typing import Any

from rollwise.cli.shared import QUIET_SECONDS, add_command, add_place, cache_folder, warn
from rollwise.errors import GameError

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "serve", _serve, "start the coach: a web page and a JSON API on this machine",
        "rollwise serve\n  rollwise serve --port 8123 --open\n  curl http://127.0.0.1:8045/api/health",
    )  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8045, metavar="N", help="port to listen on (default 8045; 0: any free one)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--log", action="store_true", help="write a line for every request")
    parser.add_argument(
        "--max-seconds", type=float, default=300.0, metavar="S", help="stop a solve after S seconds (default 300)"
    )
    place = add_place(parser, "--threads", "--cache")
    place.add_argument(
        "--max-states", type=int, default=200_000, metavar="N",
        help="stop if a game has more positions to explore (default 200,000)",
    )  # fmt: skip


def _serve(options: argparse.Namespace) -> None:
    slow = Timer(QUIET_SECONDS, lambda: warn("starting ..."))
    slow.daemon = True
    if sys.stderr.isatty():
        slow.start()
    try:
        _listen(options, slow.cancel)
    finally:
        slow.cancel()


def _listen(options: argparse.Namespace, started: Callable[[], None]) -> None:
    try:
        from rollwise.web.limits import Limits
        from rollwise.web.server import serve
    except ModuleNotFoundError as error:
        raise GameError(f"the server needs the module {error.name}: pip install 'rollwise[web]'") from None
    if not options.max_seconds > 0 or options.max_states < 1:
        raise GameError("--max-seconds and --max-states: expected numbers above 0")

    def ready(addresses: list[str]) -> None:
        started()
        also = "".join(f"also at {address}\n" for address in addresses[1:])
        print(f"rollwise is at {addresses[0]} (Ctrl+C ends it)\n{also}", end="", flush=True)
        if options.open:
            import webbrowser
            from threading import Thread

            Thread(target=webbrowser.open, args=(addresses[-1],), daemon=True).start()

    directory = cache_folder(options)
    limits = Limits(seconds=options.max_seconds, states=options.max_states)
    serve(options.host, options.port, limits=limits, directory=directory, ready=ready, log=options.log)
    print("closed", file=sys.stderr)
