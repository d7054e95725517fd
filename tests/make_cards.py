"""Search for the strategy cards that come with the package, and compute what their sheets show.

    python -m tests.make_cards yacht --seconds 120           better cards for a game, into `rollwise/cards/known/`
    python -m tests.make_cards yahtzee --seconds 0           no search: the figures of cards that have none yet
    python -m tests.make_cards --all --processes 14 --out DIR

A card of each wanted size is kept if it is good (`is_good`) and better than the shorter ones; a known card stays unless a better
one of its size is found. Games are solved first, with all processes' threads; each search then has a process of its own, which
shares the solved games. Cards are written before their figures, so a run that is cut short can be completed with `--seconds 0`.
"""

import argparse
import json
import multiprocessing
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import nice
from pathlib import Path
from time import monotonic

from rollwise.cards.evaluate import evaluator_of
from rollwise.cards.library import FOLDER, is_good
from rollwise.cards.search import find_card
from rollwise.errors import GameError
from rollwise.games import CATALOGUE, load
from rollwise.model.card import Card, read_card
from rollwise.reports.card_print import measure
from rollwise.solvers.base import card_evaluator
from rollwise.solvers.base.backends import at_most
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.solve import solve

KNOWN = Path(__file__).parents[1] / "rollwise" / "cards" / FOLDER
SHEETS, SMALL = (20, 30), (1, 3, 5, 10, 20)
"""The sizes that are kept, of score sheets and of other games."""
LARGE = {"maxi-yatzy": (30, 40)}
MODELS: dict[str, tuple[str, dict[str, str]]] = {
    "kniffel": ("yahtzee", {
        "ones": "einser", "twos": "zweier", "threes": "dreier", "fours": "vierer", "fives": "fünfer", "sixes": "sechser",
        "three-of-a-kind": "dreierpasch", "four-of-a-kind": "viererpasch", "small-straight": "kleine-strasse",
        "large-straight": "grosse-strasse", "yahtzee": "kniffel",
    }),
    "yacht-dice": ("yahtzee", {"yahtzee": "yacht", "chance": "choice"}),
    "maxi-yatzy": ("yatzy", {"full-house": "cabin", "yatzy": "maxi-yatzy"}),
}  # fmt: skip
"""Games whose cards are a start for the search in another one, with its words for theirs."""
MEASURING = 100.0
"""Seconds to compute how the games of a card end; beyond that its sheet does not say how often it is beaten."""
NEVER_SPENT = 1e12
"""Steps a second that no machine does: only the clock ends a search."""

solved: dict[str, Solution] = {}
"""The games of this run, solved before processes are forked."""
begun = monotonic()


def log(line: str) -> None:
    sys.stderr.write(f"{monotonic() - begun:6.1f} s  {line}\n")
    sys.stderr.flush()


def sizes_of(name: str) -> tuple[int, ...]:
    return LARGE.get(name, SHEETS if CATALOGUE[name].family == "sheets" else SMALL)


def all_games() -> list[str]:
    """List the games that have usual rules."""
    return [name for name, entry in CATALOGUE.items() if all(parameter.default for parameter in entry.parameters)]


def cards_in(folder: Path, name: str) -> dict[Path, Card]:
    """Read the cards of a game in a folder."""
    paths = (path for path in sorted(folder.glob(f"{name}-*.card")) if path.stem.rpartition("-")[0] == name)
    return {path: read_card(path.read_text(encoding="utf-8"), load(name).vocabulary()) for path in paths}


def models_of(name: str) -> Iterator[Card]:
    """Give the cards of a game, or of the game that is a model for it, without the lines that it has no words for."""
    model, words = MODELS.get(name, (name, {}))
    for path in cards_in(KNOWN, model):
        text = re.sub(r"[\w-]+", lambda word: words.get(word[0], word[0]), path.read_text(encoding="utf-8"))
        lines = text.splitlines()
        while lines:
            try:
                yield bare(read_card("\n".join(lines), load(name).vocabulary()))
                break
            except GameError as error:
                place = re.match(r"line (\d+)", str(error))
                lines = [] if place is None else lines[: int(place[1]) - 1] + lines[int(place[1]) :]


@contextmanager
def clock_only(name: str) -> Iterator[None]:
    """On a score sheet, let the clock alone end a search; elsewhere its parts share the effort."""
    before = card_evaluator.STEPS_A_SECOND, card_evaluator.OVERTIME
    if CATALOGUE[name].family == "sheets":
        vars(card_evaluator).update(STEPS_A_SECOND=NEVER_SPENT, OVERTIME=1.0)
    try:
        yield
    finally:
        vars(card_evaluator).update(STEPS_A_SECOND=before[0], OVERTIME=before[1])


def search(job: tuple[str, int, float]) -> tuple[str, dict[Card, float]]:
    """Search with a seed; give the best card of each size that was found, with its value."""
    name, seed, seconds = job
    solution, most = solved[name], sizes_of(name)[-1]
    known = [card for card in models_of(name) if card.size <= most]
    try:
        with clock_only(name):
            found = find_card(
                load(name), solution.objective, size=most, seconds=seconds, seed=seed, solution=solution, known=known
            )
    except GameError as error:
        log(f"{name}, seed {seed}: {error}")
        return name, {}
    values = ", ".join(f"{point.size}: {point.value:.6g}" for point in found.curve)
    log(f"{name}, seed {seed}: of {found.optimum:.6g}, by size {values}")
    return name, {replace(point.card, aim=""): point.value for point in found.curve}


def measured(job: tuple[Path, str, Card]) -> None:
    """Write the figures of a card beside it."""
    path, name, card = job
    solution, evaluator = solved[name], evaluator_of(solved[name])
    value, end = evaluator.value(bare(card)), monotonic() + MEASURING

    def in_time(*_: object) -> None:
        if monotonic() > end:
            raise GameError("how the games end takes too long")

    figures = measure(solution, card, value, evaluator.optimum, progress=in_time)
    path.with_suffix(".json").write_text(json.dumps(figures.as_dict(), separators=(",", ":")) + "\n", encoding="utf-8")
    log(f"{path.name}: {value!r} of {evaluator.optimum!r}, beaten {figures.beaten}")


def bare(card: Card) -> Card:
    """Give a card without what it was made for."""
    return replace(card, game="", aim="")


def choose(name: str, found: dict[Card, float], folder: Path) -> None:
    """Write the best card of each wanted size, if it is good and better than what is there."""
    evaluator = evaluator_of(solved[name])
    there = {bare(card): path for path, card in cards_in(folder, name).items()}
    sign = 1 if evaluator.higher else -1
    worth = {card: sign * value for card, value in (found | {card: evaluator.value(card) for card in there}).items()}
    best = -float("inf")
    for size in sizes_of(name):
        fitting = [card for card in worth if card.size <= size]
        card = max(fitting, key=lambda card: (worth[card], -card.size), default=None)
        if card is None or worth[card] <= best or not is_good(sign * worth[card], evaluator.optimum):
            continue
        best = worth[card]
        if card not in there:
            text = f"# {sign * best!r} of {evaluator.optimum!r}\n{replace(card, game=name)}"
            path = folder / f"{name}-{card.size}.card"
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".json").unlink(missing_ok=True)


def solve_all(names: Iterable[str]) -> None:
    for name in names:
        solved[name] = solve(load(name))
        log(f"{name} solved: {float(solved[name].value()):.10g}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.make_cards")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--all", action="store_true", help="all games with usual rules")
    parser.add_argument("--seconds", type=float, default=240.0, help="time of each search; 0: no search")
    parser.add_argument("--seeds", type=int, default=1, help="searches for each game")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=KNOWN, help="default: the package's folder")
    options = parser.parse_args()
    names, context = all_games() if options.all else options.games, multiprocessing.get_context("fork")
    options.out.mkdir(parents=True, exist_ok=True)
    with at_most(options.processes):
        solve_all(names)
    jobs = [(name, seed, options.seconds) for seed in range(options.seeds) for name in names]
    with at_most(max(1, options.processes // len(jobs))):
        if options.seconds:
            found: dict[str, dict[Card, float]] = {}
            with context.Pool(options.processes, nice, (5,), 1) as pool:
                for name, cards in pool.imap_unordered(search, jobs):
                    found.setdefault(name, {}).update(cards)
            for name, cards in found.items():
                choose(name, cards, options.out)
        todo = [
            (path, name, card) for name in names for path, card in cards_in(options.out, name).items()
            if not path.with_suffix(".json").exists()
        ]  # fmt: skip
        with context.Pool(options.processes, nice, (5,), 1) as pool:
            for _ in pool.imap_unordered(measured, todo):
                pass
    log("done")


if __name__ == "__main__":
    main()
