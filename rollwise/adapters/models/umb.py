"""UMB, the unified Markov binary format: a tar of `index.json` and arrays, read by Storm, PRISM and Modest.

Written from the format's specification, version 1.0 (https://github.com/pmc-tools/umb). Everything is little-endian. Offsets have
64 bits, and one entry more than rows; truth values are bits, in whole words of 64; a rational is a signed numerator of 64 bits
and an unsigned denominator. Probabilities and rewards are rationals, in lowest terms. A choice that is nobody's (a roll, or what
follows an end) has the empty text for an action. The positions of a game in columns are its valuations, every column in whole
bytes. Those of other games are texts, in `positions/states`: laid out as the format lays out texts, but not listed in the index,
since Storm 2.0 refuses an index with texts of states, and passes over files it does not know.

The arrays are made and written a block at a time; the size of each is known before, since a tar says it first.
"""

import gzip
import json
import tarfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.adapters.models.model import LOSS, Fractions, Ints, Model
from rollwise.adapters.models.question import PLAYERS, Question
from rollwise.adapters.models.texts import Named, Variable, positions, valuations, variables
from rollwise.model.game import Progress

__all__ = ["write_umb"]

RATIONAL = {"type": "rational", "size": 128}
BOOLEAN = {"type": "bool", "size": 1}
LEVEL = 1
"""How hard to compress: the arrays are so regular that more effort takes longer and saves little."""
TAR_BLOCK = 512

Blocks = Iterator[npt.NDArray[Any]]


class _File(NamedTuple):
    """A file of the archive: its name, its size, and what makes its blocks."""

    name: str
    size: int
    blocks: Callable[[], Blocks]


def write_umb(
    out: IO[bytes], model: Model, question: Question, names: Named, about: Mapping[str, Any], *,
    texts: bool, compress: bool, progress: Progress | None,
) -> None:  # fmt: skip
    """Write a model to an open file; `about` says where it comes from, and with `texts` positions are written out."""
    index = _index(model, question, names, about)
    files = _files(model, names, _counted(model, question))
    columns = variables(model) if texts else []
    if columns:
        index["valuations"] = {"states": {"unique": True, "classes": [{"variables": list(map(_described, columns))}]}}
        size = sum(column.bits for column in columns) // 8
        files.append(_File("valuations/states/valuations.bin", size * model.n_nodes, lambda: valuations(model, columns)))
    elif texts:
        # The ends have names of their own.
        ends = ("won", "lost") if model.chance else ("end",)
        files += _strings("positions/states", chain(positions(model.explored, progress), ends))
    head = json.dumps(index, indent=2, ensure_ascii=False).encode(errors="backslashreplace")
    files.insert(0, _File("index.json", len(head), lambda: iter([np.frombuffer(head, dtype=np.uint8)])))
    if not compress:
        _write_tar(out, files, progress)
        return
    with gzip.GzipFile("", "wb", LEVEL, out, mtime=0) as archive:
        _write_tar(archive, files, progress)


def _index(model: Model, question: Question, names: Named, about: Mapping[str, Any]) -> dict[str, Any]:
    two = model.graph.two_players
    system: dict[str, Any] = {
        "time": "discrete",
        "#players": 2 if two else 1,
        "#states": model.n_nodes,
        "#initial-states": 1,
        "#choices": model.n_choices,
        "#choice-actions": len(names.texts),
        "#branches": model.n_branches,
        "#branch-actions": 0,
        "#observations": 0,
        "branch-probability-type": RATIONAL,
        **({"player-names": list(PLAYERS)} if two else {}),
    }
    labels = {name: {"alias": name, "applies-to": ["states"], "type": BOOLEAN} for name in model.labels()}
    return {
        "format-version": 1,
        "format-revision": 0,
        "model-data": {"name": about["game"], "description": about["described"], "comment": question.sentence},
        "file-data": {"tool": "rollwise", "tool-version": about["version"], "parameters": _parameters(question, about)},
        "transition-system": system,
        "annotations": {
            "rewards": {name: {"alias": name, "applies-to": ["choices"], "type": RATIONAL} for name in _counted(model, question)},
            "aps": labels,
        },
    }


def _counted(model: Model, question: Question) -> dict[str, Callable[[], Iterator[Fractions]]]:
    """Name what is counted, and what gives it."""
    return {model.reward: model.rewards, **({LOSS: model.losses} if question.turned else {})}


def _parameters(question: Question, about: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"formula": question.formula, "answer": question.text, "error": f"{question.error:.3g}"}
    return {"game": about["game"], "parameters": dict(about["parameters"]), "objective": about["objective"], **asked}


def _files(model: Model, names: Named, counted: Mapping[str, Callable[[], Iterator[Fractions]]]) -> list[_File]:
    """List the files but for the index."""
    nodes, choices, branches = model.n_nodes, model.n_choices, model.n_branches
    words = 8 * -(-nodes // 64)
    labels = model.labels()
    first = np.zeros(nodes, dtype=np.bool_)
    first[0] = True
    found = [
        _File("state-to-choices.bin", 8 * (nodes + 1), lambda: _offsets(model.choice_counts())),
        _File("state-is-initial.bin", words, partial(_bits, first)),
        _File("choice-to-branches.bin", 8 * (choices + 1), lambda: _offsets(model.branch_counts())),
        _File("branch-to-target.bin", 8 * branches, lambda: (block.astype("<u8") for block in model.targets())),
        _File("branch-to-probability.bin", 16 * branches, partial(_rationals, model.chances)),
        _File("actions/choices/values.bin", 4 * choices, lambda: model.action_numbers(names.numbers, 0)),
        *_strings("actions/choices", names.texts),
        *(
            _File(f"annotations/rewards/{name}/choices/values.bin", 16 * choices, partial(_rationals, give))
            for name, give in counted.items()
        ),
        *(_File(f"annotations/aps/{name}/states/values.bin", words, partial(_bits, nodes)) for name, nodes in labels.items()),
    ]
    if model.graph.two_players:
        found.append(_File("state-to-player.bin", 4 * nodes, lambda: (block.astype("<u4") for block in model.players())))
    return found


def _described(column: Variable) -> dict[str, Any]:
    return {"name": column.name, "type": {"type": "int" if column.signed else "uint", "size": column.bits}}


def _strings(place: str, texts: Iterable[str]) -> list[_File]:
    """Lay texts end to end, with where each begins."""
    whole, start = bytearray(), array("Q", [0])
    for text in texts:
        whole += text.encode(errors="backslashreplace")
        start.append(len(whole))
    return [
        _File(f"{place}/string-mapping.bin", 8 * len(start), lambda: iter([np.asarray(start, dtype="<u8")])),
        _File(f"{place}/strings.bin", len(whole), lambda: iter([np.frombuffer(whole, dtype=np.uint8)])),
    ]


def _offsets(counts: Iterator[Ints]) -> Blocks:
    """Add up the lengths of rows."""
    yield np.zeros(1, dtype="<u8")
    before = 0
    for block in counts:
        ends = before + np.cumsum(block, dtype=np.int64)
        yield ends.astype("<u8")
        before = int(ends[-1]) if len(ends) else before


def _bits(mask: npt.NDArray[np.bool_]) -> Blocks:
    yield np.packbits(np.pad(mask, (0, -len(mask) % 64)), bitorder="little")


def _rationals(give: Callable[[], Iterator[Fractions]]) -> Blocks:
    """Lay numerators and denominators side by side; neither is beyond 63 bits."""
    return (np.column_stack(block).astype("<i8", copy=False) for block in give())


def _write_tar(out: IO[bytes] | gzip.GzipFile, files: list[_File], progress: Progress | None) -> None:
    total, done = sum(file.size for file in files) >> 20, 0
    for file in files:
        entry = tarfile.TarInfo(file.name)
        entry.size = file.size
        out.write(entry.tobuf(tarfile.PAX_FORMAT))
        written = 0
        for block in file.blocks():
            out.write(np.ascontiguousarray(block).data)
            written += block.nbytes
            if progress:
                progress("writing megabytes", (done + written) >> 20, total)
        if written != file.size:
            raise RuntimeError(f"{file.name} has {written:,} bytes instead of {file.size:,}")
        done += written
        out.write(bytes(-written % TAR_BLOCK))
    out.write(bytes(2 * TAR_BLOCK))
