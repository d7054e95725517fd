/**
 * The English text of the page. A key begins with the part of the page that it belongs to; parts stand in sections.
 *
 * @type {import("./text.js").Texts}
 */
export default {
  // Several players (party.*)
  "party.players": "Players",
  "party.players-of": "Players of {title}",
  "party.player": "Player {n}",
  "party.name": "Name of {player}",
  "party.coach": "Coach",
  "party.coach-of": "Coach for {player}",
  "party.coach-help": "The coach ranks the moves of the player whose turn it is. Without it nothing is told until the end: then everybody sees luck and mistakes.",
  "party.anew": "A new game begins. The one on the table stays under Your games.",
  "party.remove": "Remove {player}",
  "party.add": "Add a player",
  "party.begin": "Begin",
  "party.cancel": "Cancel",
  "party.who": "{title}: who plays?",
  "party.advice": "Advice for {name}",
  "party.unadvised": "No advice for {name}. What was best is told at the end.",
  "party.paper": "Score sheet",
  "party.bonus": "Bonus",
  "party.total": "Total",
  "party.place": "Place",
  "party.luck": "Luck",
  "party.mistakes": "Mistakes",
  "party.chance": "To win",
  "party.chance-estimate": "To win, estimate",
  "party.box": "{box} of {name}, gives {points}",
  "party.pencil": "{name}: write {box}",
  "party.points-in": "Points in {box}",
  "party.points-fault": "Expected whole points from 0 to {most}.",
  "party.joker": { one: "and a bonus of {n} point for a joker", other: "and a bonus of {n} points for a joker" },
  "party.write": "Write",
  "party.look": "Look at the game of {name}",
  "party.odds": "Chances to win",
  "party.odds-wait": "Working them out …",
  "party.odds-unknown": "Not known yet: they need a game played for points from its start.",
  "party.odds-estimate": "Estimate: as if everybody played on for their own best result, without regard to the others. A tie is shared.",
  "party.odds-exact": "Exact, if both play to win from here on.",
  "party.exactly": "Work them out exactly",
  "party.wins": "{name} wins with {result}",
  "party.nobody": "Nobody wins",
  "party.tie": "{names} share the win with {result}",
  "party.over": "The game is over",
  "party.and": "{names} and {last}",
  "party.rank": "{place}. {name} {result}",
  "party.below": "Luck and mistakes below: {name}.",
  "party.points": { one: "{n} point", other: "{n} points" },
  "party.rolls": { one: "{n} roll", other: "{n} rolls" },
  "party.won": "a win",
  "party.lost": "no win",

  // Kept games, history and links (kept.*)
  "kept.go-on": "Go on playing",
  "kept.all": { one: "All games and results: {n}", other: "All games and results: {n}" },
  "kept.title": "Your games",
  "kept.lead": "Kept in this browser only. A link takes a game to another one.",
  "kept.none": "No games yet: they are kept here from the first move on.",
  "kept.results": "Results",
  "kept.player": "{name} {result}",
  "kept.total": "{result} so far",
  "kept.progress": "{done} of {of} boxes",
  "kept.delete": "Delete",
  "kept.delete-of": "Delete {title}",
  "kept.put-back": "Put back",
  "kept.put-back-of": "Put back {title}",
  "kept.gone": "{title} is deleted.",
  "kept.is-back": "{title} is back.",
  "kept.evening": "Games of several players",
  "kept.who": "player",
  "kept.games": "games",
  "kept.wins": "won",
  "kept.many": "This game is not kept: {n} are kept already. Delete some under Your games.",
  "kept.full": "This game is not kept: the place for games is full. Delete some under Your games.",
  "kept.never": "This browser keeps no games: a private window, or its store is shut.",
  "kept.unloaded": "Your games could not be loaded: the server does not answer.",
  "kept.missing": "This game is not kept any more.",
  "kept.whole": "With all moves",
  "kept.whole-copied": "Link to the whole game copied: {n} characters.",
  "kept.whole-copy": "Copy the link to the whole game from the field: {n} characters.",
  "kept.whole-long": "The whole game makes a link of {n} characters, and {most} are passed on unharmed: the position alone fits.",
  "kept.whole-set": "The moves before this position are not known here: the link holds the position alone.",
  "kept.damaged": "The game in the link is damaged: copy the whole link again.",

  // After the game (after.*)

  // Puzzles (puzzle.*)

  // Without a connection, installing, printing (offline.*, print.*)

  // Strategy cards (card.*)

};
