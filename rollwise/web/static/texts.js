/**
 * The text of the page beyond the start page: what text.js offers, with the rest of the table. Modules that the start page does not need
 * take their text from here.
 */

import { add, language } from "./text.js";

if (language === "en") add((await import("./text-en-table.js")).default);

export { decimal, language, t, whole } from "./text.js";
