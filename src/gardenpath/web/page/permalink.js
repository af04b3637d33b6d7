/** Write the state of the page to the fragment of its address, and read it. */

/**
 * @typedef {import("./api.js").Move} Move
 *
 * The state of a panel: `who` is the model or the system (`model:en`, `system:NAME`), `oracle` the oracle of a
 * system, `step` the current step, `moves` the given transitions, `chosen` the numbers of those that the user chose
 * (from 0), `then` what continues after them, `tags` the words with other tags, and `why` whether reasons are shown.
 * @typedef {{who: string, oracle: string, step: number, moves: Move[], chosen: number[], then: string,
 *   tags: import("./tags.js").WordTags[], why: boolean}} PanelState
 *
 * The state of the page: `kind` is the input format, or "" if it is detected; `gold` is true if HEAD contains the gold
 * tree; `sentence` is the number of the sentence, from 1; `showTree` is true if the finished trees are shown.
 * @typedef {{input: string, kind: string, model: string, gold: boolean, sentence: number, linked: boolean,
 *   showGold: boolean, showTree: boolean, showConfidence: boolean, panels: PanelState[]}} PageState
 */

const NAMES = ["a", "b"];

/** @param {Partial<PanelState>} [given] @returns {PanelState} */
export const panelState = (given = {}) => (
  { who: "", oracle: "dynamic", step: 0, moves: [], chosen: [], then: "parser", tags: [], why: false, ...given }
);

/** @param {object} [given] @returns {PageState} */
export function pageState(given = {}) {
  const defaults = { input: "", kind: "", model: "", gold: false, sentence: 1, linked: true };
  const shown = { showGold: false, showTree: true, showConfidence: false };
  const state = { ...defaults, ...shown, panels: [{}], ...given };
  return { ...state, panels: state.panels.map(panelState) };
}

/**
 * @param {PageState} state
 * @returns {string} the fragment, with `#`
 */
export function toFragment(state) {
  const fields = new URLSearchParams({ text: state.input });
  if (state.kind) fields.set("kind", state.kind);
  if (state.model) fields.set("model", state.model);
  if (state.gold) fields.set("gold", "1");
  if (state.sentence > 1) fields.set("sentence", String(state.sentence));
  if (state.showGold) fields.set("gold-arcs", "1");
  if (!state.showTree) fields.set("tree", "0");
  if (state.showConfidence) fields.set("confidence", "1");
  if (!state.linked) fields.set("linked", "0");
  state.panels.forEach((panel, i) => writePanel(fields, NAMES[i], panel));
  return `#${fields}`;
}

/**
 * @param {string} fragment
 * @returns {PageState | null} null if the fragment has no text
 */
export function fromFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const input = fields.get("text");
  if (!input) return null;
  const panels = NAMES.filter((name, i) => i === 0 || fields.has(name)).map((name) => readPanel(fields, name));
  return pageState({
    input,
    kind: fields.get("kind") ?? "",
    model: fields.get("model") ?? "",
    gold: fields.get("gold") === "1",
    sentence: number(fields.get("sentence"), 1),
    showGold: fields.get("gold-arcs") === "1",
    showTree: fields.get("tree") !== "0",
    showConfidence: fields.get("confidence") === "1",
    linked: fields.get("linked") !== "0",
    panels,
  });
}

function writePanel(fields, name, panel) {
  fields.set(name, panel.who);
  if (panel.who.startsWith("system:")) fields.set(`${name}.oracle`, panel.oracle);
  fields.set(`${name}.step`, String(panel.step));
  if (panel.moves.length) {
    fields.set(`${name}.moves`, panel.moves.map(writeMove).join(" "));
    fields.set(`${name}.chosen`, panel.chosen.join(" "));
    fields.set(`${name}.then`, panel.then);
  }
  if (panel.tags.length) fields.set(`${name}.tags`, panel.tags.map(writeTags).join(" "));
  if (panel.why) fields.set(`${name}.why`, "1");
}

function readPanel(fields, name) {
  const words = (key) => (fields.get(`${name}.${key}`) ?? "").split(" ").filter(Boolean);
  return panelState({
    who: fields.get(name) ?? "",
    oracle: fields.get(`${name}.oracle`) ?? "dynamic",
    step: number(fields.get(`${name}.step`), 0),
    moves: words("moves").map(readMove),
    chosen: words("chosen").map((word) => number(word, 0)),
    then: fields.get(`${name}.then`) === "oracle" ? "oracle" : "parser",
    tags: words("tags").map(readTags),
    why: fields.get(`${name}.why`) === "1",
  });
}

/** @param {Move} move */
const writeMove = ({ move, label }) => (label === null ? move : `${move}(${label})`);

/** @param {string} text @returns {Move} */
function readMove(text) {
  const [, move, label] = /^([^(]*)(?:\((.*)\))?$/.exec(text) ?? [text, text];
  return { move, label: label ?? null };
}

/** @param {import("./tags.js").WordTags} tags */
const writeTags = ({ id, upos, xpos, feats }) => [id, upos, xpos, feats].map(encodeURIComponent).join("/");

/** @param {string} text @returns {import("./tags.js").WordTags} */
function readTags(text) {
  const [id, upos = "_", xpos = "_", feats = "_"] = text.split("/").map(decoded);
  return { id: number(id, 0), upos, xpos, feats };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Read a non-negative integer. @param {string | null} text @param {number} otherwise */
const number = (text, otherwise) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : otherwise);
