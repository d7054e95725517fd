/**
 * The words that dice may spell, those with the most letters on the table first; a tap on a word holds the dice for it.
 *
 * @import { Acts, Part, WordsBoard, WordsPosition } from "../../types.js"
 */

import { button, el, setAttribute, unseen } from "../app/dom.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

const SHOWN = 60;

/**
 * Give each letter of a word a die, as many as possible that show it already: the places of those dice; null where the dice cannot
 * spell it.
 *
 * @type {(word: string, dice: string[], shown: (string | null)[]) => number[] | null}
 */
export function diceFor(word, dice, shown) {
  /** @type {Map<string, number[] | null>} */
  const known = new Map();

  /** @type {(i: number, left: string) => number[] | null} */
  function best(i, left) {
    if (i === dice.length) return left ? null : [];
    const key = `${i} ${left}`;
    if (!known.has(key)) known.set(key, search(i, left));
    return known.get(key) ?? null;
  }

  /** @type {(i: number, left: string) => number[] | null} */
  function search(i, left) {
    const letters = [...new Set(left)].filter((letter) => dice[i].includes(letter));
    const ways = letters.map((letter) => ({ held: letter === shown[i], rest: best(i + 1, left.replace(letter, "")) }));
    const found = ways.flatMap(({ held, rest }) => (rest ? [held ? [i, ...rest] : rest] : []));
    return found.sort((a, b) => b.length - a.length)[0] ?? null;
  }
  return best(0, [...word].sort().join(""));
}

/** Make the list. @type {(board: WordsBoard, acts: Acts<WordsPosition>) => Part<WordsPosition>} */
export function makeWords(board, acts) {
  const title = el("h3", { text: t("words.list", { words: plural(board.word_count, "word") }) });
  const list = el("ul", { class: "word-list" });
  const more = board.word_count - Math.min(SHOWN, board.words.length);
  const rest = el("p", { class: "hint", text: more > 0 ? t("words.more", { n: String(more) }) : "" });
  const node = el("div", {}, title, list, rest);
  /** @type {(word: string) => void} */
  let take = () => {};
  const words = board.words.slice(0, SHOWN).map((word) => makeWord(word, () => take(word)));
  let drawn = "";

  /** @type {Part<WordsPosition>["update"]} */
  function update({ position, held, canHold }) {
    const shown = position.dice.map((die) => die ?? "*");
    const ways = new Map(words.map(({ word }) => [word, diceFor(word, board.dice, shown)]));
    const near = (/** @type {string} */ word) => ways.get(word)?.length ?? -1;
    const order = [...words].sort((a, b) => near(b.word) - near(a.word) || words.indexOf(a) - words.indexOf(b));
    if (shown.join() !== drawn) list.replaceChildren(...order.map((word) => word.node));
    drawn = shown.join();
    take = (word) => ways.get(word)?.length && shown.forEach((_, i) => canHold && held[i] !== ways.get(word)?.includes(i) && acts.tapDie(i));
    words.forEach((one) => one.update(ways.get(one.word) ?? null, shown, canHold && near(one.word) > 0));
  }
  return { node, update };
}

/** @param {string} word @param {() => void} take */
function makeWord(word, take) {
  const letters = [...word].map((letter) => el("span", { text: letter }));
  const note = unseen();
  const main = button("", take, { class: "word-tile", test: `word-${word}` });
  main.append(...letters, note);
  return {
    word, node: el("li", {}, main),
    /** @param {number[] | null} places @param {string[]} shown @param {boolean} open */
    update(places, shown, open) {
      const left = (places ?? []).map((i) => shown[i]);
      for (const letter of letters) {
        const at = left.indexOf(letter.textContent ?? "");
        letter.classList.toggle("on", at >= 0);
        if (at >= 0) left.splice(at, 1);
      }
      note.textContent = ` ${places ? t("letters.there", { n: places.length, of: word.length }) : t("letters.never")}`;
      setAttribute(main, "aria-disabled", open ? null : "true");
    },
  };
}
