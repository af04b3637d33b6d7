/** What spoke for a transition: the inputs of the model with the largest contributions. */

import { isGivenUp, reasons as requestReasons } from "./api.js";
import { element, fill } from "./dom.js";
import { moveName } from "./derivation.js";

/**
 * @typedef {import("./derivation.js").Trace} Trace
 * @typedef {import("./api.js").Comparison} Comparison
 */

const MOST = 8; // reasons in the table; the rest is added up

export class Reasons {
  /**
   * @param {Record<string, any>} parts the elements `why`, `why-title`, `against-choice`, `against` and `reasons`
   * @param {{request: () => object, point: (ids: number[]) => void, toggled: (open: boolean) => void}} listener
   */
  constructor(parts, listener) {
    this.parts = parts;
    this.listener = listener;
    /** @type {Map<number, Comparison[]>} by step; forgotten with the derivation */
    this.known = new Map();
    parts.why.addEventListener("toggle", () => {
      listener.toggled(parts.why.open);
      this.show(this.trace, this.k);
    });
    parts.against.addEventListener("change", () => this.showTable());
  }

  /** Show the reasons for the transition after step k, if they are open. @param {Trace} trace @param {number} k */
  async show(trace, k) {
    if (trace !== this.trace) this.known.clear();
    [this.trace, this.k] = [trace, k];
    this.parts.why.hidden = !trace?.model; // an oracle has no scores
    this.request?.abort();
    const step = trace?.steps[k];
    const name = step && !step.policy ? moveName(step) : "it";
    this.parts["why-title"].textContent = `What spoke for ${name}`;
    if (!trace?.model || !this.parts.why.open) return;
    const silence = whyNot(step);
    if (silence) {
      this.write([], silence);
      return;
    }
    this.request = new AbortController();
    try {
      if (!this.known.has(k)) {
        const request = { ...this.listener.request(), step: k + 1 };
        this.known.set(k, (await requestReasons(request, this.request.signal)).comparisons);
      }
      this.write(this.known.get(k), `The scorer of ${trace.model} does not tell its reasons.`);
    } catch (error) {
      if (!isGivenUp(error)) this.write([], error.message);
    }
  }

  /** @param {Comparison[]} comparisons @param {string} otherwise the text if there are none */
  write(comparisons, otherwise) {
    this.comparisons = comparisons;
    const option = ({ text, margin }, i) => ({ value: String(i), text: `${text} (${signed(margin)})` });
    fill(this.parts.against, comparisons.map(option));
    this.parts["against-choice"].hidden = !comparisons.length;
    if (comparisons.length) this.showTable();
    else this.parts.reasons.replaceChildren(element("p", { class: "note" }, otherwise));
  }

  showTable() {
    const { reasons, margin, text } = this.comparisons[Number(this.parts.against.value)];
    const [shown, rest] = [reasons.slice(0, MOST), reasons.slice(MOST)];
    const largest = Math.max(...shown.map(({ contribution }) => Math.abs(contribution)));
    const others = rest.reduce((sum, { contribution }) => sum + contribution, 0);
    const heads = ["input", "value", "contribution"].map((name) => element("th", { scope: "col" }, name));
    this.parts.reasons.replaceChildren(element(
      "table", {},
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...shown.map((reason) => this.row(reason, largest))),
      element("tfoot", {}, ...[
        rest.length ? sumRow(`${rest.length} ${rest.length > 1 ? "others" : "other"}`, others) : null,
        sumRow(`sum: score minus score of ${text}`, margin),
      ].filter((row) => row !== null)),
    ));
  }

  /**
   * A reason. While it has the mouse, the words that it looks at are highlighted.
   * @param {import("./api.js").Reason} reason
   * @param {number} largest
   */
  row({ input, value, words, contribution }, largest) {
    const { point } = this.listener;
    const [kind, share] = [contribution < 0 ? "against" : "for", Math.abs(contribution) / (largest || 1)];
    const bar = element("span", { class: `weight ${kind}`, style: `--share: ${share.toFixed(3)}` });
    return element(
      "tr", { mouseenter: () => point(words), mouseleave: () => point([]) },
      element("th", { scope: "row" }, element("code", {}, input)),
      element("td", { class: "value", dir: "auto" }, value),
      element("td", { class: "score" }, bar, element("span", { class: "amount" }, signed(contribution))),
    );
  }
}

/** @param {string} name @param {number} sum */
const sumRow = (name, sum) => element(
  "tr", {}, element("th", { scope: "row", colspan: 2 }, name), element("td", { class: "score" }, signed(sum)),
);

/**
 * Why a step of a model has no reasons, or an empty text if it may have some.
 * @param {import("./derivation.js").Step | undefined} step
 */
function whyNot(step) {
  if (!step || step.policy) return "There is no transition here.";
  return step.moves.every(({ score }) => score === null) ? "Only one transition is valid, so nothing was scored." : "";
}

/** A number with its sign. @param {number} value */
function signed(value) {
  const size = Math.abs(value);
  return (value < 0 ? "−" : "+") + (Number.isInteger(value) ? size.toLocaleString("en") : size.toFixed(2));
}
