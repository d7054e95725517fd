/**
 * Writing points on the paper by hand, for a player whose dice are not entered: the sheet of paper of an evening without a coach.
 *
 * @import { SheetBoard, SheetPosition } from "../../types.js"
 * @import { Last } from "./party.js"
 */

import { button, el, numberField, setText } from "../app/dom.js";
import { showDialog } from "../app/window.js";
import { noDice } from "../boards/dice-tray.js";
import { sheet, setBox, setJokers } from "../boards/sheet.js";
import { boxName, t } from "../texts/texts.js";

/**
 * Whether points can be written in a box: before the first roll of a turn, where a box is filled once and nothing else is saved.
 *
 * @param {any} board
 * @param {any} position
 * @param {{ name: string, times?: number }} box
 */
export const canWrite = (board, position, { name, times = 1 }) =>
  times === 1 && !board.saved_rolls && position.open.includes(name) && position.dice.every((/** @type {number | null} */ die) => die === null);

/**
 * Give the sheet with points written in a box.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 * @param {string} box
 * @param {number} points
 * @param {number} jokers bonuses of jokers that came with it
 * @returns {SheetPosition}
 */
export function written(board, position, box, points, jokers) {
  const filled = setBox(board, position, box, points);
  return { ...setJokers(filled, filled.jokers + jokers), ...noDice(board.dice), left: board.rerolls };
}

/**
 * What leads to the same sheet: a roll without rerolls, and the box. How many points that roll brings is not known here.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 * @param {string} box
 * @param {number} points
 * @param {number} after the total with these points
 * @returns {Last | null}
 */
export function standIn(board, position, box, points, after) {
  const dice = handFor(board, box, points);
  if (!dice) return null;
  const state = /** @type {any} */ (sheet.line)(board, { ...position, dice, left: 0 }).text;
  return { state, action: box, banked: null, after };
}

/**
 * Dice that make these points in an upper box, or that suit any other box; null where there are none.
 *
 * @type {(board: SheetBoard, box: string, points: number) => number[] | null}
 */
function handFor({ boxes, dice, faces, joker }, box, points) {
  const face = boxes.find(({ name }) => name === box)?.face ?? null;
  const alike = face ?? 1;
  const count = face !== null ? points / face : joker?.box === box && points > 0 ? dice : 0;
  if (!Number.isInteger(count) || count < 0 || count > dice) return null;
  const others = Array.from({ length: faces }, (_, i) => i + 1).filter((other) => face === null || other !== face);
  return [...Array(count).fill(alike), ...Array.from({ length: dice - count }, (_, i) => others[i % others.length])].sort((a, b) => a - b);
}

/**
 * Ask what to write in a box; `put` gets the points, and the bonus of a joker that came with them.
 *
 * @param {SheetBoard} board
 * @param {SheetPosition} position
 * @param {string} name of the box
 * @param {string} player
 * @param {(points: number, jokers: number) => void} put
 */
export function askPoints(board, position, name, player, put) {
  const box = /** @type {import("../../types.js").BoxInfo} */ (board.boxes.find((one) => one.name === name));
  const field = numberField(() => {}, { min: 0, max: box.most, test: "pencil-points", "aria-label": t("party.points-in", { box: boxName(name) }) });
  const fault = el("p", { class: "fault", role: "alert", test: "pencil-fault" });
  const bonus = board.joker?.bonus && position.primed && !position.open.includes(board.joker.box) ? board.joker.bonus : 0;
  const joker = el("input", { type: "checkbox", test: "pencil-joker" });
  const likely = box.face ? Array.from({ length: board.dice + 1 }, (_, i) => i * Number(box.face)) : box.most > 0 ? [0, box.most] : [0];
  const quick = likely.map((points) => button(points, () => end(points), { test: `pencil-${points}` }));
  const go = el("button", { class: "main", test: "pencil-go", text: t("party.write") });
  const cancel = button(t("page.cancel"), () => dialog.close());
  const form = el(
    "form", { novalidate: true }, el("div", { class: "quick", role: "group", "aria-label": t("party.points-in", { box: boxName(name) }) }, ...quick),
    ...(box.face ? [] : [field, fault]),
    bonus ? el("label", { class: "switch" }, joker, el("span", { text: t("party.joker", { n: bonus }) })) : null,
    el("div", { class: "row" }, box.face ? null : go, cancel),
  );
  const dialog = showDialog(
    { class: "party-setup pencil", "aria-labelledby": "pencil-title", test: "pencil" },
    el("h2", { id: "pencil-title", text: t("party.pencil", { name: player, box: boxName(name) }) }), form,
  );

  /** @param {number} points */
  function end(points) {
    dialog.close();
    put(points, joker.checked ? bonus : 0);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const points = Number(field.value);
    if (field.value !== "" && Number.isInteger(points) && points >= 0 && points <= box.most) end(points);
    else setText(fault, t("party.points-fault", { most: box.most }));
  });
}
