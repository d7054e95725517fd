"""One page about a solved game: its worth, why to trust that, how results spread, how simpler players fare, what is special.

The page is built as blocks (`build_report`): what every page says stands here, the rest is asked of the solution, its objective
and its game. It holds no times and no places, so the same solution gives the same page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from rollwise.errors import GameError, RollwiseError
from rollwise.games import CATALOGUE
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import counted, digits, fits_float, infinite
from rollwise.model.game import Game, Progress
from rollwise.model.message import Message, Text
from rollwise.model.objective import Objective
from rollwise.model.policy import Greedy, Policy, RandomPolicy
from rollwise.model.summary import Shown, Summary
from rollwise.model.view import View, rules_in_words, view_of
from rollwise.playing.distribution import Distribution, distribution, is_decided, win_chance
from rollwise.playing.evaluate import evaluate
from rollwise.playing.rivals import worth_to
from rollwise.reports.page import ENDINGS, check_place, write_page
from rollwise.reports.race import race_sections
from rollwise.reports.slots import adds_sections, in_fractions, slots_sections
from rollwise.solvers.base.abilities import Reports, ability
from rollwise.solvers.base.blocks import Block, Facts, Figure, Grid, Heading, Page, Prose
from rollwise.solvers.base.distribution import QUANTILES, distribution_picture, visible, winning
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.pictures import Series, bar_list, curve, for_notebooks
from rollwise.solvers.base.solution import Number, Solution
from rollwise.solvers.choose_solver import choose_solver
from rollwise.solvers.registry import form_of
from rollwise.solvers.solve import solve
from rollwise.texts.render import render

__all__ = ["QUANTILES", "Report", "build_report", "distribution_picture", "make_report", "write_report"]

AnyGame = Game[Any, Any, Any]

FOLLOWED = 3_000
"""Greedy and random play of a game of rolls are computed up to this many states."""


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown):
    """The page about a solution, and what stands at its foot."""

    page: Page
    footer: str

    def line(self) -> str:
        return f"<Report on {self.page.title}: {counted(len(self.page.blocks), 'block')}>"

    def summary(self) -> Summary:
        facts = next((block.rows for block in self.page.blocks if isinstance(block, Facts)), ())
        picture = next((for_notebooks(block.svg) for block in self.page.blocks if isinstance(block, Figure)), "")
        parts = ", ".join(block.text for block in self.page.blocks if isinstance(block, Heading))
        more = f"The whole page, with {parts}: report.write(path)." if parts else ""
        return Summary(f"Report on {self.page.title}", self.page.subtitle, facts, more=more, picture=picture)

    def write(self, path: str | PathLike[str]) -> list[Path]:
        """Write the page: .html holds everything, .md has its pictures beside it. Returns the files, the page last.

        Raises `GameError` for another ending or a place that cannot be written; then nothing is.
        """
        check_place(Path(path), ENDINGS, "a report")
        return write_page(self.page, Path(path), self.footer)


def make_report(
    solution: Solution, *, name: str = "", parameters: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Report:
    """Make the page about a solution.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> make_report(rollwise.solve(load("groups", faces="6", sizes="1,2")))
    <Report on Groups: fewest rolls: 21 blocks>
    """
    return Report(build_report(solution, name=name, parameters=parameters, progress=progress), _footer(solution))


def write_report(
    solution: Solution,
    path: str | PathLike[str],
    *,
    name: str = "",
    parameters: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write a report on a solution, as .html in one file or as .md with pictures beside it; return the files, the page last.

    >>> import rollwise, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file.name for file in write_report(rollwise.solve("shut-the-box"), Path(folder) / "box.html")]
    ['box.html']

    Raises `GameError` for another ending, or a file that cannot be written; then no file is written.
    """
    check_place(Path(path), ENDINGS, "a report")
    return make_report(solution, name=name, parameters=parameters, progress=progress).write(path)


def _footer(solution: Solution) -> str:
    what = solution.objective.called
    option = "" if what == "game" else f" --objective {what}"
    return f"Made by rollwise report{option}. Fingerprint of the {what}: {solution.fingerprint}."


def build_report(
    solution: Solution, *, name: str = "", parameters: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Page:
    """Put the page together.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> page = build_report(rollwise.solve(load("groups", faces="6", sizes="1,2")), name="groups")
    >>> page.title, [block.text for block in page.blocks if isinstance(block, Heading)][0]
    ('Groups: fewest rolls', 'The rules in brief')
    """
    slots = in_fractions(solution) if adds_sections(solution) else None
    solution = solution if slots is None else slots
    game, objective = unlifted(solution.game), solution.objective
    title, sentence = _name(solution, name)
    settings = ", ".join(f"{key} = {value}" for key, value in (parameters or {}).items())
    subtitle = " ".join([sentence, *([render(Message("report.with", {"settings": settings}))] if settings else [])])
    rules = _rules(game)
    if not fits_float(solution.value()):
        raise GameError(f"the value is {digits(solution.value(), 3)}, too large for a report: use 'rollwise solve --exact'")
    if infinite(solution.value()):
        return Page(title, subtitle, [Prose("No strategy surely ends this game: the goal is impossible."), *rules])
    quick = _quick(solution)
    follows = objective.follows and not (solution.two_players and objective.mark is not None)
    found, trouble = _followed(quick, progress) if follows else (None, "")
    more = ability(solution, Reports)
    blocks: list[Block] = [
        Facts(more.figures(found, progress) or _facts(solution, found)),
        Prose(f"In full, the value is {objective.words(game).exactly(solution.value())}. {more.proof_text()}"),
        *rules,
        *race_sections(solution),
        *([] if not follows or (found and is_decided(found, objective)) else _distribution(objective, found, trouble)),
        *(_players(solution, quick, found, progress) if not solution.two_players else []),
        *([] if slots is None else slots_sections(slots, progress)),
        *(more if quick.solver_name == solution.solver_name else ability(quick, Reports)).sections(found, progress),
    ]
    return Page(title, subtitle, blocks)


def _quick(solution: Solution) -> Solution:
    """The same game in floating point, in its family solver where it has one: what can be followed quickly."""
    if not solution.exact and not form_of(solution).explores:
        return solution
    explores = choose_solver(solution.game, solution.objective, SolveOptions()).explores
    return solution if explores else solve(solution.game, solution.objective)


def _name(solution: Solution, name: str) -> tuple[str, str]:
    """Name the game and what it is played for, in a title and in a sentence."""
    game, objective = unlifted(solution.game), solution.objective
    view = view_of(game)
    title = render(CATALOGUE[name].title if name in CATALOGUE else name or view.title)
    label: Text = next((aim.label for aim in objective.aims if aim.name == objective.fields["aim"]), str(objective))
    sentence: Text = Message("aim.sentence", {"aim": objective.aim(game)})
    if objective == game.objective and view.own_aim != View.own_aim:
        label, sentence = view.own_aim.label, view.own_aim.help
    elif solution.two_players and objective.mark is not None:
        label, sentence = Message("aim.own-first.label"), Message("aim.own-first.help")
    return render(Message("report.title", {"game": title[:1].upper() + title[1:], "aim": render(label)})), render(sentence)


def _rules(game: AnyGame) -> list[Block]:
    """The rules as the game tells them."""
    told = rules_in_words(game)
    boxes = [
        (box.name, render(box.pays), "; ".join(f"{' '.join(map(str, shown.dice))}: {shown.points}" for shown in box.examples))
        for box in told.boxes
    ]
    table = [Grid(["box", "pays", "for example"], boxes)] if boxes else []
    return [Heading("The rules in brief"), *(Prose(render(paragraph)) for paragraph in told.paragraphs), *table]


def _facts(solution: Solution, found: Distribution | None) -> list[tuple[str, str]]:
    words, value = solution.objective.words(solution.game), solution.value()

    def show(number: Number) -> str:
        return words.brief(number) if words.share else f"{float(number):.6f} {words.unit}"

    rows = [(words.value, show(value))]
    if solution.two_players:
        whose = ("first player's ", "second player's ")
        rows = [(f"{one}{words.value}", show(worth_to(player, solution, value))) for player, one in enumerate(whose)]
    if isinstance(value, Fraction) and value.denominator < 10**9:
        rows.insert(1, ("as a fraction", str(value)))
    if found and solution.objective.wins:
        ties = found.at_least(1) - found.at_least(solution.objective.unit) if is_decided(found, solution.objective) else 0
        rows += [("chance of a tie", f"{100 * ties:.2f} %")] if ties else []
    elif found:
        rows += [] if solution.objective.adds else [(f"mean {found.what}", f"{found.mean:.2f}")]
        rows += [
            ("standard deviation", f"{found.standard_deviation:.2f} {found.what}"),
            ("median", counted(found.quantile(0.5), found.what[:-1])),
            ("nine in ten lie within", f"{found.quantile(0.05)} to {found.quantile(0.95)} {found.what}"),
        ]
    if found and found.bonus is not None:
        rows.append(("chance of the bonus", f"{100 * found.bonus:.2f} %"))
    rows.append((f"{ability(solution, Reports).size_word} solved", f"{solution.states:,}"))
    return rows


def _followed(solution: Solution, progress: Progress | None) -> tuple[Distribution | None, str]:
    """The distribution under best play, or why there is none."""
    try:
        return distribution(solution, progress=progress), ""
    except RollwiseError as error:
        return None, f"The distribution was not computed: {error}."


def _distribution(objective: Objective, found: Distribution | None, trouble: str) -> list[Block]:
    heading = Heading("How results spread")
    if found is None:
        return [heading, Prose(trouble)]
    caption = f"The exact chance of each number of {found.what} under best play."
    if len(visible(found)[1]) < len(found.chance):
        caption += " Tails below 0.01 % are not drawn."
    quantiles: list[Block] = []
    if objective.wins:
        number, below = winning(found, objective) or (None, False)
        won = f"At most {number - 1}" if number is not None and below else f"From {number} on"
        caption += "" if number is None else f" {won}, in the other colour, the game is won."
    else:
        caption += " The dashed lines are quantiles."
        rows = [(f"{100 * q:.0f} %", str(found.quantile(q))) for q in QUANTILES]
        quantiles = [Grid(["share of games", f"{found.what} at most"], rows)]
    picture = distribution_picture(found, title=f"Distribution of {found.what} under best play", objective=objective)
    return [heading, Prose("Nothing is simulated here: the chances are exact."), Figure(picture, caption), *quantiles]


class _Player(NamedTuple):
    """A way to play, what it is worth, and its distribution if there is one."""

    name: str
    value: Number
    found: Distribution | None


def _players(solution: Solution, quick: Solution, found: Distribution | None, progress: Progress | None) -> list[Block]:
    """Best, greedy and random play compared."""
    players = [_Player("best", solution.value(), found)]
    for name, policy in (("greedy", Greedy()), ("random", RandomPolicy())):
        player = _player(solution, quick, name, policy, progress)
        players += [player] if player else []
    if len(players) == 1:
        return []
    words = solution.objective.words(solution.game)
    best = float(players[0].value)
    rows = [
        (
            player.name,
            words.show(player.value) if not infinite(player.value) else "may never end",
            "" if player.name == "best" else words.cost(abs(float(player.value) - best)),
        )
        for player in players
    ]
    blocks: list[Block] = [
        Heading("Against simpler players"),
        Prose(
            "Greedy takes what looks best at once and does not look ahead; random takes any move with the same chance. What they "
            "are worth is computed by following the chances, not by simulation."
        ),
        Grid(["player", words.value, words.loss], rows),
    ]
    finite = [(player.name, float(player.value)) for player in players if not infinite(player.value)]
    side = "at most" if solution.objective.few else "at least"
    lines = [Series(player.name, _cumulative(player.found, side)) for player in players if player.found is not None]
    if solution.objective.counts == "costs" or solution.objective.wins or len(lines) < 2:
        picture = bar_list(
            f"{words.value} by player", "Best, greedy and random play.", finite,
            words.value if words.share or words.unit in words.value else f"{words.value}, in {words.unit}", show=words.brief,
        )  # fmt: skip
        return [*blocks, Figure(picture, f"{words.value[0].upper()}{words.value[1:]} of each player.")]
    labels = "total points", f"chance of {side} so many"
    picture = curve(f"Chance of {side} so many points", "One line for each of best, greedy and random play.", lines, labels)
    return [*blocks, Figure(picture, f"The chance to end with {side} so many points.")]


def _cumulative(found: Distribution, side: str) -> list[tuple[float, float]]:
    """Chances of at least, or at most, each number, thinned to what a picture can show."""
    step = max(1, len(found.chance) // 120)
    numbers = [*found.values[::step].tolist(), found.highest + 1]
    if found.numbers is not None:
        numbers = sorted({*numbers, *(number + 1 for number in numbers[:-1])})
    return [(number, found.at_least(number) if side == "at least" else 1 - found.at_least(number + 1)) for number in numbers]


def _player(solution: Solution, quick: Solution, name: str, policy: Policy, progress: Progress | None) -> _Player | None:
    """What a policy is worth; None where the game is too large to say."""
    game, objective = unlifted(solution.game), solution.objective
    try:
        if objective.counts == "costs":
            return _Player(name, evaluate(game, policy, objective, max_states=FOLLOWED, progress=progress).value, None)
        found = distribution(quick, policy, progress=progress)
    except RollwiseError:
        return None
    exact = _exact_worth(solution, policy) if solution.exact else None
    worth = found.mean if objective.adds else win_chance(found, objective)
    return _Player(name, worth if exact is None else exact, found)


def _exact_worth(solution: Solution, policy: Policy) -> Number | None:
    """What a policy is worth in fractions, where the solution has all positions that this takes; None: it has not."""
    budget = solution.states + solution.pendings
    try:
        return evaluate(unlifted(solution.game), policy, solution.objective, exact=True, max_states=budget).value
    except GameError:
        return None
