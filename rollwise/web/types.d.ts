/**
 * The types of the page's scripts; scripts name them by `@import { ... } from "../types.js"`. None of this reaches a browser.
 *
 * What the server says is in `wire.d.ts`, made from its description. Here: the friendly names of that, what a module of a kind
 * of games must offer (`Kind`), and what the parts of the table see (`TableModel`) and may do (`Acts`).
 *
 * Hooks for tests (`data-test`):
 *   home, error, status                       everywhere (status: on the table)
 *   install, away, look, keep-offline         install the page; no connection, and trying again; keep a game (on the table)
 *   try-0.., try-answer, try-on, try-next     start page: a position to try
 *   game-NAME, rules-NAME, how-NAME, start    start page: play, house rules, rules; fields of a form: GAME-PARAMETER (words-dice, ...)
 *   less-FIELD, more-FIELD, fault-FIELD       beside a field: steps of a number, what is wrong with it
 *   own, own-text, own-fault, own-open, own-save, own-share, own-link, own-solve, own-example, own-rules    a game of your own
 *   rules, rules-close, rule-NAME             the rules of a game, and of each box; rules-open, edit-file: on the table
 *   solve-progress, cancel, solve-away        while a game is solved
 *   solves, solve-row, solve-open, solve-stop solves that go on while something else is on the page
 *   stopped, again-solve                      a solve that ended elsewhere, or a server that does not answer: what to do
 *   mode-mine, mode-roll, coach               who rolls, advice on or off
 *   aim-change, aim-now, aim-NAME, aim-go     what is played for; dial, dial-plan, dial-price: the risk dial, its plan, what that gives up
 *   menu                                      what is behind it: edit (and edit-done), share, new-game, rules-open, players-open, card-open, ...
 *   share-link                                the link to the position
 *   die-0.., change-0.., keypad-FACE, clear   dice (aria-pressed: held), keypad
 *   left-0.., box-NAME, points-NAME, total, upper, jokers, primed   score sheets (the last five while setting up)
 *   total-shown, upper-shown, jokers-shown, rest-shown          score sheets: the rows that make them add up
 *   slot-NAME, need, total                    slots
 *   rolls                                     words and groups: rolls so far
 *   hit, face-FACE, groups-keep, groups-reroll                  groups
 *   word-WORD                                 words: hold the letters of a word
 *   aside, points, points-now, turn-points, sets, act-keep      Threes and Farkle: dice set aside, points so far, of the turn, what scores
 *   rolled, dice-count, fewer-dice, more-dice                   Pig and Hog: what was rolled, how many dice to roll
 *   state, after, stage, part-NAME            any other game: the position as text, the roll to come, what lies on the table
 *   act-MOVE, picker, roll-0.., find-roll, face-FACE, face-back   its few moves, what may be rolled
 *   rival                                     who plays the second player
 *   moves, move-0.., selected-why, best-why, more, account, last   ranked moves, why the selected and the best one, the same in numbers, what the last one cost
 *   outlook, show-exactly, play, roll, undo   distribution, buttons
 *   connection, try-now                       the connection is lost: when it is tried again, and at once
 *   result, before, luck, mistakes, ungraded, again, undo-end   the end of a game
 *   after, summed, course, learn, no-mistakes, side-0..         after a game: the sentence, the line (a slider), lessons, whose view
 *   step, step-title, step-luck, step-moves, step-next, step-before, error-next, error-before, step-on   a move that was played
 *   lesson, lesson-title, lesson-back, lesson-sum, lesson-again, lesson-done     learn from your mistakes
 *   compared, personal-best, share-result, save-picture, shared   after a game: how it compares, and sharing it
 *   learn-link, learn-status, learn-none, learn-due, learn-next, learn-start, learn-ahead, strict-close, strict-best   learn: positions to repeat
 *   rating, leaks, leak, leak-position, leak-practise, no-leaks   learn: the rating, and what costs most
 *   drill, drill-head, drill-note, drill-skip, drill-back, drill-sum, drill-done   a position that is asked again
 *   task, task-verdict, task-reasons, task-check, task-show, task-next, pick-MOVE  a decision to find, in lessons and puzzles
 *   puzzles, puzzle-day, puzzle-game, puzzle-facts, score-right, score-run, score-best, score-days   the page of puzzles
 *   puzzle, puzzle-head, puzzle-score, puzzle-on, puzzle-days, puzzle-another, puzzle-repeat, puzzle-copy, puzzle-all, setting, no-puzzles
 *
 *   players-NAME, players-open, party-setup, player-name-0.., player-coach-0.., player-remove-0.., player-add, party-begin   who plays
 *   players, paper, player-0.., cell-0-BOX, total-0.., chance-0.., look-0.., odds, odds-note, odds-exactly   several players
 *   pencil, pencil-POINTS, pencil-points, pencil-joker, pencil-go, pencil-fault   points that are written by hand
 *   games, kept-ID, delete-ID, kept-none, wins, share-game     games that are kept, a link to a whole game
 *
 * `data-awaits` of the table says what it waits for: the player (roll, dice, move, end), or else rival or answer.
 */

import type { Dial } from "./static/home/dial.js";
import type * as wire from "./wire.js";

// What the server says.

export type { Advice, BonusInfo, BoxInfo, Graded, JokerInfo, Outlook, Result, RulesInfo, SlotInfo } from "./wire.js";
export type { GroupsBoard, SlotsBoard, WordsBoard } from "./wire.js";

/** What a board says, besides, of loaded dice, and when points are played for: how positions end, the total that wins, and who is bound to a strategy. */
interface Played {
  standing?: { word: "needs" | "has"; start: number; sign: 1 | -1 };
  mark?: number;
  bound?: 0 | 1;
  /** the weights of the faces of loaded dice, from 1 on */
  weights?: number[];
}
export interface SheetBoard extends wire.SheetBoard, Played {
  saved_rolls?: boolean;
}
export interface DuelBoard extends Omit<wire.DuelBoard, "kind">, Played {
  kind: any;
}
export interface Job extends Omit<wire.Job, "aims"> {
  aims: Aim[];
}
export type Reply = wire.Reply;
export type Board = Job["board"] & Played;
export type Move = wire.MoveInfo;
export type Step = wire.StepInfo;
/** A line of a record; the page keeps more of a roll than the server needs: the total so far, and whose turn it was. */
export interface Line extends wire.RecordLine {
  total?: number;
  player?: number;
}
export type Progress = wire.ProgressInfo;
export type RollInfo = wire.RollInfo;
export type Rolls = wire.Rolls;
export type Value = number | "impossible";

/** What a parameter may be, by its `type`. */
export type ParameterKind =
  | { type: "integer"; low: number | null; high: number | null }
  | { type: "choice"; names: string[] }
  | { type: "flag" | "names" | "integers" | "text" | "file" | "weights" };

export interface Parameter extends Omit<wire.ParameterInfo, "kind"> {
  kind: ParameterKind;
}

/** A game of the catalogue. */
export interface Game extends Omit<wire.GameInfo, "parameters" | "aims"> {
  /** what it is called in every language */
  titles?: string[];
  parameters: Parameter[];
  aims: Aim[];
}

/** A field of an aim. */
export type AimField = Parameter;

/** What a game can be played for: its `text` is that of the objective, with fields in braces; "": the game's own. */
export interface Aim extends Omit<wire.AimInfo, "fields"> {
  fields: AimField[];
}

/** One of the aims of a game, and what stands in its fields. */
export type AimChoice = wire.AimChoice;

// What is asked, and where the address leads.

/** A game: one of the catalogue or the text of a game file (the other one is null), and what is best (null: its own). */
export interface Asked {
  game: string | null;
  file: string | null;
  parameters: Record<string, string>;
  objective: string | null;
}

/** Who rolls. */
export type Mode = "mine" | "roll";

/** A position in an address, by field; the names are those of the kind. */
export type Fields = Record<string, string>;

/** What came of a link. */
export interface Link {
  asked: Asked;
  fields: Fields;
  mode: Mode;
  /** why its position is not on the table */
  fault?: Error;
}

/** A move to choose in a position to try; `keeps`: the dice that stay on the table, null where it `fills` a box or there are no turns. */
export interface TryMove {
  action: string;
  keeps: string[] | null;
  fills: boolean;
  gain: number;
  value: Value;
  loss: Value;
}

/** A position to try on the start page. */
export interface Try {
  game: string;
  title: string;
  state: string;
  dice: string[];
  facts: Record<string, string>;
  /** points that are already on the sheet */
  so_far: number;
  value_name: string;
  better: "higher" | "lower";
  moves: TryMove[];
}

/** What a view that is not the table may do with the page. */
export interface Page {
  games: Game[];
  /** the families of games, in the order in which they are listed; "others" are those that say none */
  families: string[];
  tries: Try[];
  /** game files to begin from: what each calls itself, by its name among the page's own files */
  examples: Record<string, string>;
  /** what is on a site of plain files (`rollwise site`), which has no server */
  site?: SiteInfo;
  /** Leave the view of the moment: what it waits for ends. Gives the signal that ends what the next one waits for. */
  leave(): AbortSignal;
  /** Put a view on the page; `laid` is the table in it. */
  show(node: HTMLElement, title?: string, laid?: LaidTable | null): void;
  /** Show the start page; with what is requested, the form of that game, and what is wrong in it. */
  showHome(asked?: Asked | null, fault?: Error | null): void;
  /** Show more about a game: its rules, its players, and its form with what is `given`, and what is wrong in it. */
  options(name: string, given?: Asked | null, fault?: Error | null): Promise<void>;
  /** Show a game file, and what is wrong with it. */
  showOwn(text?: string, fault?: Error | null): Promise<void>;
  home(): void;
  fail(error: Error): void;
  clear(): void;
  /** Say calmly that something did not come about, with a button to try again. */
  stopped(what: { title: string; text: string; label: string; again: () => void }): void;
  /** Start a game. */
  open(given: Partial<Asked>): Promise<void>;
  /** Tell the rules of a game. */
  rules(asked: Asked, title: string): Promise<void>;
  /** Ask who plays a game, and begin it. */
  players(asked: Asked, title: string): Promise<void>;
}

/** What the page needs of the table on it. */
export interface LaidTable extends KeyTable {
  node: HTMLElement;
  asked: Asked;
  stop(): void;
}

// Positions on the table. They hold more than the server's: dice in the player's order, some missing, and what was filled in.

export type Face = number | string;

export interface Dice<F extends Face = Face> {
  dice: (F | null)[];
  /** which dice were kept from the roll before */
  kept: boolean[];
}

export interface SheetPosition extends Dice<number> {
  left: number;
  open: string[];
  points: Record<string, number | null>;
  upper: number;
  /** points of joker bonuses so far */
  jokers: number;
  primed: boolean;
  total: number;
}

/** The sheet of the player who does not move. */
export type Paper = Omit<SheetPosition, keyof Dice | "left">;

/** A duel: the sheet and the dice of the player to move, and the other's sheet. */
export interface DuelPosition extends SheetPosition {
  /** the player to move: 0, the first player, or 1 */
  mover: 0 | 1;
  /** which player you are */
  me: 0 | 1;
  other: Paper;
}

export interface SlotsPosition extends Dice<number> {
  free: string[];
  total: number;
  /** the die in each filled slot; null where it is not known */
  placed: Record<string, number | null>;
}

export interface WordsPosition extends Dice<string> {
  /** rolls before the one on the table */
  rolls: number;
}

export interface GroupsPosition extends Position {
  /** group sizes, largest first */
  held: number[];
  /** size of the group that the die joins, 0 for a new face, null before the roll */
  hit: number | null;
  /** what each group shows, and what the die shows: which faces they are makes no difference */
  faces: number[];
  die: number | null;
  rolls: number;
}

/** What lies on the table, told by a game that has no board of its own (`model/view.py`). */
export type BoardPart = { name: string; label: string } & (
  | { kind: "dice"; faces: string[]; sides: number | null }
  | { kind: "number"; value: number; low: number | null; high: number | null }
  | { kind: "counter"; value: number; low: number | null; high: number | null; dice?: number[] }
  | { kind: "track"; value: number; low: number; high: number; base: number | null }
  | { kind: "points"; counts: number[]; off: number; player: number; text: string }
  | { kind: "scores"; values: number[]; goal: number | null; mover: number | null }
  | { kind: "set"; members: { name: string; on: boolean }[] }
  | { kind: "tiles"; members: { name: string; on: boolean }[] }
  | { kind: "mover"; player: number }
  | { kind: "text"; text: string }
);

export interface AnyPosition extends Position {
  /** the position as the server writes it; empty before a roll */
  state: string;
  /** before a roll: the move that leads to it; null at the start */
  from: { state: string; action: string } | null;
  /** what the server says lies on the table; null until it has */
  shown: Record<string, unknown> | null;
  /** points that were gained on the way */
  total: number;
  /** dice set aside after earlier rolls, move by move (boards/set-aside.js) */
  aside?: string[];
  /** what was rolled last, where the state does not say it (boards/lanes.js) */
  rolled?: { label: string; dice: string[] } | null;
}

/** What the table itself looks at; the rest belongs to the kind. */
export interface Position extends Partial<Dice> {}

// The contract of a board module.

/**
 * A kind of games: how a position is begun, written, read, rolled and played, and how it looks. All but `makeView` are pure.
 *
 * `B` is the board that the server describes, `P` the position on the table.
 */
export interface Kind<B extends Board = Board, P extends Position = Position> {
  /** The position before the first roll. */
  fresh(board: B): P;
  /** Read the fields of a link. Raises `LinkError`. */
  read(board: B, fields: Fields): P;
  /** Write the fields of a link. */
  write(board: B, position: P): Record<string, string | number>;
  /** The position as the server reads it. */
  text(board: B, position: P): string;
  /** The position after a move, before its roll; `held` are the dice that the player holds. */
  play(board: B, position: P, move: Move, held: boolean[]): P;
  /** Put a face in: in the die that was chosen (`target`), or the next one. */
  enter(position: P, target: number | null, face: Face): P;
  /** Take the roll back. */
  clear(position: P): P;
  /** Roll what is missing, by `draw(n)`, a fair number from 0 to n - 1; or what the server drew, where the kind asks it. */
  roll(board: B, position: P, draw: Draw, drawn?: wire.RollInfo): P;
  /** Whether only the server knows what may be rolled: then `before` names the position and the move before the roll. */
  asksRolls?: boolean;
  before?(position: P): { state: string | null; action: string | null };
  /** Give a position with what the server says about it. */
  told?(position: P, shown: object): P;
  /** Whose choice a position is, where there are two players; without it the player's own. */
  mover?(position: P): "own" | "rival";
  /** Which player's choice a position is, 0 or 1, where there are two. */
  turn?(position: P): number | null;
  /** Which player you are, where there are two. */
  me?(position: P): number;
  /** Who plays the other side at first, of those who can; null: a person. */
  firstRival?(names: string[]): string | null;
  /** The line of the record for a roll, where it is not its text: the luck of a game must not hang on what is played for. */
  line?(board: B, position: P): Line;
  /** A line of the record as the server reads it. */
  sent?(board: B, line: Line): Line;
  /** The position of a roll in a record, given the one before it and the move made there; without it, what `read` makes of its text. */
  recall?(board: B, line: Line, before: { position: P; action: string } | null): P;
  /** Take over what is on the table from another kind of the same game, when the aim changes; null: begin. */
  adopt?(board: B, position: any): P | null;
  /** Whether the roll is complete, so that there are moves. */
  ready(position: P): boolean;
  over(position: P): boolean;
  canHold(position: P): boolean;
  /** Which dice a move holds. */
  hold(board: B, position: P, action: string): boolean[];
  /** The move that holds these dice; null where moves are not holds. */
  action(board: B, position: P, held: boolean[]): string | null;
  /** Whether the player rolls on after a move without another word. */
  rollsOn(move: Move): boolean;
  /** Points that are banked already: values of the server do not hold them. */
  banked(position: P): number;
  /** A move in a player's words. */
  moveName(action: string): string;
  /** The dice that a move names, as its text has them and by their faces; they are drawn. */
  diceIn?(action: string): { text: string, faces: Face[] } | null;
  /** What to do while the roll is not complete. */
  prompt(board: B, position: P, mode: Mode): string;
  /** The end of a game. */
  score(board: B, position: P, model?: TableModel<P>): { head: string; text: string };
  /** What losing and winning is called in a chart, where a game knows nothing else. */
  ends?(): [string, string];
  /** Whether a position can be set up by hand. */
  canSetUp: boolean;
  /** A state in few words. */
  brief(state: string, told?: string | null): string;
  /** How many moves there are at most, for the height of their list. */
  listed(board: B): number;
  /** Whether so many moves must be chosen from a list, as the board does not show them. */
  lists?(count: number): boolean;
  /** What to do with advice off. */
  ask: string;
  makeView(board: B, acts: Acts<P>, makeStage?: MakeStage): View<P>;
}

/** A whole number from 0 to n - 1, all equally likely. */
export type Draw = (n: number) => number;

/** A kind whose dice are entered as `boards/dice-tray.js` does it. */
export type DiceKind<B extends Board, P extends Position> = Omit<Kind<B, P>, "enter" | "clear">;

/** Something on the page that follows the table. */
export interface Part<P extends Position = Position> {
  node: HTMLElement;
  update(model: TableModel<P>): void;
}

/**
 * What lies on the table of a game of the kind "any"; `play` stands beside the dice and buttons. A tap calls `acts.choose(action)`, or
 * `acts.select(null)` where what was tapped is no whole move yet.
 */
export interface Stage extends Part<AnyPosition> {
  play?: HTMLElement[];
  /** Whether every move can be tapped on the board, so that no list of them is needed. */
  covers?(model: TableModel<AnyPosition>): boolean;
}
export type MakeStage = (board: any, acts: Acts<any>) => Stage;

/** A drawing of a game of the kind "any", and what of the kind it replaces. */
export interface Looks {
  makeStage: MakeStage;
  kind?: Partial<Kind<any, any>>;
}

/** What a kind shows: above the dice, beside the buttons (`play`) and as its board. */
export interface View<P extends Position = Position> {
  title: string;
  above?: HTMLElement;
  play: HTMLElement[];
  board: HTMLElement[];
  /** A number that was typed anywhere on the page. */
  key?(digit: number): void;
  update(model: TableModel<P>): void;
}

// The table.

/** How values, losses and signed sums are written. */
export interface Writers {
  /** the unit of a loss, "" where it is written with it */
  unit: string;
  /** what stands behind a value: "points expected"; the name of the value where this is missing */
  said?: string;
  value(value: Value): string;
  loss(value: Value): string;
  signed(value: Value): string;
  /** with more digits, on demand */
  precise(value: Value): string;
}

/** What the last move cost. */
export interface Verdict {
  action: string;
  loss: Value;
  best: string;
}

/** What the parts of the page see of the table as it is. */
export interface TableModel<P extends Position = Position> {
  /** who can play the other side */
  opponents: string[];
  /** what the rival did last, and why */
  reply?: Reply | null;
  /** whether nothing has been done yet */
  atBegin?: boolean;
  position: P;
  board: Board;
  kind: Kind;
  write: Writers;
  valueName: string;
  /** the advice that is shown, which may be of the position before while the next is on its way (`stale`) */
  shown: Advice | null;
  /** from which loss on a move is a mistake of each class; null or empty while that is not known */
  severities?: Record<string, number> | null;
  /** whose chance to win values are, where there are two players: the player to move */
  winner?: "you" | "first" | "second" | null;
  /** the player wants to roll, and what may be rolled is on its way */
  rolling?: boolean;
  /** moves of this position by action; null while advice is on its way */
  moves: Map<string, Move> | null;
  selected: string | null;
  best: string | null;
  held: boolean[];
  coach: boolean;
  edit: boolean;
  mode: Mode;
  over: boolean;
  stale: boolean;
  ready: boolean;
  canHold: boolean;
  canUndo: boolean;
  banked: number;
  /** whether there is a distribution to draw */
  hasChart?: boolean;
  /** the die that the keypad sets, if the player chose one */
  target: number | null;
  /** the record so far; null where it is not a whole game */
  lines: Line[] | null;
  grade: wire.Graded | null;
  gradeFault: string | null;
  verdict: Verdict | null;
  note: string | null;
  /** what may be rolled, where only the server knows that, and once it has said so */
  rolls: wire.Rolls | null;
  /** the answer on the last position of a game that is over */
  final: Advice | null;
  /** who plays the second player; null: a person */
  rival: string | null;
  asked: Asked;
  /** the advice on its way takes longer than usual */
  slow: boolean;
  /** an answer did not come, and nothing is on its way */
  stuck: boolean;
  /** the connection is lost: seconds before the next try, and how to try at once */
  connection: Connection | null;
  /** nothing has been rolled yet: the whole game lies ahead */
  atStart: boolean;
  /** what the game is solved for */
  outcome?: wire.Result;
  /** a rival is at it, and what the player does waits */
  rivalMoves: boolean;
  /** several players: who they are, whose turn it is, how they stand */
  party?: PartyModel;
}

/** What the parts of the page see of several players. */
export interface PartyModel {
  names: string[];
  /** whose moves are ranked */
  coached: boolean[];
  /** whether chances to win are shown */
  odds: boolean;
  mover: number;
  /** the position of each player */
  positions: any[];
  /** what each has at the end; null: not yet, or not known */
  results: (number | null)[];
  places: (number | null)[];
  /** whose game is looked at */
  viewed: number;
  grades: (wire.Graded | null)[];
  better: "higher" | "lower";
  /** what results are counted in */
  unit: string;
  /** every player's chance to win; none before they are computed */
  chances: (number | null)[];
  exact: boolean;
  /** whether the chances would be exact if the duel were solved */
  canSolve: boolean;
}

export interface Connection {
  seconds: number;
  now(): void;
}

/** What other modules see of a table while it is made. */
export interface TableParts {
  asked: Asked;
  title: string;
  differs: string;
  job: Job;
  kind: Kind<any, any>;
  board: Board;
  shell: Shell;
  /** the game being played */
  play: { record: { kind: string; text: string }[] };
  /** the risk dial that the player moved on the table before */
  dial: Dial | null;
}

/** What a table is opened with. */
export interface Opened {
  asked: Asked;
  title: string;
  /** what differs from the standard rules, in a line */
  differs: string;
  job: Job;
  kind: Kind<any, any>;
  position: Position;
  /** the record of the game; null where it did not begin at its start */
  lines: Line[] | null;
  mode: Mode;
  /** what a reload brought back */
  kept?: unknown;
  /** several players: their names, who is coached, whether chances to win are shown */
  party?: { names: string[]; coached: boolean[]; odds: boolean } | null;
  dial?: Dial | null;
}

/** What the page does for a table. */
/** How a solve is shown and left. */
export interface SolveView {
  /** what to call the game */
  title?: string;
  /** Put the progress on the page, if it takes a moment. */
  show?: (node: HTMLElement) => void;
  /** what its buttons do: leave the view */
  cancel?: () => void;
  signal?: AbortSignal;
  /** what follows this position is enough, where that takes much less */
  position?: { state?: string; total?: number };
  /** the part of the address that opens the game, for a solve that goes on when its view is left */
  fragment?: string;
}

export interface Shell {
  fail(error: Error): void;
  clear(): void;
  /** Solve a game; `fields` are the position on the table, for another aim of the same game. */
  solve(asked: Asked, view?: SolveView & { fields?: Record<string, string | number> }): Promise<Job | null>;
  /** Lay a game on the table in the place of this one. */
  lay(link: { asked: Asked; fields: Record<string, any>; mode: Mode }, before: { lines: Line[] | null; kept: unknown; dial: Dial | null }): void;
  /** Say what a plan of the risk dial gives up. */
  risk(asked: Asked): Promise<wire.RiskInfo>;
  save(fragment: string, state: { play: unknown }): void;
  /** Keep the game in this browser. */
  keep(facts: any, laid: { asked: Asked; mode: Mode; fragment: string; play: any }): void;
  /** what else stands beside the title */
  tools: HTMLElement[];
}

type Advice = wire.Advice;

/** What the parts of the page may do. */
export interface Acts<P extends Position = Position> {
  enter(face: Face): void;
  clear(): void;
  tapDie(i: number): void;
  target(i: number): void;
  /** Change the position by hand; null leaves it. */
  edit(change: (position: P) => P | null): void;
  choose(action: string): void;
  /** Select a move; null: none. */
  select(action: string | null): void;
  playAction(action: string): void;
  play(): void;
  roll(): void;
  undo(): void;
  mode(mode: Mode): void;
  coach(on: boolean): void;
  toggleEdit(): void;
  share(field: HTMLInputElement): void;
  /** Make a link to the whole game, with its moves. */
  shareGame(field: HTMLInputElement): void;
  again(): void;
  /** Let a computer play the second player; null: a person does. */
  rival(name: string | null): void;
  /** Say which player you are, before the game begins. */
  seat(me: 0 | 1): void;
  /** Play on for something else. */
  aim(objective: string | null, view: { show: (node: HTMLElement) => void; cancel: () => void; signal: AbortSignal; dial: Dial | null }): Promise<boolean>;
}

/** What the keys need of a table. */
export interface KeyTable {
  position: Position;
  board: Board;
  mode: Mode;
  canStep: boolean;
  roll(): void;
  undo(): void;
  playSelected(): void;
  step(by: number): void;
  tapDie(i: number): void;
  enterFace(face: Face): void;
  typeDigit?(digit: number): void;
}

// Tables: solved games as files, from which the page answers without a server (offline/answers.js).

/** A row of `tables.json`: which question a table answers, and where it is; `source` is the SHA-256 of a game file. */
export interface TableEntry {
  game: string | null;
  source: string | null;
  parameters: Record<string, string>;
  objective: string | null;
  title: string;
  file: string;
  bytes: number;
  sha: string;
}

/** What `tables.json` holds: tables, and the catalogue. */
export interface TableManifest {
  version: 1;
  games: Game[];
  tables: TableEntry[];
}

/** What is on a site of plain files: tables, with the text of a game file; and what is not, and why. */
export interface SiteInfo {
  tables: (TableEntry & { text: string | null })[];
  left: { title: string; why: string }[];
}

/** Where tables come from. */
export interface TableSource {
  manifest(): Promise<TableManifest>;
  load(entry: TableEntry): Promise<ArrayBuffer>;
}

/** A table that is open: the answers of the server, without it, and with messages. Each raises `ApiError` as app/api.js does. */
export interface LocalTable {
  solve(): Job;
  rules(): wire.RulesInfo;
  advise(request: { state: string; top?: number; reasons?: number }): Advice;
  reply(request: { state: string; opponent: string }): Reply;
  rolls(request: { state: string | null; action: string | null; draw?: number; top?: number }): Rolls;
  outlook(request: { state: string; action: string; exact?: boolean }, signal?: AbortSignal): wire.Outlook | Promise<wire.Outlook>;
  distribution(request: object, signal?: AbortSignal): wire.Outlook | Promise<wire.Outlook>;
  grade(request: { lines: Line[] }): wire.Graded;
  card(request: object): any;
  puzzles(request: object): any;
}

// Making elements.

export type Attribute = string | number | boolean | null | undefined;
export type Child = Node | string | null | undefined;
export type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

/** What an element is made with: its listeners, its hook for tests, its text, and attributes. */
export interface Options {
  on?: Listeners;
  test?: string;
  text?: string | number | null;
  [attribute: string]: Attribute | Listeners;
}
