/** The predicted trees, each with a button to step through its sentence. */

import { element, svgFrom } from "./dom.js";

/**
 * @param {HTMLElement} list
 * @param {string[]} pictures
 * @param {(sentence: number) => void} choose
 */
export function showTrees(list, pictures, choose) {
  const box = (number) => (
    { class: "tree", tabindex: 0, role: "group", "aria-label": `Tree of sentence ${number}`, "data-scrolls": true }
  );
  const button = (number) => (
    { type: "button", "data-sentence": number, "aria-pressed": "false", click: () => choose(number) }
  );
  list.replaceChildren(...pictures.map((picture, i) => element(
    "li", {},
    element("div", box(i + 1), svgFrom(picture)),
    element("button", button(i + 1), `Step through sentence ${i + 1}`),
  )));
}

/**
 * Mark the current sentence.
 * @param {HTMLElement} list
 * @param {number} sentence
 */
export function markTree(list, sentence) {
  for (const button of list.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.sentence) === sentence));
  }
}
