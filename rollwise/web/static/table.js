/** A game on the table: what the player does with it, the advice on it, and what is seen. The game itself is in play.js. */

import * as api from "./api.js";
import { makeChart } from "./chart.js";
import { el } from "./dom.js";
import { writersFor } from "./format.js";
import { writeLink } from "./link.js";
import { makeLooker } from "./looking.js";
import { makeMoves } from "./moves.js";
import { makeAdvice, makeButtons, makeConnection, makeExtras, makePrompt, makeTitle } from "./panels.js";
import * as plays from "./play.js";
import { makeResult } from "./result.js";
import { withRetry } from "./retry.js";

const MOST_MOVES = 1000;
const NOTE_MS = 4000;
const RIVAL_MS = 1200;

/** What the parts of the page see of the table as it is. */
const SHOWN = [
  "asked", "position", "board", "kind", "write", "valueName", "shown", "moves", "selected", "held", "coach", "edit", "mode", "over",
  "lines", "grade", "gradeFault", "verdict", "note", "connection", "rivalMoves",
];

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", resolve);
  });

export class Table {
  /**
   * `opened`: asked, title, differs (from the standard rules), job, kind, position, lines (null: not a whole game), mode, kept (what a reload brought back) and rival.
   * `shell`: what the page does.
   * @param {any} opened
   * @param {any} shell
   */
  constructor({ asked, title, differs, job, kind, position, lines, mode, kept = null, rival = null }, shell) {
    Object.assign(this, { asked, title, differs, job, kind, rival, shell, board: job.board, game: { kind, board: job.board } });
    this.write = writersFor(job.result.value_name);
    this.valueName = job.result.value_name;
    this.play = plays.unpack(kept) ?? plays.begin(this.game, { position, lines, mode });
    this.edit = false;
    this.connection = null;
    this.node = this.build();
    this.settle();
  }

  // The game as it is.

  get position() {
    return this.play.position;
  }

  get lines() {
    return plays.linesOf(this.play);
  }

  get held() {
    return this.play.held;
  }

  get mode() {
    return this.play.mode;
  }

  get coach() {
    return this.play.coach;
  }

  get verdict() {
    return this.play.verdict;
  }

  /** Whether a rival is at it: then the table moves by itself, and what the player does waits. */
  get rivalMoves() {
    return this.rival !== null && !this.over && this.kind.mover?.(this.position) === "rival";
  }

  build() {
    const acts = this.acts();
    const view = this.kind.makeView(this.board, acts);
    const prompt = makePrompt(acts);
    const advice = makeAdvice();
    const buttons = makeButtons(acts);
    const connection = makeConnection();
    const moves = makeMoves(acts, this.valueName, this.kind.listed(this.board));
    const title = makeTitle(this, acts);
    this.chart = makeChart(() => this.lookExactly());
    this.looker = makeLooker(this.chart);
    this.result = makeResult(acts);
    this.slots = { bar: el("div", { class: "slot-bar", hidden: true }) };
    const extras = makeExtras(this, acts);
    this.parts = [title, prompt, view, advice, buttons, moves, connection, ...extras, this.result];
    this.playPanel = panel(
      "play", "Dice", prompt.top, this.slots.bar, ...view.play, prompt.status, connection.node, advice.node, buttons.node,
    );
    this.movesPanel = panel("ranking", "Moves", moves.node);
    this.chartPanel = panel("chances", "How it may end", this.chart.node);
    const board = panel("board", view.title, ...view.board);
    const trust = about(this.job.result, this.write);
    return el(
      "div", { class: `table kind-${this.board.kind}` },
      title.node, this.result.node, this.playPanel, board, this.movesPanel, this.chartPanel, trust,
    );
  }

  /** What the views may do. */
  acts() {
    const bound = (name) => (...given) => this[name](...given);
    return {
      enter: bound("enterFace"),
      clear: bound("clear"),
      tapDie: bound("tapDie"),
      target: bound("chooseDie"),
      edit: bound("change"),
      choose: bound("choose"),
      select: bound("select"),
      playAction: bound("playAction"),
      play: bound("playSelected"),
      roll: bound("roll"),
      undo: bound("undo"),
      mode: bound("setMode"),
      coach: bound("setCoach"),
      toggleEdit: bound("toggleEdit"),
      share: bound("share"),
      again: bound("again"),
    };
  }

  // What the player does.

  enterFace(value) {
    if (this.mode !== "mine" || this.over || this.rivalMoves) return;
    this.goOn(plays.enterFace(this.game, this.play, this.targeted, value));
  }

  clear() {
    if (!this.rivalMoves) this.goOn(plays.clearDice(this.game, this.play));
  }

  /** A missing die is chosen for the keypad; a die that can be held is held or let go; else it is chosen to be changed. */
  tapDie(i) {
    if (this.rivalMoves) return;
    if (this.position.dice[i] !== null && this.kind.canHold(this.position)) this.toggleHold(i);
    else if (this.mode === "mine") this.chooseDie(i);
  }

  chooseDie(i) {
    this.targeted = this.targeted === i ? null : i;
    this.render();
  }

  toggleHold(i) {
    if (!this.fresh) return;
    this.play = plays.toggleHold(this.play, i);
    this.selected = plays.heldMove(this.game, this.play, this.moves);
    this.afterSelect();
  }

  change(edited) {
    const next = edited(this.position);
    if (next) this.goOn(plays.change(this.game, this.play, next));
  }

  choose(action) {
    if (this.selected === action) this.playSelected();
    else this.select(action);
  }

  select(action) {
    if (!this.fresh || this.rivalMoves || !this.moves.has(action)) return;
    this.pick(action);
    this.afterSelect();
  }

  pick(action) {
    this.selected = action;
    this.play = plays.hold(this.play, this.kind.hold(this.board, this.position, action));
  }

  get canStep() {
    return this.fresh && this.coach && !this.rivalMoves;
  }

  /** Select the next move up or down the list. */
  step(by) {
    const { moves } = this.shown;
    const at = moves.findIndex((move) => move.action === this.selected);
    this.select(moves[Math.max(0, Math.min(moves.length - 1, at + by))].action);
  }

  playAction(action) {
    this.select(action);
    this.playSelected();
  }

  playSelected() {
    const move = this.fresh && !this.rivalMoves && this.moves.get(this.selected);
    if (move) this.goOn(plays.playMove(this.game, this.play, move, { best: this.shown.moves[0].action }));
  }

  /** Roll what is missing; where nothing is, play the selected move if it rolls. */
  roll() {
    if (this.mode !== "roll" || this.over || this.rivalMoves) return;
    const move = this.moves?.get(this.selected);
    if (!this.kind.ready(this.position)) this.goOn(plays.rollOn(this.game, this.play));
    else if (move && this.kind.rollsOn(move)) this.playSelected();
  }

  /** Take the last step back; a rival's steps go with the player's own. */
  undo() {
    if (!this.play.past.length) return;
    const isOwn = (position) => this.rival === null || this.kind.mover?.(position) !== "rival";
    this.goOn(plays.undoTo(this.play, isOwn));
  }

  setMode(mode) {
    this.play = { ...this.play, mode };
    this.targeted = null;
    this.save();
    this.render();
  }

  setCoach(coach) {
    this.play = { ...this.play, coach };
    if (this.fresh) this.preselect();
    this.afterSelect();
  }

  toggleEdit() {
    this.edit = !this.edit;
    this.render();
  }

  async share(field) {
    const left = this.save();
    const id = this.fresh && this.shown ? `; the id of the position is ${this.shown.id}` : "";
    const warning = left.length ? `; it leaves ${left.join(" and ")} out, which would make it too long` : "";
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`Link copied${id}${warning}.`);
    } catch {
      field.hidden = false;
      field.value = location.href;
      field.select();
      this.say(`Copy the link from the field${id}${warning}.`);
    }
  }

  again() {
    this.edit = false;
    this.goOn(plays.again(this.game, this.play));
  }

  // A new position, and the answers on it.

  goOn(play) {
    this.play = play;
    this.settle();
  }

  /** Start afresh with the position on the table: no selection, and new advice on its way. */
  settle() {
    this.targeted = null;
    this.fresh = false;
    this.moves = null;
    this.selected = null;
    this.over = this.kind.over(this.position);
    this.grade = null;
    this.gradeFault = null;
    this.note = null;
    this.connection = null;
    this.shell.clear();
    this.save();
    this.stop();
    this.abort = new AbortController();
    this.render();
    if (this.over) this.finish(this.abort.signal);
    else if (this.kind.ready(this.position)) this.consult(this.abort.signal);
    else if (this.rivalMoves) this.rollForRival(this.abort.signal);
  }

  /** Keep the game in the address, and what the address cannot hold beside it. Gives the names of what is left out of a link. */
  save() {
    const fields = this.kind.write(this.board, this.position);
    const { fragment, left } = writeLink({ asked: this.asked, mode: this.mode, fields });
    this.shell.save(fragment, { play: plays.pack(this.play) });
    return left;
  }

  request(more) {
    return { ...api.sent(this.asked), ...more };
  }

  /** Run a request; one that the network lost is sent again, and a game that the server has forgotten is solved again first. */
  ask(call, signal) {
    const tell = (connection) => {
      this.connection = connection;
      this.render();
    };
    return withRetry(() => this.askSolved(call), signal, tell);
  }

  async askSolved(call) {
    try {
      return await call();
    } catch (error) {
      if (error.status !== 409) throw error;
      this.say("Solving the game again …");
      await this.shell.solve(this.asked);
      return call();
    }
  }

  async consult(signal) {
    const request = { state: this.kind.text(this.board, this.position), top: MOST_MOVES };
    try {
      const advice = await this.ask(() => api.advise(this.request(request), signal), signal);
      if (!signal.aborted) this.accept(advice, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.note = "No advice on this position.";
      this.render();
      this.shell.fail(error);
    }
  }

  accept(advice, signal) {
    this.over = advice.over;
    this.note = null;
    if (advice.over) {
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
  }

  preselect() {
    const { play, selected } = plays.preselect(this.game, this.play, this.moves, this.shown.moves[0].action);
    this.play = play;
    this.selected = selected;
  }

  /** The page rolls for a rival, after a moment in which the table is seen as it is. */
  async rollForRival(signal) {
    await pause(RIVAL_MS, signal);
    if (!signal.aborted) this.goOn(plays.rollOn(this.game, this.play));
  }

  /** Show what the rival does, then do it. */
  async moveForRival(signal) {
    this.render();
    try {
      const action = await this.ask(() => this.rival.moves(this.position, signal), signal);
      if (signal.aborted) return;
      this.pick(action);
      this.render();
      await pause(RIVAL_MS, signal);
      if (!signal.aborted) this.goOn(plays.playMove(this.game, this.play, this.moves.get(action), { rolls: true }));
    } catch (error) {
      if (!signal.aborted) this.shell.fail(error);
    }
  }

  afterSelect() {
    this.save();
    this.render();
    this.looker.stop();
    if (this.fresh && this.coach && this.selected !== null) this.looker.look(this.question(false));
  }

  /** Follow the selected move to the end, which may take some seconds. */
  lookExactly() {
    if (this.fresh && this.selected !== null) this.looker.look(this.question(true), { delay: 0 });
  }

  /** How the game may end after the selected move. */
  question(exact) {
    const request = { state: this.shown.state, action: this.selected, exact };
    const shift = this.kind.banked(this.position);
    return {
      key: `${request.state}|${request.action}|${exact}`,
      ask: (signal) => this.ask(() => api.outlook(this.request(request), signal), signal),
      draw: (outlook) => this.chart.draw(outlook, { shift, target: this.board.target }),
    };
  }

  async finish(signal) {
    this.result.focus();
    if (!this.lines) return;
    try {
      this.grade = await this.ask(() => api.grade(this.request({ lines: this.lines }), signal), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.gradeFault = "Luck and mistakes are not available.";
      this.shell.fail(error);
    }
    if (!signal.aborted) this.render();
  }

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
    this.abort?.abort();
    this.looker.stop();
    clearTimeout(this.noteTimer);
  }

  // What is seen.

  render() {
    const model = this.model();
    for (const part of this.parts) part.update(model);
    this.node.classList.toggle("over", this.over);
    this.playPanel.hidden = this.over;
    this.movesPanel.hidden = this.chartPanel.hidden = this.over || !this.coach;
    this.chart.stale(!this.fresh);
  }

  model() {
    const { kind, position, fresh, shown } = this;
    return {
      ...Object.fromEntries(SHOWN.map((name) => [name, this[name]])),
      stale: !fresh,
      ready: kind.ready(position),
      best: fresh ? shown.moves[0].action : null,
      banked: kind.banked(position),
      target: this.targeted,
      canHold: fresh && kind.canHold(position),
      canUndo: this.play.past.length > 0,
    };
  }
}

function panel(name, title, ...children) {
  return el("section", { class: `panel ${name}`, "aria-label": title }, el("h2", { text: title }), ...children);
}

function about(result, write) {
  const size = `${result.states.toLocaleString("en")} positions`;
  const facts = [
    `From the start: ${result.value_name} ${write.value(result.value)}.`,
    `Solved over ${size} in ${result.seconds.toFixed(2)} seconds by ${result.engine}.`,
    `Certificate: ${result.certificate}.`,
  ];
  return el("details", { class: "about" }, el("summary", { text: "Why trust it" }), ...facts.map((text) => el("p", { text })));
}
