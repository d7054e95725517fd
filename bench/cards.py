"""Strategy cards: `python -m bench.cards` prints how long computing one card takes, and what the search finds.

Times are processor seconds of one thread. Arguments: names of games; without any, those of `SEARCHES`. The searches take minutes;
`--seconds S` for each at most.
"""

import argparse
import sys
from collections.abc import Sequence
from time import process_time
from typing import Any

from bench.entry import run
from rollwise import solve
from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.search import find_card
from rollwise.games import load
from rollwise.model.card import Card, CardLine

CARDS = ("pig", "slots", "farkle", "shut-the-box", "threes")
SEARCHES: dict[str, tuple[int, float]] = {
    "pig": (5, 600.0), "slots": (30, 600.0), "farkle": (6, 120.0), "shut-the-box": (6, 60.0), "threes": (6, 30.0),
    "yazy": (20, 300.0), "yahtzee": (30, 600.0), "yatzy": (30, 600.0),
}  # fmt: skip


def main(words: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.cards")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args(words)
    games = options.games
    print("| game | rows | set up, s | a card, ms |\n|---|---:|---:|---:|")
    for name in [name for name in games or CARDS if name in CARDS]:
        print(_one_card(name), flush=True)
    print("\n| game | size | kind | value | optimum | loss | s |\n|---|---:|---|---:|---:|---:|---:|")
    for name in games or SEARCHES:
        _search(name, options.seconds)


def _one_card(name: str) -> str:
    solution = solve(load(name))
    begun = process_time()
    bench: Any = evaluator_of(solution)
    card = Card((CardLine(((),), next(iter(bench.words.verb))),))
    bench.value(card)
    ready = process_time()
    for _ in range(10):
        bench.value(card)
    return f"| {name} | {bench.words.rows:,} | {ready - begun:.2f} | {100 * (process_time() - ready):.2f} |"


def _search(name: str, most: float) -> None:
    size, seconds = SEARCHES.get(name, (6, 60.0))
    begun = process_time()
    found = find_card(load(name), size=size, seconds=min(seconds, most))
    for point in found.curve:
        spent = f"{process_time() - begun:.0f}" if point is found.curve[-1] else ""
        row = (name, point.size, point.card.kind, f"{point.value:.6g}", f"{found.optimum:.6g}", f"{point.loss:.4g}", spent)
        print(f"| {' | '.join(map(str, row))} |", flush=True)
    print(f"\n{found.card}", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
