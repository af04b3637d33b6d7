/** The view that searches trees for a pattern. */

import { isGivenUp, search } from "./api.js";
import { asSentence, byId, element, fill, svgFrom, tell } from "./dom.js";
import { detect } from "./input.js";
import { SEARCHES, TEXT } from "./search_examples.js";

const FIRST = 20;
const MOST = 100;

/**
 * The state of the view: `by` has the keys to count by, separated by commas.
 * @typedef {{pattern: string, by: string, text: string, model: string}} SearchState
 * @typedef {import("./api.js").SearchAnswer} SearchAnswer
 */

/** The fragment of a search. @param {SearchState} state */
export function searchFragment(state) {
  const fields = new URLSearchParams({ view: "search", pattern: state.pattern, text: state.text });
  if (state.by) fields.set("by", state.by);
  if (state.model) fields.set("model", state.model);
  return `#${fields}`;
}

/** The search in a fragment, or null. @param {string} fragment @returns {SearchState | null} */
export function searchFrom(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (fields.get("view") !== "search") return null;
  const field = (name) => fields.get(name) ?? "";
  return { pattern: field("pattern"), by: field("by"), text: field("text"), model: field("model") };
}

/** Split keys at commas outside brackets. @param {string} text */
const keysOf = (text) => text.split(/,(?![^(]*\))/).map((key) => key.trim()).filter(Boolean);

export class SearchView {
  /**
   * @param {import("./api.js").ModelInfo[]} models
   * @param {string} defaultModel
   * @param {() => void} changed is called after each search
   */
  constructor(models, defaultModel, changed) {
    this.changed = changed;
    this.limit = FIRST;
    fill(byId("search-model"), models.map(({ name }) => ({ value: name, text: name })), defaultModel);
    fill(byId("search-example"), [
      { value: "", text: "choose one" }, ...SEARCHES.map(({ name }, i) => ({ value: String(i), text: name })),
    ]);
    const [{ pattern, by }] = SEARCHES;
    this.show({ pattern, by, text: TEXT, model: defaultModel });
    this.listen();
  }

  listen() {
    byId("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    for (const id of ["search-pattern", "search-text"]) {
      byId(id).addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("search-form").requestSubmit();
      });
      byId(id).addEventListener("input", () => {
        byId("search-example").value = "";
        this.fit();
      });
    }
    byId("search-example").addEventListener("change", () => this.openExample());
    byId("search-more").addEventListener("click", () => this.run(MOST));
  }

  openExample() {
    const example = SEARCHES[byId("search-example").value];
    if (!example) return;
    const { pattern, by, text = TEXT } = example;
    this.show({ ...this.state(), pattern, by, text });
    this.run();
  }

  /** @returns {SearchState} */
  state() {
    const value = (id) => byId(id).value;
    return {
      pattern: value("search-pattern"), by: value("search-by").trim(), text: value("search-text"),
      model: value("search-model"),
    };
  }

  /** Fill in the form. @param {SearchState} state */
  show(state) {
    byId("search-pattern").value = state.pattern;
    byId("search-by").value = state.by;
    byId("search-text").value = state.text;
    if (state.model) byId("search-model").value = state.model;
    this.fit();
  }

  /** Adapt the text fields to their contents: the number of lines, and columns for CoNLL-U. */
  fit() {
    const text = byId("search-text");
    for (const field of [byId("search-pattern"), text]) {
      field.rows = Math.min(12, Math.max(5, field.value.split("\n").length));
    }
    text.classList.toggle("columns-of-text", detect(text.value) === "conllu");
    text.dir = detect(text.value) === "conllu" ? "ltr" : "auto";
  }

  /** Search when the view is shown for the first time. */
  begin() {
    if (!this.request) this.run();
  }

  /** Search and show the matches. The old ones stay until the response arrives, and also if there is an error. */
  async run(limit = FIRST) {
    const { pattern, by, text, model } = this.state();
    this.request?.abort();
    this.request = new AbortController();
    byId("search-form").setAttribute("aria-busy", "true");
    try {
      const request = { pattern, text, input: detect(text), model, by: keysOf(by), limit, svg: true };
      this.showAnswer(await search(request, this.request.signal), keysOf(by));
      tell(byId("search-error"), "");
    } catch (error) {
      if (isGivenUp(error)) return;
      tell(byId("search-error"), error.message);
    }
    byId("search-form").removeAttribute("aria-busy");
    this.changed();
  }

  /** @param {SearchAnswer} answer @param {string[]} keys */
  showAnswer(answer, keys) {
    const found = `${answer.complete ? "" : "at least "}${counted(answer.total, "match", "matches")}`;
    const shown = answer.matches.length < answer.total ? ` The first ${answer.matches.length} are shown.` : "";
    const searched = `${counted(answer.sentences, "sentence")}, ${counted(answer.words, "word")}`;
    byId("search-summary").textContent = `${found} in ${answer.matched_sentences} of ${searched}.${shown}`;
    byId("live").textContent = byId("search-summary").textContent;
    tell(byId("search-notes"), [...answer.warnings, ...answer.notes].map(asSentence).join(" "));
    byId("search-counts").replaceChildren(...(keys.length && answer.total ? [countTable(answer, keys)] : []));
    byId("search-matches").replaceChildren(...answer.matches.map(matchItem));
    byId("search-more").hidden = answer.matches.length >= Math.min(answer.total, MOST);
    byId("search-results").hidden = false;
  }
}

/** @param {number} count @param {string} one @param {string} [several] */
const counted = (count, one, several = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

/** @param {SearchAnswer["matches"][0]} match @param {number} i */
function matchItem(match, i) {
  const pieces = match.text.map(({ text, name }) => (
    name ? element("mark", {}, text, element("sub", {}, name)) : text
  ));
  const name = `Tree of match ${i + 1}`;
  const box = { class: "tree", tabindex: 0, role: "group", "aria-label": name, "data-scrolls": true };
  return element(
    "li", {},
    element("p", { dir: "auto" }, ...pieces),
    match.svg ? element("div", box, svgFrom(match.svg)) : null,
  );
}

/** @param {SearchAnswer} answer @param {string[]} keys */
function countTable(answer, keys) {
  const head = [...keys, "matches"].map((name) => element("th", { scope: "col" }, name));
  const rows = answer.counts.map(({ values, count }) => element(
    "tr", {},
    ...values.map((value, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, value ?? "_")),
    element("td", { class: "number" }, count.toLocaleString("en")),
  ));
  return element(
    "table", {}, element("caption", {}, "Counts"), element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
}
