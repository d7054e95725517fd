"""What goes over the wire: requests with their limits, answers with their types. They are the OpenAPI description too."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Advice", "AdviseRequest", "Answer", "Board", "Fault", "GameInfo", "GameRequest", "GradeRequest", "Graded", "Health", "Job",
    "JudgeRequest", "Outlook", "OutlookRequest", "Result",
]  # fmt: skip

Value = float | Literal["impossible"]
GameName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=40)]
ParameterText = Annotated[str, StringConstraints(max_length=4 << 20)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GameRequest(_Request):
    """A game of the catalogue, its parameters as text."""

    game: GameName = Field(examples=["yazy"])
    parameters: dict[Key, ParameterText] = Field(default={}, max_length=8, examples=[{"boxes": "ones,straight"}])


class AdviseRequest(GameRequest):
    """A position of a game."""

    state: Text = Field(examples=["33561 2 all"])
    top: int | None = Field(default=None, ge=1, le=1000)


class OutlookRequest(GameRequest):
    """A position and a move."""

    state: Text = Field(examples=["33561 2 all"])
    action: Text = Field(examples=["keep 33"])


class RecordLine(_Request):
    """A roll (the state it gave) or a move."""

    kind: Literal["roll", "move"]
    text: Text


class GradeRequest(GameRequest):
    """A game as it was played, rolls and moves in turn."""

    lines: list[RecordLine] = Field(max_length=2000)


class JudgeRequest(_Request):
    """A file of the original contest."""

    input: ParameterText


class ParameterInfo(BaseModel):
    """A parameter: without a default it must be given."""

    name: str
    help: str
    default: str


class GameInfo(BaseModel):
    """A line of the catalogue."""

    name: str
    summary: str
    kind: Literal["sheet", "slots", "words", "groups"]
    parameters: list[ParameterInfo]


class BoxInfo(BaseModel):
    """A box: the face it counts, and the most it can pay."""

    name: str
    face: int | None
    most: int


class BonusInfo(BaseModel):
    """The upper bonus."""

    threshold: int
    points: int


class JokerInfo(BaseModel):
    """The joker rule."""

    box: str
    rule: str
    bonus: int


class SheetBoard(BaseModel):
    """A score sheet and its dice."""

    kind: Literal["sheet"] = "sheet"
    boxes: list[BoxInfo]
    dice: int
    faces: int
    rerolls: int
    bonus: BonusInfo | None
    joker: JokerInfo | None
    in_order: bool
    start: str


class SlotInfo(BaseModel):
    """A slot and its points for each face."""

    name: str
    scores: list[int]


class SlotsBoard(BaseModel):
    """Slots and a target."""

    kind: Literal["slots"] = "slots"
    target: int
    slots: list[SlotInfo]
    faces: int
    start: str


class WordsBoard(BaseModel):
    """Dice with symbols, and the first words of the dictionary."""

    kind: Literal["words"] = "words"
    dice: list[str]
    words: list[str]
    word_count: int
    start: str


class GroupsBoard(BaseModel):
    """Sizes of the groups to end with."""

    kind: Literal["groups"] = "groups"
    faces: int
    goal: list[int]
    dice: int
    start: str


Board = Annotated[SheetBoard | SlotsBoard | WordsBoard | GroupsBoard, Field(discriminator="kind")]


class ProgressInfo(BaseModel):
    """How far a solve is; `total` is null where it is not known."""

    what: str
    done: int
    total: int | None


class Result(BaseModel):
    """A solved game: its value, and why to trust it."""

    objective: str
    value_name: str
    value: Value
    states: int
    pendings: int
    engine: str
    seconds: float
    certificate: str
    bound: float


class Job(BaseModel):
    """A game that is being solved, or was."""

    id: str
    game: str
    parameters: dict[str, str]
    status: Literal["queued", "solving", "solved", "failed", "cancelled"]
    ahead: int = Field(description="games that are solved before this one")
    progress: ProgressInfo | None
    error: str | None
    board: Board
    result: Result | None


class SheetPosition(BaseModel):
    """Dice, rerolls left, open boxes, upper total (null without a bonus), and whether a joker earns its bonus."""

    kind: Literal["sheet"] = "sheet"
    dice: list[int]
    left: int
    open: list[str]
    upper: int | None
    primed: bool


class SlotsPosition(BaseModel):
    """Free slots, total so far, and the roll to place."""

    kind: Literal["slots"] = "slots"
    free: list[str]
    total: int
    roll: int


class WordsPosition(BaseModel):
    """What the dice show."""

    kind: Literal["words"] = "words"
    dice: list[str]


class GroupsPosition(BaseModel):
    """Groups held, and the size of the group that the die falls in; in the raw view the faces themselves."""

    kind: Literal["groups"] = "groups"
    held: list[int]
    hit: int


class MoveInfo(BaseModel):
    """A move: its value, what it loses against the best, what it banks, why, and the roll that it leads to."""

    action: str
    value: Value
    loss: Value
    gain: int
    why: str
    after: str


class Advice(BaseModel):
    """A position, its value, and its moves from best to worst."""

    state: str
    over: bool
    value: Value
    value_name: str
    better: Literal["higher", "lower"]
    position: Annotated[SheetPosition | SlotsPosition | WordsPosition | GroupsPosition, Field(discriminator="kind")]
    moves: list[MoveInfo]


class Outlook(BaseModel):
    """A distribution: the chance of `lowest`, `lowest + 1`, ..., and of more than all of these."""

    of: Literal["points", "rolls"]
    lowest: int
    chance: list[float]
    rest: float
    mean: float
    deviation: float
    quantiles: dict[str, int]


class StepInfo(BaseModel):
    """A roll with its luck and the move made on it with its loss."""

    state: str
    value: Value
    luck: Value
    action: str | None
    loss: Value
    best: str | None


class Graded(BaseModel):
    """A graded game: total = start + luck - mistakes; where rolls are counted, start - luck + mistakes."""

    start: Value
    luck: Value
    mistakes: Value
    total: Value
    over: bool
    steps: list[StepInfo]


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


class Fault(BaseModel):
    """What was wrong, in one line."""

    detail: str
