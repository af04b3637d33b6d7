/** One derivation, step by step: who moves, where it stands, what can be done there. */

import { isGivenUp, trace as askForTrace, traceAsLatex } from "./api.js";
import { differenceTable } from "./compare.js";
import { costOf, explain, hasPairs, moveName, moveText } from "./derivation.js";
import { showDefinition } from "./dialogs.js";
import { byId, element, fill, tell } from "./dom.js";
import { showLists } from "./lists.js";
import { costBadge, showMoves } from "./moves.js";
import { panelState } from "./permalink.js";
import { Player } from "./player.js";
import { asPng, fileName, saveBlob, saveText, standalone } from "./save.js";
import { Stage } from "./stage.js";
import { makeStrip, markStrip } from "./strip.js";

/**
 * @typedef {import("./derivation.js").Trace} Trace
 * @typedef {import("./permalink.js").PanelState} PanelState
 *
 * The sentence with the tree that oracles lead to, and whether that is the gold tree.
 * @typedef {{conllu: string, gold: boolean}} Source
 *
 * What a panel asks of the page.
 * @typedef {{models: import("./api.js").ModelInfo[], systems: import("./api.js").SystemInfo[], source: () => Source, showGold: () => boolean,
 *   loaded: (panel: Panel) => void, stepped: (panel: Panel) => void}} Page
 */

export class Panel {
  /**
   * @param {string} name
   * @param {PanelState} state
   * @param {Page} page
   */
  constructor(name, state, page) {
    this.page = page;
    this.state = state;
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {Trace | null} what happened before anybody asked what if */
    this.original = null;
    this.root = /** @type {HTMLElement} */ (byId("panel").content.firstElementChild.cloneNode(true));
    this.root.setAttribute("aria-label", `Panel ${name}`);
    this.root.querySelector("h3").textContent = name;
    /** @type {Record<string, any>} */
    this.parts = Object.fromEntries([...this.root.querySelectorAll("[data-part]")].map((part) => [part.getAttribute("data-part"), part]));
    this.stage = new Stage(this.parts.stage);
    this.player = new Player(this.root, () => ({ step: this.state.step, length: this.trace?.steps.length ?? 0, go: (k) => this.go(k) }));
    this.listen();
  }

  listen() {
    const { who, oracle, define, back } = this.parts;
    who.addEventListener("change", () => this.reload(panelState({ who: who.value, then: this.state.then })));
    oracle.addEventListener("change", () => this.reload(panelState({ who: who.value, oracle: oracle.value })));
    define.addEventListener("click", () => showDefinition(this.system));
    back.addEventListener("click", () => this.load({ ...this.state, moves: [], chosen: [] }));
    for (const button of this.root.querySelectorAll("[data-save]")) button.addEventListener("click", () => this.save(button.getAttribute("data-save")));
  }

  /** The system by which it moves. */
  get system() {
    const [kind, name] = split(this.state.who);
    const system = kind === "system" ? name : this.page.models.find((model) => model.name === name)?.system;
    return this.page.systems.find((each) => each.name === system);
  }

  /** Begin anew: another sentence, or another one who moves. @param {PanelState} state */
  reload(state) {
    this.original = null;
    this.trace = null;
    return this.load(state);
  }

  /** Stop whatever goes on. */
  close() {
    this.player.pause();
    this.request?.abort();
  }

  /**
   * Ask for the derivation and show it. If that fails, the one that is there stays, or the one without any what-if.
   * @param {PanelState} wanted
   */
  async load(wanted) {
    this.close();
    this.request = new AbortController();
    const { signal } = this.request;
    const plain = { ...wanted, moves: [], chosen: [] };
    try {
      const source = this.page.source();
      if (wanted.moves.length) this.original ??= await askForTrace(body(source, { ...plain, then: "parser" }), signal);
      this.trace = await askForTrace(body(source, wanted), signal);
      this.state = wanted;
      tell(this.parts.error, "");
    } catch (error) {
      if (isGivenUp(error)) return;
      if (!this.trace) [this.trace, this.state] = [this.original, plain];
      tell(this.parts.error, error.message);
    }
    this.show();
    this.page.loaded(this);
  }

  /** Show everything about the derivation. */
  show() {
    this.showWho();
    this.parts.work.hidden = !this.trace;
    if (!this.trace) return;
    this.showBanner();
    this.showThen();
    this.showKey();
    this.stage.load(this.trace);
    makeStrip(this.parts.strip, this.trace, this.state.chosen, (k) => this.player.goTo(k));
    this.state.step = Math.min(this.state.step, this.trace.steps.length);
    this.showStep();
  }

  showWho() {
    const { who, oracle } = this.parts;
    const group = (label, options) => element("optgroup", { label }, ...options.map(([value, text]) => element("option", { value }, text)));
    who.replaceChildren(
      group("A model", this.page.models.map((model) => [`model:${model.name}`, `${model.name} (${model.system})`])),
      group("The oracle of", this.page.systems.map((system) => [`system:${system.name}`, system.name])),
    );
    who.value = this.state.who;
    const isOracle = this.state.who.startsWith("system:");
    this.parts["oracle-choice"].hidden = !isOracle;
    fill(oracle, (this.system?.oracles ?? []).map((name) => ({ value: name, text: name })), this.state.oracle);
    this.parts.define.hidden = !this.system;
    this.parts.define.setAttribute("aria-label", `Definition of ${this.system?.name}`);
  }

  showBanner() {
    const { moves, chosen, then } = this.state;
    this.parts.banner.hidden = !moves.length;
    if (!moves.length) return;
    const instead = (at) => (at === chosen[0] && this.original.steps[at] ? ` instead of ${this.original.steps[at].text}` : "");
    const choices = chosen.filter((at) => moves[at]).map((at) => `at move ${at + 1} ${moveName(moves[at])}${instead(at)}`);
    const who = this.state.who.startsWith("system:") || (then === "oracle" && this.trace.gold) ? "the oracle" : "the parser";
    this.parts["banner-text"].textContent = `${choices.join(", then ")}. From there ${who} goes on.`;
    this.parts.back.textContent = this.state.who.startsWith("system:") ? "Back to what the oracle did" : "Back to what the parser did";
    this.parts.outcome.replaceChildren(differenceTable(["now", this.trace], ["before", this.original]));
  }

  /** After a what-if the oracle can go on where it knows the way. */
  showThen() {
    const { then } = this.parts;
    this.parts["then-choice"].hidden = this.state.who.startsWith("system:");
    then.value = this.state.then;
    then.options[1].disabled = this.trace.gold === null;
    if (this.trace.gold === null) then.value = "parser";
  }

  showKey() {
    const pairs = hasPairs(this.trace);
    const entries = [
      ["at-stack", pairs ? "in λ₁" : "on the stack"], ...(pairs ? [["at-lambda2", "in λ₂"]] : []), ["at-buffer", "in the buffer"],
      ...(pairs ? [] : [["at-done", "done"]]), ["is-made", "arc just made"], ["is-broken", "arc taken back"],
      ...(this.trace.gold ? [["is-wrong", "≠ not in HEAD"]] : []),
    ];
    const notes = [];
    if (this.trace.lifted) notes.push(`Crossing arcs that ${this.trace.system} cannot build are lifted.`);
    if (this.trace.strange_tags.length) notes.push(`Tags that ${this.trace.model} has never seen: ${this.trace.strange_tags.join(", ")}.`);
    this.parts.key.replaceChildren(...entries.map(([name, text]) => element("li", { class: name }, text)), ...notes.map((note) => element("li", {}, note)));
  }

  /** Go to a step. @param {number} k */
  go(k) {
    const to = Math.max(0, Math.min(k, this.trace?.steps.length ?? 0));
    if (to === this.state.step) return;
    this.state.step = to;
    this.showStep();
    this.page.stepped(this);
  }

  /** Go to the next move that takes something back, if there is one. */
  goToRepair() {
    const at = this.trace?.steps.findIndex((step, i) => step.repair && i >= this.state.step) ?? -1;
    if (at >= 0) this.player.goTo(at + 1);
  }

  showStep() {
    if (!this.trace) return;
    const { trace, state: { step } } = this;
    this.showMade();
    showLists(this.parts.lists, trace, step);
    this.stage.show(step, this.page.showGold());
    this.parts["moves-title"].textContent = step < trace.steps.length ? "Permitted now" : "The end";
    showMoves(this.parts.moves, trace, step, { whatIf: (move) => this.whatIf(move), point: (ids) => this.stage.point(ids) });
    markStrip(this.parts.strip, step);
    this.player.show(this.inWords());
  }

  /** The move that led here. */
  showMade() {
    const { trace, state: { step } } = this;
    const last = trace.steps[step - 1];
    const loss = (trace.steps[step] ?? trace.final).loss;
    this.parts.made.replaceChildren(
      element("strong", {}, last ? moveText(trace, last) : "Start"),
      ...(last?.repair ? [element("span", { class: "badge repair" }, "↺ repair")] : []),
      ...(last && costOf(last) ? [element("span", { class: "cost-note" }, "cost ", costBadge(costOf(last)))] : []),
      ...(this.state.chosen.includes(step - 1) ? [element("span", { class: "badge what-if-mark" }, "what if")] : []),
      ...(loss === null ? [] : [element("span", { class: "loss" }, `loss ${loss}`)]),
    );
    this.parts.explained.textContent = last ? explain(trace, step).join(" ") : "No arc has been made yet.";
  }

  /** The step in words, for those who do not see it. */
  inWords() {
    const { trace, state: { step } } = this;
    const last = trace.steps[step - 1];
    const what = last ? `${moveText(trace, last)}.${last.repair ? " A repair." : ""} ${explain(trace, step).join(" ")}` : "Start.";
    return `Step ${step} of ${trace.steps.length}. ${what}`;
  }

  /**
   * What if this move were made here?
   * @param {import("./api.js").Move} move
   */
  whatIf(move) {
    const at = this.state.step;
    const before = this.trace.steps.slice(0, at).map((step) => ({ move: step.move, label: step.label }));
    this.original ??= this.trace;
    const chosen = [...this.state.chosen.filter((each) => each < at), at];
    this.load({ ...this.state, moves: [...before, move], chosen, then: this.parts.then.value, step: at + 1 });
  }

  /** @param {string} format */
  async save(format) {
    const { trace } = this;
    const svg = this.stage.svg;
    const at = `step-${this.state.step}`;
    try {
      if (format === "svg") saveText(`${fileName(trace, at)}.svg`, await standalone(svg), "image/svg+xml");
      else if (format === "png") saveBlob(`${fileName(trace, at)}.png`, await asPng(svg));
      else if (format === "tex") saveText(`${fileName(trace)}.tex`, await traceAsLatex(body(this.page.source(), this.state)), "text/x-tex");
      else saveText(`${fileName(trace)}.conllu`, trace.conllu, "text/plain");
      tell(this.parts.error, "");
    } catch (error) {
      tell(this.parts.error, error.message);
    }
  }
}

/** `model:en` as its two parts. @param {string} who @returns {[string, string]} */
function split(who) {
  const colon = who.indexOf(":");
  return [who.slice(0, colon), who.slice(colon + 1)];
}

/**
 * The request for a derivation. An oracle tells costs with respect to the tree that it leads to, gold or not.
 * @param {Source} source
 * @param {PanelState} state
 * @returns {import("./api.js").TraceRequest}
 */
function body({ conllu, gold }, { who, oracle, moves, then }) {
  const [kind, name] = split(who);
  return kind === "system"
    ? { conllu, model: null, system: name, oracle, gold: true, moves, then: null }
    : { conllu, model: name, system: null, oracle: "dynamic", gold, moves, then: gold ? then : "parser" };
}
