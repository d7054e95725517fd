"""Why a move is good, in one plain sentence for players."""

from typing import Any

from rollwise.forms.base.solution import Solution
from rollwise.forms.rerolls.solution import RerollSolution
from rollwise.forms.sheets.solution import TurnSolution
from rollwise.games.duel import DuelGame
from rollwise.games.groups import Groups, GroupsRaw
from rollwise.games.pig import Pig
from rollwise.games.sheet import Sheet
from rollwise.games.slots import Slots
from rollwise.games.words import STAR, Words
from rollwise.model.lift import HavingGame, LiftedGame, NeedingGame
from rollwise.model.objective import Against, AtLeast, Fewest, Winning

__all__ = ["explain"]


def explain(solution: Solution, state: Any, action: Any) -> str:
    """Say in one sentence what a move does.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> solution = rollwise.solve(load("yazy"))
    >>> state = solution.game.read_state("23455 1 straight,five-of-a-kind")
    >>> explain(solution, state, (2, 3, 4, 5))
    'keeps 2345 for straight: 40 points with 33 %'
    >>> solution = rollwise.solve(load("yazy", boxes="sixes,straight,five-of-a-kind"), rollwise.AtLeast(60))
    >>> state = solution.game.read_state("23455 1 straight,five-of-a-kind needs 42")
    >>> explain(solution, state, (2, 3, 4, 5))
    'keeps 2345 for straight: 40 points with 33 %; 42 still needed from 2 boxes'
    """
    game, whole = solution.game, state
    if isinstance(game, LiftedGame):
        game, state = game.game, state.position
    if isinstance(game, DuelGame):
        game, state = game.sheet, state.turn
    if isinstance(game, Sheet):
        return _sheet(solution, game, state, whole, action) + _standing(solution.game, whole, action)
    if isinstance(game, Slots):
        return _slots(solution, game, state, action)
    if isinstance(game, Words):
        return _words(solution, game, action)
    if isinstance(game, Groups | GroupsRaw):
        return _groups(game, state, action)
    if isinstance(game, Pig):
        return _pig(game, state, action)
    return _any(solution, state, action)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %" if 0.005 <= chance <= 0.995 or chance in (0, 1) else f"{100 * chance:.2g} %"


def _standing(game: Any, state: Any, action: Any) -> str:
    """Say how far a sheet that is not played for points alone still has to go after a move."""
    if isinstance(game, DuelGame):
        return _lead(game.play(state, action)) if isinstance(action, str) else ""
    if isinstance(game, HavingGame):
        return _so_far(game, game.play(state, action))
    return _needed(game, game.play(state, action)) if isinstance(game, NeedingGame) else ""


def _boxes(opened: int) -> str:
    boxes = opened.bit_count()
    return f"{boxes} box{'' if boxes == 1 else 'es'}"


def _so_far(game: HavingGame, after: Any) -> str:
    if after.position.open:
        return f"; {after.points} so far, {_boxes(after.position.open)} to go"
    return f"; ends with {after.points}, which wins with {_percent(float(game.opponent.chance(after.points)))}"


def _needed(game: NeedingGame, after: Any) -> str:
    opened = after.position.open
    if after.points <= 0 and (game.floor or not opened):
        return "; reaches the target"
    if not opened:
        return f"; falls short by {after.points}"
    if after.points <= 0:
        return f"; {-after.points} points to spare with {_boxes(opened)} to go"
    return f"; {after.points} still needed from {_boxes(opened)}"


def _lead(after: Any) -> str:
    """Say how the players stand after a box is filled; it is the other's turn then."""
    lead = -after.lead
    stand = f"leads by {lead}" if lead > 0 else f"trails by {-lead}" if lead else "is level"
    return f"; {stand} with {_boxes(after.other.open)} to go"


def _sheet(solution: Solution, game: Sheet, turn: Any, state: Any, action: Any) -> str:
    if isinstance(action, str):
        return _fill(game, turn, action)
    kept = f"keeps {game.show_action(action).removeprefix('keep ')}" if action else "rolls all dice again"
    if not isinstance(solution, TurnSolution) or solution.exact:
        return kept
    box, points, chance = solution.turn_aim(solution.game.play(state, action))
    if box < 0:
        return f"{kept}; nothing is likely to pay this turn"
    return f"{kept} for {game.names[box]}: {points} points with {_percent(chance)}"


def _fill(game: Sheet, state: Any, action: str) -> str:
    gain, points = game.gain(state, action), game.points(state, action)
    text = f"puts {points} in {action}" if points else f"gives up {action}"
    after = game.play(state, action)
    if game.bonus and after.upper != state.upper:
        text += f", upper total {after.upper} of {game.bonus.threshold}"
    return text + (f", and earns {gain - points} bonus" if gain > points else "")


def _slots(solution: Solution, game: Slots, state: Any, action: str) -> str:
    after = game.play(state, action)
    text = f"{action} makes {after.total - state.total} of the {state.roll}"
    if isinstance(solution.objective, Against) and not after.free:
        return f"{text}; ends with {after.total}, which wins with {_percent(float(solution.objective.chance(after.total)))}"
    if not isinstance(solution.objective, AtLeast):
        return text
    need = solution.objective.target - after.total
    if need <= 0:
        return f"{text}; reaches the target"
    return f"{text}; leaves {need} to get in {len(after.free)} slots" if after.free else f"{text}; falls short"


def _words(solution: Solution, game: Words, action: Any) -> str:
    held = "".join(symbol for symbol in action if symbol != STAR)
    chance = solution.finish(action) if isinstance(solution, RerollSolution) else game.greed((), action)
    return f"holds {held or 'nothing'}; the next roll spells a word with {_percent(chance)}"


def _groups(game: Any, state: Any, action: str) -> str:
    if action == "reroll":
        return "rolls this die again" if "keep" in game.actions(state) else "the die fits no group, roll it again"
    after = game.sizes_with(state)
    left = sum(game.goal) - sum(after)
    return f"keeps the die: groups {','.join(map(str, after))}, {left} {'die' if left == 1 else 'dice'} to go"


def _pig(game: Pig, state: Any, action: str) -> str:
    if action == "hold":
        after = game.play(state, action)
        return f"banks {state.turn}: {after.first} to {after.second}"
    return f"risks {state.turn} with {_percent(1 / game.faces)}" if state.turn else "begins the turn"


def _any(solution: Solution, state: Any, action: Any) -> str:
    roll = solution.game.roll(solution.game.play(state, action))
    over = sum(w for s, w in roll.items() if not solution.game.actions(s)) / sum(roll.values())
    gain = solution.game.gain(state, action)
    if isinstance(solution.objective, Fewest):
        return f"the next roll ends the game with {_percent(over)}"
    if isinstance(solution.objective, Winning) or not gain:
        return f"then {len(roll)} outcomes, {_percent(over)} of them final"
    return f"gains {gain} at once"
