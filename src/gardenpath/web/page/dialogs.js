/** The definition of a system, and the help. */

import { byId, element } from "./dom.js";

/** @param {import("./api.js").SystemInfo} system */
export function showDefinition(system) {
  byId("definition-title").textContent = system.name;
  byId("definition-text").textContent = system.definition;
  const facts = {
    Moves: system.moves.map((move) => move.replace(/^[^:]+/, (kind) => kind.toUpperCase())).join(", "),
    Oracles: system.oracles.join(", "),
    Trees: system.projective ? "projective ones" : "also those with crossing arcs",
    "One root": system.single_root_mode ? "by a mode of the system" : "as its definition says, or by the parser’s policy",
  };
  byId("definition-facts").replaceChildren(...Object.entries(facts).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
  byId("definition-dialog").showModal();
}

export const showHelp = () => byId("help-dialog").showModal();

/** Whether a dialog is open, which then has the keys. */
export const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;
