/**
 * What else can be done with a game, in the menu of its table: see its strategy card, keep it for when there is no connection, print its sheet.
 *
 * @import { Asked } from "../../types.js"
 */

import * as api from "../app/api.js";
import { button } from "../app/dom.js";
import { makeKeep } from "../offline/keep-button.js";
import { t } from "../texts/texts.js";

/**
 * Make the buttons.
 *
 * @param {any} table the table that is laid
 * @param {Asked} asked
 * @param {(error: Error) => void} fail
 */
export function makeDevice(table, asked, fail) {
  const print = table.board.kind === "sheet" ? button(t("print.sheet"), () => void printSheet(table, asked).catch(fail), { test: "print" }) : null;
  const keep = makeKeep(asked, table.title, fail);
  const card = button(t("card.open"), () => void import("../coach/strategy-card.js").then(({ showCard }) => showCard(asked, table.title)).catch(fail), { test: "card-open", "aria-haspopup": "dialog" });
  return [card, keep, print].filter((item) => item !== null);
}

/** Print the sheet as it is, with a column for each player. @param {any} table @param {Asked} asked */
async function printSheet(table, asked) {
  const [{ drawSheet, printOut }, rules] = await Promise.all([import("./print.js"), api.rules(asked).catch(() => null)]);
  const { title, differs, board, position } = table;
  printOut(drawSheet({ title, differs, board, rules, columns: await columnsOf(position, table.party) }));
}

/** @type {(position: any, party: { names: string[] } | null | undefined) => Promise<import("./print.js").Column[]>} */
async function columnsOf(position, party) {
  if (!party) return Object.keys(position.points).length ? [{ name: "", position }] : [];
  const { positionsOf } = await import("../party/party.js");
  return positionsOf(position).map((own, i) => ({ name: party.names[i], position: own }));
}
