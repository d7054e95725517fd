"""`rollwise cache`: the cached solutions."""

import argparse
import re
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_options, print_json, show_value, table
from rollwise.errors import GameError, one_of
from rollwise.model.formatting import counted

if TYPE_CHECKING:
    from rollwise.cache import Entry

__all__ = ["add"]

ACTIONS = ("clear", "limit", "list", "verify")
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "cache", _cache, "list, verify, limit or clear the cached solutions",
        "rollwise cache list\n  rollwise cache verify --json\n  rollwise cache limit 2GB\n  rollwise cache clear",
    )  # fmt: skip
    parser.add_argument(
        "action",
        metavar="list|verify|limit|clear",
        help="list what is cached; verify all checksums; limit how large the cache may grow; remove everything",
    )
    parser.add_argument(
        "size",
        metavar="SIZE",
        nargs="?",
        help="for limit: the largest size, such as 2GB",
    )
    parser.add_argument("--cache", metavar="DIR", help="the cache folder to work on (default: the user's cache)")
    add_options(parser, "--json")


def _cache(options: argparse.Namespace) -> None:
    from rollwise import cache as cached

    one_of("action", options.action, ACTIONS)
    directory = Path(options.cache) if options.cache else cached.cache_directory()
    if options.action == "limit":
        _limit(options, directory)
        return
    if options.size is not None:
        raise GameError(f"cache {options.action} takes no {options.size!r}: a size belongs to 'rollwise cache limit SIZE'")
    found = {"clear": cached.clear, "list": cached.entries, "verify": cached.verify}[options.action](directory)
    left = cached.entries(directory) if options.action == "clear" else []
    if options.json:
        from rollwise.wire.to_json import describe_entry

        more = {"in_use": [describe_entry(entry) for entry in left]} if left else {}
        head = {"directory": str(directory), "limit": cached.limit_of(directory)}
        print_json({**head, "entries": [describe_entry(entry) for entry in found], **more})
    elif options.action == "clear":
        stays = f"; {len(left)} more that {'is' if len(left) == 1 else 'are'} in use stayed" if left else ""
        print(f"{_games(found)} removed from {directory}{stays}")
    else:
        _show(found, directory)
    faulty = [entry for entry in found if entry.fault]
    if options.action == "verify" and faulty:
        raise GameError(
            f"{len(faulty)} of {len(found)} stored games cannot be used; the next solve replaces them: {faulty[0].fault}"
        )


def _limit(options: argparse.Namespace, directory: Path) -> None:
    """Set how large a cache may grow, if a size is given, and say what holds."""
    from rollwise import cache as cached

    removed: list[Path] = []
    if options.size is not None:
        cached.set_limit(directory, _read_size(options.size))
        removed = cached.trim(directory)
    limit = cached.limit_of(directory)
    if options.json:
        print_json({"directory": str(directory), "limit": limit, "removed": [path.name for path in removed]})
    else:
        print(f"{_limited(limit)} in {directory}" + (f"; {counted(len(removed), 'entry', 'entries')} removed" if removed else ""))


def _read_size(text: str) -> int:
    """Read bytes with a unit of thousands, such as 2GB or 1.5T. Raises `GameError`."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([KMGT]?)B?", text.upper(), re.ASCII)
    size = round(float(found[1]) * UNITS[found[2]]) if found else 0
    if not 10**6 <= size <= 10**18:
        raise GameError(f"limit {text!r}: expected a size from 1MB to 1000000TB, such as 768GB or 1.5TB")
    return size


def _limited(limit: int | None) -> str:
    return "no limit" if limit is None else f"at most {limit / 1e9:g} GB"


def _show(found: "list[Entry]", directory: Path) -> None:
    from rollwise import cache as cached

    if found:
        table(["game", "objective", "value", "size", "cached since", "state"], [_row(entry) for entry in found])
    print(f"{_games(found)} in {directory} ({_limited(cached.limit_of(directory))})")


def _games(found: "list[Entry]") -> str:
    return f"{counted(len(found), 'solved game')}, {_size(sum(entry.bytes for entry in found))},"


def _row(entry: "Entry") -> tuple[str, ...]:
    name = " ".join([entry.name, *(f"{key}={value}" for key, value in entry.parameters.items())])
    value = "?" if isnan(entry.value) else show_value(entry.value)
    return name, entry.objective, value, _size(entry.bytes), entry.created[:16].replace("T", " "), entry.fault or "good"


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
