"""Measure a row in a process of its own, with a time limit, and never fail: what goes wrong is a reason in the result."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import perf_counter
from typing import Any

from bench.commands import Command
from bench.outcome import NotOffered
from bench.rows import Row

ROOT = Path(__file__).parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Result:
    """The figures of a row in seconds and MiB, or the reason why there are none."""

    row: Row
    value: float | None = None
    cpu: float | None = None
    wall: float | None = None
    memory: float | None = None
    explore: float | None = None
    solve: float | None = None
    note: str = ""
    reason: str = ""


@dataclass(frozen=True)
class _Ended:
    output: str
    errors: str
    code: int
    late: bool
    cpu: float
    wall: float
    memory: float


def measure(row: Row) -> Result:
    """Run the row's call or command and give its figures."""
    try:
        return _measure_command(row) if row.command else _measure_call(row)
    except NotOffered as reason:
        return Result(row, reason=str(reason))
    except (OSError, subprocess.SubprocessError) as error:
        return Result(row, reason=_phrase(f"failed: {error}"))


def _measure_call(row: Row) -> Result:
    ended = _start([sys.executable, "-m", "bench.worker", row.name], row, {}, None)
    if ended.late or ended.code:
        return Result(row, reason=_fault(row, ended))
    answer: dict[str, Any] = json.loads(ended.output.splitlines()[-1])
    if "reason" in answer:
        return Result(row, reason=_phrase(answer["reason"]))
    return Result(row, **answer)


def _measure_command(row: Row) -> Result:
    assert row.command is not None
    runs = []
    for _ in range(row.repeats):
        with tempfile.TemporaryDirectory() as folder:
            command = row.command(Path(folder))
            ended = _start(command.arguments, row, command.environment, command.stdin)
        if ended.late or ended.code:
            return Result(row, reason=_fault(row, ended))
        runs.append(ended)
    return _median(row, command, runs)


def _median(row: Row, command: Command, runs: list[_Ended]) -> Result:
    middle = sorted(runs, key=lambda run: run.cpu)[(len(runs) - 1) // 2]
    return Result(row, command.read(middle.output), middle.cpu, middle.wall, middle.memory, note=command.note)


def _start(arguments: list[str], row: Row, environment: Mapping[str, str], stdin: Path | None) -> _Ended:
    """Start a process in a group of its own, wait for it up to the row's limit, and read what it used."""
    given = {**os.environ, **ONE_THREAD, "COLUMNS": "200", **row.environment, **environment}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors, open(stdin or os.devnull) as source:  # noqa: PTH123
        begun = perf_counter()
        process = subprocess.Popen(
            arguments, stdin=source, stdout=output, stderr=errors, cwd=ROOT, env=given, start_new_session=True
        )
        late: list[bool] = []
        timer = Timer(row.timeout, lambda: (late.append(True), os.killpg(process.pid, signal.SIGKILL)))
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = perf_counter() - begun
        output.seek(0)
        errors.seek(0)
        texts = output.read(), errors.read()
    return _Ended(*texts, process.returncode, bool(late), used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def _fault(row: Row, ended: _Ended) -> str:
    if ended.late:
        return f"not finished after {row.timeout:.0f} s"
    if ended.code < 0:
        return f"failed: killed by {signal.Signals(-ended.code).name} at {ended.memory:.0f} MiB"
    last = ended.errors.strip().splitlines()[-1:] or ["no message"]
    return _phrase(f"failed: exit code {ended.code}, {last[0]}")


def _phrase(text: str) -> str:
    """Shorten a message to one line."""
    line = " ".join(text.split())
    return line if len(line) <= 140 else line[:137] + "..."
