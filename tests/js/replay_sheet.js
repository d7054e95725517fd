/** Reads games of score sheets (standard input, JSON), plays them as the page does, and writes what is on the sheet after each move. */

import "./page.js";
import { gainParts, partsOf, sheet } from "../../rollwise/web/static/boards/sheet.js";
import { readFileSync } from "node:fs";

/** @param {any} game */
function replay({ board, moves }) {
  let position = sheet.fresh(board);
  return moves.map((/** @type {any} */ { dice, move }) => {
    const rolled = { ...position, dice };
    const preview = gainParts(board, rolled, move);
    const offered = preview.points + preview.bonus + preview.joker;
    position = sheet.play(board, rolled, move, []);
    const text = Object.fromEntries(Object.entries(sheet.write(board, position)).map(([name, value]) => [name, String(value)]));
    const again = sheet.read(board, text);
    return { ...partsOf(board, position), points: position.points, total: position.total, offered, again: again.total, ...{ jokersAgain: again.jokers } };
  });
}

const games = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(games.map(replay)));
