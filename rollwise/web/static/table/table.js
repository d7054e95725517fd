/**
 * A game on the table: what the player does with it, and the advice on it. The game itself is in table/game.js, what is seen in table/view.js.
 *
 * @import { Acts, Advice, Connection, Face, Graded, Line, Mode, Move, Opened, Outlook, Position, Result, Rolls, Shell, TableModel } from "../../types.js"
 */

import * as api from "../app/api.js";
import { chanceWords } from "../home/aims.js";
import { LONGEST_FILE, packMoves, writeLink } from "../app/address.js";
import { withRetry } from "../app/retry.js";
import { onceSolved } from "../app/solve-game.js";
import { copyText } from "../app/window.js";
import { factsOf } from "../saved/summary.js";
import { writersFor } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import * as plays from "./game.js";
import { makeScene } from "./view.js";

const MOST_MOVES = 1000;
/** So many of the best moves say why at once; the others when they are chosen. */
const REASONS = 3;
const MOST_ROLLS = 500;
const NOTE_MS = 4000;
const RIVAL_MS = 1200;
const SLOW_MS = 400;

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", resolve);
  });

export class Table {
  /** @param {Opened} opened @param {Shell} shell what the page does */
  constructor({ asked, title, differs, job, kind, position, lines, mode, kept = null, party = null, dial = null }, shell) {
    this.asked = asked;
    this.title = title;
    this.differs = differs;
    this.job = job;
    this.dial = dial;
    this.kind = kind;
    this.board = job.board;
    this.shell = shell;
    this.game = { kind, board: job.board };
    const result = /** @type {Result} */ (job.result);
    this.valueName = result.value_name;
    this.result = result;
    this.write = { ...writersFor(result.value_name, result), ...(result.share ? { said: chanceWords(job) } : {}) };
    this.play = plays.unpack(kept) ?? plays.begin(this.game, { position, lines, mode });
    if (party) this.play = { ...this.play, party: this.play.party ?? party };
    if (this.play.rival === undefined) this.play = { ...this.play, rival: kind.firstRival?.(result.opponents) ?? null };
    this.abort = new AbortController();
    this.scene = makeScene(this, this.acts(), () => this.lookAhead({ exact: true }));
    this.node = this.scene.node;
    this.settle();
  }

  /** The advice that is shown; it is of the position before while the next is on its way. @type {Advice | null} */
  shown = null;
  /** Whether that advice is of the position on the table. */
  fresh = false;
  /** Whether the next advice takes longer than usual. */
  slow = false;
  /** Whether an answer did not come, so that nothing is on its way. */
  stuck = false;
  /** The moves of this position by action. @type {Map<string, Move> | null} */
  moves = null;
  /** @type {string | null} */
  selected = null;
  /** The die that the keypad sets, if the player chose one. @type {number | null} */
  targeted = null;
  /** Whether the position is being set up. */
  edit = false;
  over = false;
  /** @type {Graded | null} */
  grade = null;
  /** @type {string | null} */
  gradeFault = null;
  /** @type {string | null} */
  note = null;
  /** @type {Connection | null} */
  connection = null;
  /** What the rival did last, and why. @type {import("../../types.js").Reply | null} */
  reply = null;
  /** From which loss on a move is a mistake of each class; null before that is asked, empty until it is known. @type {Record<string, number> | null} */
  severities = null;
  /** What may be rolled, where only the server knows it. @type {Rolls | null} */
  rolls = null;
  /** Whether the player wants to roll what may be rolled as soon as that is known. */
  rollAsked = false;
  /** The answer on the last position of a game that is over. @type {Advice | null} */
  final = null;

  /** Forget what belongs to the position before. */
  clean() {
    this.fresh = this.slow = this.stuck = this.rollAsked = false;
    this.moves = this.selected = this.targeted = null;
    this.rolls = this.final = null;
    this.grade = this.gradeFault = this.note = this.connection = null;
    this.over = this.kind.over(this.position);
  }

  // The game as it is.

  get position() {
    return this.play.position;
  }

  get lines() {
    return plays.linesOf(this.play);
  }

  get mode() {
    return this.play.mode;
  }

  get coach() {
    return this.play.coach;
  }

  /** How the computer plays the other side; null: a person does, or there is none. */
  get rival() {
    return this.play.rival ?? null;
  }

  /** Whether a rival is at it: then the table moves by itself, and what the player does waits. */
  get rivalMoves() {
    return this.rival !== null && !this.over && this.kind.mover?.(this.position) === "rival";
  }

  /** Whether there is more to draw than who wins, which the bar shows. */
  get hasChart() {
    return !this.result.two_players;
  }

  /** Whose chance to win a value is, where there are two players: that of the player to move. */
  get winner() {
    if (!this.result.two_players || !this.result.share || this.over) return null;
    if (this.rival !== null) return "you";
    return this.kind.turn?.(this.position) === 1 ? "second" : "first";
  }

  /** Whether nothing has been rolled yet, so that the whole game lies ahead. */
  get atStart() {
    return this.lines?.length === 0 && !this.kind.ready(this.position) && !this.over;
  }

  // What the player does.

  /** @param {Face} value */
  enterFace(value) {
    if (this.mode !== "mine" || this.over || this.rivalMoves) return;
    if (this.targeted === null && this.isFull) this.say(t("tray.full"));
    else this.goOn(plays.enterFace(this.game, this.play, this.targeted, value));
  }

  /** Whether all of several dice are there, so that another face says nothing; of one die it is another roll. */
  get isFull() {
    const { dice } = this.position;
    return dice !== undefined && dice.length > 1 && this.kind.ready(this.position);
  }

  clear() {
    if (!this.rivalMoves) this.goOn(plays.clearDice(this.game, this.play));
  }

  /**
   * A missing die is chosen for the keypad; a die that can be held is held or let go; else it is chosen to be changed.
   *
   * @param {number} i
   */
  tapDie(i) {
    if (this.rivalMoves) return;
    if (this.position.dice[i] !== null && this.kind.canHold(this.position)) this.toggleHold(i);
    else if (this.mode === "mine") this.chooseDie(i);
  }

  /** @param {number} i */
  chooseDie(i) {
    this.targeted = this.targeted === i ? null : i;
    this.render();
  }

  /** Hold a die or let it go; where the advice is still on its way, it is seen at once, and chosen when the moves are known. @param {number} i */
  toggleHold(i) {
    this.play = plays.toggleHold(this.play, i);
    this.selected = this.moves ? plays.heldMove(this.game, this.play, this.moves) : this.kind.action(this.board, this.position, this.play.held);
    if (this.fresh) this.afterSelect();
    else this.render();
  }

  /** @param {(position: any) => Position | null} edited */
  change(edited) {
    const next = edited(this.position);
    if (next) this.goOn(plays.change(this.game, this.play, next));
  }

  /** @param {string} action */
  choose(action) {
    if (this.selected === action) this.playSelected();
    else this.select(action);
  }

  /** Select a move; null: none. @param {string | null} action */
  select(action) {
    if (this.rivalMoves || !this.kind.ready(this.position) || (this.fresh && action !== null && !this.moves?.has(action))) return;
    this.pick(action);
    if (this.fresh) this.afterSelect();
    else this.render();
  }

  /** @param {string | null} action */
  pick(action) {
    this.selected = action;
    if (action !== null) this.play = plays.hold(this.play, this.kind.hold(this.board, this.position, action));
  }

  get canStep() {
    return this.fresh && this.coach && !this.rivalMoves;
  }

  /** Select the next move up or down the list. @param {number} by */
  step(by) {
    const moves = this.shown?.moves ?? [];
    const at = moves.findIndex((move) => move.action === this.selected);
    this.select(moves[Math.max(0, Math.min(moves.length - 1, at + by))].action);
  }

  /** @param {string} action */
  playAction(action) {
    this.select(action);
    this.playSelected();
  }

  playSelected() {
    if (this.stuck) this.settle();
    const move = this.fresh && !this.rivalMoves && this.selected !== null && this.moves?.get(this.selected);
    if (move) this.advance(move, { best: this.shown?.moves[0].action });
  }

  /**
   * Play a move. Where only the server knows what may be rolled, and the page rolls, it is asked first.
   *
   * @param {Move} move
   * @param {{ best?: string, rolls?: boolean }} how
   */
  async advance(move, { rolls = this.mode === "roll", ...more }) {
    const { game, play } = this;
    if (!this.kind.asksRolls || !rolls) {
      this.goOn(plays.playMove(game, play, move, { rolls, ...more }));
      return;
    }
    this.fresh = false;
    this.render();
    const found = await this.drawRoll({ state: this.shown?.state ?? null, action: move.action }, plays.recordAfter(play, move), 0);
    if (found) this.goOn(plays.playMove(game, play, move, { rolls, drawn: found.drawn ?? undefined, ...more }));
  }

  /**
   * Ask what may be rolled before a position, and what the luck of this game makes of it; null when that is given up.
   *
   * @param {{ state: string | null, action: string | null }} before
   * @param {plays.Play["record"]} record
   * @param {number} top
   */
  async drawRoll(before, record, top) {
    const { signal } = this.abort;
    const request = { ...before, draw: plays.chanceOf(this.play.seed, record), top };
    try {
      const found = await this.ask(() => api.rolls(this.request(request), signal), signal);
      return signal.aborted ? null : found;
    } catch (error) {
      this.refuse(error, signal, t("table.no-roll"));
      return null;
    }
  }

  /**
   * Say that an answer did not come, and why, and offer to try again; nothing where nobody waits for it any more.
   *
   * @param {any} error
   * @param {AbortSignal} signal
   * @param {string} note
   */
  refuse(error, signal, note) {
    if (signal.aborted) return;
    this.note = note;
    this.stuck = true;
    this.render();
    this.shell.fail(error);
  }

  /** List what may be rolled, where only the server knows it; a roll that can go only one way is on the table at once. */
  async listRolls() {
    const before = this.kind.before?.(this.position);
    const found = before && (await this.drawRoll(before, this.play.record, MOST_ROLLS));
    if (!found) return;
    this.rolls = found;
    if (found.rolls.length === 1 && !found.rest) this.goOn(plays.sureRoll(this.game, this.play, found.rolls[0]));
    else if (this.rollAsked && this.mode === "roll") this.rollHere();
    else this.render();
  }

  /**
   * Let the computer play the other side, by the name of how it does (see `opponents`); null: a person.
   *
   * @param {string | null} name
   */
  setRival(name) {
    this.play = { ...this.play, rival: name };
    this.settle();
  }

  /** Say which player you are, before the game begins. @param {0 | 1} me */
  setSeat(me) {
    if (!this.atBegin) return;
    this.play = { ...this.play, position: { ...this.position, me } };
    this.settle();
  }

  /** Whether nothing has been done yet. */
  get atBegin() {
    return this.play.record.length === 0 && !this.over;
  }

  /**
   * Play on for something else: the position stays. Gives up where it is refused or cancelled, and says so.
   *
   * @type {Acts["aim"]}
   */
  async setAim(objective, view) {
    const asked = { ...this.asked, objective };
    const job = await this.shell.solve(asked, { ...view, title: this.title, fields: this.fields() });
    if (!job || view.signal.aborted) return false;
    const fields = this.fields();
    const same = job.board.kind === this.board.kind;
    // A plan of the dial was made at the start of the game: its target goes with it.
    const aimed = view.dial && objective && job.result ? { ...asked, objective: job.result.objective } : asked;
    this.stop();
    this.shell.lay({ asked: aimed, fields, mode: this.mode }, { ...(same ? { lines: null, kept: plays.pack(this.play) } : { lines: [], kept: { from: this.position } }), dial: view.dial });
    return true;
  }

  /** A number key, for a board that takes one. @param {number} digit */
  typeDigit(digit) {
    if (!this.rivalMoves) this.scene.view.key?.(digit);
  }

  /** Roll what is missing; where nothing is, play the selected move if it rolls. */
  roll() {
    if (this.mode !== "roll" || this.over || this.rivalMoves) return;
    const move = this.selected === null ? undefined : this.moves?.get(this.selected);
    if (!this.kind.ready(this.position)) this.rollHere();
    else if (move && this.kind.rollsOn(move)) this.playSelected();
  }

  rollHere() {
    if (!this.kind.asksRolls) this.goOn(plays.rollOn(this.game, this.play));
    else if (this.rolls) this.goOn(plays.rollOn(this.game, this.play, this.rolls.drawn));
    else {
      if (this.stuck) this.settle();
      this.rollAsked = true;
      this.render();
    }
  }

  /** Take the last step back; a rival's steps go with the player's own. */
  undo() {
    if (!this.play.past.length) return;
    this.goOn(plays.undoTo(this.play, (position) => this.rival === null || this.kind.mover?.(position) !== "rival"));
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.play = { ...this.play, mode };
    this.targeted = null;
    this.save();
    this.render();
  }

  /** @param {boolean} coach */
  setCoach(coach) {
    this.play = { ...this.play, coach };
    this.selected = null;
    if (this.fresh) this.preselect();
    this.afterSelect();
  }

  toggleEdit() {
    this.edit = !this.edit;
    this.render();
  }

  /** @param {HTMLInputElement} field */
  async share(field) {
    const left = this.save();
    const id = this.fresh && this.shown ? t("table.id", { id: this.shown.id }) : "";
    const warning = left.length ? t("table.left-out", { names: left.join(t("page.and")) }) : "";
    const isCopied = await copyText(location.href, field);
    this.say(t(isCopied ? "table.link-copied" : "table.copy-field", { more: `${id}${warning}` }));
  }

  /** Make a link to the whole game; one that would be too long is refused. @param {HTMLInputElement} field */
  async shareGame(field) {
    const record = plays.linesOf(this.play);
    if (!record?.length) {
      this.say(t("kept.whole-set"));
      return;
    }
    const moves = await packMoves(record);
    const { fragment } = writeLink({ asked: this.asked, mode: this.mode, fields: { ...this.fields(), moves } });
    if (fragment.length > LONGEST_FILE) {
      this.say(t("kept.whole-long", { n: fragment.length, most: LONGEST_FILE }));
      return;
    }
    const isCopied = await copyText(location.href.replace(/#.*$/s, "") + fragment, field);
    this.say(t(isCopied ? "kept.whole-copied" : "kept.whole-copy", { n: fragment.length }));
  }

  again() {
    this.edit = false;
    this.shown = this.reply = null;
    this.goOn(plays.again(this.game, this.play));
  }

  // A new position, and the answers on it.

  /** @param {plays.Play} play */
  goOn(play) {
    this.play = play;
    this.settle();
  }

  /** Start afresh with the position on the table: no selection, and new advice on its way. */
  settle() {
    this.stop();
    this.clean();
    this.shell.clear();
    this.save();
    const { signal } = (this.abort = new AbortController());
    this.render();
    if (this.over) this.finish(signal);
    else if (this.kind.ready(this.position)) this.consult(signal);
    else if (this.kind.asksRolls) this.listRolls();
    else if (this.rivalMoves) this.rollForRival(signal);
    if (this.atStart) this.lookAhead();
  }

  /** The position, as a link holds it. @returns {Record<string, string | number>} */
  fields() {
    return this.kind.write(this.board, this.position);
  }

  /** Keep the game in the address, and what the address cannot hold beside it. Gives the names of what is left out of a link. */
  save() {
    const { fragment, left } = writeLink({ asked: this.asked, mode: this.mode, fields: this.fields() });
    const play = plays.pack(this.play);
    try {
      this.shell.save(fragment, { play });
    } catch {
      // Browsers bound what an entry of the history holds, and how often it is written; the past is what can be done without.
      this.keepLess(fragment);
    }
    const facts = factsOf(this);
    if (facts) this.shell.keep(facts, { asked: this.asked, mode: this.mode, fragment, play });
    return left;
  }

  /** @param {string} fragment */
  keepLess(fragment) {
    try {
      this.shell.save(fragment, { play: plays.pack({ ...this.play, past: [] }) });
    } catch {
      this.note = t("table.not-kept");
    }
  }

  /** @template {object} More @param {More} more */
  request(more) {
    return { ...api.sent(this.asked), ...more };
  }

  /**
   * Run a request; one that the network lost is sent again, and a game that the server has forgotten is solved again first.
   *
   * @template Answer
   * @param {() => Promise<Answer>} call
   * @param {AbortSignal} signal
   */
  ask(call, signal) {
    const report = (/** @type {Connection | null} */ connection) => {
      this.connection = connection;
      this.render();
    };
    const solve = () => {
      this.say(t("table.solving-again"));
      return this.shell.solve(this.asked);
    };
    return withRetry(() => onceSolved(call, solve), signal, report);
  }

  /** @param {AbortSignal} signal */
  async consult(signal) {
    const request = { state: this.kind.text(this.board, this.position), top: MOST_MOVES, reasons: REASONS };
    this.slowTimer = setTimeout(() => this.linger(), SLOW_MS);
    try {
      const advice = await this.ask(() => api.advise(this.request(request), signal), signal);
      if (!signal.aborted) this.accept(advice, signal);
    } catch (error) {
      this.refuse(error, signal, t("table.no-advice"));
    }
  }

  /** Say that an answer takes a while: one that comes at once is not announced. */
  linger() {
    if (this.fresh || this.over) return;
    this.slow = true;
    this.render();
  }

  /** @param {Advice} advice @param {AbortSignal} signal */
  accept(advice, signal) {
    this.over = advice.over;
    this.note = null;
    if (this.kind.withShown) this.play = { ...this.play, position: this.kind.withShown(this.position, advice.position) };
    if (advice.over) {
      this.final = advice;
      this.render();
      this.finish(signal);
      return;
    }
    this.shown = advice;
    this.fresh = true;
    this.moves = new Map(advice.moves.map((move) => [move.action, move]));
    if (this.rivalMoves) {
      this.moveForRival(signal);
      return;
    }
    this.preselect();
    this.afterSelect();
    void this.learnSeverities();
  }

  preselect() {
    if (!this.moves || !this.shown) return;
    if (this.selected !== null && this.moves.has(this.selected)) {
      this.pick(this.selected);
      return;
    }
    const { play, selected } = plays.preselect(this.game, this.play, this.moves, this.shown.moves[0].action);
    this.play = play;
    this.selected = selected;
  }

  /** The page rolls for a rival, after a moment in which the table is seen as it is. @param {AbortSignal} signal */
  async rollForRival(signal) {
    await pause(RIVAL_MS, signal);
    if (!signal.aborted) this.goOn(plays.rollOn(this.game, this.play));
  }

  /** Show what the rival does, then do it. @param {AbortSignal} signal */
  async moveForRival(signal) {
    this.render();
    try {
      this.reply = await this.ask(() => api.reply(this.request({ state: this.shown?.state ?? "", opponent: this.rival ?? "" }), signal), signal);
      const move = this.moves?.get(this.reply.action);
      if (signal.aborted || !move) return;
      this.pick(move.action);
      this.render();
      await pause(RIVAL_MS, signal);
      if (!signal.aborted) this.advance(move, { rolls: !this.kind.asksRolls || this.mode === "roll" });
    } catch (error) {
      this.refuse(error, signal, t("table.no-advice"));
    }
  }

  /** Ask once from which loss on a move is a mistake: the grade of a game without moves says it. Without an answer losses have no colours. */
  async learnSeverities() {
    if (this.severities) return;
    this.severities = {};
    try {
      this.severities = (await api.grade(this.request({ lines: [] }))).severities;
    } catch {
      return;
    }
    this.render();
  }

  // How the game may end.

  afterSelect() {
    this.save();
    this.render();
    this.scene.looker.stop();
    this.explain();
    this.lookAhead();
  }

  /** Ask why the selected move is what it is, where only the best ones have said so yet. */
  async explain() {
    const { shown } = this;
    const { signal } = this.abort;
    const move = this.fresh && this.coach && this.selected !== null && this.moves?.get(this.selected);
    if (!move || move.why || !shown) return;
    try {
      const all = await api.advise(this.request({ state: shown.state, top: MOST_MOVES }), signal);
      const full = new Map(all.moves.map((found) => [found.action, found]));
      for (const each of shown.moves) Object.assign(each, { why: full.get(each.action)?.why ?? "", reasons: full.get(each.action)?.reasons ?? [] });
      if (!signal.aborted && this.shown === shown) this.render();
    } catch {
      // The list stands without it; a lost connection is shown by what is asked for next.
    }
  }

  /** Ask how the game may end: after the selected move or, before anything is rolled, from its start. To follow it exactly may take some seconds. */
  lookAhead({ exact = false } = {}) {
    const move = this.fresh && this.coach && this.selected !== null ? { state: this.shown?.state ?? "", action: this.selected } : null;
    if (!this.hasChart || (!move && !this.atStart)) return;
    const call = (/** @type {AbortSignal} */ signal) => (move ? api.outlook(this.request({ ...move, exact }), signal) : api.distribution(this.request({ exact }), signal));
    const ask = (/** @type {AbortSignal} */ signal) => this.ask(() => call(signal), signal);
    this.scene.looker.look({ key: JSON.stringify([move, exact]), ask, draw: (outlook) => this.draw(outlook) }, exact ? { delay: 0 } : {});
  }

  /** @param {Outlook} outlook */
  draw(outlook) {
    const { mark } = /** @type {any} */ (this.board);
    const target = mark ?? ("target" in this.board ? Number(this.board.target) : undefined);
    const ends = this.valueName === "win probability" ? this.kind.ends?.() : null;
    this.scene.chart.draw(outlook, { shift: this.kind.banked(this.position), target, ends });
  }

  /** @param {AbortSignal} signal */
  async finish(signal) {
    this.save();
    this.scene.result.focus();
    const grade = await this.gradeLines(this.lines, signal);
    if (signal.aborted) return;
    this.grade = grade;
    this.save();
    this.render();
  }

  /**
   * Grade a record; null where there is none to grade, or no answer.
   *
   * @type {(lines: Line[] | null, signal: AbortSignal) => Promise<Graded | null>}
   */
  async gradeLines(lines, signal) {
    if (!lines) return null;
    const sent = lines.map((line) => this.kind.sent?.(this.board, line) ?? line);
    try {
      return await this.ask(() => api.grade(this.request({ lines: sent }), signal), signal);
    } catch (error) {
      if (signal.aborted) return null;
      this.gradeFault = t("table.no-grade");
      this.shell.fail(/** @type {Error} */ (error));
      return null;
    }
  }

  /** @param {string} note */
  say(note) {
    this.note = note;
    this.render();
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => {
      this.note = null;
      this.render();
    }, NOTE_MS);
  }

  /** Give up every answer that is still on its way. */
  stop() {
    this.abort.abort();
    this.scene.looker.stop();
    clearTimeout(this.noteTimer);
    clearTimeout(this.slowTimer);
  }

  // What is seen.

  /** What the views may do. @returns {Acts} */
  acts() {
    return {
      enter: (face) => this.enterFace(face),
      clear: () => this.clear(),
      tapDie: (i) => this.tapDie(i),
      target: (i) => this.chooseDie(i),
      edit: (edited) => this.change(edited),
      choose: (action) => this.choose(action),
      select: (action) => this.select(action),
      playAction: (action) => this.playAction(action),
      play: () => this.playSelected(),
      roll: () => this.roll(),
      undo: () => this.undo(),
      mode: (mode) => this.setMode(mode),
      coach: (on) => this.setCoach(on),
      toggleEdit: () => this.toggleEdit(),
      share: (field) => void this.share(field),
      shareGame: (field) => void this.shareGame(field),
      again: () => this.again(),
      rival: (name) => this.setRival(name),
      seat: (me) => this.setSeat(me),
      aim: (objective, view) => this.setAim(objective, view),
    };
  }

  render() {
    this.scene.update(this.model());
  }

  /** How values are written: as those of the player who moves. @returns {import("../../types.js").Writers} */
  writers() {
    const { write, result } = this;
    if (!result.two_players || this.over || this.kind.turn?.(this.position) !== 1) return write;
    return { ...write, value: (value) => write.value(typeof value !== "number" ? value : result.share ? 1 - value : -value) };
  }

  /** @returns {TableModel<any>} */
  model() {
    const { asked, board, kind, position, lines, valueName, shown, moves, selected, edit, mode, coach, over } = this;
    const { severities, winner, grade, gradeFault, note, slow, stuck, connection, rivalMoves, fresh, play, rolls, final } = this;
    return {
      asked, board, kind, position, lines, valueName, severities, winner, shown, moves, selected, edit, mode, coach, over,
      grade, gradeFault, note, slow, stuck, connection, rivalMoves, rolls, final,
      held: play.held,
      rolling: this.rollAsked,
      hasChart: this.hasChart,
      outcome: this.result,
      write: this.writers(),
      reply: this.reply,
      opponents: this.result.opponents,
      atBegin: this.atBegin,
      verdict: play.verdict,
      stale: !fresh,
      rival: this.rival,
      ready: kind.ready(position),
      best: fresh && shown ? shown.moves[0].action : null,
      banked: this.result.share ? 0 : kind.banked(position),
      target: this.targeted,
      canHold: !rivalMoves && kind.canHold(position),
      canUndo: play.past.length > 0,
      atStart: this.atStart,
    };
  }
}
