/**
 * What the server says, in German: names of boxes, moves, and sentences by what they are made of.
 */

/** @type {Record<string, string>} */
export const boxes = {
  ones: "Einser", twos: "Zweier", threes: "Dreier", fours: "Vierer", fives: "Fünfer", sixes: "Sechser",
  pair: "Paar", "two-pairs": "Zwei Paare", "three-pairs": "Drei Paare", "three-of-a-kind": "Dreierpasch", "four-of-a-kind": "Viererpasch",
  "five-of-a-kind": "Fünferpasch", "full-house": "Full House", "small-straight": "Kleine Straße", "large-straight": "Große Straße",
  straight: "Straße", "full-straight": "Volle Straße", chance: "Chance", kniffel: "Kniffel", yahtzee: "Kniffel", yatzy: "Yatzy",
  "maxi-yatzy": "Maxi Yatzy", castle: "Burg", tower: "Turm", villa: "Villa", house: "Haus", hut: "Hütte", yacht: "Yacht",
};

/**
 * Name a move of a sheet: a box, or the dice that stay.
 *
 * @param {string} action
 */
export const move = (action) => boxes[action] ?? action.replace(/^keep /, "halte ");

/** Sentences, and what they become; `$1` is what stands in the first brackets. @type {[RegExp, string][]} */
const SENTENCES = [
  [/\bkeeps (\S+)/g, "hält $1"],
  [/\brolls all dice again\b/g, "würfelt alle noch einmal"],
];

/**
 * Say a sentence.
 *
 * @param {string} text
 */
export const say = (text) => SENTENCES.reduce((now, [found, german]) => now.replace(found, german), text);
