/** Numbers as a player reads them. */

const NOTHING = 1e-9;
const MINUS = "−";

/** Losses below this are rounding, so the move is as good as the best. */
export const isLoss = (loss) => loss === "impossible" || loss > NOTHING;

export const percent = (chance, digits = 2) => `${(100 * chance).toFixed(digits)} %`;

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const orWord = (write) => (value) => (typeof value === "number" ? write(value).replace("-", MINUS) : String(value));

function writers(write, finer, unit) {
  const loss = orWord((value) => finer(value));
  return {
    unit,
    value: orWord(write),
    loss,
    signed: orWord((value) => `${value < -NOTHING ? "-" : "+"}${finer(Math.abs(value))}`),
  };
}

const fixed = (digits) => (value) => value.toFixed(digits);

const WRITERS = {
  "expected total": writers(fixed(2), fixed(3), "points"),
  "win probability": writers(percent, percent, ""),
  "expected rolls": writers(fixed(3), fixed(3), "rolls"),
};

/** How to write values, losses and signed sums of a game, by the name of its value. */
export const writersFor = (valueName) => WRITERS[valueName] ?? writers(fixed(3), fixed(3), "");

export function ordinal(number) {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  return `${number}${ending}`;
}
