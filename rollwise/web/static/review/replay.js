/**
 * The positions of a recorded game, one for each roll.
 *
 * @import { Kind, Line } from "../../types.js"
 */

/**
 * Give the position of every roll of a record, as it lay on the table.
 *
 * @param {Kind<any, any>} kind
 * @param {any} board
 * @param {Line[]} lines
 * @param {number} [me] which player looks at it, where there are two
 */
export function replay(kind, board, lines, me = 0) {
  /** @type {any[]} */
  const positions = [];
  /** @type {{ position: any, action: string } | null} */
  let before = null;
  for (const line of lines) {
    if (line.kind === "roll") positions.push({ ...(kind.recall ? kind.recall(board, line, before) : kind.read(board, { state: line.text })), me });
    else before = { position: positions.at(-1), action: line.text };
  }
  return positions;
}
