/**
 * Dice that are tapped to set them aside, in games of the kind "any" whose moves name them: `keep 155`. What of such a kind differs
 * from `any` (generic.js), and the rows of dice.
 *
 * @import { AnyPosition, BoardPart, Face, Kind } from "../../types.js"
 */

import { button, el, setAttribute, setPressed, setText, unseen } from "../app/dom.js";
import { t } from "../texts/texts.js";
import { drawDie } from "./die-face.js";
import { any, partsOf } from "./generic.js";

const KEEP = /^keep (\d+)$/;

/** The faces of the dice that a move sets aside; "" where it sets none aside. @param {string | null} action */
export const facesOf = (action) => KEEP.exec(action ?? "")?.[1] ?? "";

/** Give a position the dice that were rolled. @param {AnyPosition} position @returns {AnyPosition} */
function withDice(position) {
  const part = /** @type {Extract<BoardPart, { kind: "dice" }> | undefined} */ (partsOf(position.shown).find(({ kind }) => kind === "dice"));
  return { ...position, dice: part?.faces.map(Number) };
}

/** @type {Kind<any, AnyPosition>["play"]} */
function play(board, position, move, held) {
  const dice = facesOf(move.action);
  return { ...any.play(board, position, move, held), aside: dice ? [...(position.aside ?? []), dice] : [] };
}

/** Which dice show the faces that a move names, the first ones first. @type {Kind<any, AnyPosition>["hold"]} */
function hold(board, { dice = [] }, action) {
  const left = [...facesOf(action)];
  return dice.map((die) => {
    const at = left.indexOf(String(die));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** @type {(aside: string | undefined) => string[]} */
const readAside = (aside) => (aside && /^\d+(,\d+)*$/.test(aside) ? aside.split(",") : []);

/** @type {Partial<Kind<any, AnyPosition>>} */
export const setsAside = {
  play, hold,
  read: (board, fields) => ({ ...any.read(board, fields), aside: readAside(fields.aside) }),
  write: (board, position) => ({ ...any.write(board, position), ...(position.aside?.length ? { aside: position.aside.join(",") } : {}) }),
  recall: (board, line, before) => ({ ...any.read(board, { state: line.text }), ...(before ? asideAfter(before.position, before.action) : {}) }),
  enter: (position, target, roll) => withDice(any.enter(position, target, roll)),
  roll: (board, position, draw, drawn) => withDice(any.roll(board, position, draw, drawn)),
  withShown: (position, shown) => withDice({ ...position, shown: { ...shown } }),
  canHold: ({ dice }) => Boolean(dice?.length),
  action: (board, { dice = [] }, held) => `keep ${dice.filter((_, i) => held[i]).join("")}`,
  diceIn: (action) => (facesOf(action) ? { text: facesOf(action), faces: [...facesOf(action)].map(Number) } : null),
  lists: () => false,
};

/** @param {AnyPosition} position @param {string} action */
const asideAfter = ({ aside = [] }, action) => ({ aside: facesOf(action) ? [...aside, facesOf(action)] : [] });

/**
 * Make a row of dice to tap; `tap` gets the place of one.
 *
 * @param {(i: number) => void} tap
 */
export function makeDice(tap) {
  const node = el("ol", { class: "dice set-dice", "aria-label": t("table.dice") });
  let drawn = "";
  /** @type {ReturnType<typeof makeDie>[]} */
  let dice = [];

  /** @param {Face[]} faces */
  function rebuild(faces) {
    dice = faces.map((face, i) => makeDie(face, i, tap));
    node.replaceChildren(...dice.map((die) => die.node));
  }

  /** Show dice, which of them are held, and which can be tapped. @param {Face[]} faces @param {boolean[]} held @param {(i: number) => boolean} can */
  function update(faces, held, can) {
    if (faces.join() !== drawn) rebuild(faces);
    drawn = faces.join();
    dice.forEach((die, i) => die.update(Boolean(held[i]), can(i)));
  }
  return { node, update };
}

/** @param {Face} face @param {number} i @param {(i: number) => void} tap */
function makeDie(face, i, tap) {
  const caption = el("span", { class: "caption" });
  const spoken = unseen();
  setText(spoken, t("tray.shows", { n: i + 1, face: String(face) }));
  const main = button("", () => tap(i), { class: "die", test: `die-${i}` });
  main.append(spoken, drawDie(face), caption);
  return {
    node: el("li", {}, main),
    /** @param {boolean} held @param {boolean} can */
    update(held, can) {
      setPressed(main, held);
      setAttribute(main, "aria-disabled", can ? null : "true");
      setText(caption, held ? t("aside.mark") : "");
    },
  };
}

/** Draw dice that lie aside, and places for more. @param {string} faces @param {number} [places] */
export function drawAside(faces, places = faces.length) {
  const empty = Array.from({ length: Math.max(0, places - faces.length) }, () => drawDie("*"));
  const label = faces ? t("aside.lie", { dice: [...faces].join(" ") }) : t("aside.none");
  return el("span", { class: "aside-dice", role: "img", "aria-label": label }, ...[...faces].map((face) => drawDie(Number(face) || face)), ...empty);
}
