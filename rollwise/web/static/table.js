/** A game on the table: the position, its past, the advice on it, and everything a player can do. */

import * as api from "./api.js";
import { makeChart } from "./chart.js";
import { el } from "./dom.js";
import { writersFor } from "./format.js";
import { writeLink } from "./link.js";
import { makeMoves } from "./moves.js";
import { makeAdvice, makeButtons, makePrompt, makeTitle } from "./panels.js";
import { makeResult } from "./result.js";

const OUTLOOK_DELAY = 120;
const OUTLOOKS_KEPT = 200;
const MOST_MOVES = 1000;
const NOTE_MS = 4000;

/** What the parts of the page see of the table as it is. */
const SHOWN = [
  "position", "board", "kind", "write", "valueName", "shown", "moves", "selected", "held", "coach", "edit", "mode", "over", "lines",
  "grade", "gradeFault", "verdict", "note",
];

const withoutRoll = (lines) => (lines?.at(-1)?.kind === "roll" ? lines.slice(0, -1) : lines);

export class Table {
  /** `opened`: asked, job, kind, position, lines (null: not a whole game), mode. `shell`: what the page does. */
  constructor(opened, shell) {
    Object.assign(this, opened, { shell, board: opened.job.board });
    this.write = writersFor(opened.job.result.value_name);
    this.valueName = opened.job.result.value_name;
    this.past = [];
    this.verdict = null;
    this.coach = true;
    this.edit = false;
    this.outlooks = new Map();
    this.node = this.build();
    this.settle();
  }

  build() {
    const acts = this.acts();
    const view = this.kind.makeView(this.board, acts);
    const prompt = makePrompt(acts);
    const advice = makeAdvice();
    const buttons = makeButtons(acts);
    const moves = makeMoves(acts, this.valueName, this.kind.listed(this.board));
    const title = makeTitle(this, acts);
    this.chart = makeChart(() => this.lookExactly());
    this.result = makeResult(acts);
    this.parts = [title, prompt, view, advice, buttons, moves, this.result];
    this.playPanel = panel("play", "Dice", prompt.top, ...view.play, prompt.status, advice.node, buttons.node);
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
    if (this.mode !== "mine" || this.over) return;
    const changesKept = this.targeted !== null && this.position.kept?.[this.targeted];
    const position = this.kind.enter(this.position, this.targeted, value);
    this.commit(position, changesKept ? null : withoutRoll(this.lines), this.verdict);
  }

  clear() {
    const keptAny = this.position.kept?.some(Boolean);
    this.commit(this.kind.clear(this.position), keptAny ? null : withoutRoll(this.lines), this.verdict);
  }

  /** A missing die is chosen for the keypad; a die that can be held is held or let go; else it is chosen to be changed. */
  tapDie(i) {
    if (this.position.dice[i] !== null && this.kind.canHold(this.position)) this.toggleHold(i);
    else if (this.mode === "mine") this.chooseDie(i);
  }

  chooseDie(i) {
    this.targeted = this.targeted === i ? null : i;
    this.render();
  }

  toggleHold(i) {
    if (!this.fresh) return;
    this.held = this.held.map((held, k) => (k === i ? !held : held));
    const action = this.kind.action(this.board, this.position, this.held);
    this.selected = this.moves.has(action) ? action : null;
    this.afterSelect();
  }

  change(edited) {
    const next = edited(this.position);
    if (next) this.commit(next, null, null);
  }

  choose(action) {
    if (this.selected === action) this.playSelected();
    else this.select(action);
  }

  select(action) {
    if (!this.fresh || !this.moves.has(action)) return;
    this.selected = action;
    this.held = this.kind.hold(this.board, this.position, action);
    this.afterSelect();
  }

  get canStep() {
    return this.fresh && this.coach;
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
    const move = this.fresh && this.moves.get(this.selected);
    if (!move) return;
    const verdict = { action: move.action, loss: move.loss, best: this.shown.moves[0].action };
    const lines = this.lines && [...this.lines, { kind: "move", text: move.action }];
    let position = this.kind.play(this.board, this.position, move, this.held);
    if (this.mode === "roll" && this.kind.rollsOn(move)) position = this.kind.roll(this.board, position);
    this.commit(position, lines, verdict);
  }

  /** Roll what is missing; where nothing is, play the selected move if it rolls. */
  roll() {
    if (this.mode !== "roll" || this.over) return;
    const move = this.moves?.get(this.selected);
    if (!this.kind.ready(this.position)) this.commit(this.kind.roll(this.board, this.position), this.lines, this.verdict);
    else if (move && this.kind.rollsOn(move)) this.playSelected();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    Object.assign(this, before);
    this.settle();
  }

  setMode(mode) {
    this.mode = mode;
    this.targeted = null;
    this.save();
    this.render();
  }

  setCoach(on) {
    this.coach = on;
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
    this.commit(this.kind.fresh(this.board), [], null);
  }

  // The position and its past.

  /** Go on to another position, so that undo comes back to this one. A roll that is complete joins the record. */
  commit(position, lines, verdict) {
    this.past.push({ position: this.position, lines: this.lines, verdict: this.verdict });
    const rolled = lines && this.kind.ready(position) && lines.at(-1)?.kind !== "roll";
    this.position = position;
    this.lines = rolled ? [...lines, { kind: "roll", text: this.kind.text(this.board, position) }] : lines;
    this.verdict = verdict;
    this.settle();
  }

  /** Start afresh with the position on the table: no selection, and new advice on its way. */
  settle() {
    this.targeted = null;
    this.held = this.position.dice?.map(() => false) ?? [];
    this.fresh = false;
    this.moves = null;
    this.selected = null;
    this.over = this.kind.over(this.position);
    this.grade = null;
    this.gradeFault = null;
    this.note = null;
    this.shell.clear();
    this.save();
    this.stop();
    this.abort = new AbortController();
    this.render();
    if (this.over) this.finish(this.abort.signal);
    else if (this.kind.ready(this.position)) this.consult(this.abort.signal);
  }

  save() {
    const fields = this.kind.write(this.board, this.position);
    const { fragment, left } = writeLink({ asked: this.asked, mode: this.mode, fields });
    this.shell.save(fragment, { lines: this.lines });
    return left;
  }

  request(more) {
    return { ...api.sent(this.asked), ...more };
  }

  /** Run a request; a game that the server has forgotten is solved again first. */
  async ask(call) {
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
    const request = this.request({ state: this.kind.text(this.board, this.position), top: MOST_MOVES });
    try {
      const advice = await this.ask(() => api.advise(request, signal));
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
    this.preselect();
    this.afterSelect();
  }

  /** With advice the best move is selected; without, the plain reroll that the dice on the table stand for, if there is one. */
  preselect() {
    const none = this.held.map(() => false);
    const plain = this.kind.canHold(this.position) ? this.kind.action(this.board, this.position, none) : null;
    this.selected = this.coach ? this.shown.moves[0].action : this.moves.has(plain) ? plain : null;
    this.held = this.selected === null ? none : this.kind.hold(this.board, this.position, this.selected);
  }

  afterSelect() {
    this.render();
    this.stopLooking();
    if (!this.fresh || !this.coach || this.selected === null) return;
    const looking = (this.looking = new AbortController());
    this.chart.wait();
    this.timer = setTimeout(() => this.look(this.selected, looking.signal), OUTLOOK_DELAY);
  }

  /** Follow the selected move to the end, which may take some seconds. */
  lookExactly() {
    this.stopLooking();
    if (!this.fresh || this.selected === null) return;
    const looking = (this.looking = new AbortController());
    this.chart.wait();
    this.look(this.selected, looking.signal, true);
  }

  async look(action, signal, exact = false) {
    const state = this.shown.state;
    const key = `${state}|${action}|${exact}`;
    try {
      const outlook = this.outlooks.get(key) ?? (await api.outlook(this.request({ state, action, exact }), signal));
      if (signal.aborted) return;
      if (this.outlooks.size > OUTLOOKS_KEPT) this.outlooks.clear();
      this.outlooks.set(key, outlook);
      this.chart.draw(outlook, { shift: this.kind.banked(this.position), target: this.board.target });
    } catch {
      if (signal.aborted) return;
      this.chart.clear("Not available for this position.");
    }
    this.chart.stale(false);
  }

  async finish(signal) {
    this.result.focus();
    if (!this.lines) return;
    try {
      this.grade = await this.ask(() => api.grade(this.request({ lines: this.lines }), signal));
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
    this.stopLooking();
    clearTimeout(this.noteTimer);
  }

  stopLooking() {
    this.looking?.abort();
    clearTimeout(this.timer);
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
      canUndo: this.past.length > 0,
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
