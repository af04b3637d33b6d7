/** The dialogs with the definition of a system and with the help. */

import { byId, element } from "./dom.js";

/** @param {import("./api.js").SystemInfo} system */
export function showDefinition(system) {
  byId("definition-title").textContent = system.name;
  byId("definition-text").textContent = system.definition;
  const facts = {
    Transitions: system.moves.map((move) => move.replace(/^[^:]+/, (kind) => kind.toUpperCase())).join(", "),
    Oracles: system.oracles.join(", "),
    Trees: system.projective ? "projective only" : "projective and non-projective",
    "Single root": system.single_root_mode ? "by a mode of the system" : "by its definition or the parser’s policy",
  };
  const entries = Object.entries(facts).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
  byId("definition-facts").replaceChildren(...entries);
  byId("definition-dialog").showModal();
}

export const showHelp = () => byId("help-dialog").showModal();

/** Whether a dialog is open and receives the keys. */
export const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;
