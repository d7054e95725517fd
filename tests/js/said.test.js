import assert from "node:assert/strict";
import { test } from "node:test";

import { boxes, move, say } from "../../rollwise/web/static/texts/said-de.js";
import { said, spoken } from "../../rollwise/web/static/texts/said.js";

test("English is said as the server says it", () => {
  const answer = { title: "Words", moves: [{ action: "sixes", why: "gives up sixes" }] };
  assert.equal(spoken(answer), answer);
  assert.equal(said("gives up sixes"), "gives up sixes");
});

test("reasons of a sheet are said in German, with German numbers", () => {
  assert.equal(say("keeps 66: sixes +2.7 (42 %), spares large-straight +2.0; another yahtzee -0.5"), "hält 66: Sechser +2,7 (42 %), schont Große Straße +2,0; noch ein Kniffel -0,5");
  assert.equal(say("puts 24 in sechser, upper total 63 of 63, and earns 35 bonus: the bonus +3.0, the box -1.5"), "schreibt 24 bei Sechser, oben 63 von 63 und bekommt 35 Bonus: der Bonus +3,0, das Feld -1,5");
  assert.equal(say("gives up ones: less in chance -1.0; leads by 12 with 3 boxes to go"), "streicht Einser: weniger bei Chance -1,0; führt mit 12, noch 3 Felder");
});

test("a text that is not known stays as it is", () => {
  assert.equal(say("My own game of 3.5 chances"), "My own game of 3.5 chances");
});

test("boxes and moves have names as people write them", () => {
  assert.equal(boxes["grosse-strasse"], "Große Straße");
  assert.equal(move("keep 66"), "halte 66");
});
