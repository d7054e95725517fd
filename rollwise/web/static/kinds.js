/** The kinds of games: how a position is written, read, rolled and played, and how it looks. Loaded when a game needs them. */

import { clearDice, enterDie } from "./tray.js";

const dice = { enter: enterDie, clear: clearDice };

const LOADERS = {
  sheet: async () => ({ ...dice, ...(await import("./sheet.js")).sheet, ...(await import("./sheet-view.js")) }),
  slots: async () => ({ ...dice, ...(await import("./slots.js")).slots }),
  words: async () => ({ ...dice, ...(await import("./words.js")).words }),
  groups: async () => (await import("./groups.js")).groups,
  any: async () => (await import("./any.js")).any,
};

/** Load a kind; one that is not known here is shown like any game. */
export const loadKind = (name) => (Object.hasOwn(LOADERS, name) ? LOADERS[name] : LOADERS.any)();
