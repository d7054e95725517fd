"""What goes over the wire: requests with their limits, answers with their types. They are the OpenAPI description too.

Answers are made by `wire.to_json`; these models say what is in them. Boards and positions of kinds that are not known here are
open: whatever their game says.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, model_validator
from pydantic_core import PydanticCustomError

__all__ = [
    "KNOWN",
    "MOST_ROLLS",
    "Advice",
    "AdviseRequest",
    "Answer",
    "BeingPrepared",
    "Board",
    "CardInfo",
    "CardRequest",
    "ContestRequest",
    "DistributionRequest",
    "Fault",
    "GameInfo",
    "GameRequest",
    "GradeRequest",
    "Graded",
    "Health",
    "Job",
    "Outlook",
    "OutlookRequest",
    "Puzzles",
    "PuzzlesRequest",
    "Reply",
    "ReplyRequest",
    "Result",
    "RiskInfo",
    "Rolls",
    "RollsRequest",
    "RulesInfo",
]  # fmt: skip

Value = float | Literal["impossible"]
GameName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=40)]
AimText = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
FileText = Annotated[str, StringConstraints(min_length=1, max_length=64 << 10)]
ParameterText = Annotated[str, StringConstraints(max_length=4 << 20)]


MOST_ROLLS = 500
"""Rolls that an answer lists."""
MOST_PUZZLES = 100
"""Puzzles in an answer."""


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GameRequest(_Request):
    """A game of the catalogue, or the text of a game file: exactly one of them; its parameters as text."""

    game: GameName | None = Field(default=None, examples=["yazy"])
    file: FileText | None = Field(default=None, description="a game file (TOML), its text; it is not stored as a file")
    parameters: dict[Key, ParameterText] = Field(default={}, max_length=8, examples=[{"boxes": "ones,straight"}])
    objective: AimText | None = Field(
        default=None, description="what is best, as the command line writes it; null: the game's own", examples=["at-least 45"]
    )

    @model_validator(mode="after")
    def _one_game(self) -> Self:
        if (self.game is None) == (self.file is None):
            got = "neither" if self.game is None else "both"
            raise PydanticCustomError("one_game", f"expected exactly one of game and file, got {got}")
        return self


class SolveRequest(GameRequest):
    """A game to solve; with a position, what can follow from there is enough, if that is much less."""

    state: Text | None = Field(default=None, description="a position, without points needed or gained", examples=["33561 2 all"])
    total: int = Field(default=0, ge=-1_000_000, le=1_000_000, description="the points that were gained before")


class AdviseRequest(GameRequest):
    """A position of a game."""

    state: Text = Field(examples=["33561 2 all"])
    top: int | None = Field(default=None, ge=1, le=1000)
    reasons: int | None = Field(default=None, ge=0, le=1000, description="so many of the best moves say why; null: all of them")


class OutlookRequest(GameRequest):
    """A position and a move."""

    state: Text = Field(examples=["33561 2 all"])
    action: Text = Field(examples=["keep 33"])
    exact: bool = Field(default=False, description="follow the move to the end even where a quick outlook is cached")


class DistributionRequest(GameRequest):
    """A whole game."""

    exact: bool = Field(default=True, description="follow it to the end; false: the cached outlook is enough, without the boxes")


class ReplyRequest(GameRequest):
    """A position of a game for two, and who plays it."""

    state: Text = Field(examples=["33561 2 all vs all lead 0"])
    opponent: Literal["optimal", "points", "greedy"]


class RollsRequest(GameRequest):
    """A position and a move; without them, the start of the game."""

    state: Text | None = Field(default=None, examples=["27 31 first 12"])
    action: Text | None = Field(default=None, examples=["roll"])
    draw: float | None = Field(default=None, ge=0, lt=1, description="a random number: `drawn` is the roll that it falls on")
    top: int = Field(default=MOST_ROLLS, ge=0, le=MOST_ROLLS, description="rolls to list, the likeliest first")


class RecordLine(_Request):
    """A roll (the state it gave) or a move."""

    kind: Literal["roll", "move"]
    text: Text


class GradeRequest(GameRequest):
    """A game as it was played, rolls and moves in turn."""

    lines: list[RecordLine] = Field(max_length=2000)


class PuzzlesRequest(GameRequest):
    """How many puzzles of a game, and which: the same seed sets the same ones."""

    seed: int = Field(default=0, ge=0, le=2**53 - 1)
    n: int = Field(default=10, ge=1, le=MOST_PUZZLES)


class CardRequest(GameRequest):
    """A strategy card of a game, with at most so many lines, or whole numbers of a formula; null: as the server likes."""

    size: int | None = Field(default=None, ge=1, le=200)


class ContestRequest(_Request):
    """A file of the original contest."""

    input: ParameterText


class _Open(BaseModel):
    """An answer that may say more than is listed."""

    model_config = ConfigDict(extra="allow")


class KindInfo(_Open):
    """What a parameter is: integer (with `low` and `high`), flag, choice (of `names`), names, integers, text or file."""

    type: str = Field(examples=["integer"])


class ParameterInfo(BaseModel):
    """A parameter: without a default it must be given; `label` is what a form calls it."""

    name: str
    label: str
    help: str
    default: str
    example: str = Field(default="", description="what a form may hold at first, where there is no default")
    kind: KindInfo


class AimInfo(BaseModel):
    """What a game can be played for: `text` is that of the objective, with fields in braces; "": the game's own."""

    name: str
    label: str
    help: str
    text: str = Field(examples=["at-least {target}"])
    fields: list[ParameterInfo]


class AimChoice(BaseModel):
    """One of the aims of a game, and what stands in its fields."""

    name: str
    values: dict[str, str]


class GameInfo(BaseModel):
    """A line of the catalogue; `kind` says what draws its board: sheet, slots, words, groups, any, or one of a game's own."""

    name: str
    summary: str
    title: str = Field(examples=["Maxi Yatzy"])
    brief: str = Field(description="the summary in a few words")
    family: str = Field(description="what kind of game it is, in words; empty for one that does not say")
    players: str = Field(examples=["1 or 2"])
    famous: int = Field(description="its place among the games that everybody knows, 1 first; 0: none")
    kind: str
    parameters: list[ParameterInfo]
    aims: list[AimInfo] = Field(description="what it can be played for, its own aim first")


class ExampleInfo(BaseModel):
    """Dice, and what a box pays for them."""

    dice: list[str]
    points: int


class BoxRuleInfo(BaseModel):
    """What a box pays, with examples."""

    name: str
    pays: str
    examples: list[ExampleInfo]


class RulesInfo(BaseModel):
    """How a game is played, with these parameters."""

    paragraphs: list[str]
    boxes: list[BoxRuleInfo]


class BoxInfo(BaseModel):
    """A box: the face it counts, the most it can pay, and how often it is filled."""

    name: str
    face: int | None
    most: int
    times: int = 1


class BonusStep(BaseModel):
    """A step of the upper bonus: what the upper boxes earn in all from a threshold on."""

    threshold: int
    points: int


class BonusInfo(BonusStep):
    """The upper bonus: its last step, and all of them from the lowest on; most have one."""

    steps: list[BonusStep]


class JokerInfo(BaseModel):
    """The joker rule."""

    box: str
    rule: str
    bonus: int


class SheetBoard(_Open):
    """A score sheet and its dice.

    Played for a target or against a total, `standing` says how the texts of positions end: with its `word` and `start` points,
    plus (or minus, by `sign`) what was banked. `mark` is the total from which on the game is won, where there is one such.
    """

    kind: Literal["sheet"] = "sheet"
    boxes: list[BoxInfo]
    dice: int
    faces: int
    rerolls: int
    bonus: BonusInfo | None
    joker: JokerInfo | None
    in_order: bool
    start: str


class DuelBoard(SheetBoard):
    """Two equal score sheets, whose players take turns."""

    kind: Literal["duel-sheet"] = "duel-sheet"  # type: ignore[assignment]


class SlotInfo(BaseModel):
    """A slot and its points for each face."""

    name: str
    scores: list[int]


class SlotsBoard(_Open):
    """Slots and a target."""

    kind: Literal["slots"] = "slots"
    target: int
    slots: list[SlotInfo]
    faces: int
    start: str


class WordsBoard(_Open):
    """Dice with symbols, and the first words of the dictionary."""

    kind: Literal["words"] = "words"
    dice: list[str]
    words: list[str]
    word_count: int
    start: str


class GroupsBoard(_Open):
    """Sizes of the groups to end with."""

    kind: Literal["groups"] = "groups"
    faces: int
    goal: list[int]
    dice: int
    start: str


KNOWN: tuple[str, ...] = tuple(
    board.model_fields["kind"].default for board in (SheetBoard, DuelBoard, SlotsBoard, WordsBoard, GroupsBoard)
)
"""The kinds of boards that are described here; others are open. They are drawn by `web/static/boards/registry.js`."""
OtherKind = Annotated[str, Field(json_schema_extra={"not": {"enum": list(KNOWN)}}, examples=["any"])]


class OpenBoard(_Open):
    """What any other game says about its table."""

    kind: OtherKind
    start: str


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return kind if kind in KNOWN else "any"


Board = Annotated[
    Annotated[SheetBoard, Tag("sheet")]
    | Annotated[DuelBoard, Tag("duel-sheet")]
    | Annotated[SlotsBoard, Tag("slots")]
    | Annotated[WordsBoard, Tag("words")]
    | Annotated[GroupsBoard, Tag("groups")]
    | Annotated[OpenBoard, Tag("any")],
    Discriminator(_kind),
]


class ProgressInfo(BaseModel):
    """How far a solve is; `total` is null where it is not known."""

    what: str
    done: int
    total: int | None
    seconds_left: int | None = Field(description="an estimate from the pace so far; null: not known, or not yet")


class Result(BaseModel):
    """A solved game: its value, and why to trust it."""

    unit: str = Field(description="what losses are counted in", examples=["points"])
    share: bool = Field(description="values are chances")
    sentence: str = Field(description="what it is played for")
    remark: str | None = Field(description="said where nothing is left to play for")
    two_players: bool
    opponents: list[str] = Field(description="who can play the other side: names for /api/reply")

    objective: str
    value_name: str
    better: Literal["higher", "lower"]
    value: Value
    exact: str | None = Field(description="the value as p/q, where it was calculated in fractions")
    states: int
    pendings: int
    engine: str
    seconds: float
    certificate: str
    proof: dict[str, bool | float | str]
    bound: float
    fingerprint: str


class Job(BaseModel):
    """A game that is being solved, or was."""

    id: str
    game: str | None = Field(description="its name in the catalogue; null: it was given as a file")
    title: str = Field(description="what to call it")
    about: str = Field(description="what it is, in a sentence; may be empty")
    parameters: dict[str, str]
    known: list[ParameterInfo] = Field(description="the parameters that it has")
    objective: str | None = Field(description="what is requested; null: the game's own")
    aims: list[AimInfo] = Field(description="what the game can be played for, its own aim first")
    aim: AimChoice = Field(description="which of the aims this is")
    status: Literal["queued", "solving", "solved", "failed", "cancelled"]
    ahead: int = Field(description="games that are solved before this one")
    progress: ProgressInfo | None
    error: str | None
    line: int | None = Field(description="where in a game file the error is, from 1; null: not known")
    column: int | None
    board: Board
    result: Result | None


class SheetPosition(_Open):
    """Dice, rerolls left, open boxes, upper total (null without a bonus), and whether a joker earns its bonus."""

    kind: Literal["sheet"] = "sheet"
    dice: list[int]
    left: int
    open: list[str]
    upper: int | None
    primed: bool


class DuelPosition(SheetPosition):
    """A duel: the mover's sheet and dice, who that is (0: the first player), his lead, and the other's sheet."""

    kind: Literal["duel-sheet"] = "duel-sheet"  # type: ignore[assignment]
    mover: Literal[0, 1]
    lead: int
    other: SheetPosition


class SlotsPosition(_Open):
    """Free slots, total so far, and the roll to place."""

    kind: Literal["slots"] = "slots"
    free: list[str]
    total: int
    roll: int


class WordsPosition(_Open):
    """What the dice show."""

    kind: Literal["words"] = "words"
    dice: list[str]


class GroupsPosition(_Open):
    """Groups held, and the size of the group that the die falls in; in the raw view the faces themselves."""

    kind: Literal["groups"] = "groups"
    held: list[int]
    hit: int


class OpenPosition(_Open):
    """What any other game says about a state."""

    kind: OtherKind


Position = Annotated[
    Annotated[SheetPosition, Tag("sheet")]
    | Annotated[DuelPosition, Tag("duel-sheet")]
    | Annotated[SlotsPosition, Tag("slots")]
    | Annotated[WordsPosition, Tag("words")]
    | Annotated[GroupsPosition, Tag("groups")]
    | Annotated[OpenPosition, Tag("any")],
    Discriminator(_kind),
]


class ReasonInfo(BaseModel):
    """A part of how much better a move is than another, to the player to move; the reasons of a move add up to that."""

    kind: str
    what: str
    value: Value
    exact: str | None


class MoveInfo(BaseModel):
    """A move: its value, what it loses against the best, what it banks, why, and the roll that it leads to."""

    action: str
    value: Value
    exact: str | None
    loss: Value
    gain: int
    points: int = Field(description="what it banks on the mover's own sheet, whatever is played for")
    why: str
    reasons: list[ReasonInfo] = Field(default=[], description="the same in numbers, on score sheets")
    after: str


class Reply(MoveInfo):
    """What an opponent does: a move, who makes it (0: the first player), and what the position was worth before."""

    opponent: str
    player: Literal[0, 1]
    state: str
    before: Value


class Advice(BaseModel):
    """A position, its value, and its moves from best to worst."""

    state: str
    id: str = Field(description="the position as one short text", examples=["1b3"])
    over: bool
    value: Value
    exact: str | None
    value_name: str
    better: Literal["higher", "lower"]
    position: Position
    moves: list[MoveInfo]


class RollInfo(BaseModel):
    """What may be rolled: the state that it gives, its chance, and a short name of the roll."""

    state: str
    chance: float
    label: str
    dice: list[str] = Field(description="the dice that were rolled, where they are known")
    over: bool
    position: Position


class Rolls(BaseModel):
    """What may be rolled after a move, or at the start: the likeliest first, and the chance of all that are left out."""

    after: str = Field(description="the roll to come, as the game writes it")
    before: dict[str, Any] = Field(description="what lies on the table before it, described like a position")
    rolls: list[RollInfo]
    rest: float
    drawn: RollInfo | None = Field(description="where `draw` was given: the roll that it falls on")


class BoxChances(BaseModel):
    """The points of a box: their mean, the chance of any, and the chance of each number."""

    expected_points: float
    chance_of_points: float
    chance: dict[str, float]


class Outlook(BaseModel):
    """A distribution: the chance of `lowest`, `lowest + 1`, ..., or of each of `values`, and of more than all of these."""

    of: str = Field(description="points, or what the game counts, such as rolls", examples=["points"])
    lowest: int
    values: list[int] | None = Field(description="the numbers, where they lie far apart; null: consecutive ones")
    chance: list[float]
    rest: float
    mean: float
    standard_deviation: float
    quantiles: dict[str, int]
    error: float = Field(description="a bound of the error of every cumulative chance; 0: they are exact, but for rounding")
    bonus: float | None = Field(description="the chance of the upper bonus of a score sheet, where that was followed")
    bonus_steps: dict[str, float] = Field(description="the chance of every step of that bonus, by its threshold")
    boxes: dict[str, BoxChances] = Field(description="by box of a score sheet, where that was followed")


class RiskPlanInfo(BaseModel):
    """A plan of the risk dial: its value, and what its totals are like (null: too large to follow)."""

    objective: str = Field(examples=["worst 10%, target 126"])
    target: int | None = Field(description="the total that it is about, chosen at the start of the game; null: none")
    value: float
    mean: float | None
    standard_deviation: float | None
    worst_tenth: float | None = Field(description="the mean of the worst tenth of games")
    median: int | None


class RiskInfo(BaseModel):
    """A plan of the risk dial beside the strategy with the best mean."""

    plan: RiskPlanInfo
    most: RiskPlanInfo = Field(description="the strategy with the best mean")
    most_value: float = Field(
        description="what `most` has for the plan's value: the mean of the same worst share, or the chance of the same target"
    )
    better: Literal["higher", "lower"] = Field(description="which totals are good")


class BeingPrepared(BaseModel):
    """The answer is being computed, once for all positions: ask again in a moment."""

    detail: str
    preparing: ProgressInfo


class StepInfo(BaseModel):
    """A roll with its luck and the move made on it with its loss; `state` and `action` are older names of `roll` and `move`."""

    roll: str
    state: str
    action: str | None
    value: Value
    luck: Value
    move: str | None
    loss: Value | None
    best: str | None
    severity: str | None = Field(description="inaccuracy, mistake or blunder", examples=["mistake"])
    decision: str | None = Field(
        description="the kind of decision, as text or as a message in JSON; null where there was one move, or none was made"
    )
    obvious: bool | None = Field(description="whether the move that looks best at once is a best one, and a best one was played")
    mover: int = Field(description="the player who moved, 0 or 1; 0 where nobody has yet")
    words: str | None = Field(default=None, description="the position in words")


class Graded(BaseModel):
    """A graded game: total = start + luck - mistakes; where rolls are counted, start - luck + mistakes.

    In a game for two these are the first player's, and `rival_mistakes` are the other one's.
    """

    start: Value
    value: Value
    exact: str | None
    luck: Value
    mistakes: Value
    rival_mistakes: Value | None = None
    total: Value
    over: bool
    severities: dict[str, float] = Field(description="from which loss on a move is called what")
    counts: dict[str, int] = Field(description="how many of the moves are called so (in a game for two, the first player's)")
    steps: list[StepInfo]


class PuzzleInfo(BaseModel):
    """A decision in which the move that looks best at once, `tempting`, loses; `hidden`: moves that look as good as the best."""

    id: str
    state: str
    position: Position
    value: Value
    moves: list[str]
    best: str
    why: str
    tempting: str
    tempting_why: str
    loss: Value
    severity: str | None = Field(description="how bad the tempting move is: inaccuracy, mistake or blunder")
    hidden: int


class CardInfo(BaseModel):
    """A strategy card: its lines as text, what it is worth exactly, and the sheet to print."""

    title: str
    worth: list[str] = Field(description="sentences: what it is worth, and what it loses")
    size: int
    sizes: list[int] = Field(description="sizes of cards that are known, and need not be looked for")
    kind: Literal["rules", "tree", "formula"]
    value: float = Field(
        description="in the objective's own unit; for two players against the best one, the mean of first and second"
    )
    optimum: float
    loss: float
    text: str
    svg: str


class Puzzles(BaseModel):
    """Puzzles from easy to hard, with their answers; fewer than requested where there are no more."""

    seed: int
    severities: dict[str, float] = Field(description="from which loss on a move is called what")
    puzzles: list[PuzzleInfo]


class Answer(BaseModel):
    """The answer to a contest file."""

    output: str


class Health(BaseModel):
    """Whether the server is well, and what it is doing."""

    status: Literal["ok"]
    version: str
    solved: int
    queued: int
    solving: str | None
    following: int = Field(description="requests that are being computed")
    streams: int = Field(description="open streams of events")


class Fault(BaseModel):
    """What was wrong, in one line; also where, as far as that is known: in a game file, counted from 1, or which parameter."""

    detail: str
    line: int | None = Field(default=None, description="left out where it is not known")
    column: int | None = Field(default=None, description="left out where it is not known")
    parameter: str | None = Field(default=None, description="or `objective`; left out where it is not known")
