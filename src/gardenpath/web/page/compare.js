/** Compare two derivations of one sentence: the first transition that differs, and the differences of the trees. */

import { element } from "./dom.js";
import { arcsAt, differences, firstDifference, form, moveText, repairs, transitions } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

const RIGHT = element("span", { class: "right", title: "as in HEAD" }, " ✓");
const WRONG = element("span", { class: "wrong", title: "not as in HEAD" }, " ≠");

/**
 * A table of the words whose heads or labels differ, or a sentence if there are none.
 * @param {[string, Trace]} first name and derivation
 * @param {[string, Trace]} second name and derivation
 * @returns {HTMLElement}
 */
export function differenceTable([firstName, first], [secondName, second]) {
  const words = differences(first, second);
  if (!words.length) return element("p", { class: "note" }, "Both trees are the same.");
  const gold = first.gold ?? second.gold;
  const heads = ["word", firstName, secondName, ...(gold ? ["HEAD"] : [])];
  return element(
    "table", { class: "differences" },
    element("caption", {}, "Words whose head or label differs"),
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
  const label = element("span", { class: "label" }, arc.label ? ` ${arc.label}` : "");
  return element("td", {}, form(trace, arc.head), label, sign?.cloneNode(true) ?? null);
}

/**
 * The comparison of two panels.
 * @param {Trace} a
 * @param {Trace} b
 * @returns {HTMLElement[]}
 */
export function comparison(a, b) {
  return [element("p", {}, differenceText(a, b)), numbers(a, b), differenceTable(["A", a], ["B", b])];
}

/** @param {Trace} a @param {Trace} b */
function differenceText(a, b) {
  if (a.system !== b.system) return `A uses ${a.system}, B uses ${b.system}, so their transitions cannot be compared.`;
  const at = firstDifference(a, b);
  if (at === null) return "All transitions are the same.";
  const name = (trace) => (trace.steps[at - 1] ? moveText(trace, trace.steps[at - 1]) : "no transition");
  return `They differ from transition ${at} on: A applies ${name(a)}, B applies ${name(b)}.`;
}

/** @param {Trace} a @param {Trace} b */
function numbers(a, b) {
  const rows = [["transitions", transitions(a).length, transitions(b).length], ["repairs", repairs(a), repairs(b)]];
  if (a.final.loss !== null && b.final.loss !== null) rows.push(["loss", a.final.loss, b.final.loss]);
  return element(
    "table", {},
    element("caption", {}, "Numbers"),
    element("thead", {}, element(
      "tr", {}, element("td"), element("th", { scope: "col" }, "A"), element("th", { scope: "col" }, "B"),
    )),
    element("tbody", {}, ...rows.map(([name, ...values]) => element(
      "tr", {}, element("th", { scope: "row" }, String(name)),
      ...values.map((value) => element("td", { class: "number" }, String(value))),
    ))),
  );
}
