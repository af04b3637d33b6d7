/** The dialog that changes the tags of a word in a what-if. */

import { getTags } from "./api.js";
import { byId, fill } from "./dom.js";

/**
 * @typedef {{id: number, upos: string, xpos: string, feats: string}} WordTags
 * @typedef {import("./derivation.js").Trace} Trace
 */

const COLUMNS = ["upos", "xpos", "feats"];
/** @type {Map<string, [string, string, string][]>} the tags of each model that was asked for */
const known = new Map();

/**
 * Ask for a word and its new tags.
 * @param {Trace} trace
 * @param {import("./api.js").ModelInfo} model
 * @param {number} id the word that is selected first
 * @param {(tags: WordTags) => void} apply
 */
export async function editTags(trace, model, id, apply) {
  const dialog = byId("tags-dialog");
  byId("tags-fields").hidden = byId("tags-apply").hidden = !model.reads_tags;
  byId("tags-note").hidden = model.reads_tags;
  byId("tags-note").textContent = `${model.name} never reads tags. Choose another model.`;
  if (model.reads_tags) await fillIn(trace, model, id);
  dialog.onclose = () => {
    if (dialog.returnValue === "apply") apply({ id: Number(byId("tags-word").value), ...chosen() });
  };
  dialog.returnValue = "";
  dialog.showModal();
}

/** Fill the menus. Each of them offers what fits the menus before it. */
async function fillIn(trace, model, id) {
  if (!known.has(model.name)) known.set(model.name, (await getTags(model.name)).tags);
  const own = trace.words.map(({ upos, xpos, feats }) => [upos, xpos, feats]);
  const offered = [...known.get(model.name), ...own];
  const words = trace.words.map((word) => ({ value: String(word.id), text: `${word.id} ${word.form}` }));
  fill(byId("tags-word"), words, String(id));
  const showWord = () => narrow(offered, own[Number(byId("tags-word").value) - 1], 0);
  byId("tags-word").onchange = showWord;
  COLUMNS.forEach((column, i) => {
    byId(`tags-${column}`).onchange = () => narrow(offered, COLUMNS.map((name) => byId(`tags-${name}`).value), i + 1);
  });
  showWord();
}

/**
 * Fill the menus from number `first` on, and select the wanted tags where they are offered.
 * @param {string[][]} offered
 * @param {string[]} wanted
 * @param {number} first
 */
function narrow(offered, wanted, first) {
  for (let i = first; i < COLUMNS.length; i++) {
    const before = COLUMNS.slice(0, i).map((column) => byId(`tags-${column}`).value);
    const fits = offered.filter((tag) => before.every((value, j) => tag[j] === value));
    const values = [...new Set(fits.map((tag) => tag[i]))];
    if (i === 0) values.sort();
    const select = byId(`tags-${COLUMNS[i]}`);
    fill(select, values.map((value) => ({ value, text: value })), values.includes(wanted[i]) ? wanted[i] : values[0]);
  }
}

const chosen = () => (
  { upos: byId("tags-upos").value, xpos: byId("tags-xpos").value, feats: byId("tags-feats").value }
);

/** The tags of a word as text: `VERB VB`. @param {{upos: string, xpos: string}} tags */
export const tagText = ({ upos, xpos }) => [upos, xpos].filter((tag) => tag !== "_").join(" ") || "no tag";
