"""Duels at size: `python -m bench.duels yacht crag` on a machine with a GPU prints what they come to, and how long.

Each is solved on the GPU and on the cores, and every layer is compared bit by bit; then the value is split into wins, ties and
losses, and games are played by the strategy, `--games N` of them. `--no-gpu` leaves the card out; `yazy:boxes=ones,straight`
names parameters.
"""

import argparse
import sys
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from bench.entry import run
from bench.gpu import alone
from rollwise import Duel, Solution, plan, simulate, solve
from rollwise.games import load
from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.sheets.backward import TurnRecursion
from rollwise.solvers.sheets.duel import DuelSolution
from rollwise.solvers.sheets.duel_arrays import DuelArrays, last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.kernels.duel_cuda import gpu_memory
from rollwise.solvers.sheets.kernels.rows_numba import numba_rows
from rollwise.solvers.sheets.reading import make_sheet_arrays


def main(words: Sequence[str]) -> None:
    """Measure the duels that are named."""
    parser = argparse.ArgumentParser(prog="python -m bench.duels")
    parser.add_argument("duels", nargs="+", metavar="DUEL")
    parser.add_argument("--no-gpu", action="store_true")
    parser.add_argument("--games", type=int, default=100_000)
    options = parser.parse_args(words)
    card = not options.no_gpu
    where = gpu_memory()[0] if card else "no card"
    print(f"## Duels\n\nMade by `python -m bench.duels`: {where}, {SolveOptions().threads} threads.\n", flush=True)
    for name in options.duels:
        _measure(name, card, options.games)


def _measure(name: str, card: bool, games: int) -> None:
    title, _, text = name.partition(":")
    game = load(title, **dict([text.split("=", 1)] if text else []))
    assert isinstance(game, Sheet)
    known = plan(game, Duel())
    print(f"### {name}\n\n{known.states:,} turn starts, {known.memory_bytes / 2**30:.1f} GiB\n", flush=True)
    _warm_up(card)
    if card:
        arrays = make_duel_arrays(make_sheet_arrays(game))
        for kind in (np.float32, np.float64):
            print(f"- layers alone on the GPU, {kind.__name__}: {alone(arrays, last_layer(arrays, 0.5, kind)):.2f} s", flush=True)
            _free()
    begun = perf_counter()
    solution = solve(game, Duel(), device="gpu" if card else "cpu")
    assert isinstance(solution, DuelSolution)
    spent = perf_counter() - begun
    print(f"- solved by {solution.engine} with all values copied back: {spent:.2f} s ({solution.seconds:.2f} s of it solving)")
    print(f"- first player: {solution.value():.12f}, error at most {solution.certificate.error_bound:.1e}", flush=True)
    if card:
        _compare(solution.duel, solution)
    _tell(solution, games)


def _warm_up(card: bool) -> None:
    """Compile everything before anything is measured."""
    small = load("yazy", boxes="ones")
    if card:
        solve(small, Duel(), device="gpu")
    solve(small, Duel()).split()


def _free() -> None:
    import cupy  # noqa: PLC0415  (only where there is a card)

    cupy.get_default_memory_pool().free_all_blocks()


def _compare(arrays: DuelArrays, solution: DuelSolution) -> None:
    """Work all layers out on the cores, and compare their bits."""
    begun, same = perf_counter(), 1
    for left, values in solve_layers(
        TurnRecursion(arrays, numba_rows), last_layer(arrays, 0.5, np.float64), Threads(SolveOptions().threads)
    ):
        same += np.array_equal(values.view(np.int64), np.asarray(solution.layers[left]).view(np.int64))
    print(f"- on the cores: {perf_counter() - begun:.1f} s, same bits in {same} of {arrays.n_layers} layers", flush=True)


def _tell(solution: Solution, games: int) -> None:
    begun = perf_counter()
    split = solution.split()
    told = f"wins {split.win:.12f}, ties {split.tie:.12f}, loses {split.loss:.12f}"
    print(f"- first player {told} ({perf_counter() - begun:.1f} s)", flush=True)
    begun = perf_counter()
    found = simulate(solution, games=games, seed=1)
    told = f"{found.mean:.4f}, {found.z_score:+.1f} standard errors from the value"
    print(f"- {games:,} games played: {told} ({perf_counter() - begun:.1f} s)\n", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
