/**
 * The parts of the table that all games share: who rolls, the best move, the advice, the buttons below.
 *
 * @import { Acts, Mode, Move, TableModel, Value } from "../../types.js"
 */

import { button, el, letScroll, segmented, setAttribute, setText } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { severityName, severityOf } from "../coach/moves.js";
import { isLoss, lossText, ordinal, valueWords } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** Who rolls, and the switch for advice. @param {Acts} acts */
export function makeSettings(acts) {
  const rolls = /** @type {[Mode, string, string][]} */ ([["mine", t("table.mine"), "mode-mine"], ["roll", t("table.roll-for-me"), "mode-roll"]]);
  const mode = segmented(t("table.who-rolls"), rolls, acts.mode);
  const coach = el("input", { type: "checkbox", test: "coach", on: { change: () => acts.coach(coach.checked) } });
  const name = el("span", { text: t("table.advice") });
  const label = el("label", { class: "switch" }, coach, name);
  return {
    node: el("div", { class: "row spread settings" }, mode.node, label),
    /** @param {TableModel<any>} model */
    update(model) {
      mode.set(model.mode);
      coach.checked = model.coach;
      if (model.party) setText(name, t("party.advice", { name: model.party.names[model.party.mover] }));
    },
  };
}

/** The line that says what to do or what is best. It is spoken when it changes: once for a move. */
export function makeStatus() {
  const node = el("p", { class: "status", role: "status", "aria-live": "polite", test: "status" });
  /** @param {TableModel<any>} model */
  function update(model) {
    setDrawn(node, model.kind, ...statusText(model));
    letScroll(node);
  }
  return { node, update };
}

/** What the line says, and the move that it speaks of. @param {TableModel<any>} model @returns {[string, ...string[]]} */
function statusText(model) {
  const { kind, selected, shown, stale } = model;
  if (model.note) return [model.note];
  if (model.over) return [t("table.over", { head: kind.score(model.board, model.position, model).head })];
  if (model.rivalMoves) return stale || selected === null ? [t("table.rival-at-it")] : [t("table.rival-move", { move: kind.moveName(selected) }), selected];
  if (!model.ready) return [kind.prompt(model.board, model.position, model.mode)];
  if (stale || !shown) return [model.slow && !model.connection ? t("after.wait") : ""];
  if (!model.coach) return [kind.ask];
  const [{ action, value }] = shown.moves;
  return [t("table.best", { move: kind.moveName(action), worth: worth(model, value) }), action];
}

/** A value with its unit; a chance is that of the player to move, and says whose it is. @param {TableModel<any>} model @param {Value} value */
function worth({ write, banked, valueName, winner }, value) {
  if (typeof value !== "number") return value;
  if (winner) return t(`table.wins.${winner}`, { value: write.value(value) });
  return `${write.value(value + banked)} ${write.said ?? valueName}`;
}

/** The line that says that the connection is lost, and when it is tried again. */
export function makeConnection() {
  const text = el("span", { "aria-hidden": "true" });
  const spoken = el("span", { class: "unseen", role: "status" });
  const now = button(t("table.try-now"), () => retry?.(), { class: "quiet", test: "try-now" });
  const node = el("p", { class: "connection", hidden: true, test: "connection" }, text, spoken, now);
  /** @type {(() => void) | undefined} */
  let retry;

  /** @param {TableModel<any>} model */
  function update({ connection }) {
    retry = connection?.now;
    node.hidden = !connection;
    setText(spoken, connection ? t("table.no-connection") : "");
    if (connection) setText(text, t("table.no-connection-in", { seconds: connection.seconds }));
  }
  return { node, update };
}

/**
 * Why the best move is good; below it the selected move where it is another one, or else what the last move cost. While a roll is awaited, what
 * the last move cost is all. Where the room is too small for it, a button shows the rest.
 */
export function makeAdvice() {
  const best = el("p", { class: "why" });
  const head = el("p", { class: "head" });
  const own = el("p", { class: "why" });
  const account = makeAccount();
  const last = el("p", { class: "why", test: "last" });
  const words = el("div", { class: "reasons" }, best, el("div", {}, head, own, last), account.node);
  const more = button("", unfold, { class: "quiet more", test: "more", hidden: true });
  const node = el("div", { class: "advice", role: "group", "aria-label": t("table.why") }, words, more);
  let isOpen = false;

  function unfold() {
    isOpen = !isOpen;
    fold();
  }

  function fold() {
    node.classList.toggle("open", isOpen);
    more.hidden = !isOpen && words.scrollHeight <= words.clientHeight + 1;
    setAttribute(more, "aria-expanded", String(isOpen));
    setText(more, t(isOpen ? "table.less" : "table.more"));
  }

  /** @param {TableModel<any>} model */
  function update(model) {
    const { kind, coach, stale, verdict } = model;
    const awaits = stale && !model.ready;
    const differs = !stale && coach && model.selected !== model.best;
    node.classList.toggle("stale", stale && coach && !awaits);
    node.classList.toggle("differs", differs);
    const cost = verdictText(differs ? { ...model, verdict: null } : model);
    setDrawn(last, kind, ...cost);
    last.className = `why ${verdict ? severityOf(model.severities, verdict.loss) : ""}`;
    best.hidden = awaits || (!coach && verdict !== null);
    account.node.hidden = awaits;
    head.hidden = own.hidden = awaits;
    node.classList.toggle("empty", awaits && !verdict);
    if (!model.shown) empty(model);
    else if (!stale) drawReason(model, model.shown.moves[0], differs);
    fold();
  }

  /** @param {TableModel<any>} model @param {Move} first @param {boolean} differs */
  function drawReason(model, { why, action }, differs) {
    const { kind } = model;
    const reason = differs ? ownReason(model) : { head: "", text: "", moves: [] };
    if (model.coach) setDrawn(best, kind, why, action);
    else setDrawn(best, kind, hiddenText(model));
    setDrawn(head, kind, reason.head, ...reason.moves);
    setDrawn(own, kind, reason.text, ...reason.moves);
    setAttribute(best, "data-test", differs ? "best-why" : "selected-why");
    setAttribute(own, "data-test", differs ? "selected-why" : null);
    account.update(model);
  }

  /** Say nothing of a game that is over for one that has just begun. @param {TableModel<any>} model */
  function empty(model) {
    for (const part of [best, head, own]) setDrawn(part, model.kind, "");
    account.update(model);
  }
  return { node, update };
}

/** Reasons that are worth less are not listed. */
const SEEN = 0.0005;

/** The selected move, or else the best one, in numbers with more digits, and its reason part by part: shown at a tap. */
function makeAccount() {
  const list = el("ul");
  const node = el("details", { class: "account", test: "account" }, el("summary", { text: t("table.account") }), list);
  /** @param {string} name @param {string} text */
  const row = (name, text) => el("li", {}, el("span", { text: name }), el("span", { text }));

  /** @param {TableModel<any>} model */
  function update({ shown, moves, selected, coach, write, valueName, banked }) {
    const move = coach && shown ? moves?.get(selected ?? "") ?? shown.moves[0] : null;
    node.hidden = !move;
    if (!move) return;
    const value = typeof move.value === "number" ? move.value + banked : move.value;
    const size = (/** @type {{ value: Value }} */ reason) => Math.abs(Number(reason.value));
    const reasons = (move.reasons ?? []).filter((reason) => size(reason) >= SEEN).sort((one, other) => size(other) - size(one));
    list.replaceChildren(
      row(valueWords(valueName), write.precise(value)), row(t("moves.loss"), write.precise(move.loss)),
      ...reasons.map((reason) => row(reason.what, `${Number(reason.value) < 0 ? "−" : "+"}${write.precise(size(reason))}`)),
    );
  }
  return { node, update };
}

/** @param {TableModel<any>} model */
function hiddenText({ party }) {
  return party ? t("party.unadvised", { name: party.names[party.mover] }) : t("table.hidden");
}

/** @param {TableModel<any>} model */
function ownReason({ shown, moves, selected, write, kind, canHold }) {
  const move = selected === null ? undefined : moves?.get(selected);
  if (!move && !canHold) return { head: "", text: "", moves: [] };
  if (!move || !shown) return { head: t("table.all-held"), text: t("table.all-held-text"), moves: [] };
  const key = isLoss(move.loss) ? "table.yours-costs" : "table.yours-good";
  const place = ordinal(shown.moves.indexOf(move) + 1);
  return { head: t(key, { move: kind.moveName(move.action), loss: lossText(write, move.loss), place }), text: move.why, moves: [move.action] };
}

/** What the last move cost, and the moves that this speaks of. @param {TableModel<any>} model @returns {[string, ...string[]]} */
function verdictText({ verdict, kind, write, severities }) {
  if (!verdict) return [""];
  const { action, best, loss } = verdict;
  if (!isLoss(loss)) return [t("table.last-best", { move: kind.moveName(action) }), action];
  const severity = severityOf(severities, loss);
  const cost = severity ? t("table.loss-of-class", { loss: lossText(write, loss), severity: severityName(severity) }) : lossText(write, loss);
  return [t("table.last-cost", { move: kind.moveName(action), loss: cost, best: kind.moveName(best) }), action, best];
}

/** Undo, and one big button: play the selected move, or roll. @param {Acts} acts */
export function makeButtons(acts) {
  const undo = button(t("table.undo"), acts.undo, { test: "undo" });
  const play = button("", acts.play, { class: "main", test: "play" });
  const roll = button(t("table.roll"), acts.roll, { class: "main", test: "roll" });
  const node = el("div", { class: "buttons" }, undo, play, roll);

  /** @param {TableModel<any>} model */
  function update(model) {
    const rolls = model.mode === "roll" && !model.ready && !model.over && !model.rivalMoves;
    undo.disabled = !model.canUndo;
    roll.hidden = !rolls;
    play.hidden = rolls;
    // A button that waits for an answer keeps the focus, one that is disabled loses it.
    const waits = model.ready && model.stale && !model.stuck;
    setAttribute(roll, "aria-disabled", model.rolling ? "true" : null);
    setText(roll, t(model.rolling ? "after.wait" : "table.roll"));
    play.disabled = !waits && !model.stuck && (model.rivalMoves || !model.moves || model.selected === null || !model.moves.has(model.selected));
    setAttribute(play, "aria-disabled", waits ? "true" : null);
    setDrawn(play, model.kind, ...playText(model));
  }
  return { node, update };
}

/** @param {TableModel<any>} model @returns {[string, ...string[]]} */
function playText({ ready, stale, stuck, selected, kind, rivalMoves }) {
  if (stuck) return [t("page.try-again")];
  if (ready && !stale && !rivalMoves && selected !== null) return [t("table.play", { move: kind.moveName(selected) }), selected];
  return [t(rivalMoves ? "table.other" : !ready ? "table.enter" : stale ? "after.wait" : "table.choose")];
}
