/** The page: what is typed goes to the server, what comes back is shown, and the address holds all of it. */

import { getModels, getSystems, isGivenUp, parse } from "./api.js";
import { comparison } from "./compare.js";
import { showHelp } from "./dialogs.js";
import { byId, fill, tell } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { hasHeads, recognise, sentences } from "./input.js";
import { listenToKeys } from "./keys.js";
import { Panel } from "./panel.js";
import { fromFragment, pageState, panelState, toFragment } from "./permalink.js";
import { followTheme } from "./theme.js";
import { markTree, showTrees } from "./trees.js";

const PAUSE = 150; // milliseconds before the address is written: browsers do not like to write it at every step of a slider
const KINDS = { text: "text", conllu: "CoNLL-U" };

class Main {
  constructor(models, systems, defaultModel) {
    this.models = models;
    this.systems = systems;
    this.defaultModel = defaultModel;
    this.state = pageState();
    /** @type {string[]} the sentences as they came back */
    this.parsed = [];
    /** @type {Panel[]} */
    this.panels = [];
    /** @type {Panel | undefined} the one that was used last */
    this.active = undefined;
    fill(byId("model"), models.map((model) => ({ value: model.name, text: model.name })), defaultModel);
    fill(byId("example"), [{ value: "", text: "choose one" }, ...EXAMPLES.map(({ name }, i) => ({ value: String(i), text: name }))]);
    this.listen();
  }

  listen() {
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open(this.typed());
    });
    byId("input").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("form").requestSubmit();
    });
    byId("input").addEventListener("input", () => {
      byId("example").value = "";
      this.recognise();
    });
    byId("kind").addEventListener("change", () => this.recognise());
    byId("example").addEventListener("change", () => this.openExample());
    byId("second").addEventListener("click", () => this.toggleSecond());
    byId("linked").addEventListener("change", () => this.changeSetting("linked"));
    byId("show-gold").addEventListener("change", () => this.changeSetting("showGold"));
    byId("copy").addEventListener("click", () => this.copyLink());
    byId("help").addEventListener("click", showHelp);
    byId("panels").addEventListener("focusin", (event) => { this.active = this.panels.find((panel) => panel.root.contains(event.target)) ?? this.active; });
    window.addEventListener("hashchange", (event) => this.openFragment(new URL(event.newURL).hash));
    listenToKeys(() => this.active);
  }

  /** What the form says, with the panels as they are, at their beginning. */
  typed() {
    const model = byId("model").value;
    const follow = (who) => (who === `model:${this.state.model}` ? `model:${model}` : who);
    const panels = this.state.panels.map(({ who, oracle, then }) => panelState({ who: follow(who), oracle, then }));
    return { ...this.state, input: byId("input").value, kind: byId("kind").value, model, gold: byId("gold").checked, sentence: 1, panels };
  }

  openExample() {
    const example = EXAMPLES[byId("example").value];
    if (example) this.open(pageState({ ...example.state, model: byId("model").value }));
  }

  /**
   * Open what a new address holds, if it holds anything that is not open already. The page may have written its own over it by now.
   * @param {string} fragment
   */
  openFragment(fragment) {
    const state = fromFragment(fragment);
    if (state && fragment !== toFragment(this.state)) this.open(state);
  }

  /**
   * Parse and show all that a state says. As long as there is no answer, and if there is none, what was there stays.
   * @param {import("./permalink.js").PageState} state
   */
  async open(state) {
    const wanted = this.completed(state);
    this.showForm(wanted);
    if (!wanted.input.trim()) return tell(byId("error"), "There is nothing to parse: type a sentence, or choose an example.");
    this.request?.abort();
    this.request = new AbortController();
    byId("form").setAttribute("aria-busy", "true");
    try {
      const answer = await parse({ text: wanted.input, input: kindOf(wanted), model: wanted.model, svg: true }, this.request.signal);
      this.state = wanted;
      this.parsed = sentences(answer.conllu);
      tell(byId("error"), this.parsed.length ? "" : "There is no sentence in it.");
      this.showParse(answer.svg);
    } catch (error) {
      if (isGivenUp(error)) return undefined;
      tell(byId("error"), error.message);
    }
    return byId("form").removeAttribute("aria-busy");
  }

  /** A state with names in place of defaults. @param {import("./permalink.js").PageState} state */
  completed(state) {
    const model = state.model || this.defaultModel;
    return { ...state, model, panels: state.panels.map((panel) => ({ ...panel, who: panel.who || `model:${model}` })) };
  }

  /** @param {import("./permalink.js").PageState} state */
  showForm(state) {
    byId("input").value = state.input;
    byId("kind").value = state.kind;
    byId("model").value = state.model;
    this.recognise();
    byId("gold").checked = state.gold;
  }

  /** See what has been typed. As soon as there are heads, they are taken for the gold tree, unless somebody says that they are not. */
  recognise() {
    const text = byId("input").value;
    const found = recognise(text);
    byId("kind").options[0].textContent = `recognised: ${KINDS[found]}`;
    const offered = (byId("kind").value || found) === "conllu" && hasHeads(text);
    if (offered === byId("gold-choice").hidden) byId("gold").checked = offered;
    byId("gold-choice").hidden = !offered;
    byId("input").classList.toggle("columns-of-text", found === "conllu");
    byId("input").dir = found === "conllu" ? "ltr" : "auto";
    byId("input").rows = Math.min(12, Math.max(4, text.split("\n").length));
  }

  /** @returns {import("./panel.js").Source} */
  source() {
    const at = this.state.sentence - 1;
    return this.hasGold() ? { conllu: sentences(this.state.input)[at], gold: true } : { conllu: this.parsed[at], gold: false };
  }

  hasGold() {
    return this.state.gold && kindOf(this.state) === "conllu" && hasHeads(this.state.input);
  }

  /** @param {string[]} pictures */
  showParse(pictures) {
    const found = this.parsed.length > 0;
    byId("trees-section").hidden = byId("steps").hidden = !found;
    byId("linked").checked = this.state.linked;
    byId("show-gold").checked = this.state.showGold;
    showTrees(byId("trees"), pictures, (sentence) => this.choose(sentence));
    byId("trees-title").textContent = `${pictures.length > 1 ? "Trees" : "The tree"} that ${this.state.model} found`;
    if (!found) return;
    byId("target").textContent = this.hasGold()
      ? "HEAD holds the gold tree: oracles lead to it, and losses and costs are told."
      : `No gold tree is known: oracles lead to the tree that ${this.state.model} found.`;
    byId("show-gold-choice").lastChild.textContent = this.hasGold() ? " show the gold arcs" : " show the oracle’s arcs";
    this.state.sentence = Math.min(this.state.sentence, this.parsed.length);
    markTree(byId("trees"), this.state.sentence);
    this.makePanels();
  }

  /** Step through another sentence. @param {number} sentence */
  choose(sentence) {
    this.state.sentence = sentence;
    this.state.panels = this.state.panels.map(({ who, oracle, then }) => panelState({ who, oracle, then }));
    markTree(byId("trees"), sentence);
    this.makePanels();
    byId("steps").scrollIntoView();
    byId("steps").focus({ preventScroll: true });
  }

  /** New panels for what the state says. */
  makePanels() {
    this.panels.forEach((panel) => panel.close());
    this.panels = this.state.panels.map((state, i) => this.newPanel("AB"[i], state));
    this.arrange();
    this.panels.forEach((panel) => panel.load(panel.state));
  }

  /** @param {string} name @param {import("./permalink.js").PanelState} state */
  newPanel(name, state) {
    return new Panel(name, state, {
      models: this.models, systems: this.systems, source: () => this.source(), showGold: () => this.state.showGold,
      loaded: () => this.loaded(), stepped: (panel) => this.stepped(panel),
    });
  }

  /** One panel, or two beside each other. */
  arrange() {
    const two = this.panels.length > 1;
    byId("panels").replaceChildren(...this.panels.map((panel) => panel.root));
    byId("panels").classList.toggle("two", two);
    byId("second").setAttribute("aria-pressed", String(two));
    byId("linked-choice").hidden = byId("comparison").hidden = !two;
    this.active = this.panels[0];
    this.loaded();
  }

  toggleSecond() {
    const first = this.panels[0];
    if (this.panels.length > 1) this.panels.pop().close();
    else this.panels.push(this.newPanel("B", panelState({ who: this.another(first.state.who), step: first.state.step })));
    this.arrange();
    first.showStep();
    if (this.panels.length > 1) this.panels[1].load(this.panels[1].state);
  }

  /** Somebody to compare with: another model if there is one, else an oracle that cannot repair. @param {string} who */
  another(who) {
    const model = this.models.find((each) => `model:${each.name}` !== who);
    return model ? `model:${model.name}` : `system:${this.systems[0].name}`;
  }

  /** A panel has a derivation: compare it, and write the address. */
  loaded() {
    const [a, b] = this.panels.map((panel) => panel.trace);
    byId("comparison-body").replaceChildren(...(a && b ? comparison(a, b) : []));
    byId("show-gold").disabled = !this.panels.some((panel) => panel.trace?.gold);
    this.writeSoon();
  }

  /** A panel went to another step: say so, and take the other one along. @param {Panel} panel */
  stepped(panel) {
    const other = this.panels.find((each) => each !== panel);
    if (other && this.state.linked && other.state.step !== panel.state.step) other.go(panel.state.step);
    byId("live").textContent = panel.inWords();
    this.writeSoon();
  }

  /** @param {"linked" | "showGold"} name */
  changeSetting(name) {
    this.state.linked = byId("linked").checked;
    this.state.showGold = byId("show-gold").checked;
    if (name === "showGold") this.panels.forEach((panel) => panel.showStep());
    this.writeSoon();
  }

  writeSoon() {
    this.state.panels = this.panels.map((panel) => panel.state);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), PAUSE);
  }

  write() {
    history.replaceState(null, "", toFragment(this.state));
  }

  async copyLink() {
    this.write();
    const told = await navigator.clipboard?.writeText(location.href).then(() => "Copied", () => null) ?? "Copy it from the address bar";
    byId("copy").textContent = byId("live").textContent = told;
    window.setTimeout(() => { byId("copy").textContent = "Copy link"; }, 2000);
  }
}

/** What the input is, said or recognised. @param {import("./permalink.js").PageState} state */
const kindOf = (state) => state.kind || recognise(state.input);

async function start() {
  followTheme(byId("theme"));
  try {
    const [{ models, default: defaultModel }, { systems }] = await Promise.all([getModels(), getSystems()]);
    const main = new Main(models, systems, defaultModel);
    main.open(fromFragment(location.hash) ?? pageState(EXAMPLES[0].state));
  } catch (error) {
    tell(byId("error"), error.message);
  }
}

start();
