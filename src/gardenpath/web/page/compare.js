/** Two derivations of one sentence: where they part, and what differs in the end. */

import { element } from "./dom.js";
import { arcsAt, differences, form, moveText, ownSteps, parting, repairs } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

const RIGHT = element("span", { class: "right", title: "as in HEAD" }, " ✓");
const WRONG = element("span", { class: "wrong", title: "not as in HEAD" }, " ≠");

/**
 * The words whose heads or labels differ, as a table; a sentence if there are none.
 * @param {[string, Trace]} first under its name
 * @param {[string, Trace]} second
 * @returns {HTMLElement}
 */
export function differenceTable([firstName, first], [secondName, second]) {
  const words = differences(first, second);
  if (!words.length) return element("p", { class: "note" }, "In the end both trees are the same.");
  const gold = first.gold ?? second.gold;
  const heads = ["word", firstName, secondName, ...(gold ? ["HEAD has"] : [])];
  return element(
    "table", { class: "differences" },
    element("caption", {}, "Heads and labels that differ in the end"),
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...words.map((id) => element(
      "tr", {},
      element("th", { scope: "row" }, `${id} ${form(first, id)}`),
      ...[first, second].map((trace) => headCell(trace, id, gold)),
      ...(gold ? [element("td", {}, form(first, gold[id - 1]))] : []),
    ))),
  );
}

/** @param {Trace} trace @param {number} id @param {number[] | null} gold */
function headCell(trace, id, gold) {
  const arc = arcsAt(trace, Infinity).get(id);
  if (!arc) return element("td", {}, "none");
  const sign = gold === null ? null : gold[id - 1] === arc.head ? RIGHT : WRONG;
  return element("td", {}, form(trace, arc.head), element("span", { class: "label" }, arc.label ? ` ${arc.label}` : ""), sign?.cloneNode(true) ?? null);
}

/**
 * Everything about two panels.
 * @param {Trace} a
 * @param {Trace} b
 * @returns {HTMLElement[]}
 */
export function comparison(a, b) {
  return [element("p", {}, partingText(a, b)), numbers(a, b), differenceTable(["A", a], ["B", b])];
}

/** @param {Trace} a @param {Trace} b */
function partingText(a, b) {
  if (a.system !== b.system) return `A is ${a.system}, B is ${b.system}: their moves are not the same ones.`;
  const at = parting(a, b);
  if (at === null) return "All moves are the same.";
  const name = (trace) => (trace.steps[at - 1] ? moveText(trace, trace.steps[at - 1]) : "nothing more");
  return `They part at move ${at}: A makes ${name(a)}, B makes ${name(b)}.`;
}

/** @param {Trace} a @param {Trace} b */
function numbers(a, b) {
  const rows = [["moves", ownSteps(a).length, ownSteps(b).length], ["repairs", repairs(a), repairs(b)]];
  if (a.final.loss !== null && b.final.loss !== null) rows.push(["loss", a.final.loss, b.final.loss]);
  return element(
    "table", {},
    element("caption", {}, "Numbers"),
    element("thead", {}, element("tr", {}, element("td"), element("th", { scope: "col" }, "A"), element("th", { scope: "col" }, "B"))),
    element("tbody", {}, ...rows.map(([name, ...values]) => element(
      "tr", {}, element("th", { scope: "row" }, String(name)), ...values.map((value) => element("td", { class: "number" }, String(value))),
    ))),
  );
}
