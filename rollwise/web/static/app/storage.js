/** What this browser keeps for the page, as JSON under a name. A browser may keep nothing, or have no room. */

/** The browser's store; null where it has none, or keeps it shut. @returns {Storage | null} */
export function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Read what is kept; null where there is nothing, or it is damaged. @param {string} name @returns {any} */
export function readStored(name) {
  try {
    return JSON.parse(storage()?.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep something; says whether this browser does. @param {string} name @param {unknown} value */
export function writeStored(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
