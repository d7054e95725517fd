/**
 * The button that keeps a game on this device, for when there is no connection.
 *
 * @import { Asked, TableEntry } from "../../types.js"
 */

import { button } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { canKeep, drop, findKept, keep, sizeOf } from "./kept-tables.js";

/** Whether the page runs as an app that was installed: then what is played is kept without a word. */
const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/**
 * Make the button; null where nothing can be kept.
 *
 * @param {Asked} asked
 * @param {string} title
 * @param {(error: Error) => void} fail
 */
export function makeKeep(asked, title, fail) {
  if (!canKeep()) return null;
  /** @type {TableEntry | null} */
  let entry = null;
  const node = button(t("offline.keep"), () => void toggle(), { test: "keep-offline" });

  /** @param {TableEntry | null} found */
  function show(found) {
    entry = found;
    node.textContent = found ? t("offline.kept", { size: sizeOf(found) }) : t("offline.keep");
    node.title = t(found ? "offline.kept.hint" : "offline.keep.hint");
  }

  async function toggle() {
    if (node.hasAttribute("aria-disabled")) return;
    const before = entry;
    node.textContent = t("offline.keeping");
    node.setAttribute("aria-disabled", "true");
    try {
      show(before ? await drop(before) : await keep(asked, title));
    } catch (error) {
      show(before);
      fail(/** @type {Error} */ (error));
    }
    node.removeAttribute("aria-disabled");
  }

  async function begin() {
    show(await findKept(asked));
    if (!entry && isInstalled() && navigator.onLine) show(await keep(asked, title));
  }
  begin().catch(() => show(null));
  return node;
}
