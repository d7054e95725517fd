"""The rows of the table, in order: what is solved, by which tool, how, and the value it must give.

A row is either a call (a function `module:name` of this package, measured inside a fresh Python process after its imports and
warm-up) or a command (a whole process, measured from outside). The first row of a game is what the ratios are against, unless
`against` names another. This module imports nothing heavy: the driver has to stay small, because a started process inherits
the peak memory of the one that started it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from bench import commands

REDUCED = "ones,twos,threes,fours,fives,sixes,full-house,straight"
"""The boxes of the reduced yazy: as many as the general solvers finish in about a minute, model building included."""

EXACT = "rollwise exact"
REDUCED_VALUE = 109.41313514362437
DUEL_VALUE = 0.493970284139855
YAZY_VALUE = 165.75731870942550
PIG_VALUE = 0.530592725274
PAIRS_VALUE = 0.651200212282
SIDE_VALUE = 12.266187171800
WORDS_VALUE = 6.501952730693
YATZY_VALUE = 248.4399893778553
LOADED_VALUE = 285.6854447996914
"""Yatzy with dice whose 6 comes twice as often as any other face."""
YAHTZEE = {
    "free": ("american", 254.58960948196315),
    "forced": ("american+forced-joker", 254.58772873449593),
    "none": ("american+no-bonus", 245.87077451411164),
}
"""By joker rule: the peer's name for it and the known value. Without a joker there is no bonus for a second Yahtzee either."""


@dataclass(frozen=True)
class Row:
    """One measurement.

    `call` and `arguments`, or `command`: a function that gets a temporary folder and returns the `commands.Command` to start.
    A command runs `repeats` times (the median counts); a call decides by its length, unless it may run only `once`.
    """

    game: str
    tool: str
    call: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    command: Callable[[Path], commands.Command] | None = None
    known: float | None = None
    tolerance: float = 1e-9
    timeout: float = 300
    repeats: int = 1
    once: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    against: str = ""

    @property
    def name(self) -> str:
        return f"{self.game}/{self.tool}"


def _yazy() -> list[Row]:
    solve, known = "bench.ours:solve", YAZY_VALUE
    return [
        Row("yazy", "rollwise", solve, {"game": "yazy", "threads": 1, "engine": "sheet-numba"}, known=known),
        Row("yazy", "rollwise, no compiler", solve, {"game": "yazy", "threads": 1, "engine": "sheet-numpy"}, known=known),
        Row("yazy", "plain C++ -O3", command=commands.plain_cpp, known=known, timeout=900),
        Row("yazy", "yatzy-solver", "bench.peers.yatzy_solver:build", {"variant": "yazy"}),
        Row("yazy", "icepool", "bench.peers.icepool:decisions"),
    ]


def _reduced() -> list[Row]:
    game, boxes = "yazy, 8 boxes", {"boxes": REDUCED}
    given = {"game": "yazy", "parameters": boxes}
    ours = {**given, "threads": 1}
    horizon = 6 * len(REDUCED.split(",")) + 3
    small = {**ours, "parameters": {"boxes": "ones"}, "exact": True}
    known = REDUCED_VALUE
    return [
        Row(game, "rollwise", "bench.ours:solve", {**ours, "engine": "sheet-numba"}, known=known),
        Row(game, "rollwise, no compiler", "bench.ours:solve", {**ours, "engine": "sheet-numpy"}, known=known),
        Row(game, "quantecon", "bench.peers.quantecon:solve", {**given, "horizon": horizon}, known=known),
        Row(game, "stormpy sparse", "bench.peers.stormpy:solve", given, known=known),
        Row(game, "mdpsolver", "bench.peers.mdpsolver:solve", given, known=known, tolerance=1e-6),
        Row(game, EXACT, "bench.ours:solve", {**ours, "exact": True, "warm": small}, known=known, timeout=900),
        Row(game, "stormpy exact", "bench.peers.stormpy:solve", {**given, "exact": True}, known=known, against=EXACT),
    ]


def _sheet(name: str, game: str, parameters: Mapping[str, Any], variant: str, known: float | None) -> list[Row]:
    """Make the rows of one full score sheet: both solvers on one and on two cores."""
    rows = []
    for threads in (1, 2):
        ours = {"game": game, "parameters": parameters, "threads": threads}
        rows.append(Row(name, f"rollwise, {_count(threads)}", "bench.ours:solve", ours, known=known))
    for threads in (1, 2):
        tool, cores = f"yatzy-solver, {_count(threads)}", {"RAYON_NUM_THREADS": str(threads)}
        peer = "bench.peers.yatzy_solver:build"
        rows.append(Row(name, tool, peer, {"variant": variant}, known=known, environment=cores))
    return rows


def _count(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def _sheets() -> list[Row]:
    rows = _sheet("yatzy", "yatzy", {}, "yatzy-scandinavian", YATZY_VALUE)
    loaded = {"game": "yatzy", "parameters": {"weights": "1,1,1,1,1,2"}, "threads": 1}
    rows.append(Row("yatzy", "rollwise, 1 thread, loaded dice", "bench.ours:solve", loaded, known=LOADED_VALUE))
    rows += [Row("yatzy", tool, "bench.peers:too_large") for tool in ("quantecon", "stormpy", "mdpsolver")]
    for joker, (variant, known) in YAHTZEE.items():
        rows += _sheet(f"yahtzee, joker {joker}", "yahtzee", {"joker": joker}, variant, known)
    maxi = {"game": "maxi-yatzy", "parameters": {}, "threads": 1, "warm": {"game": "yatzy", "parameters": {}}}
    rows.append(Row("maxi-yatzy", "rollwise, 1 thread", "bench.ours:solve", maxi, timeout=1800))
    rows.append(Row("maxi-yatzy", "yatzy-solver", "bench.peers.yatzy_solver:build", {"variant": "maxi-yatzy"}))
    return rows


def _outlooks() -> list[Row]:
    """Make the rows about how a sheet may end: what is computed once and kept, and advice from it."""
    rows = []
    for game, known in (("yazy", YAZY_VALUE), ("yahtzee", YAHTZEE["forced"][1]), ("yatzy", YATZY_VALUE)):
        tool, given = "rollwise, 1 thread", {"game": game}
        rows.append(Row(f"outlook of {game}, kept once", tool, "bench.ours:outlook", given, known=known, once=True))
        rows.append(
            Row(f"outlook of {game}, 200 positions", tool, "bench.ours:advice_with_outlooks", given, known=200, once=True)
        )
    return rows


def _winning() -> list[Row]:
    """Make the rows about playing to win; no peer offers these."""
    solve = "bench.ours:targets"
    rows = [
        Row("yazy, every target", "rollwise, 1 thread", solve, {"game": "yazy", "target": 200}),
        Row("yatzy, every target", "rollwise, 1 thread", solve, {"game": "yatzy", "target": 250}, timeout=900, once=True),
    ]
    for precision, tolerance in (("float64", 1e-12), ("float32", 1e-6)):
        tool, given = f"rollwise, 2 threads, {precision}", {"game": "yazy", "precision": precision, "threads": 2}
        row = Row("yazy duel", tool, "bench.ours:duel", given, known=DUEL_VALUE, tolerance=tolerance, timeout=900, once=True)
        rows.append(row)
    return rows


def _general() -> list[Row]:
    """Make the rows about the general room: rules in columns or one position at a time, explored and solved as graphs."""
    solve, build, win = "bench.ours:solve", "bench.ours:build", '<<one>> Pmax=? [F "won"]'
    storm, text = "bench.peers.stormpy", "stormpy, PRISM text"
    pig, two = "pig to 100", "two-dice pig to 100"
    rows = [
        Row(f"{pig}, graph only", "rollwise", build, {"game": "pig", "warm": {"target": 5}}),
        Row(f"{pig}, graph only", text, f"{storm}:build_text", {"model": "pig", "constants": {"target": 100}, "win": win}),
        Row(
            pig,
            "rollwise, general engine",
            solve,
            {"game": "pig", "warm": _smaller("pig", target=40)},
            known=PIG_VALUE,
            once=True,
        ),
        Row(pig, "plain C++ -O3", command=commands.plain_pig_cpp, known=PIG_VALUE, repeats=3),
        Row(f"{two}, graph only", "rollwise", build, {"game": "two-dice pig", "warm": {"target": 5}}),
        Row(
            f"{two}, graph only", text, f"{storm}:build_text", {"model": "two_dice_pig", "constants": {"target": 100}, "win": win}
        ),
        Row(two, "rollwise, general engine", solve, _made("two-dice pig", {}, target=40), known=0.519558893861, once=True),
    ]
    return rows + _large() + _python()


def _large() -> list[Row]:
    """Make the rows about games of millions of positions for one player."""
    alone, holder = "two-dice pig against a holder", {"target": 216}
    made = _made("shut the box", {"tiles": 18, "dice": 4}, tiles=12)
    text = {"model": "pig_against_holder", "constants": {**holder, "hold": 20}, "win": 'Pmax=? [F "won"]'}
    words = _made("word dice", {"count": 6}, count=5)
    general = {"game": "word dice", "parameters": {"count": 6}}
    solve, storm, game = "bench.ours:solve", "bench.peers.stormpy", "word dice, 6 dice, as any game"
    return [
        Row("shut the box, 18 tiles, 4 dice", "rollwise, general engine", solve, made, known=0.0244303984, once=True),
        Row(f"{alone}, to 216", "rollwise, general engine", solve, _made(alone, holder, target=60), timeout=900, once=True),
        Row(f"{alone}, to 216", "stormpy, PRISM text", f"{storm}:solve_text", text, timeout=1800, once=True),
        Row(game, "rollwise, general engine", solve, words, known=WORDS_VALUE, once=True),
        Row(game, "stormpy sparse", f"{storm}:solve", general, known=WORDS_VALUE, tolerance=1e-5, timeout=900, once=True),
    ]


def _python() -> list[Row]:
    """Make the rows about rules that are asked one position at a time, and about whole processes of the general room."""
    beside, plain = "bench.ours:build_beside_rules", "plain pig to 100"
    boxes = {"game": "yazy", "parameters": {"boxes": REDUCED}}
    made = _made("plain pig", {}, target=40)
    return [
        Row(f"{plain}, graph only", "rollwise", beside, {"game": "plain pig"}, once=True),
        Row(plain, "rollwise, general engine", "bench.ours:solve", made, known=PIG_VALUE, once=True),
        Row("yazy, 8 boxes, graph only", "rollwise", beside, boxes, once=True),
        Row("solve slots.toml", "rollwise", command=commands.solve_file, known=13817 / 46656, tolerance=1e-6, repeats=3),
        Row("advise on a kept pig", "rollwise", command=commands.advise_kept_pig, repeats=3),
        Row("advise on a kept yahtzee", "rollwise", command=commands.advise_kept_yahtzee, repeats=5),
    ]


def _made(game: str, parameters: Mapping[str, Any], **smaller: Any) -> dict[str, Any]:
    """Give the arguments to solve a game, warmed on a smaller one."""
    return {"game": game, "parameters": parameters, "max_states": 20_000_000, "warm": _smaller(game, **{**parameters, **smaller})}


def _smaller(game: str, **parameters: Any) -> dict[str, Any]:
    """Give the arguments to solve a small game by the compiled sweeps, whether or not they were compiled before."""
    return {"game": game, "parameters": parameters, "engine": "sweep", "warm": {"game": "slots"}}


def _bear_off() -> list[Row]:
    two = _made("bear-off", {"players": 2, "checkers": 6, "start": "0/0/0/0/0/6"}, checkers=2, start="0/0/0/0/0/2")
    one = _made("bear-off", {"start": "0/0/0/0/0/15"}, start="0/0/0/0/0/4")
    pairs, side = "bear-off, two sides, 6 checkers", "bear-off, one side, 15 checkers"
    return [
        Row(pairs, "rollwise, 1 thread", "bench.ours:solve", {**two, "threads": 1}, known=PAIRS_VALUE),
        Row(pairs, "GNU Backgammon", command=commands.bear_off_of_two),
        Row(pairs, "GNU Backgammon, no cube", command=commands.bear_off_without_cube),
        Row(side, "rollwise, 1 thread", "bench.ours:solve", {**one, "threads": 1}, known=SIDE_VALUE),
        Row(side, "GNU Backgammon", command=commands.bear_off_of_one),
    ]


def _chosen_dice() -> list[Row]:
    call = "bench.ours:choose_dice"
    return [
        Row("six of 12 dice, 924 hands", "rollwise, 1 thread", call, {"kinds": 12, "threads": 1}),
        Row("six of 25 dice, 177,100 hands", "rollwise", call, {"kinds": 25}, timeout=900, once=True),
    ]


def _words() -> list[Row]:
    contest, answer = "words, 6 dice, 200,000 words", 4.614688625061
    return [
        Row(contest, "rollwise contest", command=commands.judge_words, known=answer, tolerance=1e-6),
        *(Row(f"words, {n} dice", "rollwise", "bench.ours:words", {"count": n}, timeout=600) for n in (7, 8, 9)),
    ]


def _groups() -> list[Row]:
    return [
        Row("groups, 100 cases of 50", "rollwise contest", command=commands.judge_groups),
        Row("groups, 80 dice of 80", "rollwise", "bench.ours:groups", {"total": 80}),
    ]


def _processes() -> list[Row]:
    return [
        Row("solve yazy, first run", "rollwise", command=commands.solve_yazy_cold, known=YAZY_VALUE, tolerance=1e-6, repeats=3),
        Row("solve yazy, later runs", "rollwise", command=commands.solve_yazy, known=YAZY_VALUE, tolerance=1e-6, repeats=3),
        Row("import rollwise", "rollwise", command=commands.import_rollwise, repeats=7),
        Row("rollwise --help", "rollwise", command=commands.help_text, repeats=7),
    ]


def _dice() -> list[Row]:
    hands = sum(comb(n + 5, 5) for n in range(1, 13))
    return [
        Row("hands of 1 to 12 dice", "rollwise", "bench.ours:hands", known=hands, once=True),
        Row("hands of 1 to 12 dice", "icepool", "bench.peers.icepool:hands", known=hands, once=True),
    ]


ROWS = (
    *_yazy(),
    *_reduced(),
    *_sheets(),
    *_outlooks(),
    *_winning(),
    *_general(),
    *_bear_off(),
    *_chosen_dice(),
    *_words(),
    *_groups(),
    *_processes(),
    *_dice(),
)
