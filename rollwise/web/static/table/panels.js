/**
 * The parts of the table that all games share: the title with its tools, the advice, the buttons below.
 *
 * @import { Acts, Mode, TableModel, TableParts, Value } from "../../types.js"
 */

import { button, el, letScroll, segmented, setAttribute, setPressed, setText } from "../app/dom.js";
import { setDrawn } from "../boards/dice-in-text.js";
import { isLoss, lossText, ordinal } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/** @param {TableParts} table @param {Acts} acts */
export function makeTitle(table, acts) {
  const edit = button(t("table.set-up"), acts.toggleEdit, { test: "edit", "aria-pressed": "false", hidden: !table.kind.canSetUp });
  const link = el("input", { type: "text", readonly: true, hidden: true, class: "link", test: "share-link" });
  link.setAttribute("aria-label", t("table.link-here"));
  const share = button(t("table.link"), shareHere, { test: "share", "aria-label": t("table.copy-link") });
  const whole = button(t("kept.whole"), () => acts.shareGame(link), { class: "quiet", test: "share-game", hidden: true });
  const fresh = button(t("table.new"), acts.again, { test: "new-game" });
  // The line that tells what was done stands beside the dice, which are gone when the game is over.
  const said = el("p", { class: "hint said", role: "status", test: "said", hidden: true });
  const node = el(
    "div", { class: "title" },
    el("div", {}, el("h1", { text: table.title }), el("p", { class: "rules", text: table.differs, hidden: !table.differs })),
    el("div", { class: "tools" }, edit, share, fresh, ...table.shell.tools), whole, link, said,
  );

  function shareHere() {
    acts.share(link);
    whole.hidden = !table.play.record.some(({ kind }) => kind === "move" || kind === "written");
  }

  /** @param {TableModel<any>} model */
  function update({ edit: isEdited, over, note }) {
    setPressed(edit, isEdited);
    said.hidden = !over || !note;
    setText(said, over && note ? note : "");
  }
  return { node, update };
}

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

/** A value with its unit. @param {TableModel<any>} model @param {Value} value */
function worth({ write, banked, valueName, board, rival }, value) {
  if (typeof value !== "number") return value;
  if ("players" in board && board.players === 2 && valueName === "win probability") {
    return t(rival ? "table.you-win-with" : "table.first-wins-with", { value: write.value(value) });
  }
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

/** Why the best move is good; below it the selected move where it is another one, or else what the last move cost. */
export function makeAdvice() {
  const best = el("p", { class: "why" });
  const head = el("p", { class: "head" });
  const own = el("p", { class: "why" });
  const account = makeAccount();
  const last = el("p", { class: "why", test: "last" });
  const node = el("div", { class: "advice", role: "group", "aria-label": t("table.why") }, best, account.node, el("div", { class: "own" }, head, own, last));

  /** @param {TableModel<any>} model */
  function update(model) {
    const { kind } = model;
    const differs = !model.stale && model.coach && model.selected !== model.best;
    node.classList.toggle("stale", model.stale && model.coach);
    node.classList.toggle("differs", differs);
    setDrawn(last, kind, ...verdictText(differs ? { ...model, verdict: null } : model));
    if (model.stale || !model.shown) return;
    const [{ why, action }] = model.shown.moves;
    const words = differs ? ownReason(model) : { head: "", text: "", moves: [] };
    if (model.coach) setDrawn(best, kind, why, action);
    else setDrawn(best, kind, hiddenText(model));
    setDrawn(head, kind, words.head, ...words.moves);
    setDrawn(own, kind, words.text, ...words.moves);
    setAttribute(best, "data-test", differs ? "best-why" : "selected-why");
    setAttribute(own, "data-test", differs ? "selected-why" : null);
    account.update(model);
    letScroll(node);
  }
  return { node, update };
}

/** Reasons that are worth less are not listed. */
const SEEN = 0.0005;

/** The reason in numbers, part by part, of the selected move or else the best one: shown at a tap. */
function makeAccount() {
  const list = el("ul");
  const node = el("details", { class: "account", test: "account" }, el("summary", { text: t("table.account") }), list);
  /** @param {TableModel<any>} model */
  function update({ shown, moves, selected, coach, write }) {
    const told = (coach && shown && (moves?.get(selected ?? "") ?? shown.moves[0]).reasons) || [];
    const reasons = told.filter(({ value }) => Math.abs(Number(value)) >= SEEN);
    node.hidden = !reasons.length;
    const sizes = reasons.map(({ value }) => Math.abs(Number(value)));
    const order = reasons.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]);
    list.replaceChildren(...order.map((i) => {
      const sign = Number(reasons[i].value) < 0 ? "-" : "+";
      return el("li", {}, el("span", { text: reasons[i].what }), el("span", { text: `${sign}${lossText(write, sizes[i])}` }));
    }));
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
function verdictText({ verdict, kind, write }) {
  if (!verdict) return [""];
  const { action, best, loss } = verdict;
  if (!isLoss(loss)) return [t("table.last-best", { move: kind.moveName(action) }), action];
  return [t("table.last-cost", { move: kind.moveName(action), loss: lossText(write, loss), best: kind.moveName(best) }), action, best];
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
    const waits = model.ready && model.stale;
    play.disabled = !waits && (model.rivalMoves || !model.moves || model.selected === null || !model.moves.has(model.selected));
    setAttribute(play, "aria-disabled", waits ? "true" : null);
    setDrawn(play, model.kind, ...playText(model));
  }
  return { node, update };
}

/** @param {TableModel<any>} model @returns {[string, ...string[]]} */
function playText({ ready, stale, selected, kind, rivalMoves }) {
  if (ready && !stale && !rivalMoves && selected !== null) return [t("table.play", { move: kind.moveName(selected) }), selected];
  return [t(rivalMoves ? "table.other" : !ready ? "table.enter" : stale ? "after.wait" : "table.choose")];
}
