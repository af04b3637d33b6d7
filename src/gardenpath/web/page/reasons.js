/** What spoke for a transition: the words, or the inputs of the model, with the largest contributions. */

import { isGivenUp, reasons as requestReasons } from "./api.js";
import { element, fill } from "./dom.js";
import { form, moveName } from "./derivation.js";

/**
 * @typedef {import("./derivation.js").Trace} Trace
 * @typedef {import("./api.js").Comparison} Comparison
 *
 * A row of the table.
 * @typedef {{name: Node | string, value: string, words: number[], contribution: number}} Row
 */

const MOST = 6; // rows in the table; the rest is added up

export class Reasons {
  /**
   * @param {Record<string, any>} parts the elements `why`, `why-title`, `why-choices`, `against`, `single` and
   *   `reasons`
   * @param {{request: () => object, point: (ids: number[]) => void, toggled: (open: boolean) => void}} listener
   */
  constructor(parts, listener) {
    this.parts = parts;
    this.listener = listener;
    /** @type {Map<number, Comparison[]>} by step; forgotten with the derivation */
    this.known = new Map();
    parts.why.addEventListener("toggle", async () => {
      await this.show(this.trace, this.k);
      listener.toggled(parts.why.open);
    });
    for (const choice of [parts.against, parts.single]) choice.addEventListener("change", () => this.showTable());
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
    this.parts["why-choices"].hidden = !comparisons.length;
    if (comparisons.length) this.showTable();
    else this.parts.reasons.replaceChildren(element("p", { class: "note" }, otherwise));
  }

  showTable() {
    const { reasons, margin } = this.comparisons[Number(this.parts.against.value)];
    const single = this.parts.single.checked;
    const rows = single ? reasons.map(inputRow) : wordRows(reasons, this.trace);
    const [shown, rest] = [rows.slice(0, MOST), rows.slice(MOST)];
    const largest = Math.max(...shown.map(({ contribution }) => Math.abs(contribution)));
    const heads = single ? ["input", "value", "contribution"] : ["words", "inputs", "contribution"];
    this.parts.reasons.replaceChildren(element(
      "table", {},
      element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...shown.map((row) => this.row(row, largest))),
      element("tfoot", {}, ...[
        rest.length ? sumRow(`${rest.length} ${rest.length > 1 ? "others" : "other"}`, sum(rest)) : null,
        sumRow("sum: difference of the scores", margin),
      ].filter((row) => row !== null)),
    ));
  }

  /**
   * A row. While it has the mouse, its words are highlighted.
   * @param {Row} row
   * @param {number} largest
   */
  row({ name, value, words, contribution }, largest) {
    const { point } = this.listener;
    const [kind, share] = [contribution < 0 ? "against" : "for", Math.abs(contribution) / (largest || 1)];
    const bar = element("span", { class: `weight ${kind}`, style: `--share: ${share.toFixed(3)}` });
    return element(
      "tr", { mouseenter: () => point(words), mouseleave: () => point([]) },
      element("th", { scope: "row", dir: "auto" }, name),
      element("td", { class: "value", dir: "auto" }, value),
      element("td", { class: "score" }, bar, element("span", { class: "amount" }, signed(contribution))),
    );
  }
}

/** @param {{contribution: number}[]} rows */
const sum = (rows) => rows.reduce((total, { contribution }) => total + contribution, 0);

/** @param {import("./api.js").Reason} reason @returns {Row} */
const inputRow = ({ input, value, words, contribution }) => (
  { name: element("code", {}, input), value, words, contribution }
);

/**
 * A row for the inputs that look at the same words. The largest sum comes first.
 * @param {import("./api.js").Reason[]} reasons
 * @param {Trace} trace
 * @returns {Row[]}
 */
function wordRows(reasons, trace) {
  const inOrder = (words) => words.toSorted((one, other) => one - other);
  const groups = Map.groupBy(reasons, ({ input, words }) => inOrder(words).join() || input);
  const rows = [...groups.values()].map((group) => {
    const words = inOrder(group[0].words);
    const name = words.map((id) => form(trace, id)).join(", ") || group[0].input;
    return { name, value: String(group.length), words, contribution: sum(group) };
  });
  return rows.sort((one, other) => Math.abs(other.contribution) - Math.abs(one.contribution));
}

/** @param {string} name @param {number} total */
const sumRow = (name, total) => element(
  "tr", {}, element("th", { scope: "row", colspan: 2 }, name), element("td", { class: "score" }, signed(total)),
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
