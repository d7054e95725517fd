"""The types of the page's scripts are those of the server's description."""

from tests.wire_types import WIRE, wire_types


def test_the_scripts_know_what_the_server_says() -> None:
    assert WIRE.read_text() == wire_types(), "the description has changed: run python -m tests.wire_types"
