import assert from "node:assert/strict";
import { test } from "node:test";

import { t } from "../../rollwise/web/static/text.js";

test("a key that is missing is named", () => {
  assert.throws(() => t("no.such.key"), /no\.such\.key/);
});
