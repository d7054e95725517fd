"""The calls of rollwise itself. Each function prepares (imports, one warm-up) and returns the call to measure."""

from collections.abc import Callable, Mapping
from math import isinf
from random import Random
from time import process_time
from typing import Any, Literal

import rollwise
from bench.games import make
from bench.inputs import climbed, count_below, random_words
from bench.outcome import NotOffered, Outcome
from rollwise import dice
from rollwise.games import load
from rollwise.model.weights import OwnDie
from rollwise.playing import choose
from rollwise.playing.distribution import quick_outlooks
from rollwise.solvers.sheets.outlook_build import build_outlook

Call = Callable[[], Outcome]


def solve(
    game: str,
    parameters: Mapping[str, Any] | None = None,
    threads: int | None = None,
    exact: bool = False,
    engine: str | None = None,
    warm: Mapping[str, Any] | None = None,
    max_states: int | None = None,
) -> Call:
    """Solve a game, rules included in the time; warmed by `warm`, or by solving the game itself once."""
    options: dict[str, Any] = {"exact": exact, "threads": threads, "engine": engine}
    if max_states is not None:
        options["max_states"] = max_states
    offered(game, parameters or {})

    def call() -> Outcome:
        solution = rollwise.solve(make(game, parameters), **options)
        return Outcome(float(solution.value()), note=_bound(solution))

    if warm is not None:
        solve(**warm)()
    else:
        call()
    return call


def offered(game: str, parameters: Mapping[str, Any]) -> None:
    """Make the game once, to say in one phrase if the catalogue lacks it."""
    try:
        make(game, parameters)
    except rollwise.RollwiseError as error:
        raise NotOffered(f"not available yet: {error}") from None


def choose_dice(kinds: int, threads: int | None = None) -> Call:
    """Find the best six of different dice for a turn of farkle, and prove it; warmed by the best two of four."""
    draw = Random(3)
    dice = {f"die {kind}": OwnDie(f"die {kind}", tuple(draw.randint(1, 6) for _ in range(6))) for kind in range(kinds)}
    rules = {"rules": "kcd"}
    choose.choose_dice("farkle", dict(list(dice.items())[:4]), 2, {**rules, "dice": 2}, threads=threads)

    def call() -> Outcome:
        found = choose.choose_dice("farkle", dice, 6, rules, threads=threads)
        return Outcome(found.ranked[0][1], note=f"gap {found.gap:.1g}, {found.solved} of {found.hands:,} hands solved")

    return call


def build(game: str, parameters: Mapping[str, Any] | None = None, warm: Mapping[str, Any] | None = None) -> Call:
    """Explore a game, with the rules it is made of; warmed on a smaller one."""

    def call() -> Outcome:
        begun = process_time()
        graph = rollwise.explore(make(game, parameters)).graph
        return Outcome(None, note=about_graph(graph, process_time() - begun))

    rollwise.explore(make(game, warm))
    return call


def about_graph(graph: rollwise.solvers.graph.explore.Graph, seconds: float) -> str:
    """Say how large an explored game is, and how fast it was."""
    nodes, edges = graph.n_states + graph.n_pendings, len(graph.action_pending) + len(graph.outcome_state)
    return f"{nodes:,} nodes, {edges:,} edges; {seconds / nodes * 1e9:,.0f} ns a node"


def build_beside_rules(game: str, parameters: Mapping[str, Any] | None = None) -> Call:
    """Explore a game that is written in Python; afterwards its rules are called on the same positions with nothing else done."""
    made = make(game, parameters)
    rollwise.explore(make(game, WARM[game]))

    def call() -> Outcome:
        begun = process_time()
        found = rollwise.explore(made)
        seconds = process_time() - begun
        return Outcome(None, note=lambda: f"{seconds / bare_calls(found):.2f} times the bare rule calls")

    return call


WARM: Mapping[str, Mapping[str, Any]] = {"plain pig": {"target": 5}, "yazy": {"boxes": "ones"}}


def bare_calls(found: rollwise.solvers.graph.explore.Explored) -> float:
    """Ask an explored game's rules about its positions, as often as exploring does; give the CPU seconds."""
    game = found.game
    gains, moves = (getattr(type(game), rule) is not getattr(rollwise.Game, rule) for rule in ("gain", "mover"))
    begun = process_time()
    for pending in found.pendings:
        game.roll(pending)
    for state in found.states:
        actions = game.actions(state)
        for action in actions:
            game.play(state, action)
            if gains:
                game.gain(state, action)
        if not actions:
            game.payoff(state)
        elif moves:
            game.mover(state)
    return process_time() - begun


def outlook(game: str) -> Call:
    """Compute how a score sheet may end from every turn start, on one thread; the value is the mean from the start."""
    small, solution = rollwise.solve(load("yazy", boxes="ones,twos")), rollwise.solve(load(game))
    build_outlook(small.form, small.floats, threads=1)  # type: ignore[attr-defined]

    def call() -> Outcome:
        found = build_outlook(solution.form, solution.floats, threads=1)  # type: ignore[attr-defined]
        (first,) = found.distributions([solution.begins_after(solution.game.start())])  # type: ignore[attr-defined]
        size = sum(array.nbytes for array in found.arrays.values())
        return Outcome(first.mean, note=f"{size / 1e6:,.1f} MB kept; chances within {found.worst:.5f}")

    return call


def advice_with_outlooks(game: str, positions: int = 200) -> Call:
    """Advise on positions met in random play, an outlook with every move, from what is kept; the value is how many there were."""
    solution = rollwise.solve(load(game))
    quick_outlooks(solution, [solution.game.start()], build=True)
    states = _met(solution.game, positions)

    def call() -> Outcome:
        times = []
        for state in states:
            begun = process_time()
            moves = rollwise.advise(solution, state).moves
            times.append(process_time() - begun)
            if any(move.outlook is None for move in moves):
                raise NotOffered("a move without its outlook")
        late = sorted(times)[int(0.95 * len(times))]
        return Outcome(len(times), note=f"{positions} positions, every move; 95 % of them within {1000 * late:.1f} ms")

    return call


def _met(game: Any, count: int) -> list[Any]:
    """Decisions of games in which every move is as likely as any other."""
    source, found = Random(1), list[Any]()
    while len(found) < count:
        pending = game.start()
        while True:
            rolls = game.roll(pending)
            state = source.choices(list(rolls), list(rolls.values()))[0]
            actions = list(game.actions(state))
            if not actions:
                break
            found.append(state)
            pending = game.play(state, source.choice(actions))
    source.shuffle(found)
    return found[:count]


def targets(game: str, target: int) -> Call:
    """Solve a score sheet for every target on one thread; warmed on two boxes of yazy."""
    rollwise.solve(load("yazy", boxes="ones,twos"), rollwise.AtLeast(4), engine="points-numba")

    def call() -> Outcome:
        solution = rollwise.solve(load(game), rollwise.AtLeast(target), engine="points-numba", threads=1)
        return Outcome(float(solution.value()), note=f"chance of {target}; {solution.pendings:,} values; {_bound(solution)}")

    return call


def duel(game: str, precision: Literal["float64", "float32"], threads: int) -> Call:
    """Solve a duel for its value, two layers in memory; warmed on two boxes."""
    rollwise.solve(load("yazy", boxes="ones,twos"), rollwise.Duel(), precision=precision)

    def call() -> Outcome:
        solution = rollwise.solve(load(game), rollwise.Duel(), precision=precision, threads=threads, keep="last")
        return Outcome(float(solution.value()), note=f"{solution.states:,} turn starts; {_bound(solution)}")

    return call


def words(count: int) -> Call:
    """Solve words with `count` different dice and a thousand words; warmed on four dice."""
    rollwise.solve(load("words", **_words(4))).value()
    given = _words(count)
    return lambda: _fewest(rollwise.solve(load("words", **given), threads=1), "1,000 words")


def _words(count: int) -> dict[str, list[str]]:
    symbols, found = random_words(count)
    return {"dice": symbols, "words": found}


def groups(total: int) -> Call:
    """Solve groups with `total` dice of as many faces and group sizes with many positions; warmed on 20 dice."""
    rollwise.solve(load("groups", faces=20, sizes=list(climbed(20)))).value()
    sizes = climbed(total)
    about = f"sizes {','.join(map(str, sizes))}, {count_below(sizes):,} positions"
    return lambda: _fewest(rollwise.solve(load("groups", faces=total, sizes=list(sizes)), threads=1), about)


def _fewest(solution: Any, about: str) -> Outcome:
    value = float(solution.value())
    return Outcome(None if isinf(value) else value, note=f"{about}; {_bound(solution)}")


def _bound(solution: Any) -> str:
    certificate = solution.certificate
    return "certified exact" if certificate.exact else f"certified to {certificate.error_bound:.0e}"


def hands() -> Call:
    """List the sorted hands of 1 to 12 dice with their weights; the value is the number of hands."""
    return lambda: Outcome(sum(len(dice(count)) for count in range(1, 13)))
