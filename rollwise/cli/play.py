"""`rollwise play`: play in the terminal, alone or against the computer, with a coach if wanted."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from rollwise.cli.advise import SHOWN
from rollwise.cli.drawing import Stopped, draw_dice, list_moves, read_line, say
from rollwise.cli.grade import show_luck, sum_up
from rollwise.cli.opponents import add_rival, advised, check_rival, make_rival, seats, show_chance
from rollwise.cli.shared import (
    PLAYERS,
    add_command,
    add_game,
    check_folder,
    name_objective,
    read_objective,
    show_loss,
    solve_game,
    table,
    whose_value,
    words_of,
)
from rollwise.cli.strategies import add_policy, check_policy, read_policy
from rollwise.cli.streams import need_input
from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import has_gains
from rollwise.model.formatting import infinite
from rollwise.model.moves import read_move
from rollwise.model.reading import says
from rollwise.model.view import view_of
from rollwise.texts.render import render

if TYPE_CHECKING:
    from rollwise.model.game import Game
    from rollwise.model.policy import Policy
    from rollwise.playing.grade import Grade, Step
    from rollwise.playing.rivals import Rival
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["add", "draw_dice"]

HELP = """Type a move, or
  ?       the moves ranked by what they are worth
  undo    take back the last move (the same move then gets the same roll)
  quit    stop here"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "play", _play, "play in the terminal, alone or against the computer",
        "rollwise play yazy --coach\n  rollwise play slots --seed 7 --record game.txt\n  rollwise play slots --auto --seed 7\n"
        "  rollwise play pig --opponent optimal\n  rollwise play pig --opponent mine.card\n"
        "  rollwise play yazy -p boxes=sixes,straight,full-house --opponent points --first random --record game.txt",
    )  # fmt: skip
    add_game(parser)
    add_rival(parser)
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed rolls the same dice (default: random)")
    parser.add_argument("--coach", action="store_true", help="warn before a costly move; at the end sum up luck and mistakes")
    parser.add_argument(
        "--warn",
        type=float,
        metavar="LOSS",
        help="warn if a move loses at least this much (default: 1 percentage point, or 0.5 %% of the value)",
    )
    parser.add_argument("--auto", action="store_true", help="play by itself: the best strategy, or that of --policy")
    add_policy(parser, "the strategy that --auto plays and '?' shows; FILE: a strategy card (default: optimal)")
    parser.add_argument("--record", metavar="FILE", help="write the game to a file that 'rollwise grade' reads")


def _play(options: argparse.Namespace) -> None:
    _check(options)
    solution, parameters = solve_game(options)
    if infinite(solution.value()):
        raise GameError("the game is impossible: no strategy surely ends it, so there is nothing to play for")
    seed = SystemRandom().randrange(10**6) if options.seed is None else options.seed
    table_ = _PlayedGame(solution, seed, options, make_rival(options, solution, seed), read_policy(options, solution))
    say(_title(table_))
    try:
        table_.run()
    finally:
        if options.record:
            _write(Path(options.record), table_, parameters)
    if options.coach:
        _review(table_.game, table_.me)


def _title(table_: "_PlayedGame") -> str:
    solution, rival = table_.solution, table_.rival
    name = f"{table_.options.game}, {name_objective(solution.objective, solution.game)}"
    if rival is None:
        value = f"{whose_value(solution)} {words_of(solution).worth(solution.value())}"
        return f"{name}: {value}, seed {table_.seed}"
    begins = "you begin" if rival.player == 1 else "the computer begins"
    chance = show_chance(rival, table_.game)
    return f"{name} against the computer ({rival.name}), {begins}: {chance}, seed {table_.seed}"


def _check(options: argparse.Namespace) -> None:
    from rollwise.playing.roll_source import check_seed

    check_rival(options)
    check_policy(options.policy)
    if not options.auto:
        need_input("moves (or give --auto)")
    check_seed(options.seed or 0)
    if options.warn is not None and not options.warn >= 0:
        raise GameError(f"--warn {options.warn}: expected a loss of 0 or more")
    if options.record is not None:
        check_folder(Path(options.record))


def _write(path: Path, table_: "_PlayedGame", parameters: dict[str, str]) -> None:
    from rollwise.playing.record import write_record
    from rollwise.solvers.base.writing import write_whole

    players = seats(table_.rival) if table_.rival else ()
    comments, objective = [f"seed {table_.seed}"], read_objective(table_.options)
    text = write_record(table_.game, table_.options.game, parameters, comments=comments, players=players, objective=objective)
    write_whole(path, text)


class _PlayedGame:
    """A game being played: where it is, where it was, and how it goes on."""

    def __init__(
        self,
        solution: "Solution",
        seed: int,
        options: argparse.Namespace,
        rival: "Rival | None" = None,
        policy: "Policy | None" = None,
    ) -> None:
        from rollwise.playing.grade import start_game

        self.solution, self.seed, self.options, self.rival = solution, seed, options, rival
        self.policy = policy
        self.game = start_game(solution)
        self.before: list[Grade] = []
        self.limit = _threshold(solution) if options.warn is None else options.warn

    @property
    def me(self) -> int | None:
        """Which player you are, where the other is the computer."""
        return 1 - self.rival.player if self.rival else None

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        try:
            while True:
                self._roll()
                if self.game.over:
                    return
                self._move()
        except Stopped:
            say("game stopped")

    def _roll(self) -> None:
        """Roll the dice. Every roll of a game has its own source, so that an undone move gets its roll again."""
        from rollwise.playing.roll_source import RollSource

        source, pending = RollSource(self.solution.game, Random(f"{self.seed} {len(self.game.steps)}")), self.game.pending
        rolled = source.draw(pending)
        self.game = self.game.rolled(rolled)
        _show(self.game, self.rival, _roll_line(self.solution.game, pending, rolled, self.rival))

    def _move(self) -> None:
        if self.rival and self.rival.player == self.solution.game.mover(self.state):
            self._computer(self.rival)
            return
        action = self._played() if self.options.auto else self._ask()
        if self.options.auto:
            say(f"> {self.solution.game.show_action(action)}")
        self.before.append(self.game)
        self.game = self.game.moved(action)
        if self.rival:
            self._report_chance(self.rival, self.before[-1])

    def _played(self) -> Any:
        """What the strategy of --policy does."""
        from rollwise.model.policy import policy_weights

        if self.policy is None:
            return self.solution.best(self.state)
        weights = policy_weights(self.policy, self.solution.game, self.state)
        return Random(f"{self.seed} {len(self.game.steps)} own").choices(list(weights), list(weights.values()))[0]

    def _computer(self, rival: "Rival") -> None:
        """Let the computer move and say why."""
        before, state = self.game, self.state
        action = rival.move(state, Random(f"{self.seed} {len(before.steps)} move"))
        self.game = before.moved(action)
        why = rival.why(state, action)
        # A sentence about a move names it; a line of a card does not.
        move = f"{self.solution.game.show_action(action)}: " if isinstance(why, str) else ""
        say(f"computer> {move}{render(why)}", "cyan")
        self._report_chance(rival, before)

    def _report_chance(self, rival: "Rival", before: "Grade") -> None:
        """Say how a move has changed your chance, if it has."""
        if show_chance(rival, before) != show_chance(rival, self.game):
            say(show_chance(rival, before, self.game))

    @property
    def state(self) -> Any:
        return self.game.steps[-1].state

    def _ask(self) -> Any:
        """Ask until the player makes a move; one that is typed after a warning is made, unless it is costly, too, and another."""
        text, warned = "", None
        if not self.before and (keeping := _keeping(self.game)):
            say(keeping.strip())
        while True:
            text = text or read_line("> ").strip()
            try:
                action = read_move(self.solution.game, self.state, text)
            except PositionError as error:
                command = self._command(text.lower())
                if command:
                    command()
                elif text:
                    say(f"{' '.join(str(error).split())} (? for advice, help for help)")
                text = ""
                continue
            warning = self._warning(action) if self.options.coach and action != warned else ""
            if not warning:
                return action
            say(warning, "yellow")
            text = read_line("play it anyway? [y/N] ").strip()
            if says(text, "yes"):
                return action
            text, warned = ("", None) if says(text, "no") else (text, action)

    def _command(self, word: str) -> Callable[[], None] | None:
        """Find what a word means that is not a move."""
        known = {"?": self._advise, "undo": self._undo, "quit": _stop, "exit": _stop, "help": self._help}
        return known.get({"u": "undo", "q": "quit", "h": "help"}.get(word, word))

    def _help(self) -> None:
        say(f"{HELP}{_keeping(self.game)}")

    def _advise(self) -> None:
        show = self.solution.game.show_action
        ranked = self.solution.ranked(self.state)[:SHOWN]
        name, mine = advised(self.rival) if self.rival else (whose_value(self.solution), lambda value: value)
        words = words_of(self.solution)
        rows = [(show(move.action), words.worth(mine(move.value)), show_loss(words, move.loss)) for move in ranked]
        table([view_of(self.solution.game).action_word, name, "loses"], rows)
        if self.policy is not None:
            say(f"{self.options.policy}: {show(self._played())}{_line_of(self.policy, self.solution, self.state)}")

    def _undo(self) -> None:
        if not self.before:
            say("there is no move to take back")
            return
        self.game = self.before.pop()
        _show(self.game, self.rival)

    def _warning(self, action: Any) -> str:
        """Say what a costly move loses; "" for another."""
        ranked = self.solution.ranked(self.state)
        loss = next(move.loss for move in ranked if move.action == action)
        if loss <= self.limit:
            return ""
        best = self.solution.game.show_action(ranked[0].action)
        made = self.solution.game.show_action(action)
        return f"coach: {made} loses {words_of(self.solution).amount(loss)} against {best}"


def _keeping(game: "Grade") -> str:
    """Say how to keep dice, by those on the table; "" where none can be kept."""
    rules, state = game.game, game.steps[-1].state
    names, dice = [rules.show_action(action) for action in rules.actions(state)], view_of(rules).show_dice(state)
    box = next((name for name in names if not name.startswith("keep ")), None)
    if box is None or len(names) < 2 or "keep -" not in names or not dice:
        return ""
    return f"\nKeep dice: '{dice[-1]}' or 'keep {dice[-1]}'; roll some again: 'reroll {dice[0]}'; or fill a box: '{box}'"


def _line_of(policy: Any, solution: "Solution", state: Any) -> str:
    """Say by which line of a card a move is made; "" for another strategy."""
    from rollwise.playing.rivals import card_says

    return f" ({card_says(policy, solution, state)})" if policy.name == "card" else ""


def _stop() -> None:
    raise Stopped


def _threshold(solution: "Solution") -> "Number":
    """From which loss on the coach warns: one chance in a hundred, or half a percent of the value."""
    return 0.01 if solution.objective.wins else max(solution.value(), -solution.value()) / 200


def _show(game: "Grade", rival: "Rival | None" = None, rolled: str = "") -> None:
    """Show the roll or the dice, and the position."""
    shown = tuple(view_of(game.game).show_dice(game.steps[-1].state))
    dice = draw_dice(shown, plain="utf" not in (sys.stdout.encoding or "").lower())
    say("\n".join(["", *(dice or ([rolled] if rolled else []))]), "bold")
    say(_ending(game, rival) if game.over else _position(game, rival))


def _roll_line(game: "Game[Any, Any, Any]", pending: Any, state: Any, rival: "Rival | None") -> str:
    """Say what a player rolled in a game for two without dice to draw, such as Pig: a lost turn would go unseen."""
    # What is known before a roll says whose it is where it is written like a position.
    if game.players != 2 or type(pending) is not type(state) or view_of(game).show_dice(state):
        return ""
    text = render(view_of(game).name_rolls(pending, [state, *game.roll(pending)])[0][0])
    player = game.mover(pending)
    who = f"{PLAYERS[player]} player" if rival is None else "computer" if player == rival.player else "you"
    return "" if text in ("", game.show_state(state)) else f"{who} rolled {text}"


def _position(game: "Grade", rival: "Rival | None" = None) -> str:
    """Describe a position in a line or two; where the other player is the computer, whose move it is."""
    rules, state = game.game, game.steps[-1].state
    moves = f"moves: {list_moves([rules.show_action(action) for action in rules.actions(state)])}"
    described, choices = render(view_of(rules).describe(state)), render(view_of(rules).choices(state))
    if rival is None:
        return f"{described}{_score(game)}\n{choices or moves}"
    mine, columns = rules.mover(state) != rival.player, dict(view_of(rules).notation.columns(state))
    if {*PLAYERS} <= {*columns}:
        scores = (f"{'computer' if rival.player == i else 'you'} {columns.pop(name)}" for i, name in enumerate(PLAYERS))
        described = ", ".join([*scores, *(f"{name} {text}" for name, text in columns.items() if name != "mover")])
        whose = "your" if mine else "the computer's"
        return f"{whose} turn: {described}" + (f"\n{choices or moves}" if mine else "")
    return f"{'you' if mine else 'computer'}: {described}{_score(game)}" + (f"\n{choices or moves}" if mine else "")


def _score(game: "Grade") -> str:
    """What has been banked or spent so far."""
    if game.fewest:
        return f", {view_of(game.game).cost_word} {game.banked}"
    return f", total {game.banked}" if has_gains(game.game) else ""


def _ending(game: "Grade", rival: "Rival | None" = None) -> str:
    from rollwise.playing.rivals import worth_to

    objective = game.solution.objective
    if rival is None:
        return f"the game is over: {objective.ending(game.total, game.start, game.game)}"
    total, start = (worth_to(1 - rival.player, game.solution, value) for value in (game.total, rival.known.value()))
    return f"the game is over: {'you' if objective.wins else 'your'} {objective.ending(total, start, game.game)}"


def _review(game: "Grade", me: int | None = None) -> None:
    """Sum up luck and mistakes, and name the worst moves and the best and worst rolls."""
    if not game.steps:
        return
    sum_up(game, me or 0)
    show, words = game.game.show_action, words_of(game.solution)
    moved = [step for step in game.steps if step.moved and me in (None, step.mover)]
    wrong = sorted((step for step in moved if step.loss > 1e-9), key=lambda step: -step.loss)
    if wrong:
        rows = [(game.game.show_state(s.state), show(s.action), show(s.best), show_loss(words, s.loss)) for s in wrong[:5]]
        table(["costliest moves", "played", "best", "loses"], rows)
    sign = -1 if me else 1
    by_luck = sorted(game.steps, key=lambda step: sign * step.luck)
    chosen = [("luckiest roll", by_luck[-1])] if sign * by_luck[-1].luck > 0 else []
    chosen += [("unluckiest roll", by_luck[0])] if sign * by_luck[0].luck < 0 else []
    table(["", "", "luck"], [(name, _name_roll(game, s), show_luck(words, sign * s.luck)) for name, s in chosen])


def _name_roll(game: "Grade", step: "Step") -> str:
    """Name a roll by its dice, and by the position after it."""
    dice, shown = view_of(game.game).show_dice(step.state), game.game.show_state(step.state)
    return f"{' '.join(map(str, dice))} ({shown})" if dice else shown
