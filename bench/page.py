"""The page in Chromium: from a tap to the next advice in every game, and the server's memory before, after and when idle.

    python -m bench.page [GAME ...] [--cache DIR] [--no-idle]

Each game is opened with "Roll for me", and some moves are played. For every tap: milliseconds until the page awaits the next one
with its advice, as the page itself measures them, the server's CPU time in them, and the CPU time of the page's scripts and
layout. The grade after the last move is not counted. With a cache in which the games are, nothing is solved, only read. The last
row waits until the server gives memory back.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from bench.load import resident
from rollwise.games import CATALOGUE
from rollwise.web.limits import Limits

TAPS = 6
PATIENCE = 600_000
TAP = """async () => {
  const awaits = () => document.querySelector("[data-awaits]")?.dataset.awaits;
  const now = awaits();
  if (now === "end") return null;
  const begun = performance.now();
  document.querySelector(`[data-test="${now === "roll" ? "roll" : "play"}"]`).click();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  do await frame(); while (!["roll", "move", "dice", "end"].includes(awaits()));
  return awaits() === "end" ? null : performance.now() - begun;
}"""
READY = """() => ["roll", "move", "dice", "end"].includes(document.querySelector("[data-awaits]")?.dataset.awaits)"""


@contextmanager
def server(cache: str) -> Iterator[tuple[int, str]]:
    """Start a server; give its process and its address."""
    command = [sys.executable, "-m", "rollwise", "serve", "--port", "0", "--cache", cache]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not say where it is"
            yield process.pid, found[0]
        finally:
            process.terminate()


def cpu(pid: int) -> float:
    """Give the milliseconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def play(page: Page, pid: int, address: str, name: str) -> list[tuple[float, float, float]]:
    """Play some moves: for each tap the time to the next advice, the server's CPU time, and the page's."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics: Any = session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    page.goto(f"{address}#{name}?mode=roll")
    page.wait_for_function(READY)
    taps = []
    for _ in range(TAPS):
        sleep(0.3)  # what is asked for behind the advice, such as a chart, is not the tap's
        server_before, page_before = cpu(pid), busy()
        seconds = page.evaluate(TAP)
        if seconds is None:
            break
        taps.append((float(seconds), cpu(pid) - server_before, busy() - page_before))
    return taps


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=str(__doc__).partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all that come with the package")
    parser.add_argument("--cache", metavar="DIR", help="a folder that keeps solved games; default: a new one")
    parser.add_argument("--no-idle", action="store_true", help="do not wait until the server gives memory back")
    given = parser.parse_args(argv)
    names = given.games or list(CATALOGUE)
    with tempfile.TemporaryDirectory() as folder, server(given.cache or folder) as (pid, address), sync_playwright() as player:
        print(f"{'game':14} {'taps':>4} {'median ms':>9} {'slowest':>8} {'server CPU':>10} {'page CPU':>9} {'MiB':>6}")
        print(f"{'(at first)':14} {'':44} {resident(pid):6.0f}")
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            page = browser.new_page(reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            try:
                taps = play(page, pid, address, name)
                whole, served, drawn = zip(*taps, strict=True)
                middle = [statistics.median(part) for part in (whole, served, drawn)]
                figures = f"{len(taps):4} {middle[0]:9.0f} {max(whole):8.0f} {middle[1]:10.0f} {middle[2]:9.0f}"
            except Error as error:
                figures = f"{error!s:.44}".replace("\n", " ").ljust(44)
            page.close()
            print(f"{name:14} {figures} {resident(pid):6.0f}", flush=True)
        browser.close()
        if not given.no_idle:
            sleep(1.2 * Limits().idle_seconds)
            print(f"{'(idle)':14} {'':44} {resident(pid):6.0f}")


if __name__ == "__main__":
    main()
