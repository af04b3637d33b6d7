/** The moves that are permitted now: scores, costs, and what if another one were made. */

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
    box.replaceChildren(element("p", { class: "note" }, step?.policy ? policyText(trace, step) : "The parse is complete."));
    return;
  }
  const choosers = new Map(step.moves.map((candidate) => [candidate, candidate.arc ? labelChooser(candidate, labels(trace)) : null]));
  /** @type {[Node | string, (candidate: Candidate) => HTMLElement][]} */
  const columns = [
    [hidden("made next"), (candidate) => element("td", { class: "next" }, ...(candidate.chosen ? ["▶", hidden(" made next")] : []))],
    ["move", (candidate) => nameCell(trace, candidate, choosers.get(candidate) ?? null)],
  ];
  if (step.moves.some((candidate) => candidate.score !== null)) columns.push(["score", (candidate) => scoreCell(candidate, step.moves)]);
  if (step.moves.some((candidate) => candidate.cost !== null)) columns.push(["cost", costCell]);
  columns.push([hidden("what if"), (candidate) => whatIfCell(candidate, choosers.get(candidate) ?? null, listener.whatIf)]);
  box.replaceChildren(element(
    "table", {},
    element("thead", {}, element("tr", {}, ...columns.map(([head]) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...step.moves.map((candidate) => row(candidate, columns.map(([, cell]) => cell(candidate)), listener.point))),
  ));
}

/** What is changed after the last move, in words. @param {Trace} trace @param {import("./derivation.js").Step} step */
function policyText(trace, step) {
  const change = step.arc ? `: ${arcText(trace, step.arc)}` : "";
  return step.move === "single-root"
    ? `All moves are made. A tree has one root, so the parser’s policy changes an arc${change}.`
    : `All moves are made. An arc that was lifted for the parser is lowered again${change}.`;
}

/**
 * A row, which points at the words of its arc as long as somebody is at it.
 * @param {Candidate} candidate
 * @param {HTMLElement[]} cells
 * @param {(ids: number[]) => void} point
 */
function row(candidate, cells, point) {
  const [enter, leave] = [() => point(candidate.arc ?? []), () => point([])];
  return element("tr", { class: candidate.chosen ? "is-chosen" : null, mouseenter: enter, mouseleave: leave, focusin: enter, focusout: leave }, ...cells);
}

/**
 * The move, its label, whether it repairs, the arc that it would make.
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
 * A button that makes this move in place of the one that was made; that one has a button only for the sake of its label.
 * @param {Candidate} candidate
 * @param {HTMLSelectElement | null} chooser
 * @param {(move: {move: string, label: string | null}) => void} whatIf
 */
function whatIfCell(candidate, chooser, whatIf) {
  if (candidate.chosen && !chooser) return element("td");
  const click = () => whatIf({ move: candidate.move, label: chooser ? chooser.value || null : candidate.label });
  return element("td", {}, element("button", { type: "button", class: "what-if", "aria-label": `What if ${moveName(candidate)}`, click }, "what if"));
}

/** A menu of the labels that occur in the derivation; the one of the move is chosen. @param {Candidate} candidate @param {string[]} seen */
function labelChooser(candidate, seen) {
  if (!candidate.label && !seen.length) return null;
  const offered = seen.includes(candidate.label ?? "") ? seen : [candidate.label ?? "", ...seen];
  const select = /** @type {HTMLSelectElement} */ (element("select", { "aria-label": `Label of ${candidate.move.toUpperCase()}` }));
  fill(select, offered.map((label) => ({ value: label, text: label || "no label" })), candidate.label ?? undefined);
  return select;
}

/** A score with a bar from the worst to the best of the step. @param {Candidate} candidate @param {Candidate[]} all */
function scoreCell(candidate, all) {
  if (candidate.score === null) return element("td");
  const scores = all.flatMap(({ score }) => score ?? []);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const share = most > least ? (candidate.score - least) / (most - least) : 1;
  const written = Number.isInteger(candidate.score) ? candidate.score.toLocaleString("en") : candidate.score.toFixed(3);
  return element("td", { class: "score" }, element("span", { class: "bar", style: `--share: ${(4 + 96 * share).toFixed(1)}%` }), written);
}

/** @param {Candidate} candidate */
const costCell = (candidate) => element("td", {}, candidate.cost === null ? "" : costBadge(candidate.cost));

/** @param {number} cost */
export const costBadge = (cost) => element("span", { class: cost ? "badge cost" : "badge free" }, cost ? `+${cost}` : "0");

/** @param {string} text */
const hidden = (text) => element("span", { class: "visually-hidden" }, text);
