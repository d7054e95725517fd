"""Saved rolls at full size: `python -m bench.saved maxi-yatzy FOLDER` solves the sheet on all cores, and says what came out.

The layers are kept in the folder: killed at any time and started again, it goes on with the layer that was being computed. Only
NumPy and Numba are needed. `--threads N` and `--precision float32` are options; `--least-open N` stops at the layer with N open
boxes, and says what the whole would take.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time

from bench.entry import run
from rollwise.games.yatzy import MaxiYatzy, Yatzy
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layers import run_layers, solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.backward import TurnRecursion
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.saved_rolls import certify_saved, saved_recursion
from rollwise.solvers.sheets.saved_rolls_axis import count_saved, saved_layers

GAMES = {"yatzy": Yatzy, "maxi-yatzy": MaxiYatzy}
EVERY = 5.0
"""Seconds between two lines about how far it is."""


def main(words: Sequence[str]) -> None:
    """Solve a game, or some layers of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--precision", choices=("float64", "float32"), default="float64")
    parser.add_argument("--least-open", type=int)
    options = parser.parse_args(words)
    arrays = make_sheet_arrays(GAMES[options.game](saved_rolls=True))
    solve_options = SolveOptions(
        engine="saved-numba", precision=options.precision, backend=Threads(options.threads), checkpoint=options.folder,
        progress=_progress(), message=print,
    )  # fmt: skip
    recursion = saved_recursion(arrays, solve_options)[1]
    every, stored = count_saved(arrays)
    print(
        f"{options.game} with saved rolls: {every:,} turn starts, {sum(stored):,} stored, {solve_options.threads} threads",
        flush=True,
    )
    if options.least_open is not None:
        _some_layers(recursion, solve_options, options.least_open)
        return
    begun, used = perf_counter(), process_time()
    solve_in_layers(recursion, solve_options)
    seconds, core_seconds = perf_counter() - begun, process_time() - used
    proof = certify_saved(saved_layers(arrays), recursion.layers, options.precision)
    print(f"value {float(recursion.layers[arrays.n_boxes][0, 0])!r}, error at most {proof.error_bound:.1e}")
    print(f"residual {proof.residual:.1e}, in {seconds:.1f} s, {core_seconds:.1f} s of processors, {_memory():.1f} GiB at most")


def _some_layers(recursion: TurnRecursion, options: SolveOptions, most: int) -> None:
    """Compute the layers with the fewest open boxes, and measure each."""
    recursion.begin()
    sizes = [rows * columns for rows, columns in recursion.shapes]
    used = process_time()
    for layer in run_layers(recursion, options.backend):
        seconds, used = process_time() - used, process_time()
        print(f"{layer:2} open: {sizes[layer]:,} values, {seconds:.2f} s, {sizes[layer] / max(seconds, 1e-9):,.0f} a second")
        recursion.forget(layer - 1)
        if layer == most:
            break


def _progress() -> Callable[[str, int, int | None], None]:
    """Say now and then how far it is, how fast, and what is left."""
    begun = perf_counter()
    told, first = [begun], list[int]()

    def tell(what: str, done: int, total: int | None) -> None:
        now = perf_counter()
        first.append(done) if not first else None
        if total is None or now - told[0] < EVERY:
            return
        told[0] = now
        rate = (done - first[0]) / (now - begun)
        left = (total - done) / rate if rate else 0.0
        print(f"{what}: {done / total:.1%}, {rate:,.0f} a second, {left:.0f} s left", file=sys.stderr, flush=True)

    return tell


def _memory() -> float:
    """The most memory that was used, in GiB."""
    return getrusage(RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    sys.exit(run(main))
