import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { makeRenderer } from "../../rollwise/web/static/texts/render.js";
import { decimal, t } from "../../rollwise/web/static/texts/texts.js";

const { texts, examples, faults } = JSON.parse(readFileSync(new URL("../data/messages.json", import.meta.url), "utf8"));

test("messages are written as in Python", () => {
  for (const { language, key, args, expected } of examples) assert.equal(makeRenderer(language, texts)(key, args), expected);
});

test("a key, an argument or a kind that is missing is an error", () => {
  for (const { language, key, args } of faults) assert.throws(() => makeRenderer(language, texts)(key, args), key);
  assert.throws(() => t("no.such.key"), /no\.such\.key/);
});

test("numbers have as many digits as asked for", () => {
  assert.equal(decimal(1234.5, 2), "1234.50");
});
