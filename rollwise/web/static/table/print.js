/**
 * What is printed: a score sheet as on paper, with what is written on it so far. Other things to print, such as a strategy card, go to
 * `printOut` as well.
 *
 * @import { BoxInfo, RulesInfo, SheetBoard, SheetPosition } from "../../types.js"
 * @typedef {{ name: string, position: SheetPosition }} Column
 */

import { el } from "../app/dom.js";
import { partsOf } from "../boards/sheet.js";
import { boxName, t } from "../texts/texts.js";

/** Columns of a sheet, so that there is room for those who write by hand. */
const COLUMNS = 6;

/** Print one thing in the place of the page. @param {HTMLElement} node */
export function printOut(node) {
  document.getElementById("print")?.remove();
  const place = el("div", { id: "print" }, node);
  document.body.append(place);
  document.body.classList.add("printing");
  addEventListener("afterprint", () => {
    document.body.classList.remove("printing");
    place.remove();
  }, { once: true });
  window.print();
}

/**
 * Draw a score sheet with a column for each player, and empty ones where there are few.
 *
 * @param {{ title: string, differs: string, board: SheetBoard, columns: Column[], rules?: RulesInfo | null }} sheet
 */
export function drawSheet({ title, differs, board, columns, rules = null }) {
  const [upper, lower] = [board.boxes.filter(({ face }) => face !== null), board.boxes.filter(({ face }) => face === null)];
  const pays = new Map(rules?.boxes.map((box) => [box.name, box.pays]));
  const empty = Math.max(0, COLUMNS - columns.length);
  const row = makeRow(columns, empty);
  const boxRow = (/** @type {BoxInfo} */ box) => row(boxName(box.name), pays.get(box.name) ?? "", ({ points }) => pointsText(points[box.name]), "");
  const { bonus, joker } = board;
  const parts = (/** @type {SheetPosition} */ position) => partsOf(board, position);
  const sums = [
    ...(hasRest(columns, parts) ? [row(t("sheet.rest"), "", (position) => numberText(parts(position).rest), "sum")] : []),
    row(t("sheet.total"), "", (position) => numberText(position.total), "sum"),
  ];
  return el(
    "section", { class: "paper-sheet" },
    el("h1", { text: title }), differs ? el("p", { text: differs }) : null,
    el(
      "table", {},
      el("thead", {}, el("tr", {}, el("th", { text: t("print.name") }), ...columns.map(({ name }) => el("th", { text: name })), ...blanks(empty))),
      el(
        "tbody", {}, ...upper.map(boxRow),
        ...(bonus ? [row(t("sheet.bonus"), bonusText(bonus), (position) => numberText(parts(position).bonus), "sum")] : []),
        ...lower.map(boxRow),
        ...(joker?.bonus ? [row(t("sheet.jokers"), t("print.each", { points: joker.bonus }), ({ jokers }) => numberText(jokers), "sum")] : []),
        ...sums,
      ),
    ),
  );
}

/** Whether boxes were filled before the page knew. @param {Column[]} columns @param {(position: SheetPosition) => { rest: number }} parts */
const hasRest = (columns, parts) => columns.some(({ position }) => parts(position).rest !== 0);

/** @param {number} count */
const blanks = (count) => Array.from({ length: count }, () => el("td"));

/** What a box holds; "" while it is open. @param {number | null | undefined} points */
const pointsText = (points) => (points === undefined ? "" : points === null ? "✓" : String(points));

/** A sum; nothing is written while it is nothing. @param {number} points */
const numberText = (points) => (points ? String(points) : "");

/** @param {{ steps: { threshold: number, points: number }[] }} bonus */
const bonusText = ({ steps }) => steps.map(({ threshold, points }) => t("print.from", { points, threshold })).join(", ");

/** @param {Column[]} columns @param {number} empty */
function makeRow(columns, empty) {
  /** @type {(name: string, note: string, written: (position: SheetPosition) => string, kind: string) => HTMLElement} */
  return (name, note, written, kind) => {
    const head = el("th", { scope: "row" }, el("span", { text: name }), note ? el("small", { text: note }) : null);
    return el("tr", { class: kind || null }, head, ...columns.map(({ position }) => el("td", { text: written(position) })), ...blanks(empty));
  };
}
