/**
 * A table for several players: whose turn it is, who is coached, how each game was played, and who is likely to win.
 *
 * @import { Acts, Advice, Graded, TableModel } from "../../types.js"
 * @import { Party, Seat } from "./party.js"
 */

import { alone, linesOfSeat, partyOf, passOn, placesOf, positionsOf, writeParty } from "./party.js";
import { askPoints, standIn, written } from "./pencil.js";
import { makeOdds } from "./standings.js";
import * as plays from "../table/game.js";
import { Table } from "../table/table.js";
import { makePartyView } from "./view.js";

/**
 * The rules and the look of a table for a party that plays games of this kind.
 *
 * @param {import("../../types.js").Kind<any, any>} kind
 * @param {Party} party
 */
export const seatParty = (kind, { names }) => ({
  ...partyOf(kind, names),
  makeView: (/** @type {any} */ board, /** @type {any} */ acts) => makePartyView(kind, board, acts, names),
});

/** What the parts of the page see of a party. @typedef {ReturnType<PartyTable["partyModel"]>} PartyModel */

/** What stands in the record after the last roll of a player whose game is over. @type {plays.Line} */
const END = { kind: "end", text: "" };

/** The chances of each table. @type {WeakMap<PartyTable, ReturnType<typeof makeOdds>>} */
const ODDS = new WeakMap();

export class PartyTable extends Table {
  // The constructor of the table settles it: what is kept here is made when it is first needed, as fields would come too late.

  /** @returns {Party} */
  get party() {
    return this.play.party;
  }

  /** @param {Partial<Party>} changed */
  setParty(changed) {
    const { play, party } = this;
    this.play = { ...play, party: { ...party, ...changed } };
  }

  /** Whose turn it is. @returns {number} */
  get mover() {
    return this.position.party.mover;
  }

  /** @returns {Seat[]} */
  get seats() {
    return this.position.party.seats;
  }

  /** What each player has at the end; null: not yet, or not known. @returns {(number | null)[]} */
  get results() {
    return this.seats.map(({ over, result }, i) => (over ? result ?? totalOf(this.grades?.[i]) : null));
  }

  get places() {
    return placesOf(this.results, this.result.better);
  }

  /** Whose game is looked at: at the end the one that was chosen, or the winner's. */
  get viewed() {
    return this.over ? this.looked ?? Math.max(0, this.places.indexOf(1)) : this.mover;
  }

  get lines() {
    return linesOfSeat(plays.linesOf(this.play), this.viewed);
  }

  get odds() {
    const made = ODDS.get(this) ?? makeOdds(this);
    ODDS.set(this, made);
    return made;
  }

  // A new position.

  settle() {
    /** @type {(Graded | null)[]} */
    this.grades = [];
    this.looked = null;
    this.play = { ...this.play, coach: this.party.coached[this.mover] };
    super.settle();
    if (!this.over) void this.odds.estimate(this.abort.signal);
  }

  /** @returns {Record<string, string | number>} */
  fields() {
    return { ...super.fields(), ...writeParty(this.party) };
  }

  /** @param {Advice} advice @param {AbortSignal} signal */
  accept(advice, signal) {
    if (advice.over) {
      this.endSeat(advice);
      return;
    }
    super.accept(advice, signal);
    void this.odds.estimate(signal);
  }

  /** @param {import("../../types.js").Outlook} outlook */
  draw(outlook) {
    super.draw(outlook);
    if (this.asked.objective !== null) return;
    if (this.fresh && this.shown && this.selected !== null) this.odds.take({ state: this.shown.state, action: this.selected }, outlook);
    else if (this.atStart) this.odds.take(null, outlook);
  }

  /**
   * The game of one player is over, which only the server knew; the next one plays, and undo goes back to before that.
   *
   * @param {Advice} advice
   */
  endSeat(advice) {
    const { game, play } = this;
    const position = /** @type {any} */ (this.kind).endSeat(this.position, this.resultAt(advice));
    const { record, verdict } = play;
    this.goOn({ ...plays.goOn(game, play, { position, record: [...record, END], verdict }), past: play.past });
  }

  /** What a player has whose game is over; null where only the grade says it. @param {Advice} advice */
  resultAt({ value }) {
    const { rolls, total } = /** @type {any} */ (this.position);
    if (typeof rolls === "number") return rolls + 1;
    if (typeof value !== "number") return null;
    if (this.result.share) return value;
    return this.valueName === "expected total" ? total + value : null;
  }

  /** Grade every player's game, the one that is looked at first. @param {AbortSignal} signal */
  async finish(signal) {
    this.save();
    this.scene.result.focus();
    const others = this.seats.map((_, i) => i).filter((i) => i !== this.viewed);
    for (const i of [this.viewed, ...others]) {
      const found = await this.gradeLines(linesOfSeat(plays.linesOf(this.play), i), signal);
      if (signal.aborted) return;
      if (this.grades) this.grades[i] = found;
      this.grade = this.grades?.[this.viewed] ?? null;
      this.render();
    }
    this.save();
  }

  /** Look at the game of one of the players, when all is over. @param {number} i */
  look(i) {
    this.looked = i;
    this.grade = this.grades?.[i] ?? null;
    this.render();
  }

  // What the players set.

  /** @param {boolean} coach */
  setCoach(coach) {
    this.setParty({ coached: this.party.coached.map((on, i) => (i === this.mover ? coach : on)) });
    super.setCoach(coach);
  }

  /** @param {boolean} odds */
  setOdds(odds) {
    this.setParty({ odds });
    this.save();
    this.render();
    void this.odds.estimate(this.abort.signal);
  }

  /**
   * Write points in a box of the player whose turn it is, without their dice.
   *
   * @param {string} box
   * @param {number} points
   * @param {number} jokers
   */
  writeDown(box, points, jokers) {
    const { game, play, mover } = this;
    const board = /** @type {any} */ (this.board);
    const own = alone(this.position);
    const position = written(board, own, box, points, jokers);
    const last = standIn(board, own, box, points, position.total);
    const over = !position.open.length;
    const line = /** @type {plays.Line} */ (/** @type {any} */ ({ kind: "written", text: `${box} ${points}`, player: mover }));
    const next = passOn(this.position.party, { position, last, over, result: over ? position.total : null });
    this.goOn(plays.goOn(game, play, { position: next, record: [...play.record, line], verdict: null }));
  }

  /** @returns {Acts<any>} */
  acts() {
    const more = {
      pencil: (/** @type {string} */ box) =>
        askPoints(/** @type {any} */ (this.board), alone(this.position), box, this.party.names[this.mover], (points, jokers) => this.writeDown(box, points, jokers)),
      look: (/** @type {number} */ i) => this.look(i),
      odds: (/** @type {boolean} */ on) => this.setOdds(on),
      exactly: (/** @type {(node: HTMLElement) => void} */ show) => this.odds.solveDuel(show),
    };
    return { ...super.acts(), ...more };
  }

  /** Who did the last move. */
  get lastPlayer() {
    const at = this.play.record.findLastIndex((line) => line.kind === "move");
    const roll = /** @type {any} */ (this.play.record.findLast((line, i) => line.kind === "roll" && i < at));
    return roll?.player ?? this.mover;
  }

  partyModel() {
    const { party, mover, seats, results, places, viewed, grades = [] } = this;
    const { chances, exact, canSolve } = this.odds.found();
    return {
      ...party, mover, seats, results, places, viewed, grades, chances, exact, canSolve,
      positions: positionsOf(this.position),
      better: this.result.better,
      unit: this.result.unit,
    };
  }

  /** @returns {TableModel<any>} */
  model() {
    const model = super.model();
    const party = this.partyModel();
    return { ...model, party, verdict: party.coached[this.lastPlayer] ? model.verdict : null };
  }
}

/** @param {Graded | null | undefined} grade */
const totalOf = (grade) => (typeof grade?.total === "number" ? grade.total : null);
