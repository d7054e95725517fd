"""Tables: a solved game as one small file, from which the page answers without a server.

    pack_table(solution, asked) -> bytes                     the table of a solved game; raises `GameError` ("too large ...")
    describe_table(content, asked, title, file) -> Entry     its row for the manifest
    write_manifest(entries, path)                            `tables.json`: what the page finds tables by

The manifest is `{"version": 1, "games": the catalogue, "tables": [entry, ...]}`; an entry says which question a table answers
(`game`, or the `source` of a game file as the SHA-256 of its text; `parameters` as requested; `objective`, null for the
game's own) and where it is (`file`, beside the manifest; `bytes`; `sha`, the SHA-256 of the file).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from rollwise import __version__
from rollwise.errors import GameError
from rollwise.model.abilities import unlifted
from rollwise.model.game import Progress
from rollwise.model.ids import id_seed
from rollwise.model.message import Message, Text
from rollwise.model.view import view_of
from rollwise.playing.distribution import distribution, quick_outlooks
from rollwise.playing.mistakes import mistake_thresholds
from rollwise.solvers.base.abilities import Tabulates, ability
from rollwise.solvers.base.distribution import Follow
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.tabulated import Tabulated
from rollwise.texts.render import spoken
from rollwise.web.jobs import Job, describe_job, describe_result
from rollwise.web.limits import make_objective
from rollwise.web.puzzle_pool import puzzle_pool
from rollwise.web.strategy_cards import known_answer
from rollwise.web.table_file import write_file
from rollwise.web.table_graph import tabulate_graph
from rollwise.wire.to_json import describe_catalogue, describe_distribution, describe_rules

__all__ = ["MOST_BYTES", "Asked", "Entry", "describe_table", "pack_table", "write_manifest"]

Json = dict[str, Any]

VERSION = 1
MOST_BYTES = 4_000_000
"""Bytes of a table: what a page may be asked to load."""
MANY = 2
"""Positions of a byte: more are not packed into one."""
QUANTA = tuple(float(f"1e{power}") for power in range(-8, 10))
"""What values are rounded to, the finest for which a table is small enough: half of it is their error."""
FINEST = {False: 1e-6, True: 1e-8}
COARSEST = 1e-4
"""What values are rounded to at the finest, points and then chances, and at the coarsest, but for values of millions."""
MOST_NUMBER = 1 << 29
"""What rounded values are below, so that their differences fit into 32 bits."""
SHORT = 32_000
"""Places through which a whole game is followed in a moment."""
WORK_BYTES = 1 << 30
"""Memory to follow a whole game with."""


@dataclass(frozen=True)
class Asked:
    """The question that a table answers, as a page asks it: a game of the catalogue by name, or the text of a game file."""

    game: str | None = None
    file: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    objective: str | None = None


@dataclass(frozen=True)
class Entry:
    """A row of the manifest."""

    game: str | None
    source: str | None
    parameters: dict[str, str]
    objective: str | None
    title: Text
    file: str
    bytes: int
    sha: str

    def as_dict(self) -> dict[str, Any]:
        """Give it in JSON types, but for the title, which may be a message."""
        return {**vars(self)}


def pack_table(solution: Solution, asked: Asked, *, thorough: bool = False, progress: Progress | None = None) -> bytes:
    """Pack a solved game into a table. Raises `GameError` for one that is too large, or of a kind that no table holds.

    `thorough` computes first how games may end, which takes longer than packing; else only what is there already is kept.
    """
    title = asked.game or view_of(unlifted(solution.game)).title
    if solution.states > MANY * MOST_BYTES:
        raise _too_large(title, solution.size())
    found = ability(solution, Tabulates).tabulate(Follow(WORK_BYTES, progress), build=thorough)
    found = found or tabulate_graph(solution, title, progress)
    header = _header(solution, asked, found, thorough, progress)
    for quantum, full in _ways(solution, found):
        values = np.round(found.values / quantum).astype(np.int64)
        about = {**header, **(found.more_about if full else {}), "quantum": quantum}
        content = write_file(about, {**found.arrays, "values": values, **(found.more if full else {})})
        if len(content) <= MOST_BYTES:
            return content
    raise _too_large(title, found.count)


def _ways(solution: Solution, found: Tabulated) -> Iterator[tuple[float, bool]]:
    """What to round values to, and whether all is kept: the best way first."""
    largest = float(np.abs(found.values).max(initial=0))
    finest = next(quantum for quantum in QUANTA if quantum >= FINEST[solution.objective.wins] and largest / quantum < MOST_NUMBER)
    coarser = [quantum for quantum in QUANTA if finest < quantum <= COARSEST]
    yield finest, True
    yield from ((quantum, True) for quantum in coarser)
    yield [finest, *coarser][-1], False


def _too_large(title: str, count: str) -> GameError:
    return GameError(Message("server.table.bytes", {"title": title, "count": count, "bytes": MOST_BYTES}))


def _header(solution: Solution, asked: Asked, found: Tabulated, thorough: bool, progress: Progress | None) -> Json:
    """What a page receives at once: the job as the server describes it, the rules, how a whole game may end."""
    game, objective = solution.game, solution.objective
    about = {
        "kind": found.kind, "made_by": f"rollwise {__version__}", **found.about, "job": _job(solution, asked),
        "rules": describe_rules(unlifted(game)), "distribution": _whole(solution, thorough, progress),
        "severities": dict(mistake_thresholds(solution).thresholds), "counts": objective.counts, "adds": objective.adds,
        "seed": id_seed(game), "puzzles": puzzle_pool(solution, progress),
        "card": known_answer(asked.game) if asked.game and not asked.parameters and asked.objective is None else None,
    }  # fmt: skip
    return dict(spoken(about, None))


def _job(solution: Solution, asked: Asked) -> Json:
    game = unlifted(solution.game)
    aim = make_objective(asked.objective)
    job = Job("table", asked.game, dict(asked.parameters), game, aim, status="solved", solution=solution)
    job.result = describe_result(solution)
    job.result["opponents"] = [name for name in job.result["opponents"] if name == "optimal"]
    return describe_job(None, job)


def _whole(solution: Solution, thorough: bool, progress: Progress | None) -> Json | None:
    """How a whole game may end, as far as that is there or can be followed."""
    try:
        kept = None if thorough else quick_outlooks(solution, [solution.game.start()], max_bytes=WORK_BYTES)
        if not kept and not thorough and solution.states + solution.pendings > SHORT:
            return None
        return describe_distribution(kept[0] if kept else distribution(solution, max_bytes=WORK_BYTES, progress=progress))
    except GameError:
        return None


def describe_table(content: bytes, asked: Asked, title: Text, file: str) -> Entry:
    """Give the row of the manifest for a packed table."""
    source = None if asked.file is None else sha256(asked.file.encode()).hexdigest()
    digest = sha256(content).hexdigest()
    return Entry(asked.game, source, dict(asked.parameters), asked.objective, title, file, len(content), digest)


def write_manifest(entries: Iterable[Entry], path: Path) -> None:
    """Write what the page finds tables by."""
    content = {"version": VERSION, "games": describe_catalogue(), "tables": [entry.as_dict() for entry in entries]}
    path.write_text(json.dumps(spoken(content, None), separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
