/**
 * The English text of the page. A key begins with the part of the page that it belongs to; parts stand in sections.
 *
 * @type {import("./text.js").Texts}
 */
export default {
  // Several players (party.*)

  // Kept games, history and links (kept.*)

  // After the game (after.*)

  // Puzzles (puzzle.*)

  // Without a connection, installing, printing (offline.*, print.*)

  // Strategy cards (card.*)

};
