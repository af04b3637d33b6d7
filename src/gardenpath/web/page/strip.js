/**
 * All moves at a glance: a small button each, repairs, costs and what-ifs marked.
 * The one that has just been made is the one to reach by Tab; the keys go on from there.
 */

import { element } from "./dom.js";
import { costOf, moveText } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

const MOST = 600; // of a longer derivation only the moves with a mark are shown

/**
 * @param {HTMLElement} box
 * @param {Trace} trace
 * @param {number[]} chosen the moves that somebody chose, from 0
 * @param {(k: number) => void} go
 */
export function makeStrip(box, trace, chosen, go) {
  const shown = trace.steps.map((step, i) => ({ step, number: i + 1 })).filter(({ step }) => trace.steps.length <= MOST || step.repair || costOf(step));
  box.replaceChildren(...shown.map(({ step, number }) => {
    const [cost, isChosen] = [costOf(step), chosen.includes(number - 1)];
    const says = [`${number}: ${moveText(trace, step)}`, step.repair && "repair", cost && `costs ${cost}`, isChosen && "what if"].filter(Boolean).join(", ");
    const kind = [step.repair && "is-repair", cost && "is-costly", isChosen && "is-what-if"];
    const button = element("button", {
      type: "button", class: kind.filter(Boolean).join(" "), title: says, "aria-label": says, "data-step": number, tabindex: -1, click: () => go(number),
    }, sign(step, cost));
    return element("li", {}, button);
  }));
}

/**
 * Mark the move that has just been made.
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

/** What stands in a button: the sign of a repair, a cost, or the initials of the move. */
function sign(step, cost) {
  if (step.repair) return "↺";
  if (cost) return `+${cost}`;
  return step.move.split(/[-:]/).map((part) => part[0].toUpperCase()).join("").slice(0, 2);
}
