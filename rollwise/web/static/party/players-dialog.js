/**
 * Who plays: a dialog with a name and the coach for each player.
 *
 * @import { Party } from "./party.js"
 */

import { button, el, setAttribute } from "../app/dom.js";
import { readStored, writeStored } from "../app/storage.js";
import { showDialog } from "../app/window.js";
import { t } from "../texts/texts.js";
import { LONGEST_NAME, MOST_PLAYERS, nameAll, tidyName } from "./party.js";

const LAST = "rollwise.players";
const FIRST = 2;

/** Who played last in this browser. @type {() => { name: string, coach: boolean }[]} */
function lastPlayers() {
  const kept = readStored(LAST);
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.name === "string").slice(0, MOST_PLAYERS) : [];
}

/** Names are typed again where a browser keeps nothing. @param {Party} party */
const remember = ({ names, coached }) => writeStored(LAST, names.map((name, i) => ({ name, coach: coached[i] })));

/**
 * Ask who plays; `begin` gets the party, or null where one plays alone.
 *
 * @param {{ title: string, party?: Party | null, begun?: boolean, begin: (party: Party | null) => void }} given
 */
export function askPlayers({ title, party = null, begun: isBegun = false, begin }) {
  const before = party ? party.names.map((name, i) => ({ name, coach: party.coached[i] })) : lastPlayers();
  const begun = before.length ? before : Array.from({ length: FIRST }, () => ({ name: "", coach: true }));
  const list = el("ol", { class: "seats" });
  const add = button(t("party.add"), () => put({ name: "", coach: true }, true), { test: "player-add" });
  const go = el("button", { class: "main", test: "party-begin", text: t("party.begin") });
  const cancel = button(t("page.cancel"), () => dialog.close(), { test: "party-cancel" });
  const note = el("p", { class: "hint", text: t("party.coach-help") });
  const anew = isBegun ? el("p", { class: "hint", text: t("party.anew") }) : null;
  const form = el("form", { method: "dialog", novalidate: true }, list, add, note, anew, el("div", { class: "row" }, go, cancel));
  const dialog = showDialog(
    { class: "party-setup", "aria-labelledby": "party-title", test: "party-setup" },
    el("h2", { id: "party-title", tabindex: -1, text: t("party.who", { title }) }), form,
  );
  /** @type {ReturnType<typeof makeSeat>[]} */
  let seats = [];

  /** @param {{ name: string, coach: boolean }} one @param {boolean} [focus] */
  function put(one, focus = false) {
    const seat = makeSeat(one, () => drop(seat));
    seats = [...seats, seat];
    list.append(seat.node);
    number();
    if (focus) seat.focus();
  }

  /** @param {ReturnType<typeof makeSeat>} seat */
  function drop(seat) {
    const at = seats.indexOf(seat);
    seats = seats.filter((other) => other !== seat);
    seat.node.remove();
    number();
    seats[Math.min(at, seats.length - 1)].focus();
  }

  function number() {
    seats.forEach((seat, i) => seat.number(i, seats.length > 1));
    add.disabled = seats.length >= MOST_PLAYERS;
  }

  form.addEventListener("submit", () => {
    const chosen = { names: nameAll(seats.map((seat) => seat.name())), coached: seats.map((seat) => seat.coach()), odds: party?.odds ?? true };
    if (seats.length > 1) remember(chosen);
    begin(seats.length > 1 ? chosen : null);
  });
  begun.forEach((one) => put(one));
  seats[0].focus();
}

/** @param {{ name: string, coach: boolean }} one @param {() => void} drop */
function makeSeat({ name, coach }, drop) {
  const input = el("input", { type: "text", value: name, maxlength: LONGEST_NAME, autocomplete: "off", autocapitalize: "words", enterkeyhint: "next" });
  const check = el("input", { type: "checkbox", checked: coach });
  const remove = button("×", drop, { class: "quiet" });
  const node = el("li", {}, input, el("label", { class: "switch" }, check, el("span", { text: t("party.coach") })), remove);

  // Enter goes on to the next name; after the last one the game begins.
  input.addEventListener("keydown", (event) => {
    const next = node.nextElementSibling?.querySelector("input");
    if (event.key !== "Enter" || !next) return;
    event.preventDefault();
    next.focus();
  });

  /** @param {number} i @param {boolean} canDrop */
  function number(i, canDrop) {
    const called = t("party.player", { n: i + 1 });
    setAttribute(input, "placeholder", called);
    setAttribute(input, "aria-label", t("party.name", { player: called }));
    setAttribute(check, "aria-label", t("party.coach-of", { player: called }));
    setAttribute(remove, "aria-label", t("party.remove", { player: called }));
    input.dataset.test = `player-name-${i}`;
    check.dataset.test = `player-coach-${i}`;
    remove.dataset.test = `player-remove-${i}`;
    remove.hidden = !canDrop;
  }
  return { node, number, name: () => tidyName(input.value), coach: () => check.checked, focus: () => input.focus() };
}
