/**
 * The strip of all transitions: one small button each, with marks for repairs, costs and what-ifs.
 * Tab reaches the button of the last transition. The arrow keys go on from there.
 */

import { element } from "./dom.js";
import { costOf, moveText } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

const MOST = 600; // in longer derivations, only transitions with a mark are shown

/**
 * @param {HTMLElement} box
 * @param {Trace} trace
 * @param {number[]} chosen the numbers of the transitions that the user chose, from 0
 * @param {(k: number) => void} go
 */
export function makeStrip(box, trace, chosen, go) {
  const all = trace.steps.map((step, i) => ({ step, number: i + 1 }));
  const shown = all.length <= MOST ? all : all.filter(({ step }) => step.repair || costOf(step));
  box.replaceChildren(...shown.map(({ step, number }) => {
    const [cost, isChosen] = [costOf(step), chosen.includes(number - 1)];
    const marks = [step.repair && "repair", cost && `cost ${cost}`, isChosen && "what if"];
    const says = [`${number}: ${moveText(trace, step)}`, ...marks].filter(Boolean).join(", ");
    const kind = [step.repair && "is-repair", cost && "is-costly", isChosen && "is-what-if"];
    const button = element("button", {
      type: "button", class: kind.filter(Boolean).join(" "), title: says, "aria-label": says, "data-step": number,
      tabindex: -1, click: () => go(number),
    }, sign(step, cost));
    return element("li", {}, button);
  }));
}

/**
 * Mark the last transition.
 * @param {HTMLElement} box
 * @param {number} k
 */
export function markStrip(box, k) {
  const hadFocus = box.contains(document.activeElement);
  const buttons = [...box.querySelectorAll("button")];
  for (const button of buttons) {
    const number = Number(button.dataset.step);
    button.classList.toggle("is-past", number <= k);
    button.tabIndex = -1;
    if (number === k) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  const current = buttons.find((button) => Number(button.dataset.step) === k) ?? buttons[0];
  if (!current) return;
  current.tabIndex = 0;
  if (hadFocus) current.focus();
}

/** The text of a button: the sign of a repair, a cost, or the initials of the transition. */
function sign(step, cost) {
  if (step.repair) return "↺";
  if (cost) return `+${cost}`;
  return step.move.split(/[-:]/).map((part) => part[0].toUpperCase()).join("").slice(0, 2);
}
