/** A derivation as the server tells it, and what can be asked of it: nothing here touches the page. */

/**
 * @typedef {{id: number, form: string}} Word
 * @typedef {[number, number]} Pair head and child
 * @typedef {{move: string, label: string | null, arc: Pair | null, repair: boolean, score: number | null, cost: number | null, chosen: boolean}} Candidate
 * @typedef {{stack: number[], buffer: number[], lambda2: number[] | null, spines?: number[][][] | null, loss: number | null}} Configuration
 * @typedef {Configuration & {move: string, label: string | null, text: string, arc: Pair | null, repair: boolean, policy: boolean, moves: Candidate[],
 *   added: [number, number, string][], removed: [number, number, string][]}} Step
 * @typedef {Configuration & {heads: number[], labels: string[]}} Final
 * @typedef {{model: string | null, system: string, oracle: string | null, gold: number[] | null, lifted: boolean,
 *   strange_tags: string[], text: string, right_to_left: boolean, words: Word[], svg: string, steps: Step[], final: Final, conllu: string}} Trace
 * @typedef {{head: number, child: number, label: string | null}} Arc
 */

const ROOT = "ROOT";

/** The form of a word; 0 is the root. @param {Trace} trace @param {number} id */
export const form = (trace, id) => (id === 0 ? ROOT : trace.words[id - 1].form);

/** The same among other words: words that run from right to left must not turn round what stands beside them. @param {Trace} trace @param {number} id */
const quotable = (trace, id) => (trace.right_to_left ? `\u2068${form(trace, id)}\u2069` : form(trace, id));

/** The configuration after k moves. @param {Trace} trace @param {number} k @returns {Configuration} */
export const configuration = (trace, k) => trace.steps[k] ?? trace.final;

/** @param {Arc} arc */
export const keyOf = (arc) => `${arc.head}-${arc.child}`;

/**
 * The arcs after k moves, by child. After the last move they are those of the parse that came out.
 * @param {Trace} trace
 * @param {number} k
 * @returns {Map<number, Arc>}
 */
export function arcsAt(trace, k) {
  /** @type {Map<number, Arc>} */
  const arcs = new Map();
  const put = (head, child, label) => arcs.set(child, { head, child, label });
  if (k >= trace.steps.length) {
    trace.final.heads.forEach((head, i) => head >= 0 && put(head, i + 1, known(trace.final.labels[i])));
    return arcs;
  }
  for (const step of trace.steps.slice(0, k)) {
    for (const [, child] of step.removed) arcs.delete(child);
    for (const [head, child, label] of step.added) put(head, child, label);
  }
  return arcs;
}

/**
 * What the k-th move made and what it broke.
 * @param {Trace} trace
 * @param {number} k
 * @returns {{made: Arc[], broken: Arc[]}}
 */
export function changes(trace, k) {
  if (k === 0) return { made: [], broken: [] };
  const [before, after] = [arcsAt(trace, k - 1), arcsAt(trace, k)];
  const without = (arcs, others) => [...arcs.values()].filter((arc) => !same(arc, others.get(arc.child)));
  return { made: without(after, before), broken: without(before, after) };
}

/**
 * Where the words are after k moves.
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
 * The words that the permitted moves could join; where none could, the top of the stack and the front of the buffer.
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

/** A move with its label: `LEFT-ARC(nsubj)`. @param {{move: string, label: string | null}} move */
export const moveName = ({ move, label }) => move.toUpperCase() + (label ? `(${label})` : "");

/** A move with the arc that it makes: `LEFT-ARC(nsubj): saw → I`. @param {Trace} trace @param {Candidate | Step} move */
export const moveText = (trace, move) => moveName(move) + (move.arc ? `: ${arcText(trace, move.arc)}` : "");

/** @param {Trace} trace @param {Pair} arc */
export const arcText = (trace, [head, child]) => `${quotable(trace, head)} → ${quotable(trace, child)}`;

/** The same with its label: `saw → I (nsubj)`. @param {Trace} trace @param {Arc} arc */
export const arcName = (trace, arc) => arcText(trace, [arc.head, arc.child]) + (arc.label ? ` (${arc.label})` : "");

/**
 * What the k-th move did, in sentences.
 * @param {Trace} trace
 * @param {number} k
 * @returns {string[]}
 */
export function explain(trace, k) {
  const { made, broken } = changes(trace, k);
  return [
    ...broken.map((arc) => `${arcName(trace, arc)} is taken back.`),
    ...made.map((arc) => `${arcName(trace, arc)} is made.`),
    ...ways(trace, k),
  ];
}

const WAYS = {
  "buffer stack": ["goes to the stack", "go to the stack"],
  "stack done": ["leaves the stack", "leave the stack"],
  "stack buffer": ["goes back to the buffer", "go back to the buffer"],
};

const PAIR_WAYS = {
  "buffer stack": ["goes to λ₁", "go to λ₁"],
  "stack lambda2": ["goes to λ₂", "go to λ₂"],
  "lambda2 stack": ["goes back to λ₁", "go back to λ₁"],
};

/** Whether the system goes through pairs of words, with two lists in place of the stack. @param {Trace} trace */
export const hasPairs = (trace) => trace.final.lambda2 !== null;

/** Which words went where by the k-th move. @param {Trace} trace @param {number} k */
function ways(trace, k) {
  const [before, after] = [places(trace, k - 1), places(trace, k)];
  const names = hasPairs(trace) ? PAIR_WAYS : WAYS;
  /** @type {Map<string, string[]>} */
  const movers = new Map();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const way = `${before.get(id) ?? "done"} ${after.get(id) ?? "done"}`;
    if (way in names) movers.set(way, [...(movers.get(way) ?? []), `“${quotable(trace, id)}”`]);
  }
  return [...movers].map(([way, words]) => `${inAList(words)} ${names[way][words.length > 1 ? 1 : 0]}.`);
}

/** @param {string[]} words */
const inAList = (words) => (words.length > 4 ? `${words.length} words` : words.join(words.length > 2 ? ", " : " and "));

/**
 * Whether an arc is known not to be in the tree in HEAD.
 * @param {Trace} trace
 * @param {Arc} arc
 */
export const isWrong = (trace, arc) => trace.gold !== null && trace.gold[arc.child - 1] !== arc.head;

/** The cost of the move at step k, if it is known. @param {Step} step */
export const costOf = (step) => step.moves.find((candidate) => candidate.chosen)?.cost ?? null;

/** The moves of the system itself, without what is changed after the last. @param {Trace} trace */
export const ownSteps = (trace) => trace.steps.filter((step) => !step.policy);

/** @param {Trace} trace */
export const repairs = (trace) => trace.steps.filter((step) => step.repair).length;

/**
 * The words whose heads or labels differ in the end.
 * @param {Trace} one
 * @param {Trace} other
 * @returns {number[]}
 */
export function differences(one, other) {
  const [first, second] = [arcsAt(one, Infinity), arcsAt(other, Infinity)];
  return one.words.map((word) => word.id).filter((id) => !same(first.get(id), second.get(id)));
}

/**
 * The number of the first move that differs, from 1; nothing if none does.
 * @param {Trace} one
 * @param {Trace} other
 */
export function parting(one, other) {
  const most = Math.max(one.steps.length, other.steps.length);
  for (let i = 0; i < most; i++) if (one.steps[i]?.text !== other.steps[i]?.text) return i + 1;
  return null;
}

/** Labels that occur in a derivation, in alphabetical order. @param {Trace} trace */
export function labels(trace) {
  const seen = trace.steps.flatMap((step) => [step.label, ...step.moves.map((candidate) => candidate.label)]);
  return [...new Set([...seen, ...trace.final.labels.map(known)])].filter(Boolean).sort();
}

/** A label, unless it is CoNLL-U's sign for none. @param {string | null} label */
const known = (label) => (label === "_" ? null : label);

/** @param {Arc | undefined} one @param {Arc | undefined} other */
const same = (one, other) => one?.head === other?.head && one?.label === other?.label;
