/** Where the parts of a table are: on a small screen the moves go in the block under the thumb, else they have their own panel. */

/** Screens on which the dice, the moves and the buttons stay in one block at the bottom; styles/base.css says the same. */
const SMALL = "(max-width: 47.49em), (max-height: 32.5em)";

/**
 * Put the moves where the screen has room for them, now and whenever its shape changes, and give the style sheet how high the block
 * is, so that nothing is hidden behind it.
 *
 * @param {HTMLElement} table
 * @param {{ dock: HTMLElement, moves: HTMLElement, before: HTMLElement, after: HTMLElement }} parts
 */
export function watchLayout(table, { dock, moves, before, after }) {
  const small = matchMedia(SMALL);
  const place = () => (small.matches ? dock.insertBefore(moves, before) : after.after(moves));
  const measure = () => document.documentElement.style.setProperty("--dock", small.matches ? `${dock.offsetHeight}px` : "0px");
  const sizes = new ResizeObserver(measure);
  const change = () => {
    if (!table.isConnected) return;
    place();
    measure();
  };
  place();
  sizes.observe(dock);
  small.addEventListener("change", change);
}
