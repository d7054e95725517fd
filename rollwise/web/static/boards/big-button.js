/**
 * A large button that plays a move; with advice it says what the move costs.
 *
 * @import { TableModel } from "../../types.js"
 */

import { button, el, setAttribute, setText } from "../app/dom.js";
import { isLoss } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

/**
 * Make one; `play` is called when it is tapped, and `update` is given the move that it stands for (null: none at the moment).
 *
 * @param {string} test
 * @param {() => void} play
 */
export function makeBigButton(test, play) {
  const label = el("span", { class: "name" });
  const cost = el("span", { class: "cost" });
  const node = button("", play, { class: "big", test });
  node.append(label, cost);

  /** @param {TableModel<any>} model @param {string | null} action @param {string} name */
  function update({ moves, best, coach, selected, stale, rivalMoves, write }, action, name) {
    const move = stale || action === null ? undefined : moves?.get(action);
    const shown = coach ? move : undefined;
    setText(label, name);
    setText(cost, shown ? (isLoss(shown.loss) ? t("after.costs", { loss: write.loss(shown.loss) }) : t("moves.best")) : " ");
    node.classList.toggle("best", coach && move !== undefined && best === action);
    setAttribute(node, "aria-pressed", String(move !== undefined && selected === action));
    setAttribute(node, "aria-disabled", move && !rivalMoves ? null : "true");
  }
  return { node, update };
}
