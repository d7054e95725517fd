/**
 * What a score sheet looks like: boxes, and rows that make them add up to the total.
 *
 * @import { Acts, BonusInfo, BoxInfo, JokerInfo, SheetBoard, SheetPosition, TableModel } from "../../types.js"
 * @typedef {{ node: HTMLElement, update: (model: TableModel<SheetPosition>) => void }} Part
 */

import { button, el, numberField, segmented, setAttribute, setText, unseen } from "../app/dom.js";
import { listFaces } from "../table/fair-dice.js";
import { boxName, t } from "../texts/texts.js";
import { makeTray } from "./dice-tray.js";
import { gainParts, mostRerolls, partsOf, setBox, setJokers, setUpper, tapBox, timesLeft } from "./sheet.js";

const MOST_BUTTONS = 5;

/** @param {SheetBoard} board @param {Acts<SheetPosition>} acts */
export function makeView(board, acts) {
  const faces = listFaces(board);
  const tray = makeTray({ count: board.dice, faces: () => faces, holds: true, acts });
  const left = makeLeft(board, acts);
  const [first, second] = makeColumns(board, acts);
  const hint = makeHint();
  const list = (/** @type {Part[]} */ parts) => el("ul", {}, ...parts.map((part) => part.node));
  const sheet = el("div", { class: "sheet" }, list(first), second.length ? list(second) : null);
  const parts = [tray, left, ...first, ...second, hint];
  return {
    title: t("sheet.title"),
    play: [tray.node, left.node],
    board: [sheet, hint.node],
    update: (/** @type {TableModel<SheetPosition>} */ model) => parts.forEach((part) => part.update(model)),
  };
}

/**
 * The boxes in two columns, each with the rows that belong to it; the total ends the first one.
 *
 * @type {(board: SheetBoard, acts: Acts<SheetPosition>) => [Part[], Part[]]}
 */
function makeColumns(board, acts) {
  const boxes = board.boxes.map((box) => ({ isUpper: box.face !== null, part: makeBox(board, box, acts) }));
  const upper = boxes.filter(({ isUpper }) => isUpper).map(({ part }) => part);
  const lower = boxes.filter(({ isUpper }) => !isUpper).map(({ part }) => part);
  const sums = [makeRest(board), makeTotal(acts)];
  const bonus = board.bonus ? [makeBonus(board, board.bonus, acts)] : [];
  const jokers = board.joker?.bonus ? [makeJokers(board.joker, acts), makePrimed(board.joker, acts)] : [];
  return upper.length ? [[...upper, ...bonus, ...sums], [...lower, ...jokers]] : [[...lower, ...jokers, ...sums], []];
}

/** How many rerolls are left, and a way to say so. @param {SheetBoard} board @param {Acts<SheetPosition>} acts */
function makeLeft(board, acts) {
  const set = (/** @type {number} */ left) => acts.edit((position) => ({ ...position, left }));
  const most = mostRerolls(board, board.boxes.length - 1);
  const counts = Array.from({ length: most + 1 }, (_, i) => i);
  const few = most < MOST_BUTTONS;
  const control = few ? makeFew(counts, set) : makeCount(counts, set);
  const label = el("span", { class: "label", "aria-hidden": "true", text: t("sheet.rerolls-short") });
  const note = el("span", { class: "label note" });
  const node = el("div", { class: "row left" }, label, control.node, note);
  return {
    node,
    /** @param {TableModel<SheetPosition>} model */
    update({ position, mode, edit }) {
      control.set(position.left, mode === "roll" && !edit, mostRerolls(board, board.boxes.length - position.open.length));
      node.classList.toggle("editing", edit);
      setText(note, t("n.reroll", { n: position.left }));
    },
  };
}

/** @param {number[]} counts @param {(count: number) => void} pick */
function makeFew(counts, pick) {
  const control = segmented(t("sheet.rerolls"), counts.map((n) => [n, String(n), `left-${n}`]), pick);
  const set = (/** @type {number} */ value, /** @type {boolean} */ disabled, /** @type {number} */ most) => {
    control.set(value);
    for (const [count, child] of control.node.querySelectorAll("button").entries()) child.disabled = disabled || count > most;
  };
  return { node: control.node, set };
}

/** @param {number[]} counts @param {(count: number) => void} pick */
function makeCount(counts, pick) {
  const options = counts.map((n) => el("option", { value: n, text: n }));
  const node = el("select", { "aria-label": t("sheet.rerolls"), test: "left", on: { change: () => pick(Number(node.value)) } }, ...options);
  const set = (/** @type {number} */ value, /** @type {boolean} */ disabled, /** @type {number} */ most) => {
    node.value = String(value);
    node.disabled = disabled;
    for (const [count, option] of options.entries()) option.hidden = option.disabled = count > most;
  };
  return { node, set };
}

/** @param {SheetBoard} board @param {BoxInfo} box @param {Acts<SheetPosition>} acts */
function makeBox(board, box, acts) {
  const value = el("span", { class: "value" });
  const more = el("span", { class: "more" });
  const main = button("", () => tap(), { class: "box", test: `box-${box.name}` });
  const note = unseen();
  const name = el("span", { class: "name", text: boxName(box.name) });
  main.append(name, more, value, note);
  const put = (/** @type {number | null | undefined} */ points) =>
    acts.edit((position) => setBox(board, position, box.name, points));
  const field = numberField(put, { class: "points", placeholder: t("sheet.pts"), test: `points-${box.name}` });
  field.setAttribute("aria-label", t("sheet.points-in", { box: boxName(box.name) }));
  /** @type {TableModel<SheetPosition>} */
  let model;

  const isOpen = () => model.position.open.includes(box.name);
  function tap() {
    if (model.edit) acts.edit((position) => tapBox(board, position, box.name));
    else acts.choose(box.name);
  }

  /** @param {TableModel<SheetPosition>} next */
  function update(next) {
    model = next;
    const move = model.moves?.get(box.name);
    const gain = move && gainParts(board, model.position, move);
    const points = model.position.points[box.name];
    const extra = gain ? gain.bonus + gain.joker : 0;
    setText(value, String(isOpen() ? gain?.points ?? "" : points ?? "✓"));
    const left = timesLeft(model.position.open, box.name);
    setText(name, (box.times ?? 1) > 1 ? `${boxName(box.name)} ×${left}` : boxName(box.name));
    setText(more, extra ? `+${extra}` : isOpen() && points !== undefined ? `${points ?? "✓"} |` : "");
    value.hidden = model.edit && !isOpen();
    setText(note, isOpen() ? offer(gain) : held(points));
    setAttribute(main, "aria-pressed", String(model.edit ? !isOpen() : model.selected === box.name));
    main.disabled = !model.edit && gain === undefined && !(model.ready && !model.moves && isOpen());
    main.classList.toggle("filled", !isOpen());
    main.classList.toggle("best", model.coach && model.best === box.name);
    field.hidden = !model.edit || points === undefined;
    if (document.activeElement !== field) field.value = String(points ?? "");
  }
  return { node: el("li", {}, main, field), update };
}

/** @param {number | null | undefined} points */
const held = (points) => t(points === null || points === undefined ? "sheet.note-filled" : "sheet.note-points");

/** @param {{ points: number, bonus: number, joker: number } | undefined} gain */
function offer(gain) {
  if (!gain) return t("sheet.note-open");
  if (gain.bonus && gain.joker) return t("sheet.note-both", { bonus: gain.bonus, joker: gain.joker });
  if (gain.bonus) return t("sheet.note-bonus", { n: gain.bonus });
  return gain.joker ? t("sheet.note-joker", { n: gain.joker }) : t("sheet.note");
}

/**
 * A row below the boxes: shown, or entered while the position is set up.
 *
 * @param {{ name: string, label: string, shown: (position: SheetPosition) => string, entered?: (position: SheetPosition) => number,
 *   put?: (points: number) => void, note?: (position: SheetPosition) => string, hidden?: (model: TableModel<SheetPosition>) => boolean }} row
 * @returns {Part}
 */
function makeRow({ name, label, shown, entered, put, note = () => "", hidden = () => false }) {
  const field = put && numberField((points) => put(points ?? 0), { test: name, "aria-label": label });
  const output = el("output", { class: "value", test: `${name}-shown` });
  const small = el("span", { class: "note" });
  const node = el("li", { class: `sum ${name}` }, el("span", { class: "name" }, label, small), field, output);
  return {
    node,
    update(model) {
      const { position, edit } = model;
      node.hidden = hidden(model);
      output.hidden = edit && field !== undefined;
      setText(output, shown(position));
      setText(small, note(position));
      if (!field) return;
      field.hidden = !edit;
      if (document.activeElement !== field && entered) field.value = String(entered(position));
    },
  };
}

/** @param {Acts<SheetPosition>} acts */
const makeTotal = (acts) =>
  makeRow({
    name: "total", label: t("sheet.total"), shown: ({ total }) => String(total), entered: ({ total }) => total,
    put: (total) => acts.edit((position) => ({ ...position, total })),
  });

/** @param {SheetBoard} board @param {BonusInfo} bonus @param {Acts<SheetPosition>} acts */
const makeBonus = (board, { threshold, steps }, acts) =>
  makeRow({
    name: "upper", label: t("sheet.bonus"), shown: (position) => String(partsOf(board, position).bonus), entered: ({ upper }) => upper,
    note: ({ upper }) => t("sheet.of", { n: upper, most: steps.find((step) => upper < step.threshold)?.threshold ?? threshold }),
    put: (upper) => acts.edit((position) => setUpper(board, position, upper)),
  });

/** @param {JokerInfo} joker @param {Acts<SheetPosition>} acts */
const makeJokers = ({ bonus }, acts) =>
  makeRow({
    name: "jokers", label: t("sheet.jokers"), shown: ({ jokers }) => String(jokers), entered: ({ jokers }) => jokers, note: () => t("sheet.each", { n: bonus }),
    put: (jokers) => acts.edit((position) => setJokers(position, jokers)),
  });

/** What boxes hold that were filled before the page knew. @param {SheetBoard} board */
const makeRest = (board) =>
  makeRow({
    name: "rest", label: t("sheet.rest"), shown: (position) => String(partsOf(board, position).rest),
    hidden: ({ position }) => partsOf(board, position).rest === 0,
  });

/** @type {(joker: JokerInfo, acts: Acts<SheetPosition>) => Part} */
function makePrimed({ box, bonus }, acts) {
  const change = () => acts.edit((position) => ({ ...position, primed: input.checked }));
  const input = el("input", { type: "checkbox", test: "primed", on: { change } });
  const node = el("li", { class: "sum" }, el("label", { class: "field" }, el("span", { text: t("sheet.holds", { box, n: bonus }) }), input));
  return {
    node,
    update({ position, edit }) {
      node.hidden = !edit || position.open.includes(box);
      input.checked = position.primed;
    },
  };
}

/** @returns {Part} */
function makeHint() {
  const node = el("p", { class: "hint", text: t("sheet.hint") });
  return { node, update: ({ edit }) => void (node.hidden = !edit) };
}
