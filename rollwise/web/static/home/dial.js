/**
 * The risk dial: one slider from careful plans over the best mean to bold ones, and what a plan gives up.
 *
 * @import { RiskInfo } from "../../wire.js"
 * @import { Aim, AimChoice } from "../../types.js"
 */

import { el, setAttribute, setText } from "../app/dom.js";
import { styled } from "../app/styled.js";
import { capital, loadTexts, t } from "../texts/texts.js";

await Promise.all([loadTexts("dial"), globalThis.document ? styled("dial.css") : null]);

/** @typedef {ReturnType<typeof makeDial>} Dial */

/** Aims that the dial stands for; other shares are for the address and the command line. */
const DIALLED = new Set(["worst", "quantile", "utility"]);

/** @type {(name: string, ...shares: string[]) => AimChoice[]} */
const plansOf = (name, ...shares) => shares.map((share) => ({ name, values: { share } }));
const [CAREFUL, BOLD] = [plansOf("worst", "5%", "10%", "25%", "50%"), plansOf("quantile", "75%", "90%")];

/** Give the aim in the middle of the dial, the best mean; null for a game without a dial. @param {Aim[]} aims */
export function middleOf(aims) {
  const names = new Set(aims.map(({ name }) => name));
  return names.has("worst") && names.has("quantile") ? aims.find(({ name }) => name === "expected" || name === "lowest") ?? null : null;
}

/** Leave out the aims that the dial stands for. @param {Aim[]} aims */
export const besidesDial = (aims) => (middleOf(aims) ? aims.filter(({ name }) => !DIALLED.has(name)) : aims);

/** @param {AimChoice} aim */
const shareOf = ({ values }) => (values.share ?? "").split(",")[0];

/**
 * Make the slider. It stands in the middle for an aim that is none of its plans. `turn` is called when the player has moved it.
 *
 * @param {Aim} middle
 * @param {AimChoice | null} chosen
 * @param {() => void} turn
 */
export function makeDial(middle, chosen, turn) {
  const plans = [...CAREFUL, { name: middle.name, values: {} }, ...BOLD];
  const found = plans.findIndex((plan) => plan.name === chosen?.name && shareOf(plan) === shareOf(chosen));
  const begun = found < 0 ? CAREFUL.length : found;
  const input = el("input", { type: "range", min: 0, max: plans.length - 1, value: begun, "aria-label": t("dial.name"), test: "dial", on: { input: show, change: turn } });
  const [plan, price] = [el("p", { class: "dial-plan", test: "dial-plan" }), el("p", { class: "hint", role: "status", test: "dial-price" })];
  const ends = ["dial.careful", "dial.bold"].map((key) => el("span", { text: t(key) }));
  ends.splice(1, 0, el("span", { text: middle.label }));
  const node = el("div", { class: "dial" }, input, el("div", { class: "dial-ends", "aria-hidden": "true" }, ...ends), plan, price);
  let sentence = "";

  const value = () => plans[input.valueAsNumber];
  function show() {
    const text = describe(value());
    setText(plan, text || middle.help);
    setAttribute(input, "aria-valuetext", text || middle.label);
    setText(price, input.valueAsNumber === begun ? sentence : "");
  }
  show();
  return {
    node, input, value,
    middle: middle.name,
    /** Which end it began nearer to, in a word; "": it stands in the middle. */
    side: begun === CAREFUL.length ? "" : capital(t(begun < CAREFUL.length ? "dial.careful" : "dial.bold")),
    /** Move the slider; without a place, back to where it began. */
    move(place = begun) {
      input.value = String(place);
      show();
    },
    /** Say what the plan that it began with gives up. @param {RiskInfo} info */
    price(info) {
      sentence = priceText(info, plans[begun], middle);
      show();
    },
  };
}

/** Say which plan it is; "" for the middle. @param {AimChoice} plan */
function describe(plan) {
  if (!plan.values.share) return "";
  const share = Number.parseFloat(shareOf(plan)) / 100;
  return plan.name === "worst" ? t("dial.worst", { share }) : t("dial.quantile", { share: 1 - share });
}

/** @param {number} difference */
const tenths = (difference) => Math.round(10 * Math.abs(difference)) / 10;

/**
 * Say what a plan gives up on average, and for what; only for what, where its mean is not known.
 *
 * @type {(info: RiskInfo, plan: AimChoice, middle: Aim) => string}
 */
export function priceText({ plan, most, most_value: instead, better }, { name, values }, middle) {
  const mean = plan.mean === null || most.mean === null ? null : tenths(plan.mean - most.mean);
  const isChance = name === "quantile";
  const gain = isChance ? plan.value - instead : tenths(plan.value - instead);
  if (!mean && gain < 0.005) return mean === null ? "" : t("dial.free", { name: middle.label });
  if (isChance) {
    const chances = { chance: plan.value, instead, target: plan.target ?? 0 };
    return mean === null ? t(`dial.gain-chance-${better}`, chances) : t(`dial.chance-${better}`, { mean, ...chances });
  }
  const share = Number.parseFloat(values.share) / 100;
  return mean === null ? t(`dial.gain-mean-${better}`, { gain, share }) : t(`dial.mean-${better}`, { mean, gain, share });
}
