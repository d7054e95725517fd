"""DRN, Storm's text format for explicit models: the readable twin of UMB, for one player.

A model is a head of lines that begin with @, then every node with its labels, below it its actions with what they count, and
below these the nodes they lead to with their probabilities, all of them whole numbers or fractions. What a position looks like
stands above it, after //. Spaces in the names of actions are written as _, since a space ends a name.

Storm refuses to ask for a reward that is 0 everywhere. Where it is, staying at the end counts 1: a formula of the kind
R{...} [F "end"], the only kind that such a game gets, does not look at what comes after the end.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import IO, Any

from rollwise.adapters.models.model import LOSS, Fractions, Model
from rollwise.adapters.models.question import Question
from rollwise.adapters.models.texts import Named, positions
from rollwise.model.game import Progress

__all__ = ["write_drn"]

NOBODY = "__NOLABEL__"
"""How Storm writes the action of a choice without a name."""


def write_drn(
    out: IO[bytes], model: Model, question: Question, names: Named, about: Mapping[str, Any], *,
    texts: bool, progress: Progress | None,
) -> None:  # fmt: skip
    """Write a model to an open file; with `texts`, with what the positions look like."""
    for line in chain(_head(model, question, about), _nodes(model, question, names, texts, progress)):
        out.write(line.encode(errors="backslashreplace") + b"\n")


def _head(model: Model, question: Question, about: Mapping[str, Any]) -> list[str]:
    parameters = "".join(f" {_line(name)}={_line(text)}" for name, text in about["parameters"].items())
    return [
        f"// rollwise {about['version']}: {_line(about['game'])}{parameters}, {about['objective']}",
        f"// {question.sentence}",
        "@type: MDP",
        "@value_type: rational",
        "@parameters",
        "",
        "@reward_models",
        f"{model.reward} {LOSS}" if question.turned else model.reward,
        "@nr_states",
        str(model.n_nodes),
        "@nr_choices",
        str(model.n_choices),
        "@model",
    ]


def _nodes(model: Model, question: Question, names: Named, texts: bool, progress: Progress | None) -> Iterator[str]:
    shown = positions(model.explored, None) if texts else repeat("")
    called = [_name(text) for text in names.texts]
    n_branches = _each(model.branch_counts())
    action = chain.from_iterable(block.tolist() for block in model.action_numbers(names.numbers, 0))
    chance, target = _fractions(model.chances()), _each(model.targets())
    reward = _both(_fractions(model.rewards()), _fractions(model.losses())) if question.turned else _fractions(model.rewards())
    labels = _labels(model)
    ones = "1,1" if question.turned else "1"
    empty = question.formula.endswith('[F "end"]') and not model.counts
    for node, n_choices in enumerate(_each(model.choice_counts())):
        if texts and node < model.first_end:
            yield f"// {_line(next(shown))}"
        yield f"state {node} {next(labels)}"
        for _ in range(n_choices):
            counted = next(reward)
            yield f"\taction {called[next(action)]} [{ones if empty and node >= model.first_end else counted}]"
            for _ in range(next(n_branches)):
                yield f"\t\t{next(target)} : {next(chance)}"
        if progress and node % 4096 == 0:
            progress("writing", node, model.n_nodes)


def _labels(model: Model) -> Iterator[str]:
    """Name the kinds of every node."""
    graph = model.graph
    yield "init roll"
    yield from repeat("roll", graph.n_pendings - 1)
    yield from ("over" if over else "move" for over in model.over.tolist())
    yield from ("end won", "end") if model.chance else ("end",)


def _each(blocks: Iterator[Any]) -> Iterator[int]:
    return chain.from_iterable(block.tolist() for block in blocks)


def _fractions(blocks: Iterator[Fractions]) -> Iterator[str]:
    for top, bottom in blocks:
        pairs = zip(top.tolist(), bottom.tolist(), strict=True)
        yield from (str(one) if below == 1 else f"{one}/{below}" for one, below in pairs)


def _both(rewards: Iterator[str], losses: Iterator[str]) -> Iterator[str]:
    return map(",".join, zip(rewards, losses, strict=True))


def _name(text: str) -> str:
    return "_".join(text.split()) or NOBODY


def _line(text: str) -> str:
    return " ".join(text.split())
