/**
 * Groups: keep or reroll one die after another until the groups have the sizes of the goal.
 *
 * @import { Acts, GroupsBoard as Board, GroupsPosition as Position, Kind, Part, TableModel } from "../../types.js"
 */

import { LinkError, readNumber } from "../app/address.js";
import { button, el, setPressed, setText } from "../app/dom.js";
import { plural } from "../texts/numbers.js";
import { t } from "../texts/texts.js";

const MOST_PIPS = 24;

/** @typedef {Kind<Board, Position>} Groups */
/** @typedef {TableModel<Position>} Model */

/** @type {() => Position} */
const fresh = () => ({ held: [], hit: null, rolls: 0 });
/** @param {Position} position */
const isReady = ({ hit }) => hit !== null;
/** @param {Position} position */
const rollsSoFar = (position) => position.rolls + (isReady(position) ? 1 : 0);
/** @param {number[]} sizes */
const descending = (sizes) => [...sizes].sort((a, b) => b - a);
/** @type {(board: Board, held: number[]) => boolean} */
const fits = (board, held) => held.length <= board.goal.length && held.every((size, i) => size <= board.goal[i]);
/** @type {(held: number[], at: number) => number[]} */
const grown = (held, at) => held.map((size, i) => (i === at ? size + 1 : size));
/** @param {Position} position */
const withDie = ({ held, hit }) => (hit ? grown(held, held.indexOf(hit)) : [...held, 1]);
/** @type {(board: Board, position: Position) => string} */
const text = (board, { held, hit }) => `${held.join(",") || "-"}${hit === null ? "" : ` ${hit}`}`;

/** @type {Groups["read"]} */
function read(board, { state = "-", rolls = "0" }) {
  const [first = "-", second, ...rest] = state.trim().split(/\s+/);
  const held = descending(first === "-" ? [] : first.split(",").map((size) => readNumber(size, "group", { lowest: 1 })));
  const hit = second === undefined ? null : readNumber(second, "die");
  if (rest.length || !fits(board, held) || (hit && !held.includes(hit)) || (hit === 0 && held.length === board.faces)) {
    throw new LinkError(t("groups.no-position", { state, sizes: board.goal.join(",") }));
  }
  return { held, hit, rolls: readNumber(rolls, "rolls") };
}

/** @type {Groups["play"]} */
function play(board, position, move) {
  return { held: move.action === "keep" ? withDie(position) : position.held, hit: null, rolls: position.rolls + 1 };
}

/** Roll the die: each held group is one of the faces; the others are new. @type {Groups["roll"]} */
function roll(board, position, draw) {
  return { ...position, hit: position.held[draw(board.faces)] ?? 0 };
}

/**
 * Make group i one larger or smaller by hand; null where the goal does not allow it.
 *
 * @type {(board: Board, position: Position, i: number, step: number) => Position | null}
 */
function resize(board, position, i, step) {
  const held = [...position.held];
  held[i] = (held[i] ?? 0) + step;
  const next = descending(held.filter((size) => size > 0));
  const gap = i > position.held.length;
  if (gap || (held[i] ?? 0) < 0 || !fits(board, next)) return null;
  return { ...position, held: next, hit: null };
}

/** @type {Groups["score"]} */
function score(board, position) {
  return { head: plural(rollsSoFar(position), "roll"), text: t("groups.over", { sizes: board.goal.join(", ") }) };
}

/** @type {Groups["makeView"]} */
function makeView(board, acts) {
  const die = makeDie(board, acts);
  const count = el("p", { class: "need", test: "rolls" });
  const rows = board.goal.map((size, i) => makeRow(board, i, acts));
  return {
    title: t("groups.title"),
    play: [die.node, count],
    board: [el("ol", { class: "groups" }, ...rows.map((row) => row.node))],
    update(model) {
      setText(count, t("rolls.so-far", { rolls: plural(rollsSoFar(model.position), "roll") }));
      [die, ...rows].forEach((part) => part.update(model));
    },
  };
}

/** @param {number | null} hit */
const hitName = (hit) => (hit === 0 ? t("groups.new") : t("groups.joins", { n: String(hit) }));

/** @type {(board: Board, acts: Acts<Position>) => Part<Position>} */
function makeDie(board, acts) {
  const shown = el("p", { class: "hit", test: "hit" });
  const pad = el("div", { class: "keypad wide", role: "group", "aria-label": t("groups.shows") });
  const keep = button(t("groups.keep"), () => acts.playAction("keep"), { class: "big", test: "groups-keep" });
  const reroll = button(t("groups.reroll"), () => acts.playAction("reroll"), { class: "big", test: "groups-reroll" });
  const node = el("div", { class: "tray" }, shown, el("div", { class: "pair" }, keep, reroll), pad);
  let sizes = "";

  /** @param {Position} position */
  function rebuild(position) {
    const hits = [...new Set(position.held)];
    if (position.held.length < board.faces) hits.unshift(0);
    const key = (/** @type {number} */ hit) => button(hitName(hit), () => acts.enter(hit), { class: "key", test: `hit-${hit}` });
    pad.replaceChildren(...hits.map(key));
  }

  /** @param {Model} model */
  function update({ position, mode, moves, selected, coach, best }) {
    setText(shown, isReady(position) ? t("groups.die", { hit: hitName(position.hit) }) : t("groups.unrolled"));
    if (sizes !== position.held.join()) rebuild(position);
    sizes = position.held.join();
    if (!pad.children.length) rebuild(position);
    pad.hidden = mode !== "mine";
    for (const { choice, action } of [{ choice: keep, action: "keep" }, { choice: reroll, action: "reroll" }]) {
      choice.disabled = !moves?.has(action);
      choice.classList.toggle("best", coach && best === action);
      setPressed(choice, selected === action);
    }
  }
  return { node, update };
}

/** @type {(board: Board, i: number, acts: Acts<Position>) => Part<Position>} */
function makeRow(board, i, acts) {
  const goal = board.goal[i];
  const pips = el("span", { class: "pips", "aria-hidden": "true" });
  const label = el("span", { class: "count" });
  const change = (/** @type {number} */ step) => () => acts.edit((position) => resize(board, position, i, step));
  const less = button("−", change(-1), { class: "step", "aria-label": t("groups.smaller", { n: i + 1 }) });
  const more = button("+", change(1), { class: "step", "aria-label": t("groups.larger", { n: i + 1 }) });
  const node = el("li", {}, pips, label, less, more);
  const bar = el("span", { class: "fill" });
  const isLong = goal > MOST_PIPS;
  pips.classList.toggle("track", isLong);
  pips.append(...(isLong ? [bar] : Array.from({ length: goal }, () => el("span", { class: "pip" }))));

  /** @param {Model} model */
  function update({ position, edit }) {
    const held = position.held[i] ?? 0;
    const joins = isReady(position) && (position.hit ? position.held.indexOf(position.hit) : position.held.length) === i;
    bar.style.width = `${(100 * held) / goal}%`;
    [...pips.children].forEach((pip, k) => {
      pip.classList.toggle("on", k < held);
      pip.classList.toggle("next", joins && k === held);
    });
    node.classList.toggle("joins", joins);
    setText(label, t(joins ? "groups.would-join" : "groups.of", { n: String(held), most: String(goal) }));
    less.hidden = more.hidden = !edit;
    less.disabled = !resize(board, position, i, -1);
    more.disabled = !resize(board, position, i, 1);
  }
  return { node, update };
}

/** @type {Kind<Board, Position>} */
export const groups = {
  fresh, read, text, play, roll, score, makeView,
  write: (board, position) => ({ state: text(board, position), rolls: position.rolls }),
  recall: (board, line, before) => ({ ...read(board, { state: line.text }), rolls: before ? before.position.rolls + 1 : 0 }),
  ready: isReady,
  over: () => false,
  canHold: () => false,
  hold: () => [],
  action: () => null,
  enter: (position, target, hit) => ({ ...position, hit: Number(hit) }),
  clear: (position) => ({ ...position, hit: null }),
  rollsOn: () => true,
  banked: () => 0,
  moveName: (action) => (action === "keep" || action === "reroll" ? t(`groups.move.${action}`) : action),
  prompt: (board, position, mode) => (mode === "roll" ? t("tray.roll") : t("groups.tap")),
  canSetUp: true,
  brief: (state) => state.replace(/^(\S+) (\d+)$/, (_, held, hit) => `${held}; ${hitName(Number(hit))}`),
  listed: () => 2,
  ask: t("groups.ask"),
};
