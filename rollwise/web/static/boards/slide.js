/** Pieces that slide to where they lie now. */

/** Let a piece come from another place; not for those who want no motion. @param {Element | null | undefined} piece @param {Element | null | undefined} from */
export function slide(piece, from) {
  if (!piece || !from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [now, then] = [piece.getBoundingClientRect(), from.getBoundingClientRect()];
  if (!now.width || !then.width) return;
  const [x, y] = [then.x + then.width / 2 - now.x - now.width / 2, then.y + then.height / 2 - now.y - now.height / 2];
  piece.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: 320, easing: "ease-in-out" });
}
