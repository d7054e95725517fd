/** What a score sheet looks like. */

import { button, el, numberField, segmented, setAttribute, setText, unseen } from "./dom.js";
import { setBox, setUpper } from "./sheet.js";
import { makeTray } from "./tray.js";

const MOST_BUTTONS = 5;
const HINT = "Tap a box to fill or open it. The points in it are optional; they set the totals.";

export function makeView(board, acts) {
  const faces = Array.from({ length: board.faces }, (_, i) => i + 1);
  const tray = makeTray({ count: board.dice, faces: () => faces, holds: true, acts });
  const left = makeLeft(board, acts);
  const boxes = board.boxes.map((box) => makeBox(board, box, acts));
  const sums = makeSums(board, acts);
  const upper = board.boxes.filter((box) => box.face !== null).length;
  const lists = [boxes.slice(0, upper), boxes.slice(upper)].filter((part) => part.length);
  const sheet = el("div", { class: "sheet" }, ...lists.map((part) => el("ul", {}, ...part.map((box) => box.node))));
  const parts = [tray, left, ...boxes, sums];
  return {
    title: "Sheet",
    play: [tray.node, left.node],
    board: [sheet, sums.node],
    update: (model) => parts.forEach((part) => part.update(model)),
  };
}

function makeLeft(board, acts) {
  const set = (left) => acts.edit((position) => ({ ...position, left }));
  const counts = Array.from({ length: board.rerolls + 1 }, (_, i) => i);
  const few = board.rerolls < MOST_BUTTONS;
  const control = few ? segmented("Rerolls left", counts.map((n) => [n, n, `left-${n}`]), set) : makeCount(counts, set);
  const clear = button("Clear", acts.clear, { class: "quiet", test: "clear", "aria-label": "Clear the dice" });
  const label = el("span", { class: "label", "aria-hidden": "true", text: "Rerolls" });
  const node = el("div", { class: "row" }, label, control.node, clear);
  return {
    node,
    update({ position, mode, edit }) {
      control.set(position.left);
      for (const child of control.node.children) child.disabled = mode === "roll" && !edit;
      clear.hidden = mode !== "mine";
    },
  };
}

function makeCount(counts, pick) {
  const options = counts.map((n) => el("option", { value: n, text: n }));
  const change = () => pick(Number(node.value));
  const node = el("select", { "aria-label": "Rerolls left", test: "left", on: { change } }, ...options);
  return { node, set: (value) => { node.value = value; } };
}

function makeBox(board, box, acts) {
  const value = el("span", { class: "value" });
  const main = button("", () => tap(), { class: "box", test: `box-${box.name}` });
  const note = unseen();
  main.append(el("span", { text: box.name }), value, note);
  const put = (points) => acts.edit((position) => setBox(board, position, box.name, points));
  const field = numberField(put, { class: "points", placeholder: "pts", test: `points-${box.name}` });
  field.setAttribute("aria-label", `points in ${box.name}`);
  let model;

  const isOpen = () => model.position.open.includes(box.name);
  function tap() {
    if (model.edit) put(isOpen() ? null : undefined);
    else if (model.moves?.has(box.name)) acts.choose(box.name);
  }

  function describe(gain, points) {
    if (isOpen()) return gain === undefined ? ", open" : " points, open";
    return points === null ? ", filled" : " points, filled";
  }

  function update(next) {
    model = next;
    const gain = model.moves?.get(box.name)?.gain;
    const points = model.position.points[box.name];
    setText(value, String(isOpen() ? gain ?? "" : points ?? "✓"));
    value.hidden = model.edit && !isOpen();
    setText(note, describe(gain, points));
    setAttribute(main, "aria-pressed", String(model.edit ? !isOpen() : model.selected === box.name));
    main.disabled = !model.edit && gain === undefined;
    main.classList.toggle("filled", !isOpen());
    main.classList.toggle("best", model.coach && model.best === box.name);
    field.hidden = !model.edit || isOpen();
    if (document.activeElement !== field) field.value = points ?? "";
  }
  return { node: el("li", {}, main, field), update };
}

function makeSums(board, acts) {
  const { bonus, joker } = board;
  const fields = [makeSum("Total so far", "total", acts, (position, total) => ({ ...position, total }))];
  if (bonus) {
    const label = `Upper total (${bonus.points} more at ${bonus.threshold})`;
    fields.push(makeSum(label, "upper", acts, (position, points) => setUpper(board, position, points)));
  }
  if (joker?.bonus) fields.push(makePrimed(joker, acts));
  const hint = el("p", { class: "hint", text: HINT });
  const node = el("div", { class: "sums" }, ...fields.map((field) => field.node), hint);
  return {
    node,
    update(model) {
      hint.hidden = !model.edit;
      fields.forEach((field) => field.update(model));
    },
  };
}

/** A total of the position by its name: shown, or entered while the position is set up. */
function makeSum(label, name, acts, put) {
  const field = numberField((points) => acts.edit((position) => put(position, points ?? 0)), { test: name });
  const shown = el("output", { test: `${name}-shown` });
  return {
    node: el("label", { class: "field" }, el("span", { text: label }), field, shown),
    update({ position, edit }) {
      field.hidden = !edit;
      shown.hidden = edit;
      setText(shown, String(position[name]));
      if (document.activeElement !== field) field.value = position[name];
    },
  };
}

function makePrimed({ box, bonus }, acts) {
  const change = () => acts.edit((position) => ({ ...position, primed: input.checked }));
  const input = el("input", { type: "checkbox", test: "primed", on: { change } });
  const node = el("label", { class: "field" }, el("span", { text: `${box} holds points (jokers earn ${bonus})` }), input);
  return {
    node,
    update({ position, edit }) {
      node.hidden = !edit || position.open.includes(box);
      input.checked = position.primed;
    },
  };
}
