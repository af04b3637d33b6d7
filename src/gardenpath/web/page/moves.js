/** The table of valid transitions with scores, costs and buttons for what-ifs. */

import { element, fill } from "./dom.js";
import { arcText, labels, moveName } from "./derivation.js";

/** @typedef {import("./derivation.js").Trace} Trace */
/** @typedef {import("./derivation.js").Candidate} Candidate */

/**
 * @param {HTMLElement} box
 * @param {Trace} trace
 * @param {number} k
 * @param {{whatIf: (move: {move: string, label: string | null}) => void, point: (ids: number[]) => void}} listener
 */
export function showMoves(box, trace, k, listener) {
  const step = trace.steps[k];
  if (!step || step.policy || !step.moves.length) {
    const text = step?.policy ? policyText(trace, step) : "The parse is complete.";
    box.replaceChildren(element("p", { class: "note" }, text));
    return;
  }
  const chooser = (candidate) => (candidate.arc ? labelChooser(candidate, labels(trace)) : null);
  const choosers = new Map(step.moves.map((candidate) => [candidate, chooser(candidate)]));
  /** @type {[Node | string, (candidate: Candidate) => HTMLElement][]} */
  const columns = [
    [hidden("next"), nextCell],
    ["transition", (candidate) => nameCell(trace, candidate, choosers.get(candidate) ?? null)],
  ];
  if (step.moves.some(({ score }) => score !== null)) {
    columns.push(["score", (candidate) => scoreCell(candidate, step.moves)]);
  }
  if (step.moves.some(({ cost }) => cost !== null)) columns.push(["cost", costCell]);
  columns.push([
    hidden("what if"), (candidate) => whatIfCell(candidate, choosers.get(candidate) ?? null, listener.whatIf),
  ]);
  const cells = (candidate) => columns.map(([, cell]) => cell(candidate));
  box.replaceChildren(element(
    "table", {},
    element("thead", {}, element("tr", {}, ...columns.map(([head]) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...step.moves.map((candidate) => row(candidate, cells(candidate), listener.point))),
  ));
}

/**
 * Describe a change after the last transition.
 * @param {Trace} trace
 * @param {import("./derivation.js").Step} step
 */
function policyText(trace, step) {
  const change = step.arc ? `: ${arcText(trace, step.arc)}` : "";
  return step.move === "single-root"
    ? `All transitions are applied. The tree must have one root, so the parser’s policy changes an arc${change}.`
    : `All transitions are applied. The label of an arc shows that it was lifted, so it is lowered${change}.`;
}

/**
 * A row of the table. While it has the mouse or the focus, the words of its arc are highlighted.
 * @param {Candidate} candidate
 * @param {HTMLElement[]} cells
 * @param {(ids: number[]) => void} point
 */
function row(candidate, cells, point) {
  const [enter, leave] = [() => point(candidate.arc ?? []), () => point([])];
  const listeners = { mouseenter: enter, mouseleave: leave, focusin: enter, focusout: leave };
  return element("tr", { class: candidate.chosen ? "is-chosen" : null, ...listeners }, ...cells);
}

/** The mark of the next transition. @param {Candidate} candidate */
const nextCell = (candidate) => element("td", { class: "next" }, ...(candidate.chosen ? ["▶", hidden(" next")] : []));

/**
 * The transition, its label, the mark of a repair, and the arc that it would build.
 * @param {Trace} trace
 * @param {Candidate} candidate
 * @param {HTMLSelectElement | null} chooser
 */
const nameCell = (trace, candidate, chooser) => element(
  "th", { scope: "row" }, candidate.move.toUpperCase(), chooser,
  candidate.repair ? element("span", { class: "badge repair", title: "repair" }, "↺", hidden(" repair")) : null,
  candidate.arc ? element("span", { class: "would-make" }, arcText(trace, candidate.arc)) : null,
);

/**
 * A button that applies this transition instead. The chosen transition has a button only if its label can be changed.
 * @param {Candidate} candidate
 * @param {HTMLSelectElement | null} chooser
 * @param {(move: {move: string, label: string | null}) => void} whatIf
 */
function whatIfCell(candidate, chooser, whatIf) {
  if (candidate.chosen && !chooser) return element("td");
  const click = () => whatIf({ move: candidate.move, label: chooser ? chooser.value || null : candidate.label });
  const attributes = { type: "button", class: "what-if", "aria-label": `What if ${moveName(candidate)}`, click };
  return element("td", {}, element("button", attributes, "what if"));
}

/**
 * A menu of the labels of the derivation, in which the label of the transition is selected.
 * @param {Candidate} candidate
 * @param {string[]} seen
 */
function labelChooser(candidate, seen) {
  if (!candidate.label && !seen.length) return null;
  const offered = seen.includes(candidate.label ?? "") ? seen : [candidate.label ?? "", ...seen];
  const name = { "aria-label": `Label of ${candidate.move.toUpperCase()}` };
  const select = /** @type {HTMLSelectElement} */ (element("select", name));
  fill(select, offered.map((label) => ({ value: label, text: label || "no label" })), candidate.label ?? undefined);
  return select;
}

/**
 * A score, with a bar that compares it to the other scores of the step.
 * @param {Candidate} candidate
 * @param {Candidate[]} all
 */
function scoreCell(candidate, all) {
  if (candidate.score === null) return element("td");
  const scores = all.flatMap(({ score }) => score ?? []);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const share = most > least ? (candidate.score - least) / (most - least) : 1;
  const written = Number.isInteger(candidate.score) ? candidate.score.toLocaleString("en") : candidate.score.toFixed(3);
  const bar = element("span", { class: "bar", style: `--share: ${(4 + 96 * share).toFixed(1)}%` });
  return element("td", { class: "score" }, bar, written);
}

/** @param {Candidate} candidate */
const costCell = ({ cost }) => element("td", {}, cost === null ? "" : costBadge(cost));

/** @param {number} cost */
export const costBadge = (cost) => (
  element("span", { class: cost ? "badge cost" : "badge free" }, cost ? `+${cost}` : "0")
);

/** @param {string} text */
const hidden = (text) => element("span", { class: "visually-hidden" }, text);
