"""`rollwise cluster`: how far a solve on a cluster is."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_options, print_json, table
from rollwise.errors import one_of

if TYPE_CHECKING:
    from rollwise.cluster.status import Status

__all__ = ["add"]


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "cluster", _cluster, "show the progress of a solve on a cluster",
        "rollwise solve yazy --objective duel --cluster local:2 --cache solved\n  rollwise cluster status solved\n"
        "  rollwise cluster status solved --json",
    )  # fmt: skip
    parser.add_argument("action", metavar="status", help="progress of a running or stopped solve")
    parser.add_argument("folder", metavar="FOLDER", help="the folder given to solve --cache")
    add_options(parser, "--json")


def _cluster(options: argparse.Namespace) -> None:
    from dataclasses import asdict

    from rollwise.cluster.status import find_runs, read_status

    one_of("action", options.action, ("status",))
    found = [read_status(path) for path in find_runs(Path(options.folder))]
    if options.json:
        print_json({"solves": [asdict(status) for status in found]})
        return
    for status in found:
        table(["", status.folder], _rows(status))


def _rows(status: "Status") -> list[tuple[str, str]]:
    driver = f" by process {status.driver['pid']} on {status.driver['host']}" if status.driver else ""
    share = status.work_done / status.work if status.work else 1.0
    rows = [
        ("solve", status.title),
        ("state", status.state + driver),
        ("done", f"{share:.1%}: {status.work_done:,} of {status.work:,}"),
        ("layers", f"{status.layers_done} of {status.layers}"),
        ("chunks", f"{status.chunks_done:,} done; {status.checked} computed twice and compared"),
        ("bytes", f"{status.bytes_done / 1e6:,.1f} of {status.bytes / 1e6:,.1f} MB"),
        ("rate", f"{status.rate:,.0f} a second; {status.cpu_seconds:,.1f} s of processor time so far"),
        ("time left", _left(status)),
        ("memory", f"at most {status.worker_memory / 2**20:,.0f} MiB in a worker, beside mapped files"),
        ("nodes", ", ".join(f"{node} ({chunks:,} chunks)" for node, chunks in status.nodes.items()) or "none yet"),
        ("faults", ", ".join(f"{count} {kind}" for kind, count in status.faults.items()) or "none"),
    ]
    return [*rows, *(("", line) for line in status.last_faults[-3:])]


def _left(status: "Status") -> str:
    if status.state == "finished":
        return "none"
    if status.state == "stopped":
        return "give the command again to go on"
    return "not known yet" if status.seconds_left is None else f"{status.seconds_left:,.0f} s at this rate"
