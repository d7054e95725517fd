/** A row of dice with a keypad: faces are tapped in one after another, dice are tapped to hold them. */

import { button, el, setAttribute, setPressed, setText, svg, unseen } from "./dom.js";

const PIPS = {
  1: ["50,50"],
  2: ["26,26", "74,74"],
  3: ["26,26", "50,50", "74,74"],
  4: ["26,26", "74,26", "26,74", "74,74"],
  5: ["26,26", "74,26", "50,50", "26,74", "74,74"],
  6: ["26,24", "74,24", "26,50", "74,50", "26,76", "74,76"],
};

const isMissing = (die) => die === null;
export const isReady = (position) => !position.dice.some(isMissing);
export const countMissing = ({ dice }) => dice.filter(isMissing).length;
export const diceWord = (count) => (count === 1 ? "1 die" : `${count} dice`);
export const noDice = (count) => ({ dice: Array(count).fill(null), kept: Array(count).fill(false) });

/** The die that the next key sets: the one chosen, or the first that is missing; -1 when none is. */
const cursorOf = (position, target) => target ?? position.dice.findIndex(isMissing);

/** Set a die. When none is missing or chosen, the key starts the last roll over; dice kept from before it stay. */
export function enterDie(position, target, value) {
  let cursor = cursorOf(position, target);
  const dice = cursor < 0 ? position.dice.map((die, i) => (position.kept[i] ? die : null)) : [...position.dice];
  if (cursor < 0) cursor = dice.findIndex(isMissing);
  dice[cursor] = value;
  return { ...position, dice };
}

export const clearDice = (position) => ({ ...position, ...noDice(position.dice.length) });

/** Draw a face in a svg: pips up to six, otherwise the symbol itself. */
function drawFace(picture, value) {
  const marks = typeof value === "number" && PIPS[value]
    ? PIPS[value].map((at) => svg("circle", { cx: at.split(",")[0], cy: at.split(",")[1], r: 10 }))
    : [svg("text", { x: 50, y: 52, text: value ?? "" })];
  const body = svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 20 });
  setAttribute(picture, "class", value === null ? "face missing" : "face");
  picture.replaceChildren(body, ...marks);
}

const makeFace = () => svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });

/** Build a tray for `count` dice; `faces(i)` lists the different faces of die i. `holds`: whether dice can be held. */
export function makeTray({ count, faces, holds, acts }) {
  const dice = Array.from({ length: count }, (_, i) => makeDie(i, holds, acts));
  const keypad = makeKeypad(acts);
  const row = el("ol", { class: "dice", "aria-label": "Dice" }, ...dice.map((die) => die.node));
  row.style.setProperty("--count", count);
  const node = el("div", { class: "tray" }, row, keypad.node);

  function update(model) {
    const { position, target, mode } = model;
    const mine = mode === "mine";
    const cursor = mine ? cursorOf(position, target) : -1;
    dice.forEach((die, i) => die.update(model, cursor === i));
    const next = cursor >= 0 ? cursor : Math.max(0, position.kept.indexOf(false));
    keypad.update({ hidden: !mine, faces: faces(next), label: count > 1 ? `Face of die ${next + 1}` : "Face of the die" });
  }
  return { node, update };
}

function makeDie(i, holds, acts) {
  const picture = makeFace();
  const caption = el("span", { class: "caption", hidden: !holds });
  const main = button("", () => acts.tapDie(i), { class: "die", test: `die-${i}` });
  const spoken = unseen();
  main.append(spoken, picture, caption);
  const change = button("change", () => acts.target(i), { class: "change quiet", test: `change-${i}` });
  change.setAttribute("aria-label", `change die ${i + 1}`);
  let drawn;

  function update({ position, held, canHold, mode, target }, isCursor) {
    const value = position.dice[i];
    if (value !== drawn) drawFace(picture, value);
    drawn = value;
    const isHeld = holds && held[i] && value !== null;
    setText(caption, isHeld ? "hold" : isCursor ? "next" : "");
    if (holds) setPressed(main, isHeld);
    const face = value === null ? "is not rolled" : `shows ${value}`;
    setText(spoken, `die ${i + 1} ${face} `);
    setAttribute(main, "aria-disabled", !canHold && mode !== "mine" ? "true" : null);
    main.classList.toggle("cursor", isCursor);
    change.hidden = mode !== "mine" || position.dice.length === 1;
    change.disabled = value === null;
    setPressed(change, target === i);
  }
  return { node: el("li", {}, main, change), update };
}

function makeKeypad(acts) {
  const node = el("div", { class: "keypad", role: "group" });
  let shown = "";

  function rebuild(faces) {
    const focused = [...node.children].indexOf(document.activeElement);
    const key = (face) => button(face, () => acts.enter(face), { class: "key", test: `keypad-${face}` });
    node.replaceChildren(...faces.map(key));
    node.style.setProperty("--keys", Math.min(faces.length, 6));
    if (focused >= 0) node.children[Math.min(focused, faces.length - 1)].focus();
  }

  function update({ hidden, faces, label }) {
    node.hidden = hidden;
    setAttribute(node, "aria-label", label);
    if (faces.join() !== shown) rebuild(faces);
    shown = faces.join();
  }
  return { node, update };
}
