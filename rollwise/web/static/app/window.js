/**
 * What a view does with the browser's window: dialogs, and the clipboard.
 *
 * @import { Child, Options } from "../../types.js"
 */

import { el } from "./dom.js";

/**
 * Make a dialog that is gone when it is closed, and show it.
 *
 * @type {(options: Options, ...children: Child[]) => HTMLDialogElement}
 */
export function showDialog(options, ...children) {
  const dialog = el("dialog", options, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Copy a text, or show it in a field where that is not allowed; says whether it is copied.
 *
 * @param {string} text
 * @param {HTMLInputElement} [field]
 */
export async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!field) return false;
    field.hidden = false;
    field.value = text;
    field.select();
    return false;
  }
}
