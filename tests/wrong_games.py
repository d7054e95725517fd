"""Game files that are wrong, each with what its one line must say.

`GOOD` rolls a die once or twice and banks what it shows. Each row breaks one thing in it, or is no game at all.
"""

from typing import NamedTuple

from rollwise.model.faults import ARGUMENTS

__all__ = ["GOOD", "WRONG", "Wrong", "game"]

RULES = {
    "start": "return 0",
    "roll": "return die(6) if pending == 0 else {-pending: 1}",
    "actions": "return ('keep', 'again') if state > 0 else ()",
    "play": "return state if action == 'keep' else 0",
    "payoff": "return -state",
}
HEAD = "from rollwise import *; from rollwise.views import Heuristic, Notation"


def game(*more: str, head: str = "", **rules: str) -> str:
    """Write the good game with some rules replaced (by what they do, or as a whole) and some lines added."""
    written = {**RULES, **rules}
    lines = [*(_rule(name, text) for name, text in written.items() if text), *more]
    bases = "Game, Heuristic" if "heuristic" in rules else "Game"
    return "\n".join([HEAD, head, f"class Bank({bases}):", *(f"    {line}" for line in lines), ""])


def written(rule: str) -> str:
    """Write the good game with a notation of its own."""
    return game(head=f"class Written(Notation):\n    def {rule}", notation="notation = Written")


def _rule(name: str, text: str) -> str:
    whole = text.startswith(("def ", f"{name} = "))
    return text if whole else f"def {name}({', '.join(('self', *ARGUMENTS[name]))}): {text}"


GOOD = game()


class Wrong(NamedTuple):
    """A file, what the message must contain, and the command that meets the fault."""

    name: str
    source: str | bytes
    match: str
    arguments: tuple[str, ...] = ("solve",)


CHECK = ("check",)
ADVISE = ("advise", "--state", "3")
POLICY = ("policy", "-o", "strategy.csv")
GREEDY = ("distribution", "--policy", "greedy")
SMALL = ("solve", "--max-states", "2000")
NUMBER = ("solve", "-p", "n=1")
FEWEST = ("solve", "--objective", "fewest")

FILES = [
    Wrong("empty", "", "must define exactly one Game subclass or a variable 'game': found none"),
    Wrong("two games", GOOD + GOOD.replace("Bank", "Other"), "found Bank, Other"),
    Wrong("syntax", "class Bank(Game:\n    pass\n", "(wrong.py, line 1)"),
    Wrong("exits", "raise SystemExit(0)\n", "SystemExit: 0 (wrong.py, line 1)"),
    Wrong("long message", "raise ValueError('x' * 10**6)\n", "(1,000,000 characters) (wrong.py, line 1)"),
    Wrong("message fails", "class E(Exception):\n    def __str__(self): return 1 // 0\nraise E\n", "its text cannot be shown"),
]

MAKING = [
    Wrong("abstract", "from rollwise import Game\nclass Bank(Game): pass\n", "Bank does not define actions()"),
    Wrong("misspelt roll", game(roll="def rol(self, pending): return die(6)"), "roll(): is rol() meant to be that?"),
    Wrong("init fails", game("def __init__(self): raise KeyError('x')"), "KeyError: 'x' (wrong.py, line 9, in __init__)"),
    Wrong("parameters are a method", game("def parameters(self): return ()"), "expected Parameter objects, in a tuple"),
    Wrong("parameter missing", game("parameters = (Parameter('n', int, 'n'),)"), "needs the parameter 'n'"),
    Wrong("parameter not read", game("parameters = (Parameter('n', {}.__getitem__, 'a key', '1'),)"), "n='1' of", NUMBER),
    Wrong("finished game with parameters", GOOD + "game = Bank()\n", "takes no parameters: got n", NUMBER),
    Wrong("no self", game(start="def start(): return 0"), "expected start(self) (wrong.py, line 4)"),
    Wrong("roll without pending", game(roll="def roll(self): return {}"), "roll() of Bank does not fit: too many positional"),
    Wrong("not a method", game("gain = 3"), "gain of Bank is 3: expected a method gain(self, state, action)"),
    Wrong("set on the instance", game("def __init__(self): self.gain = 5"), "gain of Bank is 5"),
    Wrong("property", game("@property", "def mover(self): return 1 // 0"), "mover() failed: ZeroDivisionError"),
]

ANSWERS = [
    Wrong("start unhashable", game(start="return [1]"), "the start, [1], is not hashable"),
    Wrong("roll gives a list", game(roll="return [1, 2]"), "at pending 0: roll() returned [1, 2]"),
    Wrong("no outcomes", game(roll="return {}"), "roll() returned no outcomes"),
    Wrong("weight 0", game(roll="return {-1: 0}"), "the weight of -1 is 0: expected a positive integer"),
    Wrong("weight 0.5", game(roll="return {-1: .5}"), "the weight of -1 is 0.5"),
    Wrong("weights too large", game(roll="return {-1: 2**62, -2: 1}"), "the weights add up to 2**62 or more"),
    Wrong("die of none", game(roll="return die(pending)"), "at pending 0: a die has 0 faces: it needs at least 1 ("),
    Wrong("actions none", game(actions="pass"), "at state 1: actions() returned None: expected a tuple of actions"),
    Wrong("actions text", game(actions="return 'keep'"), "actions() returned the text 'keep'"),
    Wrong("actions array", game(actions="return numpy.arange(2)", head="import numpy"), "actions() returned array("),
    Wrong("action unhashable", game(actions="return ([1],)"), "the action [1] is not hashable"),
    Wrong("action twice", game(actions="return ('keep', 'again', 'keep') if state > 0 else ()"), "lists 'keep' twice"),
    Wrong("play unhashable", game(play="return {}"), "at state 1: what play() returned, {}, is not hashable"),
    Wrong("play gives none", game(play="pass"), "roll() failed at pending None: TypeError"),
    Wrong("payoff half", game(payoff="return state / 2"), "payoff() is -0.5: expected an integer (wrong.py, line 8)"),
    Wrong("payoff too large", game(payoff="return 2**70"), "payoff() is "),
    Wrong("gain text", game(gain="return '1'"), "at state 1: gain() is '1': expected an integer (wrong.py, line 9)"),
    Wrong("cost half", game(cost="return .5"), "at pending 0: cost() is 0.5: expected an integer"),
    Wrong("cost negative", game(cost="return -1"), "negative cost", FEWEST),
    Wrong("mover 2", game(mover="return 2"), "mover() is 2: expected 0, who maximises, or 1, who minimises"),
    Wrong("two count rolls", game(mover="return 1"), "Fewest counts the rolls of one player", FEWEST),
    Wrong("objective class", game("objective = Expected"), "expected one that is made, Expected(...)"),
    Wrong("objective text", game("objective = 'expected'"), "the objective is 'expected': expected Expected()", CHECK),
    Wrong("objective method", game("def objective(self): return Fewest()"), "put @property above it", CHECK),
    Wrong("duel", game("from rollwise import Duel", "objective = Duel()"), "a duel is played on score sheets"),
    Wrong("show_state gives a number", game(show_state="return state"), "show_state() returned 1: expected text", CHECK),
    Wrong("read_state gives another", game(read_state="return 9"), "which reads back as 9", CHECK),
    Wrong("read_state gives a list", game(read_state="return [9]"), "[9] is not a position", ADVISE),
    Wrong("columns give none", written("columns(self, state): pass"), "must map texts to texts, got None", CHECK),
    Wrong("columns give none to policy", written("columns(self, state): pass"), "got None (wrong.py, line 3)", POLICY),
    Wrong("heuristic gives text", game(heuristic="return 'much'"), "heuristic() is 'much': expected a number", CHECK),
]

PLACES = {
    "start": "the beginning", "roll": "pending 0", "actions": "state 1", "play": "state 1", "payoff": "state -1",
    "gain": "state 1", "cost": "pending 0", "mover": "state 1", "show_state": "state 1", "show_action": "state 1",
    "heuristic": "state 1",
}  # fmt: skip
"""Where each rule is asked first."""
LINES = {rule: number for number, rule in enumerate(RULES, 4)}

FAILING = [
    *(
        Wrong(
            f"{rule} fails",
            game(**{rule: "return {}['x']"}),
            f"{rule}() failed at {place}: KeyError: 'x' (wrong.py, line {LINES.get(rule, 9)})",
            CHECK,
        )
        for rule, place in PLACES.items()
    ),
    Wrong("heuristic fails in play", game(heuristic="return {}[state]"), "heuristic() failed at state 1: KeyError: 1", GREEDY),
    Wrong("objective fails", game("@property", "def objective(self): raise KeyError(1)"), "objective failed: KeyError: 1 ("),
    Wrong("helper fails", game("def help(self): return {}[1]", payoff="return self.help()"), "(wrong.py, line 9, in help)"),
    Wrong("rules exit", game(roll="raise SystemExit"), "roll() failed at pending 0: SystemExit (wrong.py, line 5)"),
    Wrong("rules recurse", game(roll="return self.roll(pending)"), "roll() failed at pending 0: RecursionError"),
    Wrong("rules stop hard", game(head="class Stop(BaseException): pass", roll="raise Stop"), "roll() failed: Stop ("),
    Wrong("show_action fails", game(show_action="return {}[action]"), "show_action() failed: KeyError: 'again' (", ADVISE),
    Wrong("show_pending fails", written("show_pending(self, pending): return {}[pending]"), "failed at pending 0", CHECK),
    Wrong(
        "read_state fails", game(read_state="return {}[text]"), "read_state() failed: KeyError: '3' (wrong.py, line 9)", ADVISE
    ),
    Wrong("read_state in check", game(read_state="return {}[text]"), "which cannot be read back: KeyError: '1'", CHECK),
    Wrong("read_action in check", game(read_action="raise OSError"), "which cannot be read back: OSError", CHECK),
    Wrong("columns fail", written("columns(self, state): return {}[state]"), "columns() failed: KeyError: ", POLICY),
]

COUNTING = {
    "start": "return 0 * next(n) or next(n)", "roll": "return {-1: 1, -2: next(n) + 1}",
    "actions": "return ('a', 'b')[: 1 + next(n) % 2] if state > 0 else ()", "play": "return state + next(n) % 2",
    "gain": "return next(n)", "payoff": "return next(n)", "mover": "return next(n) % 2", "cost": "return next(n)",
    "heuristic": "return next(n)",
}  # fmt: skip
"""Rules that answer something else every time."""

CHANGING = [
    *(
        Wrong(f"{rule} changes", game(head="n = iter(range(9**9))", **{rule: text}), f"{rule}() differs when called twice", CHECK)
        for rule, text in COUNTING.items()
    ),
    Wrong("self decides", game("def __init__(self): self.n = 0", payoff="self.n += 1; return self.n"), "payoff() differs", CHECK),
    Wrong("pays by chance", game(payoff="return random.randrange(10**9)", head="import random"), "payoff() differs when called"),
]

ENDLESS = [
    Wrong("endless positions", game(roll="return {pending + 1: 1}", play="return state"), "over the budget of 2,000", SMALL),
    Wrong("never ends", game(actions="return (1,)", play="return 0"), "the game never ends"),
    Wrong("never ends in check", game(actions="return (1,)", play="return 0"), "the game never ends", CHECK),
    Wrong("money for ever", game(gain="return action == 'again'"), "the expected total is unbounded"),
    Wrong(
        "trap",
        game(
            roll="return {1: 1, 7: 1} if pending == 0 else {7: 1} if pending == 7 else {-1: 1}",
            actions="return () if state < 0 else (1,)",
            play="return state",
        ),
        "no end can be reached",
        CHECK,
    ),
    Wrong("no such position", GOOD, "state 99 does not occur in this game", ("advise", "--state", "99")),
    Wrong("position runs code", GOOD, "open is no class that this game uses", ("advise", "--state", "open('x', 'w')")),
    Wrong("position too deep", GOOD, "is not a state", ("advise", "--state", "(" * 500)),
]

WRONG = {"files": FILES, "making": MAKING, "answers": ANSWERS, "failing": FAILING, "changing": CHANGING, "endless": ENDLESS}
