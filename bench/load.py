"""The server under load: many connections on the loopback, each playing games of its own and asking for advice at every move.

The server is a process of its own (`rollwise serve`), the clients share another. Positions come from games played with the
advice taken nine times out of ten, so that they are those of real play, and are written down before the clock starts. Every
answer is read in full; anything but 200 is an error. The server's memory is read while it runs.

The busy run asks for advice while other games are solved and left again, one by compiled code and one by Python's, charts that
take seconds are abandoned one after another, and streams of events are read.
"""

import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any

import rollwise
from rollwise.games import load
from rollwise.playing.roll_source import RollSource

CONNECTIONS = 32
SECONDS = 20
LONG = 300
BUSY = 600
STREAMS = 20
"""Streams of events that are read in the busy run."""
RATES = {"slots": 1000, "yatzy": 200}
"""Requests a second that the server has to answer in time."""
GAMES = {"slots": 400, "yatzy": 160}
START = "33561 2 all upper 0"
Other = Callable[[int, float], Coroutine[Any, Any, None]]


HEAD = ("advice asked for", "seconds", "requests/s", "errors", "median ms", "p99 ms", "slowest ms", "server MiB, early and late")
HOW = f"""One server process and one process with {CONNECTIONS} connections on the loopback of the machine above, each with
games of its own. Positions are those of played games; no answer is kept for another. At a given rate requests are due at even
times, and their time counts from then, whether or not they could be sent. As fast as it answers, each connection sends its next
request when the last one is answered, so that all {CONNECTIONS} are always waiting."""


@dataclass(frozen=True)
class Load:
    """What was asked of the server and how it did: requests a second, milliseconds, MiB."""

    what: str
    seconds: float
    requests: int
    errors: int
    middle: float
    late: float
    latest: float
    memory: tuple[float, float]

    def cells(self) -> tuple[str, ...]:
        """Give the texts of one line."""
        times = (f"{ms:.1f}" for ms in (self.middle, self.late, self.latest))
        rate = f"{self.requests / self.seconds:,.0f}"
        return (self.what, f"{self.seconds:.0f}", rate, str(self.errors), *times, f"{self.memory[0]:.0f}, {self.memory[1]:.0f}")


def measure_all() -> Iterator[Load]:
    """Measure each game at its rate and as fast as the server answers, then a mixture for five minutes."""
    requests = {name: list(positions(name, games)) for name, games in GAMES.items()}
    with running() as (port, process):
        for name in GAMES:
            wait_for(port, name)
        for name, rate in RATES.items():
            yield measure(f"{name}, {rate:,} a second", port, process.pid, requests[name], SECONDS, rate)
            yield measure(f"{name}, as fast as it answers", port, process.pid, requests[name], SECONDS)
        mixed = [request for pair in zip(requests["slots"], requests["yatzy"], strict=False) for request in pair]
        yield measure("slots and yatzy in turn, as fast as it answers", port, process.pid, mixed, LONG)


def measure_busy(seconds: float = BUSY) -> Load:
    """Measure advice while other games solve and charts are abandoned."""
    requests = list(positions("yatzy", GAMES["yatzy"]))
    with running() as (port, process):
        for name in ("yatzy", "yahtzee"):
            wait_for(port, name)
            wait_for_charts(port, name)
        what = f"yatzy, {RATES['yatzy']} a second, while games solve and charts are abandoned"
        return measure(what, port, process.pid, requests, seconds, RATES["yatzy"], others=(_abandon, _solve, _listen))


async def _abandon(port: int, end: float) -> None:
    """Ask for a chart that takes seconds, and go away after one."""
    chart = {"game": "yahtzee", "state": START, "action": "keep 33", "exact": True}
    while perf_counter() < end:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request("/api/outlook", chart))
        await asyncio.sleep(1.0)
        writer.transport.abort()
        await asyncio.sleep(0.5)


async def _solve(port: int, end: float) -> None:
    """Have games solved that take a while, and leave each after a second."""
    slots = ",".join(f"s{i}:" + "/".join(str(i * face % 13) for face in range(1, 9)) for i in range(40))
    asked = [{"game": "yahtzee", "parameters": {"rerolls": "10"}}, {"game": "slots", "parameters": {"slots": slots}}]
    number = 0
    while perf_counter() < end:
        _, answer = await _once(port, request("/api/solve?visitor=bench", asked[number % 2]))
        job = json.loads(answer)
        await asyncio.sleep(1.0)
        await _once(port, request(f"/api/solve/{job['id']}?visitor=bench", {}).replace(b"POST", b"DELETE", 1))
        number += 1


async def _listen(port: int, end: float) -> None:
    """Read streams of events, each again when it has ended."""
    known = json.loads((await _once(port, request("/api/solve", {"game": "yatzy"})))[1])

    async def stream() -> None:
        while perf_counter() < end:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /api/solve/{known['id']}/events HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n".encode())
            await reader.read()
            writer.close()
            await asyncio.sleep(2.0)

    await asyncio.gather(*(stream() for _ in range(STREAMS)))


def wait_for_charts(port: int, name: str) -> None:
    """Wait until the charts of a game are prepared."""
    chart = request("/api/outlook", {"game": name, "state": START, "action": "keep 33"})
    while asyncio.run(_once(port, chart))[0] == 202:
        sleep(0.5)


def positions(name: str, games: int) -> Iterator[bytes]:
    """Write down the requests of played games."""
    solution = rollwise.solve(load(name))
    game, random = solution.game, Random(5)
    source = RollSource(game, random)
    for _ in range(games):
        pending = game.start()
        while game.actions(state := source.draw(pending)):
            yield request("/api/advise", {"game": name, "state": game.show_state(state), "top": 1000, "reasons": 3})
            action = solution.best(state) if random.random() < 0.9 else random.choice(list(game.actions(state)))
            pending = game.play(state, action)


def request(path: str, body: Any) -> bytes:
    """Write an HTTP request."""
    text = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n"
    return head.encode() + text


@contextmanager
def running() -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Start the server on a free port with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rollwise", "serve", "--port", "0", "--cache", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found, "the server did not say where it is"
            yield int(found[1]), process
        finally:
            process.terminate()
            process.wait(60)


def post(port: int, path: str, body: Any) -> Any:
    """Ask once and read the answer."""
    status, answer = asyncio.run(_once(port, request(path, body)))
    assert status == 200, answer
    return json.loads(answer)


async def _once(port: int, text: bytes) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await _ask(reader, writer, text)
    finally:
        writer.close()


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes) -> tuple[int, bytes]:
    writer.write(text)
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head)
    return int(head[9:12]), await reader.readexactly(int(found[1]) if found else 0)


def wait_for(port: int, name: str) -> None:
    """Wait until a game is solved."""
    while post(port, "/api/solve", {"game": name})["status"] != "solved":
        sleep(0.2)


def measure(
    what: str, port: int, pid: int, requests: list[bytes], seconds: float, rate: float | None = None,
    others: Sequence[Other] = (),
) -> Load:  # fmt: skip
    """Send requests over all connections for some seconds: at a rate, or each as soon as the one before is answered."""
    asyncio.run(_drive(port, requests[: 4 * CONNECTIONS], 2.0, pid, None))
    times, errors, memory, took = asyncio.run(_drive(port, requests, seconds, pid, rate, others))
    times.sort()
    late = times[int(0.99 * len(times))]
    half = max(1, len(memory) // 5)
    change = statistics.mean(memory[half : 2 * half] or memory), statistics.mean(memory[-half:])
    return Load(what, took, len(times), errors, 1e3 * statistics.median(times), 1e3 * late, 1e3 * times[-1], change)


async def _drive(
    port: int, requests: list[bytes], seconds: float, pid: int, rate: float | None, others: Sequence[Other] = ()
) -> tuple[list[float], int, list[float], float]:
    times: list[float] = []
    memory: list[float] = []
    errors = 0
    begun = perf_counter()
    end = begun + seconds

    async def player(number: int) -> None:
        nonlocal errors
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        place = number * len(requests) // CONNECTIONS
        due = begun + number / rate if rate else begun
        while (now := perf_counter()) < end:
            if rate:
                await asyncio.sleep(max(0.0, due - now))
            asked = due if rate else now
            due += CONNECTIONS / rate if rate else 0.0
            status, _ = await _ask(reader, writer, requests[place % len(requests)])
            times.append(perf_counter() - asked)
            errors += status != 200
            place += 1
        writer.close()

    async def watch() -> None:
        while perf_counter() < end:
            memory.append(resident(pid))
            await asyncio.sleep(1.0)

    players = (player(number) for number in range(CONNECTIONS))
    await asyncio.gather(watch(), *players, *(other(port, end) for other in others))
    return times, errors, memory, perf_counter() - begun


def resident(pid: int) -> float:
    """Read the memory of a process in MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else 0.0
