/**
 * Keys of the table; see the help dialog.
 *
 * @import { KeyTable } from "../../types.js"
 */

const TEXT = "input:not([type=checkbox]), textarea, select";
const ACTS = "button, a, input, textarea, select, summary";

/**
 * Listen for keys; `table()` gives the table on the page, if any, and `help()` shows the help.
 *
 * @param {() => KeyTable | null} table
 * @param {() => void} help
 */
export function listenKeys(table, help) {
  document.addEventListener("keydown", (event) => {
    if (isIn(event, TEXT) || document.querySelector("dialog[open]")) return;
    const done = event.key === "?" ? help : command(event, table());
    if (!done) return;
    event.preventDefault();
    done();
  });
}

/** @type {(event: Event, selector: string) => boolean} */
const isIn = ({ target }, selector) => target instanceof Element && target.matches(selector);

/**
 * Say what a key does; null where it does nothing here.
 *
 * @type {(event: KeyboardEvent, table: KeyTable | null) => (() => void) | null}
 */
function command(event, table) {
  if (!table || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === "z" && !event.shiftKey ? () => table.undo() : null;
  const digit = event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1];
  if (digit) return number(Number(digit), event.shiftKey, table);
  if (key === "enter") return isIn(event, ACTS) ? null : () => table.playSelected();
  if (key === "arrowdown" || key === "arrowup") return table.canStep ? () => table.step(key === "arrowdown" ? 1 : -1) : null;
  if (key === "r") return () => table.roll();
  return key === "u" ? () => table.undo() : null;
}

/**
 * With Shift, or when the page rolls, a number means a die by its place; otherwise it is a face.
 *
 * @param {number} digit
 * @param {boolean} shift
 * @param {KeyTable} table
 */
function number(digit, shift, table) {
  const { dice } = table.position;
  if (!dice) return table.typeDigit ? () => table.typeDigit?.(digit) : null;
  if (shift || table.mode === "roll") return digit <= dice.length ? () => table.tapDie(digit - 1) : null;
  const { board } = table;
  const isFace = "faces" in board && typeof board.faces === "number" && digit <= board.faces;
  return isFace ? () => table.enterFace(digit) : null;
}
