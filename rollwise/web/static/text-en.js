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
  "offline.away": "No connection. Answers come from this device.",
  "offline.away.kept": "Kept here:",
  "offline.away.nothing": "No connection. No game is kept on this device: once there is one, open a game and choose Keep offline.",
  "offline.full": "There is no room for the {size} of this game: keep fewer games offline, or free some space",
  "offline.keep": "Keep offline",
  "offline.keep.hint": "Keep this game on this device, so that it can be played without a connection",
  "offline.keeping": "Keeping…",
  "offline.kept": "Kept offline, {size}",
  "offline.kept.hint": "This game can be played without a connection. Choose to keep it no more",
  "offline.kilobytes": "{n} kB",
  "offline.look": "Try the server",
  "offline.lost": "The browser has thrown the kept game away: keep it again once there is a connection",
  "offline.megabytes": "{size} MB",
  "offline.site.left": "Not on this site",
  "offline.site.none": "This is not on this site, which answers from tables of solved games only. rollwise serve on a computer solves it.",
  "offline.site.open": "On this site",
  "offline.site.text": "Everything is worked out in this page, from tables of solved games. A table is loaded once, and kept for when there is no connection.",
  "print.sheet": "Print",

  // Strategy cards (card.*)

};
