/** The page: send the input to the server, show the results, and keep the state in the address. */

import { getModels, getSystems, isGivenUp, parse } from "./api.js";
import { comparison } from "./compare.js";
import { showHelp } from "./dialogs.js";
import { asSentence, byId, fill, tell } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { detect, hasHeads, sentences, withHeads } from "./input.js";
import { listenToKeys } from "./keys.js";
import { Panel } from "./panel.js";
import { fromFragment, pageState, panelState, toFragment } from "./permalink.js";
import { SearchView, searchFragment, searchFrom } from "./search.js";
import { secondPanel } from "./second.js";
import { followTheme } from "./theme.js";
import { hasConfidence, markTree, showTrees } from "./trees.js";

// Milliseconds before the address is written. Browsers limit how often a page may change it.
const PAUSE = 150;
const KINDS = { text: "text", conllu: "CoNLL-U" };

class Main {
  constructor(models, systems, defaultModel) {
    this.models = models;
    this.systems = systems;
    this.defaultModel = defaultModel;
    this.state = pageState();
    /** @type {string[]} the parsed sentences in CoNLL-U */
    this.parsed = [];
    /** @type {Panel[]} */
    this.panels = [];
    /** @type {Panel | undefined} the panel that was used last */
    this.active = undefined;
    fill(byId("model"), models.map((model) => ({ value: model.name, text: model.name })), defaultModel);
    const examples = EXAMPLES.map(({ name }, i) => ({ value: String(i), text: name }));
    fill(byId("example"), [{ value: "", text: "choose one" }, ...examples]);
    this.searching = new SearchView(models, defaultModel, () => this.write());
    this.listen();
  }

  listen() {
    byId("show-steps").addEventListener("click", () => this.changeView(false));
    byId("show-search").addEventListener("click", () => this.changeView(true));
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open(this.typed());
    });
    byId("input").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("form").requestSubmit();
    });
    byId("input").addEventListener("input", () => {
      byId("example").value = "";
      this.detectFormat();
    });
    byId("kind").addEventListener("change", () => this.detectFormat());
    byId("example").addEventListener("change", () => this.openExample());
    byId("second").addEventListener("click", () => this.toggleSecond());
    byId("linked").addEventListener("change", () => this.changeSetting("linked"));
    byId("show-gold").addEventListener("change", () => this.changeSetting("showGold"));
    byId("confidence").addEventListener("change", () => this.changeSetting("showConfidence"));
    byId("trees-details").addEventListener("toggle", () => this.changeSetting("showTree"));
    byId("copy").addEventListener("click", () => this.copyLink());
    byId("help").addEventListener("click", showHelp);
    byId("panels").addEventListener("focusin", (event) => {
      this.active = this.panels.find((panel) => panel.root.contains(event.target)) ?? this.active;
    });
    window.addEventListener("hashchange", (event) => this.openFragment(new URL(event.newURL).hash));
    listenToKeys(() => (byId("view-steps").hidden ? undefined : this.active), {
      t: () => { byId("trees-details").open = !byId("trees-details").open; },
    });
  }

  /** The state of the form, with the current panels at step 0. */
  typed() {
    const model = byId("model").value;
    const follow = (who) => (who === `model:${this.state.model}` ? `model:${model}` : who);
    const panels = this.state.panels.map(({ who, ...kept }) => restarted({ who: follow(who), ...kept }));
    const input = { input: byId("input").value, kind: byId("kind").value, gold: byId("gold").checked };
    return { ...this.state, ...input, model, sentence: 1, panels };
  }

  openExample() {
    const example = EXAMPLES[byId("example").value];
    if (example) this.open(pageState({ ...example.state, model: byId("model").value }));
  }

  /**
   * Open the state in a new address, unless it is open already. The page may have replaced the address by now.
   * @param {string} fragment
   */
  openFragment(fragment) {
    const wanted = searchFrom(fragment);
    if (wanted) return this.openSearch(wanted);
    this.showView(false);
    const state = fromFragment(fragment);
    if (state && fragment !== toFragment(this.state)) this.open(state);
    return undefined;
  }

  /** Show the view that searches, and search. @param {import("./search.js").SearchState} wanted */
  openSearch(wanted) {
    this.showView(true);
    this.searching.show(wanted);
    this.searching.run();
  }

  /** Show the view that searches, or the one with the steps. @param {boolean} searching */
  showView(searching) {
    byId("view-search").hidden = !searching;
    byId("view-steps").hidden = searching;
    byId("show-search").setAttribute("aria-pressed", String(searching));
    byId("show-steps").setAttribute("aria-pressed", String(!searching));
  }

  /** @param {boolean} searching */
  changeView(searching) {
    this.showView(searching);
    if (searching) this.searching.begin();
    this.write();
  }

  /**
   * Parse and show a state. The old content stays until the response arrives, and also if there is an error.
   * @param {import("./permalink.js").PageState} state
   */
  async open(state) {
    const wanted = this.completed(state);
    this.showForm(wanted);
    if (!wanted.input.trim()) return tell(byId("error"), "The input is empty. Type a sentence or choose an example.");
    this.request?.abort();
    this.request = new AbortController();
    byId("form").setAttribute("aria-busy", "true");
    try {
      const request = { text: wanted.input, input: kindOf(wanted), model: wanted.model, svg: true, confidence: true };
      const answer = await parse(request, this.request.signal);
      this.state = wanted;
      this.parsed = sentences(answer.conllu);
      tell(byId("error"), this.parsed.length ? "" : "The input has no sentences.");
      tell(byId("warning"), answer.warnings.map(asSentence).join(" "));
      this.showParse(answer.svg, answer.sentences.map(({ words }) => words));
    } catch (error) {
      if (isGivenUp(error)) return undefined;
      tell(byId("error"), error.message);
    }
    return byId("form").removeAttribute("aria-busy");
  }

  /** Fill in the default model of a state. @param {import("./permalink.js").PageState} state */
  completed(state) {
    const model = state.model || this.defaultModel;
    return { ...state, model, panels: state.panels.map((panel) => ({ ...panel, who: panel.who || `model:${model}` })) };
  }

  /** @param {import("./permalink.js").PageState} state */
  showForm(state) {
    byId("input").value = state.input;
    byId("kind").value = state.kind;
    byId("model").value = state.model;
    this.detectFormat();
    byId("gold").checked = state.gold;
  }

  /** Detect the input format. If the input has heads, the option to use them as the gold tree is offered and set. */
  detectFormat() {
    const text = byId("input").value;
    const found = detect(text);
    byId("kind").options[0].textContent = `detected: ${KINDS[found]}`;
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
    const gold = this.hasGold();
    const given = kindOf(this.state) === "conllu" ? sentences(this.state.input)[at] : undefined;
    const conllu = gold ? given : this.parsed[at];
    return { conllu, given: given ? withHeads(conllu, given) : conllu, gold };
  }

  hasGold() {
    return this.state.gold && kindOf(this.state) === "conllu" && hasHeads(this.state.input);
  }

  /** @param {string[]} pictures @param {import("./api.js").ParsedWord[][]} words */
  showParse(pictures, words) {
    const found = this.parsed.length > 0;
    byId("trees-section").hidden = byId("steps").hidden = !found;
    byId("linked").checked = this.state.linked;
    byId("show-gold").checked = this.state.showGold;
    byId("trees-details").open = this.state.showTree;
    byId("confidence").checked = this.state.showConfidence;
    byId("confidence-choice").hidden = !hasConfidence(words);
    byId("trees").classList.toggle("show-confidence", this.state.showConfidence);
    showTrees(byId("trees"), pictures, words, (sentence) => this.choose(sentence));
    byId("trees-title").textContent = `${pictures.length > 1 ? "Trees" : "Tree"} predicted by ${this.state.model}`;
    if (!found) return;
    byId("target").textContent = this.hasGold()
      ? "HEAD contains the gold tree. Oracles derive it, and losses and costs are shown."
      : `There is no gold tree. Oracles derive the tree predicted by ${this.state.model}.`;
    byId("show-gold-choice").lastChild.textContent = this.hasGold() ? " show gold arcs" : " show arcs of the oracle";
    this.state.sentence = Math.min(this.state.sentence, this.parsed.length);
    markTree(byId("trees"), this.state.sentence);
    this.makePanels();
  }

  /** Step through another sentence. @param {number} sentence */
  choose(sentence) {
    this.state.sentence = sentence;
    this.state.panels = this.state.panels.map(restarted);
    markTree(byId("trees"), sentence);
    this.makePanels();
    byId("steps").scrollIntoView();
    byId("steps").focus({ preventScroll: true });
  }

  /** Create the panels of the state. */
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
      loaded: () => this.loaded(), stepped: (panel) => this.stepped(panel), changed: () => this.writeSoon(),
    });
  }

  /** Show one panel, or two side by side. */
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
    else {
      this.panels.push(this.newPanel("B", secondPanel(first, this.models, this.systems, this.hasGold())));
    }
    this.arrange();
    first.showStep();
    if (this.panels.length > 1) this.panels[1].load(this.panels[1].state);
  }

  /** Update comparison and address after a panel has loaded its derivation. */
  loaded() {
    const [a, b] = this.panels.map((panel) => panel.trace);
    byId("comparison-body").replaceChildren(...(a && b ? comparison(a, b) : []));
    byId("show-gold").disabled = !this.panels.some((panel) => panel.trace?.gold);
    this.writeSoon();
  }

  /** Announce the new step of a panel, and move the other panel to the same step if linked. @param {Panel} panel */
  stepped(panel) {
    const other = this.panels.find((each) => each !== panel);
    if (other && this.state.linked && other.state.step !== panel.state.step) other.go(panel.state.step);
    byId("live").textContent = panel.inWords();
    this.writeSoon();
  }

  /** @param {"linked" | "showGold" | "showTree" | "showConfidence"} name */
  changeSetting(name) {
    this.state.linked = byId("linked").checked;
    this.state.showGold = byId("show-gold").checked;
    this.state.showTree = byId("trees-details").open;
    this.state.showConfidence = byId("confidence").checked;
    byId("trees").classList.toggle("show-confidence", this.state.showConfidence);
    if (name === "showGold") this.panels.forEach((panel) => panel.showStep());
    this.writeSoon();
  }

  writeSoon() {
    this.state.panels = this.panels.map((panel) => panel.state);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), PAUSE);
  }

  write() {
    const searching = !byId("view-search").hidden;
    const fragment = searching ? searchFragment(this.searching.state()) : toFragment(this.state);
    history.replaceState(null, "", fragment);
  }

  async copyLink() {
    this.write();
    const copied = await navigator.clipboard?.writeText(location.href).then(() => "Copied", () => null);
    byId("copy").textContent = byId("live").textContent = copied ?? "Copy it from the address bar";
    window.setTimeout(() => { byId("copy").textContent = "Copy link"; }, 2000);
  }
}

/** The same panel at step 0, without any what-if. @param {import("./permalink.js").PanelState} panel */
const restarted = ({ who, oracle, then, why }) => panelState({ who, oracle, then, why });

/** The chosen or detected input format. @param {import("./permalink.js").PageState} state */
const kindOf = (state) => state.kind || detect(state.input);

async function start() {
  followTheme(byId("theme"));
  try {
    const [{ models, default: defaultModel }, { systems }] = await Promise.all([getModels(), getSystems()]);
    const main = new Main(models, systems, defaultModel);
    const wanted = searchFrom(location.hash);
    if (wanted) main.openSearch(wanted);
    main.open((wanted ? null : fromFragment(location.hash)) ?? pageState(EXAMPLES[0].state));
  } catch (error) {
    tell(byId("error"), error.message);
  }
}

start();
