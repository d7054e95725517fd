/** Say each of a JSON list of texts on stdin in German, for tests/test_german.py. */

import { readFileSync } from "node:fs";

import { say } from "../../rollwise/web/static/texts/said-de.js";

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(say)));
