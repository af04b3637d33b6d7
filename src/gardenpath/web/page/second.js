/** What the second panel shows when it opens: the derivation that is most worth comparing with the first. */

import { isWhatIf } from "./banner.js";
import { panelState } from "./permalink.js";
import { withoutWhatIf } from "./panel.js";

/**
 * @param {import("./panel.js").Panel} first
 * @param {import("./api.js").ModelInfo[]} models
 * @param {import("./api.js").SystemInfo[]} systems
 * @param {boolean} gold whether there is a gold tree
 * @returns {import("./permalink.js").PanelState}
 */
export function secondPanel(first, models, systems, gold) {
  if (isWhatIf(first.state)) return { ...withoutWhatIf(first.state) };
  const who = first.model
    ? besideModel(first.model, models, systems, gold)
    : besideOracle(first.system, models, systems, gold);
  return panelState({ who, step: first.state.step });
}

/** With a gold tree, the oracle of the same system; else another model, if possible of the same system. */
function besideModel(model, models, systems, gold) {
  if (gold) return `system:${model.system}`;
  const others = models.filter((each) => each !== model);
  const other = others.find((each) => each.system === model.system) ?? others[0];
  return other ? `model:${other.name}` : nextSystem(systems, model.system);
}

/** With a gold tree, a model of the same system; else the oracle of another system. */
function besideOracle(system, models, systems, gold) {
  const model = models.find((each) => each.system === system?.name);
  return gold && model ? `model:${model.name}` : nextSystem(systems, system?.name);
}

/** The oracle of the next system in the list that can build the same kind of trees. */
function nextSystem(systems, name) {
  const at = systems.findIndex((each) => each.name === name);
  const others = [...systems.slice(at + 1), ...systems.slice(0, Math.max(at, 0))];
  const other = others.find((each) => each.projective === systems[at]?.projective) ?? others[0];
  return `system:${(other ?? systems[at]).name}`;
}
