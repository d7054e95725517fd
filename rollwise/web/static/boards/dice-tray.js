/**
 * A row of dice with a keypad: faces are tapped in one after another, dice are tapped to hold them.
 *
 * @import { Acts, Dice, Face, TableModel } from "../../types.js"
 */

import { button, el, setAttribute, setPressed, setText, unseen } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { drawDie, drawFace } from "./die-face.js";

/** @param {Face | null} die */
const isMissing = (die) => die === null;

/** Whether all dice are rolled. @param {Dice} position */
export const isReady = (position) => !position.dice.some(isMissing);

/** Count the dice that are not rolled. @param {Dice} position */
export const countMissing = ({ dice }) => dice.filter(isMissing).length;

/** Whether nothing was rolled since dice were kept. @param {Dice} position */
const hasNoRoll = ({ dice, kept }) => dice.every((die, i) => isMissing(die) || kept[i]);

/** Write a number of dice. @param {number} count */
export const diceWord = (count) => t("n.die", { n: count });

/** Dice before their roll. @param {number} count @returns {{ dice: null[], kept: boolean[] }} */
export const noDice = (count) => ({ dice: Array(count).fill(null), kept: Array(count).fill(false) });

/** The die that the next key sets: the one chosen, or the first that is missing; -1 when none is. @param {Dice} position @param {number | null} target */
const cursorOf = (position, target) => target ?? position.dice.findIndex(isMissing);

/**
 * Set the die that was chosen, or the next one that is missing; where there is only one, set it again.
 *
 * @template {Dice<any>} P
 * @param {P} position
 * @param {number | null} target
 * @param {Face} value
 * @returns {P}
 */
export function enterDie(position, target, value) {
  const cursor = Math.max(0, cursorOf(position, target));
  return { ...position, dice: position.dice.map((die, i) => (i === cursor ? value : die)) };
}

/**
 * Take the last roll off the table; dice that were kept from before it stay.
 *
 * @template {Dice<any>} P
 * @param {P} position
 * @returns {P}
 */
export const clearDice = (position) => ({ ...position, dice: position.dice.map((die, i) => (position.kept[i] ? die : null)) });

/**
 * Build a tray for `count` dice; `faces(i)` lists the different faces of die i. `holds`: whether dice can be held.
 *
 * @param {{ count: number, faces: (i: number) => Face[], holds: boolean, acts: Acts }} options
 */
export function makeTray({ count, faces, holds, acts }) {
  const dice = Array.from({ length: count }, (_, i) => makeDie(i, holds, acts));
  const keypad = makeKeypad(acts, count > 1);
  const row = el("ol", { class: "dice", "aria-label": t("table.dice") }, ...dice.map((die) => die.node));
  row.style.setProperty("--count", String(count));
  const node = el("div", { class: "tray" }, row, keypad.node);

  /** @param {TableModel<any>} model */
  function update(model) {
    const { position, target, mode } = model;
    const mine = mode === "mine" && !model.rivalMoves;
    const cursor = mine ? cursorOf(position, target) : -1;
    dice.forEach((die, i) => die.update(model, cursor === i));
    const next = cursor >= 0 ? cursor : Math.max(0, position.kept.indexOf(false));
    keypad.update({ hidden: !mine, faces: faces(next), label: count > 1 ? t("tray.face-of", { n: next + 1 }) : t("tray.face"), isEmpty: hasNoRoll(position) });
  }
  return { node, update };
}

/** @param {number} i @param {boolean} holds @param {Acts} acts */
function makeDie(i, holds, acts) {
  const picture = drawDie("*");
  const caption = el("span", { class: "caption", hidden: !holds });
  const main = button("", () => acts.tapDie(i), { class: "die", test: `die-${i}` });
  const spoken = unseen();
  main.append(spoken, picture, caption);
  const change = button(t("page.change"), () => acts.target(i), { class: "change quiet", test: `change-${i}` });
  change.setAttribute("aria-label", t("tray.change-die", { n: i + 1 }));
  /** @type {Face | null | undefined} */
  let drawn;

  /** @param {TableModel<any>} model @param {boolean} isCursor */
  function update({ position, held, canHold, mode, target }, isCursor) {
    const value = position.dice[i];
    if (value !== drawn) drawFace(picture, value);
    drawn = value;
    const isHeld = holds && held[i] && value !== null;
    setText(caption, isHeld ? t("tray.hold") : isCursor ? t("tray.next") : "");
    if (holds) setPressed(main, isHeld);
    setText(spoken, value === null ? t("tray.unrolled", { n: i + 1 }) : t("tray.shows", { n: i + 1, face: String(value) }));
    setAttribute(main, "aria-disabled", !canHold && mode !== "mine" ? "true" : null);
    main.classList.toggle("cursor", isCursor);
    change.hidden = mode !== "mine" || position.dice.length === 1;
    change.disabled = value === null;
    setPressed(change, target === i);
  }
  return { node: el("li", {}, main, change), update };
}

/** @param {Acts} acts @param {boolean} clears whether a last key takes the roll off the table */
function makeKeypad(acts, clears) {
  const node = el("div", { class: "keypad", role: "group" });
  const clear = clears ? button(t("sheet.clear"), acts.clear, { class: "key clear", test: "clear", "aria-label": t("sheet.clear-dice") }) : null;
  let shown = "";

  /** @param {Face[]} faces */
  function rebuild(faces) {
    const focused = [...node.children].findIndex((key) => key === document.activeElement);
    const keys = faces.map((face) => button(face, () => acts.enter(face), { class: "key", test: `keypad-${face}` }));
    node.replaceChildren(...keys, ...(clear ? [clear] : []));
    node.style.setProperty("--keys", String(Math.min(faces.length, 6) + (clears ? 1 : 0)));
    if (focused >= 0) keys[Math.min(focused, faces.length - 1)].focus();
  }

  /** @param {{ hidden: boolean, faces: Face[], label: string, isEmpty: boolean }} model */
  function update({ hidden, faces, label, isEmpty }) {
    node.hidden = hidden;
    setAttribute(node, "aria-label", label);
    if (clear) setAttribute(clear, "aria-disabled", isEmpty ? "true" : null);
    if (faces.join() !== shown) rebuild(faces);
    shown = faces.join();
  }
  return { node, update };
}
