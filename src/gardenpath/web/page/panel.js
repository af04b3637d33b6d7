/** A panel: one derivation, step by step. */

import { isGivenUp, trace as requestTrace, traceAsLatex } from "./api.js";
import { isWhatIf, showBanner } from "./banner.js";
import { costOf, explain, hasPairs, moveText } from "./derivation.js";
import { showDefinition } from "./dialogs.js";
import { byId, element, fill, tell } from "./dom.js";
import { withTags } from "./input.js";
import { showLists } from "./lists.js";
import { costBadge, showMoves } from "./moves.js";
import { panelState } from "./permalink.js";
import { Player } from "./player.js";
import { Reasons } from "./reasons.js";
import { asPng, fileName, saveBlob, saveText, standalone } from "./save.js";
import { Stage } from "./stage.js";
import { makeStrip, markStrip } from "./strip.js";
import { editTags } from "./tags.js";

/**
 * @typedef {import("./derivation.js").Trace} Trace
 * @typedef {import("./permalink.js").PanelState} PanelState
 *
 * The sentence with the tree that oracles derive, the same with the given heads that a model keeps, and whether the
 * tree is the gold tree.
 * @typedef {{conllu: string, given: string, gold: boolean}} Source
 *
 * The interface of the page for a panel.
 * @typedef {{models: import("./api.js").ModelInfo[], systems: import("./api.js").SystemInfo[], source: () => Source,
 *   showGold: () => boolean, loaded: (panel: Panel) => void, stepped: (panel: Panel) => void,
 *   changed: () => void}} Page
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
    /** @type {Trace | null} the derivation without any what-if */
    this.original = null;
    this.root = /** @type {HTMLElement} */ (byId("panel").content.firstElementChild.cloneNode(true));
    this.root.setAttribute("aria-label", `Panel ${name}`);
    this.root.querySelector("h3").textContent = name;
    /** @type {Record<string, any>} */
    this.parts = {};
    for (const part of this.root.querySelectorAll("[data-part]")) this.parts[part.getAttribute("data-part")] = part;
    this.stage = new Stage(this.parts.stage);
    this.player = new Player(this.root, () => (
      { step: this.state.step, length: this.trace?.steps.length ?? 0, go: (k) => this.go(k) }
    ));
    this.reasons = new Reasons(this.parts, {
      request: () => body(this.page.source(), this.state),
      point: (ids) => this.stage.point(ids),
      toggled: (open) => this.changeWhy(open),
    });
    this.listen();
  }

  listen() {
    const { who, oracle, define, back, tags } = this.parts;
    const other = (given) => this.reload(panelState({ why: this.state.why, ...given }));
    who.addEventListener("change", () => other({ who: who.value, then: this.state.then }));
    oracle.addEventListener("change", () => other({ who: who.value, oracle: oracle.value }));
    tags.addEventListener("click", () => this.editTags());
    define.addEventListener("click", () => showDefinition(this.system));
    back.addEventListener("click", () => this.load(withoutWhatIf(this.state)));
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.addEventListener("click", () => this.save(button.getAttribute("data-save")));
    }
  }

  /** The transition system of the model or oracle. */
  get system() {
    const [kind, name] = split(this.state.who);
    const system = kind === "system" ? name : this.page.models.find((model) => model.name === name)?.system;
    return this.page.systems.find((each) => each.name === system);
  }

  /** The model that chooses the transitions, if it is one. */
  get model() {
    return this.page.models.find((model) => `model:${model.name}` === this.state.who);
  }

  /** Start again, with another model or oracle. @param {PanelState} state */
  reload(state) {
    this.original = null;
    this.trace = null;
    return this.load(state);
  }

  /** Stop the player and the current request. */
  close() {
    this.player.pause();
    this.request?.abort();
  }

  /**
   * Request the derivation and show it. After an error, the old derivation stays, or the one without any what-if.
   * @param {PanelState} wanted
   */
  async load(wanted) {
    this.close();
    this.request = new AbortController();
    const { signal } = this.request;
    const plain = withoutWhatIf(wanted);
    try {
      const source = this.page.source();
      if (isWhatIf(wanted)) this.original ??= await requestTrace(body(source, { ...plain, then: "parser" }), signal);
      this.trace = await requestTrace(body(source, wanted), signal);
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

  /** Show the whole derivation. */
  show() {
    this.showWho();
    this.parts.work.hidden = !this.trace;
    if (!this.trace) return;
    showBanner(this.parts, this.state, this.trace, this.original);
    this.parts.why.open = this.state.why;
    this.showThen();
    this.showKey();
    this.stage.load(this.trace);
    makeStrip(this.parts.strip, this.trace, this.state.chosen, (k) => this.player.goTo(k));
    this.state.step = Math.min(this.state.step, this.trace.steps.length);
    this.showStep();
  }

  showWho() {
    const { who, oracle } = this.parts;
    const option = ([value, text]) => element("option", { value }, text);
    const group = (label, options) => element("optgroup", { label }, ...options.map(option));
    who.replaceChildren(
      group("Model", this.page.models.map((model) => [`model:${model.name}`, `${model.name} (${model.system})`])),
      group("Oracle of", this.page.systems.map((system) => [`system:${system.name}`, system.name])),
    );
    who.value = this.state.who;
    const isOracle = this.state.who.startsWith("system:");
    this.parts["oracle-choice"].hidden = !isOracle;
    fill(oracle, (this.system?.oracles ?? []).map((name) => ({ value: name, text: name })), this.state.oracle);
    this.parts.tags.hidden = !this.model;
    this.parts.define.hidden = !this.system;
    this.parts.define.setAttribute("aria-label", `Definition of ${this.system?.name}`);
  }

  /** After a what-if, the oracle can only continue if there is a gold tree. */
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
      ["at-stack", pairs ? "in λ₁" : "on the stack"],
      ...(pairs ? [["at-lambda2", "in λ₂"]] : []),
      ["at-buffer", "in the buffer"],
      ...(pairs ? [] : [["at-done", "done"]]),
      ["is-made", "new arc"],
      ["is-broken", "removed arc"],
      ...(this.trace.gold ? [["is-wrong", "≠ not in HEAD"]] : []),
    ].map(([name, text]) => element("li", { class: name }, text));
    const { lifted, system, model, strange_tags: unknown } = this.trace;
    if (lifted) entries.push(element("li", {}, `Crossing arcs that ${system} cannot build are lifted.`));
    if (unknown.length) entries.push(element("li", {}, `Tags that ${model} does not know: ${unknown.join(", ")}.`));
    this.parts.key.replaceChildren(...entries);
  }

  /** Go to a step. @param {number} k */
  go(k) {
    const to = Math.max(0, Math.min(k, this.trace?.steps.length ?? 0));
    if (to === this.state.step) return;
    this.state.step = to;
    this.showStep();
    this.page.stepped(this);
  }

  /** Go to the next repair, if there is one. */
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
    this.parts["moves-title"].textContent = step < trace.steps.length ? "Valid transitions" : "End";
    const listener = { whatIf: (move) => this.whatIf(move), point: (ids) => this.stage.point(ids) };
    showMoves(this.parts.moves, trace, step, listener);
    this.reasonsShown = this.reasons.show(trace, step);
    markStrip(this.parts.strip, step);
    this.player.show(this.inWords());
  }

  /** Show the last transition. */
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
    this.parts.explained.textContent = last ? explain(trace, step).join(" ") : "There are no arcs yet.";
  }

  /** Scroll the page so that the picture and stack and buffer are in view, now and with the reasons of the step. */
  keepInView() {
    this.scrollIntoView();
    this.reasonsShown?.then(() => this.scrollIntoView());
  }

  /** Scroll as little as possible; what comes last is the most important. */
  scrollIntoView() {
    this.parts.stage.scrollIntoView({ block: "nearest" });
    if (this.parts.why.open) this.parts.why.scrollIntoView({ block: "nearest" });
    this.parts.lists.scrollIntoView({ block: "nearest" });
  }

  /** The step in words, for screen readers. */
  inWords() {
    const { trace, state: { step } } = this;
    const last = trace.steps[step - 1];
    const repair = last?.repair ? " Repair." : "";
    const what = last ? `${moveText(trace, last)}.${repair} ${explain(trace, step).join(" ")}` : "Start.";
    return `Step ${step} of ${trace.steps.length}. ${what}`;
  }

  /**
   * Apply another transition at the current step.
   * @param {import("./api.js").Move} move
   */
  whatIf(move) {
    const at = this.state.step;
    const before = this.trace.steps.slice(0, at).map((step) => ({ move: step.move, label: step.label }));
    this.original ??= this.trace;
    const chosen = [...this.state.chosen.filter((each) => each < at), at];
    this.load({ ...this.state, moves: [...before, move], chosen, then: this.parts.then.value, step: at + 1 });
  }

  /** Ask for other tags of a word, first of all the front of the buffer. */
  editTags() {
    if (!this.model || !this.trace) return;
    const front = (this.trace.steps[this.state.step] ?? this.trace.final).buffer.find((id) => id > 0);
    editTags(this.trace, this.model, front ?? 1, (tags) => {
      const others = this.state.tags.filter((each) => each.id !== tags.id);
      this.original ??= this.trace;
      this.load({ ...this.state, tags: [...others, tags] });
    }).catch((error) => tell(this.parts.error, error.message));
  }

  /** Show or hide the reasons. An oracle has none. */
  toggleWhy() {
    if (!this.parts.why.hidden) this.parts.why.open = !this.parts.why.open;
  }

  /** @param {boolean} open whether reasons are shown */
  changeWhy(open) {
    if (this.state.why === open) return;
    this.state.why = open;
    this.page.changed();
    if (open) this.keepInView();
  }

  /** @param {string} format */
  async save(format) {
    const { trace } = this;
    const svg = this.stage.svg;
    const at = `step-${this.state.step}`;
    try {
      if (format === "svg") saveText(`${fileName(trace, at)}.svg`, await standalone(svg), "image/svg+xml");
      else if (format === "png") saveBlob(`${fileName(trace, at)}.png`, await asPng(svg));
      else if (format === "tex") {
        const request = body(this.page.source(), this.state);
        saveText(`${fileName(trace)}.tex`, await traceAsLatex(request), "text/x-tex");
      } else saveText(`${fileName(trace)}.conllu`, trace.conllu, "text/plain");
      tell(this.parts.error, "");
    } catch (error) {
      tell(this.parts.error, error.message);
    }
  }
}

/** Split `model:en` into its two parts. @param {string} who @returns {[string, string]} */
function split(who) {
  const colon = who.indexOf(":");
  return [who.slice(0, colon), who.slice(colon + 1)];
}

/** The same panel without any what-if. @param {PanelState} state @returns {PanelState} */
export const withoutWhatIf = (state) => ({ ...state, moves: [], chosen: [], tags: [] });

/**
 * The request for a derivation. With an oracle, costs refer to the tree that it derives, gold or not.
 * @param {Source} source
 * @param {PanelState} state
 * @returns {import("./api.js").TraceRequest}
 */
function body(source, { who, oracle, moves, then, tags }) {
  const [kind, name] = split(who);
  const { gold } = source;
  const plain = kind === "system" ? source.conllu : source.given;
  const conllu = tags.length ? withTags(plain, tags) : plain;
  return kind === "system"
    ? { conllu, model: null, system: name, oracle, gold: true, moves, then: null }
    : { conllu, model: name, system: null, oracle: "dynamic", gold, moves, then: gold ? then : "parser" };
}
