/**
 * What may be rolled, to pick from: a button for each of a few rolls; dice are tapped in face by face; of many others, those that fit the
 * words that are typed.
 *
 * @import { Acts, AnyPosition, Part, RollInfo, Rolls, TableModel } from "../../types.js"
 */

import { button, el, setText } from "../app/dom.js";
import { percent } from "../texts/numbers.js";
import { t } from "../texts/texts.js";
import { makeDie } from "./generic-parts.js";
import { complete, facesOf, fitting } from "./generic.js";

const FEW = 21;
/** So many numbers stand in a row, in their order. */
const IN_A_ROW = 6;
const LISTED = 60;

/**
 * Make the list; `key` is called with a number that is typed anywhere on the page.
 *
 * @type {(acts: Acts) => Part<AnyPosition> & { key: (digit: number) => void }}
 */
export function makeRolls(acts) {
  const input = el("input", { type: "search", autocomplete: "off", spellcheck: "false", test: "find-roll", on: { input: narrow, keydown: first } });
  const field = el("label", { class: "field" }, el("span", { text: t("any.find") }), input);
  const keypad = el("div", { class: "keypad", role: "group", "aria-label": t("any.faces") });
  const list = el("div", { class: "any-rolls", role: "group", "aria-label": t("any.may") });
  const count = el("p", { class: "hint", role: "status" });
  const node = el("div", { class: "any-picker", test: "picker" }, keypad, field, list, count);
  /** @type {Rolls | null} */
  let shown = null;
  /** Whether it is not known yet what may be rolled; what is typed meanwhile is kept. */
  let waits = false;
  let early = "";

  /** @param {RollInfo} roll */
  const take = (roll) => acts.enter(/** @type {any} */ (roll));

  /** @param {KeyboardEvent} event */
  function first(event) {
    const [found] = shown ? fitting(shown.rolls, input.value) : [];
    if (event.key !== "Enter" || !found) return;
    event.preventDefault();
    take(found);
  }

  /** @param {string} text */
  function type(text) {
    input.value = text;
    narrow();
  }

  /** Show what fits what is typed; all dice of a roll are the roll. */
  function narrow() {
    if (!shown) return;
    const whole = complete(shown.rolls, input.value);
    if (whole) {
      take(whole);
      return;
    }
    list.hidden = !input.value && !keypad.hidden && shown.rolls.length <= FEW;
    const found = inOrder(fitting(shown.rolls, input.value));
    list.replaceChildren(...found.slice(0, LISTED).map((roll, i) => makeRoll(roll, i, take)));
    setText(count, countText(shown, found.length));
  }

  /** @param {Rolls} next */
  function rebuild(next) {
    shown = next;
    const many = next.rolls.length > FEW;
    const faces = next.rolls.length > IN_A_ROW ? facesOf(next.rolls) : [];
    field.hidden = !many;
    keypad.hidden = !faces.length;
    list.classList.toggle("one-row", areNumbers(next.rolls));
    list.style.setProperty("--rolls", String(next.rolls.length));
    list.classList.toggle("wide", next.rolls.some((roll) => roll.dice.length > 3 || roll.label.length > 16));
    keypad.style.setProperty("--keys", String(Math.min(faces.length + 1, 7)));
    const back = button("⌫", () => type(input.value.slice(0, -1)), { class: "key", "aria-label": t("any.back"), test: "face-back" });
    keypad.replaceChildren(...faces.map((face) => button(face, () => type(input.value + face), { class: "key", test: `face-${face}` })), back);
    type("");
    const typed = early;
    early = "";
    [...typed].forEach((digit) => key(Number(digit)));
  }

  /** @param {TableModel<AnyPosition>} model */
  function update({ rolls, mode, ready, over }) {
    node.hidden = over || ready || mode !== "mine" || !rolls;
    waits = !over && !ready && mode === "mine" && !rolls;
    if (!waits && !rolls) early = "";
    if (rolls && rolls !== shown) rebuild(rolls);
    if (!rolls) shown = null;
  }

  /** @param {number} digit */
  function key(digit) {
    if (waits) early += digit;
    if (node.hidden || !shown) return;
    const one = shown.rolls.find(({ dice, label }) => dice.length < 2 && (dice[0] ?? label) === String(digit));
    if (one) take(one);
    else if (facesOf(shown.rolls).includes(String(digit))) type(input.value + digit);
  }
  return { node, update, key };
}

/** Whether rolls are few, and nothing but numbers. @param {RollInfo[]} rolls */
const areNumbers = (rolls) => rolls.length <= IN_A_ROW && rolls.every(({ dice, label }) => !dice.length && /^\d+$/.test(label));

/** A few numbers in their order; all else likeliest first, as it came. @param {RollInfo[]} rolls */
const inOrder = (rolls) => (areNumbers(rolls) ? rolls.toSorted((one, other) => Number(one.label) - Number(other.label)) : rolls);

/** @param {Rolls} rolls @param {number} found */
function countText({ rolls, rest }, found) {
  if (rolls.length <= FEW && !rest) return "";
  const left = rest ? t("any.unlisted", { chance: percent(rest) }) : "";
  return `${t("any.found", { n: found, of: rolls.length })}${found > LISTED ? t("any.likeliest", { n: LISTED }) : ""}${left}`;
}

/** @param {RollInfo} roll @param {number} i @param {(roll: RollInfo) => void} take */
function makeRoll(roll, i, take) {
  const node = button("", () => take(roll), { class: "any-roll", test: `roll-${i}` });
  const plain = roll.dice.join(" ") === roll.label;
  node.append(
    ...(roll.dice.length ? [spoken(roll), el("span", { class: "dice-row", "aria-hidden": "true" }, ...roll.dice.map(makeDie))] : []),
    ...(plain ? [] : [el("span", { class: "name", text: roll.dice.length ? besideDice(roll) : roll.label })]),
    el("span", { class: "chance", text: percent(roll.chance, 1) }),
  );
  return node;
}

/** @param {RollInfo} roll */
const spoken = ({ dice }) => el("span", { class: "unseen", text: `${dice.join(" ")} ` });

/** The name of a roll beside its dice. @param {RollInfo} roll */
function besideDice({ label, dice }) {
  const shown = dice.join(" ");
  return label.startsWith(shown) && ":,".includes(label.charAt(shown.length) || " ") ? label.slice(shown.length + 1).trimStart() : label;
}
