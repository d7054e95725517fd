/** What goes over the wire. Made from the OpenAPI description by `python -m tests.wire_types`: do not edit. */

/** A position, its value, and its moves from best to worst. */
export interface Advice {
  state: string;
  /** the position as one short text */
  id: string;
  over: boolean;
  value: number | "impossible";
  exact: string | null;
  value_name: string;
  better: "higher" | "lower";
  position: SheetPosition | DuelPosition | SlotsPosition | WordsPosition | GroupsPosition | OpenPosition;
  moves: MoveInfo[];
}

/** A position of a game. */
export interface AdviseRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  state: string;
  top?: number | null;
  /** so many of the best moves say why; null: all of them */
  reasons?: number | null;
}

/** One of the aims of a game, and what stands in its fields. */
export interface AimChoice {
  name: string;
  values: Record<string, string>;
}

/** What a game can be played for: `text` is that of the objective, with fields in braces; "": the game's own. */
export interface AimInfo {
  name: string;
  label: string;
  help: string;
  text: string;
  fields: ParameterInfo[];
}

/** The answer to a contest file. */
export interface Answer {
  output: string;
}

/** The answer is being computed, once for all positions: ask again in a moment. */
export interface BeingPrepared {
  detail: string;
  preparing: ProgressInfo;
}

/** The upper bonus: its last step, and all of them from the lowest on; most have one. */
export interface BonusInfo {
  threshold: number;
  points: number;
  steps: BonusStep[];
}

/** A step of the upper bonus: what the upper boxes earn in all from a threshold on. */
export interface BonusStep {
  threshold: number;
  points: number;
}

/** The points of a box: their mean, the chance of any, and the chance of each number. */
export interface BoxChances {
  expected_points: number;
  chance_of_points: number;
  chance: Record<string, number>;
}

/** A box: the face it counts, the most it can pay, and how often it is filled. */
export interface BoxInfo {
  name: string;
  face: number | null;
  most: number;
  times?: number;
}

/** What a box pays, with examples. */
export interface BoxRuleInfo {
  name: string;
  pays: string;
  examples: ExampleInfo[];
}

/** A strategy card: its lines as text, what it is worth exactly, and the sheet to print. */
export interface CardInfo {
  title: string;
  /** sentences: what it is worth, and what it loses */
  worth: string[];
  size: number;
  /** sizes of cards that are known, and need not be looked for */
  sizes: number[];
  kind: "rules" | "tree" | "formula";
  /** in the objective's own unit; for two players against the best one, the mean of first and second */
  value: number;
  optimum: number;
  loss: number;
  text: string;
  svg: string;
}

/** A strategy card of a game, with at most so many lines, or whole numbers of a formula; null: as the server likes. */
export interface CardRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  size?: number | null;
}

/** A file of the original contest. */
export interface ContestRequest {
  input: string;
}

/** A whole game. */
export interface DistributionRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  /** follow it to the end; false: the cached outlook is enough, without the boxes */
  exact?: boolean;
}

/** Two equal score sheets, whose players take turns. */
export interface DuelBoard {
  kind: "duel-sheet";
  boxes: BoxInfo[];
  dice: number;
  faces: number;
  rerolls: number;
  bonus: BonusInfo | null;
  joker: JokerInfo | null;
  in_order: boolean;
  start: string;
}

/** A duel: the mover's sheet and dice, who that is (0: the first player), his lead, and the other's sheet. */
export interface DuelPosition {
  kind: "duel-sheet";
  dice: number[];
  left: number;
  open: string[];
  upper: number | null;
  primed: boolean;
  mover: "0" | "1";
  lead: number;
  other: SheetPosition;
}

/** Dice, and what a box pays for them. */
export interface ExampleInfo {
  dice: string[];
  points: number;
}

/** What was wrong, in one line; also where, as far as that is known: in a game file, counted from 1, or which parameter. */
export interface Fault {
  detail: string;
  /** left out where it is not known */
  line?: number | null;
  /** left out where it is not known */
  column?: number | null;
  /** or `objective`; left out where it is not known */
  parameter?: string | null;
}

/** A line of the catalogue; `kind` says what draws its board: sheet, slots, words, groups, any, or one of a game's own. */
export interface GameInfo {
  name: string;
  summary: string;
  title: string;
  /** the summary in a few words */
  brief: string;
  /** what kind of game it is, in words; empty for one that does not say */
  family: string;
  players: string;
  /** its place among the games that everybody knows, 1 first; 0: none */
  famous: number;
  kind: string;
  parameters: ParameterInfo[];
  /** what it can be played for, its own aim first */
  aims: AimInfo[];
}

/** A game of the catalogue, or the text of a game file: exactly one of them; its parameters as text. */
export interface GameRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
}

/** A game as it was played, rolls and moves in turn. */
export interface GradeRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  lines: RecordLine[];
}

/** A graded game: total = start + luck - mistakes; where rolls are counted, start - luck + mistakes. In a game for two these are the first player's, and `rival_mistakes` are the other one's. */
export interface Graded {
  start: number | "impossible";
  value: number | "impossible";
  exact: string | null;
  luck: number | "impossible";
  mistakes: number | "impossible";
  rival_mistakes?: number | "impossible" | null;
  total: number | "impossible";
  over: boolean;
  /** from which loss on a move is called what */
  severities: Record<string, number>;
  /** how many of the moves are called so (in a game for two, the first player's) */
  counts: Record<string, number>;
  steps: StepInfo[];
}

/** Sizes of the groups to end with. */
export interface GroupsBoard {
  kind: "groups";
  faces: number;
  goal: number[];
  dice: number;
  start: string;
}

/** Groups held, and the size of the group that the die falls in; in the raw view the faces themselves. */
export interface GroupsPosition {
  kind: "groups";
  held: number[];
  hit: number;
}

/** Whether the server is well, and what it is doing. */
export interface Health {
  status: "ok";
  version: string;
  solved: number;
  queued: number;
  solving: string | null;
  /** requests that are being computed */
  following: number;
  /** open streams of events */
  streams: number;
}

/** A game that is being solved, or was. */
export interface Job {
  id: string;
  /** its name in the catalogue; null: it was given as a file */
  game: string | null;
  /** what to call it */
  title: string;
  /** what it is, in a sentence; may be empty */
  about: string;
  parameters: Record<string, string>;
  /** the parameters that it has */
  known: ParameterInfo[];
  /** what is requested; null: the game's own */
  objective: string | null;
  /** what the game can be played for, its own aim first */
  aims: AimInfo[];
  /** which of the aims this is */
  aim: AimChoice;
  status: "queued" | "solving" | "solved" | "failed" | "cancelled";
  /** games that are solved before this one */
  ahead: number;
  progress: ProgressInfo | null;
  error: string | null;
  /** where in a game file the error is, from 1; null: not known */
  line: number | null;
  column: number | null;
  board: SheetBoard | DuelBoard | SlotsBoard | WordsBoard | GroupsBoard | OpenBoard;
  result: Result | null;
}

/** The joker rule. */
export interface JokerInfo {
  box: string;
  rule: string;
  bonus: number;
}

/** What a parameter is: integer (with `low` and `high`), flag, choice (of `names`), names, integers, text or file. */
export interface KindInfo {
  type: string;
}

/** A move: its value, what it loses against the best, what it banks, why, and the roll that it leads to. */
export interface MoveInfo {
  action: string;
  value: number | "impossible";
  exact: string | null;
  loss: number | "impossible";
  gain: number;
  /** what it banks on the mover's own sheet, whatever is played for */
  points: number;
  why: string;
  /** the same in numbers, on score sheets */
  reasons?: ReasonInfo[];
  after: string;
}

/** What any other game says about its table. */
export interface OpenBoard {
  kind: string;
  start: string;
}

/** What any other game says about a state. */
export interface OpenPosition {
  kind: string;
}

/** A distribution: the chance of `lowest`, `lowest + 1`, ..., or of each of `values`, and of more than all of these. */
export interface Outlook {
  /** points, or what the game counts, such as rolls */
  of: string;
  lowest: number;
  /** the numbers, where they lie far apart; null: consecutive ones */
  values: number[] | null;
  chance: number[];
  rest: number;
  mean: number;
  standard_deviation: number;
  quantiles: Record<string, number>;
  /** a bound of the error of every cumulative chance; 0: they are exact, but for rounding */
  error: number;
  /** the chance of the upper bonus of a score sheet, where that was followed */
  bonus: number | null;
  /** the chance of every step of that bonus, by its threshold */
  bonus_steps: Record<string, number>;
  /** by box of a score sheet, where that was followed */
  boxes: Record<string, BoxChances>;
}

/** A position and a move. */
export interface OutlookRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  state: string;
  action: string;
  /** follow the move to the end even where a quick outlook is cached */
  exact?: boolean;
}

/** A parameter: without a default it must be given; `label` is what a form calls it. */
export interface ParameterInfo {
  name: string;
  label: string;
  help: string;
  default: string;
  /** what a form may hold at first, where there is no default */
  example?: string;
  kind: KindInfo;
}

/** How far a solve is; `total` is null where it is not known. */
export interface ProgressInfo {
  what: string;
  done: number;
  total: number | null;
  /** an estimate from the pace so far; null: not known, or not yet */
  seconds_left: number | null;
}

/** A decision in which the move that looks best at once, `tempting`, loses; `hidden`: moves that look as good as the best. */
export interface PuzzleInfo {
  id: string;
  state: string;
  position: SheetPosition | DuelPosition | SlotsPosition | WordsPosition | GroupsPosition | OpenPosition;
  value: number | "impossible";
  moves: string[];
  best: string;
  why: string;
  tempting: string;
  tempting_why: string;
  loss: number | "impossible";
  /** how bad the tempting move is: inaccuracy, mistake or blunder */
  severity: string | null;
  hidden: number;
}

/** Puzzles from easy to hard, with their answers; fewer than requested where there are no more. */
export interface Puzzles {
  seed: number;
  /** from which loss on a move is called what */
  severities: Record<string, number>;
  puzzles: PuzzleInfo[];
}

/** How many puzzles of a game, and which: the same seed sets the same ones. */
export interface PuzzlesRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  seed?: number;
  n?: number;
}

/** A part of how much better a move is than another, to the player to move; the reasons of a move add up to that. */
export interface ReasonInfo {
  kind: string;
  what: string;
  value: number | "impossible";
  exact: string | null;
}

/** A roll (the state it gave) or a move. */
export interface RecordLine {
  kind: "roll" | "move";
  text: string;
}

/** What an opponent does: a move, who makes it (0: the first player), and what the position was worth before. */
export interface Reply {
  action: string;
  value: number | "impossible";
  exact: string | null;
  loss: number | "impossible";
  gain: number;
  /** what it banks on the mover's own sheet, whatever is played for */
  points: number;
  why: string;
  /** the same in numbers, on score sheets */
  reasons?: ReasonInfo[];
  after: string;
  opponent: string;
  player: "0" | "1";
  state: string;
  before: number | "impossible";
}

/** A position of a game for two, and who plays it. */
export interface ReplyRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  state: string;
  opponent: "optimal" | "points" | "greedy";
}

/** A solved game: its value, and why to trust it. */
export interface Result {
  /** what losses are counted in */
  unit: string;
  /** values are chances */
  share: boolean;
  /** what it is played for */
  sentence: string;
  /** said where nothing is left to play for */
  remark: string | null;
  two_players: boolean;
  /** who can play the other side: names for /api/reply */
  opponents: string[];
  objective: string;
  value_name: string;
  better: "higher" | "lower";
  value: number | "impossible";
  /** the value as p/q, where it was calculated in fractions */
  exact: string | null;
  states: number;
  pendings: number;
  engine: string;
  seconds: number;
  certificate: string;
  proof: Record<string, boolean | number | string>;
  bound: number;
  fingerprint: string;
}

/** A plan of the risk dial beside the strategy with the best mean. */
export interface RiskInfo {
  plan: RiskPlanInfo;
  /** the strategy with the best mean */
  most: RiskPlanInfo;
  /** what `most` has for the plan's value: the mean of the same worst share, or the chance of the same target */
  most_value: number;
  /** which totals are good */
  better: "higher" | "lower";
}

/** A plan of the risk dial: its value, and what its totals are like (null: too large to follow). */
export interface RiskPlanInfo {
  objective: string;
  /** the total that it is about, chosen at the start of the game; null: none */
  target: number | null;
  value: number;
  mean: number | null;
  standard_deviation: number | null;
  /** the mean of the worst tenth of games */
  worst_tenth: number | null;
  median: number | null;
}

/** What may be rolled: the state that it gives, its chance, and a short name of the roll. */
export interface RollInfo {
  state: string;
  chance: number;
  label: string;
  /** the dice that were rolled, where they are known */
  dice: string[];
  over: boolean;
  position: SheetPosition | DuelPosition | SlotsPosition | WordsPosition | GroupsPosition | OpenPosition;
}

/** What may be rolled after a move, or at the start: the likeliest first, and the chance of all that are left out. */
export interface Rolls {
  /** the roll to come, as the game writes it */
  after: string;
  /** what lies on the table before it, described like a position */
  before: Record<string, unknown>;
  rolls: RollInfo[];
  rest: number;
  /** where `draw` was given: the roll that it falls on */
  drawn: RollInfo | null;
}

/** A position and a move; without them, the start of the game. */
export interface RollsRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  state?: string | null;
  action?: string | null;
  /** a random number: `drawn` is the roll that it falls on */
  draw?: number | null;
  /** rolls to list, the likeliest first */
  top?: number;
}

/** How a game is played, with these parameters. */
export interface RulesInfo {
  paragraphs: string[];
  boxes: BoxRuleInfo[];
}

/** A score sheet and its dice. Played for a target or against a total, `standing` says how the texts of positions end: with its `word` and `start` points, plus (or minus, by `sign`) what was banked. `mark` is the total from which on the game is won, where there is one such. */
export interface SheetBoard {
  kind: "sheet";
  boxes: BoxInfo[];
  dice: number;
  faces: number;
  rerolls: number;
  bonus: BonusInfo | null;
  joker: JokerInfo | null;
  in_order: boolean;
  start: string;
}

/** Dice, rerolls left, open boxes, upper total (null without a bonus), and whether a joker earns its bonus. */
export interface SheetPosition {
  kind: "sheet";
  dice: number[];
  left: number;
  open: string[];
  upper: number | null;
  primed: boolean;
}

/** A slot and its points for each face. */
export interface SlotInfo {
  name: string;
  scores: number[];
}

/** Slots and a target. */
export interface SlotsBoard {
  kind: "slots";
  target: number;
  slots: SlotInfo[];
  faces: number;
  start: string;
}

/** Free slots, total so far, and the roll to place. */
export interface SlotsPosition {
  kind: "slots";
  free: string[];
  total: number;
  roll: number;
}

/** A game to solve; with a position, what can follow from there is enough, if that is much less. */
export interface SolveRequest {
  game?: string | null;
  /** a game file (TOML), its text; it is not stored as a file */
  file?: string | null;
  parameters?: Record<string, string>;
  /** what is best, as the command line writes it; null: the game's own */
  objective?: string | null;
  /** a position, without points needed or gained */
  state?: string | null;
  /** the points that were gained before */
  total?: number;
}

/** A roll with its luck and the move made on it with its loss; `state` and `action` are older names of `roll` and `move`. */
export interface StepInfo {
  roll: string;
  state: string;
  action: string | null;
  value: number | "impossible";
  luck: number | "impossible";
  move: string | null;
  loss: number | "impossible" | null;
  best: string | null;
  /** inaccuracy, mistake or blunder */
  severity: string | null;
  /** the kind of decision, as text or as a message in JSON; null where there was one move, or none was made */
  decision: string | null;
  /** whether the move that looks best at once is a best one, and a best one was played */
  obvious: boolean | null;
  /** the player who moved, 0 or 1; 0 where nobody has yet */
  mover: number;
  /** the position in words */
  words?: string | null;
}

/** Dice with symbols, and the first words of the dictionary. */
export interface WordsBoard {
  kind: "words";
  dice: string[];
  words: string[];
  word_count: number;
  start: string;
}

/** What the dice show. */
export interface WordsPosition {
  kind: "words";
  dice: string[];
}
