/** Where the keyboard is: a change of the page never drops it to the top. */

/** What a player would use next: a key of the keypad, a field, the button to roll or to play. */
const NEXT = [".keypad:not([hidden]) button:not(:disabled)", "input:not([type=checkbox])", "[data-test=roll]", "[data-test=play]", ".big"];

/** @param {Element} node */
const isUsable = (node) => node.isConnected && node.checkVisibility() && !node.matches(":disabled");

/**
 * Give the way to what a player would use next in a panel.
 *
 * @type {(panel: HTMLElement) => () => HTMLElement | undefined}
 */
export const focusHint = (panel) => () => {
  const play = /** @type {HTMLElement | null} */ (panel.querySelector("[data-test=play]"));
  const found = /** @type {HTMLElement[]} */ (NEXT.flatMap((selector) => [...panel.querySelectorAll(selector)]));
  return play && isUsable(play) ? play : found.find(isUsable);
};

/**
 * Change the page; where that takes away what had the focus, what comes next gets it.
 *
 * @param {HTMLElement} root
 * @param {() => HTMLElement | undefined} next
 * @param {() => void} change
 */
export function keepFocus(root, next, change) {
  const before = document.activeElement;
  const within = before !== null && before !== document.body && root.contains(before);
  change();
  if (within && !isUsable(before)) next()?.focus({ preventScroll: true });
}
