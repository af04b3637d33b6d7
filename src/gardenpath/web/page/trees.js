/** The predicted trees, each with its least certain words and a button to step through its sentence. */

import { element, svgFrom } from "./dom.js";

const LOW = 0.8; // words whose head or label is less probable are listed
const MOST = 6;

/**
 * @param {HTMLElement} list
 * @param {string[]} pictures
 * @param {import("./api.js").ParsedWord[][]} words of each sentence
 * @param {(sentence: number) => void} choose
 */
export function showTrees(list, pictures, words, choose) {
  const box = (number) => (
    { class: "tree", tabindex: 0, role: "group", "aria-label": `Tree of sentence ${number}`, "data-scrolls": true }
  );
  const button = (number) => (
    { type: "button", "data-sentence": number, "aria-pressed": "false", click: () => choose(number) }
  );
  list.replaceChildren(...pictures.map((picture, i) => element(
    "li", {},
    element("div", box(i + 1), scalable(svgFrom(picture))),
    element("p", { class: "note doubts" }, doubts(words[i])),
    element("button", button(i + 1), `Step through sentence ${i + 1}`),
  )));
}

/** Tell the stylesheet the height of a picture, because pictures are scaled down in low windows. @param {any} svg */
function scalable(svg) {
  svg.style.setProperty("--height", `${svg.getAttribute("height")}px`);
  return svg;
}

/** The least certain words of a sentence in words. @param {import("./api.js").ParsedWord[]} words */
function doubts(words) {
  const known = words.filter(({ confidence }) => confidence?.head && confidence.label);
  if (!known.length) return "The confidence is unknown: the model is not calibrated.";
  const arc = ({ confidence }) => confidence.head * confidence.label;
  const low = known.filter((word) => arc(word) < LOW).sort((one, other) => arc(one) - arc(other));
  const percent = (share) => `${Math.round(100 * share)} %`;
  const text = ({ form, confidence: { head, label } }) => `${form} (head ${percent(head)}, label ${percent(label)})`;
  return low.length
    ? `Least certain: ${low.slice(0, MOST).map(text).join(", ")}${low.length > MOST ? ", …" : ""}`
    : `Every arc is right with a probability of at least ${percent(LOW)}.`;
}

/** Whether the confidence of any word is known. @param {import("./api.js").ParsedWord[][]} words */
export const hasConfidence = (words) => words.flat().some(({ confidence }) => confidence?.head);

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
