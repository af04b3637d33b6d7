/** The trees that were found, each with a button to step through its sentence. */

import { element, svgFrom } from "./dom.js";

/**
 * @param {HTMLElement} list
 * @param {string[]} pictures
 * @param {(sentence: number) => void} choose
 */
export function showTrees(list, pictures, choose) {
  list.replaceChildren(...pictures.map((picture, i) => element(
    "li", {},
    element("div", { class: "tree", tabindex: 0, role: "group", "aria-label": `Tree of sentence ${i + 1}`, "data-scrolls": true }, svgFrom(picture)),
    element("button", { type: "button", "data-sentence": i + 1, "aria-pressed": "false", click: () => choose(i + 1) }, `Step through sentence ${i + 1}`),
  )));
}

/**
 * Mark the sentence that is stepped through.
 * @param {HTMLElement} list
 * @param {number} sentence
 */
export function markTree(list, sentence) {
  for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.sentence) === sentence));
}
