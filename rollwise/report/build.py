"""One page about a solved game: its worth, why to trust that, how results spread, how simpler players fare, what is special.

The page is built as blocks (`report_page`) by the kind of game, and written as HTML or Markdown. It holds no times and no places,
so the same solution gives the same page.
"""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from rollwise.errors import GameError, RollwiseError
from rollwise.forms.base.blocks import ENDINGS, Block, Facts, Figure, Grid, Heading, Page, Prose, check_place, write_page
from rollwise.forms.base.pictures import Mark, Series, bar_list, bars, curve
from rollwise.forms.base.solution import Number, Solution
from rollwise.forms.graph.solution import GraphSolution
from rollwise.forms.partitions.solution import PartitionSolution
from rollwise.forms.rerolls.solution import RerollSolution
from rollwise.forms.sheets.expected import SheetSolution
from rollwise.forms.sheets.report import sheet_blocks
from rollwise.forms.sheets.solution import TurnSolution
from rollwise.forms.sheets.targets import PointsSolution
from rollwise.games import CATALOGUE
from rollwise.games.groups import Groups
from rollwise.games.sheet import Sheet
from rollwise.games.slots import Slots
from rollwise.games.words import Words
from rollwise.model.against import Against
from rollwise.model.at_least import AtLeast
from rollwise.model.expected import Expected
from rollwise.model.fewest import Fewest
from rollwise.model.game import Progress
from rollwise.model.lift import LiftedGame
from rollwise.model.notation import digits, fits_float, infinite
from rollwise.model.objectives import Winning
from rollwise.model.overrides import POINTS_RULES, overridden
from rollwise.model.policy import Greedy, Policy, Random
from rollwise.playing.evaluate import evaluate
from rollwise.playing.spread import Spread, spread, win_chance
from rollwise.report.costs import costly_moves, greedy_slips, has_greed, visits, words_for
from rollwise.report.rolls import groups_blocks, words_blocks
from rollwise.report.slots import SMALL, slots_blocks
from rollwise.solving.pick import unread
from rollwise.solving.solver import solve

__all__ = ["QUANTILES", "build_report", "spread_picture", "target_picture", "write_report"]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FOLLOWED = 3_000
"""Greedy and random play of a game of rolls are worked out up to this many states."""
WIDE = 25
TAIL = 1e-4
"""Beyond so many numbers, a tail less likely than this is not drawn."""


def write_report(
    solution: Solution,
    path: Path,
    *,
    name: str = "",
    parameters: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the page about a solution: .html holds everything, .md has its pictures beside it. Returns the files, the page last.

    Raises `GameError` for another ending or a place that cannot be written; then nothing is.
    """
    check_place(path, ENDINGS, "a report")
    page = build_report(solution, name=name, parameters=parameters, progress=progress)
    return write_page(page, path, f"Made by rollwise report. Fingerprint of the game: {solution.fingerprint}.")


def build_report(
    solution: Solution, *, name: str = "", parameters: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Page:
    """Put the page together.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> page = build_report(rollwise.solve(load("groups", faces="6", sizes="1,2")), name="groups")
    >>> page.title, [block.text for block in page.blocks if isinstance(block, Heading)][0]
    ('groups', 'Why this can be trusted')
    """
    solution = _companion(solution)
    name = name or type(_rules(solution)).__name__.lower()
    if not fits_float(solution.value()):
        raise GameError(f"the value is {digits(solution.value(), 3)}, too large for a report: use 'rollwise solve --exact'")
    if infinite(solution.value()):
        return Page(
            name, _subtitle(name, parameters, solution), [Prose("No strategy surely ends this game: the goal is impossible.")]
        )
    found, trouble = _followed(solution, progress)
    blocks: list[Block] = [
        Facts(_facts(solution, found)),
        Heading("Why this can be trusted"),
        Prose(_trust(solution)),
        Heading("How results spread"),
        *(_distribution(solution, found) if found else [Prose(trouble)]),
        *_players(solution, found, progress),
        *_special(solution, found, progress),
    ]
    return Page(name, _subtitle(name, parameters, solution), blocks)


def _rules(solution: Solution) -> Any:
    return solution.game.game if isinstance(solution.game, LiftedGame) else solution.game


def _companion(solution: Solution) -> Solution:
    """The form of the solution that the page needs: fractions for small slots, the compact form for words and groups."""
    game = solution.game
    if isinstance(game, Slots) and not solution.exact and solution.states <= SMALL:
        return solve(game, solution.objective, exact=True)
    return solution


def _compact(solution: Solution) -> Solution:
    """The same game in floating point, in its compact form where it has one."""
    if (
        isinstance(solution, GraphSolution)
        and isinstance(solution.game, Words | Groups)
        and isinstance(solution.objective, Fewest)
        and unread(solution.game, solution.objective) is None
    ):
        return solve(solution.game, solution.objective)
    if isinstance(solution, SheetSolution) and solution.exact:
        return solve(solution.game, solution.objective)
    return solution


def _subtitle(name: str, parameters: Mapping[str, str] | None, solution: Solution) -> str:
    entry = CATALOGUE.get(name)
    own = isinstance(solution.objective, type(_rules(solution).objective))
    summary = entry.summary if entry and own else entry.summary.partition(":")[0] if entry else ""
    parts = [summary[0].upper() + summary[1:]] if summary else []
    given = ", ".join(f"{key} = {value}" for key, value in (parameters or {}).items())
    parts += [given] if given else []
    aim = {"expected": "the highest expected total", "fewest": f"the fewest expected {solution.game.cost_word}"}
    if isinstance(solution.objective, Against):
        parts.append(f"Played {solution.objective}")
    else:
        target = solution.objective.target if isinstance(solution.objective, AtLeast) else 0
        parts.append(f"Played for {aim.get(str(solution.objective), f'a total of at least {target}')}")
    return ". ".join(parts) + "."


def _facts(solution: Solution, found: Spread | None) -> list[tuple[str, str]]:
    words = words_for(solution.objective, solution.game.cost_word)
    value = solution.value()
    rows = [(words.value, words.brief(value) if words.share else f"{float(value):.6f}")]
    if found:
        rows += [
            (f"mean {found.what}", f"{found.mean:.2f}"),
            ("standard deviation", f"{found.deviation:.2f}"),
            ("median", str(found.quantile(0.5))),
            ("nine in ten lie within", f"{found.quantile(0.05)} to {found.quantile(0.95)}"),
        ]
        if isinstance(solution.objective, Expected | Fewest):
            rows.pop(1)
        if found.bonus is not None:
            rows.append(("chance of the bonus", f"{100 * found.bonus:.2f} %"))
    if isinstance(value, Fraction) and value.denominator < 10**9:
        rows.insert(1, ("as a fraction", str(value)))
    size = "turn starts solved" if isinstance(solution, TurnSolution) else "positions solved"
    rows.append((size, f"{solution.states:,}"))
    return rows


def _trust(solution: Solution) -> str:
    """Say what was checked, and no more: on a graph everything, on a compact form what its certificate covers."""
    proof = solution.certificate
    if isinstance(solution, GraphSolution):
        checked = (
            "After solving, the result was checked position by position, from the numbers alone: following the strategy surely "
            "ends "
            "the game and attains the value, and no move anywhere improves on it."
        )
    elif isinstance(solution, TurnSolution):
        checked = (
            "Every turn fills a box, so the game surely ends, and each turn's value follows from those of the turns after it."
        )
    else:
        checked = "After solving, every roll was checked against the equation that the fewest expected rolls must satisfy."
    if proof.exact:
        return f"{checked} All numbers are fractions: nothing was rounded, and the difference is exactly 0."
    where = "in a sample of positions calculated in another way" if isinstance(solution, TurnSolution) else "by the check"
    return (
        f"{checked} The numbers are floating point; adding up every rounding that can have happened, the value is within "
        f"{_power(proof.error_bound)} of the truth. The largest difference found {where} is {_power(float(proof.residual))}."
    )


def _power(number: float) -> str:
    """Write a small number.

    >>> _power(0.00012), _power(0.0)
    ('1.2 · 10⁻⁴', '0')
    """
    if not number:
        return "0"
    digits, _, power = f"{number:.1e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits} · 10{raised}"


def _followed(solution: Solution, progress: Progress | None) -> tuple[Spread | None, str]:
    """The distribution under best play, or why there is none."""
    try:
        return spread(_compact(solution), progress=progress), ""
    except RollwiseError as error:
        return None, f"The distribution was not worked out: {error}."


def spread_picture(found: Spread, *, title: str, target: int | None = None) -> str:
    """Draw a distribution with its quantiles; with a target, the winning part in another colour."""
    marks = [Mark(found.quantile(q), f"{100 * q:.0f} %: {found.quantile(q)}") for q in QUANTILES]
    about = (
        f"Mean {found.mean:.2f}, standard deviation {found.deviation:.2f}; quantiles " + ", ".join(m.label for m in marks) + "."
    )
    numbers, shown = _visible(found)
    return bars(title, about, numbers[0], shown, found.what, numbers=numbers, marks=marks, split=target)


def _visible(found: Spread) -> tuple[list[int], list[float]]:
    """The numbers and their chances, without long tails of nearly nothing."""
    chance = [float(share) for share in found.chance]
    ends = []
    for order in (chance, chance[::-1]):
        total, cut = 0.0, 0
        while len(chance) > WIDE and total + order[cut] < TAIL:
            total, cut = total + order[cut], cut + 1
        ends.append(cut)
    seen = slice(ends[0], len(chance) - ends[1])
    return found.values[seen].tolist(), chance[seen]


def _distribution(solution: Solution, found: Spread) -> list[Block]:
    target = solution.objective.target if isinstance(solution.objective, AtLeast) else None
    caption = f"The exact chance of each number of {found.what} under best play; the dashed lines are quantiles."
    if len(_visible(found)[1]) < len(found.chance):
        caption += " Tails below 0.01 % are not drawn."
    if target is not None:
        caption += f" From {target} on, in the other colour, the game is won."
    rows = [(f"{100 * q:.0f} %", str(found.quantile(q))) for q in QUANTILES]
    return [
        Prose(f"Nothing is simulated here: the chances are followed through the game, {found.what[:-1]} by {found.what[:-1]}."),
        Figure(spread_picture(found, title=f"Distribution of {found.what} under best play", target=target), caption),
        Grid(["share of games", f"{found.what} at most"], rows),
    ]


class _Player(NamedTuple):
    """A way to play, what it is worth, and its distribution if there is one."""

    name: str
    value: Number
    found: Spread | None


def _players(solution: Solution, found: Spread | None, progress: Progress | None) -> list[Block]:
    """Best, greedy and random play compared; in a game for two there is no one to compare."""
    if isinstance(solution, GraphSolution) and solution.explored.graph.two_players:
        return []
    players = [_Player("best", solution.value(), found)]
    for name, policy in (("greedy", Greedy()), ("random", Random())):
        if name == "greedy" and not has_greed(solution.game):
            continue
        player = _player(solution, name, policy, progress)
        players += [player] if player else []
    if len(players) == 1:
        return []
    words = words_for(solution.objective, solution.game.cost_word)
    best = float(players[0].value)
    rows = [
        (
            player.name,
            words.show(player.value) if not infinite(player.value) else "may never end",
            "" if player.name == "best" else _gap(words, player, best),
        )
        for player in players
    ]
    blocks: list[Block] = [
        Heading("Against simpler players"),
        Prose(
            "Greedy takes what looks best at once and does not look ahead; random takes any move with the same chance. What they "
            "are worth is worked out by following the chances, not by simulation."
        ),
        Grid(["player", words.value, words.loss], rows),
    ]
    finite = [(player.name, float(player.value)) for player in players if not infinite(player.value)]
    lines = [Series(player.name, _survival(player.found)) for player in players if player.found is not None]
    if isinstance(solution.objective, Fewest) or len(lines) < 2:
        picture = bar_list(f"{words.value} by player", "Best, greedy and random play.", finite, show=words.brief)
        return [*blocks, Figure(picture, f"{words.value[0].upper()}{words.value[1:]} of each player.")]
    picture = curve("Chance of at least so many points", "One line for each of best, greedy and random play.", lines, "points")
    return [*blocks, Figure(picture, "The chance to end with at least so many points.")]


def _gap(words: Any, player: _Player, best: float) -> str:
    return words.cost(abs(float(player.value) - best))  # type: ignore[no-any-return]


def _survival(found: Spread) -> list[tuple[float, float]]:
    """Chances of at least each number, thinned to what a picture can show."""
    step = max(1, len(found.chance) // 120)
    numbers = [*found.values[::step].tolist(), found.highest + 1]
    if found.numbers is not None:
        numbers = sorted({*numbers, *(number + 1 for number in numbers[:-1])})
    return [(number, found.at_least(number)) for number in numbers]


def _player(solution: Solution, name: str, policy: Policy, progress: Progress | None) -> _Player | None:
    """What a policy is worth; None where the game is too large to say."""
    try:
        if isinstance(solution.objective, Fewest):
            return _Player(name, evaluate(solution.game, policy, max_states=FOLLOWED, progress=progress).value, None)
        found = spread(_compact(solution), policy, progress=progress)
    except RollwiseError:
        return None
    value = win_chance(found, solution.objective) if isinstance(solution.objective, Winning) else found.mean
    if isinstance(solution, GraphSolution) and solution.exact:
        return _Player(name, evaluate(_rules(solution), policy, solution.objective, exact=True).value, found)
    return _Player(name, value, found)


def _targets(solution: PointsSolution) -> list[Block]:
    """The best chance for every target, where the sheet was solved for one."""
    if not isinstance(solution.objective, AtLeast):
        return []
    return [
        Heading("Every target"),
        Prose("A higher target needs other decisions; each point of the line is the best chance for its own target."),
        Figure(target_picture(solution), "The best chance of at least so many points, by target."),
    ]


def target_picture(solution: PointsSolution) -> str:
    """Draw the best chance of at least t points over t."""
    chance = solution.curve()
    step = max(1, len(chance) // 200)
    points = [(t, float(chance[t])) for t in range(0, len(chance), step)]
    about = f"The best chance of at least t points, for every t from 0 to {len(chance) - 1}; each t is played for on its own."
    return curve("Best chance by target", about, [Series("best", [*points, (len(chance), 0.0)])], "points")


def _special(solution: Solution, found: Spread | None, progress: Progress | None) -> list[Block]:
    """The sections of the kind of game."""
    compact = _compact(solution)
    plain_slots = isinstance(solution.game, Slots) and not overridden(solution.game, Slots, POINTS_RULES)
    if plain_slots and isinstance(solution, GraphSolution):
        return slots_blocks(solution, progress)
    if isinstance(solution.game, Sheet) and isinstance(solution, SheetSolution):
        return sheet_blocks(solution, found, progress)
    if isinstance(solution, PointsSolution):
        return _targets(solution)
    if isinstance(compact, RerollSolution):
        return words_blocks(compact)
    if isinstance(compact, PartitionSolution):
        return groups_blocks(compact)
    if isinstance(solution, GraphSolution):
        seen = visits(solution)
        return [*costly_moves(solution, seen, solution.objective), *greedy_slips(solution, seen, solution.objective)]
    raise GameError(f"there is no report for {type(solution).__name__}")
