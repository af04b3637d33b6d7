/** Functions on the input: detect its format, and split CoNLL-U into sentences. */

const WORD_LINE = /^\d+(-\d+|\.\d+)?\t/;
const [UPOS, FEATS, HEAD, DEPREL] = [3, 5, 6, 7];

/**
 * Detect the format: CoNLL-U has lines that start with a number and a tab.
 * @param {string} text
 * @returns {"text" | "conllu"}
 */
export function detect(text) {
  return lines(text).some((line) => WORD_LINE.test(line)) ? "conllu" : "text";
}

/**
 * Split CoNLL-U into sentences, each with its comments.
 * @param {string} conllu
 * @returns {string[]}
 */
export function sentences(conllu) {
  const blocks = lines(conllu).join("\n").split(/\n[ \t]*\n/);
  const withWords = blocks.filter((block) => block.split("\n").some((line) => WORD_LINE.test(line)));
  return withWords.map((block) => block.replace(/^\n+|\n+$/g, "") + "\n\n");
}

/**
 * Whether every word of CoNLL-U has a head.
 * @param {string} conllu
 */
export function hasHeads(conllu) {
  const words = lines(conllu).filter((line) => /^\d+\t/.test(line));
  return words.length > 0 && words.every((line) => /^\d+$/.test(line.split("\t")[HEAD] ?? ""));
}

/**
 * A sentence in CoNLL-U with other tags for some words.
 * @param {string} conllu
 * @param {import("./tags.js").WordTags[]} tags
 */
export function withTags(conllu, tags) {
  const given = new Map(tags.map((tag) => [String(tag.id), tag]));
  return conllu.split("\n").map((line) => {
    const columns = line.split("\t");
    const tag = given.get(columns[0]);
    if (tag && columns.length > FEATS) columns.splice(UPOS, 3, tag.upos, tag.xpos, tag.feats);
    return columns.join("\t");
  }).join("\n");
}

/**
 * A parsed sentence in CoNLL-U with the heads and relations of its words in the input, `_` where they are missing.
 * @param {string} parsed
 * @param {string} input
 */
export function withHeads(parsed, input) {
  const given = new Map(lines(input).map((line) => line.split("\t")).map((columns) => [columns[0], columns]));
  return parsed.split("\n").map((line) => {
    const columns = line.split("\t");
    const old = given.get(columns[0]);
    if (old && columns.length > DEPREL) columns.splice(HEAD, 2, old[HEAD] ?? "_", old[DEPREL] ?? "_");
    return columns.join("\t");
  }).join("\n");
}

const lines = (text) => text.split(/\r\n|\r|\n/);
