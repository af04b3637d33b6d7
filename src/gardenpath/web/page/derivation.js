/** The derivation that the server returns, and functions on it. This module does not access the page. */

/**
 * @typedef {{id: number, form: string, upos: string, xpos: string, feats: string}} Word
 * @typedef {[number, number]} Pair head and dependent
 * @typedef {{move: string, label: string | null, arc: Pair | null, repair: boolean, score: number | null,
 *   cost: number | null, chosen: boolean}} Candidate a valid transition
 * @typedef {{stack: number[], buffer: number[], lambda2: number[] | null, spines?: number[][][] | null,
 *   loss: number | null}} Configuration
 * @typedef {Configuration & {move: string, label: string | null, text: string, arc: Pair | null, repair: boolean,
 *   policy: boolean, moves: Candidate[], added: [number, number, string][], removed: [number, number, string][]}} Step
 * @typedef {Configuration & {heads: number[], labels: string[]}} Final
 * @typedef {{model: string | null, system: string, oracle: string | null, gold: number[] | null, lifted: boolean,
 *   strange_tags: string[], text: string, right_to_left: boolean, words: Word[], svg: string, steps: Step[],
 *   final: Final, conllu: string}} Trace
 * @typedef {{head: number, dependent: number, label: string | null}} Arc
 */

const ROOT = "ROOT";

/** The form of a word; 0 is the root. @param {Trace} trace @param {number} id */
export const form = (trace, id) => (id === 0 ? ROOT : trace.words[id - 1].form);

/**
 * The form of a word for use inside a text. A word from right to left must not change the direction of the text.
 * @param {Trace} trace
 * @param {number} id
 */
const quotable = (trace, id) => (trace.right_to_left ? `\u2068${form(trace, id)}\u2069` : form(trace, id));

/** The configuration after k transitions. @param {Trace} trace @param {number} k @returns {Configuration} */
export const configuration = (trace, k) => trace.steps[k] ?? trace.final;

/** @param {Arc} arc */
export const keyOf = (arc) => `${arc.head}-${arc.dependent}`;

/**
 * The arcs after k transitions, by dependent. After the last transition, they are the arcs of the resulting tree.
 * @param {Trace} trace
 * @param {number} k
 * @returns {Map<number, Arc>}
 */
export function arcsAt(trace, k) {
  /** @type {Map<number, Arc>} */
  const arcs = new Map();
  const put = (head, dependent, label) => arcs.set(dependent, { head, dependent, label });
  if (k >= trace.steps.length) {
    trace.final.heads.forEach((head, i) => head >= 0 && put(head, i + 1, known(trace.final.labels[i])));
    return arcs;
  }
  for (const step of trace.steps.slice(0, k)) {
    for (const [, dependent] of step.removed) arcs.delete(dependent);
    for (const [head, dependent, label] of step.added) put(head, dependent, label);
  }
  return arcs;
}

/**
 * The arcs that the k-th transition added and removed.
 * @param {Trace} trace
 * @param {number} k
 * @returns {{made: Arc[], broken: Arc[]}}
 */
export function changes(trace, k) {
  if (k === 0) return { made: [], broken: [] };
  const [before, after] = [arcsAt(trace, k - 1), arcsAt(trace, k)];
  const without = (arcs, others) => [...arcs.values()].filter((arc) => !same(arc, others.get(arc.dependent)));
  return { made: without(after, before), broken: without(before, after) };
}

/**
 * The place of each word after k transitions.
 * @param {Trace} trace
 * @param {number} k
 * @returns {Map<number, "stack" | "lambda2" | "buffer" | "done">}
 */
export function places(trace, k) {
  const { stack, buffer, lambda2 } = configuration(trace, k);
  /** @type {Map<number, any>} */
  const found = new Map(trace.words.map((word) => [word.id, "done"]));
  stack.forEach((id) => found.set(id, "stack"));
  lambda2?.forEach((id) => found.set(id, "lambda2"));
  buffer.forEach((id) => found.set(id, "buffer"));
  return found;
}

/**
 * The words that valid transitions can connect. If there are none, the top of the stack and the front of the buffer.
 * @param {Trace} trace
 * @param {number} k
 * @returns {Set<number>}
 */
export function focusWords(trace, k) {
  const step = trace.steps[k];
  if (!step) return new Set();
  const joined = step.moves.flatMap((candidate) => candidate.arc ?? []);
  return new Set(joined.length ? joined : [...step.stack.slice(-1), ...step.buffer.slice(0, 1)]);
}

/** A transition with its label: `LEFT-ARC(nsubj)`. @param {{move: string, label: string | null}} move */
export const moveName = ({ move, label }) => move.toUpperCase() + (label ? `(${label})` : "");

/**
 * A transition with the arc that it builds: `LEFT-ARC(nsubj): saw → I`.
 * @param {Trace} trace
 * @param {Candidate | Step} move
 */
export const moveText = (trace, move) => moveName(move) + (move.arc ? `: ${arcText(trace, move.arc)}` : "");

/** @param {Trace} trace @param {Pair} arc */
export const arcText = (trace, [head, dependent]) => `${quotable(trace, head)} → ${quotable(trace, dependent)}`;

/** An arc with its label: `saw → I (nsubj)`. @param {Trace} trace @param {Arc} arc */
export const arcName = (trace, arc) => arcText(trace, [arc.head, arc.dependent]) + (arc.label ? ` (${arc.label})` : "");

/**
 * Describe the k-th transition in sentences.
 * @param {Trace} trace
 * @param {number} k
 * @returns {string[]}
 */
export function explain(trace, k) {
  const { made, broken } = changes(trace, k);
  return [
    ...broken.map((arc) => `${arcName(trace, arc)} is removed.`),
    ...made.map((arc) => `${arcName(trace, arc)} is added.`),
    ...wordMoves(trace, k),
  ];
}

const WORD_MOVES = {
  "buffer stack": ["moves to the stack", "move to the stack"],
  "stack done": ["leaves the stack", "leave the stack"],
  "stack buffer": ["returns to the buffer", "return to the buffer"],
};

const COVINGTON_WORD_MOVES = {
  "buffer stack": ["moves to λ₁", "move to λ₁"],
  "stack lambda2": ["moves to λ₂", "move to λ₂"],
  "lambda2 stack": ["returns to λ₁", "return to λ₁"],
};

/** Whether the system goes through pairs of words, with λ₁ and λ₂ instead of a stack. @param {Trace} trace */
export const hasPairs = (trace) => trace.final.lambda2 !== null;

/** Describe how the k-th transition moves words between stack and buffer. @param {Trace} trace @param {number} k */
function wordMoves(trace, k) {
  const [before, after] = [places(trace, k - 1), places(trace, k)];
  const names = hasPairs(trace) ? COVINGTON_WORD_MOVES : WORD_MOVES;
  /** @type {Map<string, string[]>} */
  const moved = new Map();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const path = `${before.get(id) ?? "done"} ${after.get(id) ?? "done"}`;
    if (path in names) moved.set(path, [...(moved.get(path) ?? []), `“${quotable(trace, id)}”`]);
  }
  return [...moved].map(([path, words]) => `${enumerated(words)} ${names[path][words.length > 1 ? 1 : 0]}.`);
}

/** @param {string[]} words */
function enumerated(words) {
  if (words.length > 4) return `${words.length} words`;
  return words.join(words.length > 2 ? ", " : " and ");
}

/**
 * Whether the gold tree is known and does not contain this arc.
 * @param {Trace} trace
 * @param {Arc} arc
 */
export const isWrong = (trace, arc) => trace.gold !== null && trace.gold[arc.dependent - 1] !== arc.head;

/** The cost of the transition of a step, if it is known. @param {Step} step */
export const costOf = (step) => step.moves.find((candidate) => candidate.chosen)?.cost ?? null;

/** The steps that are transitions, without the changes after the last transition. @param {Trace} trace */
export const transitions = (trace) => trace.steps.filter((step) => !step.policy);

/** @param {Trace} trace */
export const repairs = (trace) => trace.steps.filter((step) => step.repair).length;

/**
 * The words whose heads or labels differ in the two trees.
 * @param {Trace} one
 * @param {Trace} other
 * @returns {number[]}
 */
export function differences(one, other) {
  const [first, second] = [arcsAt(one, Infinity), arcsAt(other, Infinity)];
  return one.words.map((word) => word.id).filter((id) => !same(first.get(id), second.get(id)));
}

/**
 * The number of the first transition that differs, from 1, or null.
 * @param {Trace} one
 * @param {Trace} other
 */
export function firstDifference(one, other) {
  const most = Math.max(one.steps.length, other.steps.length);
  for (let i = 0; i < most; i++) if (one.steps[i]?.text !== other.steps[i]?.text) return i + 1;
  return null;
}

/** The labels of a derivation in alphabetical order. @param {Trace} trace */
export function labels(trace) {
  const seen = trace.steps.flatMap((step) => [step.label, ...step.moves.map((candidate) => candidate.label)]);
  return [...new Set([...seen, ...trace.final.labels.map(known)])].filter(Boolean).sort();
}

/** A label, or null for `_`, CoNLL-U’s sign for an empty column. @param {string | null} label */
const known = (label) => (label === "_" ? null : label);

/** @param {Arc | undefined} one @param {Arc | undefined} other */
const same = (one, other) => one?.head === other?.head && one?.label === other?.label;
