/**
 * The choice of who plays the other side: a person, or the computer in one of its ways.
 *
 * @import { Acts, Part } from "../../types.js"
 */

import { el } from "../app/dom.js";

/** Make the choice; `nameOf` names each way, "" is a person. @type {(acts: Acts<any>, nameOf: (way: string) => string) => Part<any>} */
export function makeRivalChoice(acts, nameOf) {
  const node = el("select", { test: "rival", on: { change: () => acts.rival(node.value || null) } });
  let listed = "";
  return {
    node,
    update({ rival, opponents }) {
      const ways = ["", ...opponents];
      if (ways.join() !== listed) node.replaceChildren(...ways.map((way) => el("option", { value: way, text: nameOf(way) })));
      listed = ways.join();
      node.value = rival ?? "";
    },
  };
}
