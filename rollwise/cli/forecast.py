"""What a duel takes on the nodes of a cluster: the options of `solve --plan --nodes`, and what it prints."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rollwise.cli.duels import duel_layers
from rollwise.cli.shared import progress_bar
from rollwise.errors import GameError

if TYPE_CHECKING:
    from rollwise.cluster.schedule import Forecast, Machines
    from rollwise.solvers.sheets.duel_plan import DuelPlan

__all__ = ["add_nodes", "check_nodes", "describe_forecast", "foresee", "show_forecast"]

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
CORES, MEMORY, DISK, NETWORK, FAILURES = 64, "256G", "5G", "12.5G", 2000.0
MOST_WORKERS = 100_000
CAUSES = {
    "compute": "computing", "checksums": "checksums", "disk": "waiting for disks", "network": "waiting for the network",
    "driver": "starting chunks", "barrier": "waiting for the last chunks of a layer", "lost": "failed nodes",
}  # fmt: skip


def add_nodes(parser: Any) -> None:
    """Add the options of a plan for a cluster."""
    parser.add_argument("--nodes", type=int, metavar="N", help="with --duel --plan: simulate the solve on a cluster of N nodes")
    parser.add_argument("--memory", metavar="SIZE", help=f"memory of a node, such as 768G (default {MEMORY})")
    parser.add_argument("--cores", type=int, metavar="C", help=f"cores of a node (default {CORES})")
    parser.add_argument(
        "--cards", type=int, metavar="K", help="cards of a node, which then work instead of cores (as an H200 does)"
    )
    parser.add_argument("--disk", metavar="RATE", help=f"bytes a second to and from the disks of a node (default {DISK})")
    parser.add_argument("--network", metavar="RATE", help=f"bytes a second into a node (default {NETWORK}, which is 100 Gbit/s)")
    parser.add_argument(
        "--failures", type=float, metavar="HOURS", help=f"a node fails once in so many hours (default {FAILURES:.0f})"
    )
    parser.add_argument("--streamed", action="store_true", help="as if workers read only the rows they need, which is not built")


def check_nodes(options: argparse.Namespace) -> None:
    """Refuse options of a plan for nodes where there is none, or that are none."""
    given = [name for name in ("memory", "cores", "cards", "disk", "network", "failures") if getattr(options, name) is not None]
    given += ["streamed"] if options.streamed else []
    if options.nodes is not None and not (options.plan and options.duel):
        raise GameError("--nodes belongs to the plan of a duel: give --duel --plan")
    if given and options.nodes is None:
        raise GameError(f"--{given[0]} belongs to a plan for a cluster: give --duel --plan --nodes N")
    if options.nodes is not None:
        _machines(options)


def _machines(options: argparse.Namespace) -> "Machines":
    """Read the machines that the options describe. Raises `GameError`."""
    from rollwise.cluster.schedule import Machines

    cores = CORES if options.cores is None else options.cores
    cards = 0 if options.cards is None else options.cards
    for name, least in (("nodes", 1), ("cores", 1), ("cards", 1)):
        number = getattr(options, name)
        if number is not None and number < least:
            raise GameError(f"--{name} {number}: expected a number of at least {least}")
    if options.nodes * (cards or cores) > MOST_WORKERS:
        raise GameError(
            f"--nodes {options.nodes}: expected at most {MOST_WORKERS:,} workers, came {options.nodes * (cards or cores):,}"
        )
    hours = FAILURES if options.failures is None else options.failures
    if not 1 <= hours <= 1e9:
        raise GameError(f"--failures {hours:g}: expected hours between two failures of a node, from 1 to 1e9")
    return Machines(
        nodes=options.nodes, cores=cores, cards=cards, memory=_size(options, "memory", MEMORY),
        disk=_size(options, "disk", DISK), network=_size(options, "network", NETWORK), failure_hours=hours,
    )  # fmt: skip


def _size(options: argparse.Namespace, name: str, default: str) -> int:
    given = getattr(options, name)
    return read_size(f"--{name}", default if given is None else given)


def read_size(option: str, text: str) -> int:
    """Read bytes with a unit of thousands.

    >>> read_size("--memory", "768G"), read_size("--disk", "1.5TB")
    (768000000000, 1500000000000)

    Raises `GameError`.
    """
    short = text[:-1] if text[-2:-1].upper() in UNITS and text[-1:] in ("B", "b") else text
    number, unit = (short[:-1], short[-1]) if short[-1:].upper() in UNITS and short[-1:] else (short, "")
    if number.replace(".", "", 1).isdecimal() and number.isascii():
        size = round(float(number) * UNITS[unit.upper()])
        if 10**6 <= size <= 10**18:
            return size
    raise GameError(f"{option} {text!r}: expected bytes from 1M to 1000000T, such as 768G or 1.5T")


def foresee(options: argparse.Namespace) -> "tuple[DuelPlan, Forecast]":
    """Work out what the duel takes that the options describe, and simulate its solve."""
    from rollwise.cluster.rates import rates_of
    from rollwise.cluster.schedule import forecast

    machines, (plan, work) = _machines(options), duel_layers(options)
    rates = rates_of("gpu" if machines.cards else "cpu", options.precision or "float64")
    with progress_bar() as progress:
        return plan, forecast(work, machines, rates, streamed=options.streamed, progress=progress)


def describe_forecast(found: "Forecast", options: argparse.Namespace) -> dict[str, Any]:
    """Describe what was foreseen, and for which machines."""
    return {"cluster": {"machines": asdict(_machines(options)), "streamed": options.streamed, **asdict(found)}}


def show_forecast(found: "Forecast", options: argparse.Namespace) -> list[tuple[str, str]]:
    """Give what was foreseen as rows of a table."""
    machines = _machines(options)
    kind = f"{machines.cards} cards" if machines.cards else f"{machines.cores} cores"
    nodes = f"{machines.nodes} with {kind}, {_bytes(machines.memory)}, "
    nodes += f"disk {_bytes(machines.disk)}/s, network {_bytes(machines.network)}/s"
    memory = f"{_bytes(found.worker_bytes)} each; {found.workers_per_node} on a node"
    disk = f"{_bytes(found.kept_bytes)} kept, {_bytes(found.peak_bytes)} while they go into the store; "
    disk += f"with keep='last' {_bytes(found.least_peak_bytes)}"
    rows = [("nodes", nodes), ("workers", memory), ("layers on disk", disk)]
    if found.hours is None or found.hours_low is None or found.hours_high is None:
        return [*rows, ("hours", f"none: {found.why}")]
    shares = sorted(found.spent.items(), key=lambda item: -item[1])
    drivers = ", ".join(f"{CAUSES[cause]} {share:.0%}" for cause, share in shares if share >= 0.005)
    faults = f"{found.failures} failed nodes, {found.restarted} slow chunks started again, {found.compared} solved twice"
    return [
        *rows,
        ("hours", f"{_hours(found.hours)} ({_hours(found.hours_low)} to {_hours(found.hours_high)} over {found.seeds} seeds)"),
        ("into the store", f"{_hours(found.store_hours)} hours more, on one machine; with keep='last' none"),
        ("node hours", _hours(found.hours * machines.nodes)),
        ("chunks", f"{found.chunks:,}; {faults}"),
        ("bytes moved", f"{_bytes(found.network_bytes)} over the network, {_bytes(found.disk_bytes)} to and from disks"),
        ("workers' time", drivers),
        ("bottleneck", CAUSES[found.bottleneck or "compute"] + _left_idle(found, machines)),
    ]


def _left_idle(found: "Forecast", machines: "Machines") -> str:
    """Say that there is not memory for a worker on each core, if so."""
    there, kind = (machines.cards, "cards") if machines.cards else (machines.cores, "cores")
    idle = there - found.workers_per_node
    return f"; memory leaves {idle} of {there} {kind} idle" if idle else ""


def _bytes(size: float) -> str:
    unit, name = next((unit, name) for name, unit in reversed(UNITS.items()) if size >= unit or unit == 1)
    return f"{size / unit:,.3g} {name}B" if size < 1000 * unit else f"{size / unit:,.0f} {name}B"


def _hours(hours: float) -> str:
    return f"{hours:,.1f}" if hours >= 1 else f"{hours:.3g}"
