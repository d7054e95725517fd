/**
 * A game as a picture to share: its score, how it compares, and its line with what the dice gave and what decisions cost. It is drawn, as
 * the page may load no picture from anywhere.
 *
 * @import { TableModel } from "../../types.js"
 */

import { t } from "../texts/texts.js";
import { scales } from "./line-chart.js";
import { followGame, sumUp } from "./line.js";
import { titleOf } from "./share.js";

const WIDTH = 640;
const HEIGHT = 400;
const SHARP = 2;
const SIDE = 28;
/** Where the line begins, below the words: `scales` leaves more room on the left than on the right. */
const TOP = 120;

/** Draw the picture of a game; null where it cannot be. @param {TableModel<any>} model @param {string} comparison @returns {Promise<File | null>} */
export async function drawPicture(model, comparison) {
  const { grade, outcome, kind, board, position, rival } = model;
  const side = rival ? kind.me?.(position) ?? 0 : 0;
  const seen = { lower: outcome?.better === "lower", share: outcome?.share, side };
  const course = grade && followGame(grade, seen);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH * SHARP, height: HEIGHT * SHARP });
  const pen = canvas.getContext("2d");
  if (!course || !pen) return null;
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  pen.scale(SHARP, SHARP);
  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const text = (/** @type {string} */ said, /** @type {number} */ y, /** @type {number} */ size, name = "ink", bold = "") => {
    pen.font = `${bold} ${size}px system-ui, sans-serif`;
    pen.fillStyle = colour(name);
    pen.fillText(said, SIDE, y, WIDTH - 2 * SIDE);
  };
  text(`${titleOf()}: ${kind.score(board, position, model).head}`, 48, 26, "ink", "bold");
  text(comparison, 76, 17);
  text(sumUp(grade, seen), 102, 15, "soft");
  drawLine(pen, course, colour);
  text(t("score.legend"), HEIGHT - 22, 14, "soft");
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return blob && new File([/** @type {Blob} */ (blob)], "rollwise.png", { type: "image/png" });
}

/** @type {(pen: CanvasRenderingContext2D, course: import("./line.js").Course, colour: (name: string) => string) => void} */
function drawLine(pen, course, colour) {
  const { x, y } = scales(course, WIDTH);
  pen.save();
  pen.translate(SIDE - x(0), TOP);
  /** @type {(of: (moment: import("./line.js").Moment) => [number, number]) => [number, number][]} */
  const corners = (of) => [[x(0), y(course.start)], ...course.moments.flatMap((moment, i) =>
    of(moment).map((value, half) => /** @type {[number, number]} */ ([x(i + (half + 1) / 2), y(value)])))];
  const dice = corners(({ dice: value }) => [value, value]);
  const line = corners(({ rolled, value }) => [rolled, value]);
  const area = (/** @type {[number, number][]} */ points, /** @type {string} */ name, /** @type {number} */ alpha) => {
    pen.globalAlpha = alpha;
    pen.fillStyle = colour(name);
    pen.beginPath();
    points.forEach(([left, top]) => pen.lineTo(left, top));
    pen.fill();
    pen.globalAlpha = 1;
  };
  area([...dice, [x(course.moments.length), y(course.start)]], "accent", 0.22);
  area([...dice, ...[...line].reverse()], "wrong", 0.4);
  const stroke = (/** @type {[number, number][]} */ points, /** @type {string} */ name, /** @type {number} */ width, /** @type {number[]} */ dash) => {
    pen.setLineDash(dash);
    pen.lineWidth = width;
    pen.strokeStyle = colour(name);
    pen.beginPath();
    points.forEach(([left, top]) => pen.lineTo(left, top));
    pen.stroke();
  };
  stroke([[x(0), y(course.start)], [x(course.moments.length), y(course.start)]], "soft", 1, [5, 4]);
  stroke(line, "ink", 2, []);
  pen.restore();
}
