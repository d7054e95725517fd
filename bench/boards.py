"""Solve a board with captures, and say how long it took: `python -m bench.boards ur --pieces 5 --threads 2`."""

import argparse
import resource
from collections.abc import Sequence
from time import perf_counter, process_time

from rollwise import solve
from rollwise.games import load

PIECES = {"ur": "pieces", "hypergammon": "checkers"}


def main(argv: Sequence[str] | None = None) -> None:
    """Solve one board."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(PIECES))
    parser.add_argument("--pieces", type=int, default=3)
    parser.add_argument("--variant", default="finkel")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(argv)
    more = {"variant": given.variant} if given.game == "ur" else {}
    small = load(given.game, **{PIECES[given.game]: 1}, **more)
    solve(small, threads=1)  # kernels are compiled now
    begun, cpu, last = perf_counter(), process_time(), -60.0

    def progress(_: str, done: int, total: int | None) -> None:
        nonlocal last
        seconds = perf_counter() - begun
        if total and seconds - last >= 20:
            last = seconds
            print(f"  {seconds:6.0f} s: {done / total:.1%}", flush=True)

    solution = solve(load(given.game, **{PIECES[given.game]: given.pieces}, **more), threads=given.threads, progress=progress)
    seconds, peak = perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{given.game} {given.pieces} {more.get('variant', '')}: {float(solution.value()):.15g}")
    print(f"  error bound {solution.certificate.error_bound:.2e}, {solution.states:,} numbers")
    print(
        f"  {seconds:.1f} s with {given.threads} threads, {process_time() - cpu:.1f} s of CPU, {peak:.2f} GiB at most", flush=True
    )


if __name__ == "__main__":
    main()
