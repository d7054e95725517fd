"""stormpy: a sparse model of doubles or of rationals, best expected gain until the end of the game.

The model is explored by rollwise, or built by Storm itself from a text in PRISM's language (`bench/models`).
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import stormpy
from stormpy import build_model_from_drn, build_model_from_umb, datastructures, io, models

from bench.model import Model, explored_model
from bench.outcome import Outcome

MODELS = Path(__file__).parent.parent / "models"


def solve(game: str, parameters: Mapping[str, Any], exact: bool = False) -> Callable[[], Outcome]:
    """Solve a game with the sparse engine and its default method, sound for doubles and exact for rationals."""
    return lambda: _solve(game, parameters, stormpy.Rational if exact else float)


def _solve(game: str, parameters: Mapping[str, Any], number: type) -> Outcome:
    model, explored = explored_model(game, parameters)
    process = _process(model, number)
    best = "max" if model.maximise else "min"
    question = stormpy.parse_properties(f'R{{"gain"}}{best}=? [F "done"]')[0]
    begun = process_time()
    result = stormpy.model_checking(process, question)
    return Outcome(float(result.get_value(0)), explored, process_time() - begun)


def read(path: str, formula: str, exact: bool = False) -> Callable[[], Outcome]:
    """Read a model that `rollwise export` wrote, .umb or .drn, and answer a formula at its start."""
    return lambda: _read(path, formula, exact)


def _read(path: str, formula: str, exact: bool) -> Outcome:
    begun = process_time()
    process = _umb(path, exact) if path.endswith(".umb") else build_model_from_drn[stormpy.Rational if exact else float](path)
    built = process_time()
    result = stormpy.model_checking(process, stormpy.parse_properties(formula)[0], only_initial_states=True)
    return Outcome(float(result.get_value(process.initial_states[0])), built - begun, process_time() - built)


def _umb(path: str, exact: bool) -> Any:
    options = io.UmbImportOptions()
    options.value_type = io.UmbImportValueType.RATIONAL if exact else io.UmbImportValueType.DOUBLE
    options.build_choice_labeling = options.build_state_valuations = False
    return build_model_from_umb(path, options=options)


def _process(model: Model, number: type) -> Any:
    """Build the decision process; the last node is the end."""
    builder = datastructures.SparseMatrixBuilder[number](
        rows=model.n_choices,
        columns=model.n_nodes,
        entries=model.n_entries,
        has_custom_row_grouping=True,
        row_groups=model.n_nodes,
    )
    chances = _chances(model, number)
    builder.add_next_values(model.entry_choice().tolist(), model.entry_node.tolist(), chances, model.choice_start[:-1].tolist())
    labels = models.StateLabeling(model.n_nodes)
    for label, node in (("init", 0), ("done", model.n_nodes - 1)):
        labels.add_label(label)
        labels.add_label_to_state(label, node)
    gains = [number(gain) for gain in model.choice_gain.tolist()]
    rewards = {"gain": models.SparseRewardModel[number](optional_state_action_reward_vector=gains)}
    parts = models.SparseModelComponents[number](transition_matrix=builder.build(), state_labeling=labels, reward_models=rewards)
    return models.SparseMdp[number](parts)


def _chances(model: Model, number: type) -> list[Any]:
    """Divide weights by totals; equal fractions are made once, since a rational is slow to make."""
    totals = model.choice_total[model.entry_choice()]
    if number is float:
        return (model.entry_weight / totals).tolist()
    made: dict[tuple[int, int], Any] = {}
    pairs = list(zip(model.entry_weight.tolist(), totals.tolist(), strict=True))
    for weight, total in set(pairs):
        made[weight, total] = number(weight) / number(total)
    return [made[pair] for pair in pairs]


def build_text(model: str, constants: Mapping[str, int], win: str) -> Callable[[], Outcome]:
    """Build a text model; that is all where there are two players, for whom the sparse engine answers nothing."""
    program, _ = stormpy.instantiate_constants(stormpy.parse_prism_program(str(MODELS / f"{model}.prism")), dict(constants))
    question = stormpy.parse_properties(win, program)

    def call() -> Outcome:
        begun = process_time()
        built = stormpy.build_model(program, question)
        seconds = process_time() - begun
        return Outcome(None, note=f"build only: no solver for two players; {_about(built, seconds)}")

    return call


def solve_text(model: str, constants: Mapping[str, int], win: str) -> Callable[[], Outcome]:
    """Build a text model and solve it with the default method, whose bounds are sound and relative 1e-6 apart."""
    program, _ = stormpy.instantiate_constants(stormpy.parse_prism_program(str(MODELS / f"{model}.prism")), dict(constants))
    question = stormpy.parse_properties(win, program)

    def call() -> Outcome:
        begun = process_time()
        built = stormpy.build_model(program, question)
        seconds = process_time() - begun
        begun = process_time()
        result = stormpy.model_checking(built, question[0])
        solved = process_time() - begun
        start = next(iter(built.initial_states))
        return Outcome(
            float(result.get_value(start)), note=f"{_about(built, seconds)}; solve alone {solved:.1f} s; {result[start]}"
        )

    return call


def _about(built: Any, seconds: float) -> str:
    nodes = built.nr_states
    return f"build {seconds:.2f} s, {nodes:,} nodes, {built.nr_transitions:,} edges; {seconds / nodes * 1e9:,.0f} ns a node"
