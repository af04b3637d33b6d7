/** Stack and buffer as boxes of words: the top of the stack stands next to the front of the buffer, as in the papers. */

import { element } from "./dom.js";
import { configuration, focusWords, form, hasPairs } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */

/**
 * @param {HTMLElement} box
 * @param {Trace} trace
 * @param {number} k
 */
export function showLists(box, trace, k) {
  const { stack, buffer, lambda2, spines } = configuration(trace, k);
  const focus = focusWords(trace, k);
  const pairs = hasPairs(trace);
  const row = (name, place, ids, extra = () => []) => element(
    "div", { class: `list ${place}` },
    element("span", { class: "list-name", "aria-hidden": "true" }, name),
    element("ol", { "aria-label": `${name}: ${ids.length || "no"} ${ids.length === 1 ? "word" : "words"}`, "data-scrolls": true },
      ...ids.map((id, i) => element("li", { class: focus.has(id) ? "is-focus" : null, "data-id": id }, form(trace, id), ...extra(i)))),
  );
  box.dir = trace.right_to_left ? "rtl" : "ltr";
  box.replaceChildren(
    row(pairs ? "λ₁" : "stack", "stack", stack, (i) => (spines?.[i] ? spineNotes(trace, spines[i]) : [])),
    ...(pairs ? [row("λ₂", "lambda2", lambda2 ?? [])] : []),
    row("buffer", "buffer", buffer),
  );
  for (const list of box.querySelectorAll("ol")) if (list.scrollWidth > list.clientWidth) list.tabIndex = 0;
  const top = box.querySelector(".stack ol");
  top.scrollLeft = (trace.right_to_left ? -1 : 1) * top.scrollWidth;
}

/** The words of the two spines below the root of a tree. @param {Trace} trace @param {number[][]} spines */
function spineNotes(trace, [left, right]) {
  const note = (name, sign, ids) => (ids.length > 1
    ? [element("small", {}, element("span", { "aria-hidden": "true" }, `${sign} `), element("span", { class: "visually-hidden" }, `, ${name} spine `),
      ids.slice(1).map((id) => form(trace, id)).join(" "))]
    : []);
  return [...note("left", "↙", left), ...note("right", "↘", right)];
}
