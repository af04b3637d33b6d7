/** The description of a what-if: what was changed, and the difference that it makes. */

import { differenceTable } from "./compare.js";
import { firstDifference, moveName } from "./derivation.js";
import { tagText } from "./tags.js";

/** @typedef {import("./derivation.js").Trace} Trace */

/** Whether a panel shows a what-if. @param {import("./permalink.js").PanelState} state */
export const isWhatIf = ({ moves, tags }) => moves.length > 0 || tags.length > 0;

/**
 * @param {Record<string, any>} parts
 * @param {import("./permalink.js").PanelState} state
 * @param {Trace} trace
 * @param {Trace | null} original
 */
export function showBanner(parts, state, trace, original) {
  parts.banner.hidden = !isWhatIf(state);
  if (!isWhatIf(state)) return;
  const isOracle = state.who.startsWith("system:");
  const changes = [...tagChanges(state, original), ...moveChanges(state, original)].join(", and ");
  parts["banner-text"].textContent = `${changes}. ${continuation(state, trace, original, isOracle)}`;
  parts.back.ariaLabel = parts.back.title = `Back to the original derivation of the ${isOracle ? "oracle" : "parser"}`;
  parts.outcome.replaceChildren(differenceTable(["now", trace], ["before", original]));
}

/** @param {import("./permalink.js").PanelState} state @param {Trace} original */
const tagChanges = ({ tags }, { words }) => tags.filter(({ id }) => words[id - 1]).map((tag) => {
  const word = words[tag.id - 1];
  const [before, now] = [tagText(word), tagText(tag)];
  return `“${word.form}” is ${now}${before === now ? " with other features" : ` instead of ${before}`}`;
});

/** @param {import("./permalink.js").PanelState} state @param {Trace} original */
function moveChanges({ moves, chosen }, original) {
  const before = (at) => (at === chosen[0] ? original.steps[at]?.text : null);
  const instead = (at) => (before(at) ? ` instead of ${before(at)}` : "");
  return chosen.filter((at) => moves[at]).map((at) => `transition ${at + 1} is ${moveName(moves[at])}${instead(at)}`);
}

/** What happened after the change. */
function continuation({ moves, then }, trace, original, isOracle) {
  const byOracle = isOracle || (then === "oracle" && trace.gold);
  if (moves.length) return `After that, the ${byOracle ? "oracle" : "parser"} continues.`;
  const at = firstDifference(trace, original);
  return at === null ? "No transition changes." : `Transition ${at} is the first one that changes.`;
}
