/**
 * The title of a table with its menu: all that is not needed for the next move. The menu is a popover of the browser, which closes on Escape
 * and on a tap elsewhere.
 *
 * @import { Acts, TableModel, TableParts } from "../../types.js"
 */

import { button, el, setPressed, setText } from "../app/dom.js";
import { t } from "../texts/texts.js";

/** @param {TableParts} table @param {Acts} acts */
export function makeTitle(table, acts) {
  const edit = button(t("table.set-up"), acts.toggleEdit, { test: "edit", "aria-pressed": "false", hidden: !table.kind.canSetUp });
  const done = button(t("table.set-up-done"), acts.toggleEdit, { class: "main", test: "edit-done", hidden: true });
  const link = el("input", { type: "text", readonly: true, hidden: true, class: "link", test: "share-link" });
  link.setAttribute("aria-label", t("table.link-here"));
  const share = button(t("table.link"), shareHere, { test: "share", "aria-label": t("table.copy-link") });
  const whole = button(t("kept.whole"), () => acts.shareGame(link), { class: "quiet", test: "share-game", hidden: true });
  const fresh = button(t("table.new"), acts.again, { test: "new-game" });
  const menu = makeMenu([fresh, ...table.shell.tools, edit, share]);
  // The line that tells what was done stands beside the dice, which are gone when the game is over.
  const said = el("p", { class: "hint said", role: "status", test: "said", hidden: true });
  const differs = el("p", { class: "rules", text: table.differs, hidden: !table.differs });
  const node = el("div", { class: "title" }, el("h1", { text: table.title }), el("div", { class: "tools" }, done, menu.opener, menu.node), differs, whole, link, said);

  function shareHere() {
    acts.share(link);
    whole.hidden = !table.play.record.some(({ kind }) => kind === "move" || kind === "written");
  }

  /** @param {TableModel<any>} model */
  function update({ edit: isEdited, over, note }) {
    setPressed(edit, isEdited);
    done.hidden = !isEdited;
    said.hidden = !over || !note;
    setText(said, over && note ? note : "");
  }
  return { node, add: menu.add, update };
}

/** Make a menu of buttons. @param {HTMLElement[]} items */
function makeMenu(items) {
  const opener = button("⋯", () => {}, { class: "opener", test: "menu", popovertarget: "table-menu", "aria-label": t("table.menu") });
  const node = el("div", { id: "table-menu", popover: "auto", class: "menu", role: "group", "aria-label": t("table.menu") }, ...items);

  function place() {
    const { bottom, right } = opener.getBoundingClientRect();
    node.style.top = `${bottom + window.scrollY + 4}px`;
    node.style.right = `${document.documentElement.clientWidth - right}px`;
  }
  node.addEventListener("beforetoggle", place);
  node.addEventListener("click", ({ target }) => {
    const item = target instanceof Element ? target.closest("button") : null;
    // What takes a while says in its button how it goes: then the menu stays open.
    if (item && !item.hasAttribute("aria-disabled")) node.hidePopover();
  });
  return { opener, node, add: (/** @type {HTMLElement[]} */ more) => node.append(...more) };
}
