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

FILES = [
    Wrong("empty", "", "must define exactly one Game subclass or a variable 'game': found none"),
    Wrong("two games", GOOD + GOOD.replace("Bank", "Other"), "found Bank, Other"),
    Wrong("syntax", "class Bank(Game:\n    pass\n", "(wrong.py, line 1)"),
    Wrong("unknown encoding", b"# coding: klingon\n", "SyntaxError"),
    Wrong("import name", "from rollwise import Dicebox\n", "(wrong.py, line 1)"),
    Wrong("exits", "raise SystemExit(0)\n", "SystemExit: 0 (wrong.py, line 1)"),
    Wrong("recursion", "def f(): f()\nf()\n", "RecursionError"),
    Wrong("long message", "raise ValueError('x' * 10**6)\n", "(1,000,000 characters) (wrong.py, line 1)"),
    Wrong("message fails", "class E(Exception):\n    def __str__(self): return 1 // 0\nraise E\n", "its text cannot be shown"),
]

MAKING = [
    Wrong(
        "abstract",
        "from rollwise import Game\nclass Bank(Game): pass\n",
        "Bank does not define actions(), which every game needs",
    ),
    Wrong(
        "misspelt roll", game(roll="def rol(self, pending): return die(6)"), "does not define roll(): is rol() meant to be that?"
    ),
    Wrong("misspelt start", game(start="def starts(self): return 0"), "does not define start(): is starts() meant to be that?"),
    Wrong(
        "init fails",
        game("def __init__(self): raise KeyError('x')"),
        "cannot be made from {}: KeyError: 'x' (wrong.py, line 9, in __init__)",
    ),
    Wrong("new gives nothing", game("def __new__(cls): return None"), "made None: expected a game"),
    Wrong("parameters are a method", game("def parameters(self): return ()"), "expected Parameter objects, in a tuple"),
    Wrong("parameter missing", game("parameters = (Parameter('n', int, 'n'),)"), "needs the parameter 'n'"),
    Wrong(
        "parameter not read",
        game("parameters = (Parameter('n', {}.__getitem__, 'a key', '1'),)"),
        "n='1' of",
        ("solve", "-p", "n=1"),
    ),
    Wrong("finished game with parameters", GOOD + "game = Bank()\n", "takes no parameters: got n", ("solve", "-p", "n=1")),
]

SIGNATURES = [
    Wrong(
        "no self",
        game(start="def start(): return 0"),
        "start() of Bank does not fit: invalid method signature; expected start(self) (wrong.py, line 4)",
    ),
    Wrong(
        "roll without pending",
        game(roll="def roll(self): return {}"),
        "roll() of Bank does not fit: too many positional arguments",
    ),
    Wrong("not a method", game("gain = 3"), "gain of Bank is 3: expected a method gain(self, state, action)"),
    Wrong("a class for a rule", game("class payoff: pass", payoff=""), "payoff of Bank is <class"),
    Wrong("set on the instance", game("def __init__(self): self.gain = 5"), "gain of Bank is 5"),
    Wrong("property", game("@property", "def mover(self): return 1 // 0"), "mover() failed: ZeroDivisionError"),
]

ANSWERS = [
    Wrong("start unhashable", game(start="return [1]"), "the start, [1], is not hashable"),
    Wrong("roll gives a list", game(roll="return [1, 2]"), "roll() returned [1, 2]"),
    Wrong("roll is a generator", game(roll="yield 1"), "roll() returned <generator object"),
    Wrong("no outcomes", game(roll="return {}"), "roll() returned no outcomes"),
    Wrong("weight 0", game(roll="return {-1: 0}"), "the weight of -1 is 0: expected a positive integer"),
    Wrong("weight -1", game(roll="return {-1: -1}"), "the weight of -1 is -1"),
    Wrong("weight 0.5", game(roll="return {-1: .5}"), "the weight of -1 is 0.5"),
    Wrong("weight text", game(roll="return {-1: '1'}"), "the weight of -1 is '1'"),
    Wrong(
        "weights too large",
        game(roll="return {-1: 2**62, -2: 1}"),
        "the weights add up to 2**62 or more",
    ),
    Wrong(
        "die of none",
        game(roll="return die(pending)"),
        "at pending 0: a die has 0 faces: it needs at least 1 (",
    ),
    Wrong("die of a text", game(roll="return die(6.5)"), "at pending 0: die was given 6.5"),
    Wrong(
        "actions none",
        game(actions="pass"),
        "at state 1: actions() returned None: expected a tuple of actions",
    ),
    Wrong("actions text", game(actions="return 'keep'"), "actions() returned the text 'keep'"),
    Wrong("actions generator", game(actions="yield 'keep'"), "actions() returned <generator object"),
    Wrong(
        "actions array",
        game(actions="return numpy.arange(2)", head="import numpy"),
        "actions() returned array(",
    ),
    Wrong("action unhashable", game(actions="return ([1],)"), "the action [1] is not hashable"),
    Wrong(
        "play unhashable",
        game(play="return {}"),
        "at state 1: what play() returned, {}, is not hashable",
    ),
    Wrong("play gives none", game(play="pass"), "roll() failed at pending None: TypeError"),
    Wrong("payoff none", game(payoff="pass"), "payoff() is None: expected an integer"),
    Wrong("payoff half", game(payoff="return state / 2"), "payoff() is -0.5: expected an integer"),
    Wrong("gain text", game(gain="return '1'"), "at state 1: gain() is '1': expected an integer"),
    Wrong("cost half", game(cost="return .5"), "at pending 0: cost() is 0.5: expected an integer"),
    Wrong("cost negative", game(cost="return -1"), "negative cost", ("solve", "--objective", "fewest")),
    Wrong("cost negative in check", game("objective = Fewest()", cost="return -1"), "negative cost", CHECK),
    Wrong("mover 2", game(mover="return 2"), "mover() is 2: expected 0, who maximises, or 1, who minimises"),
    Wrong("mover text", game(mover="return 'me'"), "mover() is 'me': expected an integer"),
    Wrong(
        "two count rolls",
        game(mover="return 1"),
        "Fewest counts the rolls of one player",
        ("solve", "--objective", "fewest"),
    ),
    Wrong("objective class", game("objective = Expected"), "expected one that is made, Expected(...)"),
    Wrong("objective text", game("objective = 'expected'"), "the objective is 'expected': expected Expected()", CHECK),
    Wrong("objective method", game("def objective(self): return Fewest()"), "put @property above it", CHECK),
    Wrong("duel", game("from rollwise import Duel", "objective = Duel()"), "a duel is played on score sheets"),
    Wrong(
        "equality fails",
        game(start="return Odd()", head="class Odd:\n    def __hash__(self): return 1 // 0"),
        "ZeroDivisionError",
    ),
]

FAILING = [
    Wrong(
        "start fails",
        game(start="return {}['x']"),
        "start() failed at the beginning: KeyError: 'x' (wrong.py, line 4)",
    ),
    Wrong(
        "roll fails",
        game(roll="return {0: 1}[7]"),
        "roll() failed at pending 0: KeyError: 7 (wrong.py, line 5)",
    ),
    Wrong(
        "actions fail",
        game(actions="return state.x"),
        "actions() failed at state 1: AttributeError: 'int' object",
    ),
    Wrong("play fails", game(play="return 1 // 0"), "play() failed at state 1: ZeroDivisionError"),
    Wrong(
        "payoff fails",
        game(payoff="raise ValueError"),
        "payoff() failed at state -1: ValueError (wrong.py, line 8)",
    ),
    Wrong(
        "gain fails",
        game(gain="assert False, 'no'"),
        "gain() failed at state 1: AssertionError: no (wrong.py, line 9)",
    ),
    Wrong("cost fails", game(cost="return self.price"), "cost() failed at pending 0: AttributeError"),
    Wrong(
        "mover fails",
        game(mover="raise StopIteration"),
        "mover() failed at state 1: StopIteration (wrong.py, line 9)",
    ),
    Wrong(
        "objective fails",
        game("@property", "def objective(self): raise KeyError(1)"),
        "objective failed: KeyError: 1 (wrong.py, line 10)",
    ),
    Wrong(
        "helper fails",
        game("def help(self): return {}[1]", payoff="return self.help()"),
        "payoff() failed at state -1: KeyError: 1 (wrong.py, line 9, in help)",
    ),
    Wrong(
        "rules exit",
        game(roll="raise SystemExit"),
        "roll() failed at pending 0: SystemExit (wrong.py, line 5)",
    ),
    Wrong(
        "rules recurse",
        game(roll="return self.roll(pending)"),
        "roll() failed at pending 0: RecursionError",
    ),
    Wrong(
        "rules stop hard",
        game(head="class Stop(BaseException): pass", roll="raise Stop"),
        "roll() failed: Stop (wrong.py, line 5)",
    ),
    Wrong(
        "show_state fails",
        game(show_state="return {}[state]"),
        "show_state() failed at state 1: KeyError: 1 (wrong.py, line 9)",
        CHECK,
    ),
    Wrong(
        "show_state gives a number",
        game(show_state="return state"),
        "show_state() returned 1: expected text",
        CHECK,
    ),
    Wrong(
        "show_action fails",
        game(show_action="return {}[action]"),
        "show_action() failed: KeyError: 'again' (wrong.py, line 9)",
        ADVISE,
    ),
    Wrong(
        "show_action in check",
        game(show_action="return {}[action]"),
        "show_action() failed at state 1: KeyError",
        CHECK,
    ),
    Wrong(
        "show_pending fails",
        written("show_pending(self, pending): return {}[pending]"),
        "show_pending() failed at pending 0: KeyError",
        CHECK,
    ),
    Wrong(
        "read_state fails",
        game(read_state="return {}[text]"),
        "read_state() failed: KeyError: '3' (wrong.py, line 9)",
        ADVISE,
    ),
    Wrong(
        "read_state in check",
        game(read_state="return {}[text]"),
        "which cannot be read back: KeyError: '1'",
        CHECK,
    ),
    Wrong("read_state gives another", game(read_state="return 9"), "which reads back as 9", CHECK),
    Wrong("read_state gives a list", game(read_state="return [9]"), "[9] is not a position", ADVISE),
    Wrong("read_action in check", game(read_action="raise OSError"), "which cannot be read back: OSError", CHECK),
    Wrong("columns fail", written("columns(self, state): return {}[state]"), "columns() failed: KeyError: ", POLICY),
    Wrong("columns give none", written("columns(self, state): pass"), "columns() must map texts to texts, got None", CHECK),
    Wrong(
        "columns give none to policy",
        written("columns(self, state): pass"),
        "columns() must map texts to texts, got None (wrong.py, line 3)",
        POLICY,
    ),
    Wrong("heuristic fails", game(heuristic="return {}[state]"), "heuristic() failed at state 1: KeyError: 1", GREEDY),
    Wrong("heuristic gives text", game(heuristic="return 'much'"), "heuristic() is 'much': expected a number", CHECK),
    Wrong(
        "heuristic gives text to spread",
        game(heuristic="return 'much'"),
        "at state 1: heuristic() is 'much': expected a number (wrong.py, line 9)",
        GREEDY,
    ),
    Wrong("action listed twice", game(actions="return ('keep', 'again', 'keep') if state > 0 else ()"), "lists 'keep' twice"),
    Wrong(
        "pays by chance",
        game(payoff="return random.randrange(10**9)", head="import random"),
        "payoff() differs when asked twice",
    ),
    Wrong(
        "rolls by chance",
        game(roll="return {random.randint(1, 10**9): 1} if pending == 0 else {-pending: 1}", head="import random"),
        "roll() differs when asked twice",
    ),
]

CHANGING = [
    Wrong(
        "start changes",
        game(head="n = iter(range(9**9))", start="return 0 * next(n) or next(n)", roll="return {-1: 1}"),
        "at the beginning: start() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "roll changes",
        game(head="n = iter(range(9**9))", roll="return {-1: 1, -2: next(n) + 1}"),
        "roll() differs when asked twice; list what may happen",
        CHECK,
    ),
    Wrong(
        "actions change",
        game(head="n = iter(range(9**9))", actions="return ('a', 'b')[: 1 + next(n) % 2] if state > 0 else ()"),
        "actions() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "play changes",
        game(head="n = iter(range(9**9))", play="return state + next(n) % 2"),
        "play() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "gain changes",
        game(gain="return next(n)", head="n = iter(range(9**9))"),
        "at state 1: gain() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "payoff changes", game(head="n = iter(range(9**9))", payoff="return next(n)"), "payoff() differs when asked twice", CHECK
    ),
    Wrong(
        "mover changes", game(mover="return next(n) % 2", head="n = iter(range(9**9))"), "mover() differs when asked twice", CHECK
    ),
    Wrong(
        "cost changes",
        game(cost="return next(n)", head="n = iter(range(9**9))"),
        "at pending 0: cost() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "heuristic changes",
        game(heuristic="return next(n)", head="n = iter(range(9**9))"),
        "heuristic() differs when asked twice",
        CHECK,
    ),
    Wrong(
        "self decides",
        game("def __init__(self): self.n = 0", payoff="self.n += 1; return self.n"),
        "payoff() differs when asked twice",
        CHECK,
    ),
]

ENDLESS = [
    Wrong("endless positions", game(roll="return {pending + 1: 1}", play="return state"), "over the budget of 2,000", SMALL),
    Wrong("never ends", game(actions="return (1,)", play="return 0"), "the game never ends"),
    Wrong("never ends in check", game(actions="return (1,)", play="return 0"), "the game never ends", CHECK),
    Wrong(
        "cannot end",
        game(
            roll="return {pending + 1: 1} if pending < 3 else {pending: 1, -1: 1}",
            actions="return (1,)",
            play="return min(state, 3)",
        ),
        "the game never ends",
    ),
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

WRONG = {
    "files": FILES,
    "making": MAKING,
    "signatures": SIGNATURES,
    "answers": ANSWERS,
    "failing": FAILING,
    "changing": CHANGING,
    "endless": ENDLESS,
}
