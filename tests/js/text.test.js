import assert from "node:assert/strict";
import { test } from "node:test";

import german from "../../rollwise/web/static/text-de.js";
import first from "../../rollwise/web/static/text-en.js";
import others from "../../rollwise/web/static/text-en-table.js";
import { decimal, t } from "../../rollwise/web/static/text.js";

/** @type {import("../../rollwise/web/static/text.js").Texts} */
const english = { ...first, ...others };

/** @type {(text: import("../../rollwise/web/static/text.js").Text) => string[]} */
const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));
/** @type {(text: import("../../rollwise/web/static/text.js").Text) => string[]} */
const names = (text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

test("a key that is missing is named", () => {
  assert.throws(() => t("no.such.key"), /no\.such\.key/);
});

test("both tables have the same keys, with the same names to fill in", () => {
  assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
  for (const key of Object.keys(english)) assert.deepEqual(names(german[key]), names(english[key]), key);
});

test("numbers have as many digits as asked for", () => {
  assert.equal(decimal(1234.5, 2), "1234.50");
});

/** What is the same in both languages. */
const SAME = new Set([
  "solving.done", "own.share", "table.link", "bar.computer", "bar.says", "bar.moves", "sheet.bonus", "party.bonus", "party.rank", "kept.player",
  "offline.kilobytes", "offline.megabytes", "print.bonus", "print.name",
]);

test("no German text is the English one, but for a few", () => {
  const same = Object.keys(english).filter((key) => JSON.stringify(english[key]) === JSON.stringify(german[key]));
  assert.deepEqual(same.filter((key) => !SAME.has(key)), []);
});
