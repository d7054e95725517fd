/** The parts of the table that all games share: the title with its tools, the advice, the buttons below. */

import { button, el, segmented, setAttribute, setPressed, setText } from "./dom.js";
import { isLoss, ordinal } from "./format.js";

/** @type {((table: any, acts: any) => { slot: string, node: Node, update: (model: any) => void } | null)[]} */
const EXTRAS = [];

/**
 * Register a part of the table that another module makes. For every table it is asked once: `make(table, acts)` gives the name of
 * a slot of the table (`bar`: above the dice), a node for it, and what brings that up to date; or null, where it has none.
 */
export function registerPanel(make) {
  EXTRAS.push(make);
}

/** Make what was registered, and put it in its slots. */
export function makeExtras(table, acts) {
  const made = EXTRAS.map((make) => make(table, acts)).filter((extra) => extra !== null);
  for (const { slot, node } of made) {
    table.slots[slot].append(node);
    table.slots[slot].hidden = false;
  }
  return made;
}

/** The line that says that the connection is lost, and when it is tried again. */
export function makeConnection() {
  const text = el("span", { "aria-hidden": "true" });
  const spoken = el("span", { class: "unseen", role: "status" });
  const now = button("Try now", () => retry?.(), { class: "quiet", test: "try-now" });
  const node = el("p", { class: "connection", hidden: true, test: "connection" }, text, spoken, now);
  let retry = null;

  function update({ connection }) {
    retry = connection?.now;
    node.hidden = !connection;
    setText(spoken, connection ? "No connection: trying again" : "");
    if (connection) setText(text, `No connection: trying again in ${connection.seconds} s`);
  }
  return { node, update };
}

export function makeTitle(table, acts) {
  const edit = button("Set up", acts.toggleEdit, { test: "edit", "aria-pressed": "false" });
  const link = el("input", { type: "text", readonly: true, hidden: true, class: "link", test: "share-link" });
  link.setAttribute("aria-label", "Link to this position");
  const share = button("Link", () => acts.share(link), { test: "share", "aria-label": "Copy link" });
  const fresh = button("New game", acts.again, { test: "new-game" });
  edit.hidden = !table.kind.canSetUp;
  const node = el(
    "div", { class: "title" },
    el("div", {}, el("h1", { text: table.title }), el("p", { class: "rules", text: table.differs })),
    el("div", { class: "tools" }, edit, share, fresh, ...table.shell.tools), link,
  );
  return { node, update: (model) => setPressed(edit, model.edit) };
}

/** Mode, coach switch and the line that says what to do or what is best. */
export function makePrompt(acts) {
  const mode = segmented("Who rolls", [["mine", "My dice", "mode-mine"], ["roll", "Roll for me", "mode-roll"]], acts.mode);
  const coach = el("input", { type: "checkbox", test: "coach", on: { change: () => acts.coach(coach.checked) } });
  const label = el("label", { class: "switch" }, coach, el("span", { text: "Advice" }));
  const top = el("div", { class: "row spread" }, mode.node, label);
  const status = el("p", { class: "status", role: "status", "aria-live": "polite", test: "status" });
  return {
    top,
    status,
    update(model) {
      mode.set(model.mode);
      coach.checked = model.coach;
      setText(status, statusText(model));
    },
  };
}

function statusText(model) {
  if (model.note) return model.note;
  if (model.over) return `The game is over: ${model.kind.score(model.board, model.position).head}.`;
  if (!model.ready) return model.kind.prompt(model.board, model.position, model.mode);
  if (model.rivalMoves) return model.selected === null ? "The other player thinks …" : `The other player: ${model.kind.moveName(model.selected)}`;
  if (model.stale) return model.connection ? "Waiting for the connection." : "Looking …";
  if (!model.coach) return model.kind.ask;
  return `Best: ${model.kind.moveName(model.best)}, ${worth(model, model.shown.moves[0].value)}`;
}

function worth({ write, banked }, value) {
  if (typeof value !== "number") return value;
  return `${write.value(value + banked)}${write.unit === "rolls" ? " rolls" : ""}`;
}

/** Why the best move is good; below it the selected move where it is another one, or else what the last move cost. */
export function makeAdvice() {
  const best = el("p", { class: "why" });
  const head = el("p", { class: "head" });
  const own = el("p", { class: "why" });
  const last = el("p", { class: "why", test: "last" });
  const node = el("div", { class: "advice" }, best, el("div", { class: "own" }, head, own, last));

  function update(model) {
    const differs = !model.stale && model.coach && model.selected !== model.best;
    node.classList.toggle("stale", model.stale && model.coach);
    setText(last, model.verdict && !differs ? verdictText(model) : "");
    if (model.stale) return;
    const words = differs ? ownReason(model) : { head: "", text: "" };
    setText(best, model.coach ? model.shown.moves[0].why : "Advice is hidden. What a move cost is shown after it.");
    setText(head, words.head);
    setText(own, words.text);
    setAttribute(best, "data-test", differs ? "best-why" : "selected-why");
    setAttribute(own, "data-test", differs ? "selected-why" : null);
  }
  return { node, update };
}

function ownReason({ shown, moves, selected, write, kind }) {
  const move = moves.get(selected);
  if (!move) return { head: "All dice are held", text: "There is nothing to roll: choose a box, or let a die go." };
  const cost = isLoss(move.loss) ? `costs ${write.loss(move.loss)}` : "is as good";
  return { head: `Yours: ${kind.moveName(selected)} ${cost} (${ordinal(shown.moves.indexOf(move) + 1)})`, text: move.why };
}

function verdictText({ verdict, kind, write }) {
  const name = kind.moveName(verdict.action);
  if (!isLoss(verdict.loss)) return `Last move: ${name}, none was better.`;
  return `Last move: ${name} cost ${write.loss(verdict.loss)}; best was ${kind.moveName(verdict.best)}.`;
}

/** Undo, and one big button: play the selected move, or roll. */
export function makeButtons(acts) {
  const undo = button("Undo", acts.undo, { test: "undo" });
  const play = button("", acts.play, { class: "main", test: "play" });
  const roll = button("Roll", acts.roll, { class: "main", test: "roll" });
  const node = el("div", { class: "buttons" }, undo, play, roll);

  function update(model) {
    const rolls = model.mode === "roll" && !model.ready && !model.over;
    undo.disabled = !model.canUndo;
    roll.hidden = !rolls;
    play.hidden = rolls;
    play.disabled = model.stale || model.rivalMoves || !model.moves?.has(model.selected);
    setText(play, playText(model));
  }
  return { node, update };
}

function playText({ ready, stale, selected, kind }) {
  if (!ready) return "Enter the roll";
  if (stale) return "Looking …";
  return selected === null ? "Choose a move" : `Play: ${kind.moveName(selected)}`;
}
