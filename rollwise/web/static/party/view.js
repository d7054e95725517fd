/**
 * What a party looks like: the dice of the player whose turn it is, and one sheet of paper with a column for each player.
 *
 * @import { BoxInfo, Kind, Part, TableModel, View } from "../../types.js"
 */

import { button, el, setAttribute, setText } from "../app/dom.js";
import { timesLeft } from "../boards/sheet.js";
import { percent, signedTenths, tenths, writersFor } from "../texts/numbers.js";
import { boxName, t } from "../texts/texts.js";
import { canWrite } from "./pencil.js";
import { makeStrip } from "./turn-strip.js";

/** More players than this need narrow columns. */
const MANY = 5;

/** @typedef {TableModel<any>} Model */

/**
 * Build the board of a party that plays games of this kind.
 *
 * @type {(kind: Kind<any, any>, board: any, acts: any, names: string[]) => View<any>}
 */
export function makePartyView(kind, board, acts, names) {
  const own = kind.makeView(board, acts);
  const hasPaper = board.kind === "sheet";
  const paper = makePaper(hasPaper ? board : { boxes: [], bonus: null, joker: null }, acts, names);
  const odds = makeOddsRow(acts);
  const strip = makeStrip(names);
  return {
    ...own,
    above: strip.node,
    title: hasPaper ? t("party.paper") : own.title,
    board: [...(hasPaper ? [] : own.board), paper.node, odds.node],
    update(model) {
      for (const part of [own, paper, odds, strip]) part.update(model);
    },
  };
}

/** @type {(board: { boxes: BoxInfo[], bonus: any, joker: any }, acts: any, names: string[]) => Part<any>} */
function makePaper(board, acts, names) {
  const heads = names.map((name, i) => makeHead(name, i, acts));
  const rows = board.boxes.map((box) => makeBoxRow(box, acts, names));
  const bonus = board.bonus ? [makeSum("bonus", t("sheet.bonus"), names, (model, i) => bonusText(board, model.party?.positions[i]))] : [];
  const jokers = board.joker?.bonus ? [makeSum("jokers", t("sheet.jokers"), names, (model, i) => String(model.party?.positions[i].jokers || ""))] : [];
  const sums = [
    ...bonus,
    ...jokers,
    makeSum("total", t("sheet.total"), names, totalText),
    makeSum("place", t("party.place"), names, (model, i) => placeText(model.party?.places[i]), (model) => !model.over),
    makeSum("luck", t("result.luck"), names, (model, i) => gradeText(model, i, "luck"), (model) => !model.over || !model.party?.grades.length),
    makeSum("mistakes", t("result.mistakes"), names, (model, i) => gradeText(model, i, "mistakes"), (model) => !model.over || !model.party?.grades.length),
    makeSum("chance", (model) => t(model.party?.exact ? "party.chance" : "party.chance-estimate"), names, chanceText, (model) => model.over || !model.party?.odds),
  ];
  const parts = [...heads, ...rows, ...sums];
  const corner = el("td", { class: "corner" });
  const table = el(
    "table", { class: names.length > MANY ? "paper many" : "paper" },
    el("thead", {}, el("tr", {}, corner, ...heads.map((head) => head.node))),
    el("tbody", {}, ...rows.map((row) => row.node)),
    el("tfoot", {}, ...sums.map((sum) => sum.node)),
  );
  const node = el("div", { class: "papers", tabindex: 0, role: "region", "aria-label": t("party.columns"), test: "paper" }, table);
  let shown = -1;

  /** @param {Model} model */
  function update(model) {
    for (const part of parts) part.update(model);
    const column = model.over ? model.party?.viewed ?? 0 : model.party?.mover ?? 0;
    if (column === shown || !node.clientWidth) return;
    reveal(node, heads[column].node, corner);
    shown = column;
  }
  return { node, update };
}

/**
 * Scroll the paper, never the page, until a column is seen.
 *
 * @param {HTMLElement} node
 * @param {HTMLElement} head
 * @param {HTMLElement} corner
 */
function reveal(node, head, corner) {
  const left = head.offsetLeft - corner.offsetWidth;
  const right = head.offsetLeft + head.offsetWidth - node.clientWidth;
  node.scrollLeft = Math.max(right, Math.min(left, node.scrollLeft));
}

/**
 * The name of a player; when the game is over, a button that shows how they played.
 *
 * @type {(name: string, i: number, acts: any) => Part<any>}
 */
function makeHead(name, i, acts) {
  const plain = el("span", { class: "name", text: name });
  const look = button(name, () => acts.look(i), { class: "quiet name", test: `look-${i}`, "aria-label": t("party.look", { name }), hidden: true });
  const node = el("th", { scope: "col", test: `player-${i}` }, plain, look);
  return {
    node,
    update(model) {
      const { party, over } = model;
      const now = over ? party?.viewed === i : party?.mover === i;
      plain.hidden = over;
      look.hidden = !over;
      setAttribute(look, "aria-pressed", String(over && now));
      setAttribute(node, "aria-current", now ? "true" : null);
    },
  };
}

/** @type {(box: BoxInfo, acts: any, names: string[]) => Part<any>} */
function makeBoxRow(box, acts, names) {
  const cells = names.map((name, i) => makeCell(box, i, acts, name));
  const node = el("tr", {}, el("th", { scope: "row", text: boxName(box.name) }), ...cells.map((cell) => cell.node));
  return { node, update: (model) => cells.forEach((cell) => cell.update(model)) };
}

/**
 * A box of one player: what it holds, or, for the player whose turn it is, a button that fills it.
 *
 * @type {(box: BoxInfo, i: number, acts: any, name: string) => Part<any>}
 */
function makeCell(box, i, acts, name) {
  const value = el("span", { class: "value" });
  const fill = button("", () => (isOffered ? acts.choose(box.name) : acts.pencil(box.name)), { class: "box", test: `box-${box.name}`, hidden: true });
  const node = el("td", { test: `cell-${i}-${box.name}` }, value, fill);

  let isOffered = false;

  /** @param {Model} model */
  function update({ party, moves, selected, coach, best, over, mode, board }) {
    const { open, points } = party?.positions[i] ?? { open: [], points: {} };
    const moving = !over && party?.mover === i;
    const gain = moving ? moves?.get(box.name)?.gain : undefined;
    const isBlank = moving && mode === "mine" && canWrite(board, party?.positions[i], box);
    isOffered = gain !== undefined;
    fill.hidden = !isOffered && !isBlank;
    fill.classList.toggle("blank", isBlank);
    value.hidden = !fill.hidden;
    node.classList.toggle("now", moving);
    // A hook names one button only: that of the player whose turn it is.
    if (moving) fill.dataset.test = `box-${box.name}`;
    else delete fill.dataset.test;
    setText(value, boxText(box, open, points[box.name]));
    setText(fill, isBlank ? "✎" : String(gain ?? ""));
    setAttribute(fill, "aria-label", isBlank ? t("party.pencil", { name, box: boxName(box.name) }) : t("party.box", { box: boxName(box.name), points: gain ?? 0, name }));
    setAttribute(fill, "aria-pressed", String(moving && selected === box.name));
    fill.classList.toggle("best", moving && coach && best === box.name);
  }
  return { node, update };
}

/** @param {BoxInfo} box @param {string[]} open @param {number | null | undefined} points */
function boxText({ name, times = 1 }, open, points) {
  if (points === undefined) return "";
  const left = timesLeft(open, name);
  return `${points ?? "✓"}${times > 1 && left ? ` ×${left}` : ""}`;
}

/**
 * A row below the boxes.
 *
 * @param {string} name
 * @param {string | ((model: Model) => string)} label
 * @param {string[]} names
 * @param {(model: Model, i: number) => string} text
 * @param {(model: Model) => boolean} [isHidden]
 * @returns {Part<any>}
 */
function makeSum(name, label, names, text, isHidden = () => false) {
  const cells = names.map((_, i) => el("td", { test: `${name}-${i}` }));
  const head = el("th", { scope: "row", text: typeof label === "string" ? label : "" });
  const node = el("tr", { class: name }, head, ...cells);

  /** @param {Model} model */
  function update(model) {
    node.hidden = isHidden(model);
    if (typeof label !== "string") setText(head, label(model));
    cells.forEach((cell, i) => {
      setText(cell, node.hidden ? "" : text(model, i));
      cell.classList.toggle("now", !model.over && model.party?.mover === i);
      cell.classList.toggle("first", model.over && model.party?.places[i] === 1);
    });
  }
  return { node, update };
}

/** The upper bonus of a sheet: what it brought, or how far it is. @param {any} board @param {any} position */
export function bonusText({ bonus }, { upper }) {
  const reached = bonus.steps.findLast((/** @type {any} */ step) => upper >= step.threshold)?.points ?? 0;
  const next = bonus.steps.find((/** @type {any} */ step) => upper < step.threshold);
  return next ? `${reached ? `${reached}, ` : ""}${upper}/${next.threshold}` : `+${reached}`;
}

/** @param {Model} model @param {number} i */
function totalText({ party }, i) {
  if (!party) return "";
  const { total, rolls } = party.positions[i];
  return String(party.results[i] ?? total ?? rolls ?? "");
}

/** @param {number | null | undefined} place */
const placeText = (place) => (place ? `${place}.` : "");

/** @param {Model} model @param {number} i @param {"luck" | "mistakes"} name */
function gradeText({ party, valueName }, i, name) {
  const grade = party?.grades[i];
  if (!grade) return "–";
  const write = valueName === "expected total" ? shortly : writersFor(valueName);
  return name === "luck" ? write.signed(grade.luck) : write.loss(grade.mistakes);
}

/** Points in a narrow column. */
const shortly = {
  signed: (/** @type {any} */ value) => (typeof value === "number" ? signedTenths(value) : value),
  loss: (/** @type {any} */ value) => (typeof value === "number" ? tenths(value) : value),
};

/** @param {Model} model @param {number} i */
function chanceText({ party }, i) {
  const chance = party?.chances[i];
  return typeof chance === "number" ? percent(chance, 0) : "–";
}

/**
 * Whether chances to win are shown, and what they are: exact, an estimate, or not known.
 *
 * @type {(acts: any) => Part<any>}
 */
function makeOddsRow(acts) {
  const input = el("input", { type: "checkbox", test: "odds", on: { change: () => acts.odds(input.checked) } });
  const label = el("label", { class: "switch" }, input, el("span", { text: t("party.odds") }));
  const note = el("p", { class: "hint", test: "odds-note" });
  const progress = el("div");
  const fault = el("p", { class: "fault", role: "alert" });
  const solve = button(t("party.exactly"), () => void exactly(), { class: "quiet", test: "odds-exactly", hidden: true });
  const node = el("div", { class: "party-odds" }, label, note, solve, progress, fault);

  async function exactly() {
    solve.disabled = true;
    setText(fault, "");
    try {
      await acts.exactly((/** @type {HTMLElement} */ shown) => progress.replaceChildren(shown));
    } catch (error) {
      setText(fault, /** @type {Error} */ (error).message);
    }
    progress.replaceChildren();
    solve.disabled = false;
  }

  /** @param {Model} model */
  function update({ party, over }) {
    node.hidden = over;
    if (!party) return;
    input.checked = party.odds;
    note.hidden = !party.odds;
    solve.hidden = !party.odds || !party.canSolve;
    setText(note, noteText(party));
  }
  return { node, update };
}

/** @param {{ chances: (number | null)[], exact: boolean }} party */
function noteText({ chances, exact }) {
  if (!chances.length) return t("party.odds-wait");
  if (chances.includes(null)) return t("party.odds-unknown");
  return t(exact ? "party.odds-exact" : "party.odds-estimate");
}
