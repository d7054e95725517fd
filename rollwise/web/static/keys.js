/** Keys of the table; see the help dialog. */

const TEXT = "input:not([type=checkbox]), textarea, select";
const ACTS = "button, a, input, textarea, select, summary";

/** Listen for keys; `table()` gives the table on the page, if any, and `help()` shows the help. */
export function listenKeys(table, help) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches(TEXT) || document.querySelector("dialog[open]")) return;
    const done = event.key === "?" ? help : command(event, table());
    if (!done) return;
    event.preventDefault();
    done();
  });
}

function command(event, table) {
  if (!table || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === "z" && !event.shiftKey ? () => table.undo() : null;
  const digit = event.code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1];
  if (digit) return number(Number(digit), event.shiftKey, table);
  if (key === "enter") return event.target.matches(ACTS) ? null : () => table.playSelected();
  if (key === "arrowdown" || key === "arrowup") return table.canStep ? () => table.step(key === "arrowdown" ? 1 : -1) : null;
  return { r: () => table.roll(), u: () => table.undo() }[key] ?? null;
}

/** With Shift, or when the page rolls, a number means a die by its place; otherwise it is a face. */
function number(digit, shift, table) {
  const { dice } = table.position;
  if (!dice) return null;
  if (shift || table.mode === "roll") return digit <= dice.length ? () => table.tapDie(digit - 1) : null;
  const isFace = typeof table.board.faces === "number" && digit <= table.board.faces;
  return isFace ? () => table.enterFace(digit) : null;
}
