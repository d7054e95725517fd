/**
 * What is seen of a table: its panels, and what each shows of the game as it is.
 *
 * @import { Acts, Result, TableModel, TableParts, Writers } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { focusHint, keepFocus } from "../app/focus.js";
import { makeLegend } from "../boards/loaded-dice.js";
import { makeMoves } from "../coach/moves.js";
import { makeChart } from "../coach/outlook-chart.js";
import { makeLooker } from "../coach/outlook-requests.js";
import { makeBar } from "../coach/win-bar.js";
import { makeResult } from "../review/result.js";
import { valueWords, writersFor } from "../texts/numbers.js";
import { decimal, t } from "../texts/texts.js";
import { makeAimPanel } from "./aim-panel.js";
import { makeTitle } from "./menu.js";
import { makeAdvice, makeButtons, makeConnection, makeSettings, makeStatus } from "./panels.js";
import { watchLayout } from "./phone-layout.js";

/**
 * Make what is seen of a table. `lookExactly` is called where the chart is quick and the exact one is wanted.
 *
 * @param {TableParts} table
 * @param {Acts} acts
 * @param {() => void} lookExactly
 */
export function makeScene(table, acts, lookExactly) {
  const { kind, board } = table;
  const outcome = /** @type {Result} */ (table.job.result);
  const view = kind.makeView(board, acts);
  const [title, settings, status, connection] = [makeTitle(table, acts), makeSettings(acts), makeStatus(), makeConnection()];
  const [advice, buttons, result] = [makeAdvice(), makeButtons(acts), makeResult(acts)];
  const moves = makeMoves(acts, outcome.value_name, kind.listed(board));
  const chart = makeChart(lookExactly);
  const bar = outcome.share ? makeBar(table) : null;
  const parts = [title, settings, view, status, connection, advice, buttons, moves, ...(bar ? [bar] : []), result];

  const aim = makeAimPanel(table, acts);
  title.node.append(el("div", { class: "slot-aim", hidden: !aim }, aim));
  const above = el("div", { class: "slot-bar", hidden: !bar && !view.above }, bar?.node, view.above);
  const dock = el("div", { class: "dock" }, above, ...view.play, status.node, connection.node, advice.node, buttons.node);
  const legend = makeLegend(board);
  const play = panel("play", t("table.dice"), settings.node, dock, ...(legend ? [legend] : []));
  const sheet = panel("board", view.title, ...view.board);
  const ranking = panel("ranking", t("table.moves"), moves.node);
  const chances = panel("chances", t("table.ends"), chart.node);
  const chancesTitle = /** @type {HTMLElement} */ (chances.firstElementChild);
  const trust = about(outcome, writersFor(outcome.value_name, outcome));
  const node = el("div", { class: `table kind-${board.kind}` }, title.node, result.node, play, sheet, ranking, chances, trust);
  watchLayout(node, { dock, moves: ranking, before: advice.node, after: sheet });

  /** @param {TableModel<any>} model */
  function show(model) {
    for (const part of parts) part.update(model);
    node.classList.toggle("over", model.over);
    node.classList.toggle("stuck", model.stuck);
    node.classList.toggle("rival-at-it", model.rivalMoves);
    node.classList.toggle("at-start", model.atStart);
    setText(chancesTitle, t(model.atStart ? "table.ends-whole" : "table.ends"));
    play.hidden = model.over;
    ranking.hidden = model.over || !model.coach;
    chances.hidden = model.over || !model.hasChart || (!model.coach && !model.atStart);
    chart.stale(model.stale && !model.atStart);
    setAttribute(node, "data-awaits", awaits(model));
  }
  const next = focusHint(play);
  return { node, view, chart, result, addTools: title.add, looker: makeLooker(chart), update: (/** @type {TableModel<any>} */ model) => keepFocus(node, next, () => show(model)) };
}

/**
 * Say what the table waits for. Only while it waits for the player (roll, dice, move, end) nothing changes by itself.
 *
 * @type {(model: TableModel<any>) => "roll" | "dice" | "move" | "end" | "rival" | "answer"}
 */
function awaits({ over, rivalMoves, ready, stale, mode, kind, rolls, lines, grade, gradeFault, party }) {
  if (over) {
    const isGraded = party ? party.names.every((_, i) => party.grades[i] !== undefined) : !lines || grade;
    return isGraded || gradeFault ? "end" : "answer";
  }
  if (rivalMoves) return "rival";
  if (!ready) return kind.asksRolls && !rolls ? "answer" : mode === "roll" ? "roll" : "dice";
  return stale ? "answer" : "move";
}

/** @param {string} name @param {string} title @param {...(Node | string)} children */
function panel(name, title, ...children) {
  return el("section", { class: `panel ${name}`, "aria-label": title }, el("h2", { text: title }), ...children);
}

/** @param {Result} result @param {Writers} write */
function about(result, write) {
  const facts = [
    t("table.from-start", { name: valueWords(result.value_name), value: write.value(result.value) }),
    t("table.solved-over", { states: result.states, seconds: decimal(result.seconds, 2), engine: result.engine }),
    t("table.certificate", { text: result.certificate }),
  ];
  return el("details", { class: "about" }, el("summary", { text: t("table.trust") }), ...facts.map((text) => el("p", { text })));
}
