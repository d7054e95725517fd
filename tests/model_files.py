"""Plain readers of UMB and DRN files, written from the formats, and a plain solver of what they hold.

Nothing here shares code with what writes the files.
"""

import itertools
import json
import struct
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

SWEEPS = 20_000
FAR = 1e6


@dataclass(frozen=True)
class Choice:
    """An action: its name, what it counts by name, and the nodes it leads to."""

    action: str
    rewards: dict[str, Fraction]
    branches: list[tuple[int, Fraction]]


@dataclass(frozen=True)
class Process:
    """A model as it was read."""

    nodes: list[list[Choice]]
    labels: dict[str, set[int]]
    players: list[int]
    index: dict[str, Any] = field(default_factory=dict, compare=False)
    positions: list[str] = field(default_factory=list, compare=False)
    valuations: list[dict[str, int]] = field(default_factory=list, compare=False)


# UMB: https://github.com/pmc-tools/umb/blob/main/spec.md


def read_umb(path: Path) -> Process:
    """Read an archive by its index, and check all sizes that the format prescribes."""
    with tarfile.open(path) as archive:
        entries = archive.getnames()
        files = {name: archive.extractfile(name).read() for name in entries}  # type: ignore[union-attr]
    assert entries[0] == "index.json"
    index = json.loads(files.pop("index.json"))
    assert (index["format-version"], index["format-revision"]) == (1, 0)
    system = index["transition-system"]
    assert (system["time"], system["#branch-actions"], system["#observations"]) == ("discrete", 0, 0)
    n_nodes, n_choices, n_branches = system["#states"], system["#choices"], system["#branches"]
    choice_start = _offsets(files.pop("state-to-choices.bin"), n_nodes, n_choices)
    branch_start = _offsets(files.pop("choice-to-branches.bin"), n_choices, n_branches)
    target = _numbers(files.pop("branch-to-target.bin"), "Q", n_branches)
    chance = _rationals(files.pop("branch-to-probability.bin"), system["branch-probability-type"], n_branches)
    names = _texts(files, "actions/choices", system["#choice-actions"])
    action = _numbers(files.pop("actions/choices/values.bin"), "I", n_choices)
    rewards = {
        about["alias"]: _rationals(files.pop(f"annotations/rewards/{name}/choices/values.bin"), about["type"], n_choices)
        for name, about in index["annotations"]["rewards"].items()
    }
    labels = {
        about["alias"]: _bits(files.pop(f"annotations/aps/{name}/states/values.bin"), n_nodes)
        for name, about in index["annotations"]["aps"].items()
    }
    labels["init"] = _bits(files.pop("state-is-initial.bin"), n_nodes)
    assert len(labels["init"]) == system["#initial-states"]
    players = _numbers(files.pop("state-to-player.bin"), "I", n_nodes) if system["#players"] == 2 else [0] * n_nodes
    assert ("player-names" in system) == (system["#players"] == 2)
    positions = _texts(files, "positions/states", n_nodes) if "positions/states/strings.bin" in files else []
    valuations = _valuations(files, index["valuations"]["states"], n_nodes) if "valuations" in index else []
    assert not files, "every file is in the index"
    choices = [
        Choice(
            names[action[c]],
            {name: values[c] for name, values in rewards.items()},
            list(zip(target[low:high], chance[low:high], strict=True)),
        )
        for c, (low, high) in enumerate(itertools.pairwise(branch_start))
    ]
    nodes = [choices[low:high] for low, high in itertools.pairwise(choice_start)]
    return Process(nodes, labels, players, index, positions, valuations)


def _numbers(data: bytes, kind: str, count: int) -> list[int]:
    return list(struct.unpack(f"<{count}{kind}", data))


def _offsets(data: bytes, rows: int, end: int) -> list[int]:
    start = _numbers(data, "Q", rows + 1)
    assert start[0] == 0
    assert start[-1] == end
    assert start == sorted(start)
    return start


def _rationals(data: bytes, kind: dict[str, Any], count: int) -> list[Fraction]:
    assert kind == {"type": "rational", "size": 128}
    flat = struct.unpack("<" + count * "qQ", data)
    for top, bottom in zip(flat[::2], flat[1::2], strict=True):
        assert Fraction(top, bottom).denominator == bottom, "lowest terms"
    return [Fraction(top, bottom) for top, bottom in zip(flat[::2], flat[1::2], strict=True)]


def _bits(data: bytes, count: int) -> set[int]:
    assert len(data) == (count + 63) // 64 * 8
    number = int.from_bytes(data, "little")
    assert number >> count == 0
    return {i for i in range(count) if number >> i & 1}


def _texts(files: dict[str, bytes], place: str, count: int) -> list[str]:
    text = files.pop(f"{place}/strings.bin")
    start = _offsets(files.pop(f"{place}/string-mapping.bin"), count, len(text))
    return [text[low:high].decode() for low, high in itertools.pairwise(start)]


def _valuations(files: dict[str, bytes], about: dict[str, Any], count: int) -> list[dict[str, int]]:
    """Take records of bits apart, the first variable from the lowest bits."""
    (kind,) = about["classes"]
    data, bits = files.pop("valuations/states/valuations.bin"), sum(variable["type"]["size"] for variable in kind["variables"])
    assert len(data) * 8 == bits * count
    assert bits % 8 == 0
    found = []
    for low in range(0, len(data), bits // 8):
        number, values = int.from_bytes(data[low : low + bits // 8], "little"), {}
        for variable in kind["variables"]:
            size = variable["type"]["size"]
            value = number % (1 << size)
            value -= (1 << size) * (variable["type"]["type"] == "int" and value >> (size - 1))
            values[variable["name"]], number = value, number >> size
        found.append(values)
    assert not about["unique"] or len({tuple(values.values()) for values in found}) == count
    return found


# DRN: what Storm's parser of explicit models takes


def read_drn(path: Path) -> Process:
    """Read a text line by line."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("//")]
    body = lines.index("@model")
    head = lines[:body]
    assert head[:2] == ["@type: MDP", "@value_type: rational"]
    rewards = head[head.index("@reward_models") + 1].split()
    nodes: list[list[Choice]] = []
    labels: dict[str, set[int]] = {}
    for line in lines[body + 1 :]:
        first, *rest = line.split()
        if first == "state":
            assert int(rest[0]) == len(nodes)
            for label in rest[1:]:
                labels.setdefault(label, set()).add(len(nodes))
            nodes.append([])
        elif first == "action":
            name, counted = rest
            values = map(Fraction, counted.removeprefix("[").removesuffix("]").split(","))
            nodes[-1].append(Choice(name, dict(zip(rewards, values, strict=True)), []))
        else:
            colon, chance = rest
            assert colon == ":"
            nodes[-1][-1].branches.append((int(first), Fraction(chance)))
    assert int(head[head.index("@nr_states") + 1]) == len(nodes)
    assert int(head[head.index("@nr_choices") + 1]) == sum(map(len, nodes))
    return Process(nodes, labels, [0] * len(nodes))


# Solving


def answer(process: Process, formula: str) -> float:
    """Answer the formulas that models come with, by sweeping values until they stay."""
    plain = formula.removeprefix("<<first>> ")
    if plain == 'Pmax=? [F "won"]':
        goal, reward, best, begin = process.labels["won"], None, max, 0.0
    elif plain == 'R{"points"}max=? [C]':
        goal, reward, best, begin = set(), "points", max, 0.0
    elif plain == 'R{"points"}max=? [F "end"]':
        goal, reward, best, begin = process.labels["end"], "points", max, 0.0
    else:
        name = plain.removeprefix('R{"').removesuffix('"}min=? [F "end"]')
        assert name in ("cost", "loss", "points")
        # From above: what goes round for ever at no cost must not look good.
        goal, reward, best, begin = process.labels["end"], name, min, FAR
    return _sweep(process, goal, reward, best, begin)


def _sweep(process: Process, goal: set[int], reward: str | None, best: Callable[..., float], begin: float) -> float:
    worst: Callable[..., float] = min if best is max else max
    value = [begin] * len(process.nodes)
    for node in goal:
        value[node] = 1.0 if reward is None else 0.0
    rows = [
        [(float(choice.rewards[reward]) if reward else 0.0, [(to, float(p)) for to, p in choice.branches]) for choice in choices]
        for choices in process.nodes
    ]
    for _ in range(SWEEPS):
        change = 0.0
        for node in reversed(range(len(rows))):
            if node in goal:
                continue
            pick = worst if process.players[node] else best
            new = pick(gain + sum(p * value[to] for to, p in branches) for gain, branches in rows[node])
            change, value[node] = max(change, abs(new - value[node])), new
        if change < 1e-13:
            break
    (first,) = process.labels["init"]
    return value[first]
